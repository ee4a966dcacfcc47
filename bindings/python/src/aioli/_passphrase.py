# SPDX-License-Identifier: Apache-2.0
"""Key files under a passphrase: PBES2 with scrypt and AES-256-CBC, as the command line `aioli` writes them (docs/key-files.md).

Read: PBES2 with scrypt or PBKDF2 and AES-CBC.  The ASN.1 is read by asn1crypto, the cipher is cryptography's, the key derivation
that of hashlib.  Python cannot wipe what they leave behind."""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import Any, Union

from ._errors import ArgumentError, FormatError, KeyMismatchError, PassphraseError
from ._native import ffi, lib, secret_bytes
from ._types import Buffer

try:
    from asn1crypto import core, pem
    from cryptography.hazmat.primitives import ciphers, padding
except ImportError as missing:
    raise ImportError("passphrases need two packages more: pip install 'aioli[passphrase]'") from missing

CHECK_TYPE = "2.25.200908490181738360212580098351516106896"
PBES2, PBKDF2, SCRYPT = "1.2.840.113549.1.5.13", "1.2.840.113549.1.5.12", "1.3.6.1.4.1.11591.4.11"
AES_CBC = {"2.16.840.1.101.3.4.1.2": 16, "2.16.840.1.101.3.4.1.22": 24, "2.16.840.1.101.3.4.1.42": 32}  # and the key's length
AES_256_CBC = "2.16.840.1.101.3.4.1.42"
HMACS = {f"1.2.840.113549.2.{i}": name for i, name in ((7, "sha1"), (8, "sha224"), (9, "sha256"), (10, "sha384"), (11, "sha512"))}
# As the command line has it: 16 MiB and about a quarter of a second.
N, R, P = 1 << 14, 8, 5
# The most work that a file may ask for, as for the command line: some ten seconds.
MOST_ITERATIONS = 10_000_000
MOST_SCRYPT_WORK = 1 << 24  # N r p

MALFORMED = "the file is not a correct EncryptedPrivateKeyInfo"


class Algorithm(core.Sequence):  # type: ignore[misc]
    _fields = [("algorithm", core.ObjectIdentifier), ("parameters", core.Any, {"optional": True})]


class Encrypted(core.Sequence):  # type: ignore[misc]
    """EncryptedPrivateKeyInfo (RFC 5958)."""

    _fields = [("algorithm", Algorithm), ("sealed", core.OctetString)]


class Pbes2(core.Sequence):  # type: ignore[misc]
    """PBES2-params (RFC 8018)."""

    _fields = [("kdf", Algorithm), ("cipher", Algorithm)]


class Pbkdf2(core.Sequence):  # type: ignore[misc]
    """PBKDF2-params (RFC 8018), the salt given in the file."""

    _fields = [
        ("salt", core.OctetString),
        ("iterations", core.Integer),
        ("key_bytes", core.Integer, {"optional": True}),
        ("prf", Algorithm, {"optional": True}),
    ]


class Scrypt(core.Sequence):  # type: ignore[misc]
    """scrypt-params (RFC 7914)."""

    _fields = [
        ("salt", core.OctetString),
        ("N", core.Integer),
        ("r", core.Integer),
        ("p", core.Integer),
        ("key_bytes", core.Integer, {"optional": True}),
    ]


class Attribute(core.Sequence):  # type: ignore[misc]
    _fields = [("type", core.ObjectIdentifier), ("values", core.SetOf, {"spec": core.Any})]


class Attributes(core.SetOf):  # type: ignore[misc]
    _child_spec = Attribute


class PrivateKey(core.Sequence):  # type: ignore[misc]
    """OneAsymmetricKey (RFC 5958)."""

    _fields = [
        ("version", core.Integer),
        ("algorithm", Algorithm),
        ("key", core.OctetString),
        ("attributes", Attributes, {"implicit": 0, "optional": True}),
        ("public_key", core.Any, {"optional": True}),
    ]


def _bytes(passphrase: Union[str, bytes]) -> bytes:
    return passphrase.encode() if isinstance(passphrase, str) else bytes(passphrase)


def check_value(name: str, secret: Buffer) -> bytes:
    """Binds a secret key to its algorithm: CBC authenticates nothing."""
    return hmac.new(bytes(secret), b"aioli key check\0" + name.encode(), hashlib.sha256).digest()


def _derive(kdf: Any, passphrase: bytes, wanted: int) -> bytes:
    kind = kdf["algorithm"].native
    if kind == SCRYPT:
        scrypt = kdf["parameters"].parse(Scrypt)
        n, r, p = (scrypt[field].native for field in ("N", "r", "p"))
        if n < 2 or n & (n - 1) or r < 1 or p < 1:
            raise FormatError("the parameters of scrypt make no sense")
        if n * r * p > MOST_SCRYPT_WORK:
            raise FormatError(f"it asks for more work than is done here (scrypt with N r p above {MOST_SCRYPT_WORK})")
        memory = 256 * r * (n + p + 2)
        return hashlib.scrypt(passphrase, salt=scrypt["salt"].native, n=n, r=r, p=p, maxmem=memory, dklen=wanted)
    if kind == PBKDF2:
        pbkdf2 = kdf["parameters"].parse(Pbkdf2)
        prf = pbkdf2["prf"].native
        name = "sha1" if prf is None else HMACS.get(prf["algorithm"])
        if name is None:
            raise FormatError(f"PBKDF2 with the function {prf['algorithm']} is not known here")
        iterations = pbkdf2["iterations"].native
        if not 1 <= iterations <= MOST_ITERATIONS:
            raise FormatError(f"it asks for {iterations} iterations; from 1 to {MOST_ITERATIONS} are done")
        return hashlib.pbkdf2_hmac(name, passphrase, pbkdf2["salt"].native, iterations, wanted)
    raise FormatError(f"the key derivation {kind} is not known here")


def open_file(der: bytes, passphrase: Union[str, bytes]) -> bytes:
    """The PrivateKeyInfo in an EncryptedPrivateKeyInfo, its check value compared."""
    try:
        plain_file = isinstance(core.Sequence.load(der, strict=True)[0], core.Integer)
    except (ValueError, TypeError, KeyError, IndexError):
        raise FormatError(MALFORMED) from None
    if plain_file:
        raise ArgumentError("the key file is not encrypted: read it without a passphrase")
    try:
        info = Encrypted.load(der, strict=True)
        kind, sealed = info["algorithm"]["algorithm"].native, info["sealed"].native
        if kind != PBES2:
            raise FormatError(f"the encryption {kind} is not undone here: PBES2 is")
        scheme = info["algorithm"]["parameters"].parse(Pbes2)
        cipher = scheme["cipher"]["algorithm"].native
        if cipher not in AES_CBC:
            raise FormatError(f"the cipher {cipher} is not known here: AES in CBC mode is")
        iv = scheme["cipher"]["parameters"].parse(core.OctetString).native
        if len(sealed) == 0 or len(sealed) % 16 != 0 or len(iv) != 16:
            raise FormatError(MALFORMED)
        key = _derive(scheme["kdf"], _bytes(passphrase), AES_CBC[cipher])
    except FormatError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FormatError(MALFORMED) from None
    decryptor = ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.CBC(iv)).decryptor()
    padded = decryptor.update(sealed) + decryptor.finalize()
    remover = padding.PKCS7(128).unpadder()
    try:
        plain: bytes = remover.update(padded) + remover.finalize()
        found = PrivateKey.load(plain, strict=True)["attributes"]
        there = [] if isinstance(found, core.Void) else found
        attributes = [(a["type"].dotted, [value.dump() for value in a["values"]]) for a in there]
    except (ValueError, TypeError, KeyError):  # garbled plaintext: one wrong passphrase in 256 passes the padding
        raise PassphraseError("the passphrase does not open the key file") from None
    if attributes:
        _compare(plain, attributes)
    return plain


def _compare(plain: bytes, attributes: list[tuple[str, list[bytes]]]) -> None:
    found = [values for kind, values in attributes if kind == CHECK_TYPE]
    out, used = secret_bytes(len(plain)), ffi.new("size_t *")
    alg, kind = ffi.new("aioli_alg **"), ffi.new("aioli_key_kind *")
    file = ffi.from_buffer("uint8_t[]", plain)
    if lib.aioli_key_decode(file, len(plain), alg, kind, out, len(plain), used, ffi.NULL, ffi.NULL) != 0:
        return  # the reader will say what is wrong
    wanted = core.OctetString(check_value(ffi.string(lib.aioli_alg_name(alg[0])).decode(), ffi.buffer(out, used[0]))).dump()
    if len(found) != 1 or len(found[0]) != 1 or not hmac.compare_digest(found[0][0], wanted):
        raise KeyMismatchError("the check value of the encrypted key is not right: the file was changed or damaged")


def seal_file(der: bytes, name: str, secret: Buffer, passphrase: Union[str, bytes]) -> bytes:
    """An EncryptedPrivateKeyInfo of a PrivateKeyInfo, to which the check value is added."""
    if not passphrase:
        raise ArgumentError("an empty passphrase protects nothing")
    attribute = Attribute({"type": CHECK_TYPE, "values": [core.OctetString(check_value(name, secret))]})
    attributes = Attributes([attribute], implicit=("context", 0))
    bare = core.Sequence.load(der, strict=True).contents
    whole = core.Sequence(contents=bare + attributes.dump()).dump()
    salt, iv = os.urandom(16), os.urandom(16)
    key = hashlib.scrypt(_bytes(passphrase), salt=salt, n=N, r=R, p=P, maxmem=1 << 26, dklen=32)
    adder = padding.PKCS7(128).padder()
    encryptor = ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.CBC(iv)).encryptor()
    sealed = encryptor.update(adder.update(whole) + adder.finalize()) + encryptor.finalize()
    scrypt = Algorithm({"algorithm": SCRYPT, "parameters": Scrypt({"salt": salt, "N": N, "r": R, "p": P})})
    cipher = Algorithm({"algorithm": AES_256_CBC, "parameters": core.OctetString(iv)})
    algorithm = Algorithm({"algorithm": PBES2, "parameters": Pbes2({"kdf": scrypt, "cipher": cipher})})
    result: bytes = Encrypted({"algorithm": algorithm, "sealed": sealed}).dump()
    return result


def from_pem(text: bytes) -> bytes:
    """The DER in an ENCRYPTED PRIVATE KEY."""
    try:
        label, _, der = pem.unarmor(text)
    except (ValueError, TypeError):
        raise FormatError("the key file is not PEM") from None
    if label == "PRIVATE KEY":
        raise ArgumentError("the key file is not encrypted: read it without a passphrase")
    if label != "ENCRYPTED PRIVATE KEY":
        raise FormatError(f"the key file holds {label}, not an encrypted private key")
    result: bytes = der
    return result


def to_pem(der: bytes) -> str:
    """The ENCRYPTED PRIVATE KEY of a DER."""
    text: str = pem.armor("ENCRYPTED PRIVATE KEY", der).decode()
    return text
