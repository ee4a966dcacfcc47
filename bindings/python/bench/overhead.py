# SPDX-License-Identifier: Apache-2.0
"""usage: overhead.py: what a call from Python takes over the same call from C, both in this process, by turns.

The call from C is a loop that is compiled into a small library of its own (with the C compiler), over the addresses that the
extension module has: the same code of aioli, the same object.  Medians of rounds of 200 calls, in microseconds.
"""

import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aioli
from aioli._native import ffi, lib

LOOP = """
#include <stddef.h>
#include <stdint.h>
typedef int (*verify_fn)(const void *, const uint8_t *, size_t, const uint8_t *, size_t, const void *);
int loop(verify_fn verify, const void *v, const uint8_t *sig, size_t sig_n, const uint8_t *msg, size_t n, int times) {
  int bad = 0;
  for (int i = 0; i < times; i++) bad |= verify(v, sig, sig_n, msg, n, NULL);
  return bad;
}
"""
CALLS, ROUNDS, LIMIT = 200, 300, 1.5


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "loop.c").write_text(LOOP)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", f"{folder}/loop.so", f"{folder}/loop.c"], check=True)
        loop = ctypes.CDLL(f"{folder}/loop.so").loop
    key = aioli.SigningKey.generate("MAYO-2")
    message = b"m" * 32
    signature = key.sign(message)
    public = aioli.VerifyingKey.from_bytes("MAYO-2", bytes(key.public_key), expand=True)
    public.verify(signature, message)
    address = int(ffi.cast("uintptr_t", ffi.addressof(lib, "aioli_verifier_verify")))
    verifier = int(ffi.cast("uintptr_t", public._verifier))
    arguments = [ctypes.c_void_p(address), ctypes.c_void_p(verifier), signature, ctypes.c_size_t(len(signature)), message]
    in_c, in_python = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        bad = loop(*arguments, ctypes.c_size_t(len(message)), CALLS)
        middle = time.perf_counter()
        for _ in range(CALLS):
            public.verify(signature, message)
        end = time.perf_counter()
        if bad:
            raise SystemExit("overhead: the call from C refused the signature")
        in_c.append((middle - start) / CALLS * 1e6)
        in_python.append((end - middle) / CALLS * 1e6)
    c, python = statistics.median(in_c), statistics.median(in_python)
    print(f"MAYO-2, expanded key, {aioli.backend()}: C {c:.2f} us, Python {python:.2f} us, overhead {python - c:.2f} us")
    return 0 if python - c < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
