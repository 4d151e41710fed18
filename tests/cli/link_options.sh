#!/bin/sh
# Every option reaches a link that works; what has no effect is a note.
set -eu
. "$TESTS/need_toolkit"
tenon compile --arch sm_90 -o caller.cubin caller.cu
tenon compile --arch sm_90 -o helper.cubin helper.cu
for unit in caller helper; do tenon compile --arch sm_90 -o $unit.ltoir $unit.cu; done
run() {
    tenon link -o out.cubin "$@" >said 2>&1 || { cat said && return 1; }
    tenon inspect out.cubin | head -n 1
}
run -O3 --lineinfo --max-registers 64 caller.cubin helper.cubin
run -O0 -g --no-lto -arch=sm_90 caller.cubin helper.cubin
run --kernels-used apply --isolation worker --deadline 60 caller.cubin helper.cubin
run --isolation in-process --linker nvjitlink --no-cache caller.cubin helper.cubin
run --lto --ftz on --prec-div=off --prec-sqrt off --fma on --optimize-unused-variables \
    caller.ltoir helper.ltoir
run --variables-used factor --split-compile 2 --split-compile-extended all caller.ltoir helper.ltoir
run -Xptxas -v -Xptxas=--warn-on-spills -X -time caller.ltoir helper.ltoir
run --verbose --time caller.ltoir helper.ltoir
[ -s said ]
tenon link --ptx caller.ltoir helper.ltoir
tenon inspect linked.ptx | head -n 1
tenon link --ftz on -o out.cubin caller.cubin helper.cubin
