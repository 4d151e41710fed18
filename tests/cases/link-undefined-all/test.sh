#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin filter.cu window.cu gain.cu

alone() {
    echo older >out.cubin
    fails out.cubin window_weight\(int\) _Z13window_weighti clamp_gain\(float\) _Z10clamp_gainf \
        tap_count filter -- tenon link -arch sm_90 -o out.cubin filter.cubin
    # Each symbol has its unit.
    [ "$(grep -o "wanted by 'filter.cubin'" said.error | wc -l)" -eq 3 ]
    [ "$(cat out.cubin)" = older ]
    rm out.cubin
    fails out.cubin filter -- tenon link -arch sm_90 -o out.cubin filter.cubin
}
variant '1. alone: all three symbols, and an older output stays' alone

with_window() {
    fails out.cubin 'clamp_gain(float)' tap_count filter.cubin -- \
        tenon link -arch sm_90 -o out.cubin filter.cubin window.cubin
    says_none window_weight "'window.cubin'"
}
variant '2. with window: the other two' with_window

partial() {
    passes tenon link -r -arch sm_90 -o part.cubin filter.cubin window.cubin
    is_partial part.cubin _Z10clamp_gainf tap_count
    passes tenon inspect part.cubin
    grep -q '^needs 2 symbols:$' said
    grep -qx '    clamp_gain(float)  _Z10clamp_gainf' said
    grep -qx '    tap_count' said
}
variant '3. with window, -r: the partial lists the two' partial

whole() {
    passes tenon link -arch sm_90 -o out.cubin part.cubin gain.cubin
    is_final out.cubin fir
}
variant '4. the partial with gain' whole

# 5, names overwritten after they were added: tests/cases/api_test.c
finish
