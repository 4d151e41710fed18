#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin report.cu checked.cu

whole() {
    passes tenon link -arch sm_90 -o out.cubin report.cubin checked.cubin
    is_final out.cubin report
    passes tenon inspect out.cubin
    sed -n '/^provided by the driver:/,/^[^ ]/p' said >driver
    local name
    for name in vprintf malloc free __assertfail .nv.reservedSmem.offset0; do
        grep -qx "    $name" driver || fail "$name is not shown as provided by the driver"
    done
}
variant 'whole: the driver provides five names' whole

alone() {
    fails out.cubin 'checked(int)' report.cubin -- tenon link -arch sm_90 -o out.cubin report.cubin
    says_none vprintf malloc free __assertfail reservedSmem
}
variant 'alone: only checked(int) is missing' alone

partial() {
    passes tenon link -r -arch sm_90 -o part.cubin report.cubin
    is_partial part.cubin _Z7checkedi
    has part.cubin driver vprintf malloc free __assertfail .nv.reservedSmem.offset0
}
variant 'partial: checked is undefined, the others apart' partial
finish
