#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# no_freeze.sh COMPILER...: compiles with MemorySanitizer as told, and fails if what it instruments has a `freeze` in it.
# Optimisers put these before conditions that they move; MemorySanitizer takes the result for public, so that a branch on a secret
# goes unnoticed.  What freezes no value but `poison` itself depends on nothing: it is the upper half of a register that
# intrinsics leave open.
set -u
code=$(mktemp) || exit 2
trap 'rm -f "$code"' EXIT
if ! "$@" -mllvm -print-before=msan 2>"$code"; then
  exec "$@"  # for its messages
fi
if ! grep -q 'IR Dump Before MemorySanitizerPass' "$code"; then
  echo "no_freeze.sh: MemorySanitizer did not run in: $*" >&2
  exit 1
fi
frozen=$(awk '/^define /{name = $0; sub(/.*@/, "", name); sub(/\(.*/, "", name)}
              / = freeze / && !/ = freeze [^%]* poison/{print "  " name ":" $0}' "$code")
if [ -n "$frozen" ]; then
  printf 'no_freeze.sh: MemorySanitizer takes these for public, whatever they depend on:\n%s\n' "$frozen" >&2
  exit 1
fi
exit 0
