#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/vectors/uov_negative/*.json and tests/vectors/uov_acvp.json from the model.

    python3 model/make_uov_vectors.py             writes the files
    python3 model/make_uov_vectors.py --check     exit status 1 if a file differs from what the model makes
    python3 model/make_uov_vectors.py --keys DIR  writes the public keys that the files name by their digest, DIR/DIGEST.pk
    python3 model/make_uov_vectors.py --search    looks for the salts in RESTARTS again

Public keys of UOV have up to 2.9 MB, and secret keys as many, so the files do not hold them: a key is the one that key
generation makes from `skSeed`, changed as `publicKeyChange` says, and its SHA-256 tells whether it came out right.  Nothing is
random: seeds, messages and salts come from their names.
"""

import argparse
import functools
import sys
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import aioli_model  # noqa: F401  before numpy, because it limits numpy's threads

# isort: split
import numpy as np

from aioli_model.expand import H
from aioli_model.uov import (
    BY_NAME,
    PARAMETER_SETS,
    PK_SEED_BYTES,
    SALT_BYTES,
    SK_SEED_BYTES,
    Params,
    derive_vinegar,
    keypair_from_seed,
    sign_target,
    verify,
)
from vector_files import (
    NOTES,
    VECTORS,
    File,
    Notes,
    Test,
    acvp_file,
    flip,
    negative_file,
    verification,
    write_or_check,
    wrong_lengths,
    wrong_messages,
)

GENERATOR = "model/make_uov_vectors.py"
MESSAGE = b"Every byte of this message counts."
FULL = ("UOV-Is", "UOV-Ip", "UOV-Ip-r2")  # the model takes seconds for each signature of the others
NAMES = {round_: [params.name for params in PARAMETER_SETS if params.round == round_] for round_ in (3, 2)}

# number -> attempts: with restart_salt(number) the first key meets attempts - 1 singular systems.
RESTARTS: dict[str, dict[int, int]] = {"UOV-Is-pkc": {12: 2}}

UOV_NOTES: Notes = NOTES | {
    "ChosenSalt": ("FUNCTIONALITY", "A valid signature with a salt that nobody drew at random; a verifier cannot tell."),
    "SparseVinegar": ("EDGE_CASE", "A valid signature with vinegar values that are all zero, or zero but for one."),
    "ModifiedBlock": ("MODIFIED_SIGNATURE", "One element of s was changed."),
    "Scaled": ("ARITHMETIC", "s is multiplied by a constant. A quadratic map then scales by its square."),
    "OtherSet": ("CONFUSION", "The signature is of another parameter set."),
}
test = verification


# ---- keys --------------------------------------------------------------------------------------------------------------------


def seed_of(params: Params, which: str = "first") -> bytes:
    """The forms of a key (classic, pkc, pkc-skc) share it, and so the signatures."""
    shape = params.shape
    return H(f"aioli test vectors, UOV({shape.field.q},{shape.n},{shape.m}), {which} key".encode(), SK_SEED_BYTES)


@lru_cache(maxsize=3)
def keys(params: Params, seed: bytes) -> tuple[bytes, bytes]:
    return keypair_from_seed(params, seed)


def changed_key(pk: bytes, change: dict[str, Any]) -> bytes:
    """`flip`: this bit, counted from the lowest of the first byte.  `length`: cut, or zeros appended."""
    if "flip" in change:
        pk = flip(pk, change["flip"])
    if "length" in change:
        pk = pk[: change["length"]] + bytes(max(0, change["length"] - len(pk)))
    return pk


def key_fields(params: Params, change: dict[str, Any] | None = None) -> dict[str, Any]:
    seed = seed_of(params)
    pk = changed_key(keys(params, seed)[0], change or {})
    fields = {"type": "UovVerify", "algorithm": params.name, "skSeed": seed.hex(), "publicKeySha256": sha256(pk).hexdigest()}
    return fields | ({"publicKeyChange": change} if change else {})


def public_key(fields: dict[str, Any]) -> bytes:
    params = BY_NAME[fields["algorithm"]]
    return changed_key(keys(params, bytes.fromhex(fields["skSeed"]))[0], fields.get("publicKeyChange", {}))


# ---- the negative vectors ----------------------------------------------------------------------------------------------------


def salt_named(params: Params, name: str) -> bytes:
    return H(f"aioli test vectors, {params.name}, salt {name}".encode(), SALT_BYTES)


def restart_salt(number: int) -> bytes:
    return H(f"restart {number}".encode(), SALT_BYTES)


def signature_of(params: Params, message: bytes, salt: bytes, which: str = "first") -> bytes:
    """Through the pkc form: all forms sign alike."""
    return attempts_of(params, message, salt, which)[0]


@lru_cache(maxsize=64)
def attempts_of(params: Params, message: bytes, salt: bytes, which: str) -> tuple[bytes, int]:
    sk = keys(params, seed_of(params, which))[1]
    return sign_target(params, sk, message, salt, lambda ctr: derive_vinegar(params, sk, message, salt, ctr))


def with_elements(params: Params, signature: bytes, s: np.ndarray) -> bytes:
    return params.shape.encode(s) + signature[-SALT_BYTES:]


def valid_tests(params: Params) -> Iterator[Test]:
    salt, v = salt_named(params, "first"), params.shape.v
    sk = keys(params, seed_of(params))[1]
    for comment, message in (("a message", MESSAGE), ("empty message", b""), ("a message of 1000 bytes", bytes(1000))):
        yield test(comment, "Valid", message, signature_of(params, message, salt))
    for name, chosen in (("zero", bytes(SALT_BYTES)), ("all ones", b"\xff" * SALT_BYTES)):
        yield test(f"the salt is {name}", "ChosenSalt", MESSAGE, signature_of(params, MESSAGE, chosen))
    first = np.zeros((1, v), np.uint8)
    for place in (0, v - 1):
        sparse = first.copy()
        sparse[0, place] = 1

        def vinegar(ctr: int, sparse: np.ndarray = sparse) -> np.ndarray:  # other places, should the system be singular
            return np.roll(sparse, ctr, axis=1)

        made, attempts = sign_target(params, sk, MESSAGE, salt, vinegar)
        yield test(f"vinegar zero but for element {(place + attempts - 1) % v}", "SparseVinegar", MESSAGE, made)
    for number, attempts in RESTARTS.get(params.name, {}).items():
        made, took = attempts_of(params, MESSAGE, restart_salt(number), "first")
        assert took == attempts
        yield test(f"signed at attempt {attempts}", "Restart", MESSAGE, made)


def length_tests(params: Params) -> Iterator[Test]:
    signature = signature_of(params, MESSAGE, salt_named(params, "first"))
    return wrong_lengths(MESSAGE, signature, len(signature) - SALT_BYTES)


def modified_tests(params: Params) -> Iterator[Test]:
    signature = signature_of(params, MESSAGE, salt_named(params, "first"))
    shape, salt = params.shape, signature[-SALT_BYTES:]
    n, v, bits = shape.n, shape.v, shape.field.bits
    elements = shape.decode(signature, n)

    def bad(comment: str, flag: str, wrong: bytes) -> Test:
        return test(comment, flag, MESSAGE, wrong, "signature")

    for place in (0, 1, v // 2, v - 1, v, v + shape.m // 2, n - 1):
        for bit in (place % bits, (place + bits // 2) % bits):
            changed = elements.copy()
            changed[place] ^= 1 << bit
            kind = "vinegar" if place < v else "oil"
            yield bad(f"element {place} ({kind}), bit {bit}", "ModifiedBlock", with_elements(params, signature, changed))
    for name, part in (("vinegar", slice(0, v)), ("oil", slice(v, n))):
        changed = elements.copy()
        changed[part] = 0
        yield bad(f"the {name} is zero", "ModifiedBlock", with_elements(params, signature, changed))
    for bit in (0, 4 * SALT_BYTES + 3, -1):
        yield bad(f"bit {bit % (8 * SALT_BYTES)} of the salt", "ModifiedSalt", signature[:-SALT_BYTES] + flip(salt, bit))
    yield bad("the salt is zero", "ModifiedSalt", signature[:-SALT_BYTES] + bytes(SALT_BYTES))
    yield bad("all zero", "Constant", bytes(params.sig_bytes))
    yield bad("all ones", "Constant", b"\xff" * params.sig_bytes)
    yield bad("s is zero", "Constant", bytes(params.sig_bytes - SALT_BYTES) + salt)
    yield bad("every element of s is one", "Constant", with_elements(params, signature, np.ones(n, np.uint8)))
    yield bad("oil before vinegar", "Rearranged", with_elements(params, signature, np.roll(elements, shape.m)))
    yield bad("the elements backwards", "Rearranged", with_elements(params, signature, elements[::-1]))
    yield bad("the salt before s", "Rearranged", salt + signature[:-SALT_BYTES])
    for factor in (2, shape.field.q - 1):
        scaled = shape.field.matmul(np.array([[factor]], np.uint8), elements[np.newaxis, :])[0]
        yield bad(f"s times {factor}", "Scaled", with_elements(params, signature, scaled))


def near_miss_tests(params: Params) -> Iterator[Test]:
    """What a comparison of too few elements would accept.  Only a signer can make these."""
    sk, salt, shape = keys(params, seed_of(params))[1], salt_named(params, "first"), params.shape
    for element in (0, 1, shape.m // 2, shape.m - 2, shape.m - 1):
        miss = np.zeros(shape.m, np.uint8)
        bit = element % shape.field.bits
        miss[element] = 1 << bit
        made, _ = sign_target(params, sk, MESSAGE, salt, lambda ctr: derive_vinegar(params, sk, MESSAGE, salt, ctr), miss)
        yield test(f"bit {bit} of element {element} of {shape.m}", "NearMiss", MESSAGE, made, "signature")


def other_tests(params: Params) -> Iterator[Test]:
    salt = salt_named(params, "first")
    signature = signature_of(params, MESSAGE, salt)
    yield from wrong_messages(MESSAGE, signature)
    longer = MESSAGE + salt[:1]
    yield test("the salt's first byte at the end of the message", "ModifiedMessage", longer, signature, "signature")
    yield test("signed with another key", "WrongKey", MESSAGE, signature_of(params, MESSAGE, salt, "second"), "signature")


def coefficient(params: Params, bit: int) -> tuple[int, ...]:
    """(i, j) if this bit of the public key belongs to a coefficient of s_i s_j; () if to the seed."""
    shape = params.shape
    upper = [*zip(*np.triu_indices(shape.m), strict=True)]
    pairs = [(shape.v + i, shape.v + j) for i, j in upper]
    if params.variant == "classic":
        P2 = [(i, shape.v + j) for i in range(shape.v) for j in range(shape.m)]
        pairs = [*zip(*np.triu_indices(shape.v), strict=True)] + P2 + pairs
    else:
        bit -= 8 * PK_SEED_BYTES
    return () if bit < 0 else tuple(int(place) for place in pairs[bit // (8 * shape.bytes_of(shape.m))])


def groups(pkc: Params) -> Iterator[tuple[dict[str, Any], list[Test]]]:
    """Of one shape: the classic key and the compressed one, whose signatures are the same; then changed keys."""
    classic = BY_NAME[pkc.name.replace("-pkc", "")]
    makers = (valid_tests, length_tests, modified_tests, near_miss_tests, other_tests)
    tests = [made for make in makers for made in make(pkc)]
    if classic.name not in FULL:
        tests = [made for make in makers for made in [*make(pkc)][:: 1 if make is near_miss_tests else 5]]
    foreign = [
        test(f"a signature of {other.name}", "OtherSet", MESSAGE, bytes(other.sig_bytes), "length")
        for other in PARAMETER_SETS
        if other.variant == "pkc" and other.sig_bytes != pkc.sig_bytes
    ]
    yield key_fields(pkc), tests + foreign
    yield key_fields(classic), [*tests[:1], *near_miss_tests(pkc)]
    bits = {params: {"first": 0, "middle": 4 * params.pk_bytes + 1, "last": 8 * params.pk_bytes - 1} for params in (pkc, classic)}
    # A signature that meets them all: a changed coefficient beside a zero changes nothing.
    met = sorted({place for params in bits for bit in bits[params].values() for place in coefficient(params, bit)})
    tries = (signature_of(pkc, MESSAGE, salt_named(pkc, f"{number}")) for number in range(100))
    signature = next(made for made in tries if np.all(pkc.shape.decode(made, pkc.shape.n)[met]))
    for params in (pkc, classic):
        for which, bit in bits[params].items():
            if which != "middle" and classic.name not in FULL:
                continue
            comment, change = f"{which} bit of the key", {"flip": bit}
            yield key_fields(params, change), [test(comment, "ModifiedKey", MESSAGE, signature, "signature")]
        n = params.pk_bytes
        for comment, length in (("empty", 0), ("last byte missing", n - 1), ("a zero byte appended", n + 1)):
            yield key_fields(params, {"length": length}), [test(comment, "WrongKeyLength", MESSAGE, signature, "length")]


def outcome(fields: dict[str, Any], message: bytes, signature: bytes) -> str | None:
    params, pk = BY_NAME[fields["algorithm"]], public_key(fields)
    assert sha256(pk).hexdigest() == fields["publicKeySha256"]
    if len(pk) != params.pk_bytes or len(signature) != params.sig_bytes:
        return "length"
    return None if verify(params, pk, message, signature) else "signature"


def negative_vectors(pkc: Params) -> dict[str, Any]:
    header = [
        "Signatures to verify: msg and sig in hexadecimal; result as in Wycheproof's files.",
        "The public key is made from skSeed and changed as publicKeyChange says (tests/vectors/README.md); its SHA-256 is given.",
    ]
    return negative_file(pkc.name.replace("-pkc", ""), GENERATOR, header, UOV_NOTES, groups(pkc), outcome)


# ---- the ACVP-shaped vectors -------------------------------------------------------------------------------------------------


def keygen_tests(params: Params) -> Iterator[Test]:
    for seed in (seed_of(params), bytes(SK_SEED_BYTES)):
        pk, sk = keys(params, seed)
        yield {"seed": seed.hex(), "pkSha256": sha256(pk).hexdigest(), "skSha256": sha256(sk).hexdigest()}


def siggen_tests(params: Params) -> Iterator[Test]:
    seed = seed_of(params)
    given = [(message, salt_named(params, "first")) for message in (b"", b"\0", MESSAGE)] + [(MESSAGE, bytes(SALT_BYTES))]
    for message, salt in given:
        made, attempts = attempts_of(params, message, salt, "first")
        about = {"skSeed": seed.hex(), "message": message.hex(), "salt": salt.hex()}
        yield about | {"signature": made.hex(), "attempts": attempts}


def sigver_tests(params: Params) -> Iterator[Test]:
    fields = key_fields(params)
    pk, signature = public_key(fields), signature_of(params, MESSAGE, salt_named(params, "first"))
    for reason, message, tried in (
        ("valid signature", MESSAGE, signature),
        ("modified message", flip(MESSAGE, 9), signature),
        ("modified signature - s", MESSAGE, flip(signature, params.shape.bytes_of(params.shape.n) * 4)),
        ("modified signature - salt", MESSAGE, flip(signature, -9)),
    ):
        passed = verify(params, pk, message, tried)
        assert passed == (reason == "valid signature")
        about = {"skSeed": fields["skSeed"], "pkSha256": fields["publicKeySha256"], "message": message.hex()}
        yield about | {"signature": tried.hex(), "testPassed": passed, "reason": reason}


def acvp_vectors() -> dict[str, Any]:
    modes = {
        "keyGen": (lambda name: keygen_tests(BY_NAME[name]), {}),
        "sigGen": (lambda name: siggen_tests(BY_NAME[name]), {"deterministic": False}),
        "sigVer": (lambda name: sigver_tests(BY_NAME[name]), {}),
    }
    return acvp_file("UOV", GENERATOR, NAMES, modes)


# ---- files -------------------------------------------------------------------------------------------------------------------


def search_restarts() -> None:
    for params in PARAMETER_SETS:
        if params.variant == "pkc" and params.name.startswith(("UOV-Is", "UOV-Ip")):
            for number in range(2000):
                attempts = attempts_of(params, MESSAGE, restart_salt(number), "first")[1]
                if attempts > 1:
                    print(f"{params.name}: {number}: {attempts}", flush=True)
                    break


def vector_files() -> Iterator[File]:
    for params in PARAMETER_SETS:
        if params.variant == "pkc":
            name = params.name.replace("-pkc", "")
            yield VECTORS / "uov_negative" / f"{name}.json", functools.partial(negative_vectors, params)
    yield VECTORS / "uov_acvp.json", acvp_vectors


def write_keys(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for _, make in vector_files():
        for group in make().get("testGroups", []):
            (directory / f"{group['publicKeySha256']}.pk").write_bytes(public_key(group))


def main() -> int:
    parser = argparse.ArgumentParser(description="Make UOV's test vectors of tests/vectors from the model.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="compare instead of writing")
    choice.add_argument("--search", action="store_true", help="look for salts that need several attempts")
    choice.add_argument("--keys", metavar="DIR", type=Path, help="write the public keys")
    arguments = parser.parse_args()
    if arguments.search:
        search_restarts()
    elif arguments.keys:
        write_keys(arguments.keys)
    else:
        return write_or_check(arguments, vector_files())
    return 0


if __name__ == "__main__":
    sys.exit(main())
