# SPDX-License-Identifier: Apache-2.0
"""Constant time on the board: for many secret keys the same instructions at the same addresses, and loads and stores at the same
addresses; no division, which takes as long as its operands want; and the same bytes left in the workspace and on the stack.

What is public differs between keys as well, and tables are indexed by it (the rows of P, AES of the public seed).  So the library
is built with AIOLI_CT=trace, where everything that `reveal` makes public becomes zero: seed_pk, the salt, "singular", the
signature. What then still differs between two traces was steered by a secret, and what differs in memory comes from one.
"""

import hashlib

from m4lib import board, counting, profile

STEERED, DIVIDED, LEFT = "depends on the secret key", "divides", "leaves in memory what depends on the secret key"
# Planted in firmware/runner: what the check must find.
LEAKS = {"leak_branch": [STEERED], "leak_address": [STEERED], "leak_division": [DIVIDED], "leak_memory": [LEFT],
         "leak_stack": [LEFT], "no_leak": []}  # fmt: skip


class Seen:
    """What was seen of one operation under several keys."""

    def __init__(self):
        self.traces, self.instructions, self.divisions, self.left = set(), set(), 0, set()

    def add(self, region, left):
        self.traces.add((region.instructions, region.trace))
        self.instructions.add(region.instructions)
        self.divisions += region.divisions
        self.left.add(left)

    def found(self):
        return [*[STEERED][: len(self.traces) > 1], *[DIVIDED][: self.divisions > 0], *[LEFT][: len(self.left) > 1]]

    def __str__(self):
        return f"{len(self.traces)} trace(s), instructions {', '.join(f'{n:,}' for n in sorted(self.instructions)[:4])}"


# A key whose first system is singular in this build, where that happens once in 15 keys: an elimination that then ends early is
# seen with it and with no key before it.  (Of the other sets a singular system is one in hundreds, or much rarer; the solver's
# text is the same.)
SINGULAR = {"MAYO-1": 10}


def seeds(name, keys):
    """All zeros, all ones, then pseudo-random, the last one of a singular system if one is known."""
    n = len(counting.seed(name))
    numbers = [*range(2, keys - 1), max(SINGULAR.get(name, 0), keys - 1)]
    return [bytes(n), bytes([255] * n), *(hashlib.shake_256(bytes([i])).digest(n) for i in numbers)][:keys]


def trace(name, policy, operations, keys):
    """{operation: Seen}"""
    image = board.build(name, policy, options=["-DAIOLI_CT=trace"], suffix="-trace") / "runner.elf"
    script = [f"alg {name}", f"set msg {len(counting.MESSAGE)} {counting.MESSAGE.hex()}"]
    for seed in seeds(name, keys):
        # Memory is given back by `alg`, so that all objects lie at the same addresses for every key.
        script += [
            f"alg {name}",
            f"set msg {len(counting.MESSAGE)} {counting.MESSAGE.hex()}",
            f"set seed {len(seed)} {seed.hex()}",
        ]
        script += [f"run {operation}" for operation in operations]
    said, counted = board.run_script(image, script, count=True, traced=True)
    runs = [line.split()[1:] for line in said if line.startswith("run ")]
    seen = {operation: Seen() for operation in operations}
    for (operation, status, *_, left), region in board.paired(runs, profile.regions(counted)):
        if status != "0":
            raise board.Failure(f"{name} {policy} {operation}: aioli_status -{status}")
        seen[operation].add(region, left)
    return seen


def check(name, policy, keys):
    """Problems, as lines; prints one line for each operation."""
    problems = []
    for operation, seen in trace(name, policy, [*counting.SECRET, *LEAKS], keys).items():
        print(f"{name}, {policy}, {operation:<13} {keys} keys: {seen}")
        found, planted = seen.found(), LEAKS.get(operation, [])
        problems += [f"{name} {policy} {operation}: {what}" for what in found if what not in planted]
        problems += [f"{name} {policy} {operation}: the planted leak is not found" for what in planted if what not in found]
    return problems
