#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
if nvjitlink_at_least 13.3; then new=true; else new=false; fi
for kind in cubin ptx ltoir; do compile $kind main.cu scale_a.cu scale_b.cu; done

twice() { # KIND FIRST SECOND [OPTION]...
    local kind=$1 first=$2 second=$3
    shift 3
    fails out.cubin _Z5scalei "$first" "$second" -- \
        tenon link -arch sm_90 "$@" -o out.cubin "main.$kind" "$first.$kind" "$second.$kind"
    says_in_order "$first.$kind" "$second.$kind"
}
# Older libraries cannot link LTO-IR partially: then that is the error.
lto_partial() {
    if $new; then
        twice "$@" -r --lto
    else
        fails out.cubin 13.3 -- tenon link -arch sm_90 -r --lto -o out.cubin main.ltoir "$2.ltoir" "$3.ltoir"
    fi
}
for kind in cubin ptx; do
    variant "$kind, final" twice $kind scale_a scale_b
    variant "$kind, final, swapped" twice $kind scale_b scale_a
    variant "$kind, -r" twice $kind scale_a scale_b -r
    variant "$kind, -r, swapped" twice $kind scale_b scale_a -r
done
variant 'LTO-IR, final' twice ltoir scale_a scale_b --lto
variant 'LTO-IR, final, swapped' twice ltoir scale_b scale_a --lto
variant 'LTO-IR, -r' lto_partial ltoir scale_a scale_b
variant 'LTO-IR, -r, swapped' lto_partial ltoir scale_b scale_a

mixed() {
    fails out.cubin _Z5scalei scale_a.cubin scale_b.ptx -- \
        tenon link -arch sm_90 -o out.cubin main.cubin scale_a.cubin scale_b.ptx
    says_in_order scale_a.cubin scale_b.ptx
}
variant 'a cubin and PTX' mixed

control() { # KIND
    passes tenon link -arch sm_90 -o out.cubin "main.$1" "scale_a.$1"
    silent
    is_final out.cubin apply
}
for kind in cubin ptx ltoir; do variant "control, $kind" control $kind; done
finish
