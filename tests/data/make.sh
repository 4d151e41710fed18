#!/bin/sh
# Makes tests/data/objects from the sources below, with nvcc 13.0 (its version is in what is made, and
# tests ask for it). Not run by ./check: the results are in the tree.
set -eu
cd "$(dirname "$0")/objects"
cat >unit.cu <<'END'
extern __device__ int leaf(int);
extern __device__ float lut[16];
__constant__ int four = 4;
__device__ __noinline__ int twice(int a) { return a * 2 + leaf(a); }
extern "C" __global__ void __launch_bounds__(128) run(int *p, double *d, char c)
{
    __shared__ int tile[8];
    tile[threadIdx.x & 7] = four + c;
    __syncthreads();
    *p = twice(*p) + (int)*d + (int)lut[*p & 15] + tile[*p & 7];
}
END
cat >leaf.cu <<'END'
__device__ int leaf(int x) { return x * 3; }
__device__ float lut[16];
END
cat >dynamic.cu <<'END'
extern __shared__ int dynamic[];
extern "C" __global__ void turn(int *p)
{
    dynamic[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = dynamic[threadIdx.x ^ 1];
}
END
g() { echo "-gencode arch=compute_$1,code=$2"; }
nvcc -arch=sm_90 -rdc=true -cubin -o unit.cubin unit.cu
nvcc -arch=sm_90 -rdc=true -cubin -o leaf.cubin leaf.cu
nvcc -arch=sm_90 -cubin -o final.cubin leaf.cu
nvcc -arch=sm_90 -rdc=true -cubin -o dynamic.cubin dynamic.cu
nvcc -arch=sm_90a -rdc=true -cubin -o specific.cubin leaf.cu
nvcc -arch=compute_90 -rdc=true -ptx -o leaf.ptx leaf.cu
# shellcheck disable=SC2046 # several words are meant
nvcc -rdc=true -fatbin $(g 80 sm_80) $(g 90a sm_90a) $(g 80 compute_80) -o zstd.fatbin leaf.cu
# shellcheck disable=SC2046
nvcc -rdc=true -fatbin --compress-mode=speed $(g 80 sm_80) $(g 80 compute_80) -o lz4.fatbin leaf.cu
# shellcheck disable=SC2046
nvcc -rdc=true -fatbin -no-compress $(g 80 sm_80) $(g 90 lto_90) -o plain.fatbin leaf.cu
# shellcheck disable=SC2046
nvcc -rdc=true -fatbin $(g 90 lto_90) -o scrambled.fatbin leaf.cu
nvcc -arch=sm_90 -rdc=true -c -o leaf.o leaf.cu
nvcc -arch=sm_90 -c -o whole.o leaf.cu
echo 'int plain;' | cc -x c -c -o plain.o -
rm -f lib.a
ar rcs lib.a leaf.o plain.o
cp leaf.o a_member_with_a_long_name.o
ar rs lib.a a_member_with_a_long_name.o
rm -f a_member_with_a_long_name.o ./*.cu
