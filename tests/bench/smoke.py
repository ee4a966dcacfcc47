# SPDX-License-Identifier: Apache-2.0
"""usage: smoke.py AIOLI_BENCH LIBRARY JSON: runs the harness without peers on two sets and reads what it wrote."""

import json
import pathlib
import subprocess
import sys

OPS = ["keygen", "expand_sk", "expand_pk", "sign", "sign_expanded", "verify", "verify_expanded"]
SETS = ["MAYO-2", "MAYO-2-r2"]


def main(bench, library, path):
    def run(*arguments):
        return subprocess.run([bench, *arguments], capture_output=True, text=True, check=False)

    pathlib.Path(path).unlink(missing_ok=True)
    done = run("--aioli", library, "--sets", ",".join(SETS), "--quick", "--json", path, "--commit", "smoke test")
    assert done.returncode == 0, done.stderr
    written = json.loads(pathlib.Path(path).read_text())

    header = written["header"]
    for key in ("date", "machine", "system", "compiler", "flags", "tick_unit", "library_version"):
        assert isinstance(header[key], str) and header[key], key
    assert header["commit"] == "smoke test" and header["quick"] is True and header["peers"] == {}
    assert header["tick_hz"] > 1e6

    seen = {}
    for r in written["results"]:
        assert r["impl"] == "aioli" and r["runs"] == 15, r
        assert 0 < r["min"] <= r["q1"] <= r["median"] <= r["q3"], r
        assert r["median_us"] > 0, r
        if r["cycles_per_tick"] is not None:
            assert 0 <= r["clock_spread"] < 1 and r["median_cycles"] > 0, r
        seen[r["set"], r["backend"], r["op"]] = r["median"]
    backends = {backend for _, backend, _ in seen}
    assert "portable" in backends
    assert set(seen) == {(s, b, op) for s in SETS for b in backends for op in OPS}, seen
    assert len(seen) == len(written["results"]), "a result appears twice"
    assert written["ratios"] == []
    batches = {(t["op"], t["threads"]) for t in written["throughput"]}
    assert len(batches) == len(written["throughput"]) and all(
        t["impl"] == "aioli" and t["rows"] == 100 and t["runs"] == 5 and 0 < t["min"] <= t["q1"] <= t["median"] <= t["q3"]
        for t in written["throughput"]
    ), written["throughput"]
    for work in ("sign", "verify"):
        for keys in ("one_key", "many_keys"):
            assert {(f"{work}_batch_{keys}", 1), (f"{work}_calls_{keys}", 1)} <= batches, batches
    for name in SETS:
        assert name in done.stdout
        # Signing contains the work of expanding the public matrices, which an expanded key saves.
        assert seen[name, "portable", "sign_expanded"] < seen[name, "portable", "sign"], seen

    # Sets that have nothing to do with each other take turns only when asked to.
    for more, turns in (([], "measuring MAYO-3 sign (1 in turns)"), (["--together"], "measuring all sign (2 in turns)")):
        done = run("--aioli", library, "--quick", "--sets", "MAYO-2,MAYO-3", "--ops", "sign", "--backends", "portable",
                   "--batch-rows", "0", *more)  # fmt: skip
        assert done.returncode == 0 and turns in done.stderr, done

    # Beside itself a library takes about the same time, and every operation is compared.
    done = run("--aioli", library, "--baseline", library, "--sets", "MAYO-2", "--backends", "portable", "--batch-rows", "0",
               "--rounds", "20", "--json", path)  # fmt: skip
    assert done.returncode == 0 and "the older build's median ticks divided by ours" in done.stdout, done
    written = json.loads(pathlib.Path(path).read_text())
    assert list(written["header"]["peers"]) == ["baseline"], written["header"]
    assert sorted(r["op"] for r in written["ratios"]) == sorted(OPS), written["ratios"]
    for r in written["ratios"]:
        assert (r["peer"], r["peer_set"], r["peer_backend"]) == ("baseline", "MAYO-2", "portable") and 0.5 < r["ratio"] < 2, r

    error = ["--aioli " + library + " --baseline " + path + " --sets MAYO-2",
             "--aioli " + library + " --sets MAYO-9", "--aioli " + path, "--aioli " + library + " --backends none",
             "--aioli " + library + " --interop-only --sets MAYO-2", "--aioli " + library + " --sets MAYO-2 --enforce --quick",
             "--aioli " + library + " --sodium " + library, "--aioli " + library + " --sets Ed25519",
             "--aioli " + library + " --core 100000 --sets MAYO-2", "--aioli " + library + " --liboqs ref=" + library]
    usage = ["", "--aioli", "--aioli " + library + " --rounds 0", "--aioli " + library + " --ops fly", "--unknown",
             "--aioli " + library + " --liboqs nonsense"]  # fmt: skip
    for status, lines in ((1, error), (2, usage)):
        for line in lines:
            wrong = run(*line.split())
            assert wrong.returncode == status and "aioli_bench: " in wrong.stderr, (line, wrong)


if __name__ == "__main__":
    main(*sys.argv[1:])
