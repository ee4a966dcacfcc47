#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prove_der.sh (make prove): CBMC on the provider's own DER, for all files up to a bound.  And der.c with one line broken must
# fail, so that a proof says something.
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root" || exit 1
sh bindings/openssl/tests/get_trixie cbmc || exit 1
work=$root/build/prove
mkdir -p "$work/tests" "$work/src"
. bindings/openssl/tests/checks.sh

# prove FUNCTION DER.C: no loop runs more than four times, and CBMC shows that, too
prove() {
  bytes=24
  [ "$1" != prove_without_null ] || bytes=14 # copies of any length cost it more
  build/cbmc/bin/cbmc --function "$1" -DFILE_BYTES=$bytes --unwind 5 --unwinding-assertions --bounds-check --pointer-check \
    --pointer-overflow-check --signed-overflow-check --undefined-shift-check --no-malloc-may-fail --slice-formula \
    bindings/openssl/tests/prove_der.c "$2"
}
for function in prove_sequence_bytes prove_algorithm prove_without_null; do
  says "$function" 'VERIFICATION SUCCESSFUL' prove $function bindings/openssl/src/der.c
  echo "$function, files of up to $bytes bytes: $(grep -o '[0-9]* of [0-9]* failed' "$work/out" | tail -n 1)"
done

# breaks WHAT FUNCTION OLD NEW
breaks() {
  cp bindings/openssl/src/der.h "$work/src/der.h"
  sed "s/$3/$4/" bindings/openssl/src/der.c >"$work/src/der.c"
  if cmp -s "$work/src/der.c" bindings/openssl/src/der.c; then
    echo "prove_der.sh: nothing to break: $1"
    failures=$((failures + 1))
  fi
  fails "$1" 'VERIFICATION FAILED' prove "$2" "$work/src/der.c"
}
breaks 'a header is read past its end' prove_sequence_bytes '(size_t)(end - p) < octets || ' ''
breaks 'a long form that is not needed' prove_sequence_bytes 'if (\*length < 0x80) return NULL;' ''
breaks 'an identifier that leaves its SEQUENCE' prove_algorithm '(size_t)(stop - p) < length || length == 0' 'length == 0'
breaks 'a length that forgets the NULL' prove_without_null 'inner = before + 2 + oid' 'inner = before + 4 + oid'
finish
