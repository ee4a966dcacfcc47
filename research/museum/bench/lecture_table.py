#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lecture's performance table of 2017, redone: from a record that museum_bench wrote, and beside it what was published for
Haswell.

usage: lecture_table.py print [RECORD]     the table
       lecture_table.py docs [RECORD]      rewrite table and figure of research/museum/docs/lecture-table.md
       lecture_table.py check [RECORD]     exit status 1 if the page or its figure does not show the record

RECORD: what `museum_bench --json` wrote; by default the last one in research/museum/bench/results, whose files are called
YYYY-MM-DD-MACHINE-COMPILER.json. Standard library only.
"""

import argparse
import json
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "docs"))
from drawing import GREY, INK, SECOND, THIRD, dots  # noqa: E402
from marked import with_part  # noqa: E402

PAGE = HERE.parent / "docs" / "lecture-table.md"
FIGURE = PAGE.with_suffix(".svg")
OPS = ("keygen", "sign", "verify")
GROUPS = {"museum": "the museum", "aioli": "aioli", "OpenSSL": "in use"}


def default_record():
    records = sorted((HERE / "results").glob("*.json"))
    if not records:
        sys.exit("lecture_table: no record in research/museum/bench/results")
    return records[-1]


class Record:
    def __init__(self, path):
        try:
            self.document = json.loads(Path(path).read_text())
            self.header = self.document["header"]
            self.schemes = self.document["schemes"]
        except OSError as error:
            sys.exit(f"lecture_table: cannot read {path}: {error.strerror}")
        except (ValueError, TypeError, KeyError):
            sys.exit(f"lecture_table: {path} is no record of museum_bench")
        by_key = {(r["impl"], r["set"], r["op"]): r for r in self.document["results"]}
        self.in_cycles = all(r["median_cycles"] is not None for r in by_key.values())
        self.unit = "thousands of core cycles" if self.in_cycles else "microseconds"
        self.by_key = by_key
        published = json.loads((HERE / "haswell.json").read_text())["rows"]
        self.published = {row["scheme"]: row for row in published}

    def value(self, scheme, op):
        """Median, in the table's unit."""
        result = self.by_key[scheme["impl"], scheme["set"], op]
        return result["median_cycles"] / 1e3 if self.in_cycles else result["median_us"]

    def backend(self, scheme):
        return self.by_key[scheme["impl"], scheme["set"], "sign"]["backend"]


def number(x):
    return f"{x:,.0f}" if x >= 100 else f"{x:.1f}"


def table(record):
    h = record.header
    clock = f"pinned to one core, load {h['load_before']:.2f} before" if h["pinned_core"] is not None else "not pinned"
    if h.get("real_time_priority"):
        clock += ", at real-time priority, before which other work waits (chrt)"
    timed, interrupted = (sum(r[k] for r in record.document["results"]) for k in ("runs", "interrupted"))
    warnings = f" Of {timed:,} timed calls {interrupted:,} were interrupted." + "".join(
        f" Warning: {w}." for w in h["warnings"]
    )
    backend = next(record.backend(s) for s in record.schemes if s["impl"] == "aioli")
    caption = (
        f"{h['machine']}, {h['date'][:10]}, commit {h['commit']}; {h['compiler']}, `{h['flags']}`; aioli's backend {backend}; "
        f"{h['peers'].get('OpenSSL', '?')}; {clock}.{warnings} "
        f"Medians in {record.unit}; sizes in bytes, of keys as stored or, where said, expanded. "
        "Haswell: thousands of core cycles, as published, with the year."
    )
    rows = textwrap.wrap(caption, 130, break_long_words=False, break_on_hyphens=False)
    for impl, title in GROUPS.items():
        rows += [
            "",
            f"| {title} | status | public key | secret key | signature | keygen | sign | verify | Haswell: keygen | sign | "
            "verify |",
        ]
        rows.append("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        for s in record.schemes:
            if s["impl"] != impl:
                continue
            old = record.published.get(s["set"])
            cells = ["" if old is None or old[op] is None else number(old[op] / 1e3) for op in OPS]
            if old is not None:
                cells = [f"{cell} ({old['year']})" if cell else "" for cell in cells]
            sizes = [f"{s[k]:,}" for k in ("public_key_bytes", "secret_key_bytes", "signature_bytes")]
            rows.append(
                "| " + " | ".join([s["set"], s["status"], *sizes, *(number(record.value(s, op)) for op in OPS), *cells]) + " |"
            )
    return "\n".join(rows)


def figure(record):
    rows = []
    for impl, title in GROUPS.items():
        for s in record.schemes:
            if s["impl"] != impl or "expanded" in s["set"]:
                continue
            old = record.published.get(s["set"])
            marks = [(record.value(s, op), colour, True) for op, colour in zip(OPS, (GREY, INK, SECOND))]
            if record.in_cycles and old is not None:
                marks += [(old[op] / 1e3, colour, False) for op, colour in zip(OPS, (GREY, INK, SECOND)) if old[op] is not None]
            rows.append((title, s["set"], marks))
    key = [
        ("key generation", GREY, True),
        ("signing", INK, True),
        ("verification", SECOND, True),
        ("hollow: Haswell, as published", THIRD, False),
    ]
    return dots(rows, key, record.unit)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("print", "docs", "check"))
    parser.add_argument("record", nargs="?")
    arguments = parser.parse_args()
    record = Record(arguments.record or default_record())
    if arguments.command == "print":
        print(table(record))
        return
    page, drawn = with_part(PAGE.read_text(), "table", table(record)), figure(record)
    if arguments.command == "docs":
        PAGE.write_text(page)
        FIGURE.write_text(drawn)
    elif PAGE.read_text() != page or not FIGURE.exists() or FIGURE.read_text() != drawn:
        sys.exit(
            "research/museum/docs/lecture-table.md does not show the record: run research/museum/bench/lecture_table.py docs"
        )


if __name__ == "__main__":
    main()
