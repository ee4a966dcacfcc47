#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completions in zsh and fish themselves (bash's are in test_usage.py): shells.py PATH_OF_AIOLI, with both installed.

zsh completes on a terminal only, so it gets one and the tabulator is typed; fish tells what it would complete.
"""

import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = [
    ("aioli keyg", "keygen"),
    ("aioli pass", "passphrase"),
    ("aioli sign --man", "--manifest"),
    ("aioli keygen --alg UOV-V-pkc-skc-", "UOV-V-pkc-skc-r2"),
    ("aioli bench --backend portab", "portable"),
]
NOTHING = "aioli keyx"  # which no shell makes anything of


def fish(typed, pages, environment):
    script = f"source {pages / 'aioli.fish'}; complete -C '{typed}'"
    done = subprocess.run(["fish", "-N", "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=60)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


class Zsh:
    def __init__(self, pages, environment):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment, "TERM": "dumb", "PS1": "> "})
        setup = f"unsetopt zle_bracketed_paste; fpath=({pages} $fpath); autoload -Uz compinit; compinit -u -D"
        self.send(f"{setup}; print rea''dy\n", "ready")

    def send(self, text, until):
        os.write(self.terminal, text.encode())
        seen, end = "", time.monotonic() + 30
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                seen += os.read(self.terminal, 4096).decode(errors="replace")
                if re.search(until, seen):
                    return seen
        raise AssertionError(f"zsh said {seen!r} and not {until!r}")

    def complete(self, typed):
        # ^A and a command of no effect before it: the line is printed rather than run.
        seen = self.send(f"{typed}\t\x01print -r -- '<\x05>'\n", r"\n<[^\n]*>\r?\n")
        return re.findall(r"\n<([^\n]*)>", seen)[-1].split()


def main():
    aioli = Path(sys.argv[1]).resolve()
    failures = []
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "PATH": f"{aioli.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        pages = Path(home, "pages")
        subprocess.run([aioli, "manual", pages], check=True)
        zsh = Zsh(pages, environment)
        for typed, expected in CASES:
            offered = fish(typed, pages, environment)
            if expected not in offered:
                failures.append(f"fish: {typed!r}: {expected} is not in {offered}")
            line = zsh.complete(typed)
            if not line or line[-1] != expected:
                failures.append(f"zsh: {typed!r} became {line}, not {expected}")
        if fish(NOTHING, pages, environment) or zsh.complete(NOTHING) != NOTHING.split():
            failures.append(f"{NOTHING!r} is completed")
    print("\n".join(failures) or f"shells: {len(CASES) + 1} lines as they should be in zsh and in fish")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
