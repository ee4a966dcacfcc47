#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows a recipe of ARCHITECTURE.md in a copy of the sources, word for word, and runs what comes out.

usage: recipe.py backend|parameter_set SOURCES SCRATCH

A fenced block that begins with a comment naming a file is text for that file: the whole of a new one, or lines for the place that
PLACES says.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

COPIED = [
    "CMakeLists.txt",
    "CMakePresets.json",
    "bench",
    "cli",
    "cmake",
    "docs",
    "include",
    "model",
    "research",
    "src",
    "tests",
    "tools",
]
# Where lines of a block go in a file that is there: before this line, or at the end.
PLACES = {
    "src/backend/backends.def": None,
    "src/abi/registry.def": None,
    "src/scheme/mayo_params.hpp": "static_assert(has_sizes<Mayo1>",
    "src/keyfile/oids.cpp": '    {"MAYO-1", ',
    "model/aioli_model/params.py": '    Params("MAYO-1", ',
    "src/scheme/uov_params.hpp": "// [UOV-r2] Table 1.  Model: uov._SHAPES.",
    "model/aioli_model/uov.py": "    # Sets that are called otherwise",
}
# A program of the scratch build: the known answers, without the rest of the tests.
SCRATCH = """cmake_minimum_required(VERSION 3.22)
project(recipe LANGUAGES C CXX)
set(CMAKE_BUILD_TYPE Release)
set(BUILD_SHARED_LIBS OFF)
set(AIOLI_BUILD_BATCH OFF)
set(AIOLI_WITHOUT_VAES ON)  # three backends are enough
add_subdirectory(tree)
add_executable(kat EXCLUDE_FROM_ALL tree/tests/kat/kat.cpp)
target_include_directories(kat PRIVATE tree/tests tree/src)
target_compile_features(kat PRIVATE cxx_std_20)
target_link_libraries(kat PRIVATE aioli::aioli_static)
"""


def run(*command, wanted=0, **environment):
    done = subprocess.run(
        command, env={**os.environ, **environment}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if (done.returncode == 0) != (wanted == 0):
        sys.exit(f"{done.stdout}\n{' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout


def blocks_of(document, title):
    """(file, text) of each block of the recipe that begins with the title in bold."""
    recipe = document.split(f"**{title}**", 1)[1].split("\n**", 1)[0]
    blocks = re.findall(r"^```\w*\n(?://|#) (\S+)\n(.*?)^```$", recipe, re.M | re.S)
    if not blocks:
        sys.exit(f"ARCHITECTURE.md: the recipe of {title} has no blocks")
    return blocks


class Copy:
    def __init__(self, sources, scratch, title):
        self.scratch, self.tree, self.build = scratch, scratch / "tree", scratch / "build"
        shutil.rmtree(scratch, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for name in COPIED:
            copy = shutil.copytree if (sources / name).is_dir() else shutil.copy
            copy(sources / name, self.tree / name)
        (scratch / "CMakeLists.txt").write_text(SCRATCH)
        self.blocks = blocks_of((sources / "ARCHITECTURE.md").read_text(), title)

    def follow(self, but=None):
        for name, text in self.blocks:
            if name == but:
                continue
            path = self.tree / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                continue
            before, old = PLACES[name], path.read_text()
            at = len(old) if before is None else old.index(before)
            path.write_text(old[:at] + text + old[at:])

    def configure(self, sets, wanted=0):
        return run("cmake", "-G", "Ninja", "-S", self.scratch, "-B", self.build, f"-DAIOLI_SETS={sets}", wanted=wanted)

    def program(self, name):
        run("cmake", "--build", self.build, "--target", name, "--parallel", os.environ.get("JOBS", "2"))
        return self.build / name


def backend(copy):
    copy.follow()
    copy.configure("MAYO_1;MAYO_2")
    kat = copy.program("kat")
    digests = json.loads((copy.tree / "tests/vectors/mayo_digests.json").read_text())["sets"]
    for name in ("MAYO-1", "MAYO-2"):
        arguments = (kat, name, digests[name]["record0"], digests[name]["all100"])
        run(*arguments, AIOLI_BACKEND="mine", AIOLI_KAT_FASTEST="1")
    run(*arguments, AIOLI_BACKEND="yours", AIOLI_KAT_FASTEST="1", wanted=1)
    # The tests take it from its row, too.
    run(
        "cmake", "-G", "Ninja", "-S", copy.tree, "-B", copy.scratch / "tests", "-DAIOLI_BUILD_TESTS=ON", "-DAIOLI_BUILD_BATCH=OFF"
    )
    if "kernels/mine" not in run("ctest", "--test-dir", copy.scratch / "tests", "-N", "-R", "kernels/"):
        sys.exit("no test kernels/mine")


# A set of UOV under a name of its own, besides the set of MAYO in the recipe.
VINE = [
    ("src/scheme/uov_params.hpp", "struct Vine1 : UovParams<Gf256, 60, 24, 1, 3> {};\n"),
    ("src/abi/registry.def", 'AIOLI_SET(VINE_1_PKC, "VINE-1-pkc", uov, 3, UovPkc, Vine1)\n'),
    ("src/keyfile/oids.cpp", '    {"VINE-1-pkc", "2.25.198765432198765432198765432198765433"},\n'),
    ("model/aioli_model/uov.py", '    Params("VINE-1-pkc", 3, 1, Shape(GF256, 60, 24), "pkc"),\n'),
]


def parameter_set(copy):
    add_set = (sys.executable, "-B", copy.tree / "tools/add_set", "OLIVE-1", "VINE-1-pkc", "-DAIOLI_WITHOUT_VAES=ON")
    said = run(*add_set, wanted=1)
    for name in ("OLIVE-1", "VINE-1-pkc"):
        for file in ("src/abi/registry.def", "src/keyfile/oids.cpp", "model/aioli_model"):
            if f"{name}: {file}" not in said:
                sys.exit(f"add_set does not say that {file} has no row of {name}:\n{said}")
    copy.blocks += VINE
    copy.follow(but="src/keyfile/oids.cpp")
    if "src/keyfile/oids.cpp has no row" not in (said := run(*add_set, wanted=1)) or "registry" in said:
        sys.exit(f"add_set does not say what is missing, or more:\n{said}")
    if "no row in src/abi/selftest_vectors.def" not in copy.configure("OLIVE_1", wanted=1):
        sys.exit("CMake does not say what is missing")
    copy.blocks = [block for block in copy.blocks if block[0] == "src/keyfile/oids.cpp"]
    copy.follow()
    said = run(*add_set)
    for name in ("OLIVE-1", "VINE-1-pkc"):
        if f"{name}, portable: 100 known answers" not in said:
            sys.exit(f"add_set does not compare {name}:\n{said}")
    digests = json.loads((copy.tree / "tests/vectors/uov_digests.json").read_text())["sets"]
    if digests["VINE-1-pkc"]["header"] != "# OV(256,60,24)-pkc":
        sys.exit("add_set writes no digests")
    # Other parameters in the model than in C++ do not pass.
    model = copy.tree / "model/aioli_model/params.py"
    model.write_text(model.read_text().replace("83, 64, 17, 4, (8, 0, 2, 8)", "83, 64, 17, 4, (8, 0, 4, 8)"))
    if "OLIVE-1, portable: record 0: sm is not the model's" not in (said := run(*add_set, wanted=1)):
        sys.exit(f"add_set does not see that the model differs:\n{said}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    _, recipe, sources, scratch = sys.argv
    title, follow = {"backend": ("A backend", backend), "parameter_set": ("A parameter set", parameter_set)}[recipe]
    follow(Copy(Path(sources), Path(scratch), title))


main()
