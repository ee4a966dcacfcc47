# SPDX-License-Identifier: Apache-2.0
"""usage: make_ffi.py REPOSITORY OUTPUT.c: writes the wrappers of the public headers, whose declarations are read from them."""

import re
import sys
from pathlib import Path

import cffi

HEADERS = ["aioli/aioli.h", "aioli/batch.h", "aioli/keyfile.h"]

# A source of randomness that gives what the caller gave, once.
GIVEN = """
typedef struct aioli_given { const uint8_t *bytes; size_t n; } aioli_given;
int aioli_rng_given(void *context, uint8_t *out, size_t n);
"""
GIVEN_CODE = """
#include <string.h>
typedef struct aioli_given { const uint8_t *bytes; size_t n; } aioli_given;
static int aioli_rng_given(void *context, uint8_t *out, size_t n) {
  aioli_given *given = context;
  if (given->n != n) return -1;
  memcpy(out, given->bytes, n);
  given->n = 0;
  return 0;
}
"""


def declarations(header: str) -> str:
    """What cffi is to know of a header: no comments, no preprocessor, none of the macros that stand for attributes."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    text = re.sub(r"\b(?:AIOLI_API|AIOLI_MUST_CHECK|AIOLI_FIXED_ENUM)\b", "", text)
    return re.sub(r"^\}\s*$", "", text, flags=re.M)


def main(repository: Path, output: Path) -> None:
    ffi = cffi.FFI()
    for header in HEADERS:
        ffi.cdef(declarations((repository / "include" / header).read_text()))
    ffi.cdef(GIVEN)
    includes = "".join(f"#include <{header}>\n" for header in HEADERS)
    ffi.set_source("aioli._aioli", includes + GIVEN_CODE, py_limited_api=True)
    ffi.emit_c_code(str(output))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
