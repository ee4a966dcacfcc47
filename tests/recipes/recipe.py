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
file(WRITE ${CMAKE_BINARY_DIR}/selftest.c
"#include <aioli/aioli.h>\\n#include <stdio.h>\\n\
int main(int c, char **v) { aioli_status s = aioli_selftest(aioli_alg_by_name(v[1]));\\n"
"puts(aioli_status_text(s)); return c != 2 || s != AIOLI_OK; }\\n")
add_executable(selftest EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/selftest.c)
target_link_libraries(selftest PRIVATE aioli::aioli_static)
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


def parameter_set(copy):
    copy.follow(but="src/keyfile/oids.cpp")
    for wanted in ("no row in src/abi/selftest_vectors.def", "no row in src/keyfile/oids.cpp"):
        if wanted not in copy.configure("OLIVE_1", wanted=1):
            sys.exit(f"CMake does not say: {wanted}")
        run(sys.executable, "-B", copy.tree / "model/make_selftest.py")
    copy.blocks = [block for block in copy.blocks if block[0] == "src/keyfile/oids.cpp"]
    copy.follow()
    copy.configure("OLIVE_1")
    selftest = copy.program("selftest")
    for name in ("portable", "aesni", "avx2"):
        if name == "portable" or name in Path("/proc/cpuinfo").read_text().replace(" aes ", " aesni "):
            run(selftest, "OLIVE-1", AIOLI_BACKEND=name)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    _, recipe, sources, scratch = sys.argv
    title, follow = {"backend": ("A backend", backend), "parameter_set": ("A parameter set", parameter_set)}[recipe]
    follow(Copy(Path(sources), Path(scratch), title))


main()
