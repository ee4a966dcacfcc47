# SPDX-License-Identifier: Apache-2.0
"""Key files against other people's DER and PEM code: asn1crypto, and the strict parser inside `cryptography`.

KEYFILE_PIPE is the command of the program keyfile_pipe, its words separated by bars.
"""

import os
import random
import re
import subprocess
import uuid
from pathlib import Path

import pytest
from asn1crypto import core, parser, pem
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_der_private_key, load_der_public_key

OK, LENGTH, FORMAT, OID, MISMATCH = 0, -3, -12, -13, -14
PUBLIC, SECRET = 0, 1
DER, PEM = 0, 1


# ---- the structures, as asn1crypto sees them -------------------------------------------------------------------------------


class AlgorithmIdentifier(core.Sequence):
    _fields = [("algorithm", core.ObjectIdentifier), ("parameters", core.Any, {"optional": True})]


class SubjectPublicKeyInfo(core.Sequence):
    _fields = [("algorithm", AlgorithmIdentifier), ("public_key", core.OctetBitString)]


class Values(core.OctetString):
    """A SET that stays closed: what attributes mean is nobody's business here."""

    tag = 17
    method = 1


class Attribute(core.Sequence):
    _fields = [("type", core.ObjectIdentifier), ("values", Values)]


class Attributes(core.SetOf):
    _child_spec = Attribute


class OneAsymmetricKey(core.Sequence):
    _fields = [
        ("version", core.Integer),
        ("algorithm", AlgorithmIdentifier),
        ("private_key", core.OctetString),
        ("attributes", Attributes, {"implicit": 0, "optional": True}),
        ("public_key", core.OctetBitString, {"implicit": 1, "optional": True}),
    ]


class Seed(core.OctetString):
    class_ = 2  # context
    tag = 0


# ---- the library -------------------------------------------------------------------------------------------------------------


class Pipe:
    def __init__(self):
        command = [word for word in os.environ["KEYFILE_PIPE"].split("|") if word]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        assert answer, "keyfile_pipe died"
        return answer

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=60) == 0


def hexed(data):
    return bytes(data).hex() or "-"


def unhexed(text):
    return b"" if text == "-" else bytes.fromhex(text)


class Set:
    def __init__(self, pipe, name, oid, sk_bytes, pk_bytes):
        self.pipe, self.name, self.oid = pipe, name, oid
        self.sk = random.Random(name).randbytes(sk_bytes)
        status, pk = pipe.ask("public", name, hexed(self.sk))
        self.pk = unhexed(pk)
        assert int(status) == OK
        assert len(self.pk) == pk_bytes

    def encode(self, kind, encoding):
        status, file = self.pipe.ask("encode", self.name, kind, encoding, hexed(self.sk if kind == SECRET else self.pk))
        assert int(status) == OK
        return unhexed(file)

    def algorithm(self):
        return AlgorithmIdentifier({"algorithm": self.oid})

    def public_file(self, public_key):
        return SubjectPublicKeyInfo({"algorithm": self.algorithm(), "public_key": public_key}).dump()

    def secret_file(self, private_key, **more):
        fields = {"version": 1 if "public_key" in more else 0, "algorithm": self.algorithm(), "private_key": private_key}
        return OneAsymmetricKey({**fields, **more}).dump()


class Decoded:
    def __init__(self, pipe, file):
        status, name, kind, key = pipe.ask("decode", hexed(file))
        self.status, self.name, self.kind, self.key = int(status), name, int(kind), unhexed(key)


@pytest.fixture(scope="module")
def pipe():
    p = Pipe()
    yield p
    p.close()


@pytest.fixture(scope="module")
def sets(pipe):
    words = pipe.ask("list")
    found = [Set(pipe, *words[i : i + 2], int(words[i + 2]), int(words[i + 3])) for i in range(0, len(words), 4)]
    registry = (Path(__file__).resolve().parents[2] / "src/abi/registry.def").read_text()
    assert [s.name for s in found] == re.findall(r'^AIOLI_SET\(\w+, "([^"]+)", mayo,', registry, re.M)
    return found


def test_written_public_keys(sets):
    for s in sets:
        der = s.encode(PUBLIC, DER)
        parsed = SubjectPublicKeyInfo.load(der, strict=True)
        assert parsed["algorithm"]["algorithm"].dotted == s.oid
        assert parsed["algorithm"]["parameters"].native is None
        assert bytes(parsed["public_key"]) == s.pk
        assert der == s.public_file(s.pk)
        with pytest.raises(UnsupportedAlgorithm):  # well-formed, and of nobody else's algorithm
            load_der_public_key(der)


def test_written_secret_keys(sets):
    for s in sets:
        der = s.encode(SECRET, DER)
        parsed = OneAsymmetricKey.load(der, strict=True)
        assert parsed["version"].native == 0
        assert parsed["algorithm"]["algorithm"].dotted == s.oid
        assert Seed.load(parsed["private_key"].native, strict=True).native == s.sk
        assert der == s.secret_file(Seed(s.sk).dump())
        with pytest.raises(UnsupportedAlgorithm):
            load_der_private_key(der, None)


def test_written_pem(sets):
    for s in sets:
        for kind, label in ((PUBLIC, "PUBLIC KEY"), (SECRET, "PRIVATE KEY")):
            text, der = s.encode(kind, PEM), s.encode(kind, DER)
            assert pem.unarmor(text) == (label, {}, der)
            assert text == pem.armor(label, der)


def test_our_identifiers_are_random_uuids(sets):
    ours = [s.oid for s in sets if s.oid.startswith("2.25.")]
    assert len(set(ours)) == 12
    for oid in ours:
        as_uuid = uuid.UUID(int=int(oid.removeprefix("2.25.")))
        assert as_uuid.version == 4
        assert as_uuid.variant == uuid.RFC_4122
    assert [s.oid for s in sets if s.oid not in ours] == [f"1.3.9999.8.{n}.3" for n in (1, 2, 3, 5)]


def forms(s):
    """Every form that is read: (kind, file)."""
    yield PUBLIC, s.public_file(s.pk)
    yield PUBLIC, s.public_file(core.OctetString(s.pk).dump())
    for inside in (
        Seed(s.sk).dump(),
        core.OctetString(s.sk).dump(),
        core.OctetString(s.sk + s.pk).dump(),
        s.sk,
        s.sk + s.pk,
    ):
        attributes = Attributes([Attribute({"type": "1.2.840.113549.1.9.20", "values": core.UTF8String("aioli").dump()})])
        yield SECRET, s.secret_file(inside)
        yield SECRET, s.secret_file(inside, public_key=s.pk)
        yield SECRET, s.secret_file(inside, public_key=core.OctetString(s.pk).dump())
        yield SECRET, s.secret_file(inside, attributes=attributes)
        yield SECRET, s.secret_file(inside, attributes=attributes, public_key=s.pk)


def test_read(pipe, sets):
    for s in sets:
        for kind, der in forms(s):
            for file in (der, pem.armor("PRIVATE KEY" if kind == SECRET else "PUBLIC KEY", der)):
                d = Decoded(pipe, file)
                assert (d.status, d.name, d.kind) == (OK, s.name, kind)
                assert d.key == (s.sk if kind == SECRET else s.pk)


def is_canonical(der, structure):
    """Whether asn1crypto takes it, strictly, and would write it just so."""
    try:
        parsed = structure.load(der, strict=True)
        assert parsed.native  # parses what is inside
        if "attributes" in parsed and not isinstance(parsed["attributes"], core.Void):
            for attribute in parsed["attributes"]:
                values = attribute["values"].contents
                elements = [parser.parse(e) for e in split(values)]
                if not elements or b"".join(parser.emit(*e[:3], e[4]) for e in elements) != values:
                    return False
        return parsed.dump(force=True) == der
    except (ValueError, TypeError):
        return False


def split(data):
    while data:
        size = parser.peek(data)
        yield data[:size]
        data = data[size:]


def mutated(rng, der):
    """A few edits, most of them where the headers are."""
    der = bytearray(der)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(der)) if rng.random() < 0.2 else rng.randrange(min(len(der), 64))
        edit = rng.randrange(6)
        if edit == 0:
            der[at] ^= 1 << rng.randrange(8)
        elif edit == 1:
            der[at] = rng.choice((0, 1, 2, 3, 4, 5, 6, 0x18, 0x30, 0x31, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xA0, 0xA1, 0xFF))
        elif edit == 2:
            der[at] = (der[at] + rng.choice((-1, 1))) % 256
        elif edit == 3:
            der[at:at] = rng.randbytes(1)
        elif edit == 4:
            del der[at]
        elif edit == 5:
            del der[rng.randrange(len(der)) :]
        if not der:
            break
    return bytes(der)


def test_whatever_is_read_is_canonical(pipe, sets):
    """We take no DER that asn1crypto refuses or would write in another way; and much of what was mutated is refused by both."""
    rng = random.Random(2025)
    small = [s for s in sets if s.name in ("MAYO-1", "MAYO-1-r2", "MAYO-3", "MAYO-5-r1b")]
    originals = [(s, kind, der) for s in small for kind, der in forms(s)]
    statuses = {}
    for _ in range(6000):
        s, kind, der = rng.choice(originals)
        file = mutated(rng, der)
        d = Decoded(pipe, file)
        statuses[d.status] = statuses.get(d.status, 0) + 1
        if d.status in (OK, OID, LENGTH, MISMATCH):
            structure = OneAsymmetricKey if kind == SECRET else SubjectPublicKeyInfo
            assert is_canonical(file, structure), f"status {d.status}: {file.hex()}"
        if d.status == OK:
            assert len(d.key) in (len(s.sk), len(s.pk))
            assert d.kind == kind
    assert set(statuses) == {OK, LENGTH, FORMAT, OID, MISMATCH}, statuses
    assert statuses[FORMAT] > 2000


def test_what_is_canonical_is_not_called_malformed(pipe, sets):
    """The other direction: a structure that asn1crypto wrote, with odd contents, is at worst of the wrong size or algorithm."""
    rng = random.Random(2026)
    for s in sets[:4]:
        for n in (0, 1, 2, 23, 24, 25, 31, 32, 40, 127, 128, 129, 255, 256, 257, 1456, 65535, 65536):
            data = bytes([0x11]) * min(n, 1) + rng.randbytes(max(n - 1, 0))
            good = n == len(s.pk)
            assert Decoded(pipe, s.public_file(data)).status == (OK if good else LENGTH)
            assert Decoded(pipe, s.public_file(core.OctetString(data).dump())).status == (OK if good else LENGTH)
            good = n == len(s.sk)
            for inside in (data, core.OctetString(data).dump(), Seed(data).dump()):
                assert Decoded(pipe, s.secret_file(inside)).status == (OK if good else LENGTH)
    for _ in range(300):
        arcs = [str(rng.getrandbits(rng.choice((1, 7, 8, 14, 32, 64, 127)))) for _ in range(rng.randrange(1, 4))]
        strange = Set.__new__(Set)
        strange.oid = ".".join(["2", str(rng.randrange(47)), *arcs])
        assert Decoded(pipe, strange.public_file(b"key")).status == OID
        assert Decoded(pipe, strange.secret_file(b"key", public_key=b"key")).status == OID
