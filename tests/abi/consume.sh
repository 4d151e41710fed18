#!/bin/bash
# Installs tenon, builds the examples against the installed tree with CMake and with pkg-config, runs
# them, moves the tree, and does it all again: nothing in it may know where it was.
set -euo pipefail
source=${TENON_SOURCE:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TENON_WORKER # the installed library has to find its own

quietly() {
    if ! "$@" >"$work/log" 2>&1; then cat "$work/log" && exit 1; fi
}

# A toolkit may be absent: the examples then say that NVRTC was not found, and cannot run further.
run() { # FOLDER: runs both examples there
    if "$1/partial" "$source/examples/kernels" "$work/out.cubin" >"$work/log" 2>&1; then
        cat "$work/log"
        [ -s "$work/out.cubin" ]
        "$1/errors" "$source/examples/kernels"
    elif grep -q 'NVRTC\|libnvrtc' "$work/log" && ! "$prefix/bin/tenon" compile --arch sm_90 \
        -o "$work/probe.cubin" "$source/examples/kernels/leaf.cu" 2>/dev/null; then
        echo "built, but not run to the end: there is no CUDA toolkit here"
    else
        cat "$work/log" && return 1
    fi
}

consume() { # PREFIX
    prefix=$1
    echo "== tools of $(basename "$prefix")"
    "$prefix/bin/tenon" version
    [ -x "$prefix/libexec/tenon/tenon-worker" ]
    if grep -rlIF "$work" "$prefix" || grep -rlIF "$source" "$prefix"; then
        echo "an installed text has an absolute path inside" && exit 1
    fi
    echo "== CMake"
    rm -rf "$work/cmake" "$work/make"
    quietly cmake -S "$source/examples" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$work/cmake"
    run "$work/cmake"
    echo "== pkg-config"
    mkdir "$work/make"
    make -s -C "$source/examples" PKG_CONFIG_PATH="$prefix/lib/pkgconfig" OUT="$work/make" \
        CFLAGS='-Wall -Wextra -Werror' CXXFLAGS='-Wall -Wextra -Werror'
    run "$work/make"
}

quietly cmake --install "${TENON_BUILD:?}" --prefix "$work/first"
consume "$work/first"
mv "$work/first" "$work/second"
consume "$work/second"
