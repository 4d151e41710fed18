"""Prints one key of the JSON of `tenon inspect --json` or `tenon doctor --json`, a value a line.

usage: tenon inspect --json FILE | show.py KEY             names for lists of symbols
       tenon doctor --json | show.py nvjitlink [version]   or path, found
"""

import json
import sys


def main():
    value = json.load(sys.stdin)[sys.argv[1]]
    if isinstance(value, dict):
        value = value[sys.argv[2] if len(sys.argv) > 2 else "version"]
    for item in value if isinstance(value, list) else [value]:
        print(item["name"] if isinstance(item, dict) else item)


main()
