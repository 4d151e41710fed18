#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin kernel.cu heavy.cu

# Both counts: 32 of the kernel's launch bounds, and a larger one.
names_both() { # INPUT COMMAND...
    local input=$1
    shift
    fails out.cubin tight heavy 32 "$input" -- "$@"
    grep -qE '32\b.*\b(9[0-9]|1[0-9][0-9]|2[0-5][0-9])\b' said.error || fail "not both register counts"
}
variant '1. final' names_both kernel.cubin tenon link -arch sm_90 -o out.cubin kernel.cubin heavy.cubin

partial() {
    passes tenon link -r -arch sm_90 -o part.cubin kernel.cubin heavy.cubin
    is_partial part.cubin
}
variant '2. partial' partial
variant '3. the partial, final' names_both part.cubin tenon link -arch sm_90 -o out.cubin part.cubin

heavy_first() {
    passes tenon link -r -arch sm_90 -o part_heavy.cubin heavy.cubin
    names_both part_heavy.cubin tenon link -arch sm_90 -o out.cubin part_heavy.cubin kernel.cubin
}
variant '4. heavy alone as a partial, then the kernel' heavy_first
finish
