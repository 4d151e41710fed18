#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# What a link does with archives and host objects, which only nvcc makes: unused members, child
# launches with and without cudadevrt, several archs in one object, what is not what its name says.
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
if [ -z "${TENON_NVCC:-}" ] && ! type -P nvcc >/dev/null; then
    echo "skipped: no nvcc on PATH, and TENON_NVCC is not set"
    exit 77
fi

cat >use.cu <<'END'
extern __device__ int used(int x);
extern "C" __global__ void use(int *p) { *p = used(*p); }
END
echo '__device__ int used(int x) { return x + 1; }' >used.cu
echo '__device__ int unused(int x) { return x + 2; }' >unused.cu
cat >parent.cu <<'END'
__global__ void child(int *p) { *p += 1; }
extern "C" __global__ void parent(int *p) { child<<<1, 1>>>(p); }
END
nvcc -arch=sm_90 -rdc=true -c used.cu unused.cu use.cu || exit 1
ar rcs lib.a unused.o used.o
tenon compile -arch sm_90 use.cu || exit 1

unused_member() {
    passes tenon link -arch sm_90 -o out.cubin use.cubin lib.a
    has out.cubin undefined
    tenon inspect out.cubin >text
    grep -q '^    use: ' text
    grep -q 'used(int)  _Z4usedi' text
    if grep -q _Z6unusedi text; then fail "what nobody calls is still there"; fi
    passes tenon link -r -arch sm_90 -o part.cubin use.cubin lib.a
    is_partial part.cubin
    passes tenon inspect part.cubin
    grep -q _Z6unusedi said || fail "a partial link keeps all"
}
variant 'an unused member: removed by a final link, kept by a partial one' unused_member

only_archive() {
    ar rcs all.a use.o used.o unused.o
    passes tenon link -arch sm_90 -o out.cubin all.a
    has out.cubin undefined
    shows out.cubin '^    use: '
    passes tenon link -o out.cubin all.a
}
variant 'an archive alone, with and without an arch' only_archive

objects() {
    passes tenon link -o out.cubin use.o used.o
    has out.cubin undefined
    shows out.cubin '^    use: '
    fails broken.cubin 'used(int)' use.o -- tenon link -o broken.cubin use.o unused.o
}
variant 'host objects' objects

duplicate_member() {
    cp used.o again.o
    ar rcs twice.a used.o again.o
    fails broken.cubin 'used(int)' 'twice.a(used.o)' 'twice.a(again.o)' -- \
        tenon link -o broken.cubin use.cubin twice.a
}
variant 'two members that define the same: both are named' duplicate_member

child_launch() {
    local runtime
    nvcc -arch=sm_90 -rdc=true -c parent.cu
    fails broken.cubin __cudaCDP2 parent.o -- tenon link -arch sm_90 -o broken.cubin parent.o
    says_none vprintf
    for folder in lib64 lib targets/x86_64-linux/lib; do
        runtime=$(dirname "$(dirname "$(readlink -f "${TENON_NVCC:-$(type -P nvcc)}")")")/$folder/libcudadevrt.a
        [ ! -f "$runtime" ] || break
    done
    [ -f "$runtime" ] || skip "libcudadevrt.a is not beside nvcc"
    passes tenon link -arch sm_90 -o out.cubin parent.o "$runtime"
    has out.cubin undefined
    shows out.cubin '^    parent: '
}
variant 'a child launch: without cudadevrt it is named, with it links' child_launch

several_archs() {
    nvcc -rdc=true -c -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
        -gencode arch=compute_90,code=compute_90 -o several.o used.cu
    has several.o archs sm_80 sm_90 compute_90
    passes tenon link -arch sm_90 -o out.cubin use.cubin several.o
    is_final out.cubin use
    passes tenon link -o out.cubin use.cubin several.o
    is_final out.cubin use
    fails broken.cubin several.o sm_80 sm_90 -- tenon link -o broken.cubin several.o
}
variant 'several archs: the one of the target is taken; alone they do not tell' several_archs

lto_fatbin() {
    nvcc -rdc=true -dlto -arch=sm_90 -c -o used_lto.o used.cu
    nvcc -rdc=true -dlto -arch=sm_90 -c -o use_lto.o use.cu
    passes tenon link --lto -arch sm_90 -o out.cubin use_lto.o used_lto.o
    is_final out.cubin use
    passes tenon link -arch sm_90 -o out.cubin use_lto.o used_lto.o
    is_final out.cubin use
    passes tenon link -arch sm_90 -o out.cubin use.cubin used_lto.o
    is_final out.cubin use
    # nvcc puts the PTX beside the LTO-IR, so that it links without LTO too.
    passes tenon link --no-lto -arch sm_90 -o out.cubin use.cubin used_lto.o
    is_final out.cubin use
}
variant 'host objects of nvcc -dlto' lto_fatbin

mixed_lto() {
    fails broken.ltoir use.o 'only LTO-IR' -- \
        tenon link -r --lto -arch sm_90 --emit ltoir -o broken.ltoir use.o used_lto.o
}
variant 'a host object without LTO-IR for an LTO-IR result' mixed_lto

commons() {
    local bytes
    for bytes in 16 32; do
        printf '.version 7.0\n.target sm_80\n.address_size 64\n.common .global .align 4 .b8 v[%d];\n' \
            "$bytes" >"common$bytes.ptx"
        nvcc -arch=sm_90 -rdc=true -cubin -o "common$bytes.cubin" "common$bytes.ptx"
    done
    shows common16.cubin '^    v: common variable, 16 bytes'
    passes tenon link -o out.cubin common16.cubin use.cubin common32.cubin used.o
    is_final out.cubin use
    shows out.cubin '^    v: variable, 32 bytes'
    passes tenon link -r -o part.cubin common32.cubin common16.cubin
    shows part.cubin '^    v: .*variable, 32 bytes'
}
variant 'common symbols merge to the largest' commons

truncated() {
    local size file
    for file in lib.a used.o; do
        size=$(stat -c %s "$file")
        for part in 10 50 90 99; do
            head -c $((size * part / 100)) "$file" >short.bin
            fails broken.cubin short.bin -- tenon link -arch sm_90 -o broken.cubin use.cubin short.bin
        done
    done
}
variant 'truncated archives and objects' truncated
finish
