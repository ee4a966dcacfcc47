# SPDX-License-Identifier: Apache-2.0
"""MAYO.CompactKeyGen.  The secret key is a seed."""

import numpy as np

from .encoding import encode_upper
from .expand import expand_public_seed, expand_secret_seed
from .gf16 import matmul
from .params import Params


def fold_upper(M: np.ndarray) -> np.ndarray:
    """The upper triangular matrices with the same quadratic forms: what is below the diagonal moves above it.  (m, o, o)."""
    return np.triu(M) ^ np.triu(M.swapaxes(1, 2), 1)


def compute_P3(params: Params, O: np.ndarray, P1: np.ndarray, P2: np.ndarray) -> np.ndarray:
    """Upper(O^T P1 O + O^T P2), (m, o, o): the only P3 for which every form vanishes on the oil space (O x, x)."""
    return fold_upper(matmul(O.T, matmul(P1, O) ^ P2))


def public_key(params: Params, seed_pk: bytes, O: np.ndarray) -> bytes:
    P1, P2 = expand_public_seed(params, seed_pk)
    return seed_pk + encode_upper(params, compute_P3(params, O, P1, P2))


def public_from_secret(params: Params, seed_sk: bytes) -> bytes:
    return public_key(params, *expand_secret_seed(params, seed_sk))


def keypair_from_seed(params: Params, seed_sk: bytes) -> tuple[bytes, bytes]:
    """The public key and the secret key."""
    return public_from_secret(params, seed_sk), seed_sk
