#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rehearse_gpu_run.sh PYTHON ROOT BENCH TEST: `make gpu` as far as it goes on the fake driver, which LD_LIBRARY_PATH names; with a
# compute-sanitizer that only pretends.  Its record has to be complete, and what fails has to be said.
set -eu
python=$("$1" -c 'import sys; print(sys.executable)')  # itself: what stands for it may want PATH
root=$2
bench=$3
test=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
[ "$2" != racecheck ] || [ ! -e "$PRETEND_RACE" ] || exit 9
shift 4
exec "$@" -tc=none
END
chmod +x "$work/bin/compute-sanitizer"
PATH=$work/bin:$PATH
export PATH PRETEND_RACE="$work/race"
export AIOLI_BATCH_QUICK=1
mkdir "$work/programs"
ln -s "$bench" "$work/programs/aioli_gpu_bench"
# Code that the fake driver does not know: the naive port is missed, and that is noted.
printf 'fake' >"$work/programs/naive_MAYO_2.ptx"

rehearse() { "$python" "$root/tools/gpu_run" --quick --programs "$work/programs" --tests "$test" --results "$work/results"; }
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
rehearse || fail "a rehearsal fails"
record=$(ls "$work"/results/*.json)
[ -s "${record%.json}.svg" ] || fail "there is no chart"
"$python" - "$record" <<'END' || fail "the record is not complete"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["header"]["device"] == "fake device 0" and d["header"]["commit"] and d["header"]["quick"] is True
assert d["header"]["compute_sanitizer"] == {"memcheck": "passed", "racecheck": "passed", "synccheck": "passed"}
assert any("naive" in note for note in d["header"]["notes"])
seen = {(r["where"], r["op"], r["rows"]) for r in d["results"]}
for where in ("device", "processor"):
    for op in ("keygen", "sign, distinct keys", "verify, distinct keys", "sign, one key", "verify, one key"):
        assert (where, op, 9) in seen or (where, op, 1) in seen, (where, op)
assert d["summary"]["MAYO-2"]["triples_per_second_device"] > 0
END
touch "$work/race"
if rehearse; then fail "a race goes unnoticed"; fi
rm "$work/race" "$work/bin/compute-sanitizer"
if PATH=$work/bin rehearse 2>"$work/said"; then fail "a machine without compute-sanitizer passes"; fi
grep -q "tools/setup gpu installs it" "$work/said" || fail "nobody is told where compute-sanitizer comes from"
if AIOLI_FAKE_CUDA_DEVICES=0 rehearse 2>"$work/said"; then fail "a machine without a device passes"; fi
grep -q "no CUDA device: NVIDIA's driver says CUDA_ERROR_NO_DEVICE" "$work/said" || fail "nobody is told that there is no device"
mkdir "$work/broken"
: >"$work/broken/libcuda.so.1"
if LD_LIBRARY_PATH=$work/broken rehearse 2>"$work/said"; then fail "a machine without a driver passes"; fi
grep -q "no CUDA device: NVIDIA's driver cannot be opened" "$work/said" || fail "nobody is told that there is no driver"
echo "rehearse_gpu_run: as promised"
