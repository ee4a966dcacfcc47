# SPDX-License-Identifier: Apache-2.0
"""UOV against its model: keys, signatures and verdicts, for the sets whose model is quick enough."""

from hypothesis import given
from hypothesis import strategies as st

import pytest

from aioli_model import uov
from capi import Aioli, Env, Op, Status
from conftest import examples
from strategies import messages, pieces, seeds, stream

SETS = [uov.BY_NAME[f"UOV-{name}{variant}"] for name in ("Is", "Ip") for variant in ("", "-pkc", "-pkc-skc")]
pytestmark = pytest.mark.parametrize("params", SETS, ids=lambda params: params.name)


def test_sizes(lib: Aioli, params: uov.Params) -> None:
    alg = lib.alg(params.name)
    assert (alg.round, alg.category) == (params.round, params.category)
    assert (alg.pk_bytes, alg.sk_bytes, alg.sig_bytes) == (params.pk_bytes, params.sk_bytes, params.sig_bytes)
    assert lib.c.aioli_seed_bytes(alg.handle) == uov.SK_SEED_BYTES


@given(seed=seeds(uov.SK_SEED_BYTES))
@examples(2)
def test_keys(lib: Aioli, params: uov.Params, seed: bytes) -> None:
    alg = lib.alg(params.name)
    pk, sk = uov.keypair_from_seed(params, seed)
    assert lib.keypair_from_seed(alg, seed) == (Status.OK, pk, sk)
    assert lib.public_from_secret(alg, sk) == (Status.OK, pk)


@given(data=st.data(), message=messages, salt=seeds(uov.SALT_BYTES), offset=st.integers(0, 63))
@examples(4)
def test_sign(lib: Aioli, params: uov.Params, data: st.DataObject, message: bytes, salt: bytes, offset: int) -> None:
    alg = lib.alg(params.name)
    pk, sk = uov.keypair_from_seed(params, stream("uov key", uov.SK_SEED_BYTES))
    expected = uov.sign(params, sk, message, salt)
    env = Env(workspace=lib.workspace(alg, Op.SIGN, offset))
    assert lib.sign_with_randomness(alg, message, sk, salt) == (Status.OK, expected)
    assert lib.sign_with_randomness(alg, message, sk, salt, env) == (Status.OK, expected)
    assert lib.verify(alg, expected, message, pk, Env(workspace=lib.workspace(alg, Op.VERIFY, offset))) == Status.OK
    assert lib.verify_final(lib.hash(alg, data.draw(pieces(message))), expected, pk) == Status.OK
    with lib.verifier(alg, pk) as verifier:
        assert lib.verifier_verify(verifier, expected, message) == Status.OK


@given(data=st.data(), byte=st.integers(1, 255))
@examples(6)
def test_changed(lib: Aioli, params: uov.Params, data: st.DataObject, byte: int) -> None:
    """Whatever the model says."""
    alg = lib.alg(params.name)
    pk, sk = uov.keypair_from_seed(params, stream("uov key", uov.SK_SEED_BYTES))
    signature = bytearray(uov.sign(params, sk, b"message"))
    signature[data.draw(st.integers(0, len(signature) - 1))] ^= byte
    accepted = uov.verify(params, pk, b"message", bytes(signature))
    assert lib.verify(alg, bytes(signature), b"message", pk) == (Status.OK if accepted else Status.SIGNATURE)
