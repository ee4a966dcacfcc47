# SPDX-License-Identifier: Apache-2.0
"""Runs in a process of its own, because a library picks its backend once: AIOLI_LIB and AIOLI_BACKEND say which.

Reads cases as JSON from standard input (alg, seed, R, message, changed: a bit of the signature to flip) and writes for each the
public key, the signatures (from the secret key, from a signer) and what the verifiers say; in front the name of the backend.
"""

import json
import os
import sys

from capi import Aioli, Env

lib = Aioli(os.environ["AIOLI_LIB"])
answers = []
for case in json.load(sys.stdin):
    alg = lib.alg(case["alg"])
    seed, R, message = (bytes.fromhex(case[part]) for part in ("seed", "R", "message"))
    statuses = []
    status, pk, sk = lib.keypair_from_seed(alg, seed)
    statuses.append(status)
    status, signature = lib.sign_with_randomness(alg, message, sk, R)
    statuses.append(status)
    with lib.signer(alg, sk) as signer:
        statuses.append(signer.status)
        status, again = (
            lib.signer_sign(signer, alg.sig_bytes, message, Env(rng=lambda n: R)) if signer.address else (signer.status, b"")
        )
        statuses.append(status)
    tampered = bytearray(signature)
    tampered[case["changed"] // 8] ^= 1 << case["changed"] % 8
    said = [lib.verify(alg, signature, message, pk), lib.verify(alg, bytes(tampered), message, pk)]
    with lib.verifier(alg, pk) as verifier:
        statuses.append(verifier.status)
        if verifier.address:
            said += [lib.verifier_verify(verifier, signature, message), lib.verifier_verify(verifier, bytes(tampered), message)]
    answers.append(
        {
            "pk": pk.hex(),
            "signatures": [signature.hex(), again.hex()],
            "statuses": [status.name for status in statuses],
            "verdicts": [status.name for status in said],
        }
    )
json.dump({"backend": lib.backend_active(), "answers": answers}, sys.stdout)
