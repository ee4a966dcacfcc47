# SPDX-License-Identifier: Apache-2.0
"""How much flash and RAM an image takes: code and static data of the library, by the linker's map; the RAM of parts that it runs
in."""

import re
import subprocess

from m4lib import board, counting, profile

PARTS = [64, 128, 192, 256, 640]  # KiB
OUT_OF_RAM = 3  # exit status of firmware/board
COMPACT = ["keypair", "sign", "verify"]


def sections(image):
    """(name, bytes, member of the library) of each section that the linker took from libaioli.a"""
    text = image.with_suffix(".map").read_text()
    text = text[text.index("Linker script and memory map") :]
    for name, size, member in re.findall(r"^ (\.\S+)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+)\s+\S*libaioli\.a\((\S+)\)$", text, re.M):
        if int(size, 16):
            yield name, int(size, 16), member


def of_library(image):
    """{"code": without hashing and AES, "hashing": hashing and AES, "ram": static data}, in bytes"""
    found = list(sections(image))
    names = "\n".join(re.sub(r"^\.(text|rodata)\.", "", name) for name, _, _ in found)
    done = subprocess.run(["arm-none-eabi-c++filt"], input=names, capture_output=True, text=True, check=True)
    sizes = {"code": 0, "hashing": 0, "ram": 0}
    for (section, size, member), name in zip(found, done.stdout.split("\n")):
        if re.match(r"\.(data|bss)", section):
            sizes["ram"] += size
        if re.match(r"\.(text|rodata|data)", section):
            hashing = {profile.class_of(name), profile.class_of(member)} & {"AES", "SHAKE"}
            sizes["hashing" if hashing else "code"] += size
    return sizes


def compact(name, policy):
    """Sizes of a library that makes keys, signs and verifies with compact keys: what the published figures count."""
    where = board.build(name, policy, options=["-DAIOLI_OPERATIONS=" + ";".join(COMPACT)], suffix="-compact")
    return of_library(where / "runner.elf")


def flash_keys(name, policy, pk, sk):
    """Options of a build whose images have these keys in flash (firmware/runner/keys.S)."""
    folder = board.BUILD / f"{name}-{policy}-keys"
    folder.mkdir(parents=True, exist_ok=True)
    for file, key in (("pk", pk), ("sk", sk)):
        if not (folder / file).exists() or (folder / file).read_bytes() != key:
            (folder / file).write_bytes(key)
    return {"options": [f"-DAIOLI_FLASH_KEYS={folder}"], "suffix": "-flash"}


def least_part(name, policy, operation, inputs, flash=None):
    """The RAM in KiB of the smallest part that runs the operation, with its keys and its message: 0 if none does.  `flash`: with
    what the operation reads of its keys in flash (flash_keys)."""
    before = {"signer_sign": ["signer_init"], "verifier_verify": ["verifier_init"]}.get(operation, [])
    kind = "-flash" if flash else ""
    for kib in PARTS:
        image = board.build(name, policy, targets=[f"runner{kind}-{kib}"], **(flash or {})) / f"runner{kind}-{kib}.elf"
        try:
            said, _ = board.run_script(image, inputs + [f"run {call}" for call in [*before, operation]])
        except board.Failure as failure:
            if failure.status != OUT_OF_RAM:
                raise
            continue
        list(counting.runs(said, f"{name} {policy} in {kib} KiB"))
        return kib
    return 0
