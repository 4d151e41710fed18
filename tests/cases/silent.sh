#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# What NVIDIA's linker does wrong, or never ends, without a word, beyond the cases of the reports: shared
# memory of device functions, definitions in LTO-IR and in a cubin, call graphs with too many paths.
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >callee.cu <<'END'
__device__ int turn(int x)
{
    __shared__ int a[4000];
    a[threadIdx.x] = x;
    __syncthreads();
    return a[threadIdx.x ^ 1];
}
END
cat >kernel.cu <<'END'
extern __device__ int turn(int x);
extern "C" __global__ void swap(int *p)
{
    __shared__ int s[4000];
    s[threadIdx.x] = turn(*p);
    __syncthreads();
    *p = s[threadIdx.x ^ 1];
}
END
for unit in callee kernel; do
    tenon compile -arch sm_90 $unit.cu || exit 1
    tenon compile -arch sm_90 --ptx $unit.cu || exit 1
done
sed 's/4000/9000/' callee.cu >large.cu
tenon compile -arch sm_90 large.cu || exit 1
sed 's/4000/12288/' kernel.cu | sed 's/turn(\*p)/*p/' >full.cu
tenon compile -arch sm_90 full.cu || exit 1

shared_memory() {
    passes tenon link -o out.cubin kernel.cubin callee.cubin
    shows out.cubin '^    swap: .* 32000 bytes shared'
    passes tenon link -arch sm_90 -o out.cubin kernel.ptx callee.ptx
    shows out.cubin '^    swap: .* 32000 bytes shared'
}
variant 'shared memory of a device function is added to that of the kernel, of cubins and of PTX' shared_memory

shared_memory_partial() {
    if nvjitlink_at_least 13.2; then
        passes tenon link -r -o part.cubin kernel.cubin callee.cubin
        passes tenon link -o out.cubin part.cubin
        shows out.cubin '^    swap: .* 32000 bytes shared'
    else
        fails broken.cubin callee.cubin 13.2 -- tenon link -r -o broken.cubin kernel.cubin callee.cubin
        fails broken.cubin callee.ptx 13.2 -- \
            tenon link -r -arch sm_90 -o broken.cubin kernel.cubin callee.ptx
    fi
}
variant 'a partial link keeps it, or is refused' shared_memory_partial

shared_memory_limit() {
    fails broken.cubin swap -- tenon link -o broken.cubin kernel.cubin large.cubin
    # What the system reserves on sm_90 does not count.
    passes tenon link -o out.cubin full.cubin
    shows out.cubin '^    swap: .* 49152 bytes shared'
}
variant 'the limit of static shared memory holds for both together' shared_memory_limit

mixed_duplicate() {
    echo '__device__ int leaf(int x) { return 3 * x; }' >leaf.cu
    echo 'extern __device__ int leaf(int x); extern "C" __global__ void go(int *p) { *p = leaf(*p); }' >go.cu
    tenon compile -arch sm_90 leaf.cu
    tenon compile -arch sm_90 --ltoir leaf.cu
    tenon compile -arch sm_90 --ltoir go.cu
    passes tenon link -arch sm_90 -o out.cubin go.ltoir leaf.cubin
    if nvjitlink_at_least 13.3; then
        fails broken.cubin 'leaf(int)' leaf.ltoir leaf.cubin -- \
            tenon link -arch sm_90 -o broken.cubin go.ltoir leaf.ltoir leaf.cubin
    else
        passes tenon link -arch sm_90 -o out.cubin go.ltoir leaf.ltoir leaf.cubin
        grep -q 'is not noticed' said
    fi
}
variant 'LTO-IR and a cubin that define the same: both are named, or that it cannot be seen' mixed_duplicate

# Unit i calls the next three: the number of call paths grows 1.84-fold with each.
dense() { # COUNT
    local i k calls
    for ((i = 0; i < $1; i++)); do
        calls=0
        for ((k = i + 1; k < i + 4 && k < $1; k++)); do
            echo "extern __device__ float f$k(float x);"
            calls="$calls + f$k(x * 0.5f)"
        done
        echo "__device__ float f$i(float x) { return x * 1.25f + $calls; }"
        [ "$i" -gt 0 ] || echo 'extern "C" __global__ void entry(float *p) { *p = f0(*p); }'
    done >unit.all
    awk '/^extern __device__/ { head = head $0 "\n"; next } /^__device__/ { n++ }
        { printf "%s%s\n", (/^__device__/ ? head : ""), $0 > "dense" (/^__device__/ ? n - 1 : 0) ".cu" }
        /^__device__/ { head = "" }' unit.all
}

paths() {
    dense 44
    for unit in dense*.cu; do tenon compile -arch sm_90 "$unit"; done
    fails broken.cubin 'call paths' -- tenon link -o broken.cubin dense?.cubin dense??.cubin
    passes tenon link -r -o part.cubin dense?.cubin dense??.cubin
    has part.cubin undefined
    fails broken.cubin 'call paths' -- tenon link -o broken.cubin part.cubin
}
variant 'a link that would not end is said so before it starts' paths

finish
