# SPDX-License-Identifier: Apache-2.0
"""Several files in one call, and lists of files that are signed once."""

import hashlib
import os
import subprocess

import pytest
from conftest import FAILURE, INVALID


@pytest.fixture
def work(cli):
    cli("keygen", "--out", "k")
    (cli.directory / "dist" / "sub").mkdir(parents=True)
    for name, content in (("a", b"a"), ("b ü", b"b"), ("sub/c", b"c")):
        (cli.directory / "dist" / name).write_bytes(content)
    return cli


def test_several_files(work):
    files = ["dist/a", "dist/b ü", "dist/sub/c"]
    done = work("sign", "-k", "k.key", "-j", *files).json
    assert [one["file"] for one in done] == files
    assert all(one["valid"] for one in work("verify", "-k", "k.pub", "--json", *files).json)
    (work.directory / "dist" / "b ü").write_bytes(b"B")
    outcome = work("verify", "-k", "k.pub", "--json", *files, status=INVALID)
    assert [one["valid"] for one in outcome.json] == [True, False, True]
    (work.directory / "dist" / "a.sig").unlink()
    outcome = work("verify", "-k", "k.pub", "--json", *files, status=FAILURE)
    assert "error" in outcome.json[0] and not outcome.json[1]["valid"] and outcome.json[2]["valid"]


def test_a_list_is_what_sha256sum_checks(work):
    work("sign", "-k", "k.key", "-m", "SHA256SUMS", "dist")
    text = (work.directory / "SHA256SUMS").read_text()
    assert text == "".join(
        f"{hashlib.sha256(content).hexdigest()}  dist/{name}\n" for name, content in (("a", b"a"), ("b ü", b"b"), ("sub/c", b"c"))
    )
    assert (
        subprocess.run(
            ["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=work.directory, capture_output=True, check=False
        ).returncode
        == 0
    )
    assert "3 of 3" in work("verify", "-k", "k.pub", "-m", "SHA256SUMS").out
    # From elsewhere: names are relative to the list.
    (work.directory / "elsewhere").mkdir()
    work("verify", "-k", "../k.pub", "-m", "../SHA256SUMS", cwd=work.directory / "elsewhere")
    # Made again, the list does not list itself.
    work("sign", "-k", "k.key", "-m", "dist/LIST", "dist")
    work("sign", "-k", "k.key", "-m", "dist/LIST", "dist")
    assert [line[66:] for line in (work.directory / "dist" / "LIST").read_text().splitlines()] == ["a", "b ü", "sub/c"]


def test_a_list_of_sha256sum_can_be_signed_by_hand(work):
    with open(work.directory / "SUMS", "wb") as file:
        subprocess.run(["sha256sum", "dist/a", "dist/sub/c"], cwd=work.directory, stdout=file, check=True)
    work("sign", "-k", "k.key", "SUMS")
    assert "2 of 2" in work("verify", "-k", "k.pub", "-m", "SUMS").out


def test_what_is_changed_or_missing_is_named(work):
    work("sign", "-k", "k.key", "-m", "L", "dist")
    (work.directory / "dist" / "a").write_bytes(b"other")
    (work.directory / "dist" / "sub" / "c").unlink()
    outcome = work("verify", "-k", "k.pub", "-m", "L", status=INVALID)
    assert "dist/a: it is not the file" in outcome.err and "dist/sub/c: it is missing" in outcome.err and "1 of 3" in outcome.out
    report = work("verify", "-k", "k.pub", "-m", "-j", "L", status=INVALID).json
    assert report["valid"] and not report["files_valid"] and [f["valid"] for f in report["files"]] == [False, True, False]


def test_a_list_with_a_wrong_signature_is_not_gone_through(work):
    work("sign", "-k", "k.key", "-m", "L", "dist")
    with open(work.directory / "L", "a") as file:
        file.write("0" * 64 + "  dist/a\n")
    outcome = work("verify", "-k", "k.pub", "-m", "L", status=INVALID)
    assert "changed after signing" in outcome.err and "listed" not in outcome.out


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "0" * 64 + "  ",
        "0" * 64 + "  /etc/passwd",
        "0" * 64 + "  ../x",
        "0" * 64 + "  d/../../x",
        "0" * 64 + " x",
        "g" * 64 + "  x",
        "",
    ],
)
def test_lists_that_lead_elsewhere(work, line):
    (work.directory / "L").write_text(line + "\n" if line else "")
    work("sign", "-k", "k.key", "L")
    assert "list" in work("verify", "-k", "k.pub", "-m", "L", status=FAILURE).err


def test_what_a_list_does_not_take(work):
    (work.directory / "dist" / "link").symlink_to("a")
    assert "symbolic link" in work("sign", "-k", "k.key", "-m", "L", "dist", status=FAILURE).err
    (work.directory / "dist" / "link").unlink()
    assert "leads out" in work("sign", "-k", "k.key", "-m", "dist/sub/L", "dist/a", status=FAILURE).err
    os.rename(work.directory / "dist" / "a", work.directory / "dist" / "a\nb")
    assert "line end" in work("sign", "-k", "k.key", "-m", "L", "dist", status=FAILURE).err
    assert "absent" in work("sign", "-k", "k.key", "-m", "L", "absent", status=FAILURE).err
    assert "secret key" in work("sign", "-k", "k.key", "-m", "k.key", "dist", status=FAILURE).err
    assert "L" not in work.files()
