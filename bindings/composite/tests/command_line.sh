#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# command_line.sh AIOLI-COMPOSITE DIRECTORY: the program, its files and its exit status.
program=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(cd "$2" && pwd)
cd "$work" || exit 1
. "$root/bindings/openssl/tests/checks.sh"
status() { # status NUMBER COMMAND...: the exit status
  wanted=$1
  shift
  "$@" >/dev/null 2>&1
  [ $? = "$wanted" ]
}
head -c 700000 /dev/urandom >file
spoil file 650000 other
for name in MAYO-1-Ed25519 MAYO-2-Ed25519 MAYO-3-Ed25519 MAYO-5-Ed25519 MAYO-1-P256 MAYO-2-P256 MAYO-3-P256 MAYO-5-P256; do
  passes "$name: keygen" "$program" keygen -a $name -o $name
  passes "$name: the secret key is the owner's" test "$(stat -c %a $name.key)" = 600
  fails "$name: files that exist stay" 'exists\|already' "$program" keygen -a $name -o $name
  passes "$name: pubkey" "$program" pubkey -o again.pub $name.key
  passes "$name: is the same" cmp again.pub $name.pub
  passes "$name: sign" "$program" sign -k $name.key file
  says "$name: verify" 'valid: both halves' "$program" verify -k $name.pub file
  passes "$name: another file is status 1" status 1 "$program" verify -k $name.pub -s file.sig other
  size=$(wc -c <file.sig)
  for at in 5 $((size - 2)); do
    spoil file.sig $at bad.sig
    passes "$name: a changed half is status 1" status 1 "$program" verify -k $name.pub -s bad.sig file
  done
  head -c $((size - 64)) file.sig >bad.sig
  passes "$name: without its end" status 1 "$program" verify -k $name.pub -s bad.sig file
  passes "$name: with a context" "$program" sign -k $name.key -c mill -o context.sig file
  passes "$name: the same context" "$program" verify -k $name.pub -c mill -s context.sig file
  passes "$name: no context is status 1" status 1 "$program" verify -k $name.pub -s context.sig file
done
passes 'another key is status 1' status 1 "$program" verify -k MAYO-1-P256.pub -s context.sig file
printf 'olive\n' >passphrase
printf 'mill\n' >wrong
passes 'under a passphrase' "$program" keygen -o enc --passphrase-file passphrase
says 'it is encrypted' 'BEGIN ENCRYPTED PRIVATE KEY' cat enc.key
passes 'sign with it' "$program" sign -k enc.key --passphrase-file passphrase file
passes 'verify' "$program" verify -k enc.pub file
fails 'a wrong passphrase' 'wrong passphrase' "$program" sign -k enc.key --passphrase-file wrong -o none.sig file
passes 'nothing was written' test ! -e none.sig
fails 'a secret key does not verify' 'is a secret key' "$program" verify -k MAYO-1-P256.key file
fails 'a public key does not sign' 'is a public key' "$program" sign -k MAYO-1-P256.pub -o none.sig file
passes 'wrong usage is status 2' status 2 "$program" sign file
fails 'no such composite' 'there are MAYO-1-Ed25519' "$program" keygen -a MAYO-1 -o none
fails 'the key is not overwritten' 'itself' "$program" sign -k enc.key --passphrase-file passphrase -o enc.key file
sed 's/^.\{9\}/AAAAAAAAA/' MAYO-1-P256.pub >bad.pub
fails 'a damaged key' 'cannot use' "$program" verify -k bad.pub file
finish
