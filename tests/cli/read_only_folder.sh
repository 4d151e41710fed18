#!/bin/sh
# A folder that cannot be written to keeps what is in it.
if [ "$(id -u)" -eq 0 ]; then
    # Nothing is read-only for root, unless it gives up that right.
    rights=-dac_override,-dac_read_search
    as="setpriv --bounding-set=$rights --inh-caps=$rights --"
    $as true || { echo "skipped: root can write everywhere here" && exit 77; }
fi
. "$TESTS/need_toolkit"
mkdir kept
echo older >kept/out.cubin
chmod a-w kept
${as:-} tenon compile --arch sm_90 -o kept/out.cubin caller.cu
echo "exit $?"
ls -A kept
cat kept/out.cubin
chmod u+w kept
