# SPDX-License-Identifier: Apache-2.0
"""GF(2^w) for small w, products of matrices over it, and the solver.  An element is a number, bit i the coefficient of x^i."""

import numpy as np


class Field:
    """GF(2)[x]/(modulus); `modulus` has its bits as an element has, and so one more of them."""

    def __init__(self, modulus: int) -> None:
        self.bits = modulus.bit_length() - 1
        self.q = 1 << self.bits
        self._modulus = modulus
        self.MUL = np.array([[self._product(a, b) for b in range(self.q)] for a in range(self.q)], dtype=np.uint8)
        self.INV = np.array([0] + [int(np.flatnonzero(self.MUL[a] == 1)[0]) for a in range(1, self.q)], dtype=np.uint8)

    def _product(self, a: int, b: int) -> int:
        product = 0
        for i in range(self.bits):
            if b >> i & 1:
                product ^= a << i
        for i in range(2 * self.bits - 2, self.bits - 1, -1):
            if product >> i & 1:
                product ^= self._modulus << (i - self.bits)
        return product

    def mul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The elementwise product, with numpy's broadcasting."""
        return self.MUL[a, b]

    def _split(self, a: np.ndarray) -> np.ndarray:
        """A new last axis: the bits of every element, as numbers 0.0 and 1.0."""
        return (a[..., np.newaxis] >> np.arange(self.bits, dtype=np.uint8) & 1).astype(np.float32)

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The matrix product, with the shapes and the broadcasting of numpy.matmul: (.., r, s) by (.., s, c).

        Multiplication by a constant b is linear over GF(2): a b = sum_i a_i (x^i b).  So a product over GF(2^w) is a product of
        bit matrices, (r, w s) by (w s, w c), and those are products of integers, taken modulo 2 -- which numpy is very fast at.
        """
        w, r, s, c = self.bits, a.shape[-2], a.shape[-1], b.shape[-1]
        powers = 1 << np.arange(w)
        a_bits = self._split(a).reshape(*a.shape[:-2], r, w * s)
        multiples = self.MUL[b[..., :, np.newaxis, :], powers[:, np.newaxis]]  # x^i b, shape (.., s, w, c)
        b_bits = self._split(multiples).reshape(*b.shape[:-2], w * s, w * c)
        counts = np.matmul(a_bits, b_bits)  # at most w s < 2^24, so exact in float32
        bits = counts.astype(np.uint16) & 1
        return (bits.reshape(*counts.shape[:-1], c, w) @ powers.astype(np.uint16)).astype(np.uint8)

    def sample_solution(self, A: np.ndarray, y: np.ndarray, r: np.ndarray) -> np.ndarray | None:
        """The solution x of A x = y that equals r in every column without a pivot; None if the rank of A is below its row count.

        A has the shape (m, columns), with at least as many columns as rows.  Pivots are the leftmost possible ones, which fixes x
        completely: any other way of eliminating gives the same x.
        """
        m, columns = A.shape
        rows = np.column_stack([A, y ^ self.matmul(A, r[:, np.newaxis])[:, 0]])  # [A | y - A r]
        pivots: list[int] = []
        for column in range(columns):
            rank = len(pivots)
            if rank == m:
                break
            candidates = np.flatnonzero(rows[rank:, column])
            if candidates.size == 0:
                continue  # a free column
            rows[[rank, rank + candidates[0]]] = rows[[rank + candidates[0], rank]]
            rows[rank] = self.mul(self.INV[rows[rank, column]], rows[rank])
            factors = rows[:, column].copy()
            factors[rank] = 0
            rows ^= self.mul(factors[:, np.newaxis], rows[rank])
            pivots.append(column)
        if len(pivots) < m:
            return None
        x = r.copy()
        x[pivots] ^= rows[:, columns]
        return x
