#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bindings/arrow/tests/prove.sh: proves by CBMC, for arrays of two rows at an offset of at most two (dictionaries: one), what
# prove.c says; about twenty seconds of a processor for each layout.  At the end
# a check is taken out of the code in turn, and each of those proofs has to fail.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/bindings/arrow
"$root/bindings/openssl/tests/get_trixie" cbmc
work=$(mktemp -d "$root/build/prove.XXXXXX")
trap 'rm -rf "$work"' EXIT

# prove LAYOUT FILE: CBMC's status, its words in $work/log.  A DICTIONARY has the type of its indices after it.
prove() {
  symbol=PROVE_$(echo "$1" | sed 's/_\(.\)$/="\1"/')
  "$root/build/cbmc/bin/cbmc" "-D$symbol" -DAIOLI_ARROW_PROOF -DAIOLI_STATIC -I"$root/include" -I"$here/include" \
    --object-bits 12 --bounds-check --pointer-check --pointer-overflow-check --signed-overflow-check --conversion-check \
    --undefined-shift-check --unwind 8 --unwinding-assertions "$here/tests/prove.c" "$2" >"$work/log" 2>&1
}

for layout in OFFSETS LARGE FIXED VIEWS DICTIONARY_C DICTIONARY_s DICTIONARY_I DICTIONARY_L; do
  if ! prove $layout "$here/src/import.c" || ! grep -q '^VERIFICATION SUCCESSFUL$' "$work/log"; then
    grep -E 'FAILURE|error|VERIFICATION' "$work/log" >&2 || cat "$work/log" >&2
    echo "prove: $layout: not proved" >&2
    exit 1
  fi
  echo "prove: $layout: $(grep -E '^\*\* 0 of' "$work/log")"
done

# planted LAYOUT CONDITION: without the check
planted() {
  condition=$2 awk 'index($0, ENVIRON["condition"]) { i = index($0, ENVIRON["condition"]); n++
    $0 = substr($0, 1, i - 1) "if (0)" substr($0, i + length(ENVIRON["condition"])) } { print } END { exit n != 1 }' \
    "$here/src/import.c" >"$work/import.c" || { echo "prove: no such check, or several: $2" >&2; exit 1; }
  if prove "$1" "$work/import.c" || ! grep -q '^VERIFICATION FAILED$' "$work/log"; then
    echo "prove: $1 without '$2' is not noticed" >&2
    exit 1
  fi
  echo "prove: $1 without '$2' fails, as it should"
}
planted OFFSETS 'if (at < before)'
planted VIEWS 'if (at < 0 || room < 0 || n > room || at > room - n || l->buffers[number] == NULL)'
planted VIEWS 'if (number < 0 || (uint64_t)number >= l->width)'
