#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# Every combination of incremental, LTO and target: what comes out, and what is refused. With the
# nvJitLink that is found here, and with 13.5 where $TENON_TEST_VERSIONS has it.
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >caller.cu <<'END'
extern __device__ int scale(int x);
extern "C" __global__ void apply(int *p) { *p = scale(*p); }
END
cat >helper.cu <<'END'
extern __device__ int offset(int x);
__device__ int scale(int x) { return 3 * x + offset(x); }
END
echo '__device__ int offset(int x) { return x + 1; }' >leaf.cu
CASE=$work
tenon doctor >/dev/null || { tenon doctor && skip "no NVRTC or no nvJitLink was found"; }
for kind in cubin ltoir; do compile $kind caller.cu helper.cu leaf.cu; done

# Columns: incremental, LTO, target; units (whole: all three, open: without leaf); version of nvJitLink
# that is needed; what comes out. "wrong" is refused as wrong use.
table='
no   no       cubin  whole  12.0  final
no   no       cubin  open   12.0  undefined
no   yes      cubin  whole  12.0  final
no   yes      cubin  open   12.0  undefined
no   yes      ptx    whole  12.0  ptx
no   yes      ptx    open   12.0  undefined
no   yes      ltoir  whole  13.3  ltoir
no   yes      ltoir  open   13.3  undefined
yes  no       cubin  whole  13.0  partial
yes  no       cubin  open   13.0  partial
yes  yes      cubin  whole  13.3  partial
yes  yes      cubin  open   13.3  partial
yes  yes      ltoir  whole  13.3  ltoir
yes  yes      ltoir  open   13.3  ltoir
yes  yes      ptx    whole  12.0  wrong
yes  default  ptx    whole  12.0  wrong
yes  no       ptx    whole  12.0  wrong
no   no       ptx    whole  12.0  wrong
no   no       ltoir  whole  12.0  refused
yes  no       ltoir  whole  12.0  refused
no   no       object whole  12.0  wrong
yes  yes      object whole  12.0  wrong
no   default  cubin  whole  12.0  final
no   default  ptx    whole  12.0  ptx
'

# What a result is, and that it goes on to a finished cubin where it can.
check_result() { # OUTCOME UNITS FILE
    local outcome=$1 units=$2 file=$3 rest=()
    local extension=${file##*.}
    case $outcome in
    final) is_final "$file" apply && return ;;
    ptx)
        has "$file" kind ptx
        grep -q '\.entry apply' "$file" || fail "no kernel"
        if grep -q '^\.extern \.func.*_Z' "$file"; then fail "something is still extern"; fi
        return
        ;;
    partial)
        if [ "$units" = open ]; then is_partial "$file" _Z6offseti; else is_partial "$file"; fi
        has "$file" kernels apply
        ;;
    ltoir) has "$file" kind ltoir ;;
    *) fail "no such outcome: $outcome" ;;
    esac
    [ "$units" = whole ] || rest=("leaf.$extension")
    passes tenon link -o finished.cubin "$file" "${rest[@]}"
    is_final finished.cubin apply
}

cell() { # INCREMENTAL LTO TARGET UNITS SINCE OUTCOME
    local target=$3 units=$4 since=$5 outcome=$6 code=0
    local options=(-arch sm_90 --emit "$target") kind=cubin output=out.$target inputs
    [ "$1" = no ] || options+=(-r)
    case $2 in
    yes) options+=(--lto) kind=ltoir ;;
    no) options+=(--no-lto) ;;
    default) [ "$target" = cubin ] || kind=ltoir ;;
    esac
    inputs=("caller.$kind" "helper.$kind")
    [ "$units" = open ] || inputs+=("leaf.$kind")
    rm -f "$output"
    local command=(tenon link "${options[@]}" -o "$output" "${inputs[@]}")
    case $outcome in
    wrong)
        "${command[@]}" >said 2>&1 || code=$?
        cat said
        [ "$code" -eq 2 ] || fail "exit $code, not 2: ${command[*]}"
        [ ! -e "$output" ] || fail "$output was written"
        ;;
    refused) fails "$output" LTO-IR link_time_optimization -- "${command[@]}" ;;
    *)
        if ! nvjitlink_at_least "$since"; then
            fails "$output" "$since" nvJitLink -- "${command[@]}"
        elif [ "$outcome" = undefined ]; then
            # Libraries before 13.3 drop a function that no kernel of its unit calls, so that nobody can
            # see who wants what.
            local wanter=helper
            if [ "$kind" = ltoir ] && ! nvjitlink_at_least 13.3; then wanter=wanted; fi
            fails "$output" 'offset(int)' _Z6offseti "$wanter" -- "${command[@]}"
        else
            passes "${command[@]}"
            check_result "$outcome" "$units" "$output"
        fi
        ;;
    esac
}

# A later LTO link cannot inline across a partial cubin, but it can link it.
boundary() {
    nvjitlink_at_least 13.3 || skip "a partial LTO link needs nvJitLink 13.3"
    passes tenon link -r --lto --emit cubin -arch sm_90 -o boundary.cubin caller.ltoir helper.ltoir
    passes tenon link --lto -arch sm_90 -o out.cubin boundary.cubin leaf.ltoir
    is_final out.cubin apply
}

run_table() { # WHICH LIBRARY
    local incremental lto target units since outcome
    while read -r incremental lto target units since outcome; do
        [ -n "$incremental" ] || continue
        variant "$1: incremental $incremental, LTO $lto, $target, $units: $outcome" \
            cell "$incremental" "$lto" "$target" "$units" "$since" "$outcome"
    done <<<"$table"
    if nvjitlink_at_least 13.3; then variant "$1: machine code beside LTO-IR" boundary; fi
}

run_table "nvJitLink $(tenon doctor --json | python3 "$cases/show.py" nvjitlink)"
newer=$(find -L "${TENON_TEST_VERSIONS:-/nowhere}/nvjitlink-13.5" -name 'libnvJitLink.so*' 2>/dev/null | head -n 1) || true
if [ -n "$newer" ] && [ "$newer" != "${TENON_NVJITLINK:-}" ]; then
    export TENON_NVJITLINK=$newer
    run_table 'nvJitLink 13.5'
fi
finish
