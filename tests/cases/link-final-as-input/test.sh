#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin done.cu more.cu
tenon link -arch sm_90 -o final.cubin done.cubin

refused() { # IN...
    fails out.cubin "'$1'" 'already linked' 'executable, not relocatable' 'relocatable device code' \
        'as it is' -- tenon link -arch sm_90 -o out.cubin "$@"
}
variant 'with another unit' refused final.cubin more.cubin
variant 'alone' refused final.cubin

last() {
    fails out.cubin "'final.cubin'" 'already linked' -- \
        tenon link -arch sm_90 -o out.cubin more.cubin final.cubin
}
variant 'as the last input' last

partial() {
    fails out.cubin "'final.cubin'" 'already linked' -- \
        tenon link -r -arch sm_90 -o out.cubin final.cubin more.cubin
}
variant 'in a partial link' partial

whole_program() {
    tenon compile -arch sm_90 --whole-program -o whole.cubin "$CASE/done.cu"
    refused whole.cubin more.cubin
}
variant 'compiled as a whole program' whole_program

by_nvcc() {
    nvcc -arch=sm_90 -cubin -o nvcc.cubin "$CASE/done.cu"
    refused nvcc.cubin more.cubin
}
variant 'made by nvcc -cubin without -rdc' by_nvcc

inspected() {
    passes tenon inspect final.cubin
    head -n 1 said | grep -q 'final (executable)'
    has final.cubin relocatable False
    passes tenon inspect done.cubin
    head -n 1 said | grep -q relocatable
    has done.cubin relocatable True
}
variant 'inspect tells them apart' inspected
finish
