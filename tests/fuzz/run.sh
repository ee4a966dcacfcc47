#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds every harness with libFuzzer and runs each for FUZZ_SECONDS (600), on JOBS processes.  What is found stays in
# build/fuzz/findings; corpora grow in build/fuzz/corpus from run to run.  Names of harnesses as arguments run only those.
# FUZZ_PRESET: a preset of CMakePresets.json with AIOLI_FUZZ, whose build is used in place of build/fuzz.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/${FUZZ_PRESET:-fuzz}
seconds=${FUZZ_SECONDS:-600}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

if [ -n "${FUZZ_PRESET:-}" ]; then
  cd "$root"
  cmake --preset "$FUZZ_PRESET"
else # debug information and some optimization; what the sanitizers need is set by tests/fuzz/CMakeLists.txt
  cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER="${FUZZ_CC:-clang-19}" -DCMAKE_CXX_COMPILER="${FUZZ_CXX:-clang++-19}" \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DAIOLI_BUILD_TESTS=ON -DAIOLI_FUZZ=ON
fi
cmake --build "$build" --target aioli_fuzzers --parallel "$jobs"

failed=
ran=0
for program in "$build"/tests/fuzz/fuzz_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  name=$(basename "$program")
  if [ $# -gt 0 ]; then
    case " $* " in
      *" $name "* | *" ${name#fuzz_} "*) ;;
      *) continue ;;
    esac
  fi
  corpus=$build/corpus/$name
  findings=$build/findings/$name
  mkdir -p "$corpus" "$findings"
  "$program" --write-seeds="$corpus"
  committed=$root/tests/fuzz/corpus/$name
  [ -d "$committed" ] || committed=
  ran=$((ran + 1))
  echo "== $name, $seconds seconds"
  # shellcheck disable=SC2086 # nothing where there is no committed corpus
  if ! "$program" -max_total_time="$seconds" -fork="$jobs" -timeout=60 -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" ${committed:+"$committed"}; then
    failed="$failed $name"
  fi
done
if [ -n "$failed" ]; then
  echo "failed:$failed; the inputs are in $build/findings" >&2
  exit 1
fi
if [ "$ran" -eq 0 ]; then
  echo "no fuzzer of that name" >&2
  exit 1
fi
echo "nothing found by $ran fuzzers"
