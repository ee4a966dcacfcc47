# SPDX-License-Identifier: Apache-2.0
"""NIST's known-answer files: the body of a .rsp file, without its header line."""

from collections.abc import Iterator
from dataclasses import dataclass

from .drbg import Drbg
from .expand import H
from .keygen import keypair_from_seed
from .params import Params
from .sign import sign_digest
from .verify import verify

OUTER_SEED = bytes(range(48))
RECORDS = 100


@dataclass(frozen=True)
class Record:
    count: int
    seed: bytes
    message: bytes
    pk: bytes
    sk: bytes
    signature: bytes
    attempts: int

    def text(self) -> str:
        signed = self.signature + self.message
        lines = [
            f"count = {self.count}",
            f"seed = {self.seed.hex().upper()}",
            f"mlen = {len(self.message)}",
            f"msg = {self.message.hex().upper()}",
            f"pk = {self.pk.hex().upper()}",
            f"sk = {self.sk.hex().upper()}",
            f"smlen = {len(signed)}",
            f"sm = {signed.hex().upper()}",
        ]
        return "".join(line + "\n" for line in lines)


def record(params: Params, count: int, seed: bytes, message: bytes) -> Record:
    """The key pair and the signature that a generator seeded with `seed` gives."""
    drbg = Drbg(seed)
    pk, sk = keypair_from_seed(params, drbg.request(params.sk_bytes))
    signed = sign_digest(params, sk, H(message, params.digest_bytes), drbg.request(params.lam))
    if not verify(params, pk, message, signed.signature):
        raise AssertionError(f"{params.name}: the model does not accept its own signature of record {count}")
    return Record(count, seed, message, pk, sk, signed.signature, signed.attempts)


def inputs(outer_seed: bytes = OUTER_SEED) -> Iterator[tuple[int, bytes, bytes]]:
    """count, seed and message of every record, without end."""
    outer = Drbg(outer_seed)
    count = 0
    while True:
        seed = outer.request(Drbg.SEED_BYTES)
        yield count, seed, outer.request(33 * (count + 1))
        count += 1


def records(params: Params, outer_seed: bytes = OUTER_SEED, number: int = RECORDS) -> Iterator[Record]:
    source = inputs(outer_seed)
    for _ in range(number):
        yield record(params, *next(source))
