# SPDX-License-Identifier: Apache-2.0
"""Every way to sign gives the bytes of the model, and every way to verify accepts them."""

from hypothesis import given
from hypothesis import strategies as st

from aioli_model import Params, keypair_from_seed, sign, verify
from aioli_model.encoding import decode_nibbles
from aioli_model.expand import H
from aioli_model.gf16 import mul
from aioli_model.keygen import public_key
from aioli_model.sign import Vinegar, derive_vinegar, expand_key, sign_target
from capi import Aioli, Alg, Env, Guarded, Op, Status
from conftest import examples
from strategies import messages, pieces, seeds, stream

_KEYS = 4  # most examples use one of a few keys, which the model has expanded before


def some_key(params: Params, data: st.DataObject) -> tuple[bytes, bytes]:
    """A public and a secret key; one in six is fresh."""
    which = data.draw(st.integers(0, _KEYS + 1))
    seed = stream(f"{params.name} key {which}", params.sk_bytes) if which < _KEYS else data.draw(seeds(params.sk_bytes))
    return keypair_from_seed(params, seed)


def verdicts(
    lib: Aioli, alg: Alg, pk: bytes, message: bytes, parts: list[bytes], signature: bytes, offset: int
) -> dict[str, Status]:
    """What every way to verify says."""
    digest = H(message, alg.digest_bytes)
    own = lambda op: Env(workspace=lib.workspace(alg, op, offset))  # noqa: E731
    said = {
        "at once": lib.verify(alg, signature, message, pk),
        "at once, own workspace": lib.verify(alg, signature, message, pk, own(Op.VERIFY)),
        "digest": lib.verify_digest(alg, signature, digest, pk),
        "pieces": lib.verify_final(lib.hash(alg, parts), signature, pk),
        "pieces, own workspace": lib.verify_final(lib.hash(alg, parts), signature, pk, own(Op.VERIFY)),
    }
    memory = Guarded(alg.verifier_bytes, offset)
    for where, room, env in (("heap", None, None), ("own memory", memory, own(Op.VERIFIER_INIT))):
        with lib.verifier(alg, pk, room, env) as verifier:
            assert verifier.status == Status.OK
            assert lib.c.aioli_verifier_alg(verifier.address) == alg.handle
            said[f"verifier, {where}"] = lib.verifier_verify(verifier, signature, message)
            said[f"verifier, {where}, own workspace"] = lib.verifier_verify(verifier, signature, message, own(Op.VERIFIER_VERIFY))
            said[f"verifier, {where}, digest"] = lib.verifier_verify_digest(verifier, signature, digest)
            said[f"verifier, {where}, pieces"] = lib.verifier_verify_final(verifier, lib.hash(alg, parts), signature)
            if room is not None:
                room.check()
    return said


@given(data=st.data(), message=messages, offset=st.integers(0, 63))
@examples(4)
def test_sign(lib: Aioli, alg: Alg, params: Params, data: st.DataObject, message: bytes, offset: int) -> None:
    pk, sk = some_key(params, data)
    R = data.draw(seeds(params.lam))
    parts = data.draw(pieces(message))
    digest = H(message, params.digest_bytes)

    def randomness(op: Op | None = None) -> Env:
        return Env(rng=lambda n: R, workspace=None if op is None else lib.workspace(alg, op, offset))

    hedged = randomness()
    made = {
        "R given": lib.sign_with_randomness(alg, message, sk, R),
        "R given, own workspace": lib.sign_with_randomness(
            alg, message, sk, R, Env(workspace=lib.workspace(alg, Op.SIGN, offset))
        ),
        "R drawn": lib.sign(alg, message, sk, hedged),
        "R drawn, own workspace": lib.sign(alg, message, sk, randomness(Op.SIGN)),
        "digest": lib.sign_digest(alg, digest, sk, randomness()),
        "pieces": lib.sign_final(lib.hash(alg, parts), alg.sig_bytes, sk, randomness()),
        "pieces, own workspace": lib.sign_final(lib.hash(alg, parts), alg.sig_bytes, sk, randomness(Op.SIGN)),
    }
    assert hedged.requests == [len(R)], "a signature is one request to the source of randomness"
    memory = Guarded(alg.signer_bytes, offset)
    for where, room, env in (
        ("heap", None, None),
        ("own memory", memory, Env(workspace=lib.workspace(alg, Op.SIGNER_INIT, offset))),
    ):
        with lib.signer(alg, sk, room, env) as signer:
            assert signer.status == Status.OK
            assert lib.c.aioli_signer_alg(signer.address) == alg.handle
            made[f"signer, {where}"] = lib.signer_sign(signer, alg.sig_bytes, message, randomness())
            made[f"signer, {where}, own workspace"] = lib.signer_sign(signer, alg.sig_bytes, message, randomness(Op.SIGNER_SIGN))
            made[f"signer, {where}, digest"] = lib.signer_sign_digest(signer, alg.sig_bytes, digest, randomness())
            made[f"signer, {where}, pieces"] = lib.signer_sign_final(signer, lib.hash(alg, parts), alg.sig_bytes, randomness())
    # Zero where the object was, and our filling around it, which depends on the alignment.
    assert set(memory.bytes()) <= {0, Guarded.FILLING}, "aioli_signer_wipe left something of the key"
    assert memory.bytes().count(Guarded.FILLING) < alg.signer_bytes // 2

    expected = sign(params, sk, message, R)
    for way, (status, signature) in made.items():
        assert status == Status.OK, way
        assert signature == expected, way
    for way, status in verdicts(lib, alg, pk, message, parts, expected, offset).items():
        assert status == Status.OK, way


@given(data=st.data(), message=messages, offset=st.integers(0, 63))
@examples(2)
def test_sign_deterministic(lib: Aioli, alg: Alg, params: Params, data: st.DataObject, message: bytes, offset: int) -> None:
    _, sk = some_key(params, data)
    zero = Env(rng=lambda n: bytes(n))
    made = {
        "deterministic": lib.sign_deterministic(alg, message, sk),
        "own workspace": lib.sign_deterministic(alg, message, sk, Env(workspace=lib.workspace(alg, Op.SIGN, offset))),
        "R = 0 given": lib.sign_with_randomness(alg, message, sk, bytes(params.lam)),
        "R = 0 drawn": lib.sign(alg, message, sk, zero),
    }
    if not message:
        made["no message"] = lib.sign_deterministic(alg, None, sk)
    expected = sign(params, sk, message)
    for way, (status, signature) in made.items():
        assert status == Status.OK, way
        assert signature == expected, way


def test_hedged_with_randomness_of_the_system(lib: Aioli, alg: Alg, params: Params) -> None:
    """Signing twice gives two signatures, both valid."""
    pk, sk = keypair_from_seed(params, stream(f"{params.name} key 0", params.sk_bytes))
    made = [lib.sign(alg, b"twice", sk) for _ in range(2)]
    with lib.signer(alg, sk) as signer:
        made += [lib.signer_sign(signer, alg.sig_bytes, b"twice") for _ in range(2)]
    assert [status for status, _ in made] == [Status.OK] * 4
    assert len({signature for _, signature in made}) == 4
    assert all(verify(params, pk, b"twice", signature) for _, signature in made)


@given(
    data=st.data(),
    message=messages,
    offset=st.integers(0, 63),
    secret=st.binary(min_size=16, max_size=16),
    shape_of_O=st.sampled_from(["random", "zero", "rank one"]),
)
@examples(2)
def test_valid_signatures_of_another_signer(
    lib: Aioli, alg: Alg, params: Params, data: st.DataObject, message: bytes, offset: int, secret: bytes, shape_of_O: str
) -> None:
    """A verifier accepts what hits the target, however it was made: any salt, a block without vinegar, a degenerate O."""
    seed_pk, salt = data.draw(seeds(params.PK_SEED_BYTES)), data.draw(seeds(params.lam))
    block = data.draw(st.integers(0, params.k - 1))
    O = decode_nibbles(H(secret, params.O_bytes), params.v * params.o).reshape(params.v, params.o)
    if shape_of_O == "zero":
        O[:] = 0
    elif shape_of_O == "rank one":
        O = mul(O[:, :1], O[:1, :])

    def without_one_block(attempt: int) -> Vinegar:
        V, r = derive_vinegar(params, b"", salt, secret, attempt)
        V[block] = 0
        return V, r

    signature = sign_target(expand_key(params, seed_pk, O), H(message, params.digest_bytes), salt, without_one_block).signature
    pk = public_key(params, seed_pk, O)
    for way, status in verdicts(lib, alg, pk, message, [message], signature, offset).items():
        assert status == Status.OK, way
