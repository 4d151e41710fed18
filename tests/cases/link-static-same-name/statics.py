"""Checks that a cubin keeps two static counters apart, with the values 11 and 22.

usage: statics.py JSON CUBIN     JSON is of `tenon inspect --json CUBIN`
"""

import json
import struct
import sys


def section(data, wanted):
    """Returns the bytes of a section of an ELF file."""
    table, = struct.unpack_from("<Q", data, 0x28)
    count, names_at = struct.unpack_from("<HH", data, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", data, table + 64 * i) for i in range(count)]
    names = headers[names_at]
    for name, _, _, _, offset, size in headers:
        start = names[4] + name
        if data[start:data.index(b"\0", start)] == wanted:
            return data[offset:offset + size]
    sys.exit("no section %s" % wanted.decode())


def main():
    with open(sys.argv[1]) as file:
        symbols = json.load(file)["defined"]
    with open(sys.argv[2], "rb") as file:
        values = section(file.read(), b".nv.global.init")
    counters = [s for s in symbols if s["kind"] == "variable" and "counter" in s["name"]]
    print(counters)
    assert len(counters) == 2, "two counters"
    assert all(s["binding"] == "local" and s["bytes"] == 4 for s in counters), "local, 4 bytes"
    assert counters[0]["offset"] != counters[1]["offset"], "apart"
    found = sorted(struct.unpack_from("<i", values, s["offset"])[0] for s in counters)
    assert found == [11, 22], found


main()
