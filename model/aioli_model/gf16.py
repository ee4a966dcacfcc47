# SPDX-License-Identifier: Apache-2.0
"""GF(16) = GF(2)[x]/(x^4 + x + 1).  An element is a nibble, bit i the coefficient of x^i; addition is XOR."""

import numpy as np


def _product(a: int, b: int) -> int:
    product = 0
    for i in range(4):
        if b >> i & 1:
            product ^= a << i
    for i in (6, 5, 4):  # x^4 = x + 1
        if product >> i & 1:
            product ^= 0b10011 << (i - 4)
    return product


MUL = np.array([[_product(a, b) for b in range(16)] for a in range(16)], dtype=np.uint8)
INV = np.array([0] + [int(np.flatnonzero(MUL[a] == 1)[0]) for a in range(1, 16)], dtype=np.uint8)


def mul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The elementwise product, with numpy's broadcasting."""
    return MUL[a, b]


def _bits(a: np.ndarray) -> np.ndarray:
    """A new last axis of four: the bits of every element, as numbers 0.0 and 1.0."""
    return (a[..., np.newaxis] >> np.arange(4, dtype=np.uint8) & 1).astype(np.float32)


def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The matrix product over GF(16), with the shapes and the broadcasting of numpy.matmul: (.., r, s) by (.., s, c).

    Multiplication by a constant b is linear over GF(2): a b = sum_i a_i (x^i b).  So a product over GF(16) is a product of bit
    matrices, (r, 4s) by (4s, 4c), and those are products of integers, taken modulo 2 -- which numpy is very fast at.
    """
    r, s, c = a.shape[-2], a.shape[-1], b.shape[-1]
    a_bits = _bits(a).reshape(*a.shape[:-2], r, 4 * s)
    multiples = MUL[b[..., :, np.newaxis, :], np.array([1, 2, 4, 8])[:, np.newaxis]]  # x^i b, shape (.., s, 4, c)
    b_bits = _bits(multiples).reshape(*b.shape[:-2], 4 * s, 4 * c)
    counts = np.matmul(a_bits, b_bits)  # at most 4 s < 2^24, so exact in float32
    bits = counts.astype(np.uint16) & 1
    return (bits.reshape(*counts.shape[:-1], c, 4) @ np.array([1, 2, 4, 8], dtype=np.uint16)).astype(np.uint8)


def sample_solution(A: np.ndarray, y: np.ndarray, r: np.ndarray) -> np.ndarray | None:
    """The solution x of A x = y that equals r in every column without a pivot; None if the rank of A is below its row count.

    A has the shape (m, columns), with at least as many columns as rows.  Pivots are the leftmost possible ones, which fixes x
    completely: any other way of eliminating gives the same x.
    """
    m, columns = A.shape
    rows = np.column_stack([A, y ^ matmul(A, r[:, np.newaxis])[:, 0]])  # [A | y - A r]
    pivots: list[int] = []
    for column in range(columns):
        rank = len(pivots)
        if rank == m:
            break
        candidates = np.flatnonzero(rows[rank:, column])
        if candidates.size == 0:
            continue  # a free column
        rows[[rank, rank + candidates[0]]] = rows[[rank + candidates[0], rank]]
        rows[rank] = mul(INV[rows[rank, column]], rows[rank])
        factors = rows[:, column].copy()
        factors[rank] = 0
        rows ^= mul(factors[:, np.newaxis], rows[rank])
        pivots.append(column)
    if len(pivots) < m:
        return None
    x = r.copy()
    x[pivots] ^= rows[:, columns]
    return x
