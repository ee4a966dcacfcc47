#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh AIOLI: makes keys, signs a real file, verifies it, and shows that whatever was changed is rejected.
# Each command is shown, with its time and what came out.  The exit status is 0 only if everything was as it should be.
set -eu

[ $# -eq 1 ] || {
  echo "usage: demo.sh PATH-OF-AIOLI" >&2
  exit 2
}
aioli=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$aioli" ] || {
  echo "demo: $aioli is not there: build it first" >&2
  exit 2
}
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cd "$work"

failures=0
say() { printf '\n%s\n' "$*"; }
wrong() {
  printf '  !! %s\n' "$*"
  failures=$((failures + 1))
}

# expect STATUS ARGUMENT...: runs aioli, shows command, output and time, and compares the exit status.
expect() {
  wanted=$1
  shift
  printf '$ aioli'
  for word in "$@"; do
    case $word in
      *' '*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  status=0
  begin=$(date +%s%N)
  "$aioli" "$@" >output 2>&1 || status=$?
  end=$(date +%s%N)
  sed 's/^/    /' output
  printf '    [%d.%d ms, exit status %d]\n' $(((end - begin) / 1000000)) $(((end - begin) / 100000 % 10)) "$status"
  [ "$status" -eq "$wanted" ] || wrong "exit status $status where $wanted was expected"
}

"$aioli" --version
cp "$source/README.md" README.md

say "A key pair.  The secret key is a seed of 24 bytes in PKCS#8; nobody else may read the file."
expect 0 keygen --alg MAYO-1 --out alice
[ "$(ls -l alice.key | cut -c1-10)" = -rw------- ] || wrong "alice.key can be read by others"

say "The README of this project, signed, with a comment that is signed along with it."
expect 0 sign --key alice.key --comment 'the README, as of today' README.md
sed 's/^/    | /' README.md.sig

say "Whoever has the public key can verify it."
expect 0 verify --key alice.pub README.md

say "Someone changes one character of the file: invalid."
cp README.md tampered.md
printf '.' >>tampered.md
expect 1 verify --key alice.pub --sig README.md.sig tampered.md

say "Someone changes the comment: invalid."
sed 's/^comment: .*/comment: approved for release/' README.md.sig >comment.sig
expect 1 verify --key alice.pub --sig comment.sig README.md

say "Mallory signs with a key of her own: that is another key ..."
expect 0 keygen --alg MAYO-1 --out mallory
expect 0 sign --key mallory.key --out mallory.sig README.md
expect 1 verify --key alice.pub --sig mallory.sig README.md

say "... and claims that it was Alice's: invalid."
alice=$(sed -n 's/^key: //p' README.md.sig)
sed "s/^key: .*/key: $alice/" mallory.sig >forged.sig
expect 1 verify --key alice.pub --sig forged.sig README.md

say "A secret key under a passphrase (scrypt and AES-256), and bare signatures for other programs."
printf 'correct horse battery staple\n' >passphrase
expect 0 keygen --out carol --passphrase-file passphrase
expect 0 sign --key carol.key --passphrase-file passphrase --raw --out README.md.raw README.md
expect 0 verify --key carol.pub --raw --sig README.md.raw README.md
printf 'guessed\n' >passphrase
expect 2 sign --key carol.key --passphrase-file passphrase README.md

say "The parameter sets of round 3, each with a new key (public key and signature in bytes):"
for alg in MAYO-1 MAYO-2 MAYO-3 MAYO-5; do
  "$aioli" keygen --quiet --alg "$alg" --out "$alg" && "$aioli" sign --quiet --raw --key "$alg.key" --out "$alg.raw" README.md &&
    "$aioli" verify --quiet --raw --key "$alg.pub" --sig "$alg.raw" README.md || wrong "$alg does not work"
  "$aioli" inspect --json "$alg.pub" >"$alg.json" || wrong "inspect does not work"
  printf '    %-7s public key %5d, signature %4d\n' "$alg" \
    "$(sed -n 's/.*"public_key_bytes": \([0-9]*\).*/\1/p' "$alg.json")" "$(($(wc -c <"$alg.raw")))"
done
expect 0 bench --alg MAYO-1 --alg MAYO-2 --alg MAYO-3 --alg MAYO-5 --seconds 0.05

say "Known answers of MAYO-1, on every backend that this processor can run:"
expect 0 selftest --alg MAYO-1

if [ "$failures" -ne 0 ]; then
  say "demo: $failures things were not as they should be"
  exit 1
fi
say "Everything was as it should be."
