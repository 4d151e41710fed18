#include "units.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { GROUP = 5, CALLS = 3 };

typedef struct writer {
    char *text;
    size_t size, length;
    bool full;
} writer;

static void put(writer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = out->size - out->length;
    int length = vsnprintf(out->text + out->length, room, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= room) {
        out->full = true;
    } else {
        out->length += (size_t)length;
    }
}

static size_t end_of_group(size_t index, size_t count)
{
    size_t end = (index / GROUP + 1) * GROUP;
    return end < count ? end : count;
}

static void put_function(writer *out, size_t index, size_t count)
{
    put(out, "__device__ float state%zu = %zu.25f;\n", index, index);
    put(out, "static __device__ const float table%zu[16] = {", index);
    for (size_t i = 0; i < 16; i++) put(out, "%zu.5f, ", (index * 7 + i * 3) % 29);
    put(out, "};\n__noinline__ __device__ float f%zu(float x, int k)\n{\n", index);
    put(out, "    float y = fmaf(x, 1.25f, table%zu[k & 15]) + state%zu;\n", index, index);
    put(out, "    for (int i = 0; i < (k & 7); i++) {\n");
    put(out, "        y = fmaf(y, 0.%zu625f, x);\n", index % 5 + 1);
    put(out, "        y = y > %zu.0f ? sqrtf(y) + __sinf(x * %zu.0f) : y - expf(-0.%zu1f * x);\n",
        100 + index, index % 11 + 1, index % 9);
    put(out, "    }\n");
    size_t end = end_of_group(index, count);
    for (size_t i = index + 1; i < end && i <= index + CALLS; i++) {
        put(out, "    if (k >> %zu & 1) y += f%zu(y * 0.5f, k - 1);\n", i - index, i);
    }
    put(out, "    return y;\n}\n");
}

static void put_kernel(writer *out, size_t count)
{
    put(out, "extern \"C\" __global__ void entry(float *values, int count)\n{\n");
    put(out, "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= count) return;\n");
    put(out, "    float x = values[i], y = 0;\n");
    for (size_t i = 0; i < count; i += GROUP) put(out, "    y += f%zu(x, i);\n", i);
    put(out, "    values[i] = y;\n}\n");
}

size_t bench_unit(char *text, size_t size, size_t index, size_t count)
{
    writer out = {text, size, 0, size == 0};
    size_t end = end_of_group(index, count);
    for (size_t i = index + 1; i < end && i <= index + CALLS; i++) {
        put(&out, "extern __device__ float f%zu(float x, int k);\n", i);
    }
    for (size_t i = GROUP; index == 0 && i < count; i += GROUP) {
        put(&out, "extern __device__ float f%zu(float x, int k);\n", i);
    }
    put_function(&out, index, count);
    if (index == 0) put_kernel(&out, count);
    return out.full ? 0 : out.length;
}
