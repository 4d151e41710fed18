#!/bin/sh
# One line with all that counts, then the log; an older output stays; a missing input is named.
. "$TESTS/need_toolkit"
tenon compile --arch sm_90 -o caller.cubin caller.cu
tenon compile --arch sm_90 -o helper.cubin helper.cu
echo older >out.cubin
for inputs in caller.cubin 'caller.cubin helper.cubin helper.cubin' 'caller.cubin nowhere.cubin' \
    'caller.cubin caller.cu'; do
    # shellcheck disable=SC2086 # several inputs
    tenon link -o out.cubin $inputs
    echo "exit $?"
done
cat out.cubin
ls -A
