# SPDX-License-Identifier: Apache-2.0
import hashlib
import os
import subprocess

import pytest
from conftest import AIOLI, FAILURE, INVALID, PREFIX, fingerprint, public_key_bytes, reference

MAYO_SETS = [f"MAYO-{x}{suffix}" for suffix in ("", "-r2", "-r1", "-r1b") for x in (1, 2, 3, 5)]
UOV_SETS = [
    f"UOV-{x}{keys}{suffix}"
    for suffix in ("", "-r2")
    for x in ("Is", "Ip", "III", "V")
    for keys in ("", "-pkc", "-pkc-skc")
    if x + suffix != "Is-r2"
]


@pytest.fixture
def work(cli, made):
    """The shared keys beside a message of this test."""
    for path in made.iterdir():
        os.symlink(path, cli.directory / path.name)
    (cli.directory / "m").write_bytes(b"attack at dawn\n")
    return cli


@pytest.mark.parametrize("alg", MAYO_SETS + UOV_SETS)
def test_every_set(cli, alg):
    cli("keygen", "--alg", alg, "--out", "k")
    (cli.directory / "m").write_bytes(os.urandom(1000))
    cli("sign", "--key", "k.key", "m")
    assert cli("verify", "--key", "k.pub", "m", "--json").json["algorithm"] == alg
    cli("sign", "--key", "k.key", "--raw", "--out", "m.raw", "m")
    cli("verify", "--key", "k.pub", "--raw", "--sig", "m.raw", "m")
    (cli.directory / "m").write_bytes(os.urandom(1000))
    cli("verify", "--key", "k.pub", "m", status=INVALID)
    cli("verify", "--key", "k.pub", "--raw", "--sig", "m.raw", "m", status=INVALID)
    key = cli("inspect", "k.pub", "--json").json
    assert key["algorithm"] == alg and key["key"] == cli("inspect", "k.key", "--json").json["key"]


@pytest.mark.parametrize("size", [0, 1, 135, 136, 137, 262143, 262144, 262145, 1 << 20])
@pytest.mark.parametrize("raw", [False, True])
def test_sizes(work, size, raw):
    (work.directory / "m").write_bytes(os.urandom(size))
    mode = ["--raw"] if raw else []
    assert work("sign", "--key", "alice.key", *mode, "m", "--json").json["file_bytes"] == size
    assert work("verify", "--key", "alice.pub", *mode, "m", "--json").json["file_bytes"] == size
    with open(work.directory / "m", "ab") as file:
        file.write(b"\0")
    work("verify", "--key", "alice.pub", *mode, "m", status=INVALID)


def test_raw_is_the_bare_signature_of_the_library(work):
    """In both directions, and over exactly the bytes of the file."""
    seed = bytes(range(24))
    work("keygen", "--out", "k", "--seed", seed.hex())
    message = (work.directory / "m").read_bytes()
    work("sign", "--key", "k.key", "--raw", "--deterministic", "--out", "sig", "m")
    assert (work.directory / "sig").read_bytes() == reference("sign", "MAYO-1", seed.hex(), stdin=message).stdout

    public = public_key_bytes(work.directory / "k.pub", 1456).hex()
    work("sign", "--key", "k.key", "--raw", "--out", "sig", "m")
    hedged = (work.directory / "sig").read_bytes()
    assert len(hedged) == 464
    assert reference("verify", "MAYO-1", public, hedged.hex(), stdin=message).returncode == 0
    assert reference("verify", "MAYO-1", public, hedged.hex(), stdin=message + b"\n").returncode == 1


@pytest.mark.parametrize("alg", ["MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5", "MAYO-1-r2", "MAYO-2-r1", "MAYO-3-r1b"])
def test_raw_verifies_known_answers(cli, alg):
    record = cli("kat", "--alg", alg, "--count", "1", "--json").json[0]
    cli("keygen", "--alg", alg, "--seed", record["sk"], "--out", "k")
    assert public_key_bytes(cli.directory / "k.pub", len(record["pk"]) // 2).hex().upper() == record["pk"]
    message, signed = bytes.fromhex(record["msg"]), bytes.fromhex(record["sm"])
    (cli.directory / "m").write_bytes(message)
    (cli.directory / "sig").write_bytes(signed[: -len(message)])
    cli("verify", "--key", "k.pub", "--raw", "--sig", "sig", "m")


def test_deterministic_and_hedged(work):
    def sign(*options):
        work("sign", "--key", "alice.key", "--out", "s", *options, "m")
        return (work.directory / "s").read_bytes()

    assert sign("--deterministic") == sign("--deterministic")
    assert sign() != sign()
    assert sign("--raw", "--deterministic") == sign("--raw", "--deterministic")
    assert sign("--raw") != sign("--raw")


def test_pipes(work):
    message = os.urandom(100000)
    armoured = work("sign", "--key", "alice.key", "-", stdin=message).raw_out
    assert armoured.startswith(b"aioli signature v1\n")
    (work.directory / "s").write_bytes(armoured)
    work("verify", "--key", "alice.pub", "--sig", "s", "-", stdin=message)
    work("verify", "--key", "alice.pub", "--sig", "s", "-", stdin=message[:-1], status=INVALID)
    (work.directory / "m2").write_bytes(message)
    work("verify", "--key", "alice.pub", "--sig", "-", "m2", stdin=armoured)
    key = (work.directory / "alice.key").read_bytes()
    work("sign", "--key", "-", "--out", "t", "m2", stdin=key)
    public = (work.directory / "alice.pub").read_bytes()
    work("verify", "--key", "-", "--sig", "t", "m2", stdin=public)
    raw = work("sign", "--key", "alice.key", "--raw", "--out", "-", "m2").raw_out
    assert len(raw) == 464
    work("verify", "--key", "alice.pub", "--raw", "--sig", "-", "m2", stdin=raw)


def test_a_whole_shell_pipeline(work):
    script = """set -e
    head -c 300000 /dev/urandom | tee n | "$AIOLI_CLI" sign --key alice.key - | "$AIOLI_CLI" verify --key alice.pub --sig - n
    """
    subprocess.run(
        ["bash", "-c", "set -o pipefail;" + script], cwd=work.directory, check=True, env={**work.environment, "AIOLI_CLI": AIOLI}
    )


def test_process_substitution_as_key(work):
    subprocess.run(
        [
            "bash",
            "-c",
            f'"{AIOLI}" sign --key <(cat alice.key) --out /dev/stdout m | "{AIOLI}" verify --key <(cat alice.pub) --sig '
            '/dev/stdin m',
        ],
        cwd=work.directory,
        check=True,
        timeout=60,
    )


def test_standard_input_is_for_one_thing(work):
    assert "standard input" in work("verify", "--key", "-", "--sig", "-", "m", status=FAILURE).err
    assert "--sig" in work("verify", "--key", "alice.pub", "-", status=FAILURE).err
    work("sign", "--key", "-", "-", status=FAILURE)


def test_wrong_key_says_which_is_meant(work):
    work("sign", "--key", "alice.key", "m")
    alice, bob = (work("inspect", f"{name}.pub", "--json").json["key"] for name in ("alice", "bob"))
    error = work("verify", "--key", "bob.pub", "m", status=INVALID).err
    assert alice in error and bob in error
    outcome = work("verify", "--key", "bob.pub", "m", "--json", status=INVALID).json
    assert outcome["valid"] is False and outcome["key"] == bob and outcome["signature_key"] == alice
    assert "MAYO-2" in work("verify", "--key", "small.pub", "m", status=INVALID).err
    work("sign", "--key", "alice.key", "--raw", "m")
    work("verify", "--key", "bob.pub", "--raw", "m", status=INVALID)
    assert "464" in work("verify", "--key", "small.pub", "--raw", "m", status=INVALID).err


def test_same_seed_in_another_round_is_another_key(cli):
    """MAYO-3's key pairs have the same bytes in rounds 2 and 3; a signature of one must not pass for the other."""
    (cli.directory / "m").write_bytes(b"m")
    for alg in ("MAYO-3", "MAYO-3-r2"):
        cli("keygen", "--alg", alg, "--seed", "42" * 32, "--out", alg)
    assert public_key_bytes(cli.directory / "MAYO-3.pub", 2986) == public_key_bytes(cli.directory / "MAYO-3-r2.pub", 2986)
    cli("sign", "--key", "MAYO-3.key", "m")
    cli("verify", "--key", "MAYO-3.pub", "m")
    assert "MAYO-3-r2" in cli("verify", "--key", "MAYO-3-r2.pub", "m", status=INVALID).err


@pytest.mark.parametrize("change", [-1, 1, -464])
def test_raw_signature_of_another_length_is_invalid(work, change):
    work("sign", "--key", "alice.key", "--raw", "m")
    signature = (work.directory / "m.sig").read_bytes()
    (work.directory / "m.sig").write_bytes((signature + b"\0")[: 464 + change])
    assert "464" in work("verify", "--key", "alice.pub", "--raw", "m", status=INVALID).err


def test_every_region_of_a_raw_signature_counts(work):
    work("sign", "--key", "alice.key", "--raw", "m")
    signature = bytearray((work.directory / "m.sig").read_bytes())
    for position in (0, 1, 100, 439, 440, 463):
        changed = bytearray(signature)
        changed[position] ^= 0x10
        (work.directory / "changed").write_bytes(changed)
        work("verify", "--key", "alice.pub", "--raw", "--sig", "changed", "m", status=INVALID)


def test_raw_and_armoured_are_not_mixed_up(work):
    work("sign", "--key", "alice.key", "--out", "armoured", "m")
    work("sign", "--key", "alice.key", "--out", "raw", "--raw", "m")
    assert "--raw" in work("verify", "--key", "alice.pub", "--raw", "--sig", "armoured", "m", status=FAILURE).err
    assert "--raw" in work("verify", "--key", "alice.pub", "--sig", "raw", "m", status=FAILURE).err


def test_raw_takes_no_message_that_is_the_inside_of_a_signature_file(work):
    """Or a bare signature could be turned into a signature file, and the other way round."""
    (work.directory / "trap").write_bytes(PREFIX + b"aioli signature v1\n")
    assert "passed off" in work("sign", "--key", "alice.key", "--raw", "trap", status=FAILURE).err
    assert not (work.directory / "trap.sig").exists()
    (work.directory / "trap.sig").write_bytes(bytes(464))
    work("verify", "--key", "alice.pub", "--raw", "trap", status=FAILURE)
    work("sign", "--key", "alice.key", "trap")  # as a signature file there is no danger
    work("verify", "--key", "alice.pub", "trap")
    (work.directory / "near").write_bytes(PREFIX[:-1])
    work("sign", "--key", "alice.key", "--raw", "near")
    work("verify", "--key", "alice.pub", "--raw", "near")


def test_keys_of_the_wrong_kind(work):
    assert ".key" in work("sign", "--key", "alice.pub", "m", status=FAILURE).err
    work("sign", "--key", "alice.key", "m")
    assert ".pub" in work("verify", "--key", "alice.key", "m", status=FAILURE).err


def test_secret_key_that_others_can_read_gives_a_warning(cli):
    cli("keygen", "--out", "k")
    (cli.directory / "m").write_bytes(b"m")
    assert cli("sign", "--key", "k.key", "m").err == ""
    (cli.directory / "k.key").chmod(0o644)
    assert "chmod" in cli("sign", "--key", "k.key", "m").err


def test_json(work):
    signed = work("sign", "--key", "alice.key", "--comment", "c", "m", "--json").json
    key = fingerprint("MAYO-1", public_key_bytes(work.directory / "alice.pub", 1456))
    assert signed == {
        "algorithm": "MAYO-1",
        "key": key,
        "file": "m",
        "file_bytes": 15,
        "signature_file": "m.sig",
        "raw": False,
        "deterministic": False,
        "comment": "c",
    }
    verified = work("verify", "--key", "alice.pub", "m", "--json").json
    assert verified == {
        "valid": True,
        "algorithm": "MAYO-1",
        "key": key,
        "file": "m",
        "signature_file": "m.sig",
        "raw": False,
        "file_bytes": 15,
        "comment": "c",
    }
    (work.directory / "m").write_bytes(b"other")
    outcome = work("verify", "--key", "alice.pub", "m", "--json", status=INVALID).json
    assert outcome["valid"] is False and outcome["reason"] and "comment" not in outcome
    assert "error" in work("verify", "--key", "alice.pub", "absent", "--json", status=FAILURE).json
    assert "error" in work("verify", "--key", "alice.pub", "--json", status=FAILURE).json
    assert "error" in work("sign", "--key", "alice.key", "--out", "-", "m", "--json", status=FAILURE).json


def test_quiet(work):
    assert work("sign", "--key", "alice.key", "-q", "m").raw_out == b""
    assert work("verify", "--key", "alice.pub", "-q", "m").raw_out == b""


def test_the_message_and_the_key_are_never_overwritten(work):
    before = {name: (work.directory / name).read_bytes() for name in ("m", "alice.key")}
    work("sign", "--key", "alice.key", "--out", "m", "m", status=FAILURE)
    work("sign", "--key", "alice.key", "--out", "./m", "m", status=FAILURE)
    work("sign", "--key", "alice.key", "--out", "alice.key", "m", status=FAILURE)
    os.link(work.directory / "m", work.directory / "m2")
    work("sign", "--key", "alice.key", "--out", "m2", "m", status=FAILURE)
    assert before == {name: (work.directory / name).read_bytes() for name in before}


@pytest.mark.parametrize("backend", ["portable", None])
def test_backends_agree(work, backend):
    seed = "17" * 24
    digests = set()
    for environment in ({}, {"AIOLI_BACKEND": backend} if backend else {}):
        work("keygen", "--seed", seed, "--out", "k", "--force", environment=environment)
        work("sign", "--key", "k.key", "--raw", "--deterministic", "--out", "s", "m", environment=environment)
        digests.add(hashlib.sha256((work.directory / "s").read_bytes()).digest())
        work("verify", "--key", "k.pub", "--raw", "--sig", "s", "m", environment={"AIOLI_BACKEND": "portable"})
    assert len(digests) == 1
    assert "nonsense" in work("list", "--backends", environment={"AIOLI_BACKEND": "nonsense"}, status=FAILURE).err
    assert "AIOLI_BACKEND" in work("sign", "--key", "k.key", "m", environment={"AIOLI_BACKEND": "nonsense"}, status=FAILURE).err
