#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# expect.sh STATUS COMMAND...: succeeds if the command ends with exactly this exit status.  A crash is no substitute for a report.
wanted=$1
shift
"$@"
got=$?
[ "$got" = "$wanted" ] && exit 0
echo "expect.sh: the exit status is $got where $wanted was expected: $*" >&2
[ "$wanted" = 0 ] || [ "$got" != 0 ] ||
  echo "expect.sh: a planted leak went unnoticed, so the checks of this build prove nothing" >&2
exit 1
