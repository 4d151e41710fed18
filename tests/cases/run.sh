#!/bin/bash
# Runs the test.sh of each case below this folder, or of those named, in an empty folder of its own.
# $TENON is the command; without it, the one on PATH. Prints TAP and counts; exit 1 if a variant
# failed, 77 if none could run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [[ ${TENON:-} == */* ]]; then TENON=$(cd "$(dirname "$TENON")" && pwd)/$(basename "$TENON"); fi
export TENON=${TENON:-tenon}
if [ $# -eq 0 ]; then
    for test in "$here"/*/test.sh; do set -- "$@" "$(basename "$(dirname "$test")")"; done
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

passed=0 failed=0 skipped=0
for name in "$@"; do
    [ -f "$here/$name/test.sh" ] || { echo "not ok - there is no case $name" && exit 1; }
    mkdir "$work/$name"
    code=0
    echo "# $name"
    (cd "$work/$name" && CASE=$here/$name bash "$here/$name/test.sh") </dev/null >"$work/log" 2>&1 || code=$?
    cat "$work/log"
    s=$(grep -c '^ok .*# SKIP$' "$work/log") || true
    p=$(grep -c '^ok ' "$work/log") || true
    f=$(grep -c '^not ok ' "$work/log") || true
    # A test that died without saying so has failed too.
    if [ "$code" -ne 0 ] && [ "$code" -ne 77 ] && [ "$f" -eq 0 ]; then
        echo "not ok - $name: exit $code"
        f=1
    fi
    passed=$((passed + p - s)) failed=$((failed + f)) skipped=$((skipped + s))
    rm -rf "${work:?}/$name"
done
echo "# $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
