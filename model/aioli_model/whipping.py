# SPDX-License-Identifier: Apache-2.0
"""R = GF(16)[z]/(f(z)): an m-vector is read as a polynomial, element i being the coefficient of z^i."""

from collections.abc import Mapping

import numpy as np

from .gf16 import mul
from .params import Params


def times_z(params: Params, a: np.ndarray) -> np.ndarray:
    """z a mod f(z), for every m-vector along the first axis of `a`."""
    top = a[-1]
    product = np.concatenate([np.zeros_like(a[:1]), a[:-1]])
    for power, coefficient in enumerate(params.f_tail):  # z^m = f0 + f1 z + ..
        product[power] ^= mul(top, coefficient)
    return product


def whip(params: Params, terms: Mapping[int, np.ndarray]) -> np.ndarray:
    """The sum of z^e terms[e] over all e, by Horner's rule from the largest exponent down."""
    total = np.zeros_like(next(iter(terms.values())))
    for e in range(max(terms), -1, -1):
        total = times_z(params, total)
        if e in terms:
            total = total ^ terms[e]
    return total


def whip_pairs(params: Params, U: np.ndarray) -> np.ndarray:
    """The sum over i <= j of z^e(i,j) u_ij, where u_ii = U[:, i, i] and u_ij = U[:, i, j] + U[:, j, i].  U is (m, k, k)."""
    terms = {}
    for i in range(params.k):
        terms[params.exponent[i][i]] = U[:, i, i]
        for j in range(i + 1, params.k):
            terms[params.exponent[i][j]] = U[:, i, j] ^ U[:, j, i]
    return whip(params, terms)


def whip_row(params: Params, i: int, M: list[np.ndarray]) -> np.ndarray:
    """The sum over j of z^e(i,j) M[j]: what meets block i.  Every M[j] has the equations along its first axis."""
    return whip(params, {params.exponent[i][j]: M[j] for j in range(params.k)})
