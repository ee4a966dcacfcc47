# SPDX-License-Identifier: Apache-2.0
"""Key files of UOV, which have up to 4 MB, and known answers, in which the message comes first."""

import os

import pytest

from conftest import FAILURE, INVALID

# The longest files of each kind, a secret key that is no seed beside a compact public key, and the shortest.
SETS = ["UOV-V", "UOV-III-pkc", "UOV-Ip-pkc-skc"]
HEADER = b"-----BEGIN PRIVATE KEY-----\n"


@pytest.mark.parametrize("options", [[], ["--der"]], ids=["pem", "der"])
@pytest.mark.parametrize("alg", SETS)
def test_key_files(cli, alg, options):
    cli("keygen", "--alg", alg, "--out", "k", *options)
    (cli.directory / "m").write_bytes(b"message")
    cli("sign", "--key", "k.key", "m")
    cli("verify", "--key", "k.pub", "m")
    seen = [cli("inspect", f"k.{kind}", "--json").json for kind in ("key", "pub")]
    assert [(s["algorithm"], s["kind"]) for s in seen] == [(alg, "secret key"), (alg, "public key")]
    assert seen[0]["key"] == seen[1]["key"]
    (cli.directory / "m").write_bytes(b"massage")
    cli("verify", "--key", "k.pub", "m", status=INVALID)


def test_key_on_standard_input_and_under_a_passphrase(cli):
    (cli.directory / "pass").write_text("correct horse\n")
    (cli.directory / "m").write_bytes(b"message")
    cli("keygen", "--alg", "UOV-V", "--out", "k", "--passphrase-file", "pass")
    cli("sign", "--key", "-", "--passphrase-file", "pass", "m", stdin=(cli.directory / "k.key").read_bytes())
    cli("verify", "--key", "-", "m", stdin=(cli.directory / "k.pub").read_bytes())


def test_what_is_longer_than_any_key_file_is_not_read_to_its_end(cli):
    (cli.directory / "m").write_bytes(b"message")
    huge = HEADER + b"A" * (30 << 20)
    assert "has more than" in cli("sign", "--key", "-", "m", status=FAILURE, stdin=huge).err
    for size in (1 << 14, (1 << 14) + 1, (1 << 15) + 1, (1 << 15) + 2, 1 << 20):  # where the reader's buffer is full
        assert "cannot use" in cli("sign", "--key", "-", "m", status=FAILURE, stdin=(HEADER + os.urandom(size))[:size]).err


@pytest.mark.parametrize("alg", ["UOV-Is", "UOV-Ip-pkc"])
def test_raw_verifies_known_answers(cli, alg):
    record = cli("kat", "--alg", alg, "--count", "1", "--json").json[0]
    cli("keygen", "--alg", alg, "--seed", record["sk"][:64], "--out", "k")
    message, signed = bytes.fromhex(record["msg"]), bytes.fromhex(record["sm"])
    assert signed.startswith(message)
    (cli.directory / "m").write_bytes(message)
    (cli.directory / "sig").write_bytes(signed[len(message) :])
    cli("verify", "--key", "k.pub", "--raw", "--sig", "sig", "m")
