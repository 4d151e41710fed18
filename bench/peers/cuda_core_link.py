"""The peer: the same links through cuda.core.Linker. Prints one JSON line.

usage: cuda_core_link.py FOLDER UNITS REPETITIONS
FOLDER holds u0.cubin and so on, written by `link_bench units`.
"""

import json
import sys
import time

try:
    from cuda.core import Linker, LinkerOptions, ObjectCode
except ImportError:
    from cuda.core.experimental import Linker, LinkerOptions, ObjectCode


def nvjitlink_version():
    from cuda.bindings import nvjitlink

    return "%d.%d" % tuple(nvjitlink.version())


def main():
    folder, units, repetitions = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    objects = []
    for i in range(units):
        with open("%s/u%d.cubin" % (folder, i), "rb") as file:
            objects.append(ObjectCode.from_cubin(file.read(), name="u%d.cubin" % i))
    times = []
    for _ in range(repetitions + 2):
        start = time.perf_counter()
        linker = Linker(*objects, options=LinkerOptions(arch="sm_90"))
        linker.link("cubin")
        linker.close()
        times.append((time.perf_counter() - start) * 1e6)
    times = sorted(times[2:])
    figure = {
        "what": "link.cubin.full",
        "peer": "cuda.core",
        "version": nvjitlink_version(),
        "n": repetitions,
        "median": round(times[len(times) // 2], 2),
        "min": round(times[0], 2),
        "max": round(times[-1], 2),
        "unit": "us",
        "units": units,
    }
    print(json.dumps(figure))


main()
