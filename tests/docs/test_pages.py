# SPDX-License-Identifier: Apache-2.0
"""README.md and docs/start: the commands do what they say, copies are equal, tables and the picture tell the truth."""

import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from blocks import blocks
from cryptography.hazmat.primitives.asymmetric import ed25519, mldsa

ROOT = Path(__file__).resolve().parents[2]
AIOLI = Path(os.environ["AIOLI_CLI"])
README = (ROOT / "README.md").read_text()


def load(path):
    """A script without a suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(path.name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.name, loader))
    sys.modules[path.name] = module  # where dataclasses look
    loader.exec_module(module)
    return module


# ---- commands --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page, says", [("README.md", "refused"), ("docs/start/shell.md", "exit status 1")])
def test_commands(page, says, tmp_path):
    (script,) = blocks(ROOT / page, "sh")
    path = f"{AIOLI.parent}:{os.environ['PATH']}"
    assert AIOLI.name == "aioli"
    done = subprocess.run(
        ["sh", "-e", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == says
    assert len(script.splitlines()) <= 12


def test_ten_lines():
    """The README's examples are short, and the one in Rust is what `make rust` runs."""
    example = (ROOT / "bindings/rust/aioli/examples/ten_lines.rs").read_text()
    program = "".join(line for line in example.splitlines(True) if not line.startswith("//"))
    assert blocks(ROOT / "README.md", "rust") == [program]
    assert blocks(ROOT / "docs/start/rust.md", "rust") == [program]
    for language, most in (("sh", 6), ("c", 16), ("python", 9), ("rust", 13)):
        (block,) = blocks(ROOT / "README.md", language)
        assert len(block.splitlines()) <= most, language


def helped(*words):
    done = subprocess.run([AIOLI, *words, "--help"], capture_output=True, text=True, check=True)
    return done.stdout


COMMON = {"help", "json", "quiet", "version", "oid", "allow-oid-of-another-set"}


def test_subcommands_and_options():
    """docs/cli.md has all subcommands and all options, and no others."""
    page = (ROOT / "docs/cli.md").read_text()
    commands = re.findall(r"^  (\w+) {2,}", helped().partition("Subcommands:")[2], re.M)
    assert len(commands) == 10 and re.findall(r"^\| \[(\w+)\]\(#", page, re.M) == commands_in_order(page, commands)
    synopses = re.findall(r"^    aioli (\w+) (.*(?:\n {17}.*)*)", page, re.M) + re.findall(r"^`aioli (\w+) ([^`]*)`", page, re.M)
    for command in commands:
        options = set(re.findall(r"--([a-z-]+)", helped(command).partition("Options:")[2].partition("Examples:")[0])) - COMMON
        shown = {option for name, text in synopses if name == command for option in re.findall(r"--([a-z-]+)", text)}
        assert shown <= options | COMMON, (command, shown - options)
        assert all(f"--{option}" in page for option in options), (command, options)


def commands_in_order(page, commands):
    """The commands of the program, in the order of the page's table."""
    return sorted(commands, key=lambda name: page.index(f"| [{name}]("))


# ---- the table of what works where -----------------------------------------------------------------------------------------

# The word of a cell is that of a suite of tools/run_tests with this label, in this plan: (plan, suite, label; None: any).
SUITES = {
    ("library", "Linux, x86-64"): ("test", "tests", None),
    ("library", "Linux, 64-bit ARM"): ("check", "aarch64", "kat"),
    ("library", "Windows, x86-64"): ("check", "windows", "kat"),
    ("library", "Cortex-M4, no system"): ("test", "tests", None),  # label m4, below
    ("batches", "Linux, x86-64"): ("test", "tests", None),
    ("batches", "Windows, x86-64"): ("check", "windows", "batch"),
    ("command line", "Linux, x86-64"): ("test", "tests", None),
    ("Python", "Linux, x86-64"): ("test", "python", None),
}
OTHERWISE = {  # by a target of make, or a part of the suite `tests`: the file that does it
    ("library", "Cortex-M4, no system"): "tests/m4/CMakeLists.txt",
    ("command line", "Linux, x86-64"): "tests/cli/CMakeLists.txt",
    ("Rust", "Linux, x86-64"): "tools/rust",
    ("OpenSSL", "Linux, x86-64"): "bindings/openssl/tests/CMakeLists.txt",
}


def works_where(text):
    """{(what, where): cell} of the README's table."""
    table = re.search("<!-- what works where -->\n(.*?)<!-- /what works where -->", text, re.S).group(1)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", row[0]) for row in rows[2:]]
    names = [re.match(r"(command line|\w+)", name).group(1) for name in plain]
    return {(name, rows[0][i]): row[i] for name, row in zip(names, rows[2:]) for i in range(1, len(rows[0]))}


def wrong_cells(text):
    plans = load(ROOT / "tools/run_tests").PLANS
    wrong = []
    for place, cell in works_where(text).items():
        tested = cell.startswith("tested")
        if tested != (place in SUITES or place in OTHERWISE):
            wrong.append((place, cell))
        if place in SUITES:
            plan, name, label = SUITES[place]
            found = [step for step in plans[plan] if step.name == name]
            if len(found) != 1 or (label and label not in found[0].labels):
                wrong.append((place, "no such suite"))
        if place in OTHERWISE and not (ROOT / OTHERWISE[place]).exists():
            wrong.append((place, "no such test"))
    return wrong


def test_works_where():
    assert len(works_where(README)) == 24
    assert wrong_cells(README) == []
    assert wrong_cells(README.replace("| tested | not tried | not tried | no |", "| tested | tested | not tried | no |"))


def test_versions():
    """docs/versions.md names each peer with the version that was tried, and a row for each kind of set."""
    page = (ROOT / "docs/versions.md").read_text()
    peers = json.loads((ROOT / "tests/interop/matrix.json").read_text())["peers"]
    for name, peer in peers.items():
        assert f"{name} {peer['version']}".split(" (")[0] in page, name
        rows = [row for row in page.splitlines() if row.startswith("| ") and f"{name} " in row]
        schemes = {s.split("-")[0] for s, cells in peer["sets"].items() if cells["ours"] is True}
        assert schemes == {row.split()[1] for row in rows}, name
    listed = json.loads(subprocess.run([AIOLI, "list", "--json"], capture_output=True, text=True, check=True).stdout)
    suffixes = {re.sub(r"^(MAYO|UOV)-[^-]+((-pkc)?(-skc)?)", r"\1", s["name"]) for s in listed}
    assert suffixes == {"MAYO", "UOV", "MAYO-r2", "MAYO-r1", "MAYO-r1b", "UOV-r2"}, suffixes


# ---- the picture -----------------------------------------------------------------------------------------------------------

RECORD = max((ROOT / "bench/results/beside").glob("*.json"))


def test_picture_is_drawn_of_the_record(tmp_path):
    subprocess.run([sys.executable, ROOT / "bench/beside", RECORD, tmp_path / "svg"], check=True)
    assert (tmp_path / "svg").read_text() == (ROOT / "docs/beside.svg").read_text()


def test_picture_refuses_what_it_cannot_draw(tmp_path):
    (tmp_path / "bad").write_text("{}")
    done = subprocess.run(
        [sys.executable, ROOT / "bench/beside", tmp_path / "bad", tmp_path / "svg"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "KeyError" in done.stderr and not (tmp_path / "svg").exists()


def test_published_sizes(monkeypatch):
    """Those of the picture, against an implementation."""
    monkeypatch.syspath_prepend(ROOT / "bench")
    beside = load(ROOT / "bench/beside")
    key = ed25519.Ed25519PrivateKey.generate()
    assert beside.PUBLISHED["Ed25519"] == (len(key.public_key().public_bytes_raw()), len(key.sign(b"m")))
    key = mldsa.MLDSA44PrivateKey.generate()
    assert beside.PUBLISHED["ML-DSA-44"] == (len(key.public_key().public_bytes_raw()), len(key.sign(b"m")))


def test_what_the_picture_is_said_to_show(monkeypatch):
    """Its alternative text: sizes below, and MAYO verifies faster than Ed25519."""
    monkeypatch.syspath_prepend(ROOT / "bench")
    beside = load(ROOT / "bench/beside")
    mayo, rival = sum(beside.sizes("MAYO-1")), sum(beside.sizes("ML-DSA-44"))
    assert 0.48 * rival < mayo < 0.52 * rival and "MAYO-1 take half the bytes of ML-DSA-44's" in README
    verify = dict(zip(beside.NAMES, beside.times(json.loads(RECORD.read_text()), "verify")))
    assert max(verify["MAYO-1"], verify["MAYO-2"]) < verify["Ed25519"] and "verifies faster than Ed25519" in README
    bars = {e.get("id") for e in ElementTree.parse(ROOT / "docs/beside.svg").iter() if e.get("id")}
    assert {f"verify {name}" for name in beside.NAMES} <= bars


# ---- the site --------------------------------------------------------------------------------------------------------------


def test_site_is_staged(tmp_path):
    """Without mkdocs: every link of a page leads to a page, and every name of our headers is in their pages."""
    site = load(ROOT / "tools/site")
    site.stage(tmp_path)
    pages = sorted(tmp_path.rglob("*.md"))
    assert len(pages) > 100
    for page in pages:
        text = re.sub(r"^````?.*?^````?$", "", page.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"`[^`]*`", "", text)):
            assert "://" in target or (page.parent / target).exists(), (page, target)
    nav = re.findall(r": (\S+\.md)$", (ROOT / "docs/site/mkdocs.yml").read_text(), re.M)
    assert len(nav) > 40 and all((tmp_path / name).exists() for name in nav)


PROTOTYPE = re.compile(r"^(?!typedef|#|/| )\w[^;{}()/]*?\b(\w+)\(", re.M)


def test_reference_is_whole():
    site = load(ROOT / "tools/site")
    for header in site.HEADERS:
        text = (ROOT / header).read_text()
        functions = PROTOTYPE.findall(text)
        macros = re.findall(r"^#define (AIOLI_(?!.*(?:API|CHECK|ENUM) )[A-Z0-9_]+) ", text, re.M)
        made = site.reference.page(header, text, {})
        missing = [name for name in functions + macros if f'<a id="{name}"></a>' not in made]
        assert not missing, (header, missing)
        assert functions or macros, header


def test_site_check_notices(tmp_path):
    """A link that leads nowhere, a place that is not on the page, a font from elsewhere."""
    site = load(ROOT / "tools/site")
    for i in range(12):
        (tmp_path / f"{i}.html").write_text('<p id="here"><a href="0.html#here">x</a>')
    clean = site.check(tmp_path)
    assert all("reference" in line for line in clean)  # there is none
    for planted in ('<a href="missing.html">', '<a href="1.html#there">', '<link href="https://fonts.example/f.css">', '<img src="//x/y">'):
        (tmp_path / "2.html").write_text(planted)
        assert len(site.check(tmp_path)) == len(clean) + 1, planted
