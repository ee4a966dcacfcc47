# SPDX-License-Identifier: Apache-2.0
"""Counts the operations of one set under one policy."""

from m4lib import board, profile

SECRET = ["keypair", "sign", "signer_init", "signer_sign"]
MESSAGE = bytes(range(59))  # 59 bytes, as in the figures of the published code


def seed(name, number=0):
    n = {"1": 24, "2": 24, "3": 32, "5": 40}[name.split("-")[1]]
    return bytes((i + 17 * number) % 256 for i in range(n))


def measure(name, policy, operations, **options):
    """{operation: (Region, workspace bytes, stack bytes)} and the image"""
    image = board.build(name, policy, **options) / "runner.elf"
    script = [f"alg {name}", f"set seed {len(seed(name))} {seed(name).hex()}", f"set msg {len(MESSAGE)} {MESSAGE.hex()}"]
    script += [f"run {operation}" for operation in needed(operations)]
    said, counted = board.run_script(image, script, count=True)
    runs = [line.split() for line in said if line.startswith("run ")]
    measured = {}
    for (_, operation, status, workspace, stack, residue), region in zip(runs, profile.regions(counted), strict=True):
        if status != "0":
            raise board.Failure(f"{name} {policy} {operation}: aioli_status -{status}")
        if operation in SECRET and residue != "0":
            raise board.Failure(f"{name} {policy} {operation}: leaves {residue} bytes in the stack (AIOLI_WIPE_STACK_BYTES)")
        if operation in operations:
            measured[operation] = (region, int(workspace), int(stack))
    return measured, image


def needed(operations):
    """What has to run for these to have their inputs, in order."""
    before = {"verify": ["keypair", "sign"], "signer_sign": ["signer_init"], "verifier_init": ["keypair"],
              "verifier_verify": ["keypair", "sign", "verifier_init"]}  # fmt: skip
    wanted = set(operations).union(*(before.get(operation, []) for operation in operations))
    return [operation for operation in board.OPERATIONS if operation in wanted]
