# SPDX-License-Identifier: Apache-2.0
"""The binding itself: it must name every function of the header, and its guards must catch what they are for."""

import ctypes
import re
from pathlib import Path

import pytest

from capi import PROTOTYPES, Aioli, Guarded, Op, Status

HEADER = (Path(__file__).resolve().parents[2] / "include" / "aioli" / "aioli.h").read_text()


def declarations() -> dict[str, int]:
    """Function name without aioli_ -> number of parameters."""
    found = {}
    for name, parameters in re.findall(r"^AIOLI_API\s[^;(]*?\baioli_(\w+)\(([^;]*?)\);", HEADER, re.MULTILINE | re.DOTALL):
        found[name] = 0 if parameters.strip() == "void" else parameters.count(",") + 1
    return found


def enumerators(name: str) -> dict[str, int]:
    body = re.search(rf"typedef enum {name} AIOLI_FIXED_ENUM {{(.*?)}} {name};", HEADER, re.DOTALL).group(1)
    return {key: int(value) for key, value in re.findall(r"AIOLI_\w*?(?:ERR_|OP_|)([A-Z_]+) = (-?\d+)", body)}


def test_every_function_is_bound() -> None:
    assert declarations() == {name: len(arguments) for name, (_, arguments) in PROTOTYPES.items()}


def test_enumerators_are_those_of_the_header() -> None:
    assert enumerators("aioli_status") == {status.name: status.value for status in Status}
    assert enumerators("aioli_op") == {op.name: op.value for op in Op}


def test_every_status_has_its_text(lib: Aioli) -> None:
    texts = [lib.c.aioli_status_text(status) for status in Status]
    assert all(texts) and len(set(texts)) == len(texts)
    assert lib.c.aioli_status_text(-1000)


@pytest.mark.parametrize("offset", [0, 1, 8, 63])
@pytest.mark.parametrize("size", [0, 1, 100])
def test_guards_catch_writes_outside(size: int, offset: int) -> None:
    for place in (-64, -1, size, size + 63):
        memory = Guarded(size, offset)
        assert memory.address % 64 == offset
        assert memory.bytes() == b"\xa5" * size
        ctypes.memset(memory.address + place, 0, 1)
        with pytest.raises(AssertionError, match="written"):
            memory.check()
