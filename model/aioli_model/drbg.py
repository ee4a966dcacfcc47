# SPDX-License-Identifier: Apache-2.0
"""AES-256-CTR-DRBG without derivation function (NIST SP 800-90A): the source of randomness of known-answer files."""

from .expand import aes_blocks, check_length


class Drbg:
    """Seeded with 48 bytes.  A request for any number of bytes ends with an update, so where requests end matters."""

    SEED_BYTES = 48

    def __init__(self, seed: bytes) -> None:
        check_length("the seed", seed, self.SEED_BYTES)
        self._key = bytes(32)
        self._counter = 0
        self._update(seed)

    def _blocks(self, count: int) -> bytes:
        counters = b"".join(((self._counter + i) % 2**128).to_bytes(16, "big") for i in range(1, count + 1))
        self._counter = (self._counter + count) % 2**128
        return aes_blocks(self._key, counters)

    def _update(self, data: bytes) -> None:
        state = bytes(a ^ b for a, b in zip(self._blocks(3), data, strict=True))
        self._key, self._counter = state[:32], int.from_bytes(state[32:], "big")

    def request(self, size: int) -> bytes:
        out = self._blocks((size + 15) // 16)[:size]
        self._update(bytes(self.SEED_BYTES))
        return out
