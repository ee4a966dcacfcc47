#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh LIBAIOLI.a SEEDS DIRECTORY: libFuzzer on the provider's decoders for FUZZ_SECONDS, from the key files in SEEDS.
set -eu
library=$1 seeds=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$3/corpus"
clang-19 -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DAIOLI_STATIC "-I$root/include" \
  "-I$root/bindings/composite/include" "$root"/bindings/composite/src/*.c "$root"/bindings/openssl/src/*.c \
  "$root/bindings/openssl/tests/fuzz_decoder.c" "$library" -lcrypto -o "$3/fuzz_decoder"
for seed in "$seeds"/public_*.der "$seeds"/private_*.der; do
  [ -s "$seed" ] || { echo "fuzz.sh: no key files in $seeds; commands.sh makes them"; exit 1; }
  cp "$seed" "$3/corpus"
done
exec "$3/fuzz_decoder" -max_total_time="${FUZZ_SECONDS:-5}" -max_len=4096 -verbosity=0 -print_final_stats=1 "$3/corpus"
