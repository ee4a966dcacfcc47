# SPDX-License-Identifier: Apache-2.0
"""From seeds and digests to everything that is derived from them."""

from functools import lru_cache
from hashlib import shake_256

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from .encoding import decode_m_vectors, decode_matrix, decode_nibbles, decode_upper
from .params import Params


def H(data: bytes, size: int) -> bytes:
    """The first `size` bytes of SHAKE256(data)."""
    return shake_256(data).digest(size)


def aes_blocks(key: bytes, blocks: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(blocks)


def aes_ctr(key: bytes, size: int) -> bytes:
    """AES-128 in counter mode: block c is the encryption of c as 16 bytes, most significant first."""
    return Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor().update(bytes(size))


def check_length(what: str, data: bytes, size: int) -> None:
    if len(data) != size:
        raise ValueError(f"{what} has {len(data)} bytes instead of {size}")


def expand_secret_seed(params: Params, seed_sk: bytes) -> tuple[bytes, np.ndarray]:
    """seed_pk, and O of shape (v, o)."""
    check_length("the secret key", seed_sk, params.sk_bytes)
    S = H(seed_sk, params.PK_SEED_BYTES + params.O_bytes)
    O = decode_nibbles(S[params.PK_SEED_BYTES :], params.v * params.o).reshape(params.v, params.o)
    return S[: params.PK_SEED_BYTES], O


@lru_cache(maxsize=8)  # the same key is often used again, and nobody writes to the arrays
def expand_public_seed(params: Params, seed_pk: bytes) -> tuple[np.ndarray, np.ndarray]:
    """P1 (m, v, v), upper triangular, and P2 (m, v, o)."""
    stream = aes_ctr(seed_pk, params.P1_bytes + params.P2_bytes)
    P1 = decode_upper(params, stream, params.v)
    P2 = decode_matrix(params, stream[params.P1_bytes :], params.v, params.o)
    P1.setflags(write=False)
    P2.setflags(write=False)
    return P1, P2


def expand_target(params: Params, digest: bytes, salt: bytes) -> tuple[np.ndarray, np.ndarray | None]:
    """t (m,), which a signature must hit, and in round 3 the linear form Lambda (m, n) that goes with it; else None."""
    h = H(digest + salt, params.m_bytes + 32)  # in rounds 1 and 2 the last 32 bytes are not used
    t = decode_nibbles(h, params.m)
    if not params.has_linear_term:
        return t, None
    key, iv = h[params.m_bytes :][:16], h[params.m_bytes + 16 :]
    size = params.n * params.m_bytes
    blocks = b"".join(
        iv[:12] + (int.from_bytes(iv[12:], "big") ^ c).to_bytes(4, "big")  # XOR, not addition
        for c in range((size + 15) // 16)
    )
    return t, decode_m_vectors(params, aes_blocks(key, blocks), params.n)
