# SPDX-License-Identifier: Apache-2.0
"""The signature file as docs/signature-file.md defines it, made and checked by hand."""

import base64

import pytest
from conftest import FAILURE, INVALID, PREFIX, fingerprint, public_key_bytes, reference

SEED = bytes(range(24))
MESSAGE = b"the content\nof a file\n"


@pytest.fixture
def work(cli):
    cli("keygen", "--alg", "MAYO-2", "--out", "k", "--seed", SEED.hex())
    (cli.directory / "m").write_bytes(MESSAGE)
    return cli


def public_key(work):
    return public_key_bytes(work.directory / "k.pub", 2928)


def header(work, comment=None):
    lines = ["aioli signature v1", "algorithm: MAYO-2", "key: " + fingerprint("MAYO-2", public_key(work))]
    if comment is not None:
        lines.append("comment: " + comment)
    return ("\n".join(lines) + "\n\n").encode()


def armour(head, signature):
    digits = base64.b64encode(signature)
    return head + b"".join(digits[i : i + 64] + b"\n" for i in range(0, len(digits), 64))


@pytest.mark.parametrize("comment", [None, "x", "release 1.2, " + "ü" * 100, "-----", " two  blanks "])
def test_independent_reader_and_writer(work, comment):
    """What aioli writes verifies by hand, and what is written by hand verifies with aioli."""
    options = [] if comment is None else ["--comment", comment]
    work("sign", "--key", "k.key", *options, "m")
    text = (work.directory / "m.sig").read_bytes()
    head = header(work, comment)
    assert text.startswith(head)
    signature = base64.b64decode(text[len(head) :])
    assert text == armour(head, signature) and len(signature) == 239
    key = public_key(work).hex()
    assert reference("verify", "MAYO-2", key, signature.hex(), stdin=PREFIX + head + MESSAGE).returncode == 0
    for other in (MESSAGE, head + MESSAGE, PREFIX + MESSAGE):
        assert reference("verify", "MAYO-2", key, signature.hex(), stdin=other).returncode == 1

    own = reference("sign", "MAYO-2", SEED.hex(), stdin=PREFIX + head + MESSAGE).stdout
    (work.directory / "own.sig").write_bytes(armour(head, own))
    shown = work("verify", "--key", "k.pub", "--sig", "own.sig", "m", "--json").json
    assert shown["valid"] and shown.get("comment") == comment
    work("sign", "--key", "k.key", "--deterministic", *options, "--out", "again.sig", "m")
    assert (work.directory / "again.sig").read_bytes() == armour(head, own)


def test_comment_is_shown_only_when_it_is_valid(work):
    work("sign", "--key", "k.key", "--comment", "approved by Alice", "m")
    assert "comment: approved by Alice" in work("verify", "--key", "k.pub", "m").out
    (work.directory / "m").write_bytes(b"other")
    outcome = work("verify", "--key", "k.pub", "m", status=INVALID)
    assert "approved" not in outcome.out + outcome.err


def test_comment_cannot_be_changed_removed_added_or_moved(work):
    def sign(name, content, *options):
        (work.directory / name).write_bytes(content)
        work("sign", "--key", "k.key", *options, name)
        return (work.directory / f"{name}.sig").read_bytes()

    def verify(text, status):
        (work.directory / "s").write_bytes(text)
        work("verify", "--key", "k.pub", "--sig", "s", "m", status=status)

    good = sign("m", MESSAGE, "--comment", "yes")
    plain = sign("n", MESSAGE)
    other = sign("o", b"another file", "--comment", "no")
    verify(good, 0)
    verify(good.replace(b"comment: yes", b"comment: no!"), INVALID)
    verify(good.replace(b"comment: yes\n", b""), INVALID)
    verify(plain, 0)
    verify(plain.replace(b"\n\n", b"\ncomment: yes\n\n"), INVALID)
    verify(other.replace(b"comment: no", b"comment: yes"), INVALID)
    verify(good[: good.index(b"\n\n")] + other[other.index(b"\n\n") :], INVALID)
    verify(other[: other.index(b"\n\n")] + good[good.index(b"\n\n") :], INVALID)


def test_a_comment_cannot_pass_for_content(work):
    """Moving the border between header and content gives another signed text, or none that the format allows."""
    work("sign", "--key", "k.key", "m")
    signature = base64.b64decode((work.directory / "m.sig").read_bytes()[len(header(work)) :])
    (work.directory / "moved").write_bytes(b"comment: x\n\n" + MESSAGE)
    (work.directory / "moved.sig").write_bytes(armour(header(work), signature))
    work("verify", "--key", "k.pub", "moved", status=INVALID)
    # The reverse: a file that starts like the end of a header.
    work("sign", "--key", "k.key", "moved")
    signature = base64.b64decode((work.directory / "moved.sig").read_bytes()[len(header(work)) :])
    (work.directory / "m.sig").write_bytes(armour(header(work, "x"), signature))
    work("verify", "--key", "k.pub", "m", status=INVALID)


def test_file_signature_is_no_raw_signature_of_the_file(work):
    work("sign", "--key", "k.key", "m")
    signature = base64.b64decode((work.directory / "m.sig").read_bytes()[len(header(work)) :])
    (work.directory / "raw").write_bytes(signature)
    work("verify", "--key", "k.pub", "--raw", "--sig", "raw", "m", status=INVALID)
    work("sign", "--key", "k.key", "--raw", "--out", "raw", "m")
    (work.directory / "m.sig").write_bytes(armour(header(work), (work.directory / "raw").read_bytes()))
    work("verify", "--key", "k.pub", "m", status=INVALID)
    # Not even for the message that the signature file really covers.
    (work.directory / "inside").write_bytes(PREFIX + header(work) + MESSAGE)
    (work.directory / "raw").write_bytes(signature)
    work("verify", "--key", "k.pub", "--raw", "--sig", "raw", "inside", status=FAILURE)


def test_no_changed_byte_is_accepted(work):
    work("sign", "--key", "k.key", "--comment", "c", "m")
    text = (work.directory / "m.sig").read_bytes()
    end_of_header = text.index(b"\n\n") + 2
    positions = [*range(0, end_of_header, 2), *range(end_of_header, len(text), 9), len(text) - 1]
    seen = set()
    for position in positions:
        changed = bytearray(text)
        changed[position] ^= 1 if position % 2 else 4
        (work.directory / "s").write_bytes(changed)
        for status in (INVALID, FAILURE):
            try:
                work("verify", "--key", "k.pub", "--sig", "s", "m", status=status)
                seen.add(status)
                break
            except AssertionError:
                if status == FAILURE:
                    raise
    assert seen == {INVALID, FAILURE}  # well-formed ones were judged, malformed ones refused


def on_line(number, change):
    """Applies `change` to one line, counted from 1: magic, algorithm, key, empty, then the signature."""

    def apply(text):
        lines = text.split(b"\n")
        lines[number - 1] = change(lines[number - 1])
        return b"\n".join(lines)

    return apply


def malformed():
    yield "empty", lambda t: b"", "not a signature file"
    yield "cut off in the header", lambda t: t[:40], "cut off"
    yield "cut off in the signature", lambda t: t[:-30], "line"
    yield "without its last newline", lambda t: t[:-1], "cut off"
    yield "with an empty line at its end", lambda t: t + b"\n", "after the signature"
    yield "twice", lambda t: t + t, "after the signature"
    yield "with zero bytes at its end", lambda t: t + bytes(10), "after the signature"
    yield "carriage returns", lambda t: t.replace(b"\n", b"\r\n"), "carriage return"
    yield "byte order mark", lambda t: b"\xef\xbb\xbf" + t, "not a signature file"
    yield "later version", lambda t: t.replace(b"v1", b"v2"), "version"
    yield "blank after magic", lambda t: t.replace(b"v1\n", b"v1 \n"), "version"
    yield "unknown algorithm", lambda t: t.replace(b"MAYO-2", b"MAYO-9"), "MAYO-9"
    yield "zero byte in the name", lambda t: t.replace(b"MAYO-2\n", b"MAYO-2\0\n"), "not the name"
    yield "another algorithm", lambda t: t.replace(b"MAYO-2\n", b"MAYO-1\n"), "line"
    yield "missing algorithm", lambda t: t.replace(b"algorithm: MAYO-2\n", b""), "algorithm"
    yield "capital fingerprint", on_line(3, lambda x: x[:12] + x[12:].upper()), "fingerprint"
    yield "short fingerprint", on_line(3, lambda x: x[:-2]), "fingerprint"
    yield "another hash", lambda t: t.replace(b"sha256", b"sha512"), "key: sha256"
    yield "two comments", lambda t: t.replace(b"\n\n", b"\ncomment: a\ncomment: b\n\n"), "empty line"
    yield "empty comment", lambda t: t.replace(b"\n\n", b"\ncomment: \n\n"), "comment"
    yield "control character", lambda t: t.replace(b"\n\n", b"\ncomment: \x1b[2J\n\n"), "printable"
    yield "not UTF-8", lambda t: t.replace(b"\n\n", b"\ncomment: \xff\n\n"), "printable"
    yield "bidirectional override", lambda t: t.replace(b"\n\n", "\ncomment: a\u202eb\n\n".encode()), "printable"
    yield "long comment", lambda t: t.replace(b"\n\n", b"\ncomment: " + b"x" * 1025 + b"\n\n"), "1024"
    yield "unknown field", lambda t: t.replace(b"\n\n", b"\nurl: x\n\n"), "empty line"
    yield "no empty line", lambda t: t.replace(b"\n\n", b"\n"), "empty line"
    yield "long line", on_line(5, lambda x: x + b"AAAA"), "characters"
    yield "short line", on_line(5, lambda x: x[4:]), "characters"
    yield "not base64", on_line(6, lambda x: x[:-1] + b"-"), "base64"
    yield "padding inside", on_line(5, lambda x: x[:-2] + b"=="), "base64"
    yield "unused bits set", lambda t: t[:-3] + bytes([t[-3] + 1]) + t[-2:], "base64"
    yield "huge", lambda t: t + b"\n" * 100000, "8192"


@pytest.mark.parametrize(("change", "said"), [pytest.param(c, s, id=name) for name, c, s in malformed()])
def test_malformed(work, change, said):
    work("sign", "--key", "k.key", "m")
    text = (work.directory / "m.sig").read_bytes()
    assert change(text) != text
    (work.directory / "m.sig").write_bytes(change(text))
    error = work("verify", "--key", "k.pub", "m", status=FAILURE)
    if text and "not a signature file" in said:
        assert "not a signature file" in error.err
    else:
        assert said in error.err, error
    assert error.raw_out == b""
    work("inspect", "m.sig", status=FAILURE)


@pytest.mark.parametrize("comment", ["", "a\nb", "tab\there", "\x7f", "x" * 1025, "\u2028", "\u200f", "\ufeff"])
def test_comments_that_cannot_be_signed(work, comment):
    assert "comment" in work("sign", "--key", "k.key", "--comment", comment, "m", status=FAILURE).err
    assert "m.sig" not in work.files()


def test_comment_of_the_largest_size(work):
    comment = "ü" * 512
    work("sign", "--key", "k.key", "--comment", comment, "m")
    assert work("verify", "--key", "k.pub", "m", "--json").json["comment"] == comment


def test_raw_has_no_comment(work):
    assert "comment" in work("sign", "--key", "k.key", "--raw", "--comment", "x", "m", status=FAILURE).err
