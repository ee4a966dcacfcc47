# SPDX-License-Identifier: Apache-2.0
"""Ray, Spark and aioli-verify-log on this machine. What an engine needs and is not there fails: nothing is skipped."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import make_log
import pytest
from pyarrow import parquet

ROWS, SET = 4000, "MAYO-2"
BAD = list(make_log.bad_ids(ROWS))
ROOT = Path(__file__).resolve().parents[4]
PROGRAM = Path(sys.executable).with_name("aioli-verify-log")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parquet") / "log"
    make_log.make(folder, ROWS, 10, 400)
    return folder


@pytest.fixture(scope="module")
def spark():
    if shutil.which("java") is None:
        pytest.fail("Spark needs Java, which is not here: tools/setup ray installs it")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_spark(spark, log):
    import aioli.spark

    verified = aioli.spark.verify(spark.read.parquet(str(log)), SET)
    assert verified.schema["status"].dataType.simpleString() == "tinyint"
    assert sorted(row.id for row in verified.where("status <> 0").select("id").collect()) == BAD
    assert verified.where("status = 0").count() == ROWS - len(BAD)
    with pytest.raises(aioli.AlgorithmError):
        aioli.spark.verify(verified, "OLIVE-9")


def test_ray(log):
    import aioli.ray
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        dataset = ray.data.read_parquet(str(log))
        rows = aioli.ray.verify(dataset, SET, actors=1, cache_bytes=64 << 20, keep=["id", "status"]).take_all()
        assert sorted(r["id"] for r in rows) == list(range(ROWS))
        assert sorted(r["id"] for r in rows if r["status"] != 0) == BAD
        with pytest.raises(aioli.AlgorithmError):
            aioli.ray.verify(dataset, "OLIVE-9")
    finally:
        ray.shutdown()


def run(*arguments, cwd=None):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def test_the_command_and_its_errors(log, tmp_path):
    code, out, err = run(PROGRAM, log, tmp_path / "out", "--set", SET)
    assert (code, err[-300:] if code == 2 else "") == (1, "")
    assert out.startswith(f"{ROWS} rows: {ROWS - len(BAD)} good, {len(BAD)} bad; ")
    bad = parquet.read_table(tmp_path / "out/bad.parquet")
    assert bad["id"].to_pylist() == BAD
    assert set(bad.column_names) == {"id", "message", "signature", "public_key", "status"}
    assert json.loads((tmp_path / "out/summary.json").read_text())["statuses"]["-1"]["rows"] == len(BAD)
    # Once more: nothing is left to verify, and the answer is the same.
    code, again, _ = run(PROGRAM, log, tmp_path / "out", "--set", SET)
    assert (code, again) == (1, out)
    for arguments, said in (
        ([tmp_path / "nothing", tmp_path / "o", "--set", SET], "no Parquet file"),
        ([log, tmp_path / "o", "--set", "OLIVE-9"], "there is no algorithm 'OLIVE-9'"),
        ([log, tmp_path / "o", "--set", SET, "--block-rows", "0"], "--block-rows"),
        ([log, tmp_path / "out", "--set", "MAYO-1"], "belongs to another job"),
        ([log / "part-000.parquet", tmp_path / "out", "--set", SET], "belongs to another job"),
        ([log, log, "--set", SET], "is not empty"),
    ):
        code, _, err = run(PROGRAM, *arguments)
        assert code == 2 and said in err and "Traceback" not in err


def test_the_commands_of_the_page(tmp_path):
    page = (ROOT / "docs/columns.md").read_text()
    blocks = re.findall(r"^    \$ (.*)$", page, flags=re.M)
    assert len(blocks) >= 2
    assert f"of which {len(make_log.bad_ids(10**6))} are bad" in page
    (tmp_path / "bindings").symlink_to(ROOT / "bindings")
    for command in blocks:
        command = command.replace("1000000", "3000").replace("python3 ", f"{sys.executable} ")
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"})  # fmt: skip
        assert done.returncode == (1 if "verify-log" in command else 0), done.stderr[-2000:]
    assert parquet.read_table(tmp_path / "verified/bad.parquet")["id"].to_pylist() == list(make_log.bad_ids(3000))
