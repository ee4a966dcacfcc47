# SPDX-License-Identifier: Apache-2.0
"""Counts the operations of one set under one policy."""

from m4lib import board, profile

SECRET = ["keypair", "sign", "signer_init", "signer_sign", "digests"]
MESSAGE = bytes(range(59))  # 59 bytes, as in the figures of the published code


def seed(name, number=0):
    n = {"1": 24, "2": 24, "3": 32, "5": 40}.get(name.split("-")[1], 32)
    return bytes((i + 17 * number) % 256 for i in range(n))


def inputs(name):
    return [f"alg {name}", f"set seed {len(seed(name))} {seed(name).hex()}", f"set msg {len(MESSAGE)} {MESSAGE.hex()}"]


def measure(name, policy, operations, **options):
    """{operation: (Region, workspace bytes, stack bytes)} and the image"""
    image = board.build(name, policy, **options) / "runner.elf"
    said, counted = board.run_script(image, inputs(name) + [f"run {operation}" for operation in needed(operations)], count=True)
    measured = {}
    for (operation, workspace, stack), region in board.paired(runs(said, f"{name} {policy}"), profile.regions(counted)):
        if operation in operations:
            measured[operation] = (region, workspace, stack)
    return measured, image


def runs(said, what):
    """(operation, workspace bytes, stack bytes) of each call, none of which may fail or leave a secret in the stack."""
    for line in said:
        if not line.startswith("run "):
            continue
        _, operation, status, workspace, stack, residue = line.split()
        if status != "0":
            raise board.Failure(f"{what} {operation}: aioli_status -{status}")
        if operation in SECRET and residue != "0":
            raise board.Failure(f"{what} {operation}: leaves {residue} bytes in the stack (AIOLI_WIPE_STACK_BYTES)")
        yield operation, int(workspace), int(stack)


def needed(operations):
    """What has to run for these to have their inputs, in order."""
    before = {"sign": ["keypair"], "verify": ["keypair", "sign"], "signer_init": ["keypair"],
              "signer_sign": ["keypair", "signer_init"], "verifier_init": ["keypair"],
              "verifier_verify": ["keypair", "sign", "verifier_init"]}  # fmt: skip
    wanted = set(operations).union(*(before.get(operation, []) for operation in operations))
    return [operation for operation in board.OPERATIONS if operation in wanted]
