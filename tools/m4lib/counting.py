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
    said, counted = board.run_script(
        image, inputs(name) + [f"run {operation}" for operation in needed(operations, name)], count=True
    )
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
        _, operation, status, workspace, stack, residue, _ = line.split()
        if status != "0":
            raise board.Failure(f"{what} {operation}: aioli_status -{status}")
        if operation in SECRET and residue != "0":
            raise board.Failure(
                f"{what} {operation}: leaves {residue} bytes in the stack (AIOLI_WIPE_STACK_BYTES) or the floating-point "
                "registers"
            )
        yield operation, int(workspace), int(stack)


def check_alone(name, policy):
    """Signing leaves nothing in the stack of a library that does nothing else either, where the compiler inlines more and calls
    go deeper."""
    for group, operation in (("sign", "sign"), ("signer", "signer_sign")):
        calls = needed([operation], name)
        groups = ";".join((["keypair"] if "keypair" in calls else []) + [group])
        image = board.build(name, policy, options=[f"-DAIOLI_OPERATIONS={groups}"], suffix=f"-{group}") / "runner.elf"
        said, _ = board.run_script(image, inputs(name) + [f"run {each}" for each in calls])
        list(runs(said, f"{name} {policy}, AIOLI_OPERATIONS={group}:"))


def needed(operations, name):
    """What has to run for these to have their inputs, in order."""
    before = {"verify": ["keypair", "sign"], "signer_sign": ["signer_init"], "verifier_init": ["keypair"],
              "verifier_verify": ["keypair", "sign", "verifier_init"]}  # fmt: skip
    if name.startswith("UOV") and "-skc" not in name:  # the secret key is no seed
        before |= {"sign": ["keypair"], "signer_init": ["keypair"], "signer_sign": ["keypair", "signer_init"]}
    wanted = set(operations).union(*(before.get(operation, []) for operation in operations))
    return [operation for operation in board.OPERATIONS if operation in wanted]
