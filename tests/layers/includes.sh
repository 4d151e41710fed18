#!/bin/bash
# Proves from each #include "..." below src/ that the layers only look down:
#   base <- core <- {elf, nv} <- link <- worker; cli sees the public headers only.
# A checker that never fails proves nothing, so it first has to find planted violations.
set -euo pipefail
source=${TENON_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}

may_include() { # FOLDER: what it may include, as patterns
    case $1 in
    base) echo 'tenon/base.h base/*' ;;
    core) echo 'tenon.h tenon/* base/* core/*' ;;
    elf) echo 'tenon.h tenon/* base/* core/* elf/*' ;;
    nv) echo 'tenon.h tenon/* base/* core/* nv/*' ;;
    link) echo 'tenon.h tenon/* base/* core/* elf/* nv/* link/*' ;;
    worker) echo 'tenon.h tenon/* base/* core/* elf/* nv/* link/* worker/*' ;;
    cli) echo 'tenon.h tenon/* cli/*' ;;
    *) echo '' ;; # a folder that the design does not have
    esac
}

allowed() { # FOLDER INCLUDED
    local pattern patterns
    read -ra patterns <<<"$(may_include "$1")"
    case $2 in ../* | */../*) return 1 ;; esac
    for pattern in "${patterns[@]}"; do
        # shellcheck disable=SC2053 # the right side is a pattern
        [[ $2 == $pattern ]] && return
    done
    return 1
}

check() { # ROOT: prints each violation; fails if there is one
    local file line number folder included bad=0
    while IFS=: read -r file number line; do
        folder=${file#"$1"/src/}
        folder=${folder%%/*}
        included=${line#*\"}
        included=${included%%\"*}
        [[ $included == */* || $included == tenon.h ]] || included=$folder/$included
        allowed "$folder" "$included" && continue
        echo "${file#"$1"/}:$number: src/$folder may not include \"$included\""
        bad=1
    done < <(grep -rnE --include='*.[ch]' --include='*.inc' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$1/src")
    # Vendor headers are for tests only: tenon builds where there is no CUDA.
    if grep -rnE --include='*.[ch]' --exclude='*_test.c' \
        '#[[:space:]]*include[[:space:]]*<(cuda|cuda_runtime|nvrtc|nvJitLink)(_api)?\.h>' "$1/src"; then
        bad=1
    fi
    return $bad
}

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
plant() { # FOLDER LINE: must be refused
    mkdir -p "$root/src/$1"
    printf '%s\n' '#include "tenon/base.h"' "$2" >"$root/src/$1/planted.c"
    if check "$root" >/dev/null; then
        echo "the checker did not find $2 in src/$1"
        exit 1
    fi
    rm -r "$root/src"
}
plant base '#include "core/try.h"'
plant core '#include "elf/cubin.h"'
plant elf '#include "nv/driver.h"'
plant nv '  #  include "elf/cubin.h"'
plant link '#include "cli/opt.h"'
plant cli '#include "base/buffer.h"'
plant cli '#include "../base/buffer.h"'
plant extra '#include "extra/a.h"'
plant nv '#include <cuda.h>'
mkdir -p "$root/src/cli"
printf '%s\n' '#include "tenon.h"' '#include "opt.h"' >"$root/src/cli/good.c"
check "$root"

check "$source"
count=$(find "$source/src" -name '*.[ch]' | wc -l)
[ "$count" -gt 0 ] || { echo "no sources below $source/src" && exit 1; }
echo "$count files keep to the layers"
