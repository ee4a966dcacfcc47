#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# no_division.sh OBJDUMP OBJECT...: exit status 1 if an x86 object divides (also in floating point, or by calling the compiler's
# helpers).
set -eu
objdump=$1
shift
[ $# -gt 0 ] || { echo "no_division.sh: no objects" >&2; exit 2; }
status=0
for object; do
  code=$("$objdump" --disassemble --reloc --no-show-raw-insn --demangle "$object") || exit 2
  case $code in *'<'*'>:'*) ;; *) continue ;; esac # a file of data only
  found=$(printf '%s\n' "$code" | grep -E -e '	(i?div[bwlq]?|v?divs[sd]|v?divp[sd]|fi?divr?[spl]?|fdivr?p|v?sqrt[sp][sd])[ 	]' \
    -e '__u?(div|mod)[a-z]*[dt]i[34]' | head -n 3) || true
  if [ -n "$found" ]; then
    echo "$object divides:"
    printf '%s\n' "$found"
    status=1
  fi
done
[ $status -ne 0 ] || echo "no division in $# objects"
exit $status
