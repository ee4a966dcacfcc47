# SPDX-License-Identifier: Apache-2.0
"""usage: make_ffi.py REPOSITORY OUTPUT.c: writes the wrappers of the public headers, whose declarations are read from them."""

import re
import sys
from pathlib import Path

import cffi

HEADERS = ["include/aioli/aioli.h", "include/aioli/batch.h", "include/aioli/keyfile.h", "bindings/arrow/include/aioli/arrow.h",
           "bindings/python/device.h"]

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

# Arrow: streams, and arrays of ours that go out.  Such an array points into memory of an object of Python (`owner`, its address),
# which it holds until it is released, by whichever thread.  Capsules are made by way of ctypes, for cffi knows no objects of
# Python; aioli_python_drop_... are their destructors.
ARROW = """
#define AIOLI_BATCH_DIGESTS ...
#define AIOLI_CUDA_FALLBACK ...
#define AIOLI_CUDA_CHECK_SIGNATURES ...
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
int aioli_python_export(struct ArrowArray **array, struct ArrowSchema **schema, const char *format, int64_t rows,
                        const void *validity, const void *second, const void *third, uintptr_t owner);
extern const uintptr_t aioli_python_drop_array, aioli_python_drop_schema;
extern "Python" int aioli_python_told(void *context, uint64_t done, uint64_t rows);
"""
ARROW_CODE = """
#include <stdlib.h>
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
typedef struct holder { const void *buffers[3]; PyObject *owner; char format[24]; } holder;
static void hold(PyObject *owner, int more) {
  const PyGILState_STATE state = PyGILState_Ensure();
  if (more) Py_INCREF(owner); else Py_DECREF(owner);
  PyGILState_Release(state);
}
static void release_schema(struct ArrowSchema *schema) {
  free(schema->private_data);
  schema->release = NULL;
}
static void release_array(struct ArrowArray *array) {
  holder *h = array->private_data;
  array->release = NULL;
  hold(h->owner, 0);
  free(h);
}
static int aioli_python_export(struct ArrowArray **array, struct ArrowSchema **schema, const char *format, int64_t rows,
                               const void *validity, const void *second, const void *third, uintptr_t owner) {
  const int buffers = format[0] == 'w' || format[0] == 'c' ? 2 : 3;
  holder *h = calloc(1, sizeof *h), *s = calloc(1, sizeof *s);
  *array = calloc(1, sizeof **array);
  *schema = calloc(1, sizeof **schema);
  if (h == NULL || s == NULL || *array == NULL || *schema == NULL) {
    free(h), free(s), free(*array), free(*schema);
    return -1;
  }
  strncpy(s->format, format, sizeof s->format - 1);
  **schema = (struct ArrowSchema){.format = s->format, .name = "", .flags = ARROW_FLAG_NULLABLE, .release = release_schema,
                                  .private_data = s};
  h->buffers[0] = validity, h->buffers[1] = second, h->buffers[2] = third;
  h->owner = (PyObject *)owner;
  hold(h->owner, 1);
  **array = (struct ArrowArray){.length = rows, .null_count = validity != NULL ? -1 : 0, .n_buffers = buffers,
                                .buffers = h->buffers, .release = release_array, .private_data = h};
  return 0;
}
static void drop_array(PyObject *capsule) {
  struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");
  if (array->release != NULL) array->release(array);
  free(array);
}
static void drop_schema(PyObject *capsule) {
  struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
  if (schema->release != NULL) schema->release(schema);
  free(schema);
}
static const uintptr_t aioli_python_drop_array = (uintptr_t)drop_array, aioli_python_drop_schema = (uintptr_t)drop_schema;
"""


def declarations(header: str) -> str:
    """What cffi is to know of a header: no comments, no preprocessor, none of the macros that stand for attributes."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    text = re.sub(r"\b(?:AIOLI_API|AIOLI_MUST_CHECK|AIOLI_FIXED_ENUM)\b", "", text)
    text = re.sub(r"\bAIOLI_ARROW_TEXT_BYTES\b", "...", text)
    # Numbers that are macros: their values are the compiler's.
    names = re.findall(r"^#define (AIOLI_ARROW_\w+) \d+", header, flags=re.M)
    text += "".join(f"#define {name} ...\n" for name in names)
    return re.sub(r"^\}\s*$", "", text, flags=re.M)


def main(repository: Path, output: Path) -> None:
    ffi = cffi.FFI()
    for header in HEADERS:
        ffi.cdef(declarations((repository / header).read_text()))
    ffi.cdef(GIVEN)
    ffi.cdef(ARROW)
    includes = "".join(f"#include <{header.split('include/')[-1].split('python/')[-1]}>\n" for header in HEADERS)
    ffi.set_source("aioli._aioli", includes + GIVEN_CODE + ARROW_CODE, py_limited_api=True)
    ffi.emit_c_code(str(output))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
