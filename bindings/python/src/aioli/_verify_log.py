# SPDX-License-Identifier: Apache-2.0
"""The command aioli-verify-log: a Parquet data set verified on a Ray cluster, or on this machine.

OUTPUT holds statuses/ (a row of id and status for every row of the log), bad.parquet (the rows whose status is not 0, whole),
job.json, which says what log this is about, and summary.json, which is written last. The same command goes on with a run that was
interrupted: rows whose statuses are there are not verified again. Exit status 0: every row is good; 1: some are not; 2: it could
not be done.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import Any, Optional

from ._engine import Log, log
from ._errors import AioliError
from .columns import text_of


class Failed(Exception):
    """What is said before exit status 2."""


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="aioli-verify-log", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("log", type=Path, help="a Parquet file, or a directory of them")
    p.add_argument("output", type=Path, help="a directory; every machine of the cluster has to see both")
    p.add_argument("--set", required=True, help="the parameter set, MAYO-2 for instance")
    p.add_argument("--id", default="id", help="the column that tells rows apart; no two are equal, none is null")
    for name in ("message", "signature", "public-key"):
        p.add_argument(f"--{name}", default=name.replace("-", "_"), help="the column's name (%(default)s)")
    p.add_argument("--address", help="of a Ray cluster; without it one is made on this machine and ended again")
    p.add_argument("--block-rows", type=int, default=25_000, help="rows that are redone after a failure (%(default)s)")
    p.add_argument("--no-checkpoint", action="store_true", help="forget what was done before: for tests, which see it fail")
    return p


def files_of(path: Path) -> list[Path]:
    found = [path] if path.is_file() else sorted(path.rglob("*.parquet"))
    if not found:
        raise Failed(f"{path}: no Parquet file")
    return found


def rows_of(path: Path) -> int:
    from pyarrow import parquet

    return sum(parquet.ParquetFile(f).metadata.num_rows for f in files_of(path))


def claim(options: argparse.Namespace, layout: Log) -> None:
    """Writes down what OUTPUT is about. Raises Failed if it is about something else: its statuses would count for this log."""
    files = [[f.name, f.stat().st_size, f.stat().st_mtime_ns] for f in files_of(options.log)]
    job = {**asdict(layout), "id": options.id, "log": str(options.log.resolve()), "files": files}
    path = options.output / "job.json"
    if path.exists():
        if json.loads(path.read_text()) != job:
            raise Failed(f"{options.output} belongs to another job, or the log has changed since: take another directory")
        return
    if any(p.suffix != ".new" for p in options.output.iterdir()):
        raise Failed(f"{options.output} is not empty, and has no job.json: take another directory")
    replace(path, lambda new: Path(new).write_text(json.dumps(job, indent=1) + "\n"))


def verify(options: argparse.Namespace, layout: Log, rows: int) -> None:
    """Runs the job: writes statuses/, block after block."""
    import ray
    from ray.data import DataContext
    from ray.data.checkpoint import CheckpointConfig

    from .ray import verify as verified

    context = DataContext.get_current()
    context.enable_progress_bars = sys.stderr.isatty()
    # The other reader merges blocks, so that little would be there after a failure.
    context.use_datasource_v2 = False
    context.checkpoint_config = None
    if not options.no_checkpoint:
        context.checkpoint_config = CheckpointConfig(
            id_column=options.id,
            checkpoint_path=str((options.output / "checkpoint").resolve()),
            delete_checkpoint_on_success=False,
        )
    # Fractions leave a processor for the actors that filter what was done before, and no step asks for a whole one: else a
    # small cluster stops.
    cpus = 0.25
    blocks = max(1, -(-rows // options.block_rows))
    names = [options.id, layout.message, layout.signature, layout.public_key]
    log_files = [str(f.resolve()) for f in files_of(options.log)]
    dataset = ray.data.read_parquet(log_files, columns=names, override_num_blocks=blocks, num_cpus=cpus)
    resources: Any = ray.cluster_resources
    nodes = max(1, int(resources().get("CPU", 1)))
    columns = [layout.message, layout.signature, layout.public_key, layout.status]
    dataset = verified(dataset, layout.alg, *columns, actors=(1, nodes), cpus=cpus, keep=[options.id, layout.status])
    dataset.write_parquet(str((options.output / "statuses").resolve()), mode="append", ray_remote_args={"num_cpus": cpus})


def summarize(options: argparse.Namespace, layout: Log, rows: int, seconds: float) -> dict[str, Any]:
    """Checks that every row has one status; writes bad.parquet and the summary."""
    import pyarrow
    from pyarrow import compute, dataset, parquet

    statuses = dataset.dataset(str(options.output / "statuses"), format="parquet").to_table()
    ids, status = statuses[options.id], statuses[layout.status]
    if ids.null_count or compute.count_distinct(ids).as_py() != rows or len(ids) != rows:
        distinct = compute.count_distinct(ids).as_py()
        raise Failed(f"{rows} rows in the log, {len(ids)} statuses of {distinct} ids: ids that come twice, or work done twice")
    bad = statuses.filter(compute.not_equal(status, 0)).sort_by(options.id)
    source = dataset.dataset([str(f) for f in files_of(options.log)], format="parquet")
    whole = source.to_table(filter=compute.field(options.id).isin(bad[options.id].combine_chunks()))
    whole = whole.unify_dictionaries().sort_by(options.id)
    if not whole[options.id].combine_chunks().equals(bad[options.id].combine_chunks()):
        raise Failed(f"{len(bad)} bad rows, of which the log has {len(whole)}: it was changed meanwhile")
    whole = whole.append_column(pyarrow.field(layout.status, pyarrow.int8()), bad[layout.status])
    replace(options.output / "bad.parquet", lambda path: parquet.write_table(whole, path))
    by_status = {str(pair["values"]): pair["counts"] for pair in compute.value_counts(status).to_pylist()}
    summary = {
        "log": str(options.log),
        "set": layout.alg,
        "rows": rows,
        "good": int(by_status.get("0", 0)),
        "bad": len(bad),
        "statuses": {s: {"rows": n, "text": text_of(int(s))} for s, n in sorted(by_status.items())},
        "seconds_of_this_run": round(seconds, 3),
        "pyarrow": pyarrow.__version__,
    }
    replace(options.output / "summary.json", lambda path: Path(path).write_text(json.dumps(summary, indent=1) + "\n"))
    return summary


def replace(path: Path, write: Any) -> None:
    """The file is there whole, or as it was."""
    new = path.with_name(path.name + ".new")
    write(new)
    os.replace(new, path)


def main(arguments: Optional[list[str]] = None) -> int:
    options = parser().parse_args(arguments)
    try:
        layout = log(options.set, message=options.message, signature=options.signature, public_key=options.public_key)
        if options.block_rows < 1:
            raise Failed("--block-rows: one is the least")
        rows = rows_of(options.log)
        options.output.mkdir(parents=True, exist_ok=True)
        claim(options, layout)
        try:
            import ray
        except ImportError:
            raise Failed("Ray is not here: pip install aioli[ray]") from None
        started = time.monotonic()
        ray.init(
            address=options.address or "local", include_dashboard=False if not options.address else None, log_to_driver=False
        )
        try:
            verify(options, layout, rows)
        finally:
            ray.shutdown()
        summary = summarize(options, layout, rows, time.monotonic() - started)
    except (Failed, AioliError, OSError) as error:
        print(f"aioli-verify-log: {error}", file=sys.stderr)
        return 2
    except Exception:  # an engine's own: status 1 would say that rows are bad
        traceback.print_exc()
        return 2
    print(f"{summary['rows']} rows: {summary['good']} good, {summary['bad']} bad; {options.output}/bad.parquet, summary.json")
    return 0 if summary["bad"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
