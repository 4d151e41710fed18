#!/bin/sh
# Where nothing can be written, that is said before anything is done; nothing is left behind.
. "$TESTS/need_toolkit"
mkdir folder
touch plain
fail() {
    tenon compile --arch sm_90 -o "$1" caller.cu
    echo "exit $?"
}
fail nowhere/caller.cubin
fail plain/caller.cubin
fail folder
fail /proc/caller.cubin
fail /dev/full
tenon compile --arch sm_90 -o - caller.cu >/dev/full
echo "exit $?"
tenon version >/dev/full
echo "exit $?"
tenon version >&-
echo "exit $?"
ls -A
