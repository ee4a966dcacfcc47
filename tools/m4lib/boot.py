# SPDX-License-Identifier: Apache-2.0
"""The example of a firmware update (firmware/boot): makes a key and images, and sees which of them the boot loader starts."""

import hashlib
import struct
import subprocess
import tempfile
from pathlib import Path

from m4lib import board, counting

UNREADABLE, NO_IMAGE, WRONG_KEY, WRONG_SIGNATURE = 10, 11, 12, 13  # exit statuses of firmware/boot/boot.c
ABSENT = "15"  # AIOLI_ERR_ABSENT, negated
DIGEST_BYTES = {"1": 32, "2": 32, "3": 48, "5": 64}


def initialiser(data):
    return ",\n".join(", ".join(f"0x{b:02x}" for b in data[i : i + 16]) for i in range(0, len(data), 16)) + "\n"


def header(payload, key):
    return b"AIOLIFW1" + struct.pack("<II", len(payload), len(key))


class Signer:
    """Keys and signatures, made on the board by the runner."""

    def __init__(self, name, number=0):
        self.image = board.build(name, "small") / "runner.elf"
        self.name, self.seed = name, counting.seed(name, number)
        self.key = self.call([], ["run keypair", "show pk"])

    def call(self, given, calls):
        said, _ = board.run_script(
            self.image, [f"alg {self.name}", f"set seed {len(self.seed)} {self.seed.hex()}", *given, *calls]
        )
        return bytes.fromhex(said[-2].split()[1])

    def sign(self, message):
        return self.call([f"set msg {len(message)} {message.hex()}"], ["run sign", "show sig"])

    def update(self, payload, with_key):
        key = self.key if with_key else b""
        first = header(payload, key)
        return first + self.sign(first + payload) + key + payload


def changed(image, at):
    return image[:at] + bytes([image[at] ^ 1]) + image[at + 1 :]


def cases(ours, theirs, payload, with_key):
    """(what, image, exit status of the board)"""
    good = ours.update(payload, with_key)
    signature = len(ours.sign(b""))
    yield "as it was signed", good, 0
    yield "a bit of the payload changed", changed(good, len(good) - 20), WRONG_SIGNATURE
    yield "a bit of the signature changed", changed(good, 16 + 3), WRONG_SIGNATURE
    yield "longer, by the header and in fact", good[:8] + struct.pack("<I", len(payload) + 1) + good[12:] + b"!", WRONG_SIGNATURE
    yield "cut off", good[:-1], UNREADABLE
    yield "not an image", changed(good, 0), NO_IMAGE
    yield "signed, and too short to begin with vectors", ours.update(bytes(7), with_key), NO_IMAGE
    yield "larger than there is room", good[:8] + struct.pack("<I", 1 << 30) + good[12:], NO_IMAGE
    yield "signed by somebody else", theirs.update(payload, with_key), WRONG_KEY if with_key else WRONG_SIGNATURE
    if with_key:
        yield "a bit of the key changed", changed(good, 16 + signature + 5), WRONG_KEY
        yield (
            "signed by somebody else, our key sent along",
            theirs.update(payload, True).replace(theirs.key, ours.key),
            WRONG_SIGNATURE,
        )
        yield "without a key", ours.update(payload, False), NO_IMAGE
    else:
        yield "with a key of its own", theirs.update(payload, True), NO_IMAGE


def check_absent(name, image):
    """What AIOLI_OPERATIONS leaves out says so, and wants no memory."""
    calls = ["keypair", "sign", "signer_init", "verifier_init", "digests"]
    said, _ = board.run_script(image, [f"alg {name}", "set msg 1 00", *(f"run {call}" for call in calls)])
    wanted = [["run", call, ABSENT, "0"] for call in calls]
    got = [line.split()[:4] for line in said if line.startswith("run ")]
    return [] if got == wanted else [f"{name}: a library that only verifies answers {got}"]


def check(name):
    """Builds both boot loaders and feeds them; prints their sizes; problems, as lines."""
    if name.startswith("UOV"):
        raise board.Failure(
            "the boot loader keeps a public key in a few kilobytes of flash and passes it by a hash: sets of MAYO only"
        )
    ours, theirs = Signer(name), Signer(name, 1)
    keys = board.BUILD / f"{name}-boot-key"
    for kind, data in (("key", ours.key), ("hash", hashlib.shake_256(ours.key).digest(DIGEST_BYTES[name.split("-")[1]]))):
        (keys / kind).mkdir(parents=True, exist_ok=True)
        file = keys / kind / "boot_key.inc"
        if not file.exists() or file.read_text() != initialiser(data):
            file.write_text(initialiser(data))
    options = ["-DAIOLI_OPERATIONS=verify", "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DAIOLI_BOOT_KEY={keys}"]
    where = board.build(name, "small", ["boot-key", "boot-hash", "application", "runner"], options, "-boot")
    payload = (where / "application.bin").read_bytes() + bytes(range(256)) * 40  # what lies behind the program is signed as well
    problems = check_absent(name, where / "runner.elf")
    for kind in ("key", "hash"):
        image = where / f"boot-{kind}.elf"
        for what, update, status in cases(ours, theirs, payload, kind == "hash"):
            with tempfile.TemporaryDirectory() as directory:
                file = Path(directory, "update")
                file.write_bytes(update)
                try:
                    said = board.run(image, [file], expect=status)
                except board.Failure as failure:
                    problems.append(f"{name}, {kind} in flash, an image {what}: {failure}")
                    continue
            if "; something to start" in said or (status in (WRONG_SIGNATURE, UNREADABLE) and "; nothing to start" not in said):
                problems.append(f"{name}, {kind} in flash, an image {what}: vectors are left of what was rejected")
            if ("application runs" in said) != (status == 0):
                problems.append(
                    f"{name}, {kind} in flash, an image {what}: the application {'does not run' if status == 0 else 'runs'}"
                )
            elif status == 0:
                memory = said.split()
                size = subprocess.run(["arm-none-eabi-size", image], capture_output=True, text=True, check=True).stdout.split()
                print(f"{name}, boot loader with the {kind} in flash: {int(size[6]):,} bytes of flash, all told, "
                      f"{int(size[8]):,} of static RAM, "
                      f"{int(memory[1]):,} of stack, {int(memory[3]):,} of workspace")  # fmt: skip
    return problems
