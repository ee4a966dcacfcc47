# SPDX-License-Identifier: Apache-2.0
"""The package against the executable specification (model/), on seeds, messages and randomness that hypothesis draws."""

import aioli
import aioli_model
import pytest
from hypothesis import given
from hypothesis import strategies as st

NAMES = ["MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5", "MAYO-1-r2"]


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_keys_and_signatures(name, data):
    alg, params = aioli.algorithm(name), aioli_model.BY_NAME[name]
    fixed = lambda n: st.binary(min_size=n, max_size=n)  # noqa: E731
    seed, R = data.draw(fixed(alg.seed_bytes)), data.draw(fixed(alg.randomness_bytes))
    message = data.draw(st.binary(max_size=300))
    key = aioli.SigningKey.from_seed(name, seed, expand=data.draw(st.booleans()))
    sk, pk = key.to_bytes(), bytes(key.public_key)
    assert {pk, sk} == set(aioli_model.keypair_from_seed(params, seed))
    signature = key.sign(message, randomness=R)
    assert signature == aioli_model.sign(params, sk, message, R)
    bit = data.draw(st.integers(0, 8 * len(signature) - 1))
    changed = bytearray(signature)
    changed[bit // 8] ^= 1 << bit % 8
    public = aioli.VerifyingKey.from_bytes(name, pk, expand=data.draw(st.booleans()))
    public.verify(signature, message)
    assert aioli_model.verify(params, pk, message, signature)
    try:
        public.verify(changed, message)
        accepted = True
    except aioli.InvalidSignature:
        accepted = False
    assert accepted == aioli_model.verify(params, pk, message, bytes(changed))
