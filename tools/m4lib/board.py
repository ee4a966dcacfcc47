# SPDX-License-Identifier: Apache-2.0
"""Builds firmware with CMake and runs it on QEMU's mps2-an386, with or without the counting plugin."""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/m4"
POLICIES = {  # name: (name of the backend, options of CMake)
    "small": ("cortex_m4_small", ["-DAIOLI_CORTEX_M4=small", "-DAIOLI_WITHOUT_PORTABLE=ON"]),
    "fast": ("cortex_m4", ["-DAIOLI_CORTEX_M4=fast", "-DAIOLI_WITHOUT_PORTABLE=ON"]),
    "portable": ("portable", ["-DAIOLI_CORTEX_M4=OFF", "-DAIOLI_WITHOUT_PORTABLE=OFF"]),
}
# AIOLI_WIPE_STACK_BYTES of firmware in the small policy, by set: what its signing is deep, and some.  counting.runs looks at what
# remains.  Deepest is a library of one operation (counting.check_alone): functions that are called once are inlined there.  The
# fast policy has the toolchain file's, which is enough for all.
WIPED_WHEN_SMALL = {"MAYO-1": 1920, "MAYO-2": 1920, "MAYO-3": 2176, "MAYO-5": 2432, "UOV-Is": 1664, "UOV-Ip": 1664}
UOV = "UOV-I[sp]"  # the sets of UOV that are run here: the keys of the others are megabytes
OPERATIONS = ["keypair", "sign", "verify", "signer_init", "signer_sign", "verifier_init", "verifier_verify"]
compilers = int(os.environ.get("JOBS", "1"))  # at a time, in one build
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "none"]


class Failure(Exception):
    """What the caller of the tool gets to read; the exit status of the image if it was that."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


def registered_sets():
    """{name: identifier} of the sets that are run here, in the order of registry.def."""
    text = (ROOT / "src/abi/registry.def").read_text()
    return {name: identifier for identifier, name in re.findall(rf'^AIOLI_SET\((\w+), "(MAYO-[^"]+|{UOV}[^"]*)"', text, re.M)}


@functools.cache
def families():
    """{name of a set or backend: its families}, of registry.def and backends.def."""
    sets = re.findall(r'^AIOLI_SET\(\w+, "([^"]+)", (\w+),', (ROOT / "src/abi/registry.def").read_text(), re.M)
    backends = re.findall(r"^AIOLI_BACKEND\((\w+), \w+, ([\w |]+),", (ROOT / "src/backend/backends.def").read_text(), re.M)
    return {name: set(of.split(" | ")) for name, of in (*sets, *backends)}


def policies_of(name, policies):
    """Of these policies those that serve the set."""
    return [policy for policy in policies if families()[name] <= families()[POLICIES[policy][0]]]


def require_served(name, policies):
    """The set exists, and one of the policies has kernels for it."""
    if name not in registered_sets():
        raise Failure(f"no set {name}: there are {', '.join(registered_sets())}")
    if not policies_of(name, policies):
        raise Failure(f"{name} is not served by the policy {' or '.join(policies)}: use --policy small")


def policy_name(name):
    """A policy by its own name or its backend's."""
    for policy, (backend, _) in POLICIES.items():
        if name in (policy, backend):
            return policy
    raise Failure(f"no policy {name}: there are {', '.join(POLICIES)}")


def paired(a, b):
    """zip, of equal lengths"""
    a, b = list(a), list(b)
    if len(a) != len(b):
        raise Failure(f"{len(a)} and {len(b)} of what should come in pairs")
    return zip(a, b)


def side_by_side(work, tasks):
    """work(*task) of each task, JOBS of them at a time, each in a build directory of its own; results in order, or the first
    failure."""
    global compilers
    jobs, before = int(os.environ.get("JOBS", "1")), compilers
    if jobs > 1:
        plugin()
        compilers = 1
    try:
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(lambda task: work(*task), tasks))
    finally:
        compilers = before


def quietly(command, **options):
    """Runs a command whose output matters only if it fails."""
    done = subprocess.run(
        [str(w) for w in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **options
    )
    if done.returncode != 0:
        sys.stderr.write(done.stdout[-8000:] + done.stderr[-8000:])
        raise Failure(f"{' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout


@functools.cache
def require_tools():
    """Everything that is missing, said at once and before anything is begun."""
    compiler, newlib = "arm-none-eabi-g++", "newlib (libc.a) for it"
    missing = [name for name in ("cmake", "ninja", compiler, QEMU[0], os.environ.get("CC", "gcc")) if shutil.which(name) is None]
    # gcc answers with the bare name where it knows no such file.
    if compiler not in missing and not os.path.isabs(quietly([compiler, "-print-file-name=libc.a"]).strip()):
        missing.append(newlib)
    if missing:
        raise Failure(
            f"not here: {', '.join(missing)}; tools/setup m4 installs what is missing (tests without the board: ctest -LE m4)"
        )


def plugin():
    """build/m4/count.so, compiled when its source is newer."""
    source, made = ROOT / "firmware/plugin/count.c", BUILD / "count.so"
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        BUILD.mkdir(parents=True, exist_ok=True)
        fresh = BUILD / f"count.{os.getpid()}.so"
        quietly([os.environ.get("CC", "gcc"), "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", fresh, source])
        fresh.replace(made)
    return made


def build(name, policy, targets=("runner",), options=(), suffix=""):
    """Configures and builds the firmware of one set under one policy; returns the directory of its images."""
    require_tools()
    where = BUILD / f"{name}-{policy}{suffix}"
    require_served(name, [policy])
    identifier = registered_sets()[name]
    wanted = ["cmake", "-S", ROOT, "-B", where, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DAIOLI_SETS={identifier}",
              f"--toolchain={ROOT / 'tools/toolchains/cortex-m4.cmake'}", *POLICIES[policy][1]]  # fmt: skip
    if policy == "small" and name[:6] in WIPED_WHEN_SMALL:
        wanted.append(f"-DAIOLI_WIPE_STACK_BYTES={WIPED_WHEN_SMALL[name[:6]]}")
    wanted += options
    stamp, asked = where / ".configured", "\n".join(map(str, wanted))
    if not stamp.exists() or stamp.read_text() != asked:
        if stamp.exists():  # the options decide what is in the library: no leftovers
            quietly(["rm", "-rf", where])
        quietly(wanted)
        stamp.write_text(asked)
    quietly(["cmake", "--build", where, "--parallel", str(compilers), "--target", *targets])
    return where / "firmware"


def run(image, arguments=(), counted=None, traced=False, timeout=900, expect=0):
    """Runs an image; returns what it printed.  `counted`: where the plugin writes."""
    require_tools()
    semihosting = ",".join(["enable=on,target=native", "arg=" + Path(image).stem, *(f"arg={a}" for a in arguments)])
    command = [*QEMU, "-semihosting-config", semihosting, "-kernel", str(image)]
    if counted is not None:
        command += ["-plugin", f"{plugin()},out={counted},trace={int(traced)}"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{image}: still running after {timeout} s") from None
    if done.returncode != expect:
        said = done.stdout[-2000:] + done.stderr[-2000:]
        raise Failure(f"{image}: exit status {done.returncode}, expected {expect}\n{said}", done.returncode)
    return done.stdout


def run_script(image, lines, count=False, traced=False):
    """Runs the runner on a script; returns its lines and, if counted, the plugin's."""
    with tempfile.TemporaryDirectory() as directory:
        script, counts = Path(directory, "script"), Path(directory, "counts")
        script.write_text("\n".join(lines) + "\n")
        said = run(image, [script], counts if count else None, traced).splitlines()
        if not said or said[-1] != "done":
            raise Failure(f"{image}: did not come to the end of its script: {said[-1:]}")
        return said, counts.read_text().splitlines() if count else []
