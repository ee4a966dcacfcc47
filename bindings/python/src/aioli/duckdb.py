# SPDX-License-Identifier: Apache-2.0
"""DuckDB: a function of SQL, and relations verified in large pieces, which is faster. Needs the extra aioli[duckdb].

aioli.duckdb.register(connection)
connection.sql("SELECT count(*) FROM 'log.parquet' WHERE aioli_verify('MAYO-2', message, signature, public_key) <> 0")

verified = aioli.duckdb.verify(connection.sql("FROM 'log.parquet'"), "MAYO-2")      # a column more, named status
connection.cursor().sql("SELECT count(*) FROM verified WHERE status <> 0")
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional, Union

from . import columns
from ._algorithms import Algorithm
from ._engine import log


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


def verify(
    relation: Any,
    alg: Union[str, Algorithm],
    message: str = "message",
    signature: str = "signature",
    public_key: str = "public_key",
    status: str = "status",
    *,
    rows: int = 65_536,
    threads: Optional[int] = None,
    cache: Union[None, bool, columns.VerifierCache] = None,
) -> Any:
    """A pyarrow.RecordBatchReader of the relation with a column of statuses (int8), verified `rows` at a time as it is read.

    It can be queried by DuckDB in turn, once, by another cursor: that of the relation is still reading. Raises AlgorithmError;
    a column that is not there raises when it is read."""
    import pyarrow

    layout = log(alg, message=message, signature=signature, public_key=public_key, status=status)
    reader = relation.to_arrow_reader(rows)
    schema = reader.schema.append(pyarrow.field(status, pyarrow.int8()))

    def batches() -> Iterator[Any]:
        for batch in reader:
            yield layout.verified(batch, cache, threads)

    return pyarrow.RecordBatchReader.from_batches(schema, batches())
