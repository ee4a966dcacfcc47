#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: liboqs.py LIBOQS.so DIR: liboqs' part of the comparison; exchange.cpp says what lies in DIR.

liboqs has keys and signatures, but no files of them.  Prints a line for each check: set, check, pass or fail, what failed.
"""

import ctypes
import os
import sys
from pathlib import Path


class Head(ctypes.Structure):
    """The beginning of OQS_SIG of liboqs 0.13: what is not a function."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("level", ctypes.c_uint8),
        ("euf_cma", ctypes.c_bool),
        ("suf_cma", ctypes.c_bool),
        ("with_context", ctypes.c_bool),
        ("pk_bytes", ctypes.c_size_t),
        ("sk_bytes", ctypes.c_size_t),
        ("sig_bytes", ctypes.c_size_t),
    ]


class Liboqs:
    def __init__(self, path, name):
        self.lib = ctypes.CDLL(path)
        self.lib.OQS_SIG_new.restype = ctypes.POINTER(Head)
        self.lib.OQS_init()
        self.sig = self.lib.OQS_SIG_new(name.encode())
        if not self.sig:
            raise ValueError(f"liboqs has no {name}")
        self.sizes = self.sig.contents

    def draw_from(self, tape):
        """Has liboqs take its randomness from `tape` (a bytearray, emptied as it is drawn); None: from the system."""

        def draw(out, count):
            piece = os.urandom(count) if tape is None else bytes(tape[:count])
            if tape is not None:
                del tape[:count]
            ctypes.memmove(out, piece.ljust(count, b"\0"), count)

        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)(draw)
        self.lib.OQS_randombytes_custom_algorithm(self.callback)

    def keypair(self):
        pk, sk = (ctypes.create_string_buffer(n) for n in (self.sizes.pk_bytes, self.sizes.sk_bytes))
        if self.lib.OQS_SIG_keypair(self.sig, pk, sk) != 0:
            raise ValueError("no key pair")
        return pk.raw, sk.raw

    def sign(self, message, sk):
        out, count = ctypes.create_string_buffer(self.sizes.sig_bytes), ctypes.c_size_t()
        if self.lib.OQS_SIG_sign(self.sig, out, ctypes.byref(count), message, ctypes.c_size_t(len(message)), sk) != 0:
            raise ValueError("no signature")
        return out.raw[: count.value]

    def verify(self, message, sig, pk):
        counts = ctypes.c_size_t(len(message)), ctypes.c_size_t(len(sig))
        return self.lib.OQS_SIG_verify(self.sig, message, counts[0], sig, counts[1], pk) == 0


def flipped(data, at):
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def compare(directory, ours, peer):
    given = {suffix: (directory / f"{ours}.{suffix}").read_bytes() for suffix in ("seed", "R", "msg", "pk", "sk", "sig")}
    message, sig = given["msg"], given["sig"]

    def check(what, wrong):
        print(ours, what, "fail" if wrong else "pass", wrong, sep="\t")

    tape = bytearray(given["seed"])
    peer.draw_from(tape)
    pair = peer.keypair()
    check("same pair", "" if pair == (given["pk"], given["sk"]) and not tape else "another pair from the same seed")
    tape = bytearray(given["R"])
    peer.draw_from(tape)
    same = peer.sign(message, given["sk"])
    check("same signature", "" if same == sig and not tape else "another signature from the same randomness")
    check("they verify", "" if peer.verify(message, sig, given["pk"]) else "refused")
    changed = {
        "another message": (flipped(message, 3), sig),
        "another solution": (message, flipped(sig, 3)),
        "another salt": (message, flipped(sig, len(sig) - 1)),
        "a shorter one": (message, sig[:-1]),
        "a longer one": (message, sig + b"\0"),
    }
    check("they refuse", "; ".join(f"accepts {what}" for what, it in changed.items() if peer.verify(*it, given["pk"])))

    peer.draw_from(None)
    pk, sk = peer.keypair()
    for suffix, data in (("pk", pk), ("sk", sk), ("sig", peer.sign(message, sk))):
        (directory / f"{ours}.fresh.{suffix}").write_bytes(data)


def main():
    library, directory = sys.argv[1], Path(sys.argv[2])
    for line in (directory / "sets").read_text().splitlines():
        ours, theirs, _ = line.split()
        compare(directory, ours, Liboqs(library, theirs))


if __name__ == "__main__":
    main()
