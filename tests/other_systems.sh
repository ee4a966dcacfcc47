#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The sources that ask an operating system for something, as clang compiles them for macOS and the BSDs.  Their systems' headers
# are not here:
# tests/systems has declarations of what we use, each where that system has it.  Nothing is linked or run.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
clang=${CLANGXX:-clang++-19}
failures=0
for target in x86_64-apple-macos12 arm64-apple-macos12 x86_64-unknown-freebsd14 aarch64-unknown-freebsd14 \
  x86_64-unknown-openbsd7 x86_64-unknown-netbsd10; do
  case $target in
    *apple*) system=macos ;;
    *) system=bsd ;;
  esac
  for file in abi/host.cpp base/cpu.cpp batch/pool.cpp batch/schedule.cpp batch/batch.cpp abi/dispatch.cpp; do
    "$clang" --target="$target" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -nostdlibinc \
      -isystem "$root/tests/systems/common" -isystem "$root/tests/systems/$system" \
      -I"$root/src" -I"$root/include" "$root/src/$file" || {
      echo "FAILED: src/$file for $target"
      failures=$((failures + 1))
    }
  done
done
[ "$failures" = 0 ] && echo "other systems: compiled"
