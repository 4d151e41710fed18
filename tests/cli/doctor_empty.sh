#!/bin/sh
# With nothing in the environment doctor still says where it looked, and what is missing for what.
# Where libraries are found in the usual folders, that is no failure.
code=0
env -i PATH=/nowhere "$(command -v tenon)" doctor >said || code=$?
grep -c '^nvJitLink' said
grep -c '^NVRTC' said
grep -c '^driver' said
for place in explicit TENON_CUDA_PATH wheels CUDA_HOME nvcc loader 'usual folders'; do
    grep -q "^    $place " said || echo "no $place"
done
found=$(grep -c '^tenon .* can compile, and can link$' said)
[ "$code" -eq $((1 - found)) ] || echo "exit $code, but can do all: $found"
code=0
env -i PATH=/nowhere "$(command -v tenon)" doctor --json >said.json || code=$?
python3 - said.json $code <<'END'
import json
import sys

with open(sys.argv[1]) as file:
    said = json.load(file)
assert (said["can_compile"] and said["can_link"]) == (sys.argv[2] == "0")
for key in "nvjitlink", "nvrtc", "driver":
    chosen = [c for c in said[key]["candidates"] if c["state"] == "chosen"]
    assert len(chosen) == said[key]["found"], key
    assert all(c["why"] for c in said[key]["candidates"] if c["state"] != "chosen"), key
END
