# SPDX-License-Identifier: Apache-2.0
"""Compiles one case of cases.cpp: 0 if it says "compiles" and does, or if it does not and the compiler's errors hold the words it
names.

usage: compile.py CASE COMPILER ARGUMENT..."""

import re
import subprocess
import sys
from pathlib import Path

SETS = "".join(f"static_assert(aioli::Contract<{P}, Kernels<{P}>>::kept);\n" for P in ("aioli::Mayo2", "Uov"))

name, *compiler = sys.argv[1:]
before, *cases = re.split(r"^// case (?=\w+: )", Path(__file__).with_name("cases.cpp").read_text(), flags=re.M)
(case,) = (case for case in cases if case.startswith(name + ": "))
title, text = case.split("\n", 1)
expected = title.split(": ", 1)[1]
run = subprocess.run([*compiler, "-fsyntax-only", "-x", "c++", "-"], input=before + text + SETS, capture_output=True, text=True)
errors = " ".join(line for line in run.stderr.split("\n") if "error:" in line)
if expected == "compiles":
    good = run.returncode == 0
else:
    good = run.returncode != 0 and expected in errors
if not good:
    print(f"{name}: expected: {expected}\nexit status {run.returncode}\n{run.stderr}")
sys.exit(0 if good else 1)
