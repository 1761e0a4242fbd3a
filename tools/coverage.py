#!/usr/bin/env python3
"""Prints the line coverage of each crate from a summary that `llvm-cov export` wrote."""

import json
import sys
from collections import defaultdict


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    lines = defaultdict(lambda: [0, 0])
    for source in files:
        _, _, rest = source["filename"].partition("/crates/")
        crate, _, path = rest.partition("/src/")
        names = [crate, f"{crate}/{path}"] if crate == "parlor-formats" else [crate]
        for name in names if path else []:
            lines[name][0] += source["summary"]["lines"]["covered"]
            lines[name][1] += source["summary"]["lines"]["count"]
    for name, (covered, count) in sorted(lines.items()):
        print(f"{name:50} {100 * covered / count:6.1f} % of {count} lines")


if __name__ == "__main__":
    main()
