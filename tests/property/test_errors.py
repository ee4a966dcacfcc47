# SPDX-License-Identifier: Apache-2.0
"""Errors made to happen: each has its own status, and leaves nothing but zeros in the outputs."""

import pytest

from aioli_model import Params
from capi import Aioli, Alg, Env, Guarded, Hash, Op, Status
from strategies import stream

MESSAGE = b"never signed"


def failing() -> Env:
    return Env(rng=lambda n: b"\x5a" * n, failing=True)


@pytest.fixture(scope="module")
def key(lib: Aioli, alg: Alg, params: Params) -> tuple[bytes, bytes]:
    status, pk, sk = lib.keypair_from_seed(alg, stream(f"{params.name} key 0", params.sk_bytes))
    assert status == Status.OK
    return pk, sk


def short(lib: Aioli, alg: Alg, op: Op) -> Env:
    """A workspace one byte smaller than the least."""
    return Env(rng=lambda n: b"\x5a" * n, workspace=Guarded(lib.c.aioli_workspace_least_bytes(alg.handle, op) - 1))


def cleared(given: int, exact: int) -> bytes:
    """An output after an error: zero, and untouched behind its exact length."""
    return bytes(min(given, exact)) + bytes([Guarded.FILLING]) * (given - exact)


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("wrong", ["seed", "pk", "sk"])
def test_keypair_lengths(lib: Aioli, alg: Alg, wrong: str, change: int) -> None:
    seed = bytes(range(alg.sk_bytes + (change if wrong == "seed" else 0)))
    pk_bytes = alg.pk_bytes + (change if wrong == "pk" else 0)
    sk_bytes = alg.sk_bytes + (change if wrong == "sk" else 0)
    expected = (Status.LENGTH, cleared(pk_bytes, alg.pk_bytes), cleared(sk_bytes, alg.sk_bytes))
    assert lib.keypair_from_seed(alg, seed, pk_bytes=pk_bytes, sk_bytes=sk_bytes) == expected
    if wrong == "seed":
        assert lib.public_from_secret(alg, seed) == (Status.LENGTH, bytes(alg.pk_bytes))
    else:
        assert lib.keypair(alg, pk_bytes=pk_bytes, sk_bytes=sk_bytes) == expected
    if wrong == "pk":
        assert lib.public_from_secret(alg, bytes(alg.sk_bytes), pk_bytes=pk_bytes) == (
            Status.LENGTH,
            cleared(pk_bytes, alg.pk_bytes),
        )


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("wrong", ["sk", "sig", "R", "digest"])
def test_signing_lengths(lib: Aioli, alg: Alg, key: tuple[bytes, bytes], wrong: str, change: int) -> None:
    by = lambda what: change if what == wrong else 0  # noqa: E731
    sk = (key[1] + b"\0")[: alg.sk_bytes + by("sk")]
    R, digest = bytes(alg.R_bytes + by("R")), bytes(alg.digest_bytes + by("digest"))
    sig_bytes = alg.sig_bytes + by("sig")
    expected = (Status.LENGTH, cleared(sig_bytes, alg.sig_bytes))
    if wrong in ("sk", "sig"):
        assert lib.sign(alg, MESSAGE, sk, sig_bytes=sig_bytes) == expected
        assert lib.sign_deterministic(alg, MESSAGE, sk, sig_bytes=sig_bytes) == expected
        assert lib.sign_final(lib.hash(alg, [MESSAGE]), sig_bytes, sk) == expected
    if wrong == "sk":
        with lib.signer(alg, sk) as signer:
            assert signer.status == Status.LENGTH
        memory = Guarded(alg.signer_bytes, 1)
        with lib.signer(alg, sk, memory) as signer:
            assert signer.status == Status.LENGTH
            assert set(memory.bytes()) <= {0, Guarded.FILLING}
    if wrong in ("sig", "digest"):
        with lib.signer(alg, sk) as signer:
            assert signer.status == Status.OK
            assert lib.signer_sign_digest(signer, sig_bytes, digest) == expected
            if wrong == "sig":
                assert lib.signer_sign(signer, sig_bytes, MESSAGE) == expected
                assert lib.signer_sign_final(signer, lib.hash(alg, [MESSAGE]), sig_bytes) == expected
    if wrong != "digest":
        assert lib.sign_with_randomness(alg, MESSAGE, sk, R, sig_bytes=sig_bytes) == expected
    if wrong != "R":
        assert lib.sign_digest(alg, digest, sk, sig_bytes=sig_bytes) == expected


@pytest.mark.parametrize("change", [-1, 1])
@pytest.mark.parametrize("wrong", ["sig", "pk", "digest"])
def test_verifying_lengths(lib: Aioli, alg: Alg, key: tuple[bytes, bytes], wrong: str, change: int) -> None:
    by = lambda what: change if what == wrong else 0  # noqa: E731
    pk = (key[0] + b"\0")[: alg.pk_bytes + by("pk")]
    sig, digest = bytes(alg.sig_bytes + by("sig")), bytes(alg.digest_bytes + by("digest"))
    assert lib.verify_digest(alg, sig, digest, pk) == Status.LENGTH
    if wrong != "digest":
        assert lib.verify(alg, sig, MESSAGE, pk) == Status.LENGTH
        assert lib.verify_final(lib.hash(alg, [MESSAGE]), sig, pk) == Status.LENGTH
    with lib.verifier(alg, pk) as verifier:
        if wrong == "pk":
            assert verifier.status == Status.LENGTH
            return
        assert verifier.status == Status.OK
        assert lib.verifier_verify_digest(verifier, sig, digest) == Status.LENGTH
        if wrong == "sig":
            assert lib.verifier_verify(verifier, sig, MESSAGE) == Status.LENGTH
            assert lib.verifier_verify_final(verifier, lib.hash(alg, [MESSAGE]), sig) == Status.LENGTH


def test_failing_randomness(lib: Aioli, alg: Alg, key: tuple[bytes, bytes]) -> None:
    sk, env = key[1], failing()
    assert lib.keypair(alg, env) == (Status.RNG, bytes(alg.pk_bytes), bytes(alg.sk_bytes))
    expected = (Status.RNG, bytes(alg.sig_bytes))
    assert lib.sign(alg, MESSAGE, sk, env) == expected
    assert lib.sign_digest(alg, bytes(alg.digest_bytes), sk, env) == expected
    assert lib.sign_final(lib.hash(alg, [MESSAGE]), alg.sig_bytes, sk, env) == expected
    with lib.signer(alg, sk) as signer:
        assert lib.signer_sign(signer, alg.sig_bytes, MESSAGE, env) == expected
        assert lib.signer_sign_digest(signer, alg.sig_bytes, bytes(alg.digest_bytes), env) == expected
        assert lib.signer_sign_final(signer, lib.hash(alg, [MESSAGE]), alg.sig_bytes, env) == expected


def test_what_needs_no_randomness_draws_none(lib: Aioli, alg: Alg, key: tuple[bytes, bytes]) -> None:
    (pk, sk), env = key, failing()
    assert lib.keypair_from_seed(alg, sk, env) == (Status.OK, pk, sk)
    assert lib.public_from_secret(alg, sk, env) == (Status.OK, pk)
    status, signature = lib.sign_deterministic(alg, MESSAGE, sk, env)
    assert status == Status.OK
    assert lib.sign_with_randomness(alg, MESSAGE, sk, bytes(alg.R_bytes), env) == (Status.OK, signature)
    assert lib.verify(alg, signature, MESSAGE, pk, env) == Status.OK
    assert env.requests == []


def test_short_workspace(lib: Aioli, alg: Alg, key: tuple[bytes, bytes]) -> None:
    pk, sk = key
    digest, sig = bytes(alg.digest_bytes), bytes(alg.sig_bytes)
    no_keys = (Status.BUFFER, bytes(alg.pk_bytes), bytes(alg.sk_bytes))
    assert lib.keypair(alg, short(lib, alg, Op.KEYPAIR)) == no_keys
    assert lib.keypair_from_seed(alg, sk, short(lib, alg, Op.KEYPAIR)) == no_keys
    assert lib.public_from_secret(alg, sk, short(lib, alg, Op.KEYPAIR)) == no_keys[:2]

    no_signature = (Status.BUFFER, sig)
    env = short(lib, alg, Op.SIGN)
    assert lib.sign(alg, MESSAGE, sk, env) == no_signature
    assert lib.sign_deterministic(alg, MESSAGE, sk, env) == no_signature
    assert lib.sign_with_randomness(alg, MESSAGE, sk, bytes(alg.R_bytes), env) == no_signature
    assert lib.sign_digest(alg, digest, sk, env) == no_signature
    assert lib.sign_final(lib.hash(alg, [MESSAGE]), alg.sig_bytes, sk, env) == no_signature

    env = short(lib, alg, Op.VERIFY)
    assert lib.verify(alg, sig, MESSAGE, pk, env) == Status.BUFFER
    assert lib.verify_digest(alg, sig, digest, pk, env) == Status.BUFFER
    assert lib.verify_final(lib.hash(alg, [MESSAGE]), sig, pk, env) == Status.BUFFER

    with lib.signer(alg, sk, Guarded(alg.signer_bytes, 1), short(lib, alg, Op.SIGNER_INIT)) as signer:
        assert signer.status == Status.BUFFER
    with lib.signer(alg, sk, Guarded(alg.signer_bytes - 1)) as signer:
        assert signer.status == Status.BUFFER
    with lib.signer(alg, sk) as signer:
        env = short(lib, alg, Op.SIGNER_SIGN)
        assert lib.signer_sign(signer, alg.sig_bytes, MESSAGE, env) == no_signature
        assert lib.signer_sign_digest(signer, alg.sig_bytes, digest, env) == no_signature
        assert lib.signer_sign_final(signer, lib.hash(alg, [MESSAGE]), alg.sig_bytes, env) == no_signature
    with lib.verifier(alg, pk, Guarded(alg.verifier_bytes, 1), short(lib, alg, Op.VERIFIER_INIT)) as verifier:
        assert verifier.status == Status.BUFFER
    with lib.verifier(alg, pk, Guarded(alg.verifier_bytes - 1)) as verifier:  # objects have one size on all backends
        assert verifier.status == Status.BUFFER
    with lib.verifier(alg, pk) as verifier:
        env = short(lib, alg, Op.VERIFIER_VERIFY)
        assert lib.verifier_verify(verifier, sig, MESSAGE, env) == Status.BUFFER
        assert lib.verifier_verify_digest(verifier, sig, digest, env) == Status.BUFFER
        assert lib.verifier_verify_final(verifier, lib.hash(alg, [MESSAGE]), sig, env) == Status.BUFFER


def test_null_inputs(lib: Aioli, alg: Alg, key: tuple[bytes, bytes]) -> None:
    """A null pointer with a length that is not zero.  (With a zero length it is an empty message, or a wrong length.)"""
    pk, sk = key
    sig = bytes(alg.sig_bytes)
    out = Guarded(alg.sig_bytes)
    c = lib.c
    assert c.aioli_sign(alg.handle, out.address, out.size, None, 1, sk, len(sk), None) == Status.ARGUMENT
    assert out.bytes() == bytes(out.size)
    out = Guarded(alg.sig_bytes)
    assert c.aioli_sign(alg.handle, out.address, out.size, MESSAGE, 1, None, alg.sk_bytes, None) == Status.ARGUMENT
    assert out.bytes() == bytes(out.size)
    assert c.aioli_sign(alg.handle, None, alg.sig_bytes, MESSAGE, 1, sk, len(sk), None) == Status.ARGUMENT
    assert c.aioli_verify(alg.handle, None, alg.sig_bytes, MESSAGE, 1, pk, len(pk), None) == Status.ARGUMENT
    assert c.aioli_verify(alg.handle, sig, len(sig), None, 1, pk, len(pk), None) == Status.ARGUMENT
    assert c.aioli_verify(alg.handle, sig, len(sig), MESSAGE, 1, None, alg.pk_bytes, None) == Status.ARGUMENT
    out = Guarded(alg.pk_bytes)
    assert c.aioli_public_from_secret(alg.handle, out.address, out.size, None, alg.sk_bytes, None) == Status.ARGUMENT
    assert out.bytes() == bytes(out.size)
    assert c.aioli_public_from_secret(alg.handle, None, alg.pk_bytes, sk, len(sk), None) == Status.ARGUMENT


def test_hash_states(lib: Aioli, alg: Alg, key: tuple[bytes, bytes]) -> None:
    """Each of the three ways to end a hash ends it."""
    pk, sk = key
    for end in (
        lambda h: lib.hash_final(h, alg.digest_bytes)[0],
        lambda h: lib.sign_final(h, alg.sig_bytes, sk)[0],
        lambda h: lib.verify_final(h, bytes(alg.sig_bytes), pk),
    ):
        h = lib.hash(alg, [MESSAGE])
        assert end(h) in (Status.OK, Status.SIGNATURE)
        assert lib.hash_update(h, MESSAGE) == Status.STATE
        assert lib.hash_final(h, alg.digest_bytes) == (Status.STATE, bytes(alg.digest_bytes))
        assert lib.sign_final(h, alg.sig_bytes, sk) == (Status.STATE, bytes(alg.sig_bytes))
        assert lib.verify_final(h, bytes(alg.sig_bytes), pk) == Status.STATE
        assert lib.hash_init(h, alg) == Status.OK, "an ended hash can be used again"
    never_started = Hash()
    lib.c.aioli_hash_init(never_started.address, None)
    assert lib.hash_update(never_started, MESSAGE) == Status.STATE


def test_objects_of_another_set(lib: Aioli, alg: Alg, key: tuple[bytes, bytes]) -> None:
    pk, sk = key
    other = lib.alg("MAYO-2" if alg.name != "MAYO-2" else "MAYO-1")
    with lib.signer(alg, sk) as signer:
        h = lib.hash(other, [MESSAGE])
        assert lib.signer_sign_final(signer, h, alg.sig_bytes) == (Status.ALGORITHM, bytes(alg.sig_bytes))
    with lib.verifier(alg, pk) as verifier:
        h = lib.hash(other, [MESSAGE])
        assert lib.verifier_verify_final(verifier, h, bytes(alg.sig_bytes)) == Status.ALGORITHM


def test_selftest(lib: Aioli, alg: Alg) -> None:
    assert lib.c.aioli_selftest(alg.handle) == Status.OK
