# SPDX-License-Identifier: Apache-2.0
"""Signatures over columns: many rows in one call, on all cores, without copies.

    statuses = aioli.columns.verify("MAYO-2", table["msg"], table["sig"], table["pk"])
    statuses.all_valid, statuses.good, statuses.first_bad
    table.append_column("status", pyarrow.array(statuses))

A column is whatever speaks Arrow's PyCapsule interface (pyarrow, polars, pandas, DuckDB), a numpy array of bytes (uint8 with two
dimensions, or of dtype S or V), or a list of bytes and None. One value stands for all rows where it makes sense: a public key, a
secret key. Messages, signatures and keys are binary, large_binary, fixed-size binary, binary views or dictionaries of these (text
as well); chunks may end anywhere. Arrays that are malformed raise ArgumentError, which says how.

Expanded public keys can be kept in a VerifierCache between calls; docs/columns.md says when that pays.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import Any, Callable, Optional, Union

from . import _arrow
from ._algorithms import Algorithm, algorithm
from ._errors import BY_STATUS, ArgumentError, check, status_text
from ._keys import SigningKey, VerifyingKey
from ._native import NULL, ffi, lib

#: A row with a null: there was nothing to verify or to sign.
NULL_ROW: int = lib.AIOLI_ARROW_NULL
#: A row that was not reached, because the call was cancelled.
NOT_DONE: int = lib.AIOLI_ARROW_NOT_DONE

#: The name under which the system has the library for CUDA devices.
LIBRARY = os.environ.get("AIOLI_CUDA_LIBRARY", "libaioli_cuda.so.0")

Progress = Union[None, bool, Callable[[int, int], object]]


class VerifierCache:
    """Expanded public keys, at most `size` bytes of them (MAYO-1 157 KB each, MAYO-2 120 KB); least recently used first out.

    A key is expanded into it when a second call needs it. Threads and calls may share one."""

    def __init__(self, size: int = 256 << 20) -> None:
        out = ffi.new("aioli_verifier_cache **")
        check(lib.aioli_verifier_cache_new(out, size))
        self._c = ffi.gc(out[0], lib.aioli_verifier_cache_free)
        self.size = size

    def counts(self) -> dict[str, int]:
        """hits, misses (of groups of rows and of single rows), expansions, evictions; keys and bytes that are there."""
        out = ffi.new("aioli_verifier_cache_counts *")
        lib.aioli_verifier_cache_look(self._c, out)
        return {name: int(getattr(out, name)) for name in ("hits", "misses", "expansions", "evictions", "keys", "bytes")}

    def __repr__(self) -> str:
        return f"<aioli.columns.VerifierCache {self.size} bytes: {self.counts()}>"


class _Shared:
    """What calls of one process share: pools of threads, and a cache. A child begins anew, for threads do not survive fork."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.pools: dict[int, Any] = {}
        self.cache: Optional[VerifierCache] = None

    def pool(self, threads: int) -> Any:
        if threads == 1:
            return NULL
        with self.lock:
            if threads not in self.pools:
                out = ffi.new("aioli_pool **")
                check(lib.aioli_pool_new(out, threads))
                self.pools[threads] = out[0]  # until the process ends
            return self.pools[threads]

    def verifiers(self) -> VerifierCache:
        with self.lock:
            if self.cache is None:
                self.cache = VerifierCache()
            return self.cache


_shared = _Shared()


def _after_fork() -> None:
    global _shared
    if _shared.cache is not None:
        ffi.gc(_shared.cache._c, None)  # its lock may be held by a thread that is not here
    _shared = _Shared()


os.register_at_fork(after_in_child=_after_fork)


class Device:
    """CUDA devices, by libaioli_cuda, which is opened here and must be installed: every device that the machine has.

    What they cannot do is done by the processor, which also does calls of fewer than `least_rows` rows. With fallback=False it
    does nothing: without a device there is a DeviceError here, and one that fails later is the status of its rows. Signatures are
    verified before they are given out unless check_signatures=False. Used by one call at a time; what is left to the processor
    has all of its cores."""

    def __init__(
        self, *, library: str = LIBRARY, fallback: bool = True, least_rows: int = 0, check_signatures: bool = True
    ) -> None:
        self._c = ffi.new("aioli_device *")
        self._lock = threading.Lock()
        flags = (lib.AIOLI_CUDA_FALLBACK if fallback else 0) | (lib.AIOLI_CUDA_CHECK_SIGNATURES if check_signatures else 0)
        status = lib.aioli_device_open(self._c, os.fsencode(library), flags, least_rows, _processors())
        check(status, ffi.string(self._c.text).decode(errors="replace"))
        self._c = ffi.gc(self._c, lib.aioli_device_close)

    @property
    def devices(self) -> int:
        """How many work; 0: the processor does all. Fewer than at first, if some failed."""
        return int(lib.aioli_device_count(self._c))

    def __repr__(self) -> str:
        return f"<aioli.columns.Device: {self.devices} CUDA devices>"


class Statuses:
    """What a call says of each row: 0 for success, a negative status of the library, NULL_ROW or NOT_DONE.

    A column itself: `pyarrow.array(statuses)`, `polars.Series(statuses)`, `numpy.asarray(statuses)` share its memory (int8).
    """

    def __init__(self, rows: int) -> None:
        self._memory = bytearray(b"\x02" * rows)
        self.rows = rows
        self.good = 0  #: rows with status 0
        self.nulls = 0  #: rows with a null
        self.first_bad: Optional[int] = None  #: the first row whose status is not 0

    @property
    def all_valid(self) -> bool:
        """Every row has status 0. (No rows: yes.)"""
        return self.good == self.rows

    def raise_first(self) -> None:
        """Raises the exception of the first row whose status is not 0, if there is one."""
        if self.first_bad is None:
            return
        status = self[self.first_bad]
        error = BY_STATUS.get(status, ArgumentError)(f"row {self.first_bad}: {text_of(status)}")
        error.status = min(status, 0)
        raise error

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, row: int) -> int:
        return memoryview(self._memory).cast("b")[row]

    def tolist(self) -> list[int]:
        """The statuses as a list."""
        return memoryview(self._memory).cast("b").tolist()

    def __repr__(self) -> str:
        return f"<aioli.columns.Statuses: {self.good} of {self.rows} rows good, {self.nulls} with a null>"

    @property
    def __array_interface__(self) -> dict[str, Any]:
        data = (_arrow.address(ffi.from_buffer(self._memory)), True)
        return {"version": 3, "typestr": "|i1", "shape": (self.rows,), "data": data}

    def __arrow_c_schema__(self) -> Any:
        return self.__arrow_c_array__()[0]

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return _arrow.capsules("c", self.rows, NULL, ffi.from_buffer(self._memory), NULL, self)


class Signatures:
    """A column of signatures (fixed-size binary), null where `statuses` is not 0. Shares its memory as Statuses does."""

    def __init__(self, alg: Algorithm, rows: int) -> None:
        self.width = alg.signature_bytes
        self._memory = bytearray(rows * self.width)
        self.statuses = Statuses(rows)

    def __len__(self) -> int:
        return len(self.statuses)

    def __getitem__(self, row: int) -> Optional[bytes]:
        row = range(len(self))[row]
        return bytes(self._memory[row * self.width : (row + 1) * self.width]) if self.statuses[row] == 0 else None

    def __repr__(self) -> str:
        return f"<aioli.columns.Signatures: {self.statuses!r}>"

    @property
    def __array_interface__(self) -> dict[str, Any]:
        data = (_arrow.address(ffi.from_buffer(self._memory)), True)
        return {"version": 3, "typestr": "|u1", "shape": (len(self), self.width), "data": data}

    def __arrow_c_schema__(self) -> Any:
        return self.__arrow_c_array__()[0]

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        owner: tuple[Any, Any] = (self, None)
        bits = NULL
        if not self.statuses.all_valid:
            validity = bytearray((len(self) + 7) // 8)
            for row, status in enumerate(self.statuses.tolist()):
                validity[row // 8] |= (status == 0) << row % 8
            owner, bits = (self, validity), ffi.from_buffer(validity)
        return _arrow.capsules(f"w:{self.width}", len(self), bits, ffi.from_buffer(self._memory), NULL, owner)


def text_of(status: int) -> str:
    """A sentence for a status of a row."""
    if status == NULL_ROW:
        return "a null"
    if status == NOT_DONE:
        return "not done: the call was cancelled"
    return status_text(status)


def verify(
    alg: Union[str, Algorithm],
    message: Any,
    signature: Any,
    public_key: Any,
    *,
    digests: bool = False,
    threads: Optional[int] = None,
    cache: Union[None, bool, VerifierCache] = None,
    progress: Progress = None,
    device: Optional[Device] = None,
) -> Statuses:
    """Verifies row by row. `public_key` may be one key (VerifyingKey or bytes) for all rows.

    digests: the messages are digests (`aioli.digest`). threads: as many as there are processors for this process, if not given.
    cache: a VerifierCache, True for the one of this process, False for none; None, the default, is True where AES is slow (the
    backend "portable") and False elsewhere, where a key is expanded about as fast as it is read from memory.
    progress: True for a bar (tqdm, where stderr is a terminal), or a function that is called a few times a second with the rows
    done and all rows; what it raises cancels the call. device: a Device, which makes no use of `cache`
    and `threads`; a progress function must not use it.
    A row that is bad in whatever way gets its status and harms no other. Raises LengthError for columns of unequal length,
    ArgumentError for an array that is malformed, TypeError for what is no column, AlgorithmError."""
    alg = algorithm(alg)
    messages, signatures = _arrow.column("message", message), _arrow.column("signature", signature)
    keys = _arrow.Column("public_key")
    one = _key(public_key, VerifyingKey, alg)
    if one is None:
        keys = _arrow.column("public_key", public_key)
    else:
        keys.repeat(one, messages.rows)
    return _verify(alg, [messages, signatures, keys], digests, threads, cache, progress, device)


def verify_table(
    alg: Union[str, Algorithm],
    table: Any,
    message: str = "message",
    signature: str = "signature",
    public_key: str = "public_key",
    **options: Any,
) -> Statuses:
    """The same for three columns of a table (pyarrow, polars, pandas, a relation of DuckDB), by name."""
    columns = _arrow.table_columns(table, [message, signature, public_key])
    defaults = {"digests": False, "threads": None, "cache": None, "progress": None, "device": None}
    return _verify(algorithm(alg), columns, **{**defaults, **options})


def sign(
    alg: Union[str, Algorithm],
    message: Any,
    secret_key: Any,
    *,
    deterministic: bool = False,
    digests: bool = False,
    threads: Optional[int] = None,
    progress: Progress = None,
    device: Optional[Device] = None,
) -> Signatures:
    """Signs row by row. `secret_key` is one key (SigningKey or bytes) for all rows, or a column of them.

    Of a column, dictionary-encode it: a key is expanded once for each place where it lies. Options as for `verify`; signatures
    are hedged unless `deterministic`. A row without a signature (a null, a key of another length) has its status."""
    alg = algorithm(alg)
    messages, keys = _arrow.column("message", message), _arrow.Column("secret_key")
    one = _key(secret_key, SigningKey, alg)
    if one is None:
        keys = _arrow.column("secret_key", secret_key)
    else:
        keys.repeat(one, messages.rows)
    result = Signatures(alg, messages.rows)
    options = _options(digests, threads, NULL)
    if deterministic:
        options.batch.rng = lib.aioli_rng_zero
    signatures = ffi.from_buffer("uint8_t[]", result._memory)

    def piece(statuses: Any, first: int, n: int, slices: list[Any], report: Any) -> int:
        at = signatures + first * result.width
        return int(lib.aioli_arrow_sign(alg._c, at, n * result.width, statuses, n, *slices, options, report))

    _work([messages, keys], result.statuses, options, progress, piece, device)
    return result


def _key(key: Any, kind: type, alg: Algorithm) -> Any:
    if isinstance(key, kind):
        if key.algorithm != alg:  # type: ignore[attr-defined]
            check(lib.AIOLI_ERR_ALGORITHM)
        return key._secret if isinstance(key, SigningKey) else _arrow.bytes_of(key._bytes)  # type: ignore[attr-defined]
    return _arrow.bytes_of(key)


def _expanding_is_slow() -> bool:
    name = lib.aioli_backend_active()
    return bool(name != NULL and ffi.string(name) == b"portable")


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _options(digests: bool, threads: Optional[int], verifiers: Any) -> Any:
    threads = _processors() if threads is None else threads
    if threads < 1:
        raise ArgumentError(f"threads: {threads}, where one is the least")
    options = ffi.new("aioli_arrow_options *")
    options.bytes = ffi.sizeof("aioli_arrow_options")
    options.batch.flags = lib.AIOLI_BATCH_DIGESTS if digests else 0
    options.batch.pool = _shared.pool(threads)
    options.batch.verifiers = verifiers
    return options


def _verify(
    alg: Algorithm,
    columns: list[_arrow.Column],
    digests: bool,
    threads: Optional[int],
    cache: Union[None, bool, VerifierCache],
    progress: Progress,
    device: Optional[Device],
) -> Statuses:
    if cache is None:
        cache = _expanding_is_slow()
    verifiers = _shared.verifiers() if cache is True else cache
    result = Statuses(columns[0].rows)
    options = _options(digests, threads, verifiers._c if isinstance(verifiers, VerifierCache) else NULL)

    def piece(statuses: Any, first: int, n: int, slices: list[Any], report: Any) -> int:
        return int(lib.aioli_arrow_verify(alg._c, statuses, n, *slices, options, report))

    _work(columns, result, options, progress, piece, device)
    return result


class _Told:
    """The end of a progress function that C calls. Python's signals are seen to there, so that Control-C ends a long call."""

    def __init__(self, progress: Progress, rows: int) -> None:
        self.before = 0
        self.rows = rows
        self.raised: Optional[BaseException] = None
        self.bar: Any = None
        self.tell: Optional[Callable[[int, int], object]] = None
        if progress is True:
            if sys.stderr.isatty():
                self.bar = _bar(rows)
        elif progress:
            self.tell = progress

    def __call__(self, done: int) -> None:
        if self.bar is not None:
            self.bar.update(self.before + done - self.bar.n)
        if self.tell is not None:
            self.tell(self.before + done, self.rows)


def _bar(rows: int) -> Any:
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("a progress bar needs the extra: pip install aioli[progress]") from None
    return tqdm(total=rows, unit="rows", unit_scale=True, leave=False)


def _failed(exception: Any, value: BaseException, traceback: Any) -> None:
    told = ffi.from_handle(traceback.tb_frame.f_locals["context"])
    told.raised = value


@ffi.def_extern(error=1, onerror=_failed)  # type: ignore[untyped-decorator]
def aioli_python_told(context: Any, done: int, rows: int) -> int:
    ffi.from_handle(context)(done)
    return 0


def _work(
    columns: list[_arrow.Column],
    result: Statuses,
    options: Any,
    progress: Progress,
    piece: Callable[[Any, int, int, list[Any], Any], int],
    device: Optional[Device],
) -> None:
    if any(c.rows != result.rows for c in columns):
        error = BY_STATUS[lib.AIOLI_ERR_LENGTH]("columns of unequal length: " + ", ".join(f"{c.name} {c.rows}" for c in columns))
        error.status = lib.AIOLI_ERR_LENGTH
        raise error
    told = _Told(progress, result.rows)
    handle = ffi.new_handle(told)
    options.progress = lib.aioli_python_told
    options.progress_context = handle
    statuses = ffi.from_buffer("int8_t[]", result._memory)
    report = ffi.new("aioli_arrow_report *")
    if device is not None:
        options.worker = ffi.addressof(device._c, "worker")
    with contextlib.ExitStack() as held:
        if told.bar is not None:
            held.callback(told.bar.close)
        if device is not None:
            held.enter_context(device._lock)
        for first, n, slices in _arrow.aligned(columns):
            status = piece(statuses + first, first, n, slices, report)
            if told.raised is not None:
                raise told.raised
            if report.done < n:
                check(status, ffi.string(report.text).decode(errors="replace"))
            result.good += report.good
            result.nulls += report.nulls
            if report.first_bad < n and result.first_bad is None:
                result.first_bad = first + int(report.first_bad)
            told.before += n
