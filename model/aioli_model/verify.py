# SPDX-License-Identifier: Apache-2.0
"""MAYO.ExpandPK and MAYO.Verify."""

from functools import lru_cache

import numpy as np

from .encoding import decode_nibbles, decode_upper
from .expand import H, check_length, expand_public_seed, expand_target
from .gf16 import matmul
from .params import Params
from .whipping import whip, whip_pairs


@lru_cache(maxsize=8)
def expand_public_key(params: Params, pk: bytes) -> np.ndarray:
    """P (m, n, n): the upper triangular matrices [[P1, P2], [0, P3]].  Every byte string of the right length is a key."""
    check_length("the public key", pk, params.pk_bytes)
    v = params.v
    P = np.zeros((params.m, params.n, params.n), dtype=np.uint8)
    P[:, :v, :v], P[:, :v, v:] = expand_public_seed(params, pk[: params.PK_SEED_BYTES])
    P[:, v:, v:] = decode_upper(params, pk[params.PK_SEED_BYTES :], params.o)
    P.setflags(write=False)
    return P


def evaluate(params: Params, P: np.ndarray, S: np.ndarray, Lambda: np.ndarray | None) -> np.ndarray:
    """The public map P*(s), with L(s) added in round 3, at the blocks S (k, n).  (m,)."""
    y = whip_pairs(params, matmul(S, matmul(P, S.T)))
    if Lambda is not None:
        linear = matmul(Lambda, S.T)  # Lambda(s_i), (m, k)
        y = y ^ whip(params, {params.exponent[i][0]: linear[:, i] for i in range(params.k)})
    return y


def verify_digest(params: Params, pk: bytes, digest: bytes, signature: bytes) -> bool:
    check_length("the digest", digest, params.digest_bytes)
    P = expand_public_key(params, pk)
    if len(signature) != params.sig_bytes:
        return False
    if params.k * params.n % 2 == 1 and signature[params.s_bytes - 1] >> 4 != 0:
        return False  # stricter than the specification of round 1, which leaves the spare nibble unread
    S = decode_nibbles(signature[: params.s_bytes], params.k * params.n).reshape(params.k, params.n)
    t, Lambda = expand_target(params, digest, signature[params.s_bytes :])
    return bool(np.array_equal(evaluate(params, P, S, Lambda), t))


def verify(params: Params, pk: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` is one of `message` under `pk`.  ValueError if pk does not have its length."""
    return verify_digest(params, pk, H(message, params.digest_bytes), signature)
