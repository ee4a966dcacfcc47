# SPDX-License-Identifier: Apache-2.0
"""The files of tests/vectors through the C interface: every test has its own status, on every way to verify."""

import json
from hashlib import sha256
from pathlib import Path

import fastjsonschema
import pytest

import make_uov_vectors
from aioli_model import BY_NAME, uov
from aioli_model.expand import H
from capi import Aioli, Env, Op, Status

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
NEGATIVE = sorted((VECTORS / "mayo_negative").glob("*.json"))
UOV_NEGATIVE = sorted((VECTORS / "uov_negative").glob("*.json"))
UOV_ACVP = json.loads((VECTORS / "uov_acvp.json").read_text())["vectorSets"]
ACVP = json.loads((VECTORS / "mayo_acvp.json").read_text())["vectorSets"]
ROUND_3 = {"MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5"}
STATUS = {None: Status.OK, "signature": Status.SIGNATURE, "length": Status.LENGTH}


def test_the_files_are_there() -> None:
    assert {path.stem for path in NEGATIVE} > ROUND_3
    assert {path.stem for path in UOV_NEGATIVE} == {params.name for params in uov.PARAMETER_SETS if params.variant == "classic"}
    for path in NEGATIVE + UOV_NEGATIVE:
        data = json.loads(path.read_text())
        tests = [test for group in data["testGroups"] for test in group["tests"]]
        assert [test["tcId"] for test in tests] == list(range(1, data["numberOfTests"] + 1))
        assert {test["result"] for test in tests} >= {"valid", "invalid"}
        assert {flag for test in tests for flag in test["flags"]} == set(data["notes"])
        assert all((test["result"] == "invalid") == ("error" in test) for test in tests)


@pytest.mark.parametrize("shape", ["negative", "acvp"])
def test_schema(shape: str) -> None:
    check = fastjsonschema.compile(json.loads((VECTORS / "schema" / f"{shape}.schema.json").read_text()))
    paths = [*VECTORS.glob("*_negative/*.json")] if shape == "negative" else [*VECTORS.glob("*_acvp.json")]
    assert len(paths) >= 2
    for path in paths:
        data = json.loads(path.read_text())
        check(data)
    case = (data["testGroups"] if shape == "negative" else data["vectorSets"][0]["testGroups"])[0]["tests"][0]
    case["tcId"] = "one"
    with pytest.raises(fastjsonschema.JsonSchemaException, match="tcId"):
        check(data)


def unexpected(test: dict[str, str], said: dict[str, Status]) -> list[str]:
    """What each way to verify said, where that is not what the test promises."""
    expected = STATUS[test.get("error")]
    about = f"tcId {test['tcId']} ({test['comment']})"
    return [f"{about}, {way}: {status.name} instead of {expected.name}" for way, status in said.items() if status != expected]


@pytest.mark.parametrize("path", NEGATIVE, ids=lambda path: path.stem)
def test_negative(lib: Aioli, path: Path) -> None:
    wrong = []
    for group in json.loads(path.read_text())["testGroups"]:
        alg, pk = lib.alg(group["algorithm"]), bytes.fromhex(group["publicKey"])
        with lib.verifier(alg, pk) as verifier:
            assert verifier.status == (Status.OK if len(pk) == alg.pk_bytes else Status.LENGTH)
            for test in group["tests"]:
                message, signature = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
                digest = H(message, alg.digest_bytes)
                said = {
                    "at once": lib.verify(alg, signature, message, pk),
                    "own workspace": lib.verify(alg, signature, message, pk, Env(workspace=lib.workspace(alg, Op.VERIFY, 1))),
                    "digest": lib.verify_digest(alg, signature, digest, pk),
                    "pieces": lib.verify_final(lib.hash(alg, [message[:7], message[7:]]), signature, pk),
                }
                if verifier.status == Status.OK:
                    said["verifier"] = lib.verifier_verify(verifier, signature, message)
                    said["verifier, digest"] = lib.verifier_verify_digest(verifier, signature, digest)
                wrong += unexpected(test, said)
    assert not wrong, "\n".join(wrong)


def acvp(mode: str) -> list[object]:
    found = []
    for vector_set in ACVP:
        if vector_set["mode"] == mode:
            groups = {group["parameterSet"]: group["tests"] for group in vector_set["testGroups"]}
            assert groups.keys() == (ROUND_3 if vector_set["revision"] == "round3" else {f"{name}-r2" for name in ROUND_3})
            for name, tests in groups.items():
                for test in tests:
                    found.append(pytest.param(name, test, id=f"{name}-{test['tcId']}"))
    return found


@pytest.mark.parametrize(("name", "test"), acvp("keyGen"))
def test_acvp_keygen(lib: Aioli, name: str, test: dict[str, str]) -> None:
    expected = (Status.OK, bytes.fromhex(test["pk"]), bytes.fromhex(test["sk"]))
    assert lib.keypair_from_seed(lib.alg(name), bytes.fromhex(test["seed"])) == expected


@pytest.mark.parametrize(("name", "test"), acvp("sigGen"))
def test_acvp_siggen(lib: Aioli, name: str, test: dict[str, str]) -> None:
    """Among these are signatures that took several attempts, streamed and from an expanded key."""
    alg, sk, message = lib.alg(name), bytes.fromhex(test["sk"]), bytes.fromhex(test["message"])
    expected = (Status.OK, bytes.fromhex(test["signature"]))
    assert lib.sign_deterministic(alg, message, sk) == expected
    with lib.signer(alg, sk) as signer:
        assert lib.signer_sign(signer, alg.sig_bytes, message, Env(rng=bytes)) == expected


@pytest.mark.parametrize(("name", "test"), acvp("sigVer"))
def test_acvp_sigver(lib: Aioli, name: str, test: dict[str, str]) -> None:
    pk, message, signature = (bytes.fromhex(test[part]) for part in ("pk", "message", "signature"))
    assert lib.verify(lib.alg(name), signature, message, pk) == (Status.OK if test["testPassed"] else Status.SIGNATURE)


def test_restarts_are_covered() -> None:
    """The files hold signatures with restarts for every set of round 3."""
    for name in ROUND_3:
        assert BY_NAME[name].round == 3
        groups = [group for s in ACVP if s["mode"] == "sigGen" for group in s["testGroups"] if group["parameterSet"] == name]
        assert max(test["attempts"] for group in groups for test in group["tests"]) > 1


# ---- UOV: keys from their seeds ------------------------------------------------------------------------------------------------

def uov_keys(lib: Aioli, name: str, seed: str) -> tuple[bytes, bytes]:
    status, pk, sk = lib.keypair_from_seed(lib.alg(name), bytes.fromhex(seed))
    assert status == Status.OK
    return pk, sk


@pytest.mark.parametrize("path", UOV_NEGATIVE, ids=lambda path: path.stem)
def test_uov_negative(lib: Aioli, path: Path) -> None:
    wrong = []
    for group in json.loads(path.read_text())["testGroups"]:
        alg = lib.alg(group["algorithm"])
        pk = make_uov_vectors.changed_key(uov_keys(lib, alg.name, group["skSeed"])[0], group.get("publicKeyChange", {}))
        assert sha256(pk).hexdigest() == group["publicKeySha256"]
        with lib.verifier(alg, pk) as verifier:
            assert verifier.status == (Status.OK if len(pk) == alg.pk_bytes else Status.LENGTH)
            for test in group["tests"]:
                message, signature = bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])
                said = {
                    "at once": lib.verify(alg, signature, message, pk),
                    "pieces": lib.verify_final(lib.hash(alg, [message[:7], message[7:]]), signature, pk),
                }
                if verifier.status == Status.OK:
                    said["verifier"] = lib.verifier_verify(verifier, signature, message)
                wrong += unexpected(test, said)
    assert not wrong, "\n".join(wrong)


def test_uov_acvp(lib: Aioli) -> None:
    seen = set()
    for vectors in UOV_ACVP:
        for group in vectors["testGroups"]:
            alg = lib.alg(group["parameterSet"])
            for test in group["tests"]:
                pk, sk = uov_keys(lib, alg.name, test.get("seed", test.get("skSeed")))
                where = (alg.name, vectors["mode"], test["tcId"])
                seen.add((alg.name, vectors["mode"]))
                if vectors["mode"] == "keyGen":
                    said = (sha256(pk).hexdigest(), sha256(sk).hexdigest())
                    assert said == (test["pkSha256"], test["skSha256"]), where
                    continue
                message, signature = bytes.fromhex(test["message"]), bytes.fromhex(test["signature"])
                if vectors["mode"] == "sigGen":
                    salt = bytes.fromhex(test["salt"])
                    assert lib.sign_with_randomness(alg, message, sk, salt) == (Status.OK, signature), where
                else:
                    assert sha256(pk).hexdigest() == test["pkSha256"], where
                    assert (lib.verify(alg, signature, message, pk) == Status.OK) == test["testPassed"], where
    assert seen == {(params.name, mode) for params in uov.PARAMETER_SETS for mode in ("keyGen", "sigGen", "sigVer")}
