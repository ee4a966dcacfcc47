# SPDX-License-Identifier: Apache-2.0
"""The extension module, and the way of buffers into it.  cffi releases the GIL around every call."""

from __future__ import annotations

from typing import Any

from . import _aioli  # type: ignore[attr-defined]
from ._types import Buffer

ffi: Any = _aioli.ffi
lib: Any = _aioli.lib
NULL: Any = ffi.NULL

_from_buffer = ffi.from_buffer


def view(data: Buffer) -> Any:
    """The bytes of any contiguous buffer as a C array, not copied.  The array keeps the buffer alive and locked."""
    if isinstance(data, str):
        raise TypeError("bytes or another buffer is wanted, not str: encode the text first")
    return _from_buffer("uint8_t[]", data)


def secret_bytes(size: int) -> Any:
    """Zeroed memory that is wiped before it is freed."""
    # An array of a type with a length: ffi.gc forgets that of the others.
    return ffi.gc(ffi.new(f"uint8_t[{size}]"), lambda memory: ffi.memmove(memory, bytes(size), size), size)
