# SPDX-License-Identifier: Apache-2.0
"""The library's verifier and the model's agree on signatures, messages and keys that were tampered with."""

import os
from functools import cache

import numpy as np
from hypothesis import event, given
from hypothesis import strategies as st

from aioli_model import Params, keypair_from_seed, public_from_secret, sign, verify
from aioli_model.encoding import encode_nibbles
from aioli_model.expand import H, expand_target
from aioli_model.gf16 import INV, matmul, mul
from aioli_model.sign import derive_vinegar, expand_secret_key, linear_system
from capi import Aioli, Alg, Env, Op, Status
from conftest import examples
from strategies import mutations, stream

_MESSAGE = b"a message to tamper with"


@cache
def signed(params: Params, which: int) -> tuple[bytes, bytes]:
    """A public key and a signature."""
    pk, sk = keypair_from_seed(params, stream(f"{params.name} key {which}", params.sk_bytes))
    return pk, sign(params, sk, _MESSAGE, stream(f"R {which}", params.lam))


def model_says(params: Params, pk: bytes, message: bytes, signature: bytes) -> Status:
    if len(signature) != params.sig_bytes:
        return Status.LENGTH
    return Status.OK if verify(params, pk, message, signature) else Status.SIGNATURE


@given(data=st.data(), which=st.integers(0, 1), offset=st.integers(0, 63))
@examples(6)
def test_tampered_signatures(lib: Aioli, alg: Alg, params: Params, data: st.DataObject, which: int, offset: int) -> None:
    pk, signature = signed(params, which)
    kind, tampered = data.draw(mutations(params, signature))
    expected = model_says(params, pk, _MESSAGE, tampered)
    event(f"{kind}: {expected.name}")
    assert lib.verify(alg, tampered, _MESSAGE, pk) == expected
    with lib.verifier(alg, pk) as verifier:
        env = Env(workspace=lib.workspace(alg, Op.VERIFIER_VERIFY, offset))
        assert lib.verifier_verify(verifier, tampered, _MESSAGE, env) == expected


def right_inverse(A: np.ndarray) -> np.ndarray | None:
    """B with A B = 1, or None if the rank of A is below its row count."""
    m, columns = A.shape
    rows = np.concatenate([A, np.eye(m, dtype=np.uint8)], axis=1)
    B = np.zeros((columns, m), dtype=np.uint8)
    done = 0
    for column in range(columns):
        candidates = np.flatnonzero(rows[done:, column])
        if candidates.size == 0:
            continue
        rows[[done, done + candidates[0]]] = rows[[done + candidates[0], done]]
        rows[done] = mul(INV[rows[done, column]], rows[done])
        factors = rows[:, column].copy()
        factors[done] = 0
        rows ^= mul(factors[:, np.newaxis], rows[done])
        B[column, done] = 1  # for now: row `done` of the reduced identity goes here
        done += 1
        if done == m:
            return matmul(B, rows[:, columns:])
    return None


def test_near_misses(lib: Aioli, alg: Alg, params: Params) -> None:
    """Signatures that miss one bit of one element of the target.  A comparison has to see every one of them."""
    secret = os.urandom(16)
    print("secret", secret.hex())  # shown if the test fails
    sk = stream(f"{params.name} key 0", params.sk_bytes)
    pk, key = public_from_secret(params, sk), expand_secret_key(params, sk)
    digest, salt = H(_MESSAGE, params.digest_bytes), H(secret, params.lam)
    t, Lambda = expand_target(params, digest, salt)
    systems = (
        (V, *linear_system(key, V, t, Lambda)) for V, _ in (derive_vinegar(params, digest, salt, secret, i) for i in range(256))
    )
    V, y, B = next((V, y, B) for V, A, y in systems if (B := right_inverse(A)) is not None)

    def signature(x: np.ndarray) -> bytes:
        X = x.reshape(params.k, params.o)
        return encode_nibbles(np.concatenate([V ^ matmul(X, key.O.T), X], axis=1)) + salt

    x = matmul(B, y[:, np.newaxis])[:, 0]
    with lib.verifier(alg, pk) as verifier:
        assert lib.verify(alg, signature(x), _MESSAGE, pk) == Status.OK
        assert lib.verifier_verify(verifier, signature(x), _MESSAGE) == Status.OK
        for element in range(params.m):
            at_an_end = element in (0, 1, params.m - 2, params.m - 1)
            for bit in range(4) if at_an_end else ((element + secret[0]) % 4,):
                missed = signature(x ^ mul(np.uint8(1 << bit), B[:, element]))
                assert lib.verifier_verify(verifier, missed, _MESSAGE) == Status.SIGNATURE, f"bit {bit} of element {element}"
                if at_an_end:
                    assert lib.verify(alg, missed, _MESSAGE, pk) == Status.SIGNATURE, f"bit {bit} of element {element}"


@given(which=st.integers(0, 1), message=st.binary(max_size=200))
@examples(2)
def test_another_message(lib: Aioli, alg: Alg, params: Params, which: int, message: bytes) -> None:
    pk, signature = signed(params, which)
    assert lib.verify(alg, signature, message, pk) == model_says(params, pk, message, signature)


@given(data=st.data(), which=st.integers(0, 1))
@examples(3)
def test_tampered_public_key(lib: Aioli, alg: Alg, params: Params, data: st.DataObject, which: int) -> None:
    """seed_pk and P3 get equal shares of the flipped bits, though P3 is much longer."""
    pk, signature = signed(params, which)
    first, last = data.draw(
        st.sampled_from([(0, 8 * params.PK_SEED_BYTES - 1), (8 * params.PK_SEED_BYTES, 8 * params.pk_bytes - 1)])
    )
    bit = data.draw(st.integers(first, last))
    tampered = bytearray(pk)
    tampered[bit // 8] ^= 1 << bit % 8
    expected = model_says(params, bytes(tampered), _MESSAGE, signature)
    assert lib.verify(alg, signature, _MESSAGE, bytes(tampered)) == expected
    with lib.verifier(alg, bytes(tampered)) as verifier:
        assert lib.verifier_verify(verifier, signature, _MESSAGE) == expected


@given(data=st.data(), extra=st.integers(-40, 40).filter(bool))
@examples(3)
def test_public_key_of_another_length(lib: Aioli, alg: Alg, params: Params, data: st.DataObject, extra: int) -> None:
    pk, signature = signed(params, 0)
    wrong = data.draw(st.sampled_from([pk[:extra], b""])) if extra < 0 else pk + bytes(extra)
    assert lib.verify(alg, signature, _MESSAGE, wrong) == Status.LENGTH
    with lib.verifier(alg, wrong) as verifier:
        assert verifier.status == Status.LENGTH
