#!/bin/bash
# Each public header compiles alone, in C99, C11 and C++17, with each compiler there is, without
# warnings and without padding.
set -euo pipefail
cd "${TENON_SOURCE:?}"
checked=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "$compiler is not installed: not checked" && continue; }
    for header in include/tenon.h include/tenon/*.h; do
        for std in c99 c11 c++17; do
            language=${std%[0-9][0-9]}
            [ "$compiler $language" != 'gcc c++' ] || command -v g++ >/dev/null || continue
            echo "#include \"${header#include/}\"" |
                $compiler -x "$language" -std=$std -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
                    -Wpadded -Werror -Iinclude -fsyntax-only - ||
                { echo "$header alone, $std, $compiler" && exit 1; }
            checked=$((checked + 1))
        done
    done
done
[ $checked -gt 0 ]
echo "$checked compiles"
