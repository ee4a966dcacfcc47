#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh: the recipe as Conan runs it: built, packaged, and the programs of tests/install built against the package; static and
# shared.  All in build/conan: neither the user's Conan nor its settings are touched.  (make conan)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
conan=$root/build/release/bin/conan
CONAN_HOME=$root/build/conan
export CONAN_HOME
rm -rf "$CONAN_HOME"
"$conan" profile detect >/dev/null 2>&1
for shared in False True; do
  "$conan" create "$root/packaging/conan" --no-remote --build missing -s compiler.cppstd=20 -o '&:sets=MAYO_1;MAYO_2' \
    -o "&:shared=$shared" -c "tools.cmake.cmake_layout:test_folder=$CONAN_HOME/test" >"$CONAN_HOME/$shared.log" 2>&1 || {
    tail -30 "$CONAN_HOME/$shared.log" >&2
    echo "FAILED: conan create with shared=$shared" >&2
    exit 1
  }
  grep 'sets sign and verify' "$CONAN_HOME/$shared.log"
done
