# SPDX-License-Identifier: Apache-2.0
"""MAYO.ExpandSK and MAYO.Sign."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .encoding import decode_nibbles, encode_nibbles
from .expand import H, check_length, expand_public_seed, expand_secret_seed, expand_target
from .gf16 import matmul, sample_solution
from .params import Params
from .whipping import whip, whip_pairs, whip_row

ATTEMPTS = 256  # the attempt's number is one byte

Vinegar = tuple[np.ndarray, np.ndarray]  # V (k, v) and the free columns r (k o,)


class NoSolution(Exception):
    """All 256 attempts met a singular system."""


@dataclass(frozen=True)
class SigningKey:
    """The expanded secret key."""

    params: Params
    O: np.ndarray  # (v, o)
    P1: np.ndarray  # (m, v, v)
    L: np.ndarray  # (m, v, o): (P1 + P1^T) O + P2


@dataclass(frozen=True)
class Signed:
    signature: bytes
    attempts: int  # 1 unless a system was singular


def expand_key(params: Params, seed_pk: bytes, O: np.ndarray) -> SigningKey:
    P1, P2 = expand_public_seed(params, seed_pk)
    return SigningKey(params, O, P1, matmul(P1 ^ P1.swapaxes(1, 2), O) ^ P2)


@lru_cache(maxsize=8)
def expand_secret_key(params: Params, seed_sk: bytes) -> SigningKey:
    return expand_key(params, *expand_secret_seed(params, seed_sk))


def derive_salt(params: Params, digest: bytes, R: bytes, seed_sk: bytes) -> bytes:
    return H(digest + R + seed_sk, params.lam)


def derive_vinegar(params: Params, digest: bytes, salt: bytes, seed_sk: bytes, attempt: int) -> Vinegar:
    data = H(digest + salt + seed_sk + bytes([attempt]), params.k * params.v_bytes + params.r_bytes)
    V = [decode_nibbles(data[i * params.v_bytes : (i + 1) * params.v_bytes], params.v) for i in range(params.k)]
    return np.array(V), decode_nibbles(data[params.k * params.v_bytes :], params.ko)


def linear_system(key: SigningKey, V: np.ndarray, t: np.ndarray, Lambda: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """A (m, k o) and y (m,): the blocks s_i = (v_i + O x_i, x_i) hit the target if and only if A x = y."""
    params = key.params
    U = matmul(V, matmul(key.P1, V.T))  # v_i^T P1 v_j
    y = t ^ whip_pairs(params, U)
    M = [M_i for M_i in matmul(V, key.L).swapaxes(0, 1)]  # M_i = v_i^T L, (m, o) each
    A = [whip_row(params, i, M) for i in range(params.k)]
    if Lambda is not None:
        # L(s) = sum_i z^e(i,0) Lambda s_i, and s_i = (v_i, 0) + (O, I) x_i
        in_vinegar = matmul(Lambda[:, : params.v], V.T)  # (m, k)
        in_oil = matmul(Lambda[:, : params.v], key.O) ^ Lambda[:, params.v :]  # (m, o)
        y = y ^ whip(params, {params.exponent[i][0]: in_vinegar[:, i] for i in range(params.k)})
        A = [A_i ^ whip(params, {params.exponent[i][0]: in_oil}) for i, A_i in enumerate(A)]
    return np.concatenate(A, axis=1), y


def sign_target(
    key: SigningKey, digest: bytes, salt: bytes, vinegar: Callable[[int], Vinegar], miss: np.ndarray | None = None
) -> Signed:
    """Signs with any salt and any source of vinegar, which is called with 0, 1, .. until a system has full rank.

    `sign` takes both from the message and the key.  Others serve tests: singular systems, vinegar with zeros, chosen salts.  With
    `miss`, of shape (m,), the public map at the blocks differs from the target by exactly that.
    """
    params = key.params
    t, Lambda = expand_target(params, digest, salt)
    if miss is not None:
        t = t ^ miss
    for attempt in range(ATTEMPTS):
        V, r = vinegar(attempt)
        A, y = linear_system(key, V, t, Lambda)
        x = sample_solution(A, y, r)
        if x is None:
            continue
        X = x.reshape(params.k, params.o)
        S = np.concatenate([V ^ matmul(X, key.O.T), X], axis=1)  # row i is s_i
        return Signed(encode_nibbles(S) + salt, attempt + 1)
    raise NoSolution(f"{params.name}: {ATTEMPTS} singular systems")


def sign_digest(params: Params, seed_sk: bytes, digest: bytes, R: bytes) -> Signed:
    """Signs the digest H(message, digest_bytes) with the randomizer R of lam bytes."""
    check_length("the digest", digest, params.digest_bytes)
    check_length("R", R, params.lam)
    salt = derive_salt(params, digest, R, seed_sk)
    key = expand_secret_key(params, seed_sk)
    return sign_target(key, digest, salt, lambda attempt: derive_vinegar(params, digest, salt, seed_sk, attempt))


def sign(params: Params, seed_sk: bytes, message: bytes, R: bytes | None = None) -> bytes:
    """A signature of sig_bytes.  Without R the deterministic one, R = 0."""
    R = bytes(params.lam) if R is None else R
    return sign_digest(params, seed_sk, H(message, params.digest_bytes), R).signature
