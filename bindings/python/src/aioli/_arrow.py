# SPDX-License-Identifier: Apache-2.0
"""Columns in and out: whatever speaks the Arrow PyCapsule interface, numpy arrays, lists of bytes, one value for all rows."""

from __future__ import annotations

import array as arrays
import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, Optional

from ._errors import ArgumentError
from ._native import NULL, ffi, lib, view

_capsule_pointer: Any = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule_new: Any = ctypes.pythonapi.PyCapsule_New
_capsule_new.restype = ctypes.py_object
_capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def _c(capsule: Any, kind: str, name: bytes) -> Any:
    return ffi.cast(f"struct {kind} *", _capsule_pointer(capsule, name))


def address(pointer: Any) -> int:
    """The address that a pointer of C holds."""
    return int(ffi.cast("uintptr_t", pointer))


def capsules(format: str, rows: int, validity: Any, second: Any, third: Any, owner: Any) -> tuple[Any, Any]:
    """(schema, array) of memory that `owner` keeps, as capsules; nothing is copied."""
    array, schema = ffi.new("struct ArrowArray **"), ffi.new("struct ArrowSchema **")
    if lib.aioli_python_export(array, schema, format.encode(), rows, validity, second, third, id(owner)) != 0:
        raise MemoryError("no memory for an Arrow array")
    return (
        _capsule_new(address(schema[0]), b"arrow_schema", lib.aioli_python_drop_schema),
        _capsule_new(address(array[0]), b"arrow_array", lib.aioli_python_drop_array),
    )


class Column:
    """One column, in chunks.  Holds whatever the chunks lie in."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.chunks: list[Any] = []  # aioli_arrow_column *
        self.rows = 0
        self.repeated = False
        self._kept: list[Any] = []

    def add(self, schema: Any, array: Any, kept: Any, first: int = 0, rows: Optional[int] = None) -> None:
        """A chunk: an array of the C data interface, or rows of it."""
        column, text = ffi.new("aioli_arrow_column *"), ffi.new("char[]", lib.AIOLI_ARROW_TEXT_BYTES)
        status = lib.aioli_arrow_import(column, schema, array, text)
        if status == 0 and rows is not None and (first != 0 or rows != column.rows):
            status = lib.aioli_arrow_slice(column, column, first, rows)
            ffi.memmove(text, b"fewer rows than its table", 25)
        if status != 0:
            error = ArgumentError(f"column {self.name}: {ffi.string(text).decode(errors='replace')}")
            error.status = status
            raise error
        self._kept.append(kept)
        self.rows += column.rows
        if column.rows > 0:
            self.chunks.append(column)

    def repeat(self, data: Any, rows: int) -> None:
        """The same value, `rows` times."""
        column = ffi.new("aioli_arrow_column *")
        lib.aioli_arrow_repeat(column, data, len(data), rows)
        self._kept.append(data)
        self.rows = rows
        self.chunks = [column] if rows > 0 else []


def batches(stream: Any) -> Iterator[tuple[Any, Any, Any]]:
    """(schema, array, what keeps them) for each batch of an object with __arrow_c_stream__."""
    capsule = stream.__arrow_c_stream__()
    c = _c(capsule, "ArrowArrayStream", b"arrow_array_stream")
    schema = ffi.gc(ffi.new("struct ArrowSchema *"), _release)

    def call(function: Any, out: Any) -> None:
        if function(c, out) != 0:
            text = c.get_last_error(c)
            raise ArgumentError(
                "the stream failed: " + (ffi.string(text).decode(errors="replace") if text != NULL else "no reason given")
            )

    call(c.get_schema, schema)
    while True:
        array = ffi.gc(ffi.new("struct ArrowArray *"), _release)
        call(c.get_next, array)
        if array.release == NULL:
            return
        yield schema, array, (capsule, schema, array)


def _release(struct: Any) -> None:
    if struct.release != NULL:
        struct.release(struct)


def column(name: str, source: Any) -> Column:
    """A column of any source; raises TypeError where it is none, ArgumentError where Arrow's array is not as it should be."""
    result = Column(name)
    if isinstance(source, (bytes, bytearray, memoryview, str)):
        raise TypeError(f"column {name}: a column is wanted, not one value")
    if hasattr(source, "__arrow_c_stream__"):
        for schema, array, kept in batches(source):
            result.add(schema, array, kept)
    elif hasattr(source, "__arrow_c_array__"):
        pair = source.__arrow_c_array__()
        result.add(_c(pair[0], "ArrowSchema", b"arrow_schema"), _c(pair[1], "ArrowArray", b"arrow_array"), pair)
    elif hasattr(source, "__array_interface__"):
        _add_numpy(result, source)
    elif hasattr(source, "to_numpy"):  # pandas, where a column does not speak Arrow itself
        return column(name, source.to_numpy())
    elif isinstance(source, Sequence):
        _add_list(result, source)
    else:
        raise TypeError(
            f"column {name}: {type(source).__name__} is no column: Arrow arrays, columns of tables (pyarrow, polars, pandas), "
            "numpy arrays of bytes, and lists of bytes are"
        )
    return result


def _add_numpy(result: Column, source: Any) -> None:
    about = source.__array_interface__
    kind, shape = about["typestr"][1], about["shape"]
    if kind == "O":
        return _add_list(result, source.tolist())
    size = int(about["typestr"][2:])
    fits = (kind == "u" and size == 1 and len(shape) == 2) or (kind in "SV" and len(shape) == 1)
    if not fits:
        raise TypeError(
            f"column {result.name}: a numpy array of {about['typestr']!r} with {len(shape)} dimensions: rows of bytes are "
            "uint8 with two, or of a dtype S or V with one"
        )
    if about.get("strides") is not None:
        raise TypeError(f"column {result.name}: the numpy array is not contiguous (numpy.ascontiguousarray makes it so)")
    width = shape[1] if kind == "u" else size
    data = ffi.cast("void *", about["data"][0])
    _add_own(result, f"w:{width}", shape[0], NULL, data, NULL, source)


def _add_list(result: Column, source: Sequence[Any]) -> None:
    """The one source that is copied: a list has no memory of its own for bytes."""
    offsets, parts, end, nulls = arrays.array("q", [0]), [], 0, bytearray(b"\xff" * ((len(source) + 7) // 8))
    for i, entry in enumerate(source):
        if entry is None:
            nulls[i // 8] &= ~(1 << i % 8)
        else:
            part = memoryview(entry).cast("B") if not isinstance(entry, (bytes, bytearray)) else entry
            parts.append(part)
            end += len(part)
        offsets.append(end)
    owner = (offsets, b"".join(parts), nulls)
    validity, second, third = (ffi.from_buffer(b) for b in (nulls, offsets, owner[1]))
    _add_own(result, "Z", len(source), validity, second, third, (owner, validity, second, third))


def _add_own(result: Column, format: str, rows: int, validity: Any, second: Any, third: Any, owner: Any) -> None:
    pair = capsules(format, rows, validity, second, third, owner)
    result.add(_c(pair[0], "ArrowSchema", b"arrow_schema"), _c(pair[1], "ArrowArray", b"arrow_array"), (pair, owner))


def table_columns(source: Any, names: Sequence[str]) -> list[Column]:
    """Columns of a table by name: an object whose stream or array is of structs. ArgumentError for a name that it lacks."""
    results = [Column(name) for name in names]
    if hasattr(source, "__arrow_c_stream__"):
        parts: Iterator[tuple[Any, Any, Any]] = batches(source)
    elif hasattr(source, "__arrow_c_array__"):
        pair = source.__arrow_c_array__()
        parts = iter([(_c(pair[0], "ArrowSchema", b"arrow_schema"), _c(pair[1], "ArrowArray", b"arrow_array"), pair)])
    else:
        raise TypeError(f"{type(source).__name__} is no table: it has neither __arrow_c_stream__ nor __arrow_c_array__")
    for schema, array, kept in parts:
        if schema.format == NULL or ffi.string(schema.format) != b"+s" or schema.n_children != array.n_children:
            raise ArgumentError("the table is none: its batches are no structs")
        if array.null_count > 0:
            raise ArgumentError("the table has rows that are null as a whole")
        there = [ffi.string(schema.children[i].name).decode(errors="replace") for i in range(schema.n_children)]
        for result in results:
            if there.count(result.name) != 1:
                how = "no" if result.name not in there else "more than one"
                raise ArgumentError(f"the table has {how} column {result.name!r}; it has {', '.join(map(repr, there))}")
            at = there.index(result.name)
            result.add(schema.children[at], array.children[at], kept, array.offset, array.length)
    return results


def aligned(columns: Sequence[Column]) -> Iterator[tuple[int, int, list[Any]]]:
    """(first row, rows, slices) of pieces in which no column changes chunk."""
    rows = columns[0].rows
    at = [0] * len(columns)  # the chunk of each
    used = [0] * len(columns)  # its rows that are done
    slices = [ffi.new("aioli_arrow_column *") for _ in columns]
    first = 0
    while first < rows:
        n = min(int(c.chunks[at[i]].rows) - used[i] for i, c in enumerate(columns))
        for i, c in enumerate(columns):
            if lib.aioli_arrow_slice(slices[i], c.chunks[at[i]], used[i], n) != 0:
                raise AssertionError("chunks add up to the rows")
            used[i] += n
            if used[i] == c.chunks[at[i]].rows:
                at[i], used[i] = at[i] + 1, 0
        yield first, n, slices
        first += n


def bytes_of(value: Any) -> Any:
    """One value for all rows, as a C array; None for what is a column."""
    return view(value) if isinstance(value, (bytes, bytearray, memoryview)) else None
