#!/bin/sh
# NVRTC's log is whole, and an older output stays.
. "$TESTS/need_toolkit"
echo older >bad.cubin
printf '__global__ void k() { undeclared(); }\n' >bad.cu
tenon compile --arch sm_90 bad.cu
echo "exit $?"
cat bad.cubin
tenon compile --arch sm_90 nowhere.cu
echo "exit $?"
ls
