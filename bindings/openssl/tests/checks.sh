# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests that run the `openssl` program: what must succeed, what must fail, and how it is counted.
set -u
checks=0
failures=0

# passes WHAT COMMAND...
passes() {
  what=$1
  shift
  checks=$((checks + 1))
  if "$@" >"$work/out" 2>"$work/err" </dev/null; then return 0; fi
  failures=$((failures + 1))
  printf 'FAILED: %s\n  %s\n' "$what" "$*"
  cat "$work/out" "$work/err"
}

# fails WHAT TEXT COMMAND...: the command fails and says TEXT
fails() {
  what=$1 text=$2
  shift 2
  checks=$((checks + 1))
  if "$@" >"$work/out" 2>"$work/err" </dev/null; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  %s succeeded\n' "$what" "$*"
  elif ! cat "$work/out" "$work/err" | grep -q -e "$text"; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  %s does not say "%s"\n' "$what" "$*" "$text"
    cat "$work/out" "$work/err"
  fi
}

# says WHAT TEXT COMMAND...: the command succeeds and says TEXT
says() {
  what=$1 text=$2
  shift 2
  checks=$((checks + 1))
  if ! "$@" >"$work/out" 2>"$work/err" </dev/null || ! cat "$work/out" "$work/err" | grep -q -e "$text"; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  %s does not say "%s"\n' "$what" "$*" "$text"
    cat "$work/out" "$work/err"
  fi
}

# Changes the byte at an offset of a file: spoil IN OFFSET OUT
spoil() {
  python3 -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2])] ^= 1
open(sys.argv[3], "wb").write(data)' "$@"
}

finish() {
  echo "$0: $((checks - failures)) of $checks checks pass"
  [ "$failures" = 0 ] && [ "$checks" -gt 0 ]
}
