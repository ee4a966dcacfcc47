# SPDX-License-Identifier: Apache-2.0
"""Memory, atomicity, signals: what stays on disk when something goes wrong."""

import fcntl
import os
import random
import resource
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path

import pytest
from conftest import AIOLI, FAILURE, INVALID, Cli, interrupted

MIB = 1 << 20


@pytest.fixture
def work(cli, made):
    for path in made.iterdir():
        os.symlink(path, cli.directory / path.name)
    (cli.directory / "m").write_bytes(b"message")
    return cli


def peak_kib(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise AssertionError("no VmHWM")


def drained(pipe, process):
    """Waits until the process has taken all that was written, and asks for more."""
    limit = time.monotonic() + 120
    while struct.unpack("i", fcntl.ioctl(pipe.fileno(), termios.FIONREAD, b"\0" * 4))[0] > 0:
        assert time.monotonic() < limit and process.poll() is None
        time.sleep(0.01)
    time.sleep(0.1)


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("command", ["sign", "verify"])
def test_memory_does_not_grow_with_the_file(work, command, raw):
    mode = ["--raw"] if raw else []
    block = random.Random(1).randbytes(MIB)
    if command == "verify":
        with open(work.directory / "big", "wb") as file:
            for _ in range(64):
                file.write(block)
        work("sign", "--key", "alice.key", *mode, "--out", "s", "big")
        arguments = ["verify", "--key", "alice.pub", *mode, "--sig", "s", "-"]
    else:
        arguments = ["sign", "--key", "alice.key", *mode, "--out", "s", "-"]
    process = work.start(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(block)
    process.stdin.flush()
    drained(process.stdin, process)
    small = peak_kib(process.pid)
    for _ in range(62):
        process.stdin.write(block)
    process.stdin.write(block[:-1])
    process.stdin.flush()
    drained(process.stdin, process)
    large = peak_kib(process.pid)
    process.stdin.write(block[-1:])
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert large - small < 2048, f"{small} KiB after 1 MiB, {large} KiB after 64 MiB"


def test_sparse_file_larger_than_the_address_space_allowed(work):
    """128 MiB of zeros with 96 MiB of address space: nothing maps or loads the file."""
    if b"__asan_init" in Path(AIOLI).read_bytes():
        limit = resource.RLIM_INFINITY  # the sanitizer reserves terabytes; the test above measures it all the same
    else:
        limit = 96 * MIB
    with open(work.directory / "sparse", "wb") as file:
        file.truncate(128 * MIB)

    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    work("sign", "--key", "small.key", "sparse", preexec_fn=restrict)
    work("verify", "--key", "small.pub", "sparse", preexec_fn=restrict)
    with open(work.directory / "sparse", "r+b") as file:
        file.seek(127 * MIB)
        file.write(b"\1")
    work("verify", "--key", "small.pub", "sparse", preexec_fn=restrict, status=INVALID)


def test_signature_is_replaced_in_one_step(work):
    (work.directory / "m.sig").write_bytes(b"old")
    os.link(work.directory / "m.sig", work.directory / "old")
    work("sign", "--key", "alice.key", "m")
    assert (work.directory / "old").read_bytes() == b"old"  # the old file was not written into
    assert (work.directory / "m.sig").read_bytes().startswith(b"aioli signature")
    assert not [name for name in work.files() if name.startswith(".")]


@pytest.mark.parametrize("what", ["file", "device", "nothing", "directory", "pipe"])
def test_a_planted_link_is_replaced_and_not_followed(work, what):
    """Whoever may write to the directory must not choose which file, device or pipe is written to."""
    target = {"file": "target", "device": "/dev/null", "nothing": "nowhere", "directory": "d", "pipe": "p"}[what]
    (work.directory / "target").write_bytes(b"precious")
    (work.directory / "target").chmod(0o600)
    (work.directory / "d").mkdir()
    os.mkfifo(work.directory / "p")
    (work.directory / "m.sig").symlink_to(target)
    work("sign", "--key", "alice.key", "m")
    assert not (work.directory / "m.sig").is_symlink()
    assert (work.directory / "m.sig").read_bytes().startswith(b"aioli signature")
    assert (work.directory / "target").read_bytes() == b"precious"
    assert stat.S_IMODE((work.directory / "target").stat().st_mode) == 0o600
    assert not (work.directory / "nowhere").exists() and not list((work.directory / "d").iterdir())
    work("verify", "--key", "alice.pub", "m")


def test_signature_mode_follows_the_umask(work):
    work("sign", "--key", "alice.key", "m", preexec_fn=lambda: os.umask(0o027))
    assert stat.S_IMODE((work.directory / "m.sig").stat().st_mode) == 0o640


def limit_file_size(size):
    def apply():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return apply


@pytest.mark.parametrize("size", [0, 10, 500])
def test_keygen_without_room_leaves_nothing(work, size):
    """500 bytes hold the secret key but not the public one."""
    before = work.files()
    assert "cannot write" in work("keygen", "--out", "k", status=FAILURE, preexec_fn=limit_file_size(size)).err
    assert work.files() == before


@pytest.mark.parametrize("size", [0, 10, 500])
def test_keygen_without_room_keeps_the_old_pair(work, size):
    work("keygen", "--out", "k")
    before = {name: (work.directory / name).read_bytes() for name in work.files()}
    work("keygen", "--out", "k", "--force", status=FAILURE, preexec_fn=limit_file_size(size))
    assert before == {name: (work.directory / name).read_bytes() for name in work.files()}


def test_sign_without_room_keeps_the_old_signature(work):
    work("sign", "--key", "alice.key", "m")
    before = {name: (work.directory / name).read_bytes() for name in work.files()}
    (work.directory / "m").write_bytes(b"new message")
    before["m"] = b"new message"
    work("sign", "--key", "alice.key", "m", status=FAILURE, preexec_fn=limit_file_size(100))
    assert before == {name: (work.directory / name).read_bytes() for name in work.files()}


def test_full_device(work):
    assert "/dev/full" in work("sign", "--key", "alice.key", "--out", "/dev/full", "m", status=FAILURE).err
    assert Path("/dev/full").is_char_device()
    with open("/dev/full", "wb") as full:
        for arguments in (
            ["sign", "--key", "alice.key", "--out", "-", "m"],
            ["keygen", "--out", "k"],
            ["list"],
            ["list", "--json"],
            ["inspect", "alice.pub"],
            ["kat", "--count", "1"],
            ["bench", "--alg", "MAYO-1", "--runs", "1"],
            ["selftest", "--alg", "MAYO-1"],
            ["--help"],
            ["--version"],
        ):
            error = work(*arguments, status=FAILURE, stdout=full).err
            assert "standard output" in error, arguments


def test_closed_standard_output(work):
    for arguments in (["list"], ["sign", "--key", "alice.key", "--out", "-", "m"]):
        work(*arguments, status=FAILURE, stdout=None, preexec_fn=lambda: os.close(1))


def test_devices_are_written_to_and_not_replaced(work):
    out = work("sign", "--key", "alice.key", "--raw", "--out", "/dev/stdout", "m").raw_out
    assert len(out) == 464
    with open(work.directory / "redirected", "wb") as file:
        work("sign", "--key", "alice.key", "--raw", "--out", "/dev/stdout", "m", stdout=file)
    assert (work.directory / "redirected").stat().st_size == 464
    work("sign", "--key", "alice.key", "--out", "/dev/null", "m")
    assert Path("/dev/null").is_char_device()


def test_named_pipe(work):
    os.mkfifo(work.directory / "pipe")
    reader = subprocess.Popen(["cat", work.directory / "pipe"], stdout=subprocess.PIPE)
    work("sign", "--key", "alice.key", "--out", "pipe", "m")
    assert reader.communicate(timeout=60)[0].startswith(b"aioli signature")
    assert stat.S_ISFIFO((work.directory / "pipe").stat().st_mode)


def test_read_only_directory():
    """As an ordinary user: root may write anywhere."""
    place = Path(tempfile.mkdtemp())
    identity = {}
    try:
        program = place / "aioli"
        shutil.copy(AIOLI, program)
        directory = place / "directory"
        directory.mkdir()
        run = Cli(directory)
        run("keygen", "--out", "k")
        (directory / "m").write_bytes(b"m")
        if os.geteuid() == 0:
            identity = {"user": 65534, "group": 65534, "extra_groups": []}
            for path in (directory, directory / "k.key", directory / "k.pub", directory / "m"):
                os.chown(path, 65534, 65534)
            place.chmod(0o755)
        directory.chmod(0o555)
        before = run.files()
        for arguments in (["keygen", "--out", "n"], ["keygen", "--out", "k", "--force"], ["sign", "--key", "k.key", "m"]):
            assert "Permission denied" in run(*arguments, status=FAILURE, program=program, **identity).err
        assert run.files() == before
        directory.chmod(0o755)
        run("sign", "--key", "k.key", "m", program=program, **identity)
        run("verify", "--key", "k.pub", "m", program=program, **identity)
        if identity:
            (directory / "k.key").chmod(0)
            os.chown(directory / "k.key", 0, 0)
            assert "Permission denied" in run("sign", "--key", "k.key", "m", status=FAILURE, program=program, **identity).err
    finally:
        shutil.rmtree(place)


def test_missing_places(work):
    before = work.files()
    assert "No such file" in work("keygen", "--out", "no/such/k", status=FAILURE).err
    assert "No such file" in work("sign", "--key", "alice.key", "--out", "no/such/s", "m", status=FAILURE).err
    for absent in (["sign", "--key", "absent", "m"], ["sign", "--key", "alice.key", "absent"], ["inspect", "absent"]):
        assert "absent" in work(*absent, status=FAILURE).err
    assert "m.sig" in work("verify", "--key", "alice.pub", "m", status=FAILURE).err
    for directory in (["sign", "--key", ".", "m"], ["sign", "--key", "alice.key", "."], ["inspect", "."]):
        assert "directory" in work(*directory, status=FAILURE).err
    (work.directory / "d.sig").mkdir()
    (work.directory / "d").write_bytes(b"d")
    assert "directory" in work("sign", "--key", "alice.key", "d", status=FAILURE).err
    (work.directory / "d.sig").rmdir()
    (work.directory / "d").unlink()
    assert work.files() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_while_reading_leaves_nothing(work, number):
    before = work.files()
    process = work.start("sign", "--key", "alice.key", "--out", "s", "-", stdin=subprocess.PIPE)
    process.stdin.write(b"x" * MIB)
    process.stdin.flush()
    drained(process.stdin, process)
    process.send_signal(number)
    assert process.wait(60) == -number
    process.stdin.close()
    assert work.files() == before


def test_interrupt_at_any_moment_leaves_both_files_or_none(cli):
    """Also in the middle of writing: signals wait while a temporary file exists."""
    rng = random.Random(7)
    begin = time.monotonic()
    cli("keygen", "--out", "timing")
    duration = time.monotonic() - begin
    outcomes = set()
    for i in range(60):
        process = cli.start("keygen", "--out", f"k{i}", "--quiet")
        time.sleep(rng.random() * duration * 1.2)
        process.send_signal(signal.SIGINT)
        status = process.wait(60)
        names = {name for name in cli.files() if name.startswith((f"k{i}.", "."))}
        assert names in (set(), {f"k{i}.key", f"k{i}.pub"}), names
        assert interrupted(status) or (status == 0 and names)
        outcomes.add(bool(names))
        if names:
            secret, public = (cli("inspect", f"k{i}.{kind}", "--json").json["key"] for kind in ("key", "pub"))
            assert secret == public
    assert outcomes, "nothing ran"


def test_names_with_control_characters_are_shown_harmlessly(work):
    name = "evil\x1b[2J\nname"
    (work.directory / name).write_bytes(b"m")
    out = work("sign", "--key", "alice.key", name).out
    assert "\x1b" not in out and "evil?[2J?name" in out
    work("verify", "--key", "alice.pub", name)
    assert "\x1b" not in work("inspect", name, status=FAILURE).err
    not_utf8 = os.fsencode(work.directory) + b"/\xff\xfe"
    with open(not_utf8, "wb") as file:
        file.write(b"m")
    done = subprocess.run(
        [AIOLI, "sign", "--json", "--key", work.directory / "alice.key", not_utf8], capture_output=True, check=True
    )
    assert b'"file_bytes": 1' in done.stdout


def test_no_core_file_and_no_debugger_while_secrets_are_there(work):
    process = work.start("sign", "--key", "alice.key", "--out", "s", "-", stdin=subprocess.PIPE)
    process.stdin.write(b"x")
    process.stdin.flush()
    drained(process.stdin, process)
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    line = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert line.split()[4:6] == ["0", "0"]
    process.kill()
    process.wait()
