#!/bin/sh
# All that a compile takes; nvcc's spellings; the output's name from the source's, or its kind from
# the output's extension.
set -eu
. "$TESTS/need_toolkit"
mkdir inc src
echo '#define FACTOR 2' >inc/factor.h
cat >src/scale.cu <<'END'
#include <factor.h>
#ifndef OFFSET
#error "no offset"
#endif
template <typename T> __device__ T twice(T x) { return x + x; }
template <typename T> __global__ void scale(T *x) { *x = twice(*x) * FACTOR + OFFSET; }
__global__ void __launch_bounds__(64) plain(float *x) { *x *= 2; }
END
tenon compile -arch=sm_90 -Iinc -DOFFSET=1 -std=c++17 --name 'scale<float>' --name 'scale<int>' \
    --max-registers 40 -lineinfo -use_fast_math src/scale.cu
tenon compile -arch sm_90 -I inc -D OFFSET=1 --ptx src/scale.cu
tenon compile --arch=compute_90 --include-path=inc --define=OFFSET=1 -o other.ptx -- src/scale.cu
tenon compile --arch sm_90 -Iinc -DOFFSET=1 --emit=ltoir src/scale.cu
tenon compile --arch sm_90 -Iinc -DOFFSET=1 --whole-program -G -o whole.cubin src/scale.cu
tenon compile --arch sm_90 -Iinc -DOFFSET=1 -X --fmad=false -o x.cubin src/scale.cu
tenon inspect scale.cubin scale.ptx other.ptx scale.ltoir whole.cubin x.cubin | grep '^[a-z].*: '
