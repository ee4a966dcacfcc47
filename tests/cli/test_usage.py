# SPDX-License-Identifier: Apache-2.0
import json
import subprocess

import pytest
from conftest import FAILURE, Terminal

COMMANDS = ["keygen", "sign", "verify", "pubkey", "passphrase", "inspect", "list", "selftest", "bench", "kat"]

WRONG = [
    ["--json"],
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
    ["sign", "--key", "k", "--out", "o", "m", "n"],
    ["verify", "--key", "k", "--sig", "s", "m", "n"],
    ["pubkey"],
    ["passphrase"],
    ["sign", "--key", "", "m"],
    ["verify", "m"],
    ["verify", "--key", "k"],
    ["inspect"],
    ["list", "extra"],
    ["selftest", "--alg", "mayo"],
    ["selftest", "--alg", "MAYO-1", "MAYO-2"],
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
    assert outcome.raw_out == b"" or arguments == ["--json"]
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


@pytest.mark.parametrize(
    "word,meant", [("sing", "sign"), ("verfy", "verify"), ("keygem", "keygen"), ("pub", "pubkey"), ("insepct", "inspect")]
)
def test_did_you_mean(cli, word, meant):
    assert f"did you mean {meant}?" in cli(word, "x", status=FAILURE).err


def test_help_without_arguments_and_by_name(cli):
    assert cli().out == cli("help").out == cli("--help").out
    for command in COMMANDS:
        assert cli("help", command).out == cli(command, "-h").out


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_fits_a_terminal_and_has_an_example(cli, command):
    text = cli(*([command] if command else []), "--help").out
    assert max(map(len, text.splitlines())) <= 80
    assert command is None or f"\n  aioli {command} " in text or command == "list"


def test_json_and_quiet_stand_anywhere(cli):
    assert cli("--json", "list").json == cli("list", "--json").json == cli("list", "-j").json
    seed = "11" * 24
    assert "one parameter set only" in cli("keygen", "--out", "a", "--seed", seed).err
    for arguments in (["-q", "keygen"], ["keygen", "-q"], ["keygen", "--quiet"]):
        outcome = cli(*arguments, "-f", "-o", "a", "--seed", seed)
        assert outcome.out == outcome.err == ""


def test_colours_are_for_terminals(cli):
    cli("keygen", "--out", "k")
    (cli.directory / "m").write_bytes(b"m")
    cli("sign", "--key", "k.key", "m")
    verify = ["verify", "-k", "k.pub", "m"]
    assert "\x1b" not in cli(*verify).out
    for environment, coloured in (
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb", "NO_COLOR": ""}, False),
    ):
        terminal = Terminal(verify, cli.directory, environment)
        assert terminal.finish() == 0
        assert (b"\x1b[32m" in terminal.seen) == coloured, terminal.seen


def test_a_wrong_backend_is_named_everywhere(cli):
    """By every command, those that need no backend too."""
    cli("keygen", "--out", "k")
    (cli.directory / "m").write_bytes(b"m")
    (cli.directory / "pass").write_text("open sesame\n")
    cli("sign", "--key", "k.key", "m")
    before = {name: (cli.directory / name).read_bytes() for name in cli.files()}
    calls = [["sign", "-k", "k.key", "-o", "s", "m"], ["verify", "-k", "k.pub", "m"], ["keygen", "-o", "n"], ["pubkey", "k.key"],
             ["passphrase", "k.key", "--new-passphrase-file", "pass"], ["inspect", "k.key"], ["inspect", "k.pub"],
             ["inspect", "m.sig"], ["kat", "-n", "1"], ["bench", "-n", "1"], ["bench", "-n", "1", "--backend", "portable"],
             ["list"], ["list", "-b"], ["list", "--json"], ["selftest"], ["manual", "out"]]  # fmt: skip
    assert {call[0] for call in calls} >= set(COMMANDS)
    for arguments in calls:
        error = cli(*arguments, environment={"AIOLI_BACKEND": "avx1024"}, status=FAILURE).err
        assert "AIOLI_BACKEND" in error and "avx1024" in error and "portable" in error, (arguments, error)
    assert before == {name: (cli.directory / name).read_bytes() for name in cli.files()}
    assert cli("list", environment={"AIOLI_BACKEND": ""}).out == cli("list").out


def test_an_identifier_of_another_set_is_refused(cli):
    cli("keygen", "--out", "k")
    (cli.directory / "m").write_bytes(b"m")
    oid = cli("inspect", "k.key", "--json").json["oid"]
    error = cli("sign", "-k", "k.key", "--oid", f"MAYO-2={oid}", "m", status=FAILURE).err
    assert "MAYO-1" in error and "--allow-oid-of-another-set" in error
    cli("sign", "-k", "k.key", "--oid", f"MAYO-2={oid}", "--allow-oid-of-another-set", "m")
    cli("sign", "-k", "k.key", "--oid", f"MAYO-1={oid}", "m")
    cli("sign", "-k", "k.key", "--oid", f"MAYO-1={oid}", "m", "-o", "s")  # what stands after an option that repeats is a file
    assert "another set" in cli("sign", "-k", "k.key", "--deterministic", "m").err


def test_pubkey(cli):
    for form in ([], ["--der"]):
        cli("keygen", "-f", "-o", "k", *form)
        public = (cli.directory / "k.pub").read_bytes()
        assert cli("pubkey", *form, "k.key").raw_out == public
        cli("pubkey", *form, "-o", "again", "k.key")
        assert (cli.directory / "again").read_bytes() == public
    assert "public key" in cli("pubkey", "k.pub", status=FAILURE).err
    assert "itself" in cli("pubkey", "-o", "k.key", "k.key", status=FAILURE).err


def test_manual_and_completions(cli):
    cli("manual", "out")
    pages = cli.directory / "out"
    assert {p.name for p in pages.iterdir()} == {
        "aioli.1",
        "aioli.bash",
        "_aioli",
        "aioli.fish",
        *(f"aioli-{c}.1" for c in COMMANDS),
    }
    assert "manual" not in cli("--help").out
    bash = pages / "aioli.bash"
    for typed, expected in (
        (["aioli", "ver"], ["verify"]),
        (["aioli", "sign", "--man"], ["--manifest"]),
        (["aioli", "keygen", "-a", "MAYO-5"], None),
        (["aioli", "bench", "--backend", "portab"], ["portable"]),
    ):
        script = f". {bash}; COMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(typed) - 1}; _aioli; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.split() == expected if expected else "MAYO-5" in done.stdout.split()
    for command in COMMANDS:
        page = (pages / f"aioli-{command}.1").read_text()
        assert page.startswith(f".TH AIOLI-{command.upper()} 1") and "EXIT STATUS" in page and "\\-\\-json" in page
        assert f" {command} " in (pages / "aioli.fish").read_text() and f"        {command}) " in (pages / "_aioli").read_text()
