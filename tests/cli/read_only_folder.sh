#!/bin/sh
# A folder that cannot be written to keeps what is in it.
if [ "$(id -u)" -eq 0 ]; then
    # Nothing is read-only for root, unless it gives up that right.
    command -v setpriv >/dev/null || { echo "skipped: root can write everywhere, and there is no setpriv" && exit 77; }
    as='setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search --'
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
