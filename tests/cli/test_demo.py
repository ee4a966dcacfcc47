# SPDX-License-Identifier: Apache-2.0
"""The demonstration says that all is well exactly if it is."""

import subprocess
from pathlib import Path

import pytest
from conftest import AIOLI

DEMO = Path(__file__).parents[2] / "cli" / "demo.sh"


def demo(program):
    return subprocess.run(["sh", DEMO, program], capture_output=True, text=True, timeout=300, check=False)


def test_all_is_well(cli):
    done = demo(AIOLI)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Everything was as it should be." in done.stdout and "!!" not in done.stdout
    assert done.stdout.count("INVALID") == 4


@pytest.mark.parametrize(
    "broken",
    [
        'case $1 in verify) exit 0 ;; esac; exec "$REAL" "$@"',  # accepts everything
        'case $1 in verify) exit 1 ;; esac; exec "$REAL" "$@"',  # accepts nothing
        'case $1 in selftest) exit 1 ;; esac; exec "$REAL" "$@"',
        'case $1 in keygen) "$REAL" "$@"; status=$?; chmod 644 *.key; exit $status ;; esac; exec "$REAL" "$@"',
    ],
)
def test_a_broken_program_is_noticed(cli, broken):
    wrapper = cli.directory / "aioli"
    wrapper.write_text(f"#!/bin/sh\nREAL='{AIOLI}'\n{broken}\n")
    wrapper.chmod(0o755)
    done = demo(wrapper)
    assert done.returncode != 0
    assert "!!" in done.stdout and "Everything" not in done.stdout


def test_no_program(cli):
    assert demo(cli.directory / "absent").returncode == 2
