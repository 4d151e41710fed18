#!/bin/bash
# What the products load with them, and that none of them says where it was built.
set -euo pipefail
build=${TENON_BUILD:?}
for file in "$build"/lib/libtenon.so.0 "$build"/bin/tenon "$build"/libexec/tenon/tenon-worker; do
    name=$(basename "$file")
    [ -e "$file" ] || { echo "$name was not built" && exit 1; }
    while read -r needed; do
        case $needed in
        libc.so.6 | libm.so.6 | libzstd.so.1 | ld-linux*.so.*) ;;
        libtenon.so.0) [ "$name" = tenon ] || { echo "$name needs $needed" && exit 1; } ;;
        *) echo "$name needs $needed, which docs/dependencies.md does not have" && exit 1 ;;
        esac
    done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    if readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -vF "[\$ORIGIN/../lib]"; then
        echo "$name has a search path of the machine that built it" && exit 1
    fi
    for root in "${TENON_SOURCE:?}" "$build"; do
        # grep -c reads all, so strings is never cut off by a closed pipe.
        count=$(strings -a "$file" | grep -cF "$root" || true)
        [ "$count" -eq 0 ] || { echo "$name has the path $root inside, $count times" && exit 1; }
    done
done
echo "only libc and libzstd; no path of the build"
