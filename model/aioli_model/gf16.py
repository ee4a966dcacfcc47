# SPDX-License-Identifier: Apache-2.0
"""GF(16) = GF(2)[x]/(x^4 + x + 1).  An element is a nibble, bit i the coefficient of x^i; addition is XOR."""

from .field import Field

GF16 = Field(0b10011)
MUL, INV = GF16.MUL, GF16.INV
mul, matmul, sample_solution = GF16.mul, GF16.matmul, GF16.sample_solution
