#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: must_fail.py TEXT PROGRAM ARGUMENTS...    succeeds if the program ends with status 1, not by an error of its own, and
said TEXT."""

import subprocess
import sys

text, *command = sys.argv[1:]
done = subprocess.run(command, capture_output=True, text=True, check=False)
print(done.stdout + done.stderr)
sys.exit(0 if done.returncode == 1 and text in done.stdout else f"status {done.returncode}, where 1 and {text!r} were wanted")
