#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build_deb.sh: Debian packages of the commit that is checked out, in build/deb; lintian looks at them, and an empty Debian has
# them installed and removed.  (make deb; tools/setup deb has what it needs)
#
# DEB_BUILD_PROFILES=pkg.aioli.round3 leaves out rounds 1 and 2: a third of the time.  AIOLI_DEB_SETS='MAYO_1;MAYO_2' is a trial
# with these sets.  AIOLI_DEB_ROOT=no leaves out the empty Debian, which is fetched (60 MB) and wants root or user namespaces.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/deb
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

version=$(sed -n 's/^project(aioli VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
packaged=$(sed -n '1s/^aioli (\(.*\)-[^-]*) .*/\1/p' "$root/packaging/debian/changelog")
[ "$version" = "$packaged" ] || fail "packaging/debian/changelog is of $packaged, CMakeLists.txt of $version"
rm -rf "$out"
mkdir -p "$out"
git -C "$root" -c tar.umask=0022 archive --format=tar "--prefix=aioli-$version/" HEAD |
  gzip -9 -n >"$out/aioli_$version.orig.tar.gz"
tar -xzf "$out/aioli_$version.orig.tar.gz" -C "$out"
cp -r "$out/aioli-$version/packaging/debian" "$out/aioli-$version/debian"
SOURCE_DATE_EPOCH=$(git -C "$root" show -s --format=%ct HEAD)
DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} parallel=${JOBS:-2}"
export SOURCE_DATE_EPOCH DEB_BUILD_OPTIONS
(cd "$out/aioli-$version" && dpkg-buildpackage --unsigned-source --unsigned-changes) >"$out/build.log" 2>&1 ||
  fail "dpkg-buildpackage; the end of $out/build.log: $(tail -20 "$out/build.log")"
rm -rf "${out:?}/aioli-$version"
ls -l "$out"/*.deb

# As root lintian warns of that.
lintian --allow-root --fail-on error,warning --info "$out"/aioli_*.changes || fail "lintian has something to say"
[ "${AIOLI_DEB_ROOT:-yes}" = yes ] || exit 0

# An empty Debian: installed, used, removed, and nothing left.
tree=$out/root
mmdebstrap --variant=apt --quiet "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$tree" \
  --setup-hook='mkdir -p "$1/packages"' --setup-hook="cp $out/*.deb \"\$1/packages\"" \
  --customize-hook="cp $root/packaging/in_empty_root.sh \"\$1/packages\"" \
  --customize-hook='chroot "$1" sh /packages/in_empty_root.sh' >"$out/root.log" 2>&1 ||
  fail "in the empty Debian; the end of $out/root.log: $(tail -20 "$out/root.log")"
grep '^in_empty_root:' "$out/root.log"
rm -rf "$tree"
