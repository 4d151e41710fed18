#!/bin/sh
# Sources and inputs from standard input, results to standard output, and into pipes.
set -eu
. "$TESTS/need_toolkit"
tenon compile --arch sm_90 -o - - <caller.cu >caller.cubin
tenon compile --arch sm_90 --ptx -o - helper.cu | tenon link -arch=sm_90 -o - caller.cubin - >final.cubin
tenon inspect final.cubin | head -n 1
tenon inspect - <caller.cubin | head -n 1
tenon inspect --json - <caller.cubin | grep -c '"name": "standard input"'
tenon link -o /dev/null -r caller.cubin
[ -c /dev/null ]
ln -s final.cubin link.cubin
tenon link -r -o link.cubin caller.cubin
[ -L link.cubin ]
tenon inspect final.cubin | head -n 1
ls -A
