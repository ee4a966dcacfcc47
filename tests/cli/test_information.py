# SPDX-License-Identifier: Apache-2.0
"""list, inspect, selftest, bench, kat."""

import base64
import hashlib
import json
import os
import struct
import subprocess
import time
from pathlib import Path

import pytest
from conftest import AIOLI, FAILURE, INVALID, Terminal, fingerprint, pem_body, public_key_bytes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

VECTORS = Path(__file__).parent.parent / "vectors"
DIGESTS = {
    name: digests
    for scheme in ("mayo", "uov")
    for name, digests in json.loads((VECTORS / f"{scheme}_digests.json").read_text())["sets"].items()
}
OPERATIONS = ["keypair", "sign", "verify", "signer_init", "signer_sign", "verifier_init", "verifier_verify"]


def test_list(cli):
    rows = {row["name"]: row for row in cli("list", "--json").json}
    assert set(rows) == set(DIGESTS)
    assert list(rows)[:4] == ["MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5"]
    # The specification's sizes: public key, secret key, signature.
    sizes = {
        "MAYO-1": (3, 1, 1456, 24, 464),
        "MAYO-2": (3, 1, 2928, 24, 239),
        "MAYO-3": (3, 3, 2986, 32, 681),
        "MAYO-5": (3, 5, 5554, 40, 964),
        "MAYO-1-r2": (2, 1, 1420, 24, 454),
        "MAYO-2-r2": (2, 1, 4912, 24, 186),
        "MAYO-1-r1": (1, 1, 1168, 24, 321),
        "MAYO-5-r1b": (1, 5, 5008, 40, 838),
    }
    for name, expected in sizes.items():
        row = rows[name]
        fields = ("round", "category", "public_key_bytes", "secret_key_bytes", "signature_bytes")
        assert tuple(row[field] for field in fields) == expected
    for row in rows.values():
        assert list(row["workspace_bytes"]) == OPERATIONS
        assert all(isinstance(n, int) and n > 0 for n in row["workspace_bytes"].values())
        assert row["signer_bytes"] > row["secret_key_bytes"] and row["verifier_bytes"] > row["public_key_bytes"]
        assert all(arc.isdigit() for arc in row["oid"].split("."))
    assert len({row["oid"] for row in rows.values()}) == len(rows)
    assert rows["MAYO-1-r2"]["oid"] == "1.3.9999.8.1.3" and rows["MAYO-5-r2"]["oid"] == "1.3.9999.8.5.3"
    text = cli("list").out
    assert all(name in text for name in rows)
    overridden = cli("list", "--json", "--oid", "MAYO-1=1.2.3").json
    assert [row["oid"] for row in overridden if row["name"] == "MAYO-1"] == ["1.2.3"]


def test_list_backends(cli):
    backends = cli("list", "--backends", "--json").json
    assert backends[0]["name"] == "portable" and backends[0]["usable"]
    assert [b["active"] for b in backends].count(True) == 1
    assert all(b["usable"] for b in backends if b["active"])
    forced = cli("list", "--backends", "--json", environment={"AIOLI_BACKEND": "portable"}).json
    assert [b["name"] for b in forced if b["active"]] == ["portable"]
    assert "portable: " in cli("list", "--backends").out


def test_inspect_keys(cli):
    seed = os.urandom(32)
    cli("keygen", "--alg", "MAYO-3", "--seed", seed.hex(), "--out", "k")
    key = fingerprint("MAYO-3", public_key_bytes(cli.directory / "k.pub", 2986))
    common = {"algorithm": "MAYO-3", "round": 3, "category": 3, "key": key, "public_key_bytes": 2986, "signature_bytes": 681}
    public = cli("inspect", "k.pub", "--json").json
    assert public.pop("oid") and public == {"file": "k.pub", "kind": "public key"} | common
    secret = cli("inspect", "k.key", "--json").json
    assert secret.pop("oid") and secret == {"file": "k.key", "kind": "secret key", "encrypted": False} | common
    assert key in cli("inspect", "k.key").out and "secret key" in cli("inspect", "k.key").out


def test_inspect_reveals_no_secret(cli):
    seed = os.urandom(24)
    (cli.directory / "pass").write_text("open sesame\n")
    cli("keygen", "--seed", seed.hex(), "--out", "k")
    cli("keygen", "--seed", seed.hex(), "--out", "e", "--passphrase-file", "pass")
    outputs = [cli("inspect", "k.key"), cli("inspect", "k.key", "--json"), cli("inspect", "e.key", "--passphrase-file", "pass")]
    body = base64.b64encode(pem_body((cli.directory / "k.key").read_text())[-24:]).decode()
    for outcome in outputs:
        everything = outcome.out + outcome.err
        for piece in (seed.hex()[:12], seed.hex().upper()[:12], seed.hex()[-12:], body[:10], "sesame"):
            assert piece not in everything


def test_inspect_encrypted_key(cli):
    (cli.directory / "pass").write_text("open sesame\n")
    cli("keygen", "--out", "k", "--alg", "MAYO-2", "--passphrase-file", "pass")
    closed = cli("inspect", "k.key", "--json").json
    assert closed["kind"] == "secret key" and closed["encrypted"] is True and "algorithm" not in closed
    assert "scrypt" in closed["encryption"] and "aes-256-cbc" in closed["encryption"]
    opened = cli("inspect", "k.key", "--passphrase-file", "pass", "--json").json
    assert opened["encrypted"] is True and opened["algorithm"] == "MAYO-2"
    assert opened["key"] == cli("inspect", "k.pub", "--json").json["key"]


def test_inspect_signature_file(cli):
    cli("keygen", "--out", "k")
    (cli.directory / "m").write_bytes(b"m")
    cli("sign", "--key", "k.key", "--comment", "a comment", "m")
    shown = cli("inspect", "m.sig", "--json").json
    assert shown == {
        "file": "m.sig",
        "kind": "signature file",
        "algorithm": "MAYO-1",
        "key": cli("inspect", "k.pub", "--json").json["key"],
        "signature_bytes": 464,
        "comment": "a comment",
        "verified": False,
    }
    assert "nothing was verified" in cli("inspect", "m.sig").out
    text = (cli.directory / "m.sig").read_bytes()
    assert cli("inspect", "-", "--json", stdin=text).json["kind"] == "signature file"


def test_inspect_other_files(cli):
    (cli.directory / "noise").write_bytes(os.urandom(1000))
    assert "neither" in cli("inspect", "noise", status=FAILURE).err
    (cli.directory / "raw").write_bytes(os.urandom(464))
    assert "MAYO-1" in cli("inspect", "raw", status=FAILURE).err
    (cli.directory / "empty").write_bytes(b"")
    assert "empty" in cli("inspect", "empty", status=FAILURE).err
    with open(cli.directory / "huge", "wb") as file:
        file.truncate(1 << 31)
    cli("inspect", "huge", status=FAILURE)


def test_selftest(cli):
    done = cli("selftest", "--json").json
    usable = [b["name"] for b in cli("list", "--backends", "--json").json if b["usable"]]
    assert done["ok"] is True
    assert {(r["backend"], r["algorithm"]) for r in done["results"]} == {(b, a) for b in usable for a in DIGESTS}
    assert all(r["ok"] for r in done["results"])
    text = cli("selftest", "--alg", "MAYO-1", "--alg", "MAYO-2", "--backend", "portable").out
    assert text.splitlines() == ["portable  MAYO-1  ok", "portable  MAYO-2  ok", "all known answers are right"]
    forced = cli("selftest", "--alg", "MAYO-1", "--json", environment={"AIOLI_BACKEND": "portable"}).json
    assert {r["backend"] for r in forced["results"]} == {"portable"}
    assert "nonsense" in cli("selftest", "--backend", "nonsense", status=FAILURE).err
    assert "nonsense" in cli("selftest", environment={"AIOLI_BACKEND": "nonsense"}, status=FAILURE).err


def test_bench(cli):
    done = cli("bench", "--json", "--runs", "15", "--alg", "MAYO-1", "--alg", "MAYO-2-r1b").json
    assert done["statistic"] == "median" and done["backend"]
    assert [(r["algorithm"], r["operation"]) for r in done["results"]] == [
        (a, o) for a in ("MAYO-1", "MAYO-2-r1b") for o in OPERATIONS
    ]
    for result in done["results"]:
        assert result["runs"] == 15
        assert 0 < result["q1"] <= result["microseconds"] <= result["q3"]
        if result["cycles"] is not None:
            assert result["cycles"] == pytest.approx(result["microseconds"] * result["cycles_per_microsecond"])
            assert 100 < result["cycles_per_microsecond"] < 10000
    seven = ["keygen", "sign", "verify", "expand_sk", "sign_expanded", "expand_pk", "verify_expanded"]
    assert [r["op"] for r in done["results"]] == 2 * seven
    took = {r["op"]: r["microseconds"] for r in done["results"][:7]}
    assert took["sign_expanded"] < took["sign"] and took["verify_expanded"] < took["verify"]
    text = cli("bench", "--seconds", "0.01", "--alg", "MAYO-2", "--backend", "portable").out
    assert "portable" in text and all(operation in text for operation in OPERATIONS)


def test_bench_covers_every_set(cli):
    done = cli("bench", "--json", "--runs", "1").json
    assert {(r["algorithm"], r["operation"]) for r in done["results"]} == {(a, o) for a in DIGESTS for o in OPERATIONS}


@pytest.mark.parametrize("alg", DIGESTS)
def test_kat_first_record(cli, alg):
    body = cli("kat", "--alg", alg, "--count", "1").raw_out
    assert hashlib.sha256(body).hexdigest() == DIGESTS[alg]["record0"]


def test_kat_form(cli):
    body = cli("kat", "--alg", "MAYO-2", "--count", "3").out
    assert body.endswith("\n") and not body.endswith("\n\n") and "\n\n\n" not in body
    records = body.split("\n\n")
    assert len(records) == 3
    for count, record in enumerate(records):
        fields = [line.split(" = ") for line in record.strip("\n").split("\n")]
        assert [name for name, _ in fields] == ["count", "seed", "mlen", "msg", "pk", "sk", "smlen", "sm"]
        values = dict(fields)
        mlen = 33 * (count + 1)
        assert (values["count"], values["mlen"], values["smlen"]) == (str(count), str(mlen), str(mlen + 239))
        assert len(values["seed"]) == 96 and len(values["msg"]) == 2 * mlen and values["sm"].endswith(values["msg"])
        assert all(values[name] == values[name].upper() for name in ("seed", "msg", "pk", "sk", "sm"))
    as_json = cli("kat", "--alg", "MAYO-2", "--count", "3", "--json").json
    assert [r["sm"] for r in as_json] == [r.rsplit("sm = ", 1)[1].strip() for r in records]


def test_kat_default_is_hundred_records_from_the_standard_seed(cli):
    body = cli("kat", "--alg", "MAYO-2").raw_out
    assert hashlib.sha256(body).hexdigest() == DIGESTS["MAYO-2"]["all100"]
    assert cli("kat", "--alg", "MAYO-2", "--seed", bytes(range(48)).hex(), "--count", "100").raw_out == body


def test_kat_with_another_seed(cli):
    standard = cli("kat", "--count", "2", "--json").json
    other = cli("kat", "--count", "2", "--seed", "FF" * 48, "--json").json
    for name in ("seed", "msg", "pk", "sk", "sm"):
        assert len({record[name] for record in standard + other}) == 4
    # The generator of NIST SP 800-90A (AES-256, no derivation function) with a seed of 48 bytes FF, computed here.
    assert other[0]["seed"] == drbg_first_bytes(b"\xff" * 48, 48).hex().upper()


def drbg_first_bytes(seed, n):
    def blocks(key, v, count):
        encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        counters = b"".join(((v + i) % (1 << 128)).to_bytes(16, "big") for i in range(1, count + 1))
        return encryptor.update(counters)

    state = bytes(a ^ b for a, b in zip(blocks(bytes(32), 0, 3), seed))
    return blocks(state[:32], int.from_bytes(state[32:], "big"), (n + 15) // 16)[:n]


@pytest.mark.parametrize("seed", ["", "00", "00" * 47, "00" * 49, "zz" * 48])
def test_kat_seed_of_another_form_is_refused(cli, seed):
    assert "seed" in cli("kat", "--seed", seed, status=FAILURE).err


def test_progress_bar_is_for_terminals_and_slow_files(cli):
    """A file that comes through a slow pipe: something is drawn after a second, and cleared at the end."""
    cli("keygen", "--out", "k")
    # On a pseudo-terminal, the message comes from a pipe that is opened by name.
    os.mkfifo(cli.directory / "slow")
    terminal = Terminal(["sign", "--key", "k.key", "--out", "s", "slow"], cli.directory)
    with open(cli.directory / "slow", "wb", buffering=0) as pipe:
        for _ in range(16):
            pipe.write(bytes(1 << 18))
            time.sleep(0.1)
    assert terminal.finish() == 0
    assert b"MiB/s" in terminal.seen and b"\r\x1b[K" in terminal.seen
    assert terminal.seen.rindex(b"\r\x1b[K") > terminal.seen.rindex(b"MiB/s")

    process = subprocess.Popen(
        [AIOLI, "sign", "--key", "k.key", "--out", "s", "-"],
        cwd=cli.directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for _ in range(12):
        process.stdin.write(bytes(1 << 18))
        process.stdin.flush()
        time.sleep(0.1)
    assert process.communicate(timeout=60)[1] == b""

    quick = Terminal(["sign", "--key", "k.key", "k.pub"], cli.directory)
    assert quick.finish() == 0
    assert b"MiB/s" not in quick.seen


def test_selftest_notices_a_damaged_program(cli):
    """A copy of the program with one bit flipped in the round constants of Keccak."""
    constants = struct.pack("<2Q", 0x0000000000008082, 0x800000000000808A)
    program = Path(AIOLI).read_bytes()
    assert constants in program
    damaged = cli.directory / "damaged"
    damaged.write_bytes(program.replace(constants, bytes([constants[0] ^ 1]) + constants[1:]))
    damaged.chmod(0o755)
    outcome = cli("selftest", "--alg", "MAYO-1", "--json", program=damaged, status=INVALID, stderr_expected=False).json
    assert outcome["ok"] is False and all(not r["ok"] and r["error"] for r in outcome["results"])
    assert "FAILED" in cli("selftest", "--alg", "MAYO-1", program=damaged, status=INVALID, stderr_expected=False).out
