#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin one.cu two.cu

# Two local variables of 4 bytes at different offsets, with their own values.
check() { # FILE ONE TWO
    is_final "$1" "$2" "$3"
    tenon inspect --json "$1" >json
    python3 "$CASE/statics.py" json "$1" || fail "the static variables of $1"
}
direct() {
    passes tenon link -arch sm_90 -o direct.cubin one.cubin two.cubin
    silent
    check direct.cubin one two
}
variant 'direct' direct

one_partial() {
    passes tenon link -r -arch sm_90 -o p.cubin one.cubin two.cubin
    is_partial p.cubin
    passes tenon link -arch sm_90 -o via.cubin p.cubin
    check via.cubin one two
}
variant 'through one partial' one_partial

two_partials() {
    passes tenon link -r -arch sm_90 -o p1.cubin one.cubin
    passes tenon link -r -arch sm_90 -o p2.cubin p1.cubin two.cubin
    passes tenon link -arch sm_90 -o via2.cubin p2.cubin
    check via2.cubin one two
}
variant 'through two partials' two_partials

same_base() {
    mkdir other
    sed 's/void two/void another/' "$CASE/two.cu" >other/one.cu
    tenon compile -arch sm_90 -o other/one.cubin other/one.cu
    passes tenon link -arch sm_90 -o same.cubin one.cubin other/one.cubin
    check same.cubin one another
    passes tenon link -r -arch sm_90 -o p3.cubin one.cubin other/one.cubin
    passes tenon link -arch sm_90 -o same2.cubin p3.cubin
    check same2.cubin one another
}
variant 'files of one name in two folders' same_base
# On a GPU: tests/gpu/chain_test.c
finish
