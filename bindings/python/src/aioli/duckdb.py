# SPDX-License-Identifier: Apache-2.0
"""A function for DuckDB, over vectors of rows. Needs the extra aioli[duckdb].

Once it is registered, SQL verifies:

    aioli.duckdb.register(connection)
    connection.sql("SELECT count(*) FROM 'log.parquet' WHERE aioli_verify('MAYO-2', message, signature, public_key) <> 0")
"""

from __future__ import annotations

from typing import Any, Union

from . import columns


def register(connection: Any, name: str = "aioli_verify", *, cache: Union[None, bool, columns.VerifierCache] = None) -> None:
    """Makes `name(set, message, signature, public_key)` known: VARCHAR and three BLOBs in, a TINYINT out.

    It is 0 for a good signature, the negative status of the library otherwise, NULL where an argument is NULL. The names of sets
    that there are not raise. DuckDB hands over about two thousand rows at a time, so that keys outlive a call only in the cache;
    it runs its own threads, and each call uses one."""
    import pyarrow
    from duckdb import sqltypes as types

    def verify(names: Any, message: Any, signature: Any, public_key: Any) -> Any:
        rows = len(names)
        different = names.unique().to_pylist()
        if different == [None] or rows == 0:
            return pyarrow.nulls(rows, pyarrow.int8())
        status = None
        for one in different:
            if one is None:
                continue
            found = pyarrow.array(columns.verify(one, message, signature, public_key, threads=1, cache=cache))
            null = pyarrow.compute.equal(found, columns.NULL_ROW)
            found = pyarrow.compute.if_else(null, pyarrow.scalar(None, pyarrow.int8()), found)
            if different == [one]:
                return found
            here = pyarrow.compute.fill_null(pyarrow.compute.equal(names, one), False)
            status = pyarrow.compute.if_else(here, found, status if status is not None else pyarrow.nulls(rows, pyarrow.int8()))
        return status

    import pyarrow.compute

    arguments = [types.VARCHAR, types.BLOB, types.BLOB, types.BLOB]
    connection.create_function(name, verify, arguments, types.TINYINT, type="arrow", null_handling="special")
