# SPDX-License-Identifier: Apache-2.0
"""The ARMv7-M variant of MAYO on the board: known answers and counts, beside those of the published code for one attempt."""

import hashlib
import json
import tempfile
from pathlib import Path

from m4lib import board, profile
from m4lib.traces import Seen

VECTORS = board.ROOT / "research/mayo_armv7m/tests/mayo_armv7m.json"
FIGURES = board.ROOT / "research/mayo_armv7m/firmware/counts.json"
TOLERANCE = 0.02  # of the instructions
OPERATIONS = ["keypair", "sign", "verify", "refuse"]
STATUS = {"refuse": "1"}  # AIOLI_ERR_SIGNATURE, negated; the others succeed
RANDOM_BYTES = 4096


def traces(program, index, keys):
    """{operation: traces.Seen}"""
    seen = {"keypair": Seen(), "sign": Seen()}
    for key in range(keys):
        with tempfile.TemporaryDirectory() as directory:
            given, counts = Path(directory, "input"), Path(directory, "counts")
            given.write_bytes(bytes([index | 128, 3, 1, 2, 3]) + hashlib.shake_256(bytes([key])).digest(RANDOM_BYTES))
            said = [line.split() for line in board.run(program, [given], counts, traced=True).splitlines()]
            regions = profile.regions(counts.read_text().splitlines())
        for line, region in zip(said[:2], regions[:2], strict=True):
            if line[0] not in seen or line[1] != "0":
                raise board.Failure(f"set {index}: {' '.join(line)}")
            seen[line[0]].add(region, line[5])
    return seen


def image(policy, **options):
    """The program of the variant; the library underneath, of any set, gives it Keccak only."""
    if policy == "small":  # its solver goes deeper than MAYO-2's
        return board.build("MAYO-2", policy, targets=["armv7m"], options=["-DAIOLI_WIPE_STACK_BYTES=2112", *options.get("options",
                                                                                                                        [])],
                           suffix="-armv7m" + options.get("suffix", "")) / "armv7m.elf"  # fmt: skip
    return board.build("MAYO-2", policy, targets=["armv7m"], **options) / "armv7m.elf"


def trace(policy, keys):
    """Problems: for many secret keys and much randomness key generation and signing have one trace.  traces.py says how that is
    looked at."""
    blinded = image(policy, options=["-DAIOLI_CT=trace"], suffix="-trace")
    problems = []
    for index, name in enumerate(json.loads(VECTORS.read_text())["sets"]):
        for operation, seen in traces(blinded, index, keys).items():
            print(f"{name}, {policy}, {operation:<8} {keys} keys: {seen}")
            problems += [f"{name} {policy} {operation}: {found}" for found in seen.found()]
    # Where what is revealed stays as it is, columns are chosen and looked up by it: a check that sees nothing of that sees
    # nothing.
    for operation, seen in traces(image(policy), 1, 2).items():
        if len(seen.traces) != 2:
            problems.append(f"{operation}: the check does not tell traces apart")
    return problems


def inputs(index, record):
    message = bytes((7 * j + record["count"]) % 256 for j in range(record["mlen"]))
    random = hashlib.shake_256(bytes.fromhex(record["seed"])).digest(RANDOM_BYTES)
    return bytes([index, len(message)]) + message + random


def measure(policy):
    """{set: {operation: (Region, workspace, stack)}}, the image, and what went wrong."""
    program = image(policy)
    measured, problems = {}, []
    for index, (name, records) in enumerate(json.loads(VECTORS.read_text())["sets"].items()):
        record = next(r for r in records if r["attempts"] == 1)
        with tempfile.TemporaryDirectory() as directory:
            given, counts = Path(directory, "input"), Path(directory, "counts")
            given.write_bytes(inputs(index, record))
            said = [line.split() for line in board.run(program, [given], counts).splitlines()]
            regions = profile.regions(counts.read_text().splitlines())
        if not said or said[-1] != ["done"]:
            raise board.Failure(f"{name}: the program did not come to its end")
        results = {line[0]: line[1:] for line in said}
        for operation, region in zip(OPERATIONS, regions, strict=True):
            status, workspace, stack, residue, _, _ = results[operation]
            if status != STATUS.get(operation, "0"):
                problems.append(f"{name} {operation}: aioli_status -{status}")
            if operation in ("keypair", "sign") and residue != "0":
                problems.append(f"{name} {operation}: leaves {residue} bytes in the stack or the floating-point registers")
            measured.setdefault(name, {})[operation] = (region, int(workspace), int(stack))
        if results["sig"] != [record["sig"]]:
            problems.append(f"{name}: not the published signature")
        if int(results["keypair"][5]) + int(results["sign"][5]) != record["drawn"]:
            problems.append(f"{name}: not as much randomness as published")
    return measured, program, problems


def published():
    return json.loads(FIGURES.read_text())["published"]


def report(policy, functions=0, update=False):
    """Prints the table; returns its rows, as in m4.json, and problems.  `functions`: how many of each operation's to list."""
    measured, program, problems = measure(policy)
    symbols, rows = profile.Symbols(program), []
    figures = json.loads(FIGURES.read_text())
    committed = figures["counts"].setdefault(policy, {})
    print(
        f"{'set, ' + policy:<23}{'op':<9}{'instructions':>13}{'cycles':>13}{'SHAKE':>7}{'stack':>7}"
        f"{'workspace':>10}{'published':>13}{'ratio':>7}"
    )
    for name, operations in measured.items():
        for operation, (region, workspace, stack) in operations.items():
            if operation == "refuse":
                continue
            classes = profile.by_class(region, symbols)
            rows.append({"set": name, "policy": policy, "op": operation, "instructions": region.instructions,
                         "model_cycles": region.cycles,
                         "aes_share": 0.0, "shake_share": round(classes["SHAKE"][1] / region.cycles, 4), "stack_bytes": stack,
                         "workspace_bytes": workspace})  # fmt: skip
            published = figures["published"][name][operation]
            print(f"{name:<23}{operation:<9}{region.instructions:>13,}{region.cycles:>13,}"
                  f"{100 * classes['SHAKE'][0] / region.instructions:>7.1f}"
                  f"{stack:>7,}{workspace:>10,}{published:>13,}{region.instructions / published:>7.3f}")  # fmt: skip
            for function, (instructions, _) in list(profile.by_function(region, symbols).items())[:functions]:
                print(f"    {instructions:>13,}  {function[:150]}")
            before = committed.setdefault(name, {}).get(operation)
            if update:
                committed[name][operation] = region.instructions
            elif before is None:
                problems.append(f"{name} {operation}: no committed count (tools/m4 armv7m --update)")
            elif region.instructions > before * (1 + TOLERANCE):
                problems.append(
                    f"{name} {operation}: {100 * (region.instructions / before - 1):.1f} % more instructions than committed"
                )
    if update:
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    return rows, problems
