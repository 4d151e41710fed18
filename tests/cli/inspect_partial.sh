#!/bin/sh
# A partial link stays relocatable and says what it still needs.
set -eu
. "$TESTS/need_toolkit"
tenon compile --arch sm_90 -o caller.cubin caller.cu
tenon link --incremental --arch sm_90 -o partial.cubin caller.cubin
tenon inspect partial.cubin
