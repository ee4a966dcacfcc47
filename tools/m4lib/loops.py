# SPDX-License-Identifier: Apache-2.0
"""Holds the plugin and the board to what is known without them: loops counted by hand, a fault, and RAM that does not suffice."""

import tempfile
from pathlib import Path

from m4lib import board, counting, profile, sizes

TURNS = 1000
BY_HAND = [  # instructions, model cycles, divisions: firmware/loops/loops.S
    ("loop_countdown", 2 * TURNS + 1, 3 * TURNS, 0),
    ("loop_mixed", 18 * TURNS + 2, 24 * TURNS + 1, 0),
    ("loop_calls", 18 * TURNS - 1, 47 * TURNS - 1, TURNS),
]
FAULT = 2  # exit status of firmware/board


def counted(image):
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "counts")
        board.run(image, counted=file, traced=True)
        return file.read_text()


def check(name):
    """Problems, as lines."""
    problems = []
    where = board.build(name, "fast", ["loops", "fault", "runner-64"])
    first, second = counted(where / "loops.elf"), counted(where / "loops.elf")
    if first != second:
        problems.append("two runs of the loops were counted differently")
    symbols = profile.Symbols(where / "loops.elf")
    regions = profile.regions(first.splitlines())
    for (loop, *wanted), region in board.paired(BY_HAND, regions):
        got = [region.instructions, region.cycles, region.divisions]
        where_spent = profile.by_function(region, symbols)
        print(
            f"{loop:<15} {got[0]:>7,} instructions, {got[1]:>7,} cycles, {got[2]:>5,} divisions; by hand the "
            f"{'same' if got == wanted else wanted}"
        )
        if got != wanted:
            problems.append(f"{loop}: counted {got}, by hand {wanted}")
        others = set(where_spent) - {loop, "leaf"}
        if others or sum(entry[0] for entry in where_spent.values()) != region.instructions:
            problems.append(f"{loop}: its instructions are ascribed to {where_spent}")
    said = board.run(where / "fault.elf", expect=FAULT)  # raises if the run counts as anything else
    if "exception" not in said:
        problems.append(f"the fault did not come to its handler: {said}")
    try:
        board.run_script(where / "runner-64.elf", [f"alg {name}", "set msg 70000 " + "00" * 70000])
        problems.append("a message of 70,000 bytes fits into 64 KiB")
    except board.Failure as failure:
        if failure.status != sizes.OUT_OF_RAM:
            raise
    for policy in ("small", "fast"):
        said, _ = board.run_script(board.build(name, policy) / "runner.elf", [*counting.inputs(name), "run digests"])
        if len(list(counting.runs(said, f"{name} {policy}"))) != 1:
            problems.append(f"{policy}: no message was hashed")
    try:
        counting.measure(name, "fast", ["sign"], options=["-DAIOLI_WIPE_STACK_BYTES=512"], suffix="-residue")
        problems.append("nobody notices that 512 wiped bytes of stack do not suffice")
    except board.Failure as failure:
        if "in the stack" not in str(failure):
            raise
    return problems
