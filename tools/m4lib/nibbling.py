# SPDX-License-Identifier: Apache-2.0
"""The experiment of "Nibbling MAYO" on the board: products in bit-sliced arithmetic, and by the library's kernels, on the sets of
round 1."""

import json
import tempfile
from pathlib import Path

from m4lib import board, profile, tables

FIGURES = board.ROOT / "research/nibbling/firmware/counts.json"
RESULTS = board.ROOT / "build/m4-nibbling.json"
TOLERANCE = 0.02  # of the instructions
PRODUCTS = {"symmetric_O": "(P1 + P1^T) O", "P1_V": "P1 V^T", "P1_O": "P1 O"}
BIT_SLICED, NIBBLES, STREAMED = "planes", "nibbles", "streamed"  # as research/nibbling/firmware/products.cpp says it


def measure(policy):
    """{(set, way, product): (Region, multiply-accumulates)}; the program ends with another status if a result is not the portable
    kernels'."""
    image = board.build("MAYO-2", policy, targets=["nibbling"]) / "nibbling.elf"  # any set: nothing of the library's is in it
    with tempfile.TemporaryDirectory() as directory:
        counts = Path(directory, "counts")
        said = board.run(image, counted=counts).splitlines()
        regions = profile.regions(counts.read_text().splitlines())
    if not said or said[-1] != "done":
        raise board.Failure(f"{image}: did not come to its end: {said[-1:]}")
    measured = {}
    for line, region in board.paired(said[:-1], regions):
        name, way, product, macs = line.split()
        measured[name, way, product] = (region, int(macs))
    return measured


def rows_of(measured, policy):
    """The objects of m4-nibbling.json.  Preparation (scalars, tables) is what the factor of a product costs; `instructions` has
    it included."""
    rows = []
    for (name, way, product), (region, macs) in measured.items():
        if product not in PRODUCTS:
            continue
        prepared = measured[name, BIT_SLICED if way == BIT_SLICED else NIBBLES, "prepare_" + product[-1]][0]
        rows.append({"set": name, "policy": policy, "product": product, "way": way, "macs": macs,
                     "instructions": region.instructions + prepared.instructions, "model_cycles": region.cycles + prepared.cycles,
                     "preparation_instructions": prepared.instructions, "preparation_model_cycles": prepared.cycles})  # fmt: skip
    return rows


def thousands(row, prefix=""):
    return f"{row[prefix + 'instructions'] / 1000:,.0f} / {row[prefix + 'model_cycles'] / 1000:,.0f}"


def each(row):
    """Instructions of one multiply-accumulate."""
    return f"{row['instructions'] / row['macs']:.2f}"


def ratio(a, b):
    return f"{a['instructions'] / b['instructions']:.2f} / {a['model_cycles'] / b['model_cycles']:.2f}"


def markdown(rows):
    """Both ways side by side, tables included, thousands of instructions / of model cycles; ratios are of bit-sliced to
    nibble-sliced."""
    paper = json.loads(FIGURES.read_text())["paper"]
    found = {(row["policy"], row["set"], row["product"], row["way"]): row for row in rows}
    policies, names = dict.fromkeys(row["policy"] for row in rows), dict.fromkeys(row["set"] for row in rows)
    header, lines = ["set", "product", "bit-sliced", "each"], []
    for policy in policies:
        header += [policy, "of it tables", "each", "ratio"]
    for name in names:
        for product, title in PRODUCTS.items():
            for way, what in ((NIBBLES, title), (STREAMED, title + ", P1 once")):
                if (next(iter(policies)), name, product, way) not in found:
                    continue
                line = [name, what]
                for policy in policies:
                    planes, ours = found[policy, name, product, BIT_SLICED], found[policy, name, product, way]
                    line += [thousands(planes), each(planes)] if len(line) == 2 else []
                    line += [thousands(ours), thousands(ours, "preparation_"), each(ours), ratio(planes, ours)]
                lines.append([*line, f"{paper[name][product]:.2f}" if way == NIBBLES else ""])
    return tables.markdown([*header, "the paper"], lines)


def compare(rows, committed):
    """Problems: instructions that have risen, or that nobody has committed."""
    problems = []
    for row in rows:
        before = committed.get(row["set"], {}).get(f"{row['way']} {row['product']}")
        what = f"{row['set']}, {row['policy']}, {row['way']} {row['product']}"
        if before is None:
            problems.append(f"{what}: no committed count (tools/m4 nibbling --update)")
        elif row["instructions"] > before * (1 + TOLERANCE):
            problems.append(f"{what}: {100 * (row['instructions'] / before - 1):.1f} % more instructions than committed")
    return problems


def report(policies, update=False):
    """Prints the table, writes m4-nibbling.json; returns the rows, and problems."""
    rows, problems, figures = [], [], json.loads(FIGURES.read_text())
    for policy in policies:
        found = rows_of(measure(policy), policy)
        rows += found
        if update:
            counts = figures["counts"][policy] = {}
            for row in found:
                counts.setdefault(row["set"], {})[f"{row['way']} {row['product']}"] = row["instructions"]
        problems += compare(found, figures["counts"].get(policy, {}))
    if update:
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    print(markdown(rows))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    return rows, problems
