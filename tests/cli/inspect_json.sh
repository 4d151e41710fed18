#!/bin/sh
# The keys of JSON are stable, in this order; one line for each file.
set -eu
. "$TESTS/need_toolkit"
tenon compile --arch sm_90 -o caller.cubin caller.cu
tenon compile --arch sm_90 -o helper.cubin helper.cu
tenon link -o final.cubin caller.cubin helper.cubin
tenon compile --arch sm_90 --ptx caller.cu
tenon inspect --json caller.cubin helper.cubin final.cubin caller.ptx | tee all.json
[ "$(wc -l <all.json)" -eq 4 ]
python3 - all.json <<'END'
import hashlib
import json
import sys

names = ["caller.cubin", "helper.cubin", "final.cubin", "caller.ptx"]
with open(sys.argv[1]) as file:
    objects = [json.loads(line) for line in file]
for name, found in zip(names, objects):
    with open(name, "rb") as file:
        data = file.read()
    assert found["name"] == name and found["bytes"] == len(data)
    assert found["digest"] == hashlib.sha256(data).hexdigest()
END
