# Sourced by each test.sh, which runs in an empty folder of its own: what a variant of a case needs.
# $TENON is the command, $CASE the folder of the case.
# shellcheck shell=bash
set -euo pipefail

: "${TENON:=tenon}" "${CASE:=$(cd "$(dirname "$0")" && pwd)}"
if [[ $TENON == */* ]]; then PATH=$(cd "$(dirname "$TENON")" && pwd):$PATH; fi
export PATH
type -P tenon >/dev/null || { echo "not ok - tenon is not on PATH, and TENON is not set" && exit 1; }
cases=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
variants=0 failures=0 skips=0

# Runs a function as one variant, in a subshell, and prints one line of TAP; after it, what went wrong.
variant() { # NAME FUNCTION [ARGUMENT]...
    local name=$1 code=0
    shift
    variants=$((variants + 1))
    set +e
    (set -e && "$@") >variant.log 2>&1
    code=$?
    set -e
    case $code in
    0) echo "ok $variants - $name" ;;
    77)
        skips=$((skips + 1))
        echo "ok $variants - $name # SKIP"
        grep '^skipped: ' variant.log
        ;;
    *)
        failures=$((failures + 1))
        echo "not ok $variants - $name"
        sed 's/^/    /' variant.log
        ;;
    esac
}

# The last thing a test.sh does.
finish() {
    echo "1..$variants"
    if [ "$failures" -gt 0 ] || [ "$variants" -eq 0 ]; then exit 1; fi
    if [ "$skips" -eq "$variants" ]; then exit 77; fi
    exit 0
}

fail() {
    echo "fail: $*"
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# Compiles sources of the case to X.EXTENSION, for sm_90.
compile() { # EXTENSION FILE.cu...
    local extension=$1 file
    shift
    for file in "$@"; do
        tenon compile -arch sm_90 --emit "$extension" -o "${file%.cu}.$extension" "$CASE/$file"
    done
}

# nvcc, where a case needs what tenon does not make: fatbins, host objects, archives of these.
nvcc() {
    local tool=${TENON_NVCC:-}
    [ -n "$tool" ] || tool=$(type -P nvcc) || skip "no nvcc on PATH, and TENON_NVCC is not set"
    "$tool" "$@"
}

# True if the nvJitLink in use is at least that version. One that cannot tell is older than all.
nvjitlink_at_least() { # MAJOR.MINOR
    local version
    version=$(tenon doctor --json | sed -n 's/.*"nvjitlink": {[^{]*"version": "\([0-9.]*\)".*/\1/p') || true
    [ "$(printf '%s\n' "$1" "${version:-0.0}" | sort -V | head -n 1)" = "$1" ]
}

# The command has to succeed; what it says is in `said`.
passes() { # COMMAND...
    local code=0
    "$@" >said 2>&1 || code=$?
    [ "$code" -eq 0 ] || { cat said && fail "exit $code, not 0: $*"; }
}

# The command has to end with 1, say each text in its one error, and leave an output as it was.
fails() { # OUTPUT TEXT... -- COMMAND...
    local output=$1 texts=() code=0 text before=none after=none
    shift
    while [ "$1" != -- ]; do texts+=("$1") && shift; done
    shift
    [ ! -e "$output" ] || before=$(sha256sum <"$output")
    "$@" >said.out 2>said || code=$?
    cat said
    [ "$code" -eq 1 ] || fail "exit $code, not 1: $*"
    [ ! -s said.out ] || fail "it printed to standard output"
    [ ! -e "$output" ] || after=$(sha256sum <"$output")
    [ "$before" = "$after" ] || fail "a failed link wrote $output"
    [ -z "$(find . -name '.tenon*' -print)" ] || fail "it left a temporary file"
    [ "$(grep -c '^tenon: error: ' said)" -eq 1 ] || fail "not one error"
    head -n 1 said | grep -q '^tenon: error: ' || fail "something was said before the error"
    # All facts are in the one line of the error, without the vendor's log.
    head -n 1 said >said.error
    for text in "${texts[@]}"; do
        grep -qF -- "$text" said.error || fail "'$text' is not in the error"
    done
}

# Nothing was said: no warning, no note.
silent() {
    [ ! -s said ] || { cat said && fail "it was not silent"; }
}

# What was said last has none of the texts.
# Not through a pipe: grep -q ends before inspect has written all, which then fails.
shows() { # FILE PATTERN
    tenon inspect "$1" >shown && grep -q "$2" shown
}

says_none() { # TEXT...
    local text
    for text in "$@"; do
        if grep -qF -- "$text" said; then fail "'$text' is in the message"; fi
    done
}

# The first text comes before the second in what was said last.
says_in_order() { # FIRST SECOND
    python3 - "$1" "$2" <<'END' || fail "'$1' does not stand before '$2'"
import sys
said = open("said.error").read()
sys.exit(0 if -1 < said.find(sys.argv[1]) < said.rfind(sys.argv[2]) else 1)
END
}

# A key of an object has exactly these values.
has() { # FILE KEY VALUE...
    local file=$1 key=$2 got want
    shift 2
    want=$(if [ $# -gt 0 ]; then printf '%s\n' "$@" | sort; fi)
    got=$(tenon inspect --json "$file" | python3 "$cases/show.py" "$key" | sort)
    [ "$got" = "$want" ] || fail "$key of $file: '$got', not '$want'"
}

is_final() { # FILE KERNEL...: a finished cubin with these kernels, that needs nothing
    local file=$1
    shift
    has "$file" kind cubin
    has "$file" relocatable False
    has "$file" kernels "$@"
    has "$file" undefined
}

is_partial() { # FILE UNDEFINED...: a relocatable cubin that needs these symbols
    local file=$1
    shift
    has "$file" kind cubin
    has "$file" relocatable True
    has "$file" undefined "$@"
}
