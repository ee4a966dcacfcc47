#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In an empty Debian, with the packages in /packages: installs them, signs and verifies, removes them; all files are as before.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get -q -y --no-install-recommends install libssl3 >/dev/null # what the command line depends on and Debian has
everything() { # but the package manager's own, and caches
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /packages -o -path /var/lib/dpkg -o -path /var/lib/apt -o \
    -path /var/cache -o -path /var/log -o -path /tmp -o -path /etc/ld.so.cache \) -prune -o -print | sort
}
rm -f /packages/*-dbgsym_*.deb # for debuggers
everything >/packages/before
dpkg --install /packages/*.deb
[ -e "$(echo /usr/lib/*/libaioli.so.0)" ]
ldconfig -p | grep -q libaioli_batch
mkdir /tmp/use
cd /tmp/use
aioli selftest --alg MAYO-1
aioli keygen --out alice
echo message >file
aioli sign --key alice.key file
aioli verify --key alice.pub file
echo other >file
if aioli verify --key alice.pub file; then exit 1; fi
[ -s /usr/share/man/man1/aioli-sign.1.gz ] && [ -s /usr/share/bash-completion/completions/aioli ]
cd /
rm -r /tmp/use
dpkg --purge aioli libaioli-dev libaioli0
everything >/packages/after
diff /packages/before /packages/after
echo "in_empty_root: installed $(cd /packages && echo *.deb), used, removed, nothing left"
