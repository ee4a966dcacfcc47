#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# openssl4.sh (make openssl4): the provider compiled for OpenSSL 4.0 of Debian experimental, and commands.sh with it; a handshake.
# `make openssl` has run.
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root" || exit 1
work=$root/build/openssl4-tests
mkdir -p "$work/modules"
. bindings/openssl/tests/checks.sh
sh bindings/openssl/tests/get_trixie openssl4 || exit 1
four=$root/build/openssl4
triplet=$(cat "$four/triplet")
says 'this is OpenSSL 4' 'OpenSSL 4\.' "$four/bin/openssl" version
cat "$work/out"
passes 'the provider compiles' ${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -DAIOLI_STATIC \
  -Iinclude -Ibindings/composite/include "-I$four/root/usr/include" "-I$four/root/usr/include/$triplet" \
  bindings/composite/src/*.c bindings/openssl/src/*.c build/src/libaioli.a -o "$work/modules/aioli.so" \
  "-L$four/root/usr/lib/$triplet" -Wl,--allow-shlib-undefined -Wl,--exclude-libs,ALL -lcrypto
says 'it wants libcrypto of 4' 'libcrypto.so.4' readelf -d "$work/modules/aioli.so"
passes 'commands.sh' sh bindings/openssl/tests/commands.sh "$four/bin/openssl" "$work/modules" "$work/commands"
tail -n 1 "$work/out"

export OPENSSL_MODULES="$work/modules" OPENSSL_CONF="$root/bindings/openssl/openssl.cnf"
cd "$work" || exit 1
for scheme in MAYO-1 MAYO-1-Ed25519; do
  passes "$scheme: certificate" \
    "$four/bin/openssl" req -x509 -newkey $scheme -noenc -keyout key.pem -out crt.pem -subj /CN=localhost
  "$four/bin/openssl" s_server -cert crt.pem -key key.pem -accept 18444 -naccept 1 -quiet -www >server.txt 2>&1 &
  server=$!
  sleep 1
  says "$scheme: s_client" "Peer signature type: $scheme" \
    "$four/bin/openssl" s_client -connect localhost:18444 -CAfile crt.pem -verify_return_error
  kill $server 2>/dev/null
  wait $server 2>/dev/null
done
echo 'a message' >text
passes 'cms: sign' "$four/bin/openssl" cms -sign -nodetach -md sha512 -in text -signer crt.pem -inkey key.pem \
  -outform DER -out text.cms
says 'cms: verify' 'a message' "$four/bin/openssl" cms -verify -inform DER -in text.cms -CAfile crt.pem -purpose any
finish
