# SPDX-License-Identifier: Apache-2.0
"""UOV, rounds 2 and 3 of NIST's call: another scheme, in one file.

The letters are those of the specification: n variables, of which v vinegar and o = m oil; P1 (m, v, v) and P3 (m, o, o) are upper
triangular, P2 is (m, v, o), the equations come first as everywhere in this model.  There are three ways of writing keys, with the
same signatures:

    classic    epk = P1 || P2 || P3     esk = sk_seed || O || P1 || S
    pkc        cpk = seed_pk || P3      esk
    pkc-skc    cpk                      csk = sk_seed
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np

from .drbg import Drbg
from .encoding import decode_nibbles, encode_nibbles
from .expand import H, aes_ctr, check_length
from .field import Field
from .gf16 import GF16
from .kat import OUTER_SEED, RECORDS, inputs

GF256 = Field(0b100011011)
SK_SEED_BYTES, PK_SEED_BYTES, SALT_BYTES = 32, 16, 16
VARIANTS = ("classic", "pkc", "pkc-skc")


@dataclass(frozen=True)
class Shape:
    """What the arithmetic depends on."""

    field: Field
    n: int
    m: int

    @property
    def v(self) -> int:
        return self.n - self.m

    def bytes_of(self, elements: int) -> int:
        return elements * self.field.bits // 8

    def decode(self, data: bytes, *shape: int) -> np.ndarray:
        """Elements in order, even ones in low halves of bytes where two share one."""
        count = int(np.prod(shape))
        return (decode_nibbles(data, count) if self.field is GF16 else np.frombuffer(data, np.uint8, count).copy()).reshape(shape)

    def encode(self, elements: np.ndarray) -> bytes:
        return encode_nibbles(elements) if self.field is GF16 else elements.astype(np.uint8).tobytes()

    @property
    def P1_bytes(self) -> int:
        return self.bytes_of(self.m) * self.v * (self.v + 1) // 2

    @property
    def P2_bytes(self) -> int:
        return self.bytes_of(self.m) * self.v * self.m

    @property
    def P3_bytes(self) -> int:
        return self.bytes_of(self.m) * self.m * (self.m + 1) // 2

    @property
    def O_bytes(self) -> int:
        return self.bytes_of(self.v) * self.m

    def decode_upper(self, data: bytes, size: int) -> np.ndarray:
        rows, columns = np.triu_indices(size)
        matrix = np.zeros((self.m, size, size), dtype=np.uint8)
        matrix[:, rows, columns] = self.decode(data, rows.size, self.m).T
        return matrix

    def encode_upper(self, matrix: np.ndarray) -> bytes:
        rows, columns = np.triu_indices(matrix.shape[1])
        return self.encode(matrix[:, rows, columns].T)

    def decode_full(self, data: bytes) -> np.ndarray:
        return self.decode(data, self.v, self.m, self.m).transpose(2, 0, 1)

    def encode_full(self, matrix: np.ndarray) -> bytes:
        return self.encode(matrix.transpose(1, 2, 0))


@dataclass(frozen=True)
class Params:
    name: str
    round: int
    category: int
    shape: Shape
    variant: str

    @property
    def pk_bytes(self) -> int:
        s = self.shape
        return s.P3_bytes + (s.P1_bytes + s.P2_bytes if self.variant == "classic" else PK_SEED_BYTES)

    @property
    def sk_bytes(self) -> int:
        s = self.shape
        return SK_SEED_BYTES + (0 if self.variant == "pkc-skc" else s.O_bytes + s.P1_bytes + s.P2_bytes)

    @property
    def sig_bytes(self) -> int:
        return self.shape.bytes_of(self.shape.n) + SALT_BYTES

    @property
    def title(self) -> str:
        """The header line of the known-answer file."""
        return f"# OV({self.shape.field.q},{self.shape.n},{self.shape.m})-{self.variant}"


_SHAPES = (
    ("Is", 3, 1, Shape(GF16, 160, 64)),  # in round 2 the same
    ("Ip", 3, 1, Shape(GF256, 119, 45)),
    ("III", 3, 3, Shape(GF256, 193, 72)),
    ("V", 3, 5, Shape(GF256, 259, 96)),
    ("Ip", 2, 1, Shape(GF256, 112, 44)),
    ("III", 2, 3, Shape(GF256, 184, 72)),
    ("V", 2, 5, Shape(GF256, 244, 96)),
)
PARAMETER_SETS = (
    *(
        Params(
            f"UOV-{name}{'' if variant == 'classic' else '-' + variant}{'' if round_ == 3 else '-r2'}",
            round_,
            category,
            shape,
            variant,
        )
        for name, round_, category, shape in _SHAPES
        for variant in VARIANTS
    ),
    # Sets that are called otherwise: Params(name, round, category, Shape(field, n, m), variant)
)
BY_NAME = {params.name: params for params in PARAMETER_SETS}


def _fold(matrix: np.ndarray) -> np.ndarray:
    """Upper(): what is below the diagonal is added to what is above."""
    return np.triu(matrix) ^ np.triu(np.swapaxes(matrix, 1, 2), 1)


@lru_cache(maxsize=2)
def _public(shape: Shape, seed_pk: bytes) -> bytes:
    """P1 || P2"""
    return aes_ctr(seed_pk, shape.P1_bytes + shape.P2_bytes)


@lru_cache(maxsize=2)  # the three variants of a key want it one after another
def _all_keys(shape: Shape, sk_seed: bytes) -> tuple[bytes, bytes, bytes]:
    """epk, cpk, esk"""
    matmul = shape.field.matmul
    h = H(sk_seed, PK_SEED_BYTES + shape.O_bytes)
    seed_pk, O_bytes = h[:PK_SEED_BYTES], h[PK_SEED_BYTES:]
    O = shape.decode(O_bytes, shape.m, shape.v).T  # column by column
    stream = _public(shape, seed_pk)
    P1, P2 = shape.decode_upper(stream, shape.v), shape.decode_full(stream[shape.P1_bytes :])
    T = matmul(P1, O) ^ P2
    P3 = shape.encode_upper(_fold(matmul(O.T, T)))
    S = T ^ matmul(np.swapaxes(P1, 1, 2), O)  # (P1 + P1^T) O + P2
    return stream + P3, seed_pk + P3, sk_seed + O_bytes + stream[: shape.P1_bytes] + shape.encode_full(S)


def keypair_from_seed(params: Params, sk_seed: bytes) -> tuple[bytes, bytes]:
    check_length("the seed", sk_seed, SK_SEED_BYTES)
    epk, cpk, esk = _all_keys(params.shape, sk_seed)
    return epk if params.variant == "classic" else cpk, sk_seed if params.variant == "pkc-skc" else esk


def public_from_secret(params: Params, sk: bytes) -> bytes:
    check_length("the secret key", sk, params.sk_bytes)
    return keypair_from_seed(params, sk[:SK_SEED_BYTES])[0]


class NoSolution(Exception):
    """256 singular systems."""


def sign(params: Params, sk: bytes, message: bytes, salt: bytes = bytes(SALT_BYTES)) -> bytes:
    check_length("the secret key", sk, params.sk_bytes)
    check_length("the salt", salt, SALT_BYTES)
    shape = params.shape
    F, m, v = shape.field, shape.m, shape.v
    esk = _all_keys(shape, sk)[2] if params.variant == "pkc-skc" else sk
    sk_seed, parts = esk[:SK_SEED_BYTES], esk[SK_SEED_BYTES:]
    O = shape.decode(parts, m, v).T
    P1 = shape.decode_upper(parts[shape.O_bytes :], v)
    S = shape.decode_full(parts[shape.O_bytes + shape.P1_bytes :])
    t = shape.decode(H(message + salt, shape.bytes_of(m)), m)
    for ctr in range(256):
        vinegar = shape.decode(H(message + salt + sk_seed + bytes([ctr]), shape.bytes_of(v)), 1, v)
        y = t ^ F.matmul(F.matmul(vinegar, P1), vinegar.T)[:, 0, 0]
        L = F.matmul(vinegar, S)[:, 0]
        x = F.sample_solution(L, y, np.zeros(m, np.uint8))
        if x is not None:
            first = vinegar[0] ^ F.matmul(O, x[:, np.newaxis])[:, 0]
            return shape.encode(np.concatenate([first, x])) + salt
    raise NoSolution


def verify(params: Params, pk: bytes, message: bytes, signature: bytes) -> bool:
    check_length("the public key", pk, params.pk_bytes)
    shape = params.shape
    if len(signature) != params.sig_bytes:
        return False
    epk = pk if params.variant == "classic" else _public(shape, pk[:PK_SEED_BYTES]) + pk[PK_SEED_BYTES:]
    P = np.zeros((shape.m, shape.n, shape.n), np.uint8)
    P[:, : shape.v, : shape.v] = shape.decode_upper(epk, shape.v)
    P[:, : shape.v, shape.v :] = shape.decode_full(epk[shape.P1_bytes :])
    P[:, shape.v :, shape.v :] = shape.decode_upper(epk[shape.P1_bytes + shape.P2_bytes :], shape.m)
    s = shape.decode(signature, 1, shape.n)
    value = shape.field.matmul(shape.field.matmul(s, P), s.T)[:, 0, 0]
    return shape.encode(value) == H(message + signature[-SALT_BYTES:], shape.bytes_of(shape.m))


def record(params: Params, count: int, seed: bytes, message: bytes) -> str:
    """One record of the known-answer file; the message comes before its signature, other than in MAYO's."""
    drbg = Drbg(seed)
    pk, sk = keypair_from_seed(params, drbg.request(SK_SEED_BYTES))
    signature = sign(params, sk, message, drbg.request(SALT_BYTES))
    if not verify(params, pk, message, signature):
        raise AssertionError(f"{params.name}: the model does not accept its own signature of record {count}")
    lines = [
        f"count = {count}",
        f"seed = {seed.hex().upper()}",
        f"mlen = {len(message)}",
        f"msg = {message.hex().upper()}",
        f"pk = {pk.hex().upper()}",
        f"sk = {sk.hex().upper()}",
        f"smlen = {len(message) + len(signature)}",
        f"sm = {(message + signature).hex().upper()}",
    ]
    return "".join(line + "\n" for line in lines)


def known_answers(params: Params, outer_seed: bytes = OUTER_SEED, number: int = RECORDS) -> Iterator[str]:
    source = inputs(outer_seed)
    for _ in range(number):
        yield record(params, *next(source))


def digests(params: Params, number: int = RECORDS) -> tuple[str, str]:
    """SHA-256 of the first record alone, and of the file of `number` records."""
    first, file = "", sha256(f"{params.title}\n\n".encode())
    for text in known_answers(params, number=number):
        first = first or sha256(text.encode()).hexdigest()
        file.update(text.encode() + b"\n")
    return first, file.hexdigest()
