#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench/run.sh [--quick] [--no-peers] [--interop-only] [--uov] [--limits] [option of aioli_bench...]
#
# Fetches and builds the peers, builds this library and the harness with optimization, checks that the peers and we understand
# each other, measures, prints the tables, writes build/bench.json and draws build/bench.svg.  docs/benchmarks.md explains the
# figures.
#
# Options can also be given in BENCH_FLAGS: make bench BENCH_FLAGS=--quick
#
#   --quick         a rough run of seconds
#   --no-peers      measure our own operations only; nothing is fetched
#   --interop-only  only the check against the peers
#   --uov           only how much faster than liboqs' AVX2 code the sets of UOV of round 2 are: minutes
#   --beside        only MAYO, ML-DSA-44 and Ed25519, all in turns: the record behind the README's picture; half a minute
#   --limits        instead of all that, every operation of MAYO's round 3 beside the least time that its instructions can take
#                   on this machine, and build/limits.json
#   --nibbling      instead of all that, the experiment of "Nibbling MAYO": tables in Markdown, and build/nibbling.json
#
# Environment: AIOLI_BENCH_DIR (default build) is where everything is made; CC and CXX choose the compilers; AIOLI_SODIUM is the
# file of libsodium if it is not where systems put it.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
dir=${AIOLI_BENCH_DIR:-$root/build}
peers=yes
chart=yes
variants="avx2 ref+aesni ref" # each goes to the front
program=bench
json=$dir/bench.json

say() { printf 'bench: %s\n' "$*" >&2; }
die() {
  say "error: $*"
  exit 1
}

# shellcheck disable=SC2086 # options are words
set -- ${BENCH_FLAGS:-} "$@"

# Our own options are taken out, the others are passed on.
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in
    --no-peers) peers=no ;;
    --uov)
      variants=avx2
      chart=no # it has MAYO only
      sets=
      for form in '' -pkc -pkc-skc; do
        sets=$sets${sets:+,}UOV-Is$form,UOV-Ip$form-r2,UOV-III$form-r2,UOV-V$form-r2
      done
      set -- "$@" --sets "$sets" --ops keygen,sign,verify --batch-rows 0
      ;;
    --beside)
      variants=avx2
      chart=no # bench/beside draws it
      json=$dir/beside.json
      set -- "$@" --together --sets MAYO-1,MAYO-2,MAYO-3,MAYO-5,ML-DSA-44,Ed25519 --ops keygen,sign,verify --batch-rows 0
      ;;
    --limits)
      peers=none
      program=limits
      json=$dir/limits.json
      ;;
    --nibbling)
      peers=none
      program=nibbling
      json=$dir/nibbling.json
      ;;
    --help | -h)
      sed -n '4,/^set -eu/s/^#* \{0,1\}//p' "$0" | sed '$d'
      exit 0
      ;;
    *) set -- "$@" "$argument" ;;
  esac
done

command -v cmake >/dev/null 2>&1 || die "cmake is missing (tools/setup bench installs what is needed)"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

if [ "$peers" = yes ]; then
  "$root/bench/peers/get_liboqs" "$dir/peers"
  for variant in $variants; do
    library=$dir/peers/liboqs-$variant/liboqs.so
    [ ! -f "$library" ] || set -- --liboqs "$variant=$library" "$@"
  done
  sodium=${AIOLI_SODIUM:-}
  for folder in /usr/lib/"$(uname -m)"-linux-gnu /usr/lib64 /usr/lib /usr/local/lib; do
    for file in "$folder"/libsodium.so.*; do
      [ -n "$sodium" ] || [ ! -f "$file" ] || sodium=$file
    done
  done
  [ -n "$sodium" ] || die "there is no libsodium.so.* (Debian: apt-get install libsodium23, or set AIOLI_SODIUM to the file)"
  set -- --sodium "$sodium" "$@"
elif [ "$peers" = no ]; then
  say "without peers: no comparison will be made"
fi

tree=$dir/bench-release
log=$dir/bench-build.log
say "building the library and the harness (Release)"
{
  cmake -S "$root" -B "$tree" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DAIOLI_BUILD_BENCH=ON -DAIOLI_BUILD_CLI=OFF \
    -DAIOLI_BUILD_TESTS=OFF -DAIOLI_INSTALL=OFF &&
    cmake --build "$tree" --target "aioli_$program" --parallel "${JOBS:-$(nproc 2>/dev/null || echo 2)}"
} >"$log" 2>&1 || {
  tail -n 40 "$log" >&2
  die "the build failed; the whole log is $log"
}

# What was measured: the commit, and whether the tree differs from it.
commit=unknown
if command -v git >/dev/null 2>&1 && hash=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null); then
  commit=$hash
  [ -z "$(git -C "$root" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit=$hash-dirty
fi

if [ "$program" = nibbling ]; then
  exec "$tree/research/nibbling/aioli_nibbling" --aioli "$tree/src/libaioli.so" --json "$json" --commit "$commit" "$@"
fi
if [ "$program" = limits ]; then
  exec "$tree/bench/aioli_limits" --aioli "$tree/src/libaioli.so" --json "$json" --commit "$commit" "$@"
fi
status=0
"$tree/bench/aioli_bench" --aioli "$tree/src/libaioli.so" --json "$json" --commit "$commit" "$@" || status=$?
if [ "$chart" = yes ] && [ -n "$(find "$json" -newer "$log" 2>/dev/null)" ]; then # not with --interop-only
  if "${PYTHON:-$root/build/venv/bin/python}" "$root/bench/chart" "$json" "$dir/bench.svg"; then
    printf 'drawn in %s\n' "$dir/bench.svg"
  else
    say "no chart was drawn"
  fi
fi
exit "$status"
