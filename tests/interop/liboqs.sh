#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: liboqs.sh AIOLI_BENCH LIBRARY PEERS [GET_LIBOQS]: holds LIBRARY and each build of liboqs in PEERS against each other, on all
# sets that both have.  With GET_LIBOQS, first fetches and builds them there.
set -eu
bench=$1
library=$2
peers=$3
[ $# -lt 4 ] || "$4" "$peers"
set --
for variant in avx2 ref+aesni ref; do
  [ ! -f "$peers/liboqs-$variant/liboqs.so" ] || set -- --liboqs "$variant=$peers/liboqs-$variant/liboqs.so" "$@"
done
# Without any peer this fails and says so.
exec "$bench" --aioli "$library" --interop-only --sets MAYO-1-r2,MAYO-2-r2,MAYO-3-r2,MAYO-5-r2 "$@"
