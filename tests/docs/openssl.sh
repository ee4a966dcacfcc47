#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# openssl.sh MODULES DIRECTORY: the commands of docs/start/openssl.md, in a directory of their own.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
export OPENSSL_MODULES="$1" OPENSSL_CONF="$root/bindings/openssl/openssl.cnf"
rm -rf "$2"
mkdir -p "$2"
cd "$2"
python3 "$root/tests/docs/blocks.py" sh "$root/docs/start/openssl.md" .
sh -e openssl-0.sh >output 2>&1 || { cat output; exit 1; }
for line in 'MAYO and UOV' 'Verified OK' 'alice.crt: OK' '^refused'; do
  grep -q "$line" output || { echo "the commands do not say '$line':"; cat output; exit 1; }
done
