# SPDX-License-Identifier: Apache-2.0
"""Parameter sets and keys, against the model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aioli_model import PARAMETER_SETS, Params, keypair_from_seed, uov
from capi import Aioli, Alg, Env, Op, Status
from conftest import examples
from strategies import seeds


def test_the_sets_are_those_of_the_model(lib: Aioli) -> None:
    assert sorted(lib.alg_names()) == sorted(params.name for params in (*PARAMETER_SETS, *uov.PARAMETER_SETS))


@pytest.mark.parametrize("name", ["", "MAYO", "mayo-1", "MAYO-1 ", "MAYO-4", "MAYO-1-r3", "MAYO-1-r1c", "MAYO-1-r"])
def test_other_names_are_unknown(lib: Aioli, name: str) -> None:
    assert lib.c.aioli_alg_by_name(name.encode()) is None


def test_sizes(alg: Alg, params: Params) -> None:
    assert (alg.name, alg.round, alg.category) == (params.name, params.round, params.category)
    assert (alg.pk_bytes, alg.sk_bytes, alg.sig_bytes) == (params.pk_bytes, params.sk_bytes, params.sig_bytes)
    assert (alg.R_bytes, alg.digest_bytes) == (params.lam, params.digest_bytes)


@given(data=st.data(), offset=st.integers(0, 63))
@examples(3)
def test_keypair(lib: Aioli, alg: Alg, params: Params, data: st.DataObject, offset: int) -> None:
    """Every way to make a key pair from the same seed gives the key pair of the model."""
    seed = data.draw(seeds(params.sk_bytes))
    expected = keypair_from_seed(params, seed)
    made = {
        "from seed": lib.keypair_from_seed(alg, seed),
        "from seed, in place": lib.keypair_from_seed_in_place(alg, seed),
        "from seed, own workspace": lib.keypair_from_seed(alg, seed, Env(workspace=lib.workspace(alg, Op.KEYPAIR, offset))),
    }
    env = Env(rng=lambda n: seed)
    random = lib.keypair(alg, env)
    assert env.requests == [len(seed)], "a key pair is one request to the source of randomness"
    if any(seed):
        made["random"] = random
        env = Env(rng=lambda n: seed, workspace=lib.workspace(alg, Op.KEYPAIR, offset))
        made["random, own workspace"] = lib.keypair(alg, env)
    else:
        assert random == (Status.RNG, bytes(alg.pk_bytes), bytes(alg.sk_bytes)), "a source that gives zeros is broken"
    for way, (status, pk, sk) in made.items():
        assert status == Status.OK, way
        assert (pk, sk) == expected, way
    for env in (None, Env(workspace=lib.workspace(alg, Op.KEYPAIR, offset))):
        assert lib.public_from_secret(alg, seed, env) == (Status.OK, expected[0])


def test_keypair_from_the_system(lib: Aioli, alg: Alg, params: Params) -> None:
    """Two key pairs differ, and each is a key pair."""
    (status, pk, sk), (other_status, other_pk, other_sk) = lib.keypair(alg), lib.keypair(alg)
    assert status == other_status == Status.OK
    assert pk != other_pk and sk != other_sk
    assert (pk, sk) == keypair_from_seed(params, sk)
