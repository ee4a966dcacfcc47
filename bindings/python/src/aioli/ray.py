# SPDX-License-Identifier: Apache-2.0
"""Signatures over datasets of Ray. Needs the extra aioli[ray].

    verified = aioli.ray.verify(ray.data.read_parquet("log"), "MAYO-2", keep=["id", "status"])
    verified.write_parquet("statuses")

On one machine the columns directly, or DuckDB, are several times as fast: the engine's own work is most of it (docs/columns.md).
"""

from __future__ import annotations

from typing import Any, Optional, Union

from ._algorithms import Algorithm
from ._engine import Log, log
from .columns import VerifierCache


class Verify:
    """An actor of Ray Data, which can keep expanded keys from batch to batch."""

    def __init__(self, layout: Log, cache_bytes: Optional[int], keep: Optional[list[str]]) -> None:
        self._layout = layout
        self._keep = keep
        self._cache = VerifierCache(cache_bytes) if cache_bytes is not None else None

    def __call__(self, batch: Any) -> Any:
        verified = self._layout.verified(batch, self._cache)
        return verified if self._keep is None else verified.select(self._keep)


def verify(
    dataset: Any,
    alg: Union[str, Algorithm],
    message: str = "message",
    signature: str = "signature",
    public_key: str = "public_key",
    status: str = "status",
    *,
    actors: Union[int, tuple[int, int]] = (1, 64),
    cpus: float = 1,
    batch_rows: Optional[int] = 8192,
    cache_bytes: Optional[int] = None,
    keep: Optional[list[str]] = None,
) -> Any:
    """The dataset with a column of statuses (int8): 0, a negative status of the library, or columns.NULL_ROW.

    actors: how many, or the least and the most; each has one thread, a cache of its own if `cache_bytes` is given, and `cpus` of
    Ray's processors. An actor that dies is started anew, and its batches are verified again. keep: the columns to go
    on with, the status among them; keys and signatures need not travel further. Raises AlgorithmError at once."""
    from ray.data import ActorPoolStrategy

    layout = log(alg, message=message, signature=signature, public_key=public_key, status=status)
    least, most = (actors, actors) if isinstance(actors, int) else actors
    return dataset.map_batches(
        Verify,
        fn_constructor_args=(layout, cache_bytes, keep),
        batch_format="pyarrow",
        batch_size=batch_rows,
        zero_copy_batch=True,
        num_cpus=cpus,
        compute=ActorPoolStrategy(min_size=least, max_size=most),
    )
