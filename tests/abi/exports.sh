#!/bin/bash
# What the public headers promise, what tools/tenon.map lists and what libtenon exports are one list.
set -euo pipefail
library=${TENON_BUILD:?}/lib/libtenon.so.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "${TENON_SOURCE:?}"

sed 's|//.*||; /^#/d' include/tenon.h include/tenon/*.h | tr '\n' ' ' | grep -o 'TENON_API [^(;]*(' |
    sed 's/ *($//; s/.*[ *]//' | sort >"$work/headers"
grep -o '^ *[a-z][a-z0-9_]*;' tools/tenon.map | tr -d ' ;' | sort >"$work/map"
nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | sed 's/@.*//' | sort >"$work/library"

[ -s "$work/headers" ] || { echo "no TENON_API in the headers" && exit 1; }
diff --label 'public headers' --label tools/tenon.map -u "$work/headers" "$work/map"
diff --label tools/tenon.map --label libtenon.so.0 -u "$work/map" "$work/library"
if grep -v '^tenon_' "$work/library"; then echo "exported without tenon_" && exit 1; fi
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = libtenon.so.0 ] || { echo "SONAME is '$soname', not libtenon.so.0" && exit 1; }
echo "$(wc -l <"$work/map") names, the same in headers, map and library"
