# SPDX-License-Identifier: Apache-2.0
"""Keys.

A key that is used again is expanded once and remembers it: on its third signature, on its second verification, from when on the
expanded key pays (docs/batch.md).  That takes 120 to 850 KB for MAYO; `expand=False` forbids it, `expand=True` does it at once.
Keys never change otherwise, and threads may share them.
"""

from __future__ import annotations

import hmac
from typing import Any, NoReturn, Optional, Union

from ._algorithms import Algorithm, algorithm, of_c
from ._errors import ArgumentError, FormatError, check, length_error
from ._native import NULL, ffi, lib, secret_bytes, view
from ._types import Buffer

_verifier_verify = lib.aioli_verifier_verify
_signer_sign = lib.aioli_signer_sign

_SIGNATURES_BEFORE_EXPANSION = 2
_VERIFICATIONS_BEFORE_EXPANSION = 1


def _encode(alg: Algorithm, kind: int, encoding: int, key: Any) -> Any:
    """The key file, in memory that is wiped, with its length."""
    room = lib.aioli_key_encoded_bytes_max(alg._c, kind, encoding)
    out, used = secret_bytes(room), ffi.new("size_t *")
    check(lib.aioli_key_encode(alg._c, kind, encoding, out, room, used, key, len(key), NULL))
    return ffi.buffer(out, used[0])


def _decode(data: Buffer, kind: int, encoding: int) -> tuple[Algorithm, Any]:
    file = view(data)
    starts_as_der = len(file) > 0 and file[0] == 0x30
    if starts_as_der != (encoding == lib.AIOLI_KEY_DER):
        raise FormatError("the key file is " + ("DER, not PEM" if starts_as_der else "not DER"))
    c, found, used = ffi.new("aioli_alg **"), ffi.new("aioli_key_kind *"), ffi.new("size_t *")
    key = secret_bytes(max(len(file), 1))
    check(lib.aioli_key_decode(file, len(file), c, found, key, len(file), used, NULL, NULL))
    if found[0] != kind:
        raise FormatError("the key file holds a " + ("public key" if kind == lib.AIOLI_KEY_SECRET else "secret key"))
    exact = secret_bytes(used[0])
    ffi.memmove(exact, key, used[0])
    return of_c(c[0]), exact


class VerifyingKey:
    """A public key.  Make it by `from_bytes`, `from_pem`, `from_der`, or take that of a SigningKey."""

    __slots__ = ("__weakref__", "_alg", "_bytes", "_expand", "_uses", "_verifier")

    def __init__(self, alg: Algorithm, data: bytes, expand: Optional[bool]) -> None:
        self._alg = alg
        self._bytes = data
        self._expand = alg._verifier_pays if expand is None else expand
        self._uses = _VERIFICATIONS_BEFORE_EXPANSION if expand else 0
        self._verifier: Any = None

    @classmethod
    def from_bytes(cls, alg: Union[str, Algorithm], data: Buffer, *, expand: Optional[bool] = None) -> VerifyingKey:
        """From the raw key, alg.public_key_bytes long.  Raises LengthError, AlgorithmError."""
        alg = algorithm(alg)
        raw = bytes(view(data))
        if len(raw) != alg.public_key_bytes:
            raise length_error("a public key", alg.name, alg.public_key_bytes, len(raw))
        return cls(alg, raw, expand)

    @classmethod
    def from_pem(cls, pem: Union[str, Buffer], *, expand: Optional[bool] = None) -> VerifyingKey:
        """From PEM (`BEGIN PUBLIC KEY`).  Raises KeyFileError, LengthError."""
        alg, key = _decode(pem.encode() if isinstance(pem, str) else pem, lib.AIOLI_KEY_PUBLIC, lib.AIOLI_KEY_PEM)
        return cls(alg, bytes(ffi.buffer(key)), expand)

    @classmethod
    def from_der(cls, der: Buffer, *, expand: Optional[bool] = None) -> VerifyingKey:
        """From DER (SubjectPublicKeyInfo).  Raises KeyFileError, LengthError."""
        alg, key = _decode(der, lib.AIOLI_KEY_PUBLIC, lib.AIOLI_KEY_DER)
        return cls(alg, bytes(ffi.buffer(key)), expand)

    @property
    def algorithm(self) -> Algorithm:
        """The parameter set."""
        return self._alg

    def verify(self, signature: Buffer, message: Buffer) -> None:
        """Returns if `signature` is one of `message`.  Raises InvalidSignature, LengthError for one that has another length."""
        verifier = self._verifier
        if verifier is not None or (verifier := self._expanded()) is not None:
            # cffi takes bytes as they are, which saves a third of the overhead.
            sig: Any = signature if type(signature) is bytes else view(signature)
            msg: Any = message if type(message) is bytes else view(message)
            status = _verifier_verify(verifier, sig, len(sig), msg, len(msg), NULL)
        else:
            sig, msg, key = view(signature), view(message), self._bytes
            status = lib.aioli_verify(self._alg._c, sig, len(sig), msg, len(msg), key, len(key), NULL)
        if status != 0:
            self._refuse(status, len(sig))

    def verify_digest(self, signature: Buffer, digest: Buffer) -> None:
        """The same for a message that was hashed elsewhere: `digest` is alg.digest_bytes long (see `aioli.digest`)."""
        sig, dig, key = view(signature), view(digest), self._bytes
        if len(dig) != self._alg.digest_bytes:
            raise length_error("a digest", self._alg.name, self._alg.digest_bytes, len(dig))
        verifier = self._expanded()
        if verifier is not None:
            status = lib.aioli_verifier_verify_digest(verifier, sig, len(sig), dig, len(dig), NULL)
        else:
            status = lib.aioli_verify_digest(self._alg._c, sig, len(sig), dig, len(dig), key, len(key), NULL)
        if status != 0:
            self._refuse(status, len(sig))

    def _refuse(self, status: int, given: int) -> NoReturn:
        if status == lib.AIOLI_ERR_LENGTH and given != self._alg.signature_bytes:
            raise length_error("a signature", self._alg.name, self._alg.signature_bytes, given)
        check(status)
        raise AssertionError("not reached")

    def _expanded(self) -> Any:
        """The expanded key if there is one or it is time to make it, else None."""
        if self._verifier is not None or not self._expand:
            return self._verifier
        if self._uses < _VERIFICATIONS_BEFORE_EXPANSION:
            self._uses += 1
            return None
        out = ffi.new("aioli_verifier **")
        check(lib.aioli_verifier_new(out, self._alg._c, self._bytes, len(self._bytes)))
        # If two threads come here at once, both objects are right, and the one that is lost is freed.
        self._verifier = ffi.gc(out[0], lib.aioli_verifier_free, lib.aioli_verifier_bytes(self._alg._c))
        return self._verifier

    def to_bytes(self) -> bytes:
        """The raw key."""
        return self._bytes

    def __bytes__(self) -> bytes:
        return self._bytes

    def to_pem(self) -> str:
        """PEM (`BEGIN PUBLIC KEY`)."""
        return bytes(_encode(self._alg, lib.AIOLI_KEY_PUBLIC, lib.AIOLI_KEY_PEM, view(self._bytes))).decode()

    def to_der(self) -> bytes:
        """DER (SubjectPublicKeyInfo)."""
        return bytes(_encode(self._alg, lib.AIOLI_KEY_PUBLIC, lib.AIOLI_KEY_DER, view(self._bytes)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VerifyingKey):
            return NotImplemented
        return self._alg == other._alg and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash((self._alg.name, self._bytes))

    def __repr__(self) -> str:
        return f"<aioli.VerifyingKey {self._alg.name} {self._bytes[:8].hex()}..>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._alg.name, self._bytes)


def _restored(name: str, data: bytes) -> VerifyingKey:
    return VerifyingKey.from_bytes(name, data)


class SigningKey:
    """A secret key.  Make it by `generate`, `from_seed`, `from_bytes`, `from_pem`, `from_der`.

    It lies in memory of its own, which is wiped when the object goes; what you pass in or take out as bytes
    is yours to look after.  It cannot be pickled or copied.
    """

    __slots__ = ("__weakref__", "_alg", "_expand", "_public", "_secret", "_signer", "_uses")

    def __init__(self, alg: Algorithm, secret: Any, public: Optional[VerifyingKey], expand: Optional[bool]) -> None:
        self._alg = alg
        self._secret = secret
        self._public = public
        self._expand = alg._signer_pays if expand is None else expand
        self._uses = _SIGNATURES_BEFORE_EXPANSION if expand else 0
        self._signer: Any = None

    @classmethod
    def generate(cls, alg: Union[str, Algorithm], *, expand: Optional[bool] = None) -> SigningKey:
        """A new key, from the operating system's randomness.  Raises AlgorithmError, RandomnessError."""
        alg = algorithm(alg)
        secret, public = secret_bytes(alg.secret_key_bytes), bytearray(alg.public_key_bytes)
        out = view(public)
        check(lib.aioli_keypair(alg._c, out, len(out), secret, len(secret), NULL))
        return cls(alg, secret, VerifyingKey(alg, bytes(public), None), expand)

    @classmethod
    def from_seed(cls, alg: Union[str, Algorithm], seed: Buffer, *, expand: Optional[bool] = None) -> SigningKey:
        """The key of a seed, alg.seed_bytes of good randomness.  Give no two algorithms the same seed (aioli.h says why).

        Raises LengthError, AlgorithmError."""
        alg = algorithm(alg)
        start = view(seed)
        if len(start) != alg.seed_bytes:
            raise length_error("a seed", alg.name, alg.seed_bytes, len(start))
        secret, public = secret_bytes(alg.secret_key_bytes), bytearray(alg.public_key_bytes)
        out = view(public)
        check(lib.aioli_keypair_from_seed(alg._c, out, len(out), secret, len(secret), start, len(start), NULL))
        return cls(alg, secret, VerifyingKey(alg, bytes(public), None), expand)

    @classmethod
    def from_bytes(cls, alg: Union[str, Algorithm], data: Buffer, *, expand: Optional[bool] = None) -> SigningKey:
        """From the raw secret key, alg.secret_key_bytes long; of MAYO that is the seed.

        An expanded secret key of UOV is made again from its seed and compared: KeyMismatchError if it was changed.  Also raises
        LengthError, AlgorithmError."""
        alg = algorithm(alg)
        given = view(data)
        if len(given) != alg.secret_key_bytes:
            raise length_error("a secret key", alg.name, alg.secret_key_bytes, len(given))
        key = cls.from_seed(alg, ffi.buffer(given, alg.seed_bytes), expand=expand)
        if not hmac.compare_digest(ffi.buffer(given), ffi.buffer(key._secret)):
            check(lib.AIOLI_ERR_MISMATCH)
        return key

    @classmethod
    def from_pem(
        cls, pem: Union[str, Buffer], passphrase: Union[None, str, bytes] = None, *, expand: Optional[bool] = None
    ) -> SigningKey:
        """From PEM: `BEGIN PRIVATE KEY`, or `BEGIN ENCRYPTED PRIVATE KEY` with its passphrase.

        Passphrases need the extra `aioli[passphrase]`.  Raises KeyFileError (EncryptedKeyError, PassphraseError and others),
        LengthError; ArgumentError for a passphrase where none is needed."""
        data = pem.encode() if isinstance(pem, str) else bytes(view(pem))
        if passphrase is not None:
            from . import _passphrase

            return cls._of(_passphrase.open_file(_passphrase.from_pem(data), passphrase), lib.AIOLI_KEY_DER, expand)
        return cls._of(data, lib.AIOLI_KEY_PEM, expand)

    @classmethod
    def from_der(
        cls, der: Buffer, passphrase: Union[None, str, bytes] = None, *, expand: Optional[bool] = None
    ) -> SigningKey:
        """From DER: OneAsymmetricKey (PKCS#8), or EncryptedPrivateKeyInfo with its passphrase.  Raises as `from_pem` does."""
        if passphrase is not None:
            from . import _passphrase

            der = _passphrase.open_file(bytes(view(der)), passphrase)
        return cls._of(der, lib.AIOLI_KEY_DER, expand)

    @classmethod
    def _of(cls, data: Buffer, encoding: int, expand: Optional[bool]) -> SigningKey:
        alg, key = _decode(data, lib.AIOLI_KEY_SECRET, encoding)
        return cls(alg, key, None, expand)

    @property
    def algorithm(self) -> Algorithm:
        """The parameter set."""
        return self._alg

    @property
    def public_key(self) -> VerifyingKey:
        """The public key, computed when it is first asked for."""
        if self._public is None:
            public = bytearray(self._alg.public_key_bytes)
            out = view(public)
            check(lib.aioli_public_from_secret(self._alg._c, out, len(out), self._secret, len(self._secret), NULL))
            self._public = VerifyingKey(self._alg, bytes(public), None)
        return self._public

    def sign(self, message: Buffer, *, deterministic: bool = False, randomness: Optional[Buffer] = None) -> bytes:
        """A signature of `message`, alg.signature_bytes long.

        It is hedged with fresh randomness of the operating system, unless `deterministic` asks for the same signature each time
        (weaker against faults; fatal if the seed serves another algorithm, too) or `randomness` gives alg.randomness_bytes to
        use.  Raises RandomnessError, LengthError, ArgumentError."""
        msg, env, _alive = view(message), *self._environment(deterministic, randomness)
        signature = bytearray(self._alg.signature_bytes)
        out, n, signer = view(signature), len(signature), self._expanded()
        if signer is not None:
            status = _signer_sign(signer, out, n, msg, len(msg), env)
        else:
            status = lib.aioli_sign(self._alg._c, out, n, msg, len(msg), self._secret, len(self._secret), env)
        if status != 0:
            check(status)
        return bytes(signature)

    def sign_digest(self, digest: Buffer, *, deterministic: bool = False, randomness: Optional[Buffer] = None) -> bytes:
        """The same for a message that was hashed elsewhere: `digest` is alg.digest_bytes long (see `aioli.digest`)."""
        dig, env, _alive = view(digest), *self._environment(deterministic, randomness)
        if len(dig) != self._alg.digest_bytes:
            raise length_error("a digest", self._alg.name, self._alg.digest_bytes, len(dig))
        signature = bytearray(self._alg.signature_bytes)
        out, n, signer = view(signature), len(signature), self._expanded()
        if signer is not None:
            status = lib.aioli_signer_sign_digest(signer, out, n, dig, len(dig), env)
        else:
            status = lib.aioli_sign_digest(self._alg._c, out, n, dig, len(dig), self._secret, len(self._secret), env)
        if status != 0:
            check(status)
        return bytes(signature)

    def _environment(self, deterministic: bool, randomness: Optional[Buffer]) -> tuple[Any, Any]:
        """aioli_env for a signature, and what has to live as long."""
        if randomness is not None:
            if deterministic:
                raise ArgumentError("a signature is deterministic or takes randomness, not both")
            R = view(randomness)
            if len(R) != self._alg.randomness_bytes:
                raise length_error("the randomness", self._alg.name, self._alg.randomness_bytes, len(R))
            given = ffi.new("aioli_given *", {"bytes": R, "n": len(R)})
            return ffi.new("aioli_env *", {"rng": lib.aioli_rng_given, "rng_context": given}), (R, given)
        if deterministic:
            return ffi.new("aioli_env *", {"rng": lib.aioli_rng_zero}), None
        return NULL, None

    def _expanded(self) -> Any:
        if self._signer is not None or not self._expand:
            return self._signer
        if self._uses < _SIGNATURES_BEFORE_EXPANSION:
            self._uses += 1
            return None
        out = ffi.new("aioli_signer **")
        check(lib.aioli_signer_new(out, self._alg._c, self._secret, len(self._secret)))
        self._signer = ffi.gc(out[0], lib.aioli_signer_free, lib.aioli_signer_bytes(self._alg._c))
        return self._signer

    def to_bytes(self) -> bytes:
        """The raw secret key, in memory that nobody wipes."""
        return bytes(ffi.buffer(self._secret))

    def to_pem(self, passphrase: Union[None, str, bytes] = None) -> str:
        """PEM; with a passphrase it is encrypted, which needs the extra `aioli[passphrase]`."""
        if passphrase is not None:
            from . import _passphrase

            return _passphrase.to_pem(self.to_der(passphrase))
        return bytes(_encode(self._alg, lib.AIOLI_KEY_SECRET, lib.AIOLI_KEY_PEM, self._secret)).decode()

    def to_der(self, passphrase: Union[None, str, bytes] = None) -> bytes:
        """DER; with a passphrase it is encrypted, which needs the extra `aioli[passphrase]`."""
        der = bytes(_encode(self._alg, lib.AIOLI_KEY_SECRET, lib.AIOLI_KEY_DER, self._secret))
        if passphrase is None:
            return der
        from . import _passphrase

        return _passphrase.seal_file(der, self._alg.name, ffi.buffer(self._secret), passphrase)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SigningKey):
            return NotImplemented
        return self._alg == other._alg and hmac.compare_digest(ffi.buffer(self._secret), ffi.buffer(other._secret))

    def __hash__(self) -> int:
        return hash(self.public_key)

    def __repr__(self) -> str:
        return f"<aioli.SigningKey {self._alg.name}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a secret key is not pickled or copied: write it by to_pem, with a passphrase")
