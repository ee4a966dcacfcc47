# SPDX-License-Identifier: Apache-2.0
"""Messages in pieces: constant memory, whatever their size.  One object is for one message and one thread."""

from __future__ import annotations

from typing import Any, Optional, Union

from ._algorithms import Algorithm, algorithm
from ._errors import StateError, check, length_error
from ._keys import SigningKey, VerifyingKey
from ._native import ffi, lib, secret_bytes, view
from ._types import Buffer


class _Stream:
    __slots__ = ("_alg", "_hash")

    def __init__(self, alg: Algorithm) -> None:
        self._alg = alg
        # The state may tell of a secret message, so it is wiped.
        memory = secret_bytes(ffi.sizeof("aioli_hash") + 8)
        self._hash: Any = (memory, ffi.cast("aioli_hash *", memory))
        check(lib.aioli_hash_init(self._hash[1], alg._c))

    def _open(self) -> Any:
        if self._hash is None:
            error = StateError("this object has been finalized: it is for one message")
            error.status = lib.AIOLI_ERR_STATE
            raise error
        return self._hash[1]

    def update(self, data: Buffer) -> None:
        """The next piece of the message.  Raises StateError after finalize."""
        piece = view(data)
        check(lib.aioli_hash_update(self._open(), piece, len(piece)))

    def _digest(self) -> bytearray:
        out = bytearray(self._alg.digest_bytes)
        digest = view(out)
        state = self._open()
        memory, self._hash = self._hash, None  # which is to live until the call is over
        check(lib.aioli_hash_final(state, digest, len(digest)))
        del memory
        return out


class Signer(_Stream):
    """Signs a message that comes in pieces: `update` for each, then `finalize`."""

    __slots__ = ("_key",)

    def __init__(self, key: SigningKey) -> None:
        super().__init__(key.algorithm)
        self._key = key

    def finalize(self, *, deterministic: bool = False, randomness: Optional[Buffer] = None) -> bytes:
        """The signature, as SigningKey.sign would give it for the whole message.  Ends the object."""
        return self._key.sign_digest(self._digest(), deterministic=deterministic, randomness=randomness)


class Verifier(_Stream):
    """Verifies a message that comes in pieces: `update` for each, then `finalize`."""

    __slots__ = ("_key",)

    def __init__(self, key: VerifyingKey) -> None:
        super().__init__(key.algorithm)
        self._key = key

    def finalize(self, signature: Buffer) -> None:
        """Returns if the signature is one of the message; else raises as VerifyingKey.verify does.  Ends the object."""
        n = len(view(signature))
        if n != self._alg.signature_bytes:
            raise length_error("a signature", self._alg.name, self._alg.signature_bytes, n)
        self._key.verify_digest(signature, self._digest())


def digest(alg: Union[str, Algorithm], message: Buffer) -> bytes:
    """What sign_digest and verify_digest take, alg.digest_bytes long.

    Of UOV it is a state from which a short message can be read."""
    stream = _Stream(algorithm(alg))
    stream.update(message)
    return bytes(stream._digest())
