# SPDX-License-Identifier: Apache-2.0
"""The parameter sets of the library."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union

from ._errors import AlgorithmError
from ._native import NULL, ffi, lib


@dataclass(frozen=True)
class Algorithm:
    """One parameter set; all sizes are in bytes and exact."""

    name: str
    round: int  #: of NIST's call
    category: int  #: NIST's security category aimed at: 1, 3 or 5
    public_key_bytes: int
    secret_key_bytes: int
    seed_bytes: int
    signature_bytes: int
    randomness_bytes: int
    digest_bytes: int
    _c: Any = field(repr=False, compare=False)
    # Expanded keys of UOV with a classic key are but copies of it.
    _signer_pays: bool = field(repr=False, compare=False)
    _verifier_pays: bool = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return algorithm, (self.name,)


def _describe(c: Any) -> Algorithm:
    public, secret = lib.aioli_public_key_bytes(c), lib.aioli_secret_key_bytes(c)
    return Algorithm(
        name=ffi.string(lib.aioli_alg_name(c)).decode(),
        round=lib.aioli_alg_round(c),
        category=lib.aioli_alg_category(c),
        public_key_bytes=public,
        secret_key_bytes=secret,
        seed_bytes=lib.aioli_seed_bytes(c),
        signature_bytes=lib.aioli_signature_bytes(c),
        randomness_bytes=lib.aioli_randomness_bytes(c),
        digest_bytes=lib.aioli_digest_bytes(c),
        _c=c,
        _signer_pays=lib.aioli_signer_bytes(c) > secret + 256,
        _verifier_pays=lib.aioli_verifier_bytes(c) > public + 256,
    )


_ALL = {a.name: a for a in (_describe(lib.aioli_alg_at(i)) for i in range(lib.aioli_alg_count()))}


def algorithms() -> list[Algorithm]:
    """All parameter sets that this library has."""
    return list(_ALL.values())


def algorithm(name: Union[str, Algorithm]) -> Algorithm:
    """The parameter set of this name ("MAYO-2"; case matters).  Raises AlgorithmError."""
    if isinstance(name, Algorithm):
        return name
    try:
        return _ALL[name]
    except KeyError:
        error = AlgorithmError(f"there is no algorithm {name!r}: aioli.algorithms() lists them")
        error.status = lib.AIOLI_ERR_ALGORITHM
        raise error from None


def of_c(c: Any) -> Algorithm:
    """The parameter set of a pointer that the library gave."""
    assert c != NULL
    return _ALL[ffi.string(lib.aioli_alg_name(c)).decode()]
