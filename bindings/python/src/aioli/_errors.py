# SPDX-License-Identifier: Apache-2.0
"""An exception for each status of the library.

    AioliError
      InvalidSignature          the signature is not one of this message under this key
      ArgumentError (ValueError)
        LengthError             a key, seed, signature or digest does not have its exact length
        AlgorithmError          there is no such algorithm, or two objects are of different ones
      KeyFileError (ValueError)
        FormatError, UnknownOidError, KeyMismatchError, EncryptedKeyError, PassphraseError
      StateError, RandomnessError, NoSolutionError, BackendError, SelfTestError, AbsentError, DeviceError
    LibraryMemoryError (AioliError, MemoryError)
"""

from __future__ import annotations

from ._native import ffi, lib


class AioliError(Exception):
    """The base of all.  `status` is the number of the C interface (aioli.h), 0 where the library was not asked."""

    status: int = 0


class InvalidSignature(AioliError):
    """The signature is well-formed, but not one of this message under this key."""


class ArgumentError(AioliError, ValueError):
    """An argument makes no sense."""


class LengthError(ArgumentError):
    """A key, seed, signature or digest does not have its exact length."""


class AlgorithmError(ArgumentError):
    """There is no algorithm of this name, or two objects are of different algorithms."""


class StateError(AioliError):
    """The object has been finalized."""


class RandomnessError(AioliError):
    """The source of randomness failed."""


class NoSolutionError(AioliError):
    """Signing used up its attempts; does not happen to an honest caller."""


class LibraryMemoryError(AioliError, MemoryError):
    """There is not enough memory."""


class BackendError(AioliError):
    """The environment variable AIOLI_BACKEND names a backend that is unknown or that this processor cannot run."""


class SelfTestError(AioliError):
    """A known answer came out wrong: do not use this library."""


class AbsentError(AioliError):
    """This build of the library leaves the operation out."""


class DeviceError(AioliError):
    """There is no such device, or it failed."""


class KeyFileError(AioliError, ValueError):
    """A key file cannot be used; the base of the reasons."""


class FormatError(KeyFileError):
    """The key file is malformed."""


class UnknownOidError(KeyFileError):
    """The key file is well-formed but of an algorithm that is not known here."""


class KeyMismatchError(KeyFileError):
    """The parts of the key do not belong together: it was changed or damaged."""


class EncryptedKeyError(KeyFileError):
    """The key file is under a passphrase, and none was given."""


class PassphraseError(KeyFileError):
    """The passphrase does not open the key file."""


# What each status raises.  An output too small cannot come from this package: it would be a mistake of ours.
BY_STATUS: dict[int, type[AioliError]] = {
    lib.AIOLI_ERR_SIGNATURE: InvalidSignature,
    lib.AIOLI_ERR_ARGUMENT: ArgumentError,
    lib.AIOLI_ERR_LENGTH: LengthError,
    lib.AIOLI_ERR_BUFFER: AioliError,
    lib.AIOLI_ERR_RNG: RandomnessError,
    lib.AIOLI_ERR_NO_SOLUTION: NoSolutionError,
    lib.AIOLI_ERR_MEMORY: LibraryMemoryError,
    lib.AIOLI_ERR_ALGORITHM: AlgorithmError,
    lib.AIOLI_ERR_BACKEND: BackendError,
    lib.AIOLI_ERR_STATE: StateError,
    lib.AIOLI_ERR_SELFTEST: SelfTestError,
    lib.AIOLI_ERR_FORMAT: FormatError,
    lib.AIOLI_ERR_OID: UnknownOidError,
    lib.AIOLI_ERR_MISMATCH: KeyMismatchError,
    lib.AIOLI_ERR_ABSENT: AbsentError,
    lib.AIOLI_ERR_NO_DEVICE: DeviceError,
    lib.AIOLI_ERR_DEVICE: DeviceError,
    lib.AIOLI_ERR_ENCRYPTED: EncryptedKeyError,
}


def status_text(status: int) -> str:
    """The sentence that the library has for a status."""
    return str(ffi.string(lib.aioli_status_text(status)).decode())


def check(status: int, detail: str = "") -> None:
    """Raises what the status says, unless it is 0."""
    if status == 0:
        return
    error = BY_STATUS.get(status, AioliError)(status_text(status) + (f" ({detail})" if detail else ""))
    error.status = status
    raise error


def length_error(what: str, algorithm: str, wanted: int, given: int) -> LengthError:
    """The same with figures, where they are known."""
    error = LengthError(f"{what} of {algorithm} has {wanted} bytes, not {given}")
    error.status = lib.AIOLI_ERR_LENGTH
    return error
