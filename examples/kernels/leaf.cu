// Defines offset() and needs nothing.
__device__ int bias = 10;

__device__ int offset(int x)
{
    return x % 2 ? bias : -bias;
}
