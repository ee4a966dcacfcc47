# SPDX-License-Identifier: Apache-2.0
"""usage: ray_faults.py [--rows 200000] [--keys 1000]: aioli-verify-log on a cluster that fails, and exactly once all the same.

Three nodes of one processor each (ray.cluster_utils.Cluster). At 40 % of the rows the process of a verifying actor is killed by
its number, and a node is removed without grace; at 60 % the driver is killed, and started anew. Then every id has one status and
the bad rows are those that were planted. The same with a driver that keeps no checkpoints has to fail: it writes ids twice.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aioli.columns
import make_log
from pyarrow import dataset, parquet

LIMIT = 300  # seconds for one run


def say(text):
    print(f"[{time.monotonic() - START:6.1f} s] {text}", flush=True)


def written(output):
    """Rows of statuses that are there whole."""
    rows = 0
    for file in (output / "statuses").glob("*.parquet"):
        try:
            rows += parquet.ParquetFile(file).metadata.num_rows
        except (OSError, ValueError):  # being written
            pass
    return rows


def actors(raylets):
    """Process numbers of actors that verify, children of these raylets."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            title = (process / "cmdline").read_bytes()
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if b"MapBatches(Verify)" in title and parent in raylets:
            found.append(int(process.name))
    return found


class Driver:
    def __init__(self, log, output, address, *options):
        program = Path(sys.executable).with_name("aioli-verify-log")
        command = [program, log, output, "--set", "MAYO-2", "--address", address, "--block-rows", "5000", *options]
        self.errors = open(output.with_suffix(".log"), "ab")
        self.process = subprocess.Popen([str(c) for c in command], stdout=self.errors, stderr=self.errors, start_new_session=True)
        self.output = output

    def until(self, rows):
        """Waits until so many rows are written."""
        end = time.monotonic() + LIMIT
        while written(self.output) < rows:
            if self.process.poll() is not None:
                raise SystemExit(f"the driver ended at {written(self.output)} rows:\n" + self.text())
            if time.monotonic() > end:
                raise SystemExit(f"no {rows} rows after {LIMIT} s:\n" + self.text())
            time.sleep(0.1)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def wait(self):
        try:
            return self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()
            raise SystemExit(f"the driver took more than {LIMIT} s:\n" + self.text()) from None

    def text(self):
        return self.output.with_suffix(".log").read_text(errors="replace")[-4000:]


def check(condition, text):
    if not condition:
        raise SystemExit("ray_faults: not so: " + text)
    say("so: " + text)


def main(options, folder):
    from ray.cluster_utils import Cluster

    log = folder / "log"
    make_log.make(log, options.rows, options.keys, 20_000)
    table = dataset.dataset(str(log), format="parquet").to_table()
    begin = time.perf_counter()
    aioli.columns.verify_table("MAYO-2", table, threads=1)
    alone = options.rows / (time.perf_counter() - begin)
    del table
    say(f"{options.rows} rows; one thread without an engine verifies {alone:.0f} rows a second")

    cluster = Cluster(
        initialize_head=True, head_node_args=dict(num_cpus=1, object_store_memory=300 << 20, include_dashboard=False)
    )
    try:
        nodes = [cluster.add_node(num_cpus=1, object_store_memory=300 << 20) for _ in range(2)]
        raylets = lambda: {n.all_processes["raylet"][0].process.pid for n in cluster.list_all_nodes()}  # noqa: E731
        say("three nodes")

        output = folder / "output"
        begin = time.monotonic()
        driver = Driver(log, output, cluster.address)
        driver.until(int(0.4 * options.rows))
        victims = actors(raylets())
        check(len(victims) > 0, f"{written(output)} rows are written, {len(victims)} actors verify")
        os.kill(victims[0], signal.SIGKILL)
        cluster.remove_node(nodes[0], allow_graceful=False)
        say(f"killed the actor {victims[0]}, removed a node")
        driver.until(int(0.6 * options.rows))
        before = written(output)
        driver.kill()
        say(f"killed the driver at {before} rows")
        status = Driver(log, output, cluster.address)
        code = status.wait()
        seconds = time.monotonic() - begin
        check(code == 1, f"the second driver ends with 1, some rows being bad: {code}\n{status.text() if code != 1 else ''}")
        statuses = dataset.dataset(str(output / "statuses"), format="parquet").to_table().to_pydict()
        check(sorted(statuses["id"]) == list(range(options.rows)), "every id has exactly one status")
        planted = list(make_log.bad_ids(options.rows))
        bad = sorted(i for i, s in zip(statuses["id"], statuses["status"]) if s != 0)
        check(bad == planted, f"the bad rows are the {len(planted)} that were planted")
        check(parquet.read_table(output / "bad.parquet")["id"].to_pylist() == planted, "bad.parquet has them")
        summary = json.loads((output / "summary.json").read_text())
        check((summary["rows"], summary["bad"]) == (options.rows, len(planted)), "the summary counts them")
        rate = options.rows / seconds
        say(
            f"{rate:.0f} rows a second end to end, with failures and a restart; {rate / alone:.1%} of what one thread verifies"
        )

        forgetful = folder / "forgetful"
        driver = Driver(log, forgetful, cluster.address, "--no-checkpoint")
        driver.until(int(0.2 * options.rows))
        driver.kill()
        before = written(forgetful)
        again = Driver(log, forgetful, cluster.address, "--no-checkpoint")
        check(
            again.wait() == 2 and "ids that come twice" in again.text(),
            f"without checkpoints {before} rows come twice, and it is seen",
        )
    finally:
        cluster.shutdown()
    say("ray_faults: all as it should be")


START = time.monotonic()
if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--rows", type=int, default=200_000)
    p.add_argument("--keys", type=int, default=1000)
    with tempfile.TemporaryDirectory() as folder:
        main(p.parse_args(), Path(folder))
