#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin use.cu
cp "$CASE/plain.c" "$CASE/rotl.cu" .
nvcc -arch=sm_90 -c -o rotl.o rotl.cu || exit
nvcc -c -o plain.o plain.c || exit
ar rcs librotl.a rotl.o plain.o
ar rcs libplain.a plain.o

not_relocatable() {
    fails out.cubin 'rotl(int, int)' _Z4rotlii rotl.o 'not relocatable' -rdc=true -- \
        tenon link -arch sm_90 -o out.cubin use.cubin librotl.a
}
variant '1. a member built without -rdc' not_relocatable

no_device_code() {
    fails out.cubin libplain.a 'no member' 'device code' -- \
        tenon link -arch sm_90 -o out.cubin use.cubin libplain.a
}
variant '2. no member has device code' no_device_code

plain_object() {
    fails out.cubin plain.o 'device code' -- tenon link -arch sm_90 -o out.cubin use.cubin plain.o
}
variant '3. a named object without device code' plain_object

rebuilt() {
    nvcc -arch=sm_90 -rdc=true -c -o rotl.o rotl.cu
    ar rcs librdc.a rotl.o plain.o
    passes tenon link -arch sm_90 -o out.cubin use.cubin librdc.a
    has out.cubin kind cubin
    has out.cubin relocatable False
    has out.cubin undefined
    tenon inspect --json out.cubin | python3 "$cases/show.py" kernels | grep -qx use
}
variant '4. rebuilt with -rdc=true' rebuilt
finish
