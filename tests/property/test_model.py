# SPDX-License-Identifier: Apache-2.0
"""The model itself: its parts against their definitions, and the whole against the published digests."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import conftest
import make_uov_vectors
import make_vectors
import vector_files
from aioli_model import PARAMETER_SETS, Params, kat, keypair_from_seed, sign, verify
from aioli_model.encoding import decode_m_vectors, decode_nibbles, decode_upper, encode_m_vectors, encode_nibbles, encode_upper
from aioli_model.gf16 import INV, MUL, matmul, mul, sample_solution
from aioli_model.whipping import times_z, whip
from conftest import examples
from strategies import stream

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
DIGESTS = json.loads((VECTORS / "mayo_digests.json").read_text())["sets"]


def matrices(rows: st.SearchStrategy[int], columns: st.SearchStrategy[int]) -> st.SearchStrategy[np.ndarray]:
    def of(shape: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
        size = shape[0] * shape[1]
        return st.lists(st.integers(0, 15), min_size=size, max_size=size).map(
            lambda e: np.array(e, dtype=np.uint8).reshape(shape)
        )

    return st.tuples(rows, columns).flatmap(of)


def slow_matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.bitwise_xor.reduce(MUL[a[:, :, None], b[None, :, :]], axis=1)


def rank(a: np.ndarray) -> int:
    """By elimination from the right, unlike the solver's."""
    rows, found = [list(map(int, row)) for row in a], 0
    for column in reversed(range(a.shape[1])):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        found += 1
        inverse = int(INV[pivot[column]])
        rows = [[r ^ int(MUL[MUL[row[column], inverse], p]) for r, p in zip(row, pivot, strict=True)] for row in rows]
    return found


def test_field() -> None:
    """x^4 + x + 1, and the axioms on all elements."""
    assert (MUL[2, 8], MUL[15, 15]) == (3, 10)
    assert INV.tolist() == [0, 1, 9, 14, 13, 11, 7, 6, 15, 2, 12, 5, 10, 4, 3, 8]
    a, b, c = np.meshgrid(*[np.arange(16)] * 3)
    assert np.array_equal(MUL[a, b], MUL[b, a])
    assert np.array_equal(MUL[a, MUL[b, c]], MUL[MUL[a, b], c])
    assert np.array_equal(MUL[a, b ^ c], MUL[a, b] ^ MUL[a, c])
    assert np.array_equal(MUL[1], np.arange(16))


@given(data=st.data(), a=matrices(st.integers(1, 6), st.integers(1, 9)))
@examples(30)
def test_matmul_is_the_matrix_product(data: st.DataObject, a: np.ndarray) -> None:
    b = data.draw(matrices(st.just(a.shape[1]), st.integers(1, 6)))
    assert np.array_equal(matmul(a, b), slow_matmul(a, b))
    stack = np.stack([a, a ^ a[:, ::-1]])
    assert np.array_equal(matmul(stack, b), np.stack([slow_matmul(a, b) for a in stack]))


@given(data=st.data(), A=matrices(st.integers(1, 6), st.integers(6, 9)))
@examples(60)
def test_solver(data: st.DataObject, A: np.ndarray) -> None:
    """A solution exists exactly at full rank; it solves the system, and has r in the columns that are no pivots."""
    if data.draw(st.booleans()):
        A[-1] = mul(
            np.uint8(data.draw(st.integers(0, 15))), A[0]
        )  # a singular matrix, unless there is one row and the factor is not 0
    y, r = (np.array(data.draw(st.lists(st.integers(0, 15), min_size=n, max_size=n)), dtype=np.uint8) for n in A.shape)
    x = sample_solution(A, y, r)
    assert (x is not None) == (rank(A) == A.shape[0])
    if x is not None:
        assert np.array_equal(slow_matmul(A, x[:, None])[:, 0], y)
        free = [column for column in range(A.shape[1]) if rank(A[:, : column + 1]) == rank(A[:, :column])]
        assert np.array_equal(x[free], r[free])


def test_exponents(params: Params) -> None:
    """A symmetric table in which every label 0 .. k(k+1)/2 - 1 stands for one pair."""
    k, e = params.k, params.exponent
    assert all(len(row) == k for row in e) and len(e) == k
    assert all(e[i][j] == e[j][i] for i in range(k) for j in range(k))
    assert sorted(e[i][j] for i in range(k) for j in range(i, k)) == list(range(k * (k + 1) // 2))


def test_f_is_irreducible(params: Params) -> None:
    """Rabin's test: z^(16^m) = z mod f, and z^(16^(m/p)) - z is a unit for every prime p that divides m."""
    m = params.m
    one = np.eye(m, 1, dtype=np.uint8)[:, 0]

    def times_z_to_the(e: int, a: np.ndarray) -> np.ndarray:
        for _ in range(e):
            a = times_z(params, a)
        return a

    powers = [one]  # z^(16 i): the columns of the map a -> a^16, which is linear over GF(16)
    for _ in range(m - 1):
        powers.append(times_z_to_the(16, powers[-1]))
    frobenius = np.column_stack(powers)
    z = times_z(params, one)
    iterates = [z]  # z^(16^j)
    for _ in range(m):
        iterates.append(matmul(frobenius, iterates[-1][:, None])[:, 0])
    assert np.array_equal(iterates[m], z)
    assert not any(np.array_equal(iterates[j], z) for j in range(1, m))
    for p in (p for p in range(2, m + 1) if m % p == 0 and all(p % d for d in range(2, p))):
        difference = iterates[m // p] ^ z
        multiplication = [difference]
        for _ in range(m - 1):
            multiplication.append(times_z(params, multiplication[-1]))
        A = np.column_stack(multiplication)
        assert sample_solution(A, one, np.zeros(m, dtype=np.uint8)) is not None


@given(data=st.data())
@examples(1)
def test_whip_is_a_sum_of_powers(params: Params, data: st.DataObject) -> None:
    exponents = data.draw(st.lists(st.integers(0, 40), min_size=1, max_size=5, unique=True))
    terms = {e: decode_nibbles(stream(f"term {e}", params.m_bytes), params.m) for e in exponents}
    total = np.zeros(params.m, dtype=np.uint8)
    for e, term in terms.items():
        for _ in range(e):
            term = times_z(params, term)
        total ^= term
    assert np.array_equal(whip(params, terms), total)


def test_times_z_has_order_of_a_unit(params: Params) -> None:
    """z^m, by shifting, is the tail of f."""
    a = np.eye(params.m, 1, dtype=np.uint8)[:, 0]
    for _ in range(params.m):
        a = times_z(params, a)
    tail = np.zeros(params.m, dtype=np.uint8)
    tail[: len(params.f_tail)] = params.f_tail
    assert np.array_equal(a, tail)


@given(data=st.binary(min_size=1, max_size=20))
@examples(20)
def test_nibbles(data: bytes) -> None:
    elements = decode_nibbles(data, 2 * len(data))
    assert encode_nibbles(elements) == data
    assert [int(e) for e in elements] == [
        int(digit, 16) for pair in zip(data.hex()[1::2], data.hex()[0::2], strict=True) for digit in pair
    ]
    odd = decode_nibbles(data, 2 * len(data) - 1)
    assert encode_nibbles(odd) == data[:-1] + bytes([data[-1] & 15])


def test_m_vectors(params: Params) -> None:
    """One set bit comes out as one set bit of one element, where the key format has it; everything else is linear."""
    for count, number, element, bit in ((1, 0, 0, 0), (3, 1, params.m - 1, 3), (2, 1, params.m // 2 + 1, 2)):
        vectors = np.zeros((params.m, count), dtype=np.uint8)
        vectors[element, number] = 1 << bit
        place = bit * params.m + element if params.bit_sliced else 4 * element + bit
        data = (1 << (4 * params.m * number + place)).to_bytes(count * params.m_bytes, "little")
        assert encode_m_vectors(params, vectors) == data
        assert np.array_equal(decode_m_vectors(params, data, count), vectors)
    random = stream("m-vectors", 3 * params.m_bytes)
    assert encode_m_vectors(params, decode_m_vectors(params, random, 3)) == random
    upper = decode_upper(params, random, 2)
    assert not upper[:, 1, 0].any()
    assert encode_upper(params, upper) == random
    assert np.array_equal(upper[:, 0, 1], decode_m_vectors(params, random[params.m_bytes :], 1)[:, 0])


def test_first_record(params: Params) -> None:
    (record,) = kat.records(params, number=1)
    assert hashlib.sha256(record.text().encode()).hexdigest() == DIGESTS[params.name]["record0"]


def test_a_restart() -> None:
    """Record 12 of MAYO-1 is made at the second attempt."""
    source = kat.inputs()
    record = next(kat.record(PARAMETER_SETS[0], *inputs) for inputs in source if inputs[0] == 12)
    assert record.attempts == 2


def test_wrong_lengths() -> None:
    params = PARAMETER_SETS[0]
    pk, sk = keypair_from_seed(params, bytes(params.sk_bytes))
    signature = sign(params, sk, b"")
    assert verify(params, pk, b"", signature)
    assert not verify(params, pk, b"", signature + b"\0")
    assert not verify(params, pk, b"", signature[:-1])
    for wrong in (
        lambda: sign(params, sk[1:], b""),
        lambda: sign(params, sk, b"", b"\0"),
        lambda: verify(params, pk[1:], b"", signature),
    ):
        with pytest.raises(ValueError, match="bytes instead of"):
            wrong()


FILES = {
    f"{path.parent.name}/{path.stem}": (path, make)
    for path, make in (*make_vectors.vector_files(), *make_uov_vectors.vector_files())
}


@pytest.mark.parametrize("name", FILES if conftest.PROFILE == "nightly" else ["mayo_negative/MAYO-1-r1"])
def test_vector_files_are_what_the_model_makes(name: str) -> None:
    path, make = FILES[name]
    assert path.read_text() == vector_files.as_text(make())


def test_no_vector_file_is_left_over() -> None:
    there = {f"{path.parent.name}/{path.stem}" for pattern in ("*_negative/*", "*_acvp.json") for path in VECTORS.glob(pattern)}
    assert there == set(FILES)
