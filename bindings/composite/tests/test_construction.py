#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Composite keys and signatures computed a second time: MAYO by the model, the classical halves by the package cryptography, the
construction by the lines below.  usage: test_construction.py COMPOSITE_PIPE
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "model"))

from aioli_model import BY_NAME, keypair_from_seed, sign  # noqa: E402
from asn1crypto import core  # noqa: E402
from cryptography.exceptions import InvalidSignature  # noqa: E402
from cryptography.hazmat.primitives import hashes, serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec, ed25519  # noqa: E402

PAGE = Path(__file__).resolve().parents[3] / "docs/composite.md"
ECDSA = ec.ECDSA(hashes.SHA256())


class Ed25519Half:
    def __init__(self, seed):
        self.key = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self.key.public_key().public_bytes_raw()
        self.secret = seed

    def sign(self, message):
        return self.key.sign(message)

    def verify(self, sig, message):
        self.key.public_key().verify(sig, message)


class P256Half:
    def __init__(self, seed):
        self.key = ec.derive_private_key(int.from_bytes(seed, "big"), ec.SECP256R1())
        point = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        self.public = self.key.public_key().public_bytes(*point)
        # ECPrivateKey of RFC 5915 without its public key, written out
        self.secret = bytes.fromhex("30310201010420") + seed + bytes.fromhex("a00a06082a8648ce3d030107")

    def sign(self, message):
        return self.key.sign(message, ECDSA)

    def verify(self, sig, message):
        self.key.public_key().verify(sig, message, ECDSA)


def construct(label, digest, message, context):
    """M' = Prefix || Label || len(ctx) || ctx || PH(M)"""
    prefix = bytes.fromhex("436F6D706F73697465416C676F726974686D5369676E61747572657332303235")
    return prefix + label.encode() + bytes([len(context)]) + context + hashlib.new(digest, message).digest()


def parts_of_file(der):
    """(identifier, key) of a SubjectPublicKeyInfo or a OneAsymmetricKey, by asn1crypto."""
    file = core.Sequence.load(der, strict=True)
    parts = [file[i] for i in range(len(file))]
    if len(parts) == 3 and parts.pop(0).native != 0:
        raise ValueError("version")
    algorithm, key = parts
    if len(algorithm) != 1:
        raise ValueError("parameters")
    return algorithm[0].dotted, key.native if isinstance(key, core.OctetString) else key.contents[1:]


class Test:
    def __init__(self, pipe):
        self.pipe, self.checks = pipe, 0

    def run(self, *words):
        words = [word.hex() if isinstance(word, bytes) else word for word in words]
        return subprocess.run([self.pipe, *words], capture_output=True, text=True, check=False).stdout.split("\n")[:-1]

    def check(self, condition, what):
        self.checks += 1
        if not condition:
            sys.exit(f"FAILED: {what}")

    def compare_page(self):
        """The table of docs/composite.md."""
        rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in PAGE.read_text().splitlines()
                if line.startswith("| MAYO")]  # fmt: skip
        page = [[row[0], *row[3:7], row[7].split()[0]] for row in rows]
        self.check(page == [line.split(" ") for line in self.run("list")], f"docs/composite.md and the library differ: {page}")

    def compare(self, name, half, tail, digest, context):
        params = BY_NAME[name.rsplit("-", 1)[0]]
        message, mayo_seed, other_seed = os.urandom(100), os.urandom(params.lam), os.urandom(32)
        said = self.run("sign", name, mayo_seed + other_seed, message, context)
        self.check(len(said) == 7, f"{name}: {said}")
        pk, sk, public_file, secret_file, sig = (bytes.fromhex(said[i]) for i in (0, 1, 4, 5, 6))
        label, oid = said[2:4]
        self.check(label == f"COMPSIG-{params.name.replace('-', '')}R3-{tail}", f"{name}: label {label}")
        other = half(other_seed)
        mayo_pk, mayo_sk = keypair_from_seed(params, mayo_seed)
        self.check(pk == mayo_pk + other.public, f"{name}: public key")
        self.check(sk == mayo_sk + other.secret, f"{name}: secret key")
        self.check(parts_of_file(public_file) == (oid, pk), f"{name}: public key file")
        self.check(parts_of_file(secret_file) == (oid, sk), f"{name}: secret key file")

        def mayo(signed):
            return sign(params, mayo_sk, signed, bytes(params.lam))

        signed = construct(label, digest, message, context)
        self.check(sig.startswith(mayo(signed)), f"{name}: MAYO's half")
        try:
            other.verify(sig[len(mayo(signed)) :], signed)
        except InvalidSignature:
            sys.exit(f"FAILED: {name}: the classical half")
        # One that was made here is valid there; one over another label or context, or over the message itself, is not.
        ours = mayo(signed) + other.sign(signed)
        self.check(self.run("verify", name, pk, ours, message, context) == ["valid"], f"{name}: a signature from here")
        for wrong in (
            construct(label + "x", digest, message, context),
            construct(label.replace("R3", "R4"), digest, message, context),
            construct(label, digest, message, context[1:] if context else b"x"),
            message,
        ):
            forged = mayo(wrong) + other.sign(wrong)
            said = self.run("verify", name, pk, forged, message, context)
            self.check(said != ["valid"] and len(said) == 1, f"{name}: a signature of something else is taken")


def main():
    test = Test(sys.argv[1])
    test.compare_page()
    # The end of a label names the classical half and PH, as in the draft's table of labels.
    for mayo, ph in (("MAYO-1", "256"), ("MAYO-2", "256"), ("MAYO-3", "512"), ("MAYO-5", "512")):
        for context in (b"", b"olive oil", bytes(range(255))) if mayo == "MAYO-1" else (b"oil",):
            test.compare(f"{mayo}-Ed25519", Ed25519Half, "Ed25519-SHA512", "sha512", context)
            test.compare(f"{mayo}-P256", P256Half, f"ECDSA-P256-SHA{ph}", f"sha{ph}", context)
    print(f"test_construction: {test.checks} checks pass")


if __name__ == "__main__":
    main()
