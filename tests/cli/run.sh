#!/bin/sh
# Runs each NAME.sh of this folder, or those named, in an empty folder of its own. Its output and
# errors must be those of NAME.sh.stdout.exact and NAME.sh.stderr.exact, or match, line by line,
# the patterns of NAME.sh.stdout.glob and NAME.sh.stderr.glob; its exit status that of NAME.sh.exit.
# What has no golden must be empty, and the status 0: no test passes by saying nothing.
#
# TENON is the command; without it, the one on PATH. TENON_GOLDEN=write writes what *.exact there is.
# A test that cannot run here prints "skipped: WHY" and ends with 77; so does this, if all did.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case ${TENON:-} in
*/*) PATH=$(cd "$(dirname "$TENON")" && pwd):$PATH && export PATH ;;
esac
# What differs between machines must not show: colours, and how messages of the system are spelt.
NO_COLOR=1 LC_ALL=C
export NO_COLOR LC_ALL
[ $# -gt 0 ] || set -- "$here"/*.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

matches() { # GOLDEN ACTUAL
    [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ] || return 1
    while IFS= read -r want && IFS= read -r got <&3; do
        # shellcheck disable=SC2254 # the golden line is a pattern
        case $got in $want) ;; *) return 1 ;; esac
    done <"$1" 3<"$2"
}

check() { # TEST STREAM
    if [ -f "$1.$2.exact" ] && [ "${TENON_GOLDEN:-}" = write ]; then
        cp "$work/$2" "$1.$2.exact"
    elif [ -f "$1.$2.glob" ]; then
        matches "$1.$2.glob" "$work/$2" && return
    elif [ -f "$1.$2.exact" ]; then
        cmp -s "$1.$2.exact" "$work/$2" && return
    elif [ ! -s "$work/$2" ]; then
        return
    fi
    echo "$2 differs:" && sed 's/^/    /' "$work/$2"
    return 1
}

ran=0 failed=0 skipped=0
for test in "$@"; do
    name=$(basename "$test" .sh)
    test=$here/$name.sh
    [ "$name" != run ] || continue
    want=0 code=0 verdict=ok
    [ ! -f "$test.exit" ] || want=$(cat "$test.exit")
    mkdir "$work/$name"
    (cd "$work/$name" && TESTS=$here sh "$test") >"$work/stdout" 2>"$work/stderr" </dev/null || code=$?
    ran=$((ran + 1))
    if [ "$code" -eq 77 ]; then
        grep '^skipped: ' "$work/stdout" || true
        skipped=$((skipped + 1))
        echo "ok $ran - $name # SKIP"
        continue
    fi
    [ "$code" -eq "$want" ] || { echo "exit is $code, not $want" && verdict='not ok'; }
    check "$test" stdout || verdict='not ok'
    check "$test" stderr || verdict='not ok'
    [ "$verdict" = ok ] || failed=$((failed + 1))
    echo "$verdict $ran - $name"
done
echo "1..$ran"
[ "$ran" -gt 0 ] && [ "$failed" -eq 0 ] || exit 1
[ "$skipped" -lt "$ran" ] || exit 77
