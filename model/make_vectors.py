#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/vectors/mayo_negative/*.json and tests/vectors/mayo_acvp.json from the model.

    python3 model/make_vectors.py           writes the files
    python3 model/make_vectors.py --check   exit status 1 if a file differs from what the model makes
    python3 model/make_vectors.py --search  looks for the messages in RESTARTS again (half an hour)

Nothing is random: keys, messages and randomizers come from their names.
"""

import argparse
import dataclasses
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import aioli_model  # noqa: F401  before numpy, because it limits numpy's threads

# isort: split
import numpy as np

from aioli_model.encoding import decode_nibbles, encode_nibbles
from aioli_model.expand import H, expand_secret_seed
from aioli_model.gf16 import mul
from aioli_model.keygen import public_from_secret, public_key
from aioli_model.params import BY_NAME, Params
from aioli_model.sign import derive_vinegar, expand_key, expand_secret_key, sign, sign_digest, sign_target
from aioli_model.verify import verify
from vector_files import (
    NOTES,
    VECTORS,
    File,
    Test,
    acvp_file,
    flip,
    negative_file,
    verification,
    write_or_check,
    wrong_lengths,
    wrong_messages,
)

ROUND_3 = ("MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5")
# The other sets, each for what is peculiar to it: m = 78 and o = 17; the key bytes of round 3; an unused nibble; bit planes.
ROUND_2 = ("MAYO-1-r2", "MAYO-2-r2", "MAYO-3-r2", "MAYO-5-r2")
OTHERS = (*ROUND_2, "MAYO-1-r1", "MAYO-3-r1", "MAYO-3-r1b", "MAYO-5-r1b")
MESSAGE = b"Every byte of this message counts."

# number -> attempts: signing "restart <number>" deterministically with the first key meets attempts - 1 singular systems.
RESTARTS: dict[str, dict[int, int]] = {
    "MAYO-1": {2: 2, 212: 3, 1112: 4},
    "MAYO-2": {144: 2},
    "MAYO-3": {1858: 2},
    "MAYO-5": {3493: 2},
}


def secret_key(params: Params, which: str = "first") -> bytes:
    return H(f"aioli test vectors, {params.name}, {which} key".encode(), params.sk_bytes)


def randomizer(params: Params) -> bytes:
    return H(f"aioli test vectors, {params.name}, R".encode(), params.lam)


def restart_message(number: int) -> bytes:
    return f"restart {number}".encode()


def search_restarts() -> None:
    """Prints the first message for every count of attempts from 2 to 4 that is within reach."""
    for name, limit in (("MAYO-1", 12000), ("MAYO-2", 3000), ("MAYO-3", 12000), ("MAYO-5", 12000)):
        params, wanted = BY_NAME[name], {2, 3, 4} if name == "MAYO-1" else {2}
        for number in range(limit):
            digest = H(restart_message(number), params.digest_bytes)
            attempts = sign_digest(params, secret_key(params), digest, bytes(params.lam)).attempts
            if attempts in wanted:
                print(f"{name}: {number}: {attempts}", flush=True)
                wanted.remove(attempts)
            if not wanted:
                break


# ---- the negative vectors ----------------------------------------------------------------------------------------------------

test = verification


def blocks_of(params: Params, signature: bytes) -> np.ndarray:
    return decode_nibbles(signature[: params.s_bytes], params.k * params.n).reshape(params.k, params.n)


def with_blocks(params: Params, signature: bytes, S: np.ndarray) -> bytes:
    return encode_nibbles(S) + signature[params.s_bytes :]


def changed_element(S: np.ndarray, i: int, element: int) -> np.ndarray:
    changed = S.copy()
    changed[i, element] ^= 1 << (i + element) % 4
    return changed


def valid_tests(params: Params) -> Iterator[Test]:
    sk = secret_key(params)
    key = expand_secret_key(params, sk)
    digest = H(MESSAGE, params.digest_bytes)
    yield test("deterministic", "Valid", MESSAGE, sign(params, sk, MESSAGE))
    yield test("with a randomizer", "Valid", MESSAGE, sign(params, sk, MESSAGE, randomizer(params)))
    yield test("empty message", "Valid", b"", sign(params, sk, b""))
    yield test("message as long as one block of SHAKE256", "Valid", bytes(136), sign(params, sk, bytes(136)))

    for name, salt in (("zero", bytes(params.lam)), ("all ones", b"\xff" * params.lam)):
        made = sign_target(key, digest, salt, lambda attempt: derive_vinegar(params, digest, salt, sk, attempt))
        yield test(f"the salt is {name}", "ChosenSalt", MESSAGE, made.signature)

    salt = H(b"salt" + sk, params.lam)
    for name, keep in (
        ("v_0 is zero", np.arange(params.k) > 0),
        (f"v_{params.k - 1} is zero", np.arange(params.k) < params.k - 1),
    ):

        def partly_zero(attempt: int) -> tuple[np.ndarray, np.ndarray]:
            V, r = derive_vinegar(params, digest, salt, sk, attempt)
            return V * keep[:, np.newaxis].astype(np.uint8), r

        yield test(name, "SparseVinegar", MESSAGE, sign_target(key, digest, salt, partly_zero).signature)

    for number, attempts in RESTARTS.get(params.name, {}).items():
        made = sign_digest(params, sk, H(restart_message(number), params.digest_bytes), bytes(params.lam))
        assert made.attempts == attempts
        yield test(f"signed at attempt {attempts}", "Restart", restart_message(number), made.signature)


def malleable_tests(params: Params) -> Iterator[Test]:
    if params.k * params.n % 2 == 0:
        return
    signature = sign(params, secret_key(params), MESSAGE)
    reason = "k n is odd, the last high nibble before the salt is not part of s and must be zero: "
    for bits in (1, 8, 15):
        changed = bytearray(signature)
        changed[params.s_bytes - 1] |= bits << 4
        yield test(f"{reason}set to {bits}", "UnusedBits", MESSAGE, bytes(changed), "signature")
    wrong = flip(bytes(changed), 8 * (params.s_bytes - 1))
    yield test(f"{reason}set to 15, and the last element changed", "ModifiedBlock", MESSAGE, wrong, "signature")


def length_tests(params: Params) -> Iterator[Test]:
    return wrong_lengths(MESSAGE, sign(params, secret_key(params), MESSAGE), params.s_bytes)


def modified_tests(params: Params) -> Iterator[Test]:
    signature = sign(params, secret_key(params), MESSAGE)
    s, salt = signature[: params.s_bytes], signature[params.s_bytes :]
    S = blocks_of(params, signature)
    k, v, n = params.k, params.v, params.n

    def bad(comment: str, flag: str, wrong: bytes) -> Test:
        return test(comment, flag, MESSAGE, wrong, "signature")

    for i in range(k):
        # the places move with i, so that all of a block is covered over the k blocks
        vinegar, oil = i * (v - 1) // (k - 1), v + i * (params.o - 1) // (k - 1)
        yield bad(
            f"s_{i}, vinegar element {vinegar}", "ModifiedBlock", with_blocks(params, signature, changed_element(S, i, vinegar))
        )
        yield bad(f"s_{i}, oil element {oil - v}", "ModifiedBlock", with_blocks(params, signature, changed_element(S, i, oil)))
    for i in (0, k - 1):
        yield bad(
            f"s_{i} is zero",
            "ModifiedBlock",
            with_blocks(params, signature, S * (np.arange(k) != i)[:, np.newaxis].astype(np.uint8)),
        )

    for bit in (0, 4 * params.lam + 3, -1):
        yield bad(f"bit {bit % (8 * params.lam)} of the salt", "ModifiedSalt", s + flip(salt, bit))
    yield bad("the salt is zero", "ModifiedSalt", s + bytes(params.lam))
    yield bad("the randomizer in place of the salt", "ModifiedSalt", s + randomizer(params))

    yield bad("all zero", "Constant", bytes(params.sig_bytes))
    yield bad("all ones", "Constant", b"\xff" * params.sig_bytes)
    yield bad("s is zero", "Constant", bytes(params.s_bytes) + salt)
    yield bad("every element of s is one", "Constant", with_blocks(params, signature, np.ones((k, n), dtype=np.uint8)))

    for i, j in ((0, 1), (0, k - 1), (k - 2, k - 1)):
        order = list(range(k))
        order[i], order[j] = j, i
        yield bad(f"s_{i} and s_{j} swapped", "Rearranged", with_blocks(params, signature, S[order]))
    yield bad("the blocks rotated by one", "Rearranged", with_blocks(params, signature, np.roll(S, 1, axis=0)))
    yield bad("oil before vinegar in every block", "Rearranged", with_blocks(params, signature, np.roll(S, params.o, axis=1)))
    yield bad("the salt before s", "Rearranged", salt + s)
    yield bad("high nibbles first", "Rearranged", bytes(b >> 4 | (b & 15) << 4 for b in s) + salt)

    for factor in (2, 15):
        yield bad(f"s times {factor}", "Scaled", with_blocks(params, signature, mul(np.uint8(factor), S)))


def near_miss_tests(params: Params) -> Iterator[Test]:
    """What a comparison of too few elements would accept.  Only a signer can make these."""
    sk = secret_key(params)
    digest, salt = H(MESSAGE, params.digest_bytes), H(b"salt" + sk, params.lam)
    for element, bit in ((0, 0), (1, 3), (params.m // 2, 1), (params.m - 2, 2), (params.m - 1, 3), (params.m - 1, 0)):
        miss = np.zeros(params.m, dtype=np.uint8)
        miss[element] = 1 << bit
        made = sign_target(
            expand_secret_key(params, sk), digest, salt, lambda attempt: derive_vinegar(params, digest, salt, sk, attempt), miss
        )
        yield test(f"bit {bit} of element {element} of {params.m}", "NearMiss", MESSAGE, made.signature, "signature")


def message_tests(params: Params) -> Iterator[Test]:
    signature = sign(params, secret_key(params), MESSAGE)
    yield from wrong_messages(MESSAGE, signature)
    digest = H(MESSAGE, params.digest_bytes)
    yield test("the message's digest as the message", "ModifiedMessage", digest, signature, "signature")


def other_signature_tests(params: Params) -> Iterator[Test]:
    """Signatures of other keys, rounds and sets, under the first key."""
    sk = secret_key(params)
    yield test("signed with another key", "WrongKey", MESSAGE, sign(params, secret_key(params, "second"), MESSAGE), "signature")
    # The linear term and the order of the powers of z are all that tells rounds 2 and 3 apart.  In MAYO-3 and MAYO-5, where the
    # parameters are the same, this is the very signature that the same key makes in the other round.
    if params.round == 3 or params.name in ("MAYO-3-r2", "MAYO-5-r2"):
        other = dataclasses.replace(params, round=5 - params.round)
        made = sign(other, sk, MESSAGE)
        yield test(f"signed by the rules of round {other.round}", "OtherRound", MESSAGE, made, "signature")
    for name in ROUND_3 + OTHERS:
        other = BY_NAME[name]
        if other.sig_bytes != params.sig_bytes:
            if other.round == params.round or name.startswith(params.name[:6]):
                yield test(f"a signature of {name}", "OtherSet", MESSAGE, sign(other, secret_key(other), MESSAGE), "length")
        elif name != params.name:
            yield test(f"a signature of {name}", "OtherSet", MESSAGE, sign(other, secret_key(other), MESSAGE), "signature")


def key_groups(params: Params, full: bool) -> Iterator[tuple[bytes, list[Test]]]:
    """Groups with another public key than the first."""
    sk = secret_key(params)
    pk, signature = public_from_secret(params, sk), sign(params, sk, MESSAGE)
    seed, P3 = pk[:16], pk[16:]

    def group(comment: str, flag: str, changed: bytes, error: str = "signature") -> tuple[bytes, list[Test]]:
        return changed, [test(comment, flag, MESSAGE, signature, error)]

    yield group("last byte of the key missing", "WrongKeyLength", pk[:-1], "length")
    yield group("first bit of seed_pk", "ModifiedKey", flip(seed, 0) + P3)
    yield group("last bit of P3", "ModifiedKey", seed + flip(P3, -1))
    if not full:
        return
    yield group("a zero byte appended to the key", "WrongKeyLength", pk + b"\0", "length")
    yield group("the key is empty", "WrongKeyLength", b"", "length")
    yield group("only seed_pk", "WrongKeyLength", seed, "length")
    yield group("last bit of seed_pk", "ModifiedKey", flip(seed, -1) + P3)
    yield group("first bit of P3", "ModifiedKey", seed + flip(P3, 0))
    yield group("a bit in the middle of P3", "ModifiedKey", seed + flip(P3, 4 * len(P3) + 1))
    yield group("the key is zero", "ModifiedKey", bytes(len(pk)))
    for name in ROUND_3:
        if name != params.name:
            yield group(f"a key of {name}", "OtherSet", public_from_secret(BY_NAME[name], secret_key(BY_NAME[name])), "length")

    seed_pk, O = expand_secret_seed(params, sk)
    degenerate = public_key(params, seed_pk, np.zeros_like(O))
    assert degenerate == seed + bytes(len(P3))
    digest, salt = H(MESSAGE, params.digest_bytes), H(b"salt" + sk, params.lam)
    made = sign_target(
        expand_key(params, seed_pk, np.zeros_like(O)),
        digest,
        salt,
        lambda attempt: derive_vinegar(params, digest, salt, sk, attempt),
    )
    yield (
        degenerate,
        [
            test("signed with O = 0", "DegenerateKey", MESSAGE, made.signature),
            test("P3 is zero", "ModifiedKey", MESSAGE, signature, "signature"),
        ],
    )


def negative_groups(params: Params) -> Iterator[tuple[dict[str, Any], list[Test]]]:
    full = params.name in ROUND_3
    few = (
        [*valid_tests(params)][:1]
        + [*length_tests(params)][2:5]
        + [*message_tests(params)][:1]
        + [*modified_tests(params)][:: params.k]
    )
    many = [made for make in (valid_tests, length_tests, modified_tests, message_tests) for made in make(params)]
    tests = (many if full else few) + [*near_miss_tests(params), *malleable_tests(params), *other_signature_tests(params)]
    first = public_from_secret(params, secret_key(params))
    for pk, group in [(first, tests), *key_groups(params, full)]:
        yield {"type": "MayoVerify", "algorithm": params.name, "publicKey": pk.hex()}, group


def outcome(params: Params, group: dict[str, Any], message: bytes, signature: bytes) -> str | None:
    pk = bytes.fromhex(group["publicKey"])
    if len(pk) != params.pk_bytes or len(signature) != params.sig_bytes:
        return "length"
    return None if verify(params, pk, message, signature) else "signature"


def negative_vectors(params: Params) -> dict[str, Any]:
    header = ["Signatures to verify: publicKey, msg and sig in hexadecimal; result as in Wycheproof's files."]
    said = functools.partial(outcome, params)
    return negative_file(params.name, "model/make_vectors.py", header, NOTES, negative_groups(params), said)


# ---- the ACVP-shaped vectors -------------------------------------------------------------------------------------------------


def keygen_tests(params: Params) -> Iterator[Test]:
    seeds = (secret_key(params), bytes(params.sk_bytes), b"\xff" * params.sk_bytes)
    for seed in seeds:
        yield {"seed": seed.hex(), "pk": public_from_secret(params, seed).hex(), "sk": seed.hex()}


def siggen_tests(params: Params) -> Iterator[Test]:
    sk = secret_key(params)
    messages = [b"", b"\0", MESSAGE, bytes(135), b"\xff" * 136, bytes(range(137))]
    for message in messages + [restart_message(number) for number in RESTARTS.get(params.name, {})]:
        made = sign_digest(params, sk, H(message, params.digest_bytes), bytes(params.lam))
        yield {"sk": sk.hex(), "message": message.hex(), "signature": made.signature.hex(), "attempts": made.attempts}


def sigver_tests(params: Params) -> Iterator[Test]:
    sk = secret_key(params)
    pk, signature = public_from_secret(params, sk), sign(params, sk, MESSAGE, randomizer(params))
    for reason, message, tried in (
        ("valid signature", MESSAGE, signature),
        ("modified message", flip(MESSAGE, 9), signature),
        ("modified signature - s", MESSAGE, flip(signature, 4 * params.n)),
        ("modified signature - salt", MESSAGE, flip(signature, -9)),
    ):
        passed = verify(params, pk, message, tried)
        assert passed == (reason == "valid signature")
        yield {"pk": pk.hex(), "message": message.hex(), "signature": tried.hex(), "testPassed": passed, "reason": reason}


def acvp_vectors() -> dict[str, Any]:
    def of(make: Callable[[Params], Iterator[Test]]) -> Callable[[str], Iterator[Test]]:
        return lambda name: make(BY_NAME[name])

    modes: dict[str, tuple[Callable[[str], Iterator[Test]], Test]] = {
        "keyGen": (of(keygen_tests), {}),
        "sigGen": (of(siggen_tests), {"deterministic": True}),
        "sigVer": (of(sigver_tests), {}),
    }
    return acvp_file("MAYO", "model/make_vectors.py", {3: list(ROUND_3), 2: list(ROUND_2)}, modes)


# ---- files -------------------------------------------------------------------------------------------------------------------


def vector_files() -> Iterator[File]:
    """Every file under tests/vectors that is made here, and what makes it."""
    for name in ROUND_3 + OTHERS:
        yield VECTORS / "mayo_negative" / f"{name}.json", lambda params=BY_NAME[name]: negative_vectors(params)
    yield VECTORS / "mayo_acvp.json", acvp_vectors


def main() -> int:
    parser = argparse.ArgumentParser(description="Make MAYO's test vectors of tests/vectors from the model.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="compare instead of writing")
    choice.add_argument("--search", action="store_true", help="look for messages that need several attempts")
    arguments = parser.parse_args()
    if arguments.search:
        search_restarts()
        return 0
    return write_or_check(arguments, vector_files())


if __name__ == "__main__":
    sys.exit(main())
