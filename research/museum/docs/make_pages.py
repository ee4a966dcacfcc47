#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every attack with fixed seeds, draws the figures of the pages beside this file, and puts what the programs said into the
pages.

usage: make_pages.py PROGRAMS... [--only PAGE]... [--quick] [--check]   PROGRAMS: the directories that hold
                                                                        museum_kipnis_shamir and the others

Normally by way of `make museum`.  Standard library only.  Exit status 1 if an attack failed or, with --check, if a program said
something else than its page shows, times apart; then nothing is written.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from drawing import GREY, INK, SECOND, bars, matrices, plot
from marked import with_part

HERE = Path(__file__).resolve().parent


# ---- running ---------------------------------------------------------------------------------------------------------------


class Runner:
    """Runs programs, keeps what they printed for the page and what they reported for the figure."""

    def __init__(self, programs, quick):
        self.quick = quick
        self.programs, self.printed, self.ok = [Path(p) for p in programs], [], True

    def find(self, program):
        for folder in self.programs:
            if (folder / program).exists():
                return folder / program
        sys.exit(f"make_pages: {program} is not in {', '.join(map(str, self.programs))}: `make museum` builds it")

    def __call__(self, program, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder, "data.json")
            command = [str(self.find(f"museum_{program}")), *map(str, arguments), "--json", str(data)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            shown = " ".join([f"museum_{program}", *map(str, arguments)])
            print(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {shown}", flush=True)
            self.ok = self.ok and done.returncode == 0
            lines = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).strip().split("\n"))
            self.printed.append(f"$ {shown}\n{lines}")
            return json.loads(data.read_text()) if data.exists() else {}


def kipnis_shamir(run):
    data = run("kipnis_shamir", "--q", 256, "--v", 96, "--o", 96)
    run("kipnis_shamir", "--q", 16, "--v", 64, "--o", 64)
    run("kipnis_shamir", "--q", 256, "--v", 68, "--o", 44, "--pencils", 50, "--defended")
    return matrices([("a polar form, as published", data["before"]), ("the same form in the basis found", data["after"])])


def unbalanced(run):
    data = run("unbalanced", "--furthest-7", 4, "--furthest-16", 3, "--keys", 20)
    run("kipnis_shamir", "--q", 16, "--v", 24, "--o", 16, "--pencils", 1000, "--defended")
    series = []
    for q, colour in ((7, SECOND), (16, INK)):
        points = [(p["d"], p["pencils"]) for p in data["points"] if p["q"] == q]
        series += [
            (f"GF({q}), measured", colour, False, points),
            (f"{q}^(v - o)", colour, True, [(d, q**d) for d, _ in points]),
        ]
    return plot(series, "v - o", "pencils to a key, mean of 20")


def one_vector(run):
    data = {
        name: run("one_vector", "--set", name)
        for name in ("UOV-Ip", "UOV-Is", "UOV-III", "UOV-V", "MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5")
    }
    for name in ("UOV-Is", "MAYO-1", "MAYO-2"):
        run("one_vector", "--set", name, "--without-leak", "--pencils", 20)
    return matrices(
        [
            ("UOV-Ip: a polar form, as published", data["UOV-Ip"]["before"]),
            ("in the basis found", data["UOV-Ip"]["after"]),
            ("MAYO-2: in the basis found", data["MAYO-2"]["after"]),
        ]
    )


def wedge(run):
    sizes = [(6, 5, 5), (8, 6, 5), (9, 7, 5), (10, 8, 5)]
    points = {"--dense": [], "": []}
    for v, o, part in sizes:
        for way, list_of in points.items():
            data = run("wedge", "--v", v, "--o", o, "--part", part, *([way] if way else []))
            list_of.append((data["unknowns"], max(data["seconds of CPU"], 0.001)))
    run("wedge", "--v", 12, "--o", 9, "--part", 5, "--defended")
    if not run.quick:
        data = run("wedge", "--v", 12, "--o", 9, "--part", 6)
        points[""].append((data["unknowns"], data["seconds of CPU"]))
    dense = [(math.log10(x), y) for x, y in points["--dense"]]
    sparse = [(round(math.log10(x), 2), y) for x, y in points[""]]
    dense = [(round(x, 2), y) for x, y in dense]
    return plot(
        [("block Wiedemann", INK, False, sparse), ("elimination", SECOND, False, dense)],
        "log10 of the number of unknowns",
        "seconds of CPU",
    )


def rainbow_simple(run):
    run("rainbow_simple", "--v1", 12, "--o1", 12, "--o2", 12, "--sparse")
    data = run("rainbow_simple", "--v1", 16, "--o1", 16, "--o2", 16)
    run("rainbow_simple", "--v1", 9, "--o1", 5, "--o2", 8, "--defended")
    return matrices(
        [
            ("a polar form, as published", data["before"]),
            ("a form of layer 1, in the basis found", data["after"]),
            ("a form with layer 2 in it", data["after2"]),
        ]
    )


def minrank(run):
    sizes, unknowns = [], []
    for s in (3, 4, 5) if run.quick else (3, 4, 5, 6):
        way = ["--defended"] if s == 3 else []
        data = run("minrank", "--v1", s, "--o1", s, "--o2", s, *way)
        unknowns.append((s, data["unknowns"]))
        if s > 3:
            sizes.append((s, max(data["seconds of CPU for a vector of O2"], 0.001)))
    return plot(
        [("unknowns", GREY, False, unknowns), ("seconds of CPU, block Wiedemann", INK, False, sizes)],
        "v1 = o1 = o2",
        "unknowns; seconds",
    )


def band_separation(run):
    data = run("band_separation")
    run("band_separation", "--dense", "--seed", 2)
    run("band_separation", "--v1", 4, "--o1", 4, "--o2", 4, "--a", 3, "--b", 1, "--defended")
    run("band_separation", "--v1", 8, "--o1", 4, "--o2", 4, "--a", 3, "--b", 1, "--defended")
    return matrices(
        [
            ("a polar form, as published", data["before"]),
            ("the separated band: a form of layer 1", data["after"]),
            ("a form with layer 2 in it", data["after2"]),
        ]
    )


def reconciliation(run):
    series = []
    for (v, o), colour in (((7, 6), SECOND), ((8, 8), INK)):
        points = []
        for fix in (2, 3, 4):
            data = run("reconciliation", "--v", v, "--o", o, "--fix", fix, "--guesses", 2000000)
            points.append((fix, data["seconds of CPU"] / data["guesses"] * 16**fix))
        series.append((f"v = {v}, o = {o}", colour, False, points))
    run("reconciliation", "--v", 8, "--o", 4, "--m", 8, "--fix", 3)
    run("reconciliation", "--v", 12, "--o", 8, "--fix", 7, "--guesses", 2000, "--defended")
    return plot(series, "coordinates guessed", "seconds of CPU for all guesses")


@dataclass
class RankProblem:
    """What research/museum/attacks/low_rank.hpp solves for a key, and the bits that its designers claimed (0: a set of ours)."""

    claimed: int
    q: int
    N: int  # variables
    m: int  # equations
    r: int  # rank
    dimensions: int = 1  # of the space of u
    more: int = 0  # columns that the program needed beyond the formula, where equations depend on others

    def system(self):
        """Columns and unknowns of the smallest system with as many equations as unknowns, in N - dimensions + 1 of the N rows,
        or of that which the program solved."""
        columns = next(c for c in range(self.r + 1, self.N + 1) if self.m * (c - self.r) >= self.rows() * (self.r + 1))
        return columns + self.more, self.rows() * math.comb(columns + self.more, self.r)

    def rows(self):
        return self.N - self.dimensions + 1

    def costs(self):
        """log2 of products: elimination, Wiedemann."""
        unknowns = math.log2(self.system()[1])
        terms = self.rows() * (self.r + 1) * (self.q - 1) / self.q  # of an equation
        return 3 * unknowns, math.log2(3 * terms) + 2 * unknowns


# 80 bits: QUARTZ, and GUI of 2015.  128: the code of 2017 is a collection of sets for that, and GeMSS128 says so.
RANK_PROBLEMS = {
    "GUI(2,96,5,6,6,3)": RankProblem(80, 2, 102, 90, 3),
    "GUI(4,120,17,8,8,2)": RankProblem(128, 4, 128, 112, 3),
    "GUI(2,240,9,16,16,3)": RankProblem(128, 2, 256, 224, 4),
    "HmFEv(256,15,3,16)": RankProblem(128, 256, 61, 45, 3, dimensions=3, more=2),
    "GUI(2,240,9,32,32,3)": RankProblem(0, 2, 272, 208, 4),
    "GUI(2,240,17,16,16,3)": RankProblem(0, 2, 256, 224, 5),
    "GUI(2,240,33,16,16,3)": RankProblem(0, 2, 256, 224, 6),
    "GUI(2,240,129,16,16,3)": RankProblem(0, 2, 256, 224, 8),
    "QUARTZ: HFEv-, n = 103, D = 129": RankProblem(80, 2, 107, 100, 8),
    "GeMSS128: HFEv-, n = 174, D = 513": RankProblem(128, 2, 186, 162, 10),
}


def rank_costs():
    lines = [
        "| key | claimed bits | q | rank r | columns c | unknowns | log2 of products: elimination | Wiedemann |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, p in RANK_PROBLEMS.items():
        (c, unknowns), (elimination, wiedemann) = p.system(), p.costs()
        lines.append(
            f"| {name} | {p.claimed or ''} | {p.q} | {p.r} | {c} | {unknowns:,} | {elimination:.0f} | {wiedemann:.0f} |"
        )
    return "\n".join(lines)


def hfe_rank(run):
    real = [] if run.quick else ["240", "120", "hmfev"]
    for name in ["16", "24", "24-8", "32", "96", "20-4", "4-256", *real]:
        data = run("hfe_rank", "--set", name)
        problem = RANK_PROBLEMS.get(data["key"])
        if problem and problem.system()[1] != data["unknowns"]:
            sys.exit(f"make_pages: {data['key']} has {data['unknowns']} unknowns, not those of the table")
    run("hfe_rank", "--set", "high", "--unknowns", 30000, "--defended")


def rank_figure(page):
    """From what the page shows: each attack that found a key, at the unknowns of its last system."""
    colours = {("2", "3"): INK, ("2", "4"): "#6a994e", ("4", "3"): SECOND, ("256", "3"): GREY}
    points = {kind: [] for kind in colours}
    for shown in page.split("\n$ ")[1:]:
        seconds = re.search(r"^forged signature +accepted\nseconds of CPU +([\d.]+)$", shown, re.MULTILINE)
        if seconds:
            q = re.search(r"^key +\w+\((\d+),", shown, re.MULTILINE)[1]
            rank, unknowns = re.findall(r"^rank (\d+): unknowns, equations +(\d+),", shown, re.MULTILINE)[-1]
            points[q, rank].append((round(math.log10(int(unknowns)), 2), max(float(seconds[1]), 0.001)))
    series = [(f"GF({q}), rank {rank}", colours[q, rank], False, sorted(p)) for (q, rank), p in points.items() if p]
    return plot(series, "log10 of the number of unknowns of the last system", "seconds of CPU, all of the attack")


def linearization(run):
    run("linearization")
    run("linearization", "--scheme", "HFE", "--defended")
    run("linearization", "--scheme", "GUI", "--defended")


def subfield(run):
    run("subfield", "--multiplication")
    run("subfield", "--random", "--defended")
    if not run.quick:
        run("subfield")


def lessons(run):
    data = run("lessons", "--largest", 4000)
    rows = [(p["group"], p["way"], p["per_ns"]) for p in data["products"]]
    wiedemann = [(m["n"], max(m["wiedemann"], 0.001)) for m in data["matrices"]]
    gauss = [(m["n"], max(m["gauss"], 0.001)) for m in data["matrices"]]
    figure = plot(
        [("block Wiedemann", INK, False, wiedemann), ("elimination", SECOND, False, gauss)],
        "size of the matrix, 41 entries to a row",
        "seconds of CPU",
    )
    Path(HERE, "figures", "lessons-gauss.svg").write_text(figure)
    return bars(rows, "products by a scalar, with the addition, per nanosecond")


PAGES = {
    "lessons": lessons,
    "kipnis-shamir": kipnis_shamir,
    "unbalanced": unbalanced,
    "one-vector": one_vector,
    "wedge": wedge,
    "rainbow-simple": rainbow_simple,
    "minrank": minrank,
    "band-separation": band_separation,
    "reconciliation": reconciliation,
    "hfe-rank": hfe_rank,
    "linearization": linearization,
    "subfield": subfield,
}
# Other parts of pages that are computed: (page, mark, what stands there).
COMPUTED = [("hfe-rank", "cost", rank_costs)]
# Figures that are drawn from what the page shows.
DRAWN = {"hfe-rank": rank_figure}


def without_times(lines):
    return re.sub(
        r"^seconds of CPU(.*?) +[\d.]+$", r"seconds of CPU\1", re.sub(r"[\d.]+ s of CPU", "s of CPU", lines), flags=re.MULTILINE
    )


def differing(page, printed):
    """Those runs that the page does not show as they went here."""
    shown = without_times(page) + "\n"
    return [run for run in printed if without_times(run) + "\n" not in shown]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--quick", action="store_true", help="without the runs of more than a few seconds")
    parser.add_argument("--only", action="append", choices=PAGES)
    parser.add_argument(
        "--check", action="store_true", help="compare with the pages, all but the lessons, which are times alone"
    )
    arguments = parser.parse_args()
    ok = True
    for name, attack in PAGES.items():
        if (arguments.only and name not in arguments.only) or (arguments.check and name == "lessons"):
            continue
        run = Runner(arguments.programs, arguments.quick)
        figure = attack(run)
        page = HERE / f"{name}.md"
        with_computed = page.read_text()
        for _, mark, compute in (part for part in COMPUTED if part[0] == name):
            with_computed = with_part(with_computed, mark, compute())
        if arguments.check:
            if with_computed != page.read_text():
                print(f"{page.name}: a computed part is another")
                run.ok = False
            if name in DRAWN and DRAWN[name](page.read_text()) != Path(HERE, "figures", f"{name}.svg").read_text():
                print(f"figures/{name}.svg does not show what {page.name} says")
                run.ok = False
            for other in differing(page.read_text(), run.printed):
                print(f"not in {page.name}:\n{other}")
                run.ok = False
            ok = ok and run.ok
            continue
        if figure:
            Path(HERE, "figures", f"{name}.svg").write_text(figure)
        page.write_text(with_part(with_computed, "run", "```\n" + "\n\n".join(run.printed) + "\n```"))
        if name in DRAWN:
            Path(HERE, "figures", f"{name}.svg").write_text(DRAWN[name](page.read_text()))
        ok = ok and run.ok
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
