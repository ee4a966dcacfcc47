# SPDX-License-Identifier: Apache-2.0
"""Keys as a user meets them: every set, every way in and out, every error."""

import copy
import hashlib
import pickle
import sys
import threading
from array import array

import aioli
import pytest
from aioli._native import lib

NAMES = [a.name for a in aioli.algorithms()]
FEW = ["MAYO-1", "MAYO-2", "MAYO-3-r2", "UOV-Ip", "UOV-Is-pkc-skc"]


@pytest.fixture(scope="module")
def key():
    return aioli.SigningKey.generate("MAYO-2")


@pytest.mark.parametrize("name", NAMES)
def test_every_set_signs_and_verifies(name):
    key = aioli.SigningKey.generate(name)
    for i in range(4):  # streamed keys first, then expanded ones
        message = b"x" * i
        signature = key.sign(message)
        assert len(signature) == key.algorithm.signature_bytes
        key.public_key.verify(signature, message)
        with pytest.raises(aioli.InvalidSignature):
            key.public_key.verify(signature, message + b"y")


def test_all_sets_of_the_library_are_there():
    assert len(NAMES) == len(set(NAMES)) >= 37 and {"MAYO-1", "MAYO-5-r1b", "UOV-V-pkc-skc"} <= set(NAMES)


@pytest.mark.parametrize("name", FEW)
def test_key_files_round_trip(name):
    key = aioli.SigningKey.generate(name)
    public = key.public_key
    assert aioli.SigningKey.from_pem(key.to_pem()) == key
    assert aioli.SigningKey.from_der(key.to_der()) == key
    assert aioli.SigningKey.from_bytes(name, key.to_bytes()) == key
    assert aioli.VerifyingKey.from_pem(public.to_pem()) == public
    assert aioli.VerifyingKey.from_der(public.to_der()) == public
    assert aioli.VerifyingKey.from_bytes(name, bytes(public)) == public
    assert aioli.SigningKey.from_pem(key.to_pem()).public_key == public


@pytest.mark.parametrize("name", ["MAYO-1", "UOV-Ip"])
def test_passphrases(name):
    key = aioli.SigningKey.generate(name)
    for sealed in (key.to_pem("correct horse"), key.to_pem(b"correct horse")):
        assert "BEGIN ENCRYPTED PRIVATE KEY" in sealed
        assert aioli.SigningKey.from_pem(sealed, "correct horse") == key
        with pytest.raises(aioli.PassphraseError):
            aioli.SigningKey.from_pem(sealed, "wrong")
        with pytest.raises(aioli.EncryptedKeyError):
            aioli.SigningKey.from_pem(sealed)
    der = key.to_der("correct horse")
    assert aioli.SigningKey.from_der(der, "correct horse") == key
    with pytest.raises(aioli.ArgumentError, match="not encrypted"):
        aioli.SigningKey.from_pem(key.to_pem(), "correct horse")
    with pytest.raises(aioli.ArgumentError, match="not encrypted"):
        aioli.SigningKey.from_der(key.to_der(), "correct horse")
    with pytest.raises(aioli.ArgumentError, match="empty"):
        key.to_pem("")
    with pytest.raises(aioli.FormatError):
        aioli.SigningKey.from_der(der[:-1], "correct horse")


def test_a_changed_encrypted_key_is_noticed():
    """CBC lets whoever can write the file turn bits of the first block over: a key of one set into one of another."""
    from aioli._passphrase import Encrypted, Pbes2

    key = aioli.SigningKey.generate("MAYO-1-r2")
    mine, other = key.to_der(), aioli.SigningKey.from_seed("MAYO-2-r2", key.to_bytes()).to_der()
    assert len(mine) == len(other) and mine[16:] == other[16:]  # so that the change is all in the first block, and in reach
    info = Encrypted.load(key.to_der("secret"))
    scheme = info["algorithm"]["parameters"].parse(Pbes2)
    iv = bytearray(scheme["cipher"]["parameters"].native)
    for i in range(4, 16):
        iv[i] ^= mine[i] ^ other[i]
    changed = info.dump().replace(bytes(scheme["cipher"]["parameters"].native), bytes(iv))
    assert aioli.SigningKey.from_der(info.dump(), "secret") == key and changed != info.dump()
    with pytest.raises(aioli.KeyMismatchError, match="check value"):
        aioli.SigningKey.from_der(changed, "secret")


# aioli keygen --alg MAYO-1 --encrypt, with the passphrase below.
OF_THE_COMMAND_LINE = """\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHcMFcGCSqGSIb3DQEFDTBKMCkGCSsGAQQB2kcECzAcBBAMez0gRprXhoWRtFFK
agTuAgJAAAIBCAIBBTAdBglghkgBZQMEASoEEG5fp3J666SKOcXzXiNIrAQEgYCe
IjUN4MvA1C0UYEjEUCcl8wbNvQ0DSvD3Z3mJ+IfIAmwBKX4nUfXXkRbRE8ezxZQI
GPVoz1epSnTMPePjcVWgH+jy2wDvuOjlzOAX0PXgrtreehH5dlE6brebdUoFFCJP
uGCfNdDZllBsRnWrm/5uQsgt1VfT3iy69UCawtDl1A==
-----END ENCRYPTED PRIVATE KEY-----
"""


def test_a_file_of_the_command_line():
    key = aioli.SigningKey.from_pem(OF_THE_COMMAND_LINE, "passphrase of the command line")
    assert hashlib.sha256(bytes(key.public_key)).hexdigest() == "48dc6fbfb681bd70b6f68c22b04c9d47c6c091c548b0ce635a93e7a273755e8f"
    with pytest.raises(aioli.PassphraseError):
        aioli.SigningKey.from_pem(OF_THE_COMMAND_LINE, "passphrase")


def test_files_of_others(tmp_path):
    """PBKDF2, as OpenSSL and others write it, without a check value; and more work than is done here."""
    from aioli import _passphrase as p
    from asn1crypto import core
    from cryptography.hazmat.primitives import ciphers, padding

    key = aioli.SigningKey.generate("MAYO-1")
    sha256 = "1.2.840.113549.2.9"
    for prf, name, iterations in ((sha256, "sha256", 1000), (None, "sha1", 7), (sha256, "sha256", 10**9)):
        adder = padding.PKCS7(128).padder()
        secret = hashlib.pbkdf2_hmac(name, b"secret", b"saltsalt", min(iterations, 1000), 16)
        encryptor = ciphers.Cipher(ciphers.algorithms.AES(secret), ciphers.modes.CBC(bytes(16))).encryptor()
        sealed = encryptor.update(adder.update(key.to_der()) + adder.finalize()) + encryptor.finalize()
        function = {"prf": {"algorithm": prf, "parameters": core.Null()}} if prf else {}
        kdf = p.Pbkdf2({"salt": b"saltsalt", "iterations": iterations, **function})
        scheme = p.Pbes2(
            {
                "kdf": {"algorithm": p.PBKDF2, "parameters": kdf},
                "cipher": {"algorithm": "2.16.840.1.101.3.4.1.2", "parameters": core.OctetString(bytes(16))},
            }
        )
        file = p.Encrypted({"algorithm": {"algorithm": p.PBES2, "parameters": scheme}, "sealed": sealed}).dump()
        if iterations > 1000:
            with pytest.raises(aioli.FormatError, match="iterations"):
                aioli.SigningKey.from_der(file, "secret")
        else:
            assert aioli.SigningKey.from_der(file, "secret") == key
    scrypt = p.Algorithm({"algorithm": p.SCRYPT, "parameters": p.Scrypt({"salt": b"s", "N": 1 << 30, "r": 8, "p": 1})})
    with pytest.raises(aioli.FormatError, match="more work"):
        p._derive(scrypt, b"secret", 32)


def test_seeds():
    alg = aioli.algorithm("MAYO-1")
    seed = bytes(range(alg.seed_bytes))
    key = aioli.SigningKey.from_seed(alg, seed)
    assert key == aioli.SigningKey.from_seed("MAYO-1", bytearray(seed)) and key.to_bytes() == seed
    with pytest.raises(aioli.LengthError, match="24 bytes, not 23"):
        aioli.SigningKey.from_seed("MAYO-1", seed[:-1])


def test_expanded_uov_key_that_was_changed():
    key = aioli.SigningKey.generate("UOV-Ip")
    changed = bytearray(key.to_bytes())
    changed[-1] ^= 1
    with pytest.raises(aioli.KeyMismatchError):
        aioli.SigningKey.from_bytes("UOV-Ip", changed)


def test_randomness(key):
    R = bytes(range(key.algorithm.randomness_bytes))
    for _ in range(4):
        assert key.sign(b"m", deterministic=True) == key.sign(b"m", randomness=bytes(len(R)))
        assert key.sign(b"m", randomness=R) == aioli.SigningKey.from_bytes("MAYO-2", key.to_bytes()).sign(b"m", randomness=R)
        assert key.sign(b"m") != key.sign(b"m")
    with pytest.raises(aioli.LengthError):
        key.sign(b"m", randomness=R + b"x")
    with pytest.raises(aioli.ArgumentError):
        key.sign(b"m", randomness=R, deterministic=True)


@pytest.mark.parametrize("expand", [None, True, False])
def test_expansion_on_demand(expand):
    key = aioli.SigningKey.generate("MAYO-2", expand=expand)
    public = aioli.VerifyingKey.from_bytes("MAYO-2", bytes(key.public_key), expand=expand)
    made = []
    for _ in range(4):
        public.verify(key.sign(b"m"), b"m")
        made.append((key._signer is not None, public._verifier is not None))
    assert made == {
        None: [(False, False), (False, True), (True, True), (True, True)],
        True: [(True, True)] * 4,
        False: [(False, False)] * 4,
    }[expand]


def test_an_expansion_that_is_a_copy_is_not_made_unasked():
    key = aioli.SigningKey.generate("UOV-Ip")
    for _ in range(4):
        key.public_key.verify(key.sign(b"m"), b"m")
    assert key._signer is None and key.public_key._verifier is None


def test_any_buffer(key):
    message = b"0123456789abcdef"
    signature = key.sign(message)
    backing = array("I", message)
    for buffer in (bytearray(message), memoryview(message), backing, memoryview(b"__" + message)[2:]):
        for _ in range(3):
            key.public_key.verify(bytearray(signature), buffer)
            key.public_key.verify(memoryview(signature), buffer)
        assert key.sign(buffer, deterministic=True) == key.sign(message, deterministic=True)
    for wrong in ("text", None, 7, [1, 2], memoryview(message)[::2]):
        for call in (lambda: key.public_key.verify(signature, wrong), lambda: key.sign(wrong)):
            with pytest.raises((TypeError, ValueError, BufferError)):
                call()


def test_lengths(key):
    public = aioli.VerifyingKey.from_bytes("MAYO-2", bytes(key.public_key))
    for _ in range(3):
        with pytest.raises(aioli.LengthError, match="239 bytes, not 3") as error:
            public.verify(b"abc", b"m")
        assert error.value.status == lib.AIOLI_ERR_LENGTH
    with pytest.raises(aioli.LengthError):
        aioli.VerifyingKey.from_bytes("MAYO-2", bytes(key.public_key) + b"x")
    with pytest.raises(aioli.LengthError):
        aioli.SigningKey.from_bytes("MAYO-2", b"")
    with pytest.raises(aioli.LengthError):
        key.sign_digest(b"short")
    with pytest.raises(aioli.LengthError):
        public.verify_digest(key.sign(b"m"), b"short")


def test_key_files_of_another_kind(key):
    public = key.public_key
    cases = [
        (aioli.SigningKey.from_pem, public.to_pem(), "holds a public key"),
        (aioli.VerifyingKey.from_pem, key.to_pem(), "holds a secret key"),
        (aioli.VerifyingKey.from_pem, public.to_der(), "DER, not PEM"),
        (aioli.VerifyingKey.from_der, public.to_pem().encode(), "not DER"),
        (aioli.VerifyingKey.from_der, public.to_der() + b"\0", "malformed"),
        (aioli.VerifyingKey.from_der, b"", "not DER"),
    ]
    for read, data, why in cases:
        with pytest.raises(aioli.FormatError, match=why):
            read(data)
    with pytest.raises(aioli.UnknownOidError):
        aioli.VerifyingKey.from_der(bytes.fromhex("300b300506032b65700302000a"))


def test_names():
    with pytest.raises(aioli.AlgorithmError, match="MAYO-4") as error:
        aioli.SigningKey.generate("MAYO-4")
    assert error.value.status == lib.AIOLI_ERR_ALGORITHM
    assert pickle.loads(pickle.dumps(aioli.algorithm("MAYO-1"))) == aioli.algorithm("MAYO-1")


def test_every_status_has_its_exception():
    from aioli import _errors

    statuses = {name: getattr(lib, name) for name in dir(lib) if name.startswith("AIOLI_ERR_")}
    assert len(statuses) == 18 and set(statuses.values()) == set(_errors.BY_STATUS)
    for status in statuses.values():
        with pytest.raises(_errors.BY_STATUS[status]) as error:
            _errors.check(status)
        assert error.value.status == status and isinstance(error.value, aioli.AioliError)


def test_secrets_stay(key):
    for use in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not pickled"):
            use(key)
    secret = key.to_bytes()
    for text in (repr(key), str(key), repr(key.public_key)):
        assert "MAYO-2" in text and secret.hex()[:8] not in text
    assert not hasattr(key, "__dict__")
    assert pickle.loads(pickle.dumps(key.public_key)) == key.public_key


def test_secret_memory_is_wiped(monkeypatch):
    from aioli import _native

    ffi, seen = _native.ffi, []

    class Watching:
        def memmove(self, to, source, n):
            ffi.memmove(to, source, n)
            seen.append(bytes(ffi.buffer(to, n)))

    memory = _native.secret_bytes(32)
    ffi.memmove(memory, b"s" * 32, 32)
    monkeypatch.setattr(_native, "ffi", Watching())
    del memory
    assert seen == [bytes(32)]


def test_equality(key):
    other = aioli.SigningKey.generate("MAYO-2")
    assert key != other and key.public_key != other.public_key and key != "key" and key.public_key != b"key"
    assert len({key, aioli.SigningKey.from_bytes("MAYO-2", key.to_bytes()), other}) == 2
    seed = bytes(range(32))
    assert aioli.SigningKey.from_seed("MAYO-3", seed) != aioli.SigningKey.from_seed("MAYO-3-r2", seed)


def test_streams(key):
    signer = aioli.Signer(key)
    for piece in (b"pass ", bytearray(b"the "), memoryview(b"salt")):
        signer.update(piece)
    signature = signer.finalize(deterministic=True)
    assert signature == key.sign(b"pass the salt", deterministic=True)
    verifier = aioli.Verifier(key.public_key)
    verifier.update(b"pass the salt")
    verifier.finalize(signature)
    for ended in (signer, verifier):
        with pytest.raises(aioli.StateError):
            ended.update(b"more")
    with pytest.raises(aioli.StateError):
        signer.finalize()
    verifier = aioli.Verifier(key.public_key)
    with pytest.raises(aioli.InvalidSignature):
        verifier.finalize(signature)
    verifier = aioli.Verifier(key.public_key)
    with pytest.raises(aioli.LengthError):
        verifier.finalize(b"short")
    digest = aioli.digest("MAYO-2", b"m")
    for _ in range(4):
        key.public_key.verify(key.sign_digest(digest), b"m")
        key.public_key.verify_digest(key.sign(b"m"), digest)


def test_the_gil_is_released():
    """While one thread makes a key of UOV-V, which takes milliseconds, another goes on; while it adds numbers, none does."""
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1

    def ticks_during(work):
        before = ticks[0]
        work()
        return ticks[0] - before

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.5)  # so that a thread which has the lock keeps it, unless it lets go
    thread = threading.Thread(target=tick)
    try:
        thread.start()
        assert any(ticks_during(lambda: aioli.SigningKey.generate("UOV-V")) > 0 for _ in range(3))
        if getattr(sys, "_is_gil_enabled", lambda: True)():
            assert any(ticks_during(lambda: sum(range(100_000))) == 0 for _ in range(3))
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_threads_share_a_key():
    key = aioli.SigningKey.generate("MAYO-2")
    failures = []

    def work(i):
        try:
            for j in range(50):
                message = b"%d %d" % (i, j)
                key.public_key.verify(key.sign(message), message)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_selftest():
    aioli.selftest()
    assert aioli.backend() in {"portable", "aesni", "avx2", "vaes", "gfni", "avx512"}
