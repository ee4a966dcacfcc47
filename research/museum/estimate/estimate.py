#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Estimates of what the known attacks cost on each set of UOV and MAYO, by the library cryptographic-estimators, beside what
docs/security-status.md says of the set.  Normally by way of `research/museum/aioli-museum estimate`.

usage: estimate.py print                         the table, from the cache (needs the standard library only)
       estimate.py docs                          rewrite the table in research/museum/docs/estimates.md from the cache
       estimate.py check                         exit status 1 if the page does not show what the cache holds, or if the library's
                                                 sets are others
       estimate.py compute [--cpu-seconds N] [--only SET] [--retry]
                                                 fill the cache; needs `pip install cryptographic-estimators==2.1.1`

A cell is log2 of bit operations, the least over the attack's own parameters.  Each has --cpu-seconds, in a process of its own,
and stays empty where it takes longer, with the limit in the cache.  All of them together take some minutes.  The library, its
version, and the day of the computation are in the cache, too.  No build and no test needs the library.
"""

import argparse
import datetime
import functools
import importlib.metadata
import json
import math
import re
import resource
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "docs"))
from marked import with_part  # noqa: E402

CACHE = HERE / "estimates.json"
PAGE = HERE.parent / "docs" / "estimates.md"
LIBRARY = "cryptographic-estimators"
STATUS = HERE.parents[2] / "docs" / "security-status.md"
SIZES = HERE.parents[2] / "include" / "aioli" / "sizes.h"
NO_PARAMETERS = "the library finds no parameters with which this attack works"
NONE = "none"
ASKED = {1: 143, 3: 207, 5: 272}  # log2 of bit operations that NIST asks of a category

# name: (q, n, m)
UOV = {
    "UOV-Is": (16, 160, 64),
    "UOV-Ip": (256, 119, 45),
    "UOV-III": (256, 193, 72),
    "UOV-V": (256, 259, 96),
    "UOV-Ip-r2": (256, 112, 44),
    "UOV-III-r2": (256, 184, 72),
    "UOV-V-r2": (256, 244, 96),
}
# name: (n, m, o, k), q = 16
MAYO = {
    "MAYO-1": (88, 80, 8, 10),
    "MAYO-2": (86, 64, 13, 5),
    "MAYO-3": (118, 108, 10, 11),
    "MAYO-5": (154, 142, 12, 12),
    "MAYO-1-r2": (86, 78, 8, 10),
    "MAYO-2-r2": (81, 64, 17, 4),
    "MAYO-1-r1": (66, 64, 8, 9),
    "MAYO-2-r1": (78, 64, 18, 4),
    "MAYO-3-r1": (99, 96, 10, 11),
    "MAYO-5-r1": (133, 128, 12, 12),
}
THE_SAME = {"MAYO-3-r2": "MAYO-3", "MAYO-5-r2": "MAYO-5"}  # sets with the numbers of another; -r1b is -r1
# The library's class, and how the table calls it.
UOV_ATTACKS = {
    "DirectAttack": "direct",
    "CollisionAttack": "collision",
    "KipnisShamir": "Kipnis-Shamir",
    "IntersectionAttack": "intersection",
    "WedgeAttack": "wedge",
}
MAYO_ATTACKS = {
    "DirectAttack": "direct",
    "ClawFinding": "claw finding",
    "KipnisShamir": "Kipnis-Shamir",
    "ReconciliationAttack": "reconciliation",
    "IntersectionAttack": "intersection",
    "WedgeAttack": "wedge",
}
SLOW = ("DirectAttack", "IntersectionAttack")  # computed last
SCHEMES = {"UOV": (UOV, UOV_ATTACKS), "MAYO": (MAYO, MAYO_ATTACKS)}


def hasten():
    """Two changes to how the library computes, none to what: hours become minutes.  It computes the witness degree of the same
    system again and again, which depends on the system alone; and it makes the power of a series by as many products as there are
    equations."""
    from cryptographic_estimators.MQEstimator import witness_degree
    from cryptographic_estimators.MQEstimator.series import hilbert

    def power(base, exponent):
        if exponent == 1:
            return base
        root = power(base, exponent // 2)
        return root * root * base if exponent % 2 else root * root

    def product(factors):
        factors = list(factors)
        one = factors[0].coeffs()
        return power(factors[0], len(factors)) if all(f.coeffs() == one for f in factors) else math.prod(factors)

    hilbert.prod = product
    witness_degree.quadratic_system = functools.cache(witness_degree.quadratic_system)


def cell(name, attack):
    """One estimate, computed in this process: log2 of bit operations and of bits of memory."""
    hasten()
    if name in UOV:
        from cryptographic_estimators.UOVEstimator import UOVEstimator

        q, n, m = UOV[name]
        estimator = UOVEstimator(n=n, m=m, q=q)
    else:
        from cryptographic_estimators.MAYOEstimator import MAYOEstimator

        n, m, o, k = MAYO[name]
        estimator = MAYOEstimator(n=n, m=m, o=o, k=k, q=16)
    algorithm = next(a for a in estimator.algorithms() if type(a).__name__ == attack)
    if math.isinf(algorithm.time_complexity()):
        return {"empty": NO_PARAMETERS}
    return {"time": round(float(algorithm.time_complexity()), 1), "memory": round(float(algorithm.memory_complexity()), 1)}


def cell_within(name, attack, seconds):
    """The same in a process of its own, which may use so many seconds of CPU."""
    done = subprocess.run(
        [sys.executable, __file__, "cell", name, attack],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)),
    )
    if done.returncode == 0:
        return json.loads(done.stdout.strip().split("\n")[-1])
    if done.returncode < 0:
        return {"empty": f"not within {seconds} CPU-seconds"}
    return {"empty": "the library failed: " + (done.stderr.strip().split("\n") or ["?"])[-1][:120]}


def compute(arguments):
    cache = json.loads(CACHE.read_text()) if CACHE.exists() else {"estimates": {}}
    cache["library"], cache["version"] = LIBRARY, importlib.metadata.version(LIBRARY)
    cache["date"], cache["unit"] = datetime.date.today().isoformat(), "log2 of bit operations; memory: log2 of bits"
    cells = [(name, attack) for sets, attacks in SCHEMES.values() for attack in attacks for name in sets]
    for name, attack in sorted(cells, key=lambda cell: cell[1] in SLOW):
        known = cache["estimates"].setdefault(name, {})
        if arguments.only and name != arguments.only or (
            attack in known and not (arguments.retry and "empty" in known[attack])
        ):
            continue
        known[attack] = cell_within(name, attack, arguments.cpu_seconds)
        print(name, attack, known[attack], flush=True)
        CACHE.write_text(json.dumps(cache, indent=1) + "\n")


def status_of(name):
    """(categories, what is known) of the row of docs/security-status.md that is about this set."""
    for line in STATUS.read_text().split("\n"):
        cells = [c.strip() for c in line.strip("|").split("|")]
        if not line.startswith("| ") or len(cells) != 3:
            continue
        names = re.findall(r"(?:MAYO|UOV)-[\w-]+", cells[0])
        if name in names:
            categories = cells[1].split(", ")
            return int(categories[names.index(name)] if len(categories) > 1 else categories[0]), cells[2]
        if cells[0].startswith("all of round 1") and name.endswith("-r1"):
            return {"1": 1, "2": 1, "3": 3, "5": 5}[name.split("-")[1]], cells[2]
    raise LookupError(f"docs/security-status.md says nothing of {name}")


def sizes_of(name):
    """Bytes of the (classic) public key and of the signature that follow from the numbers above."""
    if name in UOV:
        q, n, m = UOV[name]
        bits = q.bit_length() - 1
        return m * n * (n + 1) // 2 * bits // 8, n * bits // 8 + 16
    n, m, o, k = MAYO[name]
    salt = {1: 24, 2: 24, 3: 32, 5: 40}[int(name.split("-")[1])]
    return 16 + m * o * (o + 1) // 2 // 2, (n * k + 1) // 2 + salt


def other_sets(sizes):
    """What the sets of include/aioli/sizes.h are that the estimates are not about."""
    macros = {
        (name, what): int(n)
        for name, what, n in re.findall(r"#define AIOLI_((?:MAYO|UOV)_\w+?)_(PUBLIC_KEY|SIGNATURE)_BYTES (\d+)", sizes)
    }
    problems = [
        f"no set of the library has the numbers of {name}"
        for name in [*UOV, *MAYO]
        if (name.replace("-", "_").upper(), "SIGNATURE") not in macros
    ]
    for macro in sorted({name for name, _ in macros if "_PKC" not in name and not name.endswith("_R1B")}):
        family, kind, *rest = macro.split("_")
        name = "-".join([family, kind.replace("IS", "Is").replace("IP", "Ip"), *(r.lower() for r in rest)])
        name = THE_SAME.get(name, name)
        found = (macros[macro, "PUBLIC_KEY"], macros[macro, "SIGNATURE"])
        if name not in UOV and name not in MAYO or sizes_of(name) != found:
            problems.append(f"{macro}: key and signature of {found} bytes; the estimates are not for this set")
    return problems


def cell_text(cell, least):
    if cell is None:
        return "?"
    if "time" not in cell:
        return NONE if cell["empty"] == NO_PARAMETERS else "?"
    return f"**{cell['time']:.1f}**" if cell["time"] == least else f"{cell['time']:.1f}"


def table(cache):
    lines = [
        f"Library {cache['library']} {cache['version']}, computed on {cache['date']}; log2 of bit operations, the lowest of a "
        "row in bold.",
        f"{NONE}: the library finds no parameters with which the attack works.",
    ]
    unknown = [
        (name, attack, c) for name, row in cache["estimates"].items() for attack, c in row.items() if cell_text(c, None) == "?"
    ]
    lines += [f"? at {name}, {attack}: {c['empty']}." for name, attack, c in unknown]
    summary = ["", "| set | category | asks for | lowest estimate | known from the literature |", "|---|---:|---:|---|---|"]
    for scheme, (sets, attacks) in SCHEMES.items():
        what = "q, n, m" if scheme == "UOV" else "n, m, o, k"
        lines += ["", f"| set | {what} | " + " | ".join(attacks.values()) + " |", "|---|---|" + "---:|" * len(attacks)]
        for name, parameters in sets.items():
            row = {attack: cache["estimates"].get(name, {}).get(attack) for attack in attacks}
            times = {attack: c["time"] for attack, c in row.items() if c and "time" in c}
            least = min(times.values())
            lines.append(
                f"| {name} | {', '.join(map(str, parameters))} | " + " | ".join(cell_text(c, least) for c in row.values()) + " |"
            )
            category, known = status_of(name)
            attack = attacks[min(times, key=times.get)]
            summary.append(f"| {name} | {category} | {ASKED[category]} | {least:.1f}, {attack} | {known} |")
    return "\n".join(lines + summary)


def page_with(text, cache):
    return with_part(text, "estimates", table(cache))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for plain in ("print", "docs", "check"):
        commands.add_parser(plain)
    one = commands.add_parser("cell")
    one.add_argument("name")
    one.add_argument("attack")
    fill = commands.add_parser("compute")
    fill.add_argument("--cpu-seconds", type=int, default=60)
    fill.add_argument("--only")
    fill.add_argument("--retry", action="store_true", help="also the cells that stayed empty")
    arguments = parser.parse_args()
    if arguments.command == "cell":
        print(json.dumps(cell(arguments.name, arguments.attack)))
    elif arguments.command == "compute":
        compute(arguments)
    else:
        cache = json.loads(CACHE.read_text())
        if arguments.command == "print":
            print(re.sub(r"\*\*([\d.]+)\*\*", r"\1*", table(cache)).replace("in bold", "with a star").replace("**", ""))
        elif arguments.command == "docs":
            PAGE.write_text(page_with(PAGE.read_text(), cache))
        elif page_with(PAGE.read_text(), cache) != PAGE.read_text():
            sys.exit("research/museum/docs/estimates.md does not show the cache: run research/museum/estimate/estimate.py docs")
        elif problems := other_sets(SIZES.read_text()):
            sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
