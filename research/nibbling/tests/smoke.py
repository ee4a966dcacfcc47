# SPDX-License-Identifier: Apache-2.0
"""usage: nibbling.py AIOLI_NIBBLING LIBRARY JSON: runs the experiment roughly, and reads what it wrote and printed."""

import json
import pathlib
import re
import subprocess
import sys

SETS = ["MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5"]
ENTRIES = {
    "MAYO-1": (58, 8, 9, 64),
    "MAYO-2": (60, 18, 4, 64),
    "MAYO-3": (89, 10, 11, 96),
    "MAYO-5": (121, 12, 12, 128),
}  # v o k m


def main(program, library, path):
    def run(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)

    # All ways of computing agree, byte for byte: the program compares before it measures.
    done = run("--aioli", library, "--check")
    assert done.returncode == 0, done.stderr
    backends_and_more = int(re.fullmatch(r"checked: (\d+) comparisons, all agree\n", done.stdout).group(1))
    assert backends_and_more >= 4 * (5 * 2 + 4 * 16), done.stdout

    pathlib.Path(path).unlink(missing_ok=True)
    done = run("--aioli", library, "--rounds", "1", "--quick", "--json", path, "--commit", "smoke test")
    assert done.returncode == 0, done.stderr
    written = json.loads(pathlib.Path(path).read_text())
    assert written["header"]["commit"] == "smoke test" and written["header"]["quick"] is True

    seen = {(r["impl"], r["set"], r["backend"], r["op"]) for r in written["results"]}
    for name in SETS:
        for op in ("keygen", "sign", "verify"):
            for key in (("bit-sliced", name + "-r1b"), ("aioli", name + "-r1b"), ("aioli", name + "-r1")):
                assert (*key, "portable", op) in seen, (key, op)
                assert f"| portable | {name} |" in done.stdout

    for r in written["products"]:
        v, o, k, m = ENTRIES[r["set"][:6]]
        entries = v * (v + 1) // 2  # of P1
        macs = {
            "P1 O": entries * o * m,
            "P1 V^T": entries * k * m,
            "(P1 P2) S^T": (entries + v * o) * k * m,
            "V (P1 V^T)": v * k * k * m,
        }
        assert r["macs"] == macs[r["product"]], r
        assert 0 < r["min"] <= r["q1"] <= r["median"] <= r["q3"] and r["runs"] == 3, r
        if r["cycles_per_tick"] > 0:
            assert abs(r["macs_per_cycle"] * r["median"] * r["cycles_per_tick"] / r["macs"] - 1) < 1e-6, r
    ways = {(r["kernels"], r["backend"]) for r in written["products"]}
    assert {("bit-sliced", "portable"), ("nibble-sliced", "portable")} <= ways
    assert len(written["products"]) == len(ways) * 4 * 4

    for status, line in ((1, "--aioli " + path), (1, "--aioli " + library + " --core 100000"), (2, ""), (2, "--aioli"),
                         (2, "--fly"),
                         (2, "--aioli " + library + " --rounds 0")):  # fmt: skip
        wrong = run(*line.split())
        assert wrong.returncode == status and "aioli_nibbling: " in wrong.stderr, (line, wrong)


if __name__ == "__main__":
    main(*sys.argv[1:])
