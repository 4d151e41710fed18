// The kernel. It needs scale(), which another unit defines.
extern __device__ int scale(int x);

extern "C" __global__ void apply(int *values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = scale(values[i]) + 1;
}
