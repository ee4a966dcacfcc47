# SPDX-License-Identifier: Apache-2.0
"""usage: interface.py LIBRARY HEADERS DESCRIPTION [--write | --planted]

LIBRARY, with debug information, has the functions, types and constants that DESCRIPTION (abidw's text) says.  Any difference is
shown and is a failure, one that breaks no program included: --write then writes the description anew.  --planted: sees that
changes of it are caught.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def describe(library, headers):
    options = ["--exported-interfaces-only", "--drop-private-types", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
               "--no-parameter-names",
               "--no-elf-needed", "--type-id-style", "hash", "--headers-dir", headers]  # fmt: skip
    return subprocess.run(["abidw", *options, library], capture_output=True, text=True, check=True).stdout


def difference(then, now):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("then.abi", then), ("now.abi", now)):
            Path(folder, name).write_text(text)
        done = subprocess.run(["abidiff", "then.abi", "now.abi"], cwd=folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def planted(committed):
    changes = {
        "a function less": (r"    <elf-symbol name='aioli_verify' .*\n", ""),
        "another order of members": (r"(<class-decl name='aioli_env'.*\n.*layout-offset-in-bits=')0'", r"\g<1>64'"),
        "a longer struct": (r"(<class-decl name='aioli_env' size-in-bits=')\d+'", r"\g<1>512'"),
        "another constant": (r"(<enumerator name='AIOLI_ERR_RNG' value=')-5'", r"\g<1>-50'"),
    }
    missed = []
    for what, (pattern, text) in changes.items():
        changed, count = re.subn(pattern, text, committed)
        if count != 1 or difference(changed, committed)[0] == 0:
            missed.append(what)
    return missed


def main(library, headers, description, option=""):
    path = Path(description)
    if option == "--write":
        path.write_text(describe(library, headers))
        return 0
    if option == "--planted":
        missed = planted(path.read_text())
        print("\n".join(f"not caught: {what}" for what in missed) or "every planted change was caught")
        return 1 if missed else 0
    status, said = difference(path.read_text(), describe(library, headers))
    print(said + "make abi writes the new one" if status else "the interface is as described")
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
