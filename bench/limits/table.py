#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: table.py RECORD [PAGE]: the tables of docs/benchmarks.md from a record of bench/limits; with PAGE, exit status 1 if they
do not stand there."""

import json
import sys

OPERATIONS = {
    "keygen": "key pair",
    "expand_sk": "expand secret",
    "expand_pk": "expand public",
    "sign": "sign",
    "sign_expanded": "sign, expanded",
    "verify": "verify",
    "verify_expanded": "verify, expanded",
}


def tables(record):
    kinds = {}
    for rate in record["rates"]:
        kinds.setdefault(rate["instruction"], {})[rate["bytes"]] = f"{rate['per_cycle']:.2f}"
    out = ["| started in a cycle, of bytes | 16 | 32 | 64 |", "|---|--:|--:|--:|"]
    out += [f"| {name} | " + " | ".join(of.get(n, "") for n in (16, 32, 64)) + " |" for name, of in kinds.items()]
    out += ["", "| | | " + " | ".join(OPERATIONS.values()) + " |", "|---|---|" + "--:|" * len(OPERATIONS)]
    rows = {}
    for o in record["operations"]:
        text = f"{o['cycles'] / o['least_cycles']:.1f}"
        if o["backend"] == "avx512":
            text = f"{o['least_cycles'] / 1000:.0f}, {o['cycles'] / 1000:.0f} ({text})"
        rows.setdefault((o["backend"], o["set"]), {})[o["operation"]] = text
    out += [f"| {backend} | {name} | " + " | ".join(of[op] for op in OPERATIONS) + " |" for (backend, name), of in rows.items()]
    return "\n".join(out) + "\n"


def main():
    with open(sys.argv[1]) as file:
        text = tables(json.load(file))
    print(text, end="")
    if len(sys.argv) > 2:
        with open(sys.argv[2]) as page:
            if text not in page.read():
                sys.exit(f"{sys.argv[2]} does not have the tables of {sys.argv[1]}")


if __name__ == "__main__":
    main()
