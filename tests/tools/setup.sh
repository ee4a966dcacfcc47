#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/setup on a machine that lacks something, with an apt-get that only pretends: what is asked for, what is said when it
# fails.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=$work/bin
mkdir -p "$tools"
export FAKE="$work"

fail() {
  printf 'FAILED: %s\n' "$*"
  sed 's/^/  | /' "$work/said" "$work/asked" 2>/dev/null || true
  exit 1
}
# A PATH with the ordinary commands of a bare system, and the pretended package manager.
for name in sh env dirname id cat cksum uname rm mkdir touch chmod printf sed grep; do
  ln -s "$(command -v "$name")" "$tools/$name"
done
cat >"$tools/apt-cache" <<'FAKE_END'
#!/bin/sh
[ -e "$FAKE/lists" ]
FAKE_END
cat >"$tools/apt-get" <<'FAKE_END'
#!/bin/sh
echo "$*" >>"$FAKE/asked"
case " $* " in
  *" update "*) touch "$FAKE/lists" ;;
  *" install "*)
    [ -e "$FAKE/lists" ] || exit 100
    [ ! -e "$FAKE/broken" ] || { rm "$FAKE/broken"; exit 100; }
    [ ! -e "$FAKE/dead" ] || exit 100
    [ ! -e "$FAKE/liar" ] || exit 0
    for name in g++ gcc cmake ninja pkg-config; do
      printf '#!/bin/sh\n' >"$FAKE/bin/$name"
      chmod +x "$FAKE/bin/$name"
    done
    ;;
esac
FAKE_END
cat >"$tools/sudo" <<'FAKE_END'
#!/bin/sh
[ "$1" != -n ] || shift
"$@"
FAKE_END
chmod +x "$tools/apt-cache" "$tools/apt-get" "$tools/sudo"

forget() {
  rm -f "$work/asked" "$work/lists" "$work/broken" "$work/dead" "$work/liar" "$tools/g++" "$tools/gcc" \
    "$tools/cmake" "$tools/ninja" \
    "$tools/pkg-config"
  touch "$work/asked"
}
setup() { PATH=$tools CC='' CXX='' "$here/tools/setup" "$@" >"$work/said" 2>&1 </dev/null; }
asked() { grep -c "$1" "$work/asked" || true; }

# A fresh machine: no list of packages yet, so one update, one installation with everything in it.
forget
setup build || fail "a fresh machine is not set up"
[ "$(asked update)" = 1 ] || fail "a fresh machine wants one apt-get update"
[ "$(asked install)" = 1 ] || fail "one installation should do"
for package in g++ cmake ninja-build pkg-config; do
  grep -q -- "install .*$package" "$work/asked" || fail "$package is not asked for"
done

# Again: nothing to do.
: >"$work/asked"
setup build || fail "a second run fails"
[ ! -s "$work/asked" ] || fail "a second run asks apt-get for something"
[ ! -s "$work/said" ] || fail "a second run has something to say"

# Lists that are out of date: the installation fails, then succeeds after an update.
forget
touch "$work/lists" "$work/broken"
setup build || fail "out-of-date lists are not refreshed"
[ "$(asked update)" = 1 ] || fail "out-of-date lists want one update"

# Lists are there and good: no update.
forget
touch "$work/lists"
setup build || fail "cannot install from good lists"
[ "$(asked update)" = 0 ] || fail "an update that nobody needs"

# No luck at all: says which packages, and fails.
forget
touch "$work/dead"
if setup build; then fail "a failed installation counts as success"; fi
grep -q 'error: apt-get could not install:.* cmake' "$work/said" || fail "the error does not name the packages"

# apt-get claims success without delivering.
forget
touch "$work/liar"
if setup build; then fail "what is not there counts as installed"; fi
grep -q 'still not found:.* cmake' "$work/said" || fail "the error does not say what is still missing"

# Only asked: reports, changes nothing.
forget
if AIOLI_SETUP=check setup build; then fail "AIOLI_SETUP=check is content with a bare machine"; fi
[ ! -s "$work/asked" ] || fail "AIOLI_SETUP=check installs something"

# Another system.
forget
rm "$tools/apt-get"
if setup build; then fail "succeeds without apt-get"; fi
grep -q 'there is no apt-get here; .* cmake' "$work/said" || fail "does not say what to install by hand"

if setup nonsense; then fail "an unknown purpose counts as success"; fi
echo "tools/setup: as promised"
