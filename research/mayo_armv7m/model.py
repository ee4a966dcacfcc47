# SPDX-License-Identifier: Apache-2.0
"""The ARMv7-M variant of MAYO (ePrint 2023/540): three sets for research (README.md).  As a program: compares them with all of
their known answers.

The pairs (i, j) are whipped by random m x m matrices E_ij instead of powers of z, and everything is expanded by SHAKE256.  Arrays
have the equations first, as in the rest of the model; a source of randomness is a function that returns the next n bytes.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import shake_256
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "model"))
from aioli_model.encoding import decode_nibbles, encode_nibbles  # noqa: E402
from aioli_model.gf16 import INV, matmul, mul  # noqa: E402
from aioli_model.keygen import fold_upper  # noqa: E402

Draw = Callable[[int], bytes]
Solve = Callable[[np.ndarray, np.ndarray], np.ndarray | None]


@dataclass(frozen=True)
class Set:
    name: str
    n: int
    m: int
    o: int
    k: int
    whipping_in_keys: bool  # the matrices E_ij in full; else 32 bytes from which they are expanded

    @property
    def v(self) -> int:
        return self.n - self.o

    @property
    def m_bytes(self) -> int:
        return (self.m + 1) // 2

    @property
    def whipping_bytes(self) -> int:
        """Of all E_ij."""
        return self.m_bytes * self.m * self.k * (self.k + 1) // 2

    @property
    def E_bytes(self) -> int:
        return self.whipping_bytes if self.whipping_in_keys else 32

    @property
    def sig_bytes(self) -> int:
        return 32 + self.k * self.n // 2


SETS = {
    s.name: s
    for s in (
        #                           n   m   o  k
        Set("MAYO-armv7m-orig-1", 66, 67, 5, 14, False),
        Set("MAYO-armv7m-new-1", 66, 64, 7, 10, True),
        Set("MAYO-armv7m-new-1-k14", 66, 64, 7, 14, False),
    )
}


def H(data: bytes, size: int) -> bytes:
    return shake_256(data).digest(size)


def pairs(s: Set) -> list[tuple[int, int]]:
    """(0,0), (0,1) .. (0,k-1), (1,1) ..: the order of the matrices E_ij, and of sums."""
    return list(combinations_with_replacement(range(s.k), 2))


# ---- encodings -----------------------------------------------------------------------------------------------------------


def encode_rows(rows: np.ndarray) -> bytes:
    """Each row from a byte of its own on."""
    return b"".join(encode_nibbles(row) for row in rows)


def decode_rows(data: bytes, rows: int, columns: int) -> np.ndarray:
    width = (columns + 1) // 2
    return np.array([decode_nibbles(data[r * width : (r + 1) * width], columns) for r in range(rows)])


def encode_upper(M: np.ndarray) -> bytes:
    """Upper triangular matrices (m, size, size): m-vectors, row after row."""
    rows, columns = np.triu_indices(M.shape[1])
    return encode_rows(M[:, rows, columns].T)


def decode_upper(s: Set, data: bytes, size: int) -> np.ndarray:
    rows, columns = np.triu_indices(size)
    M = np.zeros((s.m, size, size), dtype=np.uint8)
    M[:, rows, columns] = decode_rows(data, rows.size, s.m).T
    return M


def expand_matrix(seed: bytes, rows: int, columns: int) -> np.ndarray:
    """One byte for each entry, of which the low half counts."""
    return np.frombuffer(H(seed, rows * columns), dtype=np.uint8).reshape(rows, columns) & 15


def expand_whipping(s: Set, E: bytes) -> list[np.ndarray]:
    """E_ij, (m, m) each, from the beginning of a key; column after column there."""
    data = E if s.whipping_in_keys else H(E, s.whipping_bytes)
    each = s.m_bytes * s.m
    return [decode_rows(data[i * each : (i + 1) * each], s.m, s.m).T for i in range(len(pairs(s)))]


# ---- key generation --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SigningKey:
    E: bytes
    A: np.ndarray  # (m, v, v), upper triangular
    O: np.ndarray  # (o, v)
    Bil: np.ndarray  # (m, v, o)


def keypair(s: Set, draw: Draw) -> tuple[bytes, bytes]:
    seeds = H(draw(32), 64)
    pk_seed, oil_seed = seeds[:32], seeds[32:]
    S = H(pk_seed, 64 * s.m)
    S = [S[i : i + 32] for i in range(0, len(S), 32)]
    O = expand_matrix(oil_seed, s.o, s.v)
    A = np.triu(np.array([expand_matrix(S[e], s.v, s.v) for e in range(s.m)]))
    Bm = np.array([expand_matrix(S[s.m + e], s.v, s.o) for e in range(s.m)])
    D = fold_upper(matmul(O, matmul(A, O.T) ^ Bm))
    Bil = matmul(A ^ A.swapaxes(1, 2), O.T) ^ Bm
    P = np.zeros((s.m, s.n, s.n), dtype=np.uint8)
    P[:, : s.v, : s.v], P[:, : s.v, s.v :], P[:, s.v :, s.v :] = A, Bm, D
    E = H(S[0], s.E_bytes)
    by_entry = Bil.reshape(s.m, -1).T
    return E + encode_upper(P), E + encode_upper(A) + encode_rows(O) + encode_rows(by_entry)


def decode_secret_key(s: Set, sk: bytes) -> SigningKey:
    A_bytes, O_bytes = s.m_bytes * s.v * (s.v + 1) // 2, s.o * ((s.v + 1) // 2)
    E, A, O, Bil = np.split(np.frombuffer(sk, dtype=np.uint8), np.cumsum([s.E_bytes, A_bytes, O_bytes]))
    entries = decode_rows(Bil.tobytes(), s.v * s.o, s.m)
    return SigningKey(
        E.tobytes(),
        decode_upper(s, A.tobytes(), s.v),
        decode_rows(O.tobytes(), s.o, s.v),
        entries.T.reshape(s.m, s.v, s.o),
    )


# ---- verifying -------------------------------------------------------------------------------------------------------------


def whipped_map(s: Set, E: bytes, P: np.ndarray, V: np.ndarray) -> np.ndarray:
    """sum of E_ii P(v_i) + sum over i < j of E_ij P'(v_i, v_j), at the rows of V.  (m,)"""
    U = matmul(V, matmul(P, V.T))
    y = np.zeros(s.m, dtype=np.uint8)
    for (i, j), E_ij in zip(pairs(s), expand_whipping(s, E), strict=True):
        u = U[:, i, j] if i == j else U[:, i, j] ^ U[:, j, i]
        y ^= matmul(E_ij, u[:, np.newaxis])[:, 0]
    return y


def target(s: Set, message: bytes, salt: bytes) -> np.ndarray:
    return decode_nibbles(H(message + salt, s.m_bytes), s.m)


def verify(s: Set, pk: bytes, message: bytes, signature: bytes) -> bool:
    if len(signature) != s.sig_bytes:
        return False
    salt, blocks = signature[:32], decode_rows(signature[32:], s.k, s.n)
    y = whipped_map(s, pk[: s.E_bytes], decode_upper(s, pk[s.E_bytes :], s.n), blocks)
    return bool(np.array_equal(y, target(s, message, salt)))


# ---- signing ---------------------------------------------------------------------------------------------------------------


def solve(A: np.ndarray, y: np.ndarray, honest_pivots: int | None = None) -> np.ndarray | None:
    """The x of A x = y for a square A, or None.  From pivot `honest_pivots` on a zero is repaired by the next row or not at
    all."""
    m = A.shape[0]
    rows = np.column_stack([A, y])
    for c in range(m):
        end = m if honest_pivots is None or c < honest_pivots else c + 2
        candidates = np.flatnonzero(rows[c:end, c])
        if candidates.size == 0:
            return None
        rows[[c, c + candidates[0]]] = rows[[c + candidates[0], c]]
        rows[c] = mul(INV[rows[c, c]], rows[c])
        factors = rows[:, c].copy()
        factors[c] = 0
        rows ^= mul(factors[:, np.newaxis], rows[c])
    return rows[:, m]


def solve_as_published(A: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """The code published with the paper stays at the next row from pivot 8 on, and so refuses systems that have a solution."""
    return solve(A, y, honest_pivots=8)


def linear_system(s: Set, key: SigningKey, V: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A (m, k o) and y (m,): the blocks s_i = (v_i + x_i O, x_i) hit the target if and only if A x = y."""
    y = t ^ whipped_map(s, key.E, key.A, V)
    VBil = matmul(V, key.Bil)  # v_i Bil, (m, k, o)
    A = np.zeros((s.m, s.k, s.o), dtype=np.uint8)
    for (i, j), E_ij in zip(pairs(s), expand_whipping(s, key.E), strict=True):
        A[:, j] ^= matmul(E_ij, VBil[:, i])
        if i < j:
            A[:, i] ^= matmul(E_ij, VBil[:, j])
    return A.reshape(s.m, s.k * s.o), y


def choose_columns(s: Set, order: list[int], draw: Draw) -> list[int]:
    """Shuffles `order` from the top; what comes to stand in front is dropped, and left there sorted for the next attempt."""
    for i in range(len(order) - 1, 0, -1):
        j = int.from_bytes(draw(4), "big") % (i + 1)
        order[i], order[j] = order[j], order[i]
    dropped = s.k * s.o - s.m
    order[:dropped] = sorted(order[:dropped])
    return sorted(order[dropped:])


@dataclass(frozen=True)
class Signed:
    signature: bytes
    attempts: int


def sign(s: Set, sk: bytes, message: bytes, draw: Draw, solver: Solve = solve) -> Signed:
    key = decode_secret_key(s, sk)
    order = list(range(s.k * s.o))
    result = Signed(b"", 0)
    while not result.signature:
        result = replace(result, attempts=result.attempts + 1)
        salt = draw(32)
        V = decode_rows(draw(s.k * ((s.v + 1) // 2)), s.k, s.v)
        A, y = linear_system(s, key, V, target(s, message, salt))
        used = choose_columns(s, order, draw)
        solution = solver(A[:, used], y)
        if solution is None:
            continue
        x = np.zeros(s.k * s.o, dtype=np.uint8)
        x[used] = solution
        X = x.reshape(s.k, s.o)
        blocks = np.concatenate([V ^ matmul(X, key.O), X], axis=1)
        result = replace(result, signature=salt + encode_rows(blocks))
    return result


# ---- known answers -----------------------------------------------------------------------------------------------------------


class Stream:
    """SHAKE256(seed), drawn in order."""

    def __init__(self, seed: bytes, size: int = 1 << 16) -> None:
        self._bytes = H(seed, size)
        self.drawn = 0

    def __call__(self, n: int) -> bytes:
        piece = self._bytes[self.drawn : self.drawn + n]
        if len(piece) != n:
            raise ValueError("the stream has ended")
        self.drawn += n
        return piece


def differences(s: Set, record: dict) -> list[str]:
    """What of a record of tests/mayo_armv7m.json does not come out as it says."""
    message = bytes((7 * j + record["count"]) % 256 for j in range(record["mlen"]))
    published = bytes.fromhex(record["sig"])
    stream = Stream(bytes.fromhex(record["seed"]))
    pk, sk = keypair(s, stream)
    again = Stream(bytes.fromhex(record["seed"]))
    again(stream.drawn)
    signed = sign(s, sk, message, stream, solve_as_published)
    ours = sign(s, sk, message, again)
    tampered = bytes([published[0] ^ 1]) + published[1:]
    checks = {
        "pk": H(pk, 32).hex() == record["pk"],
        "sk": H(sk, 32).hex() == record["sk"],
        "sig": signed.signature == published,
        "attempts": signed.attempts == record["attempts"],
        "drawn": stream.drawn == record["drawn"],
        "verify": verify(s, pk, message, published) and not verify(s, pk, message, tampered),
        "solver": ours.attempts == 1 and (ours.signature == published) == (record["attempts"] == 1),
        "ours": verify(s, pk, message, ours.signature),
    }
    return [what for what, good in checks.items() if not good]


def main() -> int:
    answers = json.loads((HERE / "tests/mayo_armv7m.json").read_text())["sets"]
    failures = answers.keys() ^ SETS.keys()
    for name, known in answers.items():
        wrong = [f"record {record['count']}: {what}" for record in known for what in differences(SETS[name], record)]
        failures |= set(wrong)
        print(f"{name:22}  {', '.join(wrong) or f'{len(known)} records ok'}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
