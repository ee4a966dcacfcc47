# SPDX-License-Identifier: Apache-2.0
"""What the engines share: names of columns, and a batch of an engine with its statuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from . import columns
from ._algorithms import Algorithm, algorithm


@dataclass(frozen=True)
class Log:
    """How a log is laid out: its algorithm (a name) and its columns."""

    alg: str
    message: str = "message"
    signature: str = "signature"
    public_key: str = "public_key"
    status: str = "status"  #: the column to add, int8

    def verified(self, batch: Any, cache: Union[None, bool, columns.VerifierCache] = None) -> Any:
        """A RecordBatch or Table of pyarrow with the column of statuses. One thread: engines bring their own."""
        import pyarrow

        names = (self.message, self.signature, self.public_key)
        found = columns.verify_table(self.alg, batch, *names, threads=1, cache=cache)
        return batch.append_column(pyarrow.field(self.status, pyarrow.int8()), pyarrow.array(found))


def log(alg: Union[str, Algorithm], **names: str) -> Log:
    """The layout, its algorithm looked up now, on the driver. Raises AlgorithmError."""
    return Log(algorithm(alg).name, **names)
