#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes shake256_vectors.txt beside this file: SHAKE256 as Python's hashlib computes it.

Each line is: message length, output length, output in hexadecimal.  Byte i of a message of n bytes is (7 i + 13 n + i // 256 + 1)
modulo 256; test_shake256.cpp makes the same.
"""

import hashlib
from pathlib import Path

RATE = 136
LONG = [(0, 1000), (RATE - 1, 409), (RATE, 4 * RATE), (RATE + 1, 4 * RATE + 1), (2 * RATE, RATE + 1), (1000, RATE), (100000, 32)]


def message(n):
    return bytes((7 * i + 13 * n + i // 256 + 1) % 256 for i in range(n))


def main():
    # every message length up to two blocks and more; output lengths 1 .. 64
    shapes = [(n, 1 + 5 * n % 64) for n in range(301)] + LONG
    lines = [f"{n} {out} {hashlib.shake_256(message(n)).hexdigest(out)}\n" for n, out in shapes]
    (Path(__file__).parent / "shake256_vectors.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
