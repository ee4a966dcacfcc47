#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The backends that few machines can run, on emulated processors that can (docs/emulation.md).  Needs the programs of `cmake
# --preset test` and what `tools/setup emulate` installs.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build

"$root/tools/emulate" --self-test
for processor in avx512 avx2-gfni; do
  emulate() { "$root/tools/emulate" --processor "$processor" --timeout 3000 "$@"; }
  case $processor in
    avx512) backend=avx512 ;;
    *) backend=gfni ;;
  esac
  echo "== $processor: $backend is the backend of choice"
  emulate "$build/aioli" list --backends | grep "^$backend: in use$"
  echo "== $processor: known answers of every backend"
  emulate "$build/aioli" selftest
  echo "== $processor: every backend gives the bytes of the portable one"
  emulate "$build/tests/fuzz/fuzz_backends" --mutations=4
  echo "== $processor: digests of many messages, on every backend"
  digests=$(emulate "$build/tests/unit/unit_digests" --test-case="every backend")
  echo "$digests" | grep "^digests of $backend$"
  echo "== $processor: kernels of $backend"
  emulate "$build/tests/kernels/kernels_$backend" "--test-case=there is*,aes*,solver*,products: entries*,sums: products*"
  emulate "$build/tests/kernels/kernels_square_$backend"
done
echo "emulated processors: all as it should be"
