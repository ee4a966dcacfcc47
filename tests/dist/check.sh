#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh AIOLI-COMPOSITE: two releases of one commit, made in different places and moods, are the same bytes; the signature
# holds until something is changed; the archive builds.  (make dist-test)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
composite=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
python=$root/build/release/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

"$composite" keygen --out "$work/release" >/dev/null
"$python" "$root/tools/dist" --out "$work/one" --key "$work/release.key" --signer "$composite"
git clone -q "$root" "$work/clone"
(cd "$work/clone" && git checkout -q "$(git -C "$root" rev-parse HEAD)" && git config tar.umask 0077 && umask 077 &&
  TZ=Pacific/Apia LC_ALL=C.UTF-8 "$python" tools/dist --out "$work/two")
cp "$work/one/SHA256SUMS.sig" "$work/two"
diff -r "$work/one" "$work/two" || fail "the same commit gave other bytes"

check() {
  (cd "$work/one" && "$composite" verify --key "$work/release.pub" SHA256SUMS && sha256sum --strict --check --quiet SHA256SUMS)
}
check >/dev/null || fail "the release does not verify"
(cd "$work/one" && find . -type f ! -name 'SHA256SUMS*' | sed 's|^./||' | LC_ALL=C sort) >"$work/there"
cut -c67- "$work/one/SHA256SUMS" | LC_ALL=C sort | diff - "$work/there" || fail "not all files have checksums"
archive=$(cd "$work/one" && echo aioli-*[0-9].tar.gz)
printf x >>"$work/one/$archive"
if check >/dev/null 2>&1; then fail "a changed archive is not noticed"; fi
cp "$work/two/$archive" "$work/one"
sed -i '1s/^./x/' "$work/one/SHA256SUMS"
if check >/dev/null 2>&1; then fail "changed checksums are not noticed"; fi

echo 'find_package(Surprise REQUIRED)' >>"$work/clone/cli/CMakeLists.txt"
if "$python" "$work/clone/tools/dist" --bill-of-materials >"$work/said" 2>&1; then fail "a dependency more is not noticed"; fi
grep -q Surprise "$work/said" || fail "--bill-of-materials fails for another reason: $(cat "$work/said")"

# The archive is a whole project, and so are the two files.
mkdir "$work/unpacked"
tar -xzf "$work/two/$archive" -C "$work/unpacked"
tree=$work/unpacked/${archive%.tar.gz}
cmake -S "$tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DAIOLI_SETS=MAYO_2 -DAIOLI_BUILD_CLI=OFF >"$work/said" ||
  fail "the archive does not configure: $(tail -5 "$work/said")"
cmake --build "$work/build" --parallel 2 --target aioli_static >"$work/said" ||
  fail "the archive does not build: $(tail -5 "$work/said")"
tar -xzf "$work/two/${archive%.tar.gz}-two-files.tar.gz" -C "$work/unpacked"
two=$work/unpacked/${archive%.tar.gz}-two-files
cat >"$work/main.c" <<'END'
#include "aioli.h"
int main(void) { return aioli_selftest(NULL) != AIOLI_OK || aioli_alg_count() != 4; }
END
g++ -std=c++20 -O1 -fno-ipa-icf -DAIOLI_NO_IPA_ICF -DAIOLI_ONLY_PORTABLE -fno-exceptions -fno-rtti -fno-threadsafe-statics \
  -c "$two/aioli.cpp" -o "$work/aioli.o"
gcc -I"$two" "$work/main.c" "$work/aioli.o" -o "$work/main"
"$work/main" || fail "the two files' self-test"
echo "dist: $(wc -l <"$work/two/SHA256SUMS") files, twice the same; signed, checked, built from"
