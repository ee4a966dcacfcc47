# SPDX-License-Identifier: Apache-2.0
"""usage: make_log.py DIRECTORY ROWS KEYS [--distinct N] [--set MAYO-2]: a log in Parquet, from nothing; every 1009th row is bad.

Columns: id, message, signature, public_key. Of N distinct signatures (all, if not given) the rows are made by turns, so that a
log of 10^6 rows for a test takes no longer to make than to verify. Prints the ids of the bad rows' rule: id % 1009 == 17.
"""

import argparse
from pathlib import Path

import aioli
import aioli.columns
import numpy
import pyarrow
from pyarrow import parquet

EVERY, FIRST = 1009, 17


def bad_ids(rows):
    return range(FIRST, rows, EVERY)


def make(directory, rows, keys, distinct=None, name="MAYO-2", files=8):
    alg = aioli.algorithm(name)
    distinct = min(distinct or rows, rows)
    secret = [aioli.SigningKey.generate(name) for _ in range(keys)]
    messages = pyarrow.array([f"row {i}".encode() for i in range(distinct)])
    whose = pyarrow.array(numpy.arange(distinct, dtype=numpy.int32) % keys)
    column = pyarrow.DictionaryArray.from_arrays(whose, pyarrow.array([key.to_bytes() for key in secret]))
    signatures = aioli.columns.sign(name, messages, column)
    signatures.statuses.raise_first()
    public = pyarrow.array([bytes(key.public_key) for key in secret])
    directory.mkdir(parents=True, exist_ok=True)
    edges = [rows * i // files for i in range(files + 1)]
    for number, (begin, end) in enumerate(zip(edges, edges[1:])):
        ids = numpy.arange(begin, end)
        rows_of = ids % distinct
        part = numpy.asarray(signatures)[rows_of]
        part[ids % EVERY == FIRST, 5] ^= 1
        table = pyarrow.table(
            {
                "id": ids,
                "message": messages.take(pyarrow.array(rows_of)),
                "signature": pyarrow.FixedSizeBinaryArray.from_buffers(
                    pyarrow.binary(alg.signature_bytes), len(ids), [None, pyarrow.py_buffer(part)]
                ),
                "public_key": pyarrow.DictionaryArray.from_arrays(whose.take(pyarrow.array(rows_of)), public),
            }
        )
        parquet.write_table(table, directory / f"part-{number:03}.parquet", row_group_size=50_000)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("directory", type=Path)
    p.add_argument("rows", type=int)
    p.add_argument("keys", type=int)
    p.add_argument("--distinct", type=int)
    p.add_argument("--set", default="MAYO-2")
    o = p.parse_args()
    make(o.directory, o.rows, o.keys, o.distinct, o.set)
    print(f"{o.rows} rows under {o.keys} keys, {len(bad_ids(o.rows))} of them bad")
