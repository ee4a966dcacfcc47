# SPDX-License-Identifier: Apache-2.0
"""aioli: oil-and-vinegar signatures, MAYO and UOV.

    key = aioli.SigningKey.generate("MAYO-2")
    signature = key.sign(b"pass the salt")
    key.public_key.verify(signature, b"pass the salt")      # raises aioli.InvalidSignature

These schemes are candidates in round 3 of NIST's call, not standards: do not protect anything with them alone.
"""

from __future__ import annotations

from ._algorithms import Algorithm, algorithm, algorithms
from ._errors import (
    AbsentError,
    AioliError,
    AlgorithmError,
    ArgumentError,
    BackendError,
    DeviceError,
    EncryptedKeyError,
    FormatError,
    InvalidSignature,
    KeyFileError,
    KeyMismatchError,
    LengthError,
    LibraryMemoryError,
    NoSolutionError,
    PassphraseError,
    RandomnessError,
    SelfTestError,
    StateError,
    UnknownOidError,
    check,
)
from ._keys import SigningKey, VerifyingKey
from ._native import NULL, ffi, lib
from ._streams import Signer, Verifier, digest

__version__: str = ffi.string(lib.aioli_version()).decode()


def backend() -> str:
    """The backend that runs on this processor ("avx2").  Raises BackendError if AIOLI_BACKEND names none that can."""
    name = lib.aioli_backend_active()
    if name == NULL:
        check(lib.AIOLI_ERR_BACKEND)
    return str(ffi.string(name).decode())


def selftest() -> None:
    """Known answers of every algorithm; takes a second.  Raises SelfTestError."""
    check(lib.aioli_selftest(NULL))


__all__ = [
    "AbsentError",
    "AioliError",
    "Algorithm",
    "AlgorithmError",
    "ArgumentError",
    "BackendError",
    "DeviceError",
    "EncryptedKeyError",
    "FormatError",
    "InvalidSignature",
    "KeyFileError",
    "KeyMismatchError",
    "LengthError",
    "LibraryMemoryError",
    "NoSolutionError",
    "PassphraseError",
    "RandomnessError",
    "SelfTestError",
    "Signer",
    "SigningKey",
    "StateError",
    "UnknownOidError",
    "Verifier",
    "VerifyingKey",
    "algorithm",
    "algorithms",
    "backend",
    "digest",
    "selftest",
]
