#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/ct/matrix.sh quick|full|NAME...: constant-time checks of the round-3 sets, each compiler and level in build/ct-NAME.
#
#   quick   what `make test` runs: by g++ and by clang++-19 with the flags of a release; and
#           by MemorySanitizer UOV's kernels alone, on vectors that valgrind does not know (in full, msan-O2 has them)
#   full    the two builds that people get, with the flags of a release; both compilers at -O1, -O2 and -O3 under valgrind, and
#           clang++-19 with MemorySanitizer at -O1, -O2 and -O3
#   NAME    single ones of these: g++-daily, g++-release, clang++-19-O2, msan-O1 ..
#
# JOBS: how many at once.  Whatever is missing (a compiler, valgrind) is a failure.  What is checked, and what not:
# docs/constant-time.md.
set -eu
unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS AIOLI_BACKEND MSAN_OPTIONS VALGRIND_OPTS CTEST_PARALLEL_LEVEL || true
root=$(cd "$(dirname "$0")/../.." && pwd)
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
quick='g++-daily clang++-19-daily msan-uov-O2'
full="g++-release clang++-19-release g++-O1 g++-O2 g++-O3 clang++-19-O1 clang++-19-O2 clang++-19-O3 msan-O1 msan-O2 msan-O3"

die() {
  echo "matrix.sh: $*" >&2
  exit 1
}
case ${1:-} in
  quick) names=$quick ;;
  full) names=$full ;;
  '' | -*) die "usage: tests/ct/matrix.sh quick|full|NAME..., NAME being one of: $quick $full" ;;
  *) names=$* ;;
esac
for name in $names; do
  case " $quick $full " in *" $name "*) ;; *) die "no check is named $name; there are: $quick $full" ;; esac
done

# Everything that is needed, before anything is begun.
for tool in cmake ctest ninja valgrind objdump; do
  command -v "$tool" >/dev/null || die "there is no $tool here; tools/setup ct installs it"
done
[ -e /usr/include/valgrind/memcheck.h ] || [ -e /usr/local/include/valgrind/memcheck.h ] ||
  die "there is no valgrind/memcheck.h here; tools/setup ct installs it"
for name in $names; do
  case $name in g++-*) compilers='gcc g++' ;; *) compilers='clang-19 clang++-19' ;; esac
  for compiler in $compilers; do
    command -v "$compiler" >/dev/null || die "there is no $compiler here, so $name cannot be checked; tools/setup ct installs it"
  done
done

# check NAME: configures, builds and runs; one line, and the whole output where it fails.
check() {
  name=$1
  dir=$root/build/ct-$name
  level=${name##*-}
  case $name in
    g++-*) cc=gcc cxx=g++ checker=valgrind flags=-g1 ;;
    # valgrind 3.19 stumbles over DWARF 5 of clang 19
    clang++-19-*) cc=clang-19 cxx=clang++-19 checker=valgrind flags='-g1 -gdwarf-4' ;;
    # Secrets passed by value are no error, and memory of a destroyed object is not secret for that: what is left in it must show.
    msan-*) cc=clang-19 cxx=clang++-19 checker=msan
      flags='-g1 -fno-omit-frame-pointer -fsanitize=memory -fno-sanitize-memory-param-retval -fno-sanitize-memory-use-after-dtor'
      flags="$flags -mllvm -msan-poison-stack=0 -Wno-unused-command-line-argument"
      # Unrolling and unswitching loops freezes their conditions, and MemorySanitizer takes what is frozen for public: hence it
      # comes before the one, and the other is off.  tests/ct/no_freeze.sh, by which these builds compile, sees that nothing is
      # left.
      flags="$flags -mllvm -sanitizer-early-opt-ep -mllvm -unswitch-threshold=0"
      # A loop that fills memory with a secret byte is no call of memset, either, which would fill it with a public one.
      flags="$flags -fno-builtin-memset" ;;
  esac
  case $level in
    daily) type=Release emulated= ;;
    release) type=Release emulated= ;;
    *) type=None flags="-$level $flags" emulated='MAYO-1;MAYO-2' ;;
  esac
  case $name in msan-uov-*) emulated= only_uov=ON ;; *) only_uov=OFF ;; esac
  mkdir -p "$dir"
  log=$dir/log
  begin=$(date +%s)
  if ! {
    cmake -G Ninja -S "$root/tests/ct/checked" -B "$dir" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
      -DCMAKE_BUILD_TYPE="$type" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DAIOLI_CT="$checker" \
      -DAIOLI_CT_EMULATED="$emulated" \
      -DAIOLI_CT_ONLY_UOV="$only_uov" &&
      cmake --build "$dir" --parallel "$jobs"
  } >"$log" 2>&1; then
    cat "$log"
    echo "FAILED  $name: does not build"
    return 1
  fi
  built=$(date +%s)
  status=0
  ctest --test-dir "$dir" --parallel "$jobs" --output-on-failure --no-tests=error >"$log" 2>&1 || status=$?
  seconds="$((built - begin)) + $(($(date +%s) - built)) s"
  ran=$(grep -c ' Passed ' "$log") || true
  skipped=$(sed -n 's/.* Test *#[0-9]*: \([^ ]*\) .*\*\*\*Skipped.*/\1/p' "$log" | tr '\n' ' ')
  if [ "$status" -ne 0 ] || [ "$ran" -eq 0 ]; then
    cat "$log"
    echo "FAILED  $name ($checker): $ran passed ($seconds)"
    return 1
  fi
  echo "passed  $name ($checker): $ran checks ($seconds to build + run)${skipped:+; not on this machine: $skipped}"
}

failed=
for name in $names; do
  check "$name" || failed="$failed $name"
done
[ -z "$failed" ] || die "failed:$failed"
echo "constant time: no branch, address or division depends on a secret in: $names"
