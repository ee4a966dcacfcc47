#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The two files of tools/two_files as a stranger uses them: compiled without a warning, linked into a program in C.

usage: check.py quick WORK     one or two sets for each compiler, some backends, unoptimised (in `make test`)
       check.py full WORK      MAYO and some of UOV, both compilers, -O2 and -O3; 64-bit ARM under qemu, a big-endian and a
                               32-bit machine, a bare Cortex-M4 (make two-files)
"""

import json
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
# What docs/two-files.md tells users: then a C compiler links the program.
WITHOUT_RUNTIME = ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]
FOR_GCC = ["-fno-ipa-icf", "-DAIOLI_NO_IPA_ICF"]


def run(*words, **more):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(words)}\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout + done.stderr


def generate(folder, sets, backends=None, key_files=False):
    options = ["--sets", ",".join(sets), "--out", folder]
    options += ["--backends", ",".join(backends)] if backends else []
    run(sys.executable, ROOT / "tools/two_files", *options, *(["--key-files"] if key_files else []))


def answers(sets, backends):
    """answers.h: of each set up to three signatures of tests/vectors, and the public keys that are there whole."""
    found = []
    for family in ("mayo", "uov"):
        suites = json.loads((ROOT / f"tests/vectors/{family}_acvp.json").read_text())["vectorSets"]
        public = {}
        for suite in suites:
            for group in suite["testGroups"]:
                if group["parameterSet"] not in sets:
                    continue
                for test in group["tests"][:3] if suite["mode"] == "sigGen" else group["tests"]:
                    if suite["mode"] == "keyGen" and "pk" in test:
                        public[group["parameterSet"], test["seed"]] = test["pk"]
                    elif suite["mode"] == "sigGen":
                        seed = test.get("sk") or test["skSeed"]
                        found.append((group["parameterSet"], seed, public.get((group["parameterSet"], seed), ""), test["message"],
                                      test.get("salt", ""), test["signature"]))
    missing = {name for name in sets if "-r1" not in name} - {name for name, *_ in found}  # of round 1: the self-test's alone
    if missing or not found:
        sys.exit(f"tests/vectors has no answers of {missing}")
    fields = ("seed", "pk", "message", "salt", "signature")
    text = ["#include <stddef.h>", "#include <stdint.h>",
            "struct answer { const char *set;" + "".join(f" const uint8_t *{f}; size_t {f}_bytes;" for f in fields) + " };"]
    rows = []
    for i, (name, *values) in enumerate(found):
        for field, value in zip(fields, values):
            data = ", ".join(f"0x{b:02x}" for b in bytes.fromhex(value)) or "0"
            text.append(f"static const uint8_t {field}_{i}[] = {{{data}}};")
        rows.append(f'{{"{name}", ' + ", ".join(f"{f}_{i}, {len(v) // 2}" for f, v in zip(fields, values)) + "},")
    text += ["static const struct answer answers[] = {", *rows, "};",
             "static const char *const backends[] = {" + ", ".join(f'"{b}"' for b in backends) + ", NULL};",
             f"enum {{ set_count = {len(sets)} }};"]
    return "\n".join(text) + "\n"


def check(work, name, sets, backends, compilers, level="-O2", flags=(), runner=(), all_run=False, key_files=False):
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    generate(folder, sets, backends, key_files)
    (folder / "answers.h").write_text(answers(sets, backends))
    shutil.copy(HERE / "main.c", folder)
    cc, cxx = compilers
    common = ["-std=c++20", *WARNINGS, *WITHOUT_RUNTIME, *([] if "clang" in cxx else FOR_GCC)]
    said = run(cxx, *common, level, *flags, "-c", folder / "aioli.cpp", "-o", folder / "aioli.o")
    for program, wrong in (("main", []), ("wrong", ["-DWRONG_ON_PURPOSE"])):
        said += run(cc, "-std=c11", "-Wpedantic", *WARNINGS, *flags, *wrong, folder / "main.c", folder / "aioli.o", "-o",
                    folder / program)
    if said:
        sys.exit(f"{name}: the compiler has something to say\n{said}")
    out = run(*runner, folder / "main")
    if all_run and "not on this processor" in out:
        sys.exit(f"{name}: not all backends run\n{out}")
    done = subprocess.run([*runner, str(folder / "wrong")], capture_output=True, text=True, check=False)
    if done.returncode != 1 or "FAILED" not in done.stdout:
        sys.exit(f"{name}: wrong answers are not noticed")
    symbols = run("nm", "-g", "--defined-only", folder / "aioli.o")
    foreign = [line for line in symbols.splitlines() if re.search(r" T (?!aioli_|_ZNK?5aioli)", line)]
    if foreign:
        sys.exit(f"{name}: names that are not ours\n" + "\n".join(foreign))
    print(f"{name}: {out.splitlines()[-1]}")


def check_refusals(work):
    for words, text in ((["--sets", "MAYO-9"], "no set MAYO-9"), (["--backends", "sse9"], "no backend sse9"),
                        (["--backends", "portable,vaes"], "kernels of avx2")):
        done = subprocess.run([sys.executable, str(ROOT / "tools/two_files"), *words, "--out", str(work / "none")],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0 or text not in done.stderr or (work / "none").exists():
            sys.exit(f"tools/two_files {' '.join(words)}: {done.returncode} {done.stderr}")


def check_flag(work):
    """gcc without the flag is refused."""
    words = ["g++", "-std=c++20", "-O2", "-fsyntax-only", str(work / "gcc/aioli.cpp")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 0 or "-fno-ipa-icf" not in done.stderr:
        sys.exit(f"g++ -O2 without -fno-ipa-icf is not refused: {done.stderr[-2000:]}")


GCC, CLANG = ("gcc", "g++"), ("clang-19", "clang++-19")
X86 = ["portable", "aesni", "avx2", "vaes", "gfni", "avx512"]
ARM = ["portable", "neon", "neon_aes", "neon_sha3"]


def quick(work):
    x86 = platform.machine() == "x86_64"
    check_refusals(work)
    check(work, "gcc", ["MAYO-1"], ["portable", "avx2", "avx512"] if x86 else ["portable"], GCC, "-O0")
    check_flag(work)
    some = ["portable", "avx2"] if x86 else ["portable"]
    check(work, "clang", ["MAYO-2", "UOV-Is-pkc"], some, CLANG, "-O0", key_files=True)


def full(work):
    mayo, uov = ["MAYO-1", "MAYO-2", "MAYO-3", "MAYO-5"], ["UOV-Is", "UOV-Ip-pkc", "UOV-III-pkc-skc"]
    old = ["MAYO-1-r2", "MAYO-3-r1", "MAYO-5-r1b"]
    if platform.machine() == "x86_64":
        for kind, compilers in (("gcc", GCC), ("clang", CLANG)):
            for level in ("-O2", "-O3"):
                check(work, f"{kind}{level}-mayo", mayo, X86, compilers, level, key_files=True)
            check(work, f"{kind}-uov", ["MAYO-2", *uov], X86, compilers)
            check(work, f"{kind}-old", old, X86 + ARM[1:], compilers)
            check(work, f"{kind}-native", ["MAYO-1"], X86, compilers, "-O2", ["-march=native"])
        check(work, "gcc-m32", ["MAYO-2"], ["portable"], GCC, flags=["-m32"]) if Path("/usr/lib32/libc.a").exists() else None
    qemu = ["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"]
    arm = ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++")
    check(work, "aarch64-gcc", ["MAYO-2", "UOV-Is-pkc"], ARM, arm, flags=["-Wno-psabi"], runner=qemu, all_run=True)
    check(work, "aarch64-clang", ["MAYO-2"], X86 + ARM[1:], CLANG, flags=["--target=aarch64-linux-gnu"], runner=qemu)
    check(work, "s390x", ["MAYO-2"], X86 + ARM[1:], ("s390x-linux-gnu-gcc", "s390x-linux-gnu-g++"),
          runner=["qemu-s390x", "-L", "/usr/s390x-linux-gnu"])
    check(work, "arm32", ["MAYO-2"], ["portable"], ("arm-linux-gnueabihf-gcc", "arm-linux-gnueabihf-g++"),
          runner=["qemu-arm", "-L", "/usr/arm-linux-gnueabihf"])
    folder = work / "bare"  # a Cortex-M4 that verifies: it compiles, and needs nothing but copies of memory
    generate(folder, ["MAYO-2"], ["portable"])
    left_out = [f"-DAIOLI_WITHOUT_{one}" for one in ("KEYPAIR", "SIGN", "SIGNER", "VERIFIER", "DIGESTS")]
    run("arm-none-eabi-g++", "-std=c++20", "-Os", "-mcpu=cortex-m4", "-mthumb", "-ffreestanding", "-DAIOLI_FREESTANDING",
        *left_out,
        *WARNINGS, *WITHOUT_RUNTIME, *FOR_GCC, "-ffunction-sections", "-c", folder / "aioli.cpp", "-o", folder / "aioli.o")
    wanted = set(re.findall(r" U (\w+)", run("arm-none-eabi-nm", folder / "aioli.o")))
    helpers = {name for name in wanted if name.startswith(("__aeabi_", "__gnu_"))}
    if wanted - helpers - {"memcpy", "memset", "memmove", "memcmp"}:
        sys.exit(f"bare: needs {sorted(wanted)}")
    print(f"bare: compiled for a Cortex-M4; takes {' '.join(sorted(wanted))} from elsewhere")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("quick", "full"):
        sys.exit(__doc__)
    work = Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    {"quick": quick, "full": full}[sys.argv[1]](work)


if __name__ == "__main__":
    main()
