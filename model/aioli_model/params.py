# SPDX-License-Identifier: Apache-2.0
"""The sixteen parameter sets of MAYO: three rounds of NIST's call, round 1 in two key formats."""

from dataclasses import dataclass
from functools import cached_property


def _counting_schedule(k: int) -> tuple[tuple[int, ...], ...]:
    """Rounds 1 and 2: count up while i runs from 0 to k-1 and, inside, j from k-1 down to i."""
    table = [[0] * k for _ in range(k)]
    label = 0
    for i in range(k):
        for j in range(k - 1, i - 1, -1):
            table[i][j] = table[j][i] = label
            label += 1
    return tuple(map(tuple, table))


def _table(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, row.split())) for row in text.split("/"))


# Round 3: fixed symmetric tables, one per k; a set that has another is found by its name.
_ROUND_3_SCHEDULES: dict[int | str, tuple[tuple[int, ...], ...]] = {
    5: _table("11 13 3 4 6 / 13 0 14 10 2 / 3 14 8 1 5 / 4 10 1 12 9 / 6 2 5 9 7"),
    10: _table(
        "10 25 7 44 40 24 12 32 5 27 / 25 6 45 50 19 0 11 14 37 52 / 7 45 51 16 42 30 53 8 21 4 /"
        "44 50 16 15 39 26 48 54 23 34 / 40 19 42 39 22 33 1 35 41 18 / 24 0 30 26 33 13 46 17 2 47 /"
        "12 11 53 48 1 46 36 20 49 43 / 32 14 8 54 35 17 20 38 29 9 / 5 37 21 23 41 2 49 29 3 31 /"
        "27 52 4 34 18 47 43 9 31 28"
    ),
    11: _table(
        "35 13 39 32 4 7 40 14 43 62 64 / 13 55 42 11 63 19 58 49 36 12 20 / 39 42 6 15 57 47 16 34 44 46 50 /"
        "32 11 15 18 5 21 28 10 51 24 31 / 4 63 57 5 38 0 56 29 54 60 23 / 7 19 47 21 0 22 27 61 3 48 8 /"
        "40 58 16 28 56 27 37 45 30 1 17 / 14 49 34 10 29 61 45 26 52 59 41 / 43 36 44 51 54 3 30 52 25 9 2 /"
        "62 12 46 24 60 48 1 59 9 53 65 / 64 20 50 31 23 8 17 41 2 65 33"
    ),
    12: _table(
        "62 30 52 53 24 0 25 12 71 20 57 32 / 30 7 37 55 43 70 31 47 35 9 69 15 / 52 37 64 26 76 45 54 10 40 34 11 19 /"
        "53 55 26 61 16 60 5 18 42 17 8 75 / 24 43 76 16 41 27 6 2 4 51 68 38 / 0 70 45 60 27 63 22 49 23 1 21 48 /"
        "25 31 54 5 6 22 14 29 44 65 77 72 / 12 47 10 18 2 49 29 58 67 59 39 56 / 71 35 40 42 4 23 44 67 33 73 36 74 /"
        "20 9 34 17 51 1 65 59 73 28 46 3 / 57 69 11 8 68 21 77 39 36 46 50 13 / 32 15 19 75 38 48 72 56 74 3 13 66"
    ),
}


@dataclass(frozen=True)
class Params:
    """One parameter set.  `f_tail` lists f0, f1, .. of f(z) = z^m + .. + f1 z + f0."""

    name: str
    round: int
    category: int  # NIST's security category aimed at
    n: int
    m: int
    o: int
    k: int
    f_tail: tuple[int, ...]
    bit_sliced: bool = False  # m-vectors of P1, P2, P3 as four bit planes (round 1 as specified)

    PK_SEED_BYTES = 16

    @property
    def v(self) -> int:
        return self.n - self.o

    @property
    def ko(self) -> int:
        return self.k * self.o

    @property
    def lam(self) -> int:
        """Bytes of the secret seed, of the salt and of the randomizer R."""
        return {1: 24, 3: 32, 5: 40}[self.category]

    @property
    def digest_bytes(self) -> int:
        return {1: 32, 3: 48, 5: 64}[self.category]

    @property
    def has_linear_term(self) -> bool:
        return self.round == 3

    @cached_property
    def exponent(self) -> tuple[tuple[int, ...], ...]:
        """exponent[i][j] = e(i, j): the pair (i, j) is weighted with z^e(i,j).  Symmetric."""
        if self.round < 3:
            return _counting_schedule(self.k)
        table = _ROUND_3_SCHEDULES.get(self.name, _ROUND_3_SCHEDULES.get(self.k))
        if table is None:
            raise KeyError(f"_ROUND_3_SCHEDULES has no table for {self.name} or its k = {self.k}: add that of its C++ parameters")
        return table

    @property
    def m_bytes(self) -> int:
        """Of an m-vector (m is even in every set)."""
        return self.m // 2

    @property
    def v_bytes(self) -> int:
        return (self.v + 1) // 2

    @property
    def r_bytes(self) -> int:
        return (self.ko + 1) // 2

    @property
    def O_bytes(self) -> int:
        return (self.v * self.o + 1) // 2

    @property
    def P1_bytes(self) -> int:
        return self.m_bytes * self.v * (self.v + 1) // 2

    @property
    def P2_bytes(self) -> int:
        return self.m_bytes * self.v * self.o

    @property
    def P3_bytes(self) -> int:
        return self.m_bytes * self.o * (self.o + 1) // 2

    @property
    def sk_bytes(self) -> int:
        return self.lam

    @property
    def pk_bytes(self) -> int:
        return self.PK_SEED_BYTES + self.P3_bytes

    @property
    def s_bytes(self) -> int:
        """Of the k blocks at the front of a signature."""
        return (self.k * self.n + 1) // 2

    @property
    def sig_bytes(self) -> int:
        return self.s_bytes + self.lam


PARAMETER_SETS = (
    #                          cat   n    m   o   k   f0 f1 f2 f3 ..
    Params("MAYO-1", 3, 1, 88, 80, 8, 10, (2, 0, 4, 2)),
    Params("MAYO-2", 3, 1, 86, 64, 13, 5, (8, 0, 2, 8)),
    Params("MAYO-3", 3, 3, 118, 108, 10, 11, (8, 0, 1, 7)),
    Params("MAYO-5", 3, 5, 154, 142, 12, 12, (4, 0, 8, 1)),
    Params("MAYO-1-r2", 2, 1, 86, 78, 8, 10, (8, 1, 1, 0)),
    Params("MAYO-2-r2", 2, 1, 81, 64, 17, 4, (8, 0, 2, 8)),
    Params("MAYO-3-r2", 2, 3, 118, 108, 10, 11, (8, 0, 1, 7)),
    Params("MAYO-5-r2", 2, 5, 154, 142, 12, 12, (4, 0, 8, 1)),
    Params("MAYO-1-r1", 1, 1, 66, 64, 8, 9, (8, 0, 2, 8, 0)),
    Params("MAYO-2-r1", 1, 1, 78, 64, 18, 4, (8, 0, 2, 8, 0)),
    Params("MAYO-3-r1", 1, 3, 99, 96, 10, 11, (2, 2, 0, 2, 0)),
    Params("MAYO-5-r1", 1, 5, 133, 128, 12, 12, (4, 8, 0, 4, 2)),
    Params("MAYO-1-r1b", 1, 1, 66, 64, 8, 9, (8, 0, 2, 8, 0), bit_sliced=True),
    Params("MAYO-2-r1b", 1, 1, 78, 64, 18, 4, (8, 0, 2, 8, 0), bit_sliced=True),
    Params("MAYO-3-r1b", 1, 3, 99, 96, 10, 11, (2, 2, 0, 2, 0), bit_sliced=True),
    Params("MAYO-5-r1b", 1, 5, 133, 128, 12, 12, (4, 8, 0, 4, 2), bit_sliced=True),
)

BY_NAME = {params.name: params for params in PARAMETER_SETS}
