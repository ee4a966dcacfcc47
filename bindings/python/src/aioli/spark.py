# SPDX-License-Identifier: Apache-2.0
"""Signatures over DataFrames of PySpark, by mapInArrow. Needs the extra aioli[spark], and Java.

    verified = aioli.spark.verify(spark.read.parquet("log"), "MAYO-2")
    verified.where("status <> 0").show()

A worker that dies is started anew by Spark where it may retry (`local[2,4]`, not `local[2]`); what was written before a driver
died is written again, so that a sink should overwrite, not append.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Union

from ._algorithms import Algorithm
from ._engine import log


def verify(
    frame: Any,
    alg: Union[str, Algorithm],
    message: str = "message",
    signature: str = "signature",
    public_key: str = "public_key",
    status: str = "status",
) -> Any:
    """The DataFrame with a column of statuses (tinyint): 0, a negative status of the library, or columns.NULL_ROW.

    Raises AlgorithmError at once; a column that is not there or of another type fails the job."""
    from pyspark.sql.types import ByteType, StructField, StructType

    layout = log(alg, message=message, signature=signature, public_key=public_key, status=status)

    def verified(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield layout.verified(batch)

    schema = StructType([*frame.schema.fields, StructField(status, ByteType())])
    return frame.mapInArrow(verified, schema)
