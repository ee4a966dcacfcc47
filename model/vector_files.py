# SPDX-License-Identifier: Apache-2.0
"""What the makers of test vectors share (make_vectors.py, make_uov_vectors.py): two shapes of files, and writing or comparing.

Each expected result of a negative vector is decided by the class of the test, and then compared with the model's verifier: the
two must agree.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[1] / "tests" / "vectors"

Test = dict[str, Any]
File = tuple[Path, Callable[[], dict[str, Any]]]
Notes = dict[str, tuple[str, str]]  # flag: (type of bug, what it means)

NOTES: Notes = {
    "Valid": ("BASIC", "A signature made as specified."),
    "ChosenSalt": ("FUNCTIONALITY", "A valid signature whose salt was not derived as specified; a verifier cannot tell."),
    "SparseVinegar": ("EDGE_CASE", "A valid signature with vinegar values that are zero or equal in every block."),
    "Restart": ("EDGE_CASE", "A valid signature for which the signer met singular systems."),
    "DegenerateKey": (
        "EDGE_CASE",
        "A valid signature under a key pair with O = 0, so that P3 = 0. No check of keys is specified.",
    ),
    "UnusedBits": (
        "SIGNATURE_MALLEABILITY",
        "Bits of the signature that belong to no element are set. The specification of round 1 does not look at them; "
        "here each signature has one encoding.",
    ),
    "WrongLength": ("MODIFIED_SIGNATURE", "The signature has another length than that of the parameter set."),
    "WrongKeyLength": ("MODIFIED_PARAMETER", "The public key has another length than that of the parameter set."),
    "ModifiedBlock": ("MODIFIED_SIGNATURE", "One block s_i was changed."),
    "ModifiedSalt": ("MODIFIED_SIGNATURE", "The salt was changed."),
    "Constant": ("MODIFIED_SIGNATURE", "The signature, or a part of it, is all zero or all one."),
    "NearMiss": (
        "ARITHMETIC",
        "The public map takes the signature to all elements of the target but one, which differs in one bit.",
    ),
    "Rearranged": ("MODIFIED_SIGNATURE", "Parts of the signature are in another order or another encoding."),
    "Scaled": ("ARITHMETIC", "The blocks are multiplied by a constant. A quadratic map then scales by its square."),
    "ModifiedMessage": ("BASIC", "The signature is of another message."),
    "ModifiedKey": ("MODIFIED_PARAMETER", "The public key was changed."),
    "WrongKey": ("BASIC", "The signature is of another key of the same set."),
    "OtherRound": ("CONFUSION", "The signature follows the rules of another round, under the same key."),
    "OtherSet": ("CONFUSION", "The signature or the key is of another parameter set."),
}


def verification(
    comment: str, flag: str, message: bytes, signature: bytes, error: str | None = None, result: str | None = None
) -> Test:
    """error None: the verifier accepts.  "signature": it says no.  "length": a length is wrong and nothing is verified."""
    assert flag in NOTES and error in (None, "signature", "length")
    made: Test = {
        "comment": comment,
        "flags": [flag],
        "msg": message.hex(),
        "sig": signature.hex(),
        "result": result or ("valid" if error is None else "invalid"),
    }
    return made if error is None else made | {"error": error}


def flip(data: bytes, bit: int) -> bytes:
    """`bit` counts from the lowest bit of the first byte; negative ones from the end."""
    changed = bytearray(data)
    changed[(bit % (8 * len(data))) // 8] ^= 1 << bit % 8
    return bytes(changed)


def wrong_lengths(message: bytes, signature: bytes, s_bytes: int) -> Iterator[Test]:
    s, salt = signature[:s_bytes], signature[s_bytes:]
    for comment, wrong in (
        ("empty", b""),
        ("one byte", signature[:1]),
        ("last byte missing", signature[:-1]),
        ("first byte missing", signature[1:]),
        ("a zero byte appended", signature + b"\0"),
        ("a zero byte put in front", b"\0" + signature),
        ("a zero byte between s and the salt", s + b"\0" + salt),
        ("only s", s),
        ("only the salt", salt),
        ("followed by the message", signature + message),
        ("twice", signature + signature),
    ):
        yield verification(comment, "WrongLength", message, wrong, "length")


def wrong_messages(message: bytes, signature: bytes) -> Iterator[Test]:
    for comment, wrong in (
        ("first bit of the message", flip(message, 0)),
        ("last bit of the message", flip(message, -1)),
        ("last byte of the message missing", message[:-1]),
        ("a zero byte appended to the message", message + b"\0"),
        ("an empty message", b""),
    ):
        yield verification(comment, "ModifiedMessage", wrong, signature, "signature")


def negative_file(
    algorithm: str,
    generator: str,
    header: list[str],
    notes: Notes,
    groups: Iterable[tuple[dict[str, Any], list[Test]]],
    outcome: Callable[[dict[str, Any], bytes, bytes], str | None],
) -> dict[str, Any]:
    """Shaped like a file of Wycheproof.  `groups` are the fields of a group with its tests; `outcome(fields, message, signature)`
    is what the model says: None, "signature" or "length"."""
    made, number, used = [], 0, set()
    for fields, group in groups:
        tests = []
        for test in group:
            number += 1
            used.update(test["flags"])
            tests.append({"tcId": number} | test)
            said = outcome(fields, bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]))
            if said != test.get("error"):
                raise AssertionError(f"{algorithm}, {test['comment']}: not {test.get('error')}, the model says {said}")
        made.append(fields | {"tests": tests})
    return {
        "algorithm": algorithm,
        "generator": generator,
        "numberOfTests": number,
        "header": [*header, "error says how a verifier must fail: 'length', seen before anything is computed, or 'signature'."],
        "notes": {flag: {"bugType": kind, "description": text} for flag, (kind, text) in notes.items() if flag in used},
        "testGroups": made,
    }


def acvp_file(
    algorithm: str, generator: str, names: dict[int, list[str]], modes: dict[str, tuple[Callable[[str], Iterator[Test]], Test]]
) -> dict[str, Any]:
    """Shaped like ACVP's internal projections.  `names`: the sets of each round.  `modes`: what makes the tests of a set, and
    further fields of its group."""
    sets = []
    for round_, of_round in names.items():
        for mode, (make, fields) in modes.items():
            case, groups = 0, []
            for group_number, name in enumerate(of_round, 1):
                tests = []
                for made in make(name):
                    case += 1
                    tests.append({"tcId": case} | made)
                groups.append({"tgId": group_number, "testType": "AFT", "parameterSet": name} | fields | {"tests": tests})
            about = {"vsId": len(sets) + 1, "algorithm": algorithm, "mode": mode, "revision": f"round{round_}"}
            sets.append(about | {"testGroups": groups})
    return {
        "generator": generator,
        "header": ["Inputs and answers together, shaped like the internal projections of ACVP; tests/vectors/README.md."],
        "vectorSets": sets,
    }


def as_text(vectors: dict[str, Any]) -> str:
    """JSON with one line per test."""

    def lines(value: object, depth: int) -> str:
        pad = " " * depth
        if isinstance(value, dict) and "tcId" not in value:
            inner = (f"{pad} {json.dumps(name)}: {lines(part, depth + 1)}" for name, part in value.items())
            return "{\n" + ",\n".join(inner) + f"\n{pad}}}"
        if isinstance(value, list) and value and not isinstance(value[0], str):
            return "[\n" + ",\n".join(f"{pad} {lines(part, depth + 1)}" for part in value) + f"\n{pad}]"
        return json.dumps(value)

    return lines(vectors, 0) + "\n"


def write_or_check(arguments: argparse.Namespace, files: Iterable[File]) -> int:
    """The exit status."""
    differing = 0
    for path, make in files:
        text, name = as_text(make()), path.relative_to(VECTORS)
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            print(f"{name}: {len(text)} bytes", flush=True)
        elif path.is_file() and path.read_text() == text:
            print(f"{name}: as the model makes it", flush=True)
        else:
            print(f"{name}: differs from what the model makes", file=sys.stderr, flush=True)
            differing += 1
    return 1 if differing else 0
