# SPDX-License-Identifier: Apache-2.0
"""AES-256-CTR-DRBG without derivation function (NIST SP 800-90A), from which known answers draw: for a handful of records, slow and plain."""


def _times2(x):
    return (x << 1 ^ (0x11B if x & 0x80 else 0)) & 0xFF


def _make_sbox():
    """The inverse in GF(256), then the affine map."""
    powers, x = [], 1
    for _ in range(255):  # 3 generates the multiplicative group
        powers.append(x)
        x ^= _times2(x)
    inverse = {powers[i]: powers[-i % 255] for i in range(255)}
    sbox = []
    for value in range(256):
        b = inverse.get(value, 0)
        sbox.append(0x63 ^ b ^ (b << 1 | b >> 7) & 0xFF ^ (b << 2 | b >> 6) & 0xFF ^ (b << 3 | b >> 5) & 0xFF ^ (b << 4 | b >> 4) & 0xFF)
    return sbox


SBOX = _make_sbox()


def aes256(key, block):
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
    def __init__(self, seed):
        self.key, self.v = bytes(32), bytes(16)
        self._update(seed)

    def _blocks(self, n):
        out = b""
        while len(out) < n:
            self.v = ((int.from_bytes(self.v, "big") + 1) % 2**128).to_bytes(16, "big")
            out += aes256(self.key, self.v)
        return out[:n]

    def _update(self, data):
        new = bytes(a ^ b for a, b in zip(self._blocks(48), data))
        self.key, self.v = new[:32], new[32:]

    def generate(self, n):
        out = self._blocks(n)
        self._update(bytes(48))
        return out
