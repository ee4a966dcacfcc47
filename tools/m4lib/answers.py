# SPDX-License-Identifier: Apache-2.0
"""Known answers on the board, compact and expanded keys: record 0 of the published ones for every set (by its committed digest),
and for the sets of round 3 the vectors of the Python model, restarts of signing and forgeries included."""

import hashlib
import importlib.util
import json

from m4lib import board, counting

VECTORS = board.ROOT / "tests/vectors"
# The model's generator by itself: the rest of the model wants numpy.
SPEC = importlib.util.spec_from_file_location("drbg", board.ROOT / "model/aioli_model/drbg.py")
generators = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generators)
INVALID = "1"  # AIOLI_ERR_SIGNATURE


def run(image, lines):
    """[(operation, status)] and [(variable, hex)] in the order of the script"""
    said, _ = board.run_script(image, lines)
    words = [line.split() for line in said]
    statuses = [(w[1], w[2]) for w in words if w[0] == "run"]
    shown = [(w[0], w[1]) for w in words if w[0] in ("pk", "sk", "sig")]
    return statuses, shown


def setting(variable, data):
    return f"set {variable} {len(data)} {data.hex()}"


def record(name):
    """Seed of the record, message, seed of the key pair and R of record 0."""
    outer = generators.Drbg(bytes(range(48)))
    seed, message = outer.request(48), outer.request(33)
    inner = generators.Drbg(seed)
    n = len(counting.seed(name))
    return seed, message, inner.request(n), inner.request(16 if name.startswith("UOV") else n)


def digest(seed, message, sk, pk, signed):
    lines = [("count", 0), ("seed", seed), ("mlen", len(message)), ("msg", message), ("pk", pk), ("sk", sk),
             ("smlen", len(signed)), ("sm", signed)]  # fmt: skip
    text = "".join(f"{key} = {value.hex().upper() if isinstance(value, bytes) else value}\n" for key, value in lines)
    return hashlib.sha256(text.encode()).hexdigest()


def check_published(name, image):
    """Record 0, with compact and with expanded keys; keys, message and signature at odd addresses, from which pairs of words
    cannot be loaded."""
    seed, message, sk_seed, R = record(name)
    given = [f"alg {name}", setting("seed", sk_seed), setting("R", R), setting("msg", message)]
    shown = ["show pk", "show sk", "show sig"]
    compact = ["run keypair", "run sign", *shown, "run verify"]
    expanded = ["run keypair", "run signer_init", "run signer_sign", *shown, "run verifier_init", "run verifier_verify"]
    family = name.split("-")[0].lower()
    wanted = json.loads((VECTORS / f"{family}_digests.json").read_text())["sets"][name]["record0"]
    problems = []
    for kind, at, calls in (("compact", 1, compact), ("expanded", 3, expanded)):
        forged = [setting("msg", message + b"!"), calls[-1]]
        statuses, values = run(image, [f"at {at}", *given, *calls, *forged])
        if [status for _, status in statuses] != ["0"] * (len(statuses) - 1) + [INVALID]:
            problems.append(f"{name}, {kind} keys: statuses {statuses}")
        pk, sk, signature = (bytes.fromhex(value) for _, value in values)
        signed = message + signature if family == "uov" else signature + message
        if digest(seed, message, sk, pk, signed) != wanted:
            problems.append(f"{name}, {kind} keys: record 0 is not as published")
    return problems


def check_model(name, image):
    """What the Python model has computed for this set; how many answers there were."""
    problems, count = [], 0
    for vectors in json.loads((VECTORS / "mayo_acvp.json").read_text())["vectorSets"]:
        for test in (t for group in vectors["testGroups"] if group["parameterSet"] == name for t in group["tests"]):
            data = {
                key: bytes.fromhex(value) for key, value in test.items() if key in ("seed", "pk", "sk", "message", "signature")
            }
            script, wanted, expected = [f"alg {name}"], None, "0"
            if vectors["mode"] == "keyGen":
                script += [setting("seed", data["seed"]), "run keypair", "show pk"]
                wanted = ("pk", test["pk"])
            elif vectors["mode"] == "sigGen":
                script += [setting("seed", data["sk"]), setting("msg", data["message"]), "run sign", "show sig"]
                wanted = ("sig", test["signature"])
            else:
                script += [
                    setting("pk", data["pk"]),
                    setting("msg", data["message"]),
                    setting("sig", data["signature"]),
                    "run verify",
                ]
                expected = "0" if test["testPassed"] else INVALID
            statuses, shown = run(image, script)
            count += 1
            if [status for _, status in statuses] != [expected] or shown != ([wanted] if wanted else []):
                problems.append(f"{name}, {vectors['mode']} {test['tcId']}: not as the model computes it")
    return problems, count


def check(name, policy, model=True):
    image = board.build(name, policy) / "runner.elf"
    problems = check_published(name, image)
    count = 0
    if model:
        more, count = check_model(name, image)
        problems += more
    print(
        f"{name}, {policy}: record 0 with compact and expanded keys, {count} answers of the model: "
        f"{'WRONG' if problems else 'as they should be'}"
    )
    return problems
