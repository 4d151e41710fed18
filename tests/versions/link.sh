#!/bin/bash
# Links with one version of nvJitLink, such as 12.2, whose names all carry a version, and reads what
# tenon says where that version lacks something.
set -euo pipefail
version=$1
library=$(find "${TENON_TEST_VERSIONS:-/nowhere}/nvjitlink-$version" -name 'libnvJitLink.so.1*' 2>/dev/null | head -n 1) || true
[ -n "$library" ] || { echo "skipped: no nvJitLink $version in \$TENON_TEST_VERSIONS" && exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TENON_NVJITLINK=$library

at_least() { # MAJOR.MINOR
    [ "$(printf '%s\n' "$1" "$version" | sort -V | head -n 1)" = "$1" ]
}

fails_with() { # OUTPUT TEXT... -- COMMAND...: exit 1, no output, and each text in the message
    local output=$1 texts=() code=0 text
    shift
    while [ "$1" != -- ]; do texts+=("$1") && shift; done
    shift
    "$@" >said 2>&1 || code=$?
    cat said
    [ "$code" -eq 1 ] || { echo "exit $code, not 1: $*" && exit 1; }
    [ ! -e "$output" ] || { echo "$output was written all the same" && exit 1; }
    for text in "${texts[@]}"; do
        grep -qF "$text" said || { echo "'$text' is not in the message" && exit 1; }
    done
}

echo "== a final link of PTX that every version knows"
tenon link --arch sm_90 -o final.cubin "$here/caller.ptx" "$here/leaf.ptx"
tenon inspect final.cubin | tee said
grep -q apply said

echo "== an undefined symbol"
fails_with broken.cubin scale caller.ptx -- tenon link --arch sm_90 -o broken.cubin "$here/caller.ptx"

echo "== a partial link"
if at_least 13.0; then
    tenon link -r --arch sm_90 -o partial.cubin "$here/caller.ptx"
    tenon link -o whole.cubin partial.cubin "$here/leaf.ptx"
else # refused by the library itself, so by name
    fails_with partial.cubin "$library" -- tenon link -r --arch sm_90 -o partial.cubin "$here/caller.ptx"
fi

echo "== LTO-IR as a result"
if ! tenon compile --arch sm_90 --emit ltoir -o caller.ltoir \
    "$here/../../examples/kernels/caller.cu" >said 2>&1; then
    grep -qi 'nvrtc' said && echo "no NVRTC here: not tried" && exit
    cat said && exit 1
fi
if at_least 13.3; then
    tenon link -r --lto --emit ltoir -o partial.ltoir caller.ltoir
    tenon inspect partial.ltoir
else
    found=$version # 12.0 to 12.2 cannot tell theirs
    at_least 12.3 || found=
    fails_with partial.ltoir 13.3 "$found" "$library" -- \
        tenon link -r --lto --emit ltoir -o partial.ltoir caller.ltoir
fi
