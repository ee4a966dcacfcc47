# SPDX-License-Identifier: Apache-2.0
"""AES-256-CTR-DRBG without derivation function (NIST SP 800-90A), from which known answers draw: slow and plain.

It imports nothing: tools/m4, which has no libraries, takes this file by itself.
"""


def _times2(x: int) -> int:
    return (x << 1 ^ (0x11B if x & 0x80 else 0)) & 0xFF


def _make_sbox() -> list[int]:
    """The inverse in GF(256), then the affine map."""
    powers, x = [], 1
    for _ in range(255):  # 3 generates the multiplicative group
        powers.append(x)
        x ^= _times2(x)
    inverse = {powers[i]: powers[-i % 255] for i in range(255)}
    sbox = []
    for value in range(256):
        b = inverse.get(value, 0)
        sbox.append(
            0x63 ^ b ^ (b << 1 | b >> 7) & 0xFF ^ (b << 2 | b >> 6) & 0xFF ^ (b << 3 | b >> 5) & 0xFF ^ (b << 4 | b >> 4) & 0xFF
        )
    return sbox


SBOX = _make_sbox()


def _aes256(key: bytes, block: bytes) -> bytes:
    """One block."""
    words, constant = [list(key[i : i + 4]) for i in range(0, 32, 4)], 1
    for i in range(8, 60):
        word = list(words[i - 1])
        if i % 8 == 0:
            word = [SBOX[b] for b in word[1:] + word[:1]]
            word[0] ^= constant
            constant = _times2(constant)
        elif i % 8 == 4:
            word = [SBOX[b] for b in word]
        words.append([a ^ b for a, b in zip(words[i - 8], word)])
    round_keys = [sum(words[4 * r : 4 * r + 4], []) for r in range(15)]
    state = [a ^ b for a, b in zip(block, round_keys[0])]
    for r in range(1, 15):
        state = [SBOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]  # SubBytes, ShiftRows
        if r < 14:
            mixed = []
            for c in range(0, 16, 4):
                column = state[c : c + 4]
                every = column[0] ^ column[1] ^ column[2] ^ column[3]
                mixed += [column[i] ^ every ^ _times2(column[i] ^ column[(i + 1) % 4]) for i in range(4)]
            state = mixed
        state = [a ^ b for a, b in zip(state, round_keys[r])]
    return bytes(state)


class Drbg:
    """Seeded with 48 bytes.  A request for any number of bytes ends with an update, so where requests end matters."""

    SEED_BYTES = 48

    def __init__(self, seed: bytes) -> None:
        if len(seed) != self.SEED_BYTES:
            raise ValueError(f"the seed has {len(seed)} bytes instead of {self.SEED_BYTES}")
        self._key = bytes(32)
        self._counter = 0
        self._update(seed)

    def _blocks(self, count: int) -> bytes:
        out = b""
        for _ in range(count):
            self._counter = (self._counter + 1) % 2**128
            out += _aes256(self._key, self._counter.to_bytes(16, "big"))
        return out

    def _update(self, data: bytes) -> None:
        state = bytes(a ^ b for a, b in zip(self._blocks(3), data, strict=True))
        self._key, self._counter = state[:32], int.from_bytes(state[32:], "big")

    def request(self, size: int) -> bytes:
        out = self._blocks((size + 15) // 16)[:size]
        self._update(bytes(self.SEED_BYTES))
        return out
