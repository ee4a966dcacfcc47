#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# commands.sh OPENSSL MODULES DIRECTORY: keys, signatures, certificates and PKCS #12 by the program `openssl` of 3.0 or later.
openssl=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
export OPENSSL="$1" OPENSSL_MODULES="$(cd "$2" && pwd)" OPENSSL_CONF="$root/bindings/openssl/openssl.cnf"
rm -rf "$3"
mkdir -p "$3"
work=$(cd "$3" && pwd)
cd "$work" || exit 1
. "$root/bindings/openssl/tests/checks.sh"

says 'the provider is there' 'MAYO and UOV' $openssl list -providers -verbose
head -c 100000 /dev/urandom >message
spoil message 77777 other

sets="MAYO-1 MAYO-2 MAYO-3 MAYO-5 MAYO-1-r2 MAYO-2-r2 MAYO-3-r2 MAYO-5-r2
  MAYO-1-Ed25519 MAYO-5-Ed25519 MAYO-1-P256 MAYO-3-P256
  UOV-Is-pkc UOV-Is-pkc-skc UOV-Ip-pkc UOV-Ip-pkc-skc UOV-Ip-pkc-r2 UOV-Ip-pkc-skc-r2 UOV-III-pkc-skc UOV-V-pkc-skc"
for set in $sets; do
  passes "$set: genpkey" $openssl genpkey -algorithm "$set" -out key.pem
  passes "$set: public key" $openssl pkey -in key.pem -pubout -out pub.pem
  passes "$set: private DER" $openssl pkey -in key.pem -outform DER -out key.der
  passes "$set: private DER is read" $openssl pkey -in key.der -inform DER -out key2.pem
  passes "$set: and is the same" cmp key.pem key2.pem
  passes "$set: public DER" $openssl pkey -pubin -in pub.pem -outform DER -out pub.der
  passes "$set: public DER is read" $openssl pkey -pubin -in pub.der -inform DER -out pub2.pem
  passes "$set: and is the same" cmp pub.pem pub2.pem
  says "$set: text" "$set Private-Key" $openssl pkey -in key.pem -noout -text
  passes "$set: sign" $openssl pkeyutl -sign -rawin -in message -inkey key.pem -out sig
  passes "$set: verify" $openssl pkeyutl -verify -rawin -in message -pubin -inkey pub.pem -sigfile sig
  fails "$set: another message" 'Verification Failure' \
    $openssl pkeyutl -verify -rawin -in other -pubin -inkey pub.pem -sigfile sig
  passes "$set: dgst signs" $openssl dgst -sign key.pem -out sig2 message
  passes "$set: dgst verifies" $openssl dgst -verify pub.pem -signature sig2 message
  passes "$set: dgst verifies pkeyutl's" $openssl dgst -verify pub.pem -signature sig message
  spoil sig 3 sig3
  fails "$set: a changed signature" 'Verification failure\|Error verifying' $openssl dgst -verify pub.pem -signature sig3 message
  cat sig sig3 | head -c $(($(wc -c <sig) + 1)) >sig4
  fails "$set: a longer signature" 'exact length\|Verification Failure' \
    $openssl pkeyutl -verify -rawin -in message -pubin -inkey pub.pem -sigfile sig4
  passes "$set: under a passphrase" $openssl pkey -in key.pem -aes256 -passout pass:aioli -out enc.pem
  passes "$set: which is taken off" $openssl pkey -in enc.pem -passin pass:aioli -out key2.pem
  passes "$set: and is the same" cmp key.pem key2.pem
  fails "$set: another passphrase" 'Could not\|unable' $openssl pkey -in enc.pem -passin pass:olive -noout
done

# Our command line and the provider read each other's keys and signatures.
seed=000102030405060708090a0b0c0d0e0f1011121314151617
passes 'a key from a seed' $openssl genpkey -algorithm MAYO-1 -pkeyopt hexseed:$seed -outform DER -out seeded.der
says 'the seed is in the file' "$seed" sh -c "od -An -v -tx1 seeded.der | tr -d ' \n'"
fails 'a seed that is too short' 'exact length' $openssl genpkey -algorithm MAYO-1 -pkeyopt hexseed:0011
fails 'a digest before the scheme' 'takes no digest: sha256\|takes no digest: SHA2-256' \
  $openssl dgst -sha256 -sign seeded.der -keyform DER message

# Every form of key file that is in the wild (docs/key-files.md), and one that somebody changed.
python3 - seeded.der <<'END' || failures=$((failures + 1))
import os, subprocess, sys
def length(n):
    octets = n.to_bytes((n.bit_length() + 7) // 8, "big")
    return bytes([n]) if n < 128 else bytes([0x80 + len(octets)]) + octets
def tlv(tag, *parts):
    body = b"".join(parts)
    return bytes([tag]) + length(len(body)) + body
file = open(sys.argv[1], "rb").read()
at = file.index(b"\x06\x14")
oid, seed, null = file[at:at + 22], file[-24:], b"\x05\x00"
def private(content, algorithm=oid, version=b"\x02\x01\x00", more=b""):
    return tlv(0x30, version, tlv(0x30, algorithm), tlv(0x04, content), more)
pk = subprocess.run([os.environ["OPENSSL"], *"pkey -inform DER -pubout -outform DER -in".split(), sys.argv[1]],
                    capture_output=True, check=True).stdout[-1456:]
wrong = pk[:-1] + bytes([pk[-1] ^ 1])
forms = {
    "private_seed": private(tlv(0x80, seed)),
    "private_octets": private(tlv(0x04, seed)),
    "private_with_public": private(tlv(0x04, seed, pk)),
    "private_bare": private(seed),
    "private_null": private(tlv(0x80, seed), oid + null),
    "private_version1": private(tlv(0x80, seed), version=b"\x02\x01\x01", more=tlv(0x81, b"\x00", pk)),
    "public_raw": tlv(0x30, tlv(0x30, oid), tlv(0x03, b"\x00", pk)),
    "public_octets": tlv(0x30, tlv(0x30, oid), tlv(0x03, b"\x00", tlv(0x04, pk))),
    "public_null": tlv(0x30, tlv(0x30, oid, null), tlv(0x03, b"\x00", pk)),
    "bad_private_with_public": private(tlv(0x04, seed, wrong)),
    "bad_private_trailing": private(tlv(0x80, seed), more=b"\x00"), # behind the file, OpenSSL cuts off what there is
    "bad_private_parameters": private(tlv(0x80, seed), oid + b"\x05\x01\x00"),
    "bad_private_short": private(tlv(0x80, seed[:-1])),
    "bad_public_short": tlv(0x30, tlv(0x30, oid), tlv(0x03, b"\x00", pk[:-1])),
    "bad_public_oid": tlv(0x30, tlv(0x30, oid[:-1] + b"\x19"), tlv(0x03, b"\x00", pk)),
}
for name, der in forms.items():
    open(name + ".der", "wb").write(der)
END
passes 'the public key' $openssl pkey -in seeded.der -inform DER -pubout -out seeded.pub
for form in private_seed private_octets private_with_public private_bare private_null private_version1; do
  passes "$form is read" $openssl pkey -in $form.der -inform DER -pubout -out form.pub
  passes "$form gives the same key" cmp form.pub seeded.pub
done
for form in public_raw public_octets public_null; do
  passes "$form is read" $openssl pkey -pubin -in $form.der -inform DER -out form.pub
  passes "$form gives the same key" cmp form.pub seeded.pub
done
fails 'a public half that is not its own' 'Could not\|unable' $openssl pkey -in bad_private_with_public.der -inform DER -noout
fails 'a byte behind the key' 'Could not\|unable' $openssl pkey -in bad_private_trailing.der -inform DER -noout
fails 'other parameters' 'Could not\|unable' $openssl pkey -in bad_private_parameters.der -inform DER -noout
fails 'a short seed' 'Could not\|unable' $openssl pkey -in bad_private_short.der -inform DER -noout
fails 'a short public key' 'Could not\|unable' $openssl pkey -pubin -in bad_public_short.der -inform DER -noout
fails 'an unknown identifier' 'Could not\|unable' $openssl pkey -pubin -in bad_public_oid.der -inform DER -noout

# Composites: files of one form only, and a certificate whose signature has lost a half.
for set in MAYO-1-Ed25519 MAYO-3-P256; do
  passes "$set: genpkey" $openssl genpkey -algorithm $set -outform DER -out private_$set.der
  passes "$set: public key" $openssl pkey -inform DER -in private_$set.der -pubout -outform DER -out public_$set.der
  head -c $(($(wc -c <private_$set.der) - 1)) private_$set.der >bad_private_cut.der
  fails "$set: a file cut short" 'Could not\|unable' $openssl pkey -in bad_private_cut.der -inform DER -noout
  passes "$set: certificate" $openssl req -x509 -key private_$set.der -keyform DER -subj /CN=both -outform DER -out both.der
  passes "$set: certificate as PEM" $openssl x509 -in both.der -inform DER -out both.crt
  passes "$set: certificate verifies" $openssl verify -check_ss_sig -CAfile both.crt both.crt
  for at in 9 120; do # from its end: in the classical half, in that of MAYO
    spoil both.der $(($(wc -c <both.der) - at)) half.der
    passes "$set: a certificate with a changed half is read" $openssl x509 -in half.der -inform DER -out half.crt
    fails "$set: a certificate with a changed half" 'signature failure' $openssl verify -check_ss_sig -CAfile half.crt half.crt
  done
done

# Certificates: a root of MAYO, an intermediate of another scheme, a server of MAYO.
for other in "EC -pkeyopt group:P-256" ED25519 UOV-Is-pkc-skc MAYO-3 MAYO-1-Ed25519 MAYO-1-P256; do
  passes 'root' $openssl req -x509 -newkey MAYO-1 -nodes -keyout root.key -out root.crt -subj /CN=root -days 10
  passes "$other: request" $openssl req -new -newkey $other -nodes -keyout middle.key -out middle.csr -subj /CN=middle
  passes "$other: request verifies" $openssl req -in middle.csr -noout -verify
  echo basicConstraints=critical,CA:TRUE >ca.ext
  echo basicConstraints=critical,CA:FALSE >server.ext # OpenSSL 4.0 takes openssl.cnf for one where there is none
  passes "$other: certificate" \
    $openssl x509 -req -in middle.csr -CA root.crt -CAkey root.key -CAcreateserial -days 9 -extfile ca.ext -out middle.crt
  passes "$other: request of a server" \
    $openssl req -new -newkey MAYO-2 -nodes -keyout server.key -out server.csr -subj /CN=localhost
  passes "$other: certificate of a server" \
    $openssl x509 -req -in server.csr -CA middle.crt -CAkey middle.key -CAcreateserial -days 8 -extfile server.ext \
    -out server.crt
  passes "$other: chain" $openssl verify -CAfile root.crt -untrusted middle.crt server.crt
  fails "$other: chain without its middle" 'unable to get local issuer' $openssl verify -CAfile root.crt server.crt
done
$openssl x509 -in middle.crt -outform DER -out middle.der
spoil middle.der $(($(wc -c <middle.der) - 9)) spoilt.der
passes 'a spoilt certificate is read' $openssl x509 -in spoilt.der -inform DER -out spoilt.crt
fails 'a spoilt certificate does not verify' 'signature failure' $openssl verify -CAfile root.crt -untrusted spoilt.crt server.crt
says 'a certificate as text' 'Signature Algorithm: MAYO-1' $openssl x509 -in middle.crt -noout -text

passes 'PKCS #12' $openssl pkcs12 -export -inkey server.key -in server.crt -certfile middle.crt \
  -out server.p12 -passout pass:aioli
says 'PKCS #12 is read' 'BEGIN PRIVATE KEY' $openssl pkcs12 -in server.p12 -passin pass:aioli -noenc
fails 'PKCS #12 under another passphrase' 'invalid password' $openssl pkcs12 -in server.p12 -passin pass:olive -noenc

# Identifiers by configuration.
sed 's/^# identifiers.*/MAYO-1.oid = 1.3.6.1.4.1.99999.1/' "$OPENSSL_CONF" >own.cnf
passes 'a key under an identifier of our own' env OPENSSL_CONF=own.cnf \
  $openssl genpkey -algorithm MAYO-1 -outform DER -out own.der
says 'the identifier is written' '1.3.6.1.4.1.99999.1\|MAYO-1' env OPENSSL_CONF=own.cnf $openssl asn1parse -inform DER -in own.der
passes 'the identifier is read' env OPENSSL_CONF=own.cnf $openssl pkey -inform DER -in own.der -noout
passes 'the identifier that is built in is read' env OPENSSL_CONF=own.cnf $openssl pkey -inform DER -in seeded.der -noout
fails 'others do not know it' 'Could not\|unable' $openssl pkey -inform DER -in own.der -noout
# Neither identifiers nor code points are given twice: OpenSSL leaves the provider out.
for twice in 'MAYO-1.oid = 1.3.9999.8.1.3' 'MAYO-1-r2.oid = 1.3.9999.8.2.3' 'UOV-Ip-pkc.oid = 1.3.6.1.4.1.22554.2.14.5' \
  'MAYO-1.oid = 2.25.248454252293913992156312009341496563590' 'MAYO-2.code-point = 0xffe0' \
  "$(printf 'MAYO-1.oid = 1.3.6.1.4.1.99999.1\nMAYO-2.oid = 1.3.6.1.4.1.99999.01')"; do
  awk -v new="$twice" '{ print } /^\[aioli_provider\]/ { print new }' "$OPENSSL_CONF" >twice.cnf
  fails "given twice: $twice" 'unsupported' env OPENSSL_CONF=twice.cnf $openssl genpkey -algorithm MAYO-1
done
sed 's/^# identifiers.*/MAYO-1.oid = nonsense/' "$OPENSSL_CONF" >bad.cnf
fails 'nonsense is no identifier: OpenSSL leaves the provider out' 'unsupported' env OPENSSL_CONF=bad.cnf \
  $openssl genpkey -algorithm MAYO-1
finish
