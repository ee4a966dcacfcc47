# SPDX-License-Identifier: Apache-2.0
"""The function for DuckDB, over a log in Parquet that is made from nothing."""

import subprocess
import sys
from pathlib import Path

import aioli.duckdb
import duckdb
import pytest

ROWS = 5000
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    folder = tmp_path_factory.mktemp("log")
    command = [sys.executable, HERE / "engines/make_log.py", folder, str(ROWS), "20", "--distinct", "500"]
    made = subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True)
    assert made.stdout == f"{ROWS} rows under 20 keys, 5 of them bad\n"
    return f"{folder}/*.parquet"


BAD = [17, 1026, 2035, 3044, 4053]


@pytest.mark.parametrize("cache", [None, True, False])
def test_the_function(log, cache):
    with duckdb.connect() as con:
        aioli.duckdb.register(con, cache=cache)
        query = f"SELECT id FROM '{log}' WHERE aioli_verify('MAYO-2', message, signature, public_key) <> 0 ORDER BY id"
        assert [row[0] for row in con.sql(query).fetchall()] == BAD
        status = f"SELECT aioli_verify('MAYO-2', message, signature, public_key) FROM '{log}' WHERE id = 17"
        assert con.sql(status).fetchall() == [(-1,)]
        # Nulls are nulls, other lengths are their rows', sets may differ from row to row.
        sets = f"""SELECT id, aioli_verify(CASE id % 3 WHEN 0 THEN 'MAYO-2' WHEN 1 THEN 'MAYO-1' END,
                   message, CASE id WHEN 3 THEN NULL ELSE signature END, public_key) FROM '{log}' WHERE id < 9 ORDER BY id"""
        assert con.sql(sets).fetchall() == [(0, 0), (1, -3), (2, None), (3, None), (4, -3), (5, None), (6, 0), (7, -3), (8, None)]
        empty = f"SELECT aioli_verify(NULL, message, signature, public_key) FROM '{log}' WHERE id < 2"
        assert con.sql(empty).fetchall() == [(None,), (None,)]
        with pytest.raises(duckdb.Error, match="there is no algorithm 'OLIVE-9'"):
            con.sql(f"SELECT aioli_verify('OLIVE-9', message, signature, public_key) FROM '{log}'").fetchall()
