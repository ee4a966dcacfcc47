# SPDX-License-Identifier: Apache-2.0
"""Constant time on the board: for many secret keys the same instructions at the same addresses, and loads and stores at the same addresses.

What is public differs between keys as well, and tables are indexed by it (the rows of P, AES of the public seed).  So the library is
built with AIOLI_CT=trace, where everything that `reveal` makes public becomes zero: seed_pk, the salt, "singular", the signature.
What then still differs between two traces was steered by a secret.
"""

import hashlib

from m4lib import board, counting, profile

LEAKS = {"leak_branch": True, "leak_address": True, "no_leak": False}  # planted in firmware/runner: whether the check must find them


def seeds(name, keys):
    """All zeros, all ones, then pseudo-random."""
    n = len(counting.seed(name))
    return [bytes(n), bytes([255] * n), *(hashlib.shake_256(bytes([i])).digest(n) for i in range(2, keys))][:keys]


def trace(name, policy, operations, keys):
    """{operation: the set of (instructions, trace) that were seen}"""
    image = board.build(name, policy, options=["-DAIOLI_CT=trace"], suffix="-trace") / "runner.elf"
    script = [f"alg {name}", f"set msg {len(counting.MESSAGE)} {counting.MESSAGE.hex()}"]
    for seed in seeds(name, keys):
        # Memory is given back by `alg`, so that all objects lie at the same addresses for every key.
        script += [f"alg {name}", f"set msg {len(counting.MESSAGE)} {counting.MESSAGE.hex()}", f"set seed {len(seed)} {seed.hex()}"]
        script += [f"run {operation}" for operation in operations]
    said, counted = board.run_script(image, script, count=True, traced=True)
    runs = [line.split()[1:3] for line in said if line.startswith("run ")]
    seen = {operation: set() for operation in operations}
    for (operation, status), region in board.paired(runs, profile.regions(counted)):
        if status != "0":
            raise board.Failure(f"{name} {policy} {operation}: aioli_status -{status}")
        seen[operation].add((region.instructions, region.trace))
    return seen


def check(name, policy, keys):
    """Problems, as lines; prints one line for each operation."""
    problems = []
    for operation, seen in trace(name, policy, [*counting.SECRET, *LEAKS], keys).items():
        counts = sorted({instructions for instructions, _ in seen})
        differs = len(seen) > 1
        print(f"{name}, {policy}, {operation:<13} {keys} keys: {len(seen)} trace(s), instructions {', '.join(f'{n:,}' for n in counts[:4])}")
        if differs != LEAKS.get(operation, False):
            problems.append(f"{name} {policy} {operation}: " + ("depends on the secret key" if differs else "the planted leak is not found"))
    return problems
