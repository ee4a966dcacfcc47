# SPDX-License-Identifier: Apache-2.0
"""Every backend that this processor can run gives the bytes of the model, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aioli_model import PARAMETER_SETS, Params, keypair_from_seed, sign, verify
from capi import Aioli
from conftest import examples
from strategies import stream

RUNNER = Path(__file__).with_name("backend_run.py")
# Asked once for the test's names; a library that cannot be loaded is an error of the whole file.
BACKENDS = Aioli(os.environ["AIOLI_LIB"]).backends()


def run(backend: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    env = os.environ | {"AIOLI_BACKEND": backend}
    done = subprocess.run(
        [sys.executable, str(RUNNER)], input=json.dumps(cases), env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def case(params: Params, batch: int) -> dict[str, Any]:
    text = f"{params.name} {batch}"
    return {
        "alg": params.name,
        "seed": stream(f"{text} seed", params.sk_bytes).hex(),
        "R": stream(f"{text} R", params.lam).hex(),
        "message": stream(f"{text} message", batch % 300).hex(),
        "changed": int.from_bytes(stream(f"{text} bit", 8), "big") % (8 * params.sig_bytes),
    }


def model_answer(params: Params, given_case: dict[str, Any]) -> dict[str, Any]:
    seed, R, message = (bytes.fromhex(given_case[part]) for part in ("seed", "R", "message"))
    pk, sk = keypair_from_seed(params, seed)
    signature = sign(params, sk, message, R)
    bit = given_case["changed"]
    tampered = bytearray(signature)
    tampered[bit // 8] ^= 1 << bit % 8
    verdicts = ["OK" if verify(params, pk, message, tried) else "SIGNATURE" for tried in (signature, bytes(tampered))]
    return {"pk": pk.hex(), "signatures": [signature.hex()] * 2, "statuses": ["OK"] * 5, "verdicts": verdicts * 2}


def test_there_is_a_portable_backend() -> None:
    assert BACKENDS["portable"]


@given(batch=st.integers(0, 2**32))
@examples(1)
def test_backends_agree_with_the_model(batch: int) -> None:
    cases = [case(params, batch) for params in PARAMETER_SETS]
    expected = [model_answer(params, one) for params, one in zip(PARAMETER_SETS, cases, strict=True)]
    for backend, usable in BACKENDS.items():
        if usable:
            made = run(backend, cases)
            assert made["backend"] == backend
            for params, got, wanted in zip(PARAMETER_SETS, made["answers"], expected, strict=True):
                assert got == wanted, f"{backend}: {params.name}"


@pytest.mark.parametrize("backend", ["", "none-such", "Portable"] + [name for name, usable in BACKENDS.items() if not usable])
def test_a_backend_that_cannot_run(backend: str) -> None:
    """No call falls back to another backend in silence.  An empty name is an unset one."""
    params = PARAMETER_SETS[0]
    made = run(backend, [case(params, 7)])
    if not backend:
        assert made["backend"] in BACKENDS
        assert made["answers"] == [model_answer(params, case(params, 7))]
        return
    assert made["backend"] is None
    (answer,) = made["answers"]
    assert answer["statuses"] == ["BACKEND"] * 5
    assert answer["verdicts"] == ["BACKEND"] * 2
    assert set(answer["pk"]) == set(answer["signatures"][0]) == {"0"}
