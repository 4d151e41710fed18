#!/bin/sh
# A file that cannot be read does not hide the others.
. "$TESTS/need_toolkit"
tenon compile --arch sm_90 --ptx caller.cu
tenon inspect nowhere.cubin caller.ptx
