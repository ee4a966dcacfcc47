#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: liboqs.sh AIOLI_BENCH LIBRARY PEERS [GET_LIBOQS]: holds LIBRARY and each build of liboqs in PEERS against each other, on
# all sets that both have.  With GET_LIBOQS, first fetches and builds them there, and also has the harness measure what is there
# for scale: it compares each key and signature of the builds of ML-DSA-44 with each other's, and those of Ed25519 with
# themselves.
set -eu
bench=$1
library=$2
peers=$3
get=${4:-}
[ -z "$get" ] || "$get" "$peers"
set --
for variant in avx2 ref+aesni ref; do
  [ ! -f "$peers/liboqs-$variant/liboqs.so" ] || set -- --liboqs "$variant=$peers/liboqs-$variant/liboqs.so" "$@"
done
if [ $# -ge 1 ] && [ -n "$get" ]; then
  sodium=
  for file in /usr/lib/*/libsodium.so.* /usr/lib64/libsodium.so.* /usr/lib/libsodium.so.*; do
    [ ! -f "$file" ] || sodium=$file
  done
  "$bench" --aioli "$library" --sodium "$sodium" --sets ML-DSA-44,Ed25519 --quick "$@" >"$peers/scale.txt"
  for row in 'ML-DSA-44  liboqs ref' 'Ed25519    libsodium C'; do
    grep -q "^  $row  *[1-9][0-9,]*  *[1-9][0-9,]*  *[1-9][0-9,]*\$" "$peers/scale.txt" || {
      echo "no figures of: $row" >&2
      cat "$peers/scale.txt" >&2
      exit 1
    }
  done
fi
# Without any peer this fails and says so.
sets=MAYO-1-r2,MAYO-2-r2,MAYO-3-r2,MAYO-5-r2
for form in '' -pkc -pkc-skc; do
  sets=$sets,UOV-Is$form,UOV-Ip$form-r2,UOV-III$form-r2,UOV-V$form-r2
done
exec "$bench" --aioli "$library" --interop-only --sets "$sets" "$@"
