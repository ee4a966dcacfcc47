# SPDX-License-Identifier: Apache-2.0
"""Columns of every library say what one call after the other says; nothing is copied; bad input is named."""

import gc
import io
import os
import sys
import threading
import weakref

import aioli
import aioli.columns as columns
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from aioli.columns import NULL_ROW
from hypothesis import given
from hypothesis import strategies as st

NAME = "MAYO-2"
ROWS = 60


@pytest.fixture(scope="module")
def log():
    """Rows under a few keys, good, bad, short and null, with the statuses of one-shot calls."""
    alg = aioli.algorithm(NAME)
    keys = [aioli.SigningKey.from_seed(NAME, bytes([i + 1]) * alg.seed_bytes) for i in range(5)]
    rows = []
    for i in range(ROWS):
        key, message = keys[i * (i + 1) // 2 % 4], f"row {i} ".encode() * (i % 4)
        signature, public = key.sign(message), bytes(key.public_key)
        expected = 0
        if i % 10 == 3:
            signature = bytes([signature[0] ^ 1]) + signature[1:]
        elif i % 10 == 5:
            public = bytes(keys[(i * (i + 1) // 2 + 1) % 4].public_key)
        elif i == 17:
            signature = signature[:-1]
        elif i % 20 == 18:
            message = None
            expected = NULL_ROW
        if expected == 0:
            try:
                aioli.VerifyingKey.from_bytes(NAME, public).verify(signature, message)
            except aioli.AioliError as error:
                expected = error.status
        rows.append((message, signature, public, expected))
    message, signature, public, expected = map(list, zip(*rows))
    assert {0, -1, -3, NULL_ROW} == set(expected)
    return message, signature, public, expected


def check(statuses, expected):
    assert statuses.tolist() == expected
    assert len(statuses) == statuses.rows == len(expected)
    assert statuses.good == expected.count(0)
    assert statuses.nulls == expected.count(NULL_ROW)
    assert statuses.first_bad == next(i for i, s in enumerate(expected) if s != 0)
    assert not statuses.all_valid
    assert (
        numpy.asarray(statuses).tolist() == pyarrow.array(statuses).to_pylist() == polars.Series(statuses).to_list() == expected
    )


ARROW_TYPES = ["binary", "large_binary", "binary_view"]


def test_lists_and_every_layout_of_pyarrow(log):
    *data, expected = log
    check(columns.verify(NAME, *data), expected)
    for name in ARROW_TYPES:
        kind = getattr(pyarrow, name)()
        arrays = [pyarrow.array(c, kind) for c in data]
        check(columns.verify(NAME, *arrays), expected)
        # Slices, whose first row is not that of their buffers.
        padded = [pyarrow.array([b"x", None, *c, None, b"y"], kind)[2:-2] for c in data]
        check(columns.verify(NAME, *padded), expected)
        for index in (pyarrow.int8(), pyarrow.uint16(), pyarrow.int32(), pyarrow.int64()):
            if name != "binary_view":  # which pyarrow makes no dictionaries of
                encoded = [pyarrow.DictionaryArray.from_arrays(*indexed(c, kind, index)) for c in data]
                check(columns.verify(NAME, *encoded), expected)
    chunked = [
        pyarrow.chunked_array([c[:a], [], c[a:b], c[b:]], pyarrow.binary()) for c, a, b in zip(data, (3, 7, 7), (40, 8, 59))
    ]
    check(columns.verify(NAME, *chunked), expected)
    check(columns.verify(NAME, chunked[0], pyarrow.array(data[1]), data[2]), expected)


def indexed(column, kind, index):
    different = list(dict.fromkeys(c for c in column if c is not None))
    return pyarrow.array([None if c is None else different.index(c) for c in column], index), pyarrow.array(different, kind)


def test_polars_pandas_numpy_and_duckdb(log):
    *data, expected = log
    names = ["msg", "sig", "pk"]
    table = pyarrow.table({n: pyarrow.array(c) for n, c in zip(names, data)})
    frame = polars.DataFrame({n: polars.Series(c, dtype=polars.Binary) for n, c in zip(names, data)})
    check(columns.verify(NAME, *frame.get_columns()), expected)
    check(columns.verify_table(NAME, frame, *names), expected)
    check(columns.verify_table(NAME, table, *names), expected)
    check(columns.verify_table(NAME, table.to_batches()[0], *names), expected)
    check(columns.verify_table(NAME, table.slice(5), *names), expected[5:])
    objects = pandas.DataFrame({n: pandas.Series(c, dtype=object) for n, c in zip(names, data)})
    check(columns.verify(NAME, *(objects[n] for n in names)), expected)
    typed = objects.astype({n: pandas.ArrowDtype(pyarrow.binary()) for n in names})
    check(columns.verify(NAME, *(typed[n] for n in names)), expected)
    check(columns.verify_table(NAME, typed, *names), expected)
    with duckdb.connect() as connection:
        connection.register("t", table)
        relation = connection.sql("SELECT pk, sig, msg FROM t")
        check(columns.verify_table(NAME, relation, *names), expected)
    # numpy: rows of one width
    good = [i for i, s in enumerate(expected) if s in (0, -1)]
    fixed = lambda c: numpy.frombuffer(b"".join(c[i] for i in good), numpy.uint8).reshape(len(good), -1)  # noqa: E731
    sig, pk = fixed(data[1]), fixed(data[2])
    statuses = columns.verify(NAME, [data[0][i] for i in good], sig, pk)
    check(statuses, [expected[i] for i in good])
    as_void = pk.reshape(-1).view(f"V{pk.shape[1]}")
    check(columns.verify(NAME, [data[0][i] for i in good], sig, as_void), [expected[i] for i in good])


@given(cuts=st.lists(st.lists(st.integers(0, ROWS), max_size=5), min_size=3, max_size=3), threads=st.integers(1, 3))
def test_chunks_that_end_anywhere(log, cuts, threads):
    *data, expected = log
    parts = []
    for column, where in zip(data, cuts):
        edges = [0, *sorted(where), ROWS]
        parts.append(pyarrow.chunked_array([column[a:b] for a, b in zip(edges, edges[1:])], pyarrow.binary()))
    check(columns.verify(NAME, *parts, threads=threads), expected)


def test_signatures_of_columns():
    alg = aioli.algorithm(NAME)
    keys = [aioli.SigningKey.from_seed(NAME, bytes([i + 1]) * alg.seed_bytes) for i in range(3)]
    message = [b"a", None, b"c", b"d"] * 5
    made = columns.sign(NAME, message, keys[0], deterministic=True)
    wanted = [None if m is None else keys[0].sign(m, deterministic=True) for m in message]
    assert pyarrow.array(made).to_pylist() == wanted == [made[i] for i in range(len(made))]
    assert pyarrow.array(made).type == pyarrow.binary(alg.signature_bytes)
    assert made.statuses.nulls == 5 and made.statuses.good == 15
    assert numpy.asarray(made)[0].tobytes() == wanted[0]
    hedged = columns.sign(NAME, [b"m"] * 9, keys[0])
    assert hedged.statuses.all_valid and len({hedged[i] for i in range(9)}) == 9
    assert columns.verify(NAME, [b"m"] * 9, hedged, keys[0].public_key).all_valid
    assert columns.verify(NAME, [b"m"] * 9, hedged, bytes(keys[0].public_key)).all_valid
    assert not columns.verify(NAME, [b"m"] * 9, hedged, keys[1].public_key).good
    several = pyarrow.array([keys[i % 3].to_bytes() for i in range(20)]).dictionary_encode()
    made = columns.sign(NAME, message, several, deterministic=True)
    assert made[2] == keys[2].sign(b"c", deterministic=True)
    digests = [aioli.digest(NAME, m or b"") for m in message]
    of_digests = columns.sign(NAME, digests, keys[0], deterministic=True, digests=True)
    assert of_digests[0] == wanted[0]
    assert columns.verify(NAME, digests, of_digests, keys[0].public_key, digests=True).all_valid
    assert pyarrow.array(columns.sign(NAME, [], keys[0])).to_pylist() == []


def test_nothing_is_copied_and_nothing_is_lost():
    key = aioli.SigningKey.generate(NAME)
    made = columns.sign(NAME, [b"m"] * 100, key)
    address = made.__array_interface__["data"][0]
    array = pyarrow.array(made)
    assert array.buffers()[1].address == address == numpy.asarray(made).ctypes.data
    assert polars.Series(made.statuses).to_list() == [0] * 100
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is not None  # held by the array
    assert columns.verify(NAME, [b"m"] * 100, array, key.public_key).all_valid
    del array
    gc.collect()
    assert gone() is None


def test_the_cache_keeps_keys_between_calls(log):
    *data, expected = log
    cache = columns.VerifierCache(1 << 20)
    for _ in range(3):
        check(columns.verify(NAME, *data, cache=cache), expected)
    counts = cache.counts()
    assert (
        counts["keys"] == counts["expansions"] == len({k for k in data[2] if k}) > 3
        and counts["hits"] >= 4
        and 0 < counts["bytes"] <= 1 << 20
    )
    assert "hits" in repr(cache)
    check(columns.verify(NAME, *data, cache=False), expected)
    assert cache.counts() == counts


def test_progress_and_cancellation(capsys, monkeypatch):
    key = aioli.SigningKey.generate(NAME)
    signature = key.sign(b"m")
    message = pyarrow.array([b"m"] * 10000)
    signatures = pyarrow.array([signature] * 10000)
    seen = []
    assert columns.verify(NAME, message, signatures, key.public_key, progress=lambda *told: seen.append(told)).all_valid
    assert len(seen) >= 2 and seen == sorted(seen) and seen[-1] == (10000, 10000)

    def stop(done, rows):
        raise KeyboardInterrupt(f"{done} of {rows}")

    with pytest.raises(KeyboardInterrupt, match="8192 of 10000"):
        columns.verify(NAME, message, signatures, key.public_key, progress=stop)
    columns.verify(NAME, message, signatures, key.public_key, progress=True)
    assert capsys.readouterr().err == ""  # no terminal, no bar

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    columns.verify(NAME, message, signatures, key.public_key, progress=True)
    assert "10.0k" in sys.stderr.getvalue()


def test_bad_input_is_named(log):
    message, signature, public, _ = log
    key = aioli.SigningKey.generate(NAME)
    with pytest.raises(aioli.LengthError, match="message 60, signature 59, public_key 60"):
        columns.verify(NAME, message, signature[:-1], public)
    with pytest.raises(TypeError, match="column message: a column is wanted, not one value"):
        columns.verify(NAME, b"m", signature, public)
    with pytest.raises(TypeError, match="column signature: int is no column"):
        columns.verify(NAME, message, 5, public)
    with pytest.raises(aioli.ArgumentError, match="column message: the array: format 'l'"):
        columns.verify(NAME, pyarrow.array([1] * ROWS), signature, public)
    with pytest.raises(aioli.ArgumentError, match="column message"):
        columns.verify(NAME, pyarrow.array([[b"a"]] * ROWS), signature, public)
    with pytest.raises(TypeError, match="2 dimensions"):
        columns.verify(NAME, numpy.zeros((3, 4), numpy.int32), signature, public)
    with pytest.raises(TypeError, match="not contiguous"):
        columns.verify(NAME, numpy.zeros((3, 8), numpy.uint8)[:, ::2], signature, public)
    with pytest.raises(aioli.AlgorithmError):
        columns.verify("MAYO-1", message, signature, key.public_key)
    with pytest.raises(aioli.ArgumentError, match="threads: 0"):
        columns.verify(NAME, message, signature, public, threads=0)
    table = pyarrow.table({"message": [b"a"], "signature": [b"b"], "pk": [b"c"]})
    with pytest.raises(aioli.ArgumentError, match="no column 'public_key'; it has 'message', 'signature', 'pk'"):
        columns.verify_table(NAME, table)
    with pytest.raises(TypeError, match="no table"):
        columns.verify_table(NAME, [1])
    # An array whose offsets go back, as no library makes it by itself.
    offsets = pyarrow.py_buffer(numpy.array([0, 4, 2], numpy.int32))
    broken = pyarrow.Array.from_buffers(pyarrow.binary(), 2, [None, offsets, pyarrow.py_buffer(b"abcd")])
    with pytest.raises(aioli.ArgumentError, match="column message: the array, row 1: the offset after it is smaller"):
        columns.verify(NAME, broken, signature[:2], public[:2])
    statuses = columns.verify(NAME, message, signature, public)
    with pytest.raises(aioli.InvalidSignature, match="row 3: "):
        statuses.raise_first()
    with pytest.raises(aioli.ArgumentError, match="row 0: a null"):
        columns.verify(NAME, [None], signature[:1], public[:1]).raise_first()
    columns.verify(NAME, [], [], []).raise_first()


def test_a_stream_that_fails_says_why(log):
    def batches():
        yield pyarrow.record_batch({"message": pyarrow.array([b"m"])})
        raise OSError("the disk is gone")

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("message", pyarrow.binary())]), batches())
    with pytest.raises(aioli.ArgumentError, match="the disk is gone"):
        columns.verify_table(NAME, reader, "message", "message", "message")


def test_threads_share_a_cache_and_a_pool(log):
    *data, expected = log
    wrong = []

    def work():
        for _ in range(5):
            if columns.verify(NAME, *data, threads=2).tolist() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_child_process_begins_anew(log):
    *data, expected = log
    columns.verify(NAME, *data, threads=2)
    child = os.fork()
    if child == 0:
        os._exit(0 if columns.verify(NAME, *data, threads=2).tolist() == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
