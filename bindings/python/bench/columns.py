# SPDX-License-Identifier: Apache-2.0
"""usage: columns.py [--json FILE] [--rows 100000] [--rounds 5]: columns beside the C batch, DuckDB, and the cache of public keys.

Everything in one process, by turns, on the same rows of MAYO-2; upper quartiles of the rounds, in rows
a second. The batch in C gets rows
that were made before the clock starts; columns get Arrow arrays. DuckDB reads Parquet that it was given before (in the system's
cache). Exit status 1 if columns are below 90 % of the batch with one of 1, 1,000 and 100,000 keys.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

import aioli
import aioli.columns
import aioli.duckdb
import duckdb
import numpy
import pyarrow
from aioli._native import NULL, ffi, lib

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/engines"))
import make_log  # noqa: E402

NAME = "MAYO-2"
LIMIT = 0.9


def key_columns(rows, keys):
    """(secret, public) keys as dictionaries' entries, and which one each row has."""
    alg = aioli.algorithm(NAME)
    sk, pk = numpy.empty((keys, alg.secret_key_bytes), numpy.uint8), numpy.empty((keys, alg.public_key_bytes), numpy.uint8)
    pairs = ffi.new("aioli_keypair_row[]", keys)
    at = [ffi.cast("uint8_t *", a.ctypes.data) for a in (pk, sk)]
    for i in range(keys):
        pairs[i] = (at[0] + i * pk.shape[1], pk.shape[1], at[1] + i * sk.shape[1], sk.shape[1], NULL, 0)
    aioli._errors.check(lib.aioli_keypair_batch(alg._c, ffi.new("aioli_status[]", keys), pairs, keys, NULL))
    whose = numpy.random.default_rng(1).permutation(numpy.arange(rows, dtype=numpy.int32) % keys)
    return sk, pk, whose


def case(rows, keys):
    """A column each of messages, signatures, public keys; and the rows of the batch in C, which point to the same bytes."""
    sk, pk, whose = key_columns(rows, keys)
    message = pyarrow.array([f"row {i}, as long as a line of a log may be".encode() for i in range(rows)])
    secret = pyarrow.DictionaryArray.from_arrays(pyarrow.array(whose), pyarrow.array([k.tobytes() for k in sk]))
    signature = aioli.columns.sign(NAME, message, secret)
    signature.statuses.raise_first()
    public = pk[whose]  # each row has bytes of its own, as rows read from a file do
    arrow = [message, pyarrow.array(signature), pyarrow.FixedSizeBinaryArray.from_buffers(
        pyarrow.binary(pk.shape[1]), rows, [None, pyarrow.py_buffer(public)])]  # fmt: skip
    offsets = numpy.frombuffer(message.buffers()[1], numpy.int32)
    text, sigs = message.buffers()[2].address, numpy.asarray(signature)
    table = numpy.empty((rows, 6), numpy.uint64)
    steps = numpy.arange(rows, dtype=numpy.uint64)
    table[:, 0], table[:, 1] = sigs.ctypes.data + steps * sigs.shape[1], sigs.shape[1]
    table[:, 2], table[:, 3] = text + offsets[:rows].astype(numpy.uint64), numpy.diff(offsets)[:rows]
    table[:, 4], table[:, 5] = public.ctypes.data + steps * pk.shape[1], pk.shape[1]
    return arrow, (table, sigs, public, message)


def batch_rate(data, threads):
    table = data[0]
    rows = len(table)
    options = ffi.new("aioli_batch_options *", {"bytes": ffi.sizeof("aioli_batch_options")})
    options.pool = aioli.columns._shared.pool(threads)
    status = ffi.new("aioli_status[]", rows)
    c_rows = ffi.cast("aioli_verify_row *", table.ctypes.data)
    begin = time.perf_counter()
    result = lib.aioli_verify_batch(aioli.algorithm(NAME)._c, status, c_rows, rows, options)
    seconds = time.perf_counter() - begin
    assert result == 0
    return rows / seconds


def column_rate(arrow, threads, cache):
    begin = time.perf_counter()
    statuses = aioli.columns.verify(NAME, *arrow, threads=threads, cache=cache)
    seconds = time.perf_counter() - begin
    assert statuses.all_valid
    return len(statuses) / seconds


def by_turns(rounds, subjects):
    """The upper quartile of each of the functions' rates, called by turns: other work on the machine only makes slower."""
    seen = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, run in subjects.items():
            seen[name].append(run())
    return {name: statistics.quantiles(values, n=4, method="inclusive")[2] for name, values in seen.items()}


def duck(folder, rows, rounds, threads):
    make_log.make(folder, rows, 200, 20_000)
    files = f"{folder}/*.parquet"
    bad = len(make_log.bad_ids(rows))
    con = duckdb.connect()
    con.execute(f"SET threads = {threads}")
    aioli.duckdb.register(con)

    def timed(work):
        begin = time.perf_counter()
        assert work() == bad
        return rows / (time.perf_counter() - begin)

    def function():
        where = f"aioli_verify('{NAME}', message, signature, public_key) <> 0"
        return con.sql(f"SELECT count(*) FROM '{files}' WHERE {where}").fetchall()[0][0]

    def read():
        return con.sql(f"SELECT count(*) FROM '{files}' WHERE id % 1009 = 17 AND length(hex(signature)) > 0").fetchall()[0][0]

    return by_turns(
        rounds, {"function": lambda: timed(function), "reading": lambda: timed(read)}
    )


def cache_rates(rounds, rows=20_000, piece=1670):
    """Calls of as many rows as DuckDB gives, with a cache and without."""
    results = {}
    for keys in (1, 200, 1000):
        arrow, kept = case(rows, keys)
        cache = aioli.columns.VerifierCache()

        def run(which, arrow=arrow):
            begin = time.perf_counter()
            for at in range(0, rows, piece):
                aioli.columns.verify(NAME, *(a.slice(at, piece) for a in arrow), threads=1, cache=which)
            return rows / (time.perf_counter() - begin)

        run(cache), run(cache)
        results[str(keys)] = by_turns(rounds, {"cache": lambda: run(cache), "none": lambda: run(False)})
        del kept
    return results


def table(record):
    """The record as docs/columns.md has it."""
    lines = ["| rows a second | C batch | columns | ratio |", "|---|---|---|---|"]
    for name, r in record["columns"].items():
        lines.append(f"| {name} | {r['batch']:,} | {r['columns']:,} | {r['ratio']:.0%} |")
    lines += ["", "| DuckDB, 200 keys, rows a second | |", "|---|---|"]
    names = {"function": "`aioli_verify` in SQL", "reading": "reading alone"}
    lines += [f"| {names[name]} | {rate:,} |" for name, rate in record["duckdb_rates"].items()]
    lines += ["", "| calls of 1,670 rows, one thread, rows a second | with a cache | without |", "|---|---|---|"]
    for keys, r in record["cache_rates"].items():
        lines.append(f"| {int(keys):,} key{'s' * (keys != '1')} | {r['cache']:,} | {r['none']:,} |")
    return "\n".join(lines) + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--json", type=Path)
    p.add_argument("--rows", type=int, default=100_000)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--commit", default="")
    p.add_argument("--note", default="", help="about the machine, to stand in the record")
    o = p.parse_args()
    threads = len(os.sched_getaffinity(0))
    record = {
        "what": "bindings/python/bench/columns.py: rows a second, upper quartiles of rounds by turns",
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "commit": o.commit, "note": o.note, "set": NAME, "rows": o.rows, "rounds": o.rounds, "threads": threads,
        "backend": aioli.backend(), "machine": platform.machine(), "python": platform.python_version(),
        "duckdb": duckdb.__version__, "pyarrow": pyarrow.__version__, "columns": {}, "duckdb_rows": o.rows,
    }  # fmt: skip
    good = True
    for keys in (1, 1000, o.rows):
        arrow, data = case(o.rows, keys)
        for n in sorted({1, threads}):
            rates = by_turns(o.rounds, {"batch": lambda: batch_rate(data, n), "columns": lambda: column_rate(arrow, n, None)})
            name, ratio = f"{keys:,} key{'s' * (keys > 1)}, {n} thread{'s' * (n > 1)}", rates["columns"] / rates["batch"]
            record["columns"][name] = {**{k: round(v) for k, v in rates.items()}, "ratio": round(ratio, 3)}
            good &= ratio >= LIMIT
            print(f"{name}: batch {rates['batch']:.0f}, columns {rates['columns']:.0f} rows a second, {ratio:.1%}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        record["duckdb_rates"] = {k: round(v) for k, v in duck(Path(folder), o.rows, o.rounds, threads).items()}
    print("DuckDB, 200 keys:", record["duckdb_rates"], flush=True)
    record["cache_rates"] = {
        k: {a: round(b) for a, b in v.items()} for k, v in cache_rates(o.rounds).items()
    }
    print("cache:", record["cache_rates"])
    if o.json:
        o.json.write_text(json.dumps(record, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
