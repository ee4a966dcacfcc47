# SPDX-License-Identifier: Apache-2.0
"""Runs the command line that AIOLI_CLI names, each test in a directory of its own."""

import base64
import hashlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

AIOLI = os.environ.get("AIOLI_CLI")
REFERENCE = os.environ.get("AIOLI_CLI_REFERENCE")
VALID, INVALID, FAILURE = 0, 1, 2
PREFIX = b"\xffaioli-file-signature\n"  # docs/signature-file.md

if not AIOLI or not REFERENCE:
    sys.exit("AIOLI_CLI and AIOLI_CLI_REFERENCE must name the programs under test")


class Outcome:
    def __init__(self, status, out, err):
        self.status, self.raw_out, self.err = status, out, err.decode("utf-8", "replace")

    @property
    def out(self):
        return self.raw_out.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.raw_out)

    def __repr__(self):
        return f"<status {self.status}, stdout {self.raw_out[:400]!r}, stderr {self.err[:400]!r}>"


class Cli:
    """`cli("sign", ..., status=0)`: runs aioli in the test's directory and insists on its exit status."""

    def __init__(self, directory):
        self.directory = directory
        self.environment = {k: v for k, v in os.environ.items() if k != "AIOLI_BACKEND"}

    def __call__(self, *arguments, status=VALID, stdin=b"", environment=None, program=AIOLI, stderr_expected=True, **options):
        done = subprocess.run(
            [program, *map(str, arguments)],
            input=None if "stdin_file" in options else stdin,
            stdin=options.pop("stdin_file", None),
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            cwd=options.pop("cwd", self.directory),
            env=self.environment | (environment or {}),
            timeout=300,
            check=False,
            **options,
        )
        outcome = Outcome(done.returncode, done.stdout or b"", done.stderr)
        assert outcome.status == status, f"aioli {' '.join(map(str, arguments))}: expected {status}, got {outcome!r}"
        if status == VALID:
            assert "error" not in outcome.err.lower(), outcome
        elif stderr_expected:
            assert outcome.err, "an error must say something"
        return outcome

    def start(self, *arguments, **options):
        return subprocess.Popen([AIOLI, *map(str, arguments)], cwd=self.directory, env=self.environment, **options)

    def files(self):
        return sorted(p.name for p in self.directory.iterdir())


@pytest.fixture
def cli(tmp_path):
    return Cli(tmp_path)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Keys that many tests share, made once: alice, bob (MAYO-1), small (MAYO-2)."""
    directory = tmp_path_factory.mktemp("keys")
    run = Cli(directory)
    run("keygen", "--alg", "MAYO-1", "--out", "alice")
    run("keygen", "--alg", "MAYO-1", "--out", "bob")
    run("keygen", "--alg", "MAYO-2", "--out", "small")
    return directory


def pem_body(text):
    return base64.b64decode("".join(line for line in text.splitlines() if not line.startswith("-----")))


def public_key_bytes(path, alg_bytes):
    """The raw key at the end of a SubjectPublicKeyInfo in PEM."""
    return pem_body(Path(path).read_text())[-alg_bytes:]


def fingerprint(alg, public_key):
    return "sha256:" + hashlib.sha256(alg.encode() + b"\0" + public_key).hexdigest()


def reference(*arguments, stdin=b""):
    done = subprocess.run([REFERENCE, *arguments], input=stdin, capture_output=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done


class Terminal:
    """A process on a pseudo-terminal of its own."""

    def __init__(self, arguments, directory, environment=None):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(directory)
                os.execve(AIOLI, [AIOLI, *map(str, arguments)], {**os.environ, **(environment or {})})
            finally:
                os._exit(127)

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side is closed
            return False
        self.seen += data
        return bool(data)

    def wait_for(self, text, seconds=60):
        limit = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < limit, f"no {text!r} in {self.seen!r}"
            self.read(0.1)
        self.seen = self.seen[self.seen.index(text) + len(text) :]

    def type(self, text):
        os.write(self.fd, text)

    def echoes(self):
        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def finish(self):
        while self.read(60):
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.echoed_at_the_end = self.echoes()
        os.close(self.fd)
        return status


def interrupted(status):
    return status in (-signal.SIGINT, 128 + signal.SIGINT)
