#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin eval.cu
made=yes
nvcc -rdc=true -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 \
    -o poly.fatbin "$CASE/poly.cu" &&
    nvcc -rdc=true -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=compute_80 \
        -o poly_ptx.fatbin "$CASE/poly.cu" &&
    nvcc -rdc=true -c -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 \
        -o poly.o "$CASE/poly.cu" &&
    nvcc -rdc=true -c -gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=compute_80 \
        -o poly_ptx.o "$CASE/poly.cu" &&
    ar rcs libpoly.a poly.o &&
    ar rcs libpoly_ptx.a poly_ptx.o || made=no
[ $made = yes ] || exit 1

no_arch() {
    fails out.cubin "'poly.fatbin'" sm_90 sm_80 sm_86 -- \
        tenon link -arch sm_90 -o out.cubin eval.cubin poly.fatbin
}
variant '1. machine code for other archs: all are named' no_arch

with_ptx() {
    passes tenon link -arch sm_90 -o out.cubin eval.cubin poly_ptx.fatbin
    is_final out.cubin eval
}
variant '2. PTX is compiled' with_ptx

member_no_arch() {
    fails out.cubin 'libpoly.a(poly.o)' sm_90 sm_80 sm_86 -- \
        tenon link -arch sm_90 -o out.cubin eval.cubin libpoly.a
}
variant '3. in an archive: the member is named' member_no_arch

member_with_ptx() {
    passes tenon link -arch sm_90 -o out.cubin eval.cubin libpoly_ptx.a
    is_final out.cubin eval
}
variant '3. in an archive: PTX is compiled' member_with_ptx

objects() {
    fails out.cubin "poly.o" sm_90 sm_80 sm_86 -- \
        tenon link -arch sm_90 -o out.cubin eval.cubin poly.o
    passes tenon link -arch sm_90 -o out.cubin eval.cubin poly_ptx.o
    is_final out.cubin eval
}
variant '3. in a host object' objects

inspected() {
    has poly.fatbin kind fatbin
    has poly.fatbin archs sm_80 sm_86
    passes tenon inspect poly.fatbin
    grep -q '^2 members:$' said
    grep -qE '^    .*: cubin, sm_80, relocatable, (.*-compressed, )?[1-9][0-9]* bytes$' said
    grep -qE '^    .*: cubin, sm_86, relocatable, (.*-compressed, )?[1-9][0-9]* bytes$' said
    passes tenon inspect poly_ptx.fatbin
    grep -qE '^    .*: PTX, compute_80, (.*-compressed, )?[1-9][0-9]* bytes$' said
}
variant '4. inspect lists each entry' inspected
finish
