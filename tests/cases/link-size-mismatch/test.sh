#!/bin/bash
# shellcheck disable=SC2317 # variant calls the functions
# shellcheck source=tests/cases/lib.sh
source "$(dirname "$0")/../lib.sh"
compile cubin owner.cu user.cu rival.cu

sizes() { # [OPTION]...
    fails out.cubin lut owner.cubin user.cubin 256 64 -- \
        tenon link "$@" -arch sm_90 -o out.cubin owner.cubin user.cubin
}
rivals() { # [OPTION]...
    fails out.cubin lut owner.cubin rival.cubin 'defined twice' 'sizes differ' 256 64 -- \
        tenon link "$@" -arch sm_90 -o out.cubin owner.cubin rival.cubin
}
variant '1. owner + user: both sizes' sizes
variant '2. owner + rival: twice, and the sizes differ' rivals
variant '3. owner + user, -r' sizes -r
variant '3. owner + rival, -r' rivals -r

swapped() {
    fails out.cubin lut owner.cubin user.cubin 256 64 -- \
        tenon link -arch sm_90 -o out.cubin user.cubin owner.cubin
}
variant '1. in the other order' swapped

control() {
    passes tenon link -arch sm_90 -o out.cubin owner.cubin
    is_final out.cubin fill
    passes tenon link -r -arch sm_90 -o part.cubin user.cubin
    is_partial part.cubin lut
}
variant '4. control: each alone' control
finish
