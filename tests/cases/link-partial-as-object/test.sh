#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin front.cu back.cu
tenon link -r -arch sm_90 -o part.cubin front.cubin

# The name and the extension say host object; the bytes decide.
by_bytes() { # FILE
    cp "$1" part.o
    passes tenon link -arch sm_90 -o out.cubin part.o back.cubin
    is_final out.cubin hash_rows
}
variant 'a partial called part.o' by_bytes part.cubin
variant 'a compiled unit called part.o' by_bytes front.cubin
# The tag "host object" is the C API's: tests/cases/api_test.c
finish
