#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tls.sh (make tls): the commands of docs/tls.md, then more with OpenSSL 3.5: CMS, s_server and s_client, handshakes in one
# process beside other schemes, in threads, under AddressSanitizer.  `make openssl` and get_trixie have run.
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root" || exit 1
mkdir -p build/tls
work=$root/build/tls
. bindings/openssl/tests/checks.sh
handshakes_leak=${HANDSHAKES:-1000}
big=${BIG_FILE:-4294967303} # bytes

# ---- the ten commands --------------------------------------------------------------------------------------------------------
sed -n '/^<!-- commands -->/,/^<!-- .commands -->/p' docs/tls.md | sed '/^<!--/d; /^```/d' >build/tls/commands.sh
count=$(grep -c -v '^  ' build/tls/commands.sh)
[ "$count" = 10 ] || { echo "docs/tls.md has $count commands, not ten"; exit 1; }
says 'the ten commands of docs/tls.md' 'Signed with MAYO.' sh -e build/tls/commands.sh
cp build/tls/err build/tls/curl.txt
says 'curl verified the chain' 'SSL certificate verify ok' cat build/tls/curl.txt
says 'signed by MAYO-1' 'MAYO-1' cat build/tls/curl.txt

export PATH="$root/build/trixie/bin:$PATH" OPENSSL_MODULES="$root/build/ossl-modules" \
  OPENSSL_CONF="$root/bindings/openssl/openssl.cnf"
openssl version

# ---- others must not be content -------------------------------------------------------------------------------------------
cd build/tls || exit 1
openssl req -x509 -newkey MAYO-1 -noenc -keyout other.key -out other.crt -subj /CN=root -days 30 2>/dev/null
passes 'nginx starts' nginx -p "$work/" -c nginx.conf
fails 'curl refuses another root' 'certificate' curl --cacert other.crt https://localhost:8443/
fails 'curl without the provider' 'alert\|error' env OPENSSL_CONF=/dev/null curl --insecure https://localhost:8443/
passes 'nginx stops' nginx -p "$work/" -c nginx.conf -s stop

# ---- chains of several schemes: root and server ---------------------------------------------------------------------------
chain() {
  name=$1 algorithm=$2
  openssl req -x509 -newkey $algorithm -noenc -keyout "$name-root.key" -out "$name-root.crt" \
    -subj /CN=root -days 30 2>/dev/null &&
    openssl req -new -newkey $algorithm -noenc -keyout "$name.key" -out "$name.csr" \
      -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null &&
    openssl x509 -req -in "$name.csr" -CA "$name-root.crt" -CAkey "$name-root.key" -copy_extensions copy -days 30 \
      -out "$name.crt" 2>/dev/null
}
schemes="MAYO-1 MAYO-2 MAYO-3 MAYO-5 MAYO-1-r2 MAYO-1-Ed25519 MAYO-1-P256 ML-DSA-44 ED25519"
for scheme in $schemes; do passes "$scheme: chain" chain "$scheme" "$scheme"; done
passes 'P-256: chain' chain P-256 'EC -pkeyopt group:P-256'
passes 'MAYO-3-P256: chain' chain MAYO-3-P256 MAYO-3-P256

# ---- nginx and curl over a composite: neither half alone will do ------------------------------------------------------------
for name in MAYO-1-Ed25519; do
  cp $name.crt server.crt && cp $name.key server.key
  passes "$name: nginx starts" nginx -p "$work/" -c nginx.conf
  says "$name: curl" 'Signed with MAYO.' curl --verbose --cacert $name-root.crt https://localhost:8443/
  says "$name: curl names the key" "$name" curl --verbose --cacert $name-root.crt https://localhost:8443/
  fails "$name: curl refuses a root of MAYO-1 alone" 'certificate' curl --cacert MAYO-1-root.crt https://localhost:8443/
  passes "$name: nginx stops" nginx -p "$work/" -c nginx.conf -s stop
done

# ---- s_server and s_client ------------------------------------------------------------------------------------------------
for scheme in MAYO-1 MAYO-2 MAYO-5 MAYO-1-r2 MAYO-1-Ed25519 MAYO-3-P256; do
  openssl s_server -cert $scheme.crt -key $scheme.key -accept 18443 -naccept 1 -quiet -www >server.txt 2>&1 &
  server=$!
  sleep 1
  says "$scheme: s_client" "Peer signature type: $scheme" \
    openssl s_client -connect localhost:18443 -CAfile $scheme-root.crt -verify_return_error
  kill $server 2>/dev/null
  wait $server 2>/dev/null
done

# A client that offers one scheme only does not get the other.
openssl s_server -cert MAYO-1-Ed25519.crt -key MAYO-1-Ed25519.key -accept 18443 -naccept 1 -quiet -www >server.txt 2>&1 &
server=$!
sleep 1
fails 'a client of MAYO-1 alone gets no composite' 'alert\|failure' \
  openssl s_client -connect localhost:18443 -sigalgs MAYO-1 -CAfile MAYO-1-Ed25519-root.crt -verify_return_error
kill $server 2>/dev/null
wait $server 2>/dev/null

# ---- CMS ------------------------------------------------------------------------------------------------------------------
echo 'a message' >text
passes 'cms: sign' openssl cms -sign -nodetach -md sha512 -in text -signer MAYO-1.crt -inkey MAYO-1.key -outform DER -out text.cms
says 'cms: verify' 'a message' openssl cms -verify -inform DER -in text.cms -CAfile MAYO-1-root.crt -purpose any
spoil text.cms $(($(wc -c <text.cms) - 9)) text2.cms
fails 'cms: a changed one' 'verification failure\|Verification failure' \
  openssl cms -verify -inform DER -in text2.cms -CAfile MAYO-1-root.crt -purpose any

passes 'cms: sign with a composite' openssl cms -sign -nodetach -md sha512 -in text -signer MAYO-1-Ed25519.crt \
  -inkey MAYO-1-Ed25519.key -outform DER -out both.cms
says 'cms: verify a composite' 'a message' \
  openssl cms -verify -inform DER -in both.cms -CAfile MAYO-1-Ed25519-root.crt -purpose any
for at in 9 120; do # in the classical half, in that of MAYO
  spoil both.cms $(($(wc -c <both.cms) - at)) both2.cms
  fails 'cms: a changed half' 'verification failure\|Verification failure' \
    openssl cms -verify -inform DER -in both2.cms -CAfile MAYO-1-Ed25519-root.crt -purpose any
done

# ---- a file of 4 GB, in constant memory -----------------------------------------------------------------------------------
# The programs of 3.5 read what is signed without a digest as a whole, 16 MB at most for dgst; dgst of 3.0 reads in pieces.
truncate -s "$big" big
openssl pkey -in MAYO-1.key -pubout -out MAYO-1.pub
system=/usr/bin/openssl
case $($system version) in
  "OpenSSL 3.0"*)
    passes 'dgst: 4 GB signed in 400 MB of address space' sh -c "ulimit -v 400000; exec $system dgst -sign MAYO-1.key \
      -out big.sig big"
    passes 'dgst: 4 GB verified' sh -c "ulimit -v 400000; exec $system dgst -verify MAYO-1.pub -signature big.sig big"
    ;;
  *) echo "tls.sh: no OpenSSL 3.0 on this machine, so no dgst of 4 GB (tests/test_provider.c signs in pieces)" ;;
esac
rm -f big

# ---- handshakes in one process --------------------------------------------------------------------------------------------
triplet=$(cat "$root/build/trixie/triplet")
libraries=$root/build/trixie/root/usr/lib/$triplet
include=$root/build/trixie/root/usr/include
cc=${CC:-cc}
passes 'handshakes compiles' $cc -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -pthread "-I$include" "-I$include/$triplet" \
  "$root/bindings/openssl/tests/handshakes.c" -o handshakes "-L$libraries" -Wl,--allow-shlib-undefined -lssl -lcrypto
loader=$(sed -n 's/^exec "\$root\/\(.*\)" --library-path.*/\1/p' "$root/build/trixie/bin/openssl")
loader=$root/build/trixie/root/$loader
for scheme in $schemes P-256; do
  passes "$scheme: handshakes" taskset -c 0 \
    "$loader" --library-path "$libraries" ./handshakes 1000 $scheme.crt $scheme.key $scheme-root.crt $scheme
  cat out
done | tee figures.txt
! grep -q FAILED figures.txt || failures=$((failures + 1))
passes 'handshakes in four threads' \
  "$loader" --library-path "$libraries" ./handshakes 400 MAYO-1.crt MAYO-1.key MAYO-1-root.crt MAYO-1 4

# ---- the same without a leak ----------------------------------------------------------------------------------------------
# The provider and the program under AddressSanitizer, and all memory that anybody takes counted by LeakSanitizer.
mkdir -p asan
passes 'the provider compiles under AddressSanitizer' $cc -std=gnu11 -O1 -g -fsanitize=address -fPIC -shared \
  -fvisibility=hidden -DAIOLI_STATIC "-I$root/include" "-I$root/bindings/composite/include" "$root"/bindings/composite/src/*.c \
  "$root"/bindings/openssl/src/*.c \
  "$root/build/src/libaioli.a" -o asan/aioli.so -lcrypto
passes 'handshakes compiles under AddressSanitizer' $cc -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=address -pthread "-I$include" \
  "-I$include/$triplet"  \
    "$root/bindings/openssl/tests/handshakes.c" -o handshakes_asan "-L$libraries" -Wl,--allow-shlib-undefined -lssl -lcrypto
asan=$(dirname "$($cc -print-file-name=libasan.so)")
for leak in "" leak; do
  set -- env OPENSSL_MODULES="$work/asan" ASAN_OPTIONS=detect_leaks=1 "$loader" \
    --library-path "$libraries:$asan:/usr/lib/$triplet" ./handshakes_asan "$handshakes_leak" \
    MAYO-1.crt MAYO-1.key MAYO-1-root.crt MAYO-1 1 $leak
  if [ -z "$leak" ]; then
    passes "$handshakes_leak handshakes without an error or a leak" "$@"
    cat out
  else
    fails 'a leak is found' 'detected memory leaks' "$@" # the check can fail
  fi
done

cd "$root" || exit 1
passes 'commands.sh under OpenSSL 3.5' sh bindings/openssl/tests/commands.sh  \
  "$root/build/trixie/bin/openssl" build/ossl-modules build/tls/commands
tail -n 1 "$work/out"
finish
