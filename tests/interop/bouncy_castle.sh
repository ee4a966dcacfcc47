#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bouncy_castle.sh PROGRAM DIR: holds the library and Bouncy Castle against each other, on all sets that both have: keys,
# signatures and key files of each side used by the other.  Fetches Bouncy Castle into DIR.
set -eu
program=$1
dir=$2
here=$(cd "$(dirname "$0")" && pwd)
jar=$("$here/get_bouncy_castle" "$dir")
rm -rf "$dir/files"
mkdir -p "$dir/files"
"$program" give "$dir/files"
java -cp "$jar" "$here/BouncyCastle.java" "$dir/files"
"$program" take "$dir/files"
rm -rf "$dir/files" # tens of megabytes
