# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from conftest import FAILURE

COMMANDS = ["keygen", "sign", "verify", "inspect", "list", "selftest", "bench", "kat"]

WRONG = [
    [],
    ["frobnicate"],
    ["--frobnicate"],
    ["keygen"],
    ["keygen", "--out", "k", "--alg", "MAYO-4"],
    ["keygen", "--out", "k", "--alg", ""],
    ["keygen", "--out", "k", "extra"],
    ["keygen", "--out", "k", "--out", "l"],
    ["keygen", "--out"],
    ["keygen", "--out", ""],
    ["keygen", "--out", "-"],
    ["keygen", "--out", "directory/"],
    ["keygen", "--out", "k", "--oid", "MAYO-1"],
    ["keygen", "--out", "k", "--oid", "MAYO-1="],
    ["keygen", "--out", "k", "--oid", "MAYO-1=1"],
    ["keygen", "--out", "k", "--oid", "MAYO-1=1..2"],
    ["keygen", "--out", "k", "--oid", "MAYO-1=1.02"],
    ["keygen", "--out", "k", "--oid", "MAYO-1=1.2.x"],
    ["keygen", "--out", "k", "--oid", "NAME=1.2.3"],
    ["sign"],
    ["sign", "m"],
    ["sign", "--key", "k"],
    ["sign", "--key", "k", "m", "n"],
    ["sign", "--key", "", "m"],
    ["verify", "m"],
    ["verify", "--key", "k"],
    ["inspect"],
    ["list", "extra"],
    ["selftest", "--alg", "mayo"],
    ["bench", "--runs", "0"],
    ["bench", "--runs", "-1"],
    ["bench", "--runs", "x"],
    ["bench", "--runs", "2", "--seconds", "1"],
    ["bench", "--seconds", "-1"],
    ["bench", "--alg", "MAYO"],
    ["kat", "--alg", "MAYO-1-r4"],
    ["kat", "--count", "0"],
    ["kat", "--count", "-1"],
    ["kat", "--count", "many"],
    ["kat", "--count", "99999999999999999999999"],
]


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_usage(cli, arguments):
    (cli.directory / "m").write_bytes(b"m")
    outcome = cli(*arguments, status=FAILURE)
    assert outcome.err.startswith("aioli") and outcome.err.count("\n") == 1, outcome
    assert "terminate" not in outcome.err and "what()" not in outcome.err
    assert outcome.raw_out == b""
    assert cli.files() == ["m"]
    if arguments[:1] and arguments[0] in COMMANDS:
        assert outcome.err.startswith(f"aioli {arguments[0]}: ")
        reported = cli(arguments[0], "--json", *arguments[1:], status=FAILURE)
        assert list(json.loads(reported.out)) == ["error"], reported


@pytest.mark.parametrize("command", COMMANDS)
def test_help(cli, command):
    out = cli(command, "--help").out
    assert "Usage: aioli " + command in out and "--json" in out and "Exit status" in out
    assert command in cli("--help").out


def test_version(cli):
    assert cli("--version").out.startswith("aioli 0.")


@pytest.mark.parametrize(("name", "meant"), [("mayo-1", "MAYO-1"), ("MAYO_2", "MAYO-2"), ("mayo3r2", "MAYO-3-r2")])
def test_misspelt_algorithm(cli, name, meant):
    assert f"did you mean {meant}?" in cli("kat", "--alg", name, status=FAILURE).err


def test_file_names_that_look_like_options(cli):
    (cli.directory / "--raw").write_bytes(b"m")
    cli("keygen", "--out=-k")
    cli("sign", "--key=-k.key", "--", "--raw")
    cli("verify", "--key=-k.pub", "--", "--raw")
    assert cli.files() == ["--raw", "--raw.sig", "-k.key", "-k.pub"]
