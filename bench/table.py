"""Turns the JSON lines of bench/run into the Markdown tables of RESULTS.md, with what is asked for.

usage: table.py FILE        exit 1 if a figure misses what is asked for
"""

import json
import sys


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def verdict(good):
    return "yes" if good else "**no**"


def main():
    with open(sys.argv[1]) as file:
        figures = [json.loads(line) for line in file if line.strip()]
    missed = []

    def judge(good, what):
        if not good:
            missed.append(what)
        return verdict(good)

    links = [f for f in figures if f["what"] == "link.cubin.full"]
    floors = {f["units"]: f for f in links if f["peer"] == "nvJitLink-C"}
    print("Full link of N cubins, microseconds. `known`: objects that tenon compiled in this process;")
    print("`bytes`: seen for the first time, all checks included, in this process; `worker`: the same")
    print("in a process of its own. Links of the first three alternate in all orders; `paired` is the median of")
    print("the ratios of links that were made next to each other.\n")
    names = {"tenon": "tenon, known", "tenon-bytes": "tenon, bytes", "tenon-worker": "tenon, worker"}
    paired = {(f["units"], f["peer"]): f for f in figures if f["what"] == "link.cubin.paired"}
    rows = []
    for f in sorted(links, key=lambda f: f["units"]):
        floor = floors[f["units"]]
        rows.append([f["units"], names.get(f["peer"], f["peer"]), f["version"], f["n"], f["median"],
                     f["min"], "%.3f" % (f["median"] / floor["median"]),
                     "%.3f" % (f["min"] / floor["min"]),
                     "%.3f" % paired[key]["ratio"] if (key := (f["units"], f["peer"])) in paired else ""])
    table(["units", "who", "nvJitLink", "n", "median", "min", "medians", "minima", "paired"], rows)

    rows = []
    for f in links:
        floor = floors[f["units"]]
        if f["peer"] == "tenon":
            limit, words = floor["median"] * 1.03 + 20, "raw + 3 % + 20 us"
        elif f["peer"] == "tenon-bytes":
            limit, words = floor["median"] * 1.30, "raw + 30 %"
        else:
            continue
        what = "%s, %d units" % (names[f["peer"]], f["units"])
        rows.append([what, words, "%.1f us" % limit, "%.1f us" % f["median"],
                     judge(f["median"] <= limit, what)])
    for f in figures:
        if f["what"] == "process":
            rows.append(["`tenon version`, whole process", "2 ms", "2000 us", "%.1f us" % f["median"],
                         judge(f["median"] < 2000, "tenon version")])
    memory = {f["peer"]: f for f in figures if f["what"] == "link.peak_memory"}
    if len(memory) == 2:
        raw, ours = memory["nvJitLink-C"], memory["tenon-bytes"]
        # The raw process holds the inputs too, so they are counted in both.
        limit = raw["value"] + 2 * raw["inputs"]
        rows.append(["peak memory, %d units" % raw["units"], "raw + 2 x inputs", "%d KiB" % limit,
                     "%d KiB" % ours["value"], judge(ours["value"] <= limit, "peak memory")])
    table(["figure", "asked for", "limit", "measured", "met"], rows)
    if missed:
        print("Missed: " + "; ".join(missed) + ".")
    return 1 if missed else 0


sys.exit(main())
