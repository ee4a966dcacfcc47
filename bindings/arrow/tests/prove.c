/* SPDX-License-Identifier: Apache-2.0
 *
 * For CBMC (tests/prove.sh): whatever stands in an array of at most ROWS rows at an offset of at most OFFSET, import and every
 * entry read nothing outside of the buffers that the layout prescribes, overflow nothing, and give entries inside the data.
 * Buffers have exactly the length that the layout asks for; their contents, the counts and the flags are any. */
#include <aioli/arrow.h>
#include <stdlib.h>

#if defined(PROVE_DICTIONARY) /* the type of the indices in quotes; two arrays, smaller, so that it ends */
#define ROWS 1
#define OFFSET 1
#define DATA 4
#else
#define ROWS 2
#define OFFSET 2
#define DATA 16
#endif

int nondet_int(void);
int64_t nondet_int64(void);
size_t nondet_size(void);
void __CPROVER_assume(_Bool condition);
void __CPROVER_havoc_object(void *object);

/* A block of n bytes with any contents, or none. */
static const void *block(size_t n) {
  if (nondet_int()) return NULL;
  uint8_t *const p = malloc(n > 0 ? n : 1);
  __CPROVER_assume(p != NULL);
  __CPROVER_havoc_object(p);
  return p;
}

static void no_schema(struct ArrowSchema *schema) { (void)schema; }
static void no_array(struct ArrowArray *array) { (void)array; }

struct input {
  struct ArrowSchema schema;
  struct ArrowArray array;
  const void *buffers[5];
};

static void common(struct input *in, const char *format) {
  in->schema.format = nondet_int() ? format : NULL;
  in->schema.release = nondet_int() ? no_schema : NULL;
  in->schema.dictionary = NULL;
  in->array.length = nondet_int64();
  in->array.offset = nondet_int64();
  /* Longer ones are refused, or there is no memory for them. */
  __CPROVER_assume(in->array.length <= ROWS && in->array.offset <= OFFSET);
  in->array.null_count = nondet_int64();
  in->array.n_children = nondet_int64();
  in->array.n_buffers = nondet_int64();
  in->array.buffers = nondet_int() ? in->buffers : NULL;
  in->array.release = nondet_int() ? no_array : NULL;
  in->array.dictionary = NULL;
  in->buffers[0] = block((ROWS + OFFSET + 7) / 8);
}

#if defined(PROVE_VIEWS)
static const char *format(void) { return "vz"; }
static void fill(struct input *in) {
  in->buffers[1] = block((ROWS + OFFSET) * 16);
  in->buffers[2] = block(DATA);
  int64_t *const lengths = malloc(8);
  __CPROVER_assume(lengths != NULL);
  *lengths = nondet_int64();
  __CPROVER_assume(*lengths <= DATA);
  in->buffers[3] = lengths;
  __CPROVER_assume(in->array.n_buffers <= 4); /* the buffers that there are; more is a lie that nobody can see */
}
#elif defined(PROVE_FIXED)
static const char *format(void) { return nondet_int() ? "w:3" : "w:0"; }
static void fill(struct input *in) { in->buffers[1] = block((ROWS + OFFSET) * 3); }
#else
#if defined(PROVE_LARGE)
#define SIZE 8
typedef int64_t offset;
static const char *format(void) { return "Z"; }
#else
#define SIZE 4
typedef int32_t offset;
static const char *format(void) { return "z"; }
#endif
static void fill(struct input *in) {
  offset *const offsets = malloc((ROWS + OFFSET + 1) * SIZE);
  __CPROVER_assume(offsets != NULL);
  __CPROVER_havoc_object(offsets);
  /* The last offset of the array is within the data: that is the one promise. */
  const int64_t begin = in->array.offset, rows = in->array.length;
  if (begin >= 0 && rows >= 0) __CPROVER_assume(offsets[begin + rows] <= DATA);
  in->buffers[1] = nondet_int() ? offsets : NULL;
  in->buffers[2] = block(DATA);
}
#endif

int main(void) {
  static struct input values;
  common(&values, format());
  fill(&values);
  const struct ArrowSchema *schema = &values.schema;
  const struct ArrowArray *array = &values.array;
#if defined(PROVE_DICTIONARY)
  static struct input index;
  static const char type[] = PROVE_DICTIONARY;
  common(&index, type);
  index.buffers[1] = block((ROWS + OFFSET) * (type[0] == 'C' ? 1 : type[0] == 's' ? 2 : type[0] == 'I' ? 4 : 8));
  index.schema.dictionary = &values.schema;
  index.array.dictionary = nondet_int() ? &values.array : NULL;
  schema = &index.schema;
  array = &index.array;
#endif
  static aioli_arrow_column column;
  const aioli_status status = aioli_arrow_import(&column, schema, array, NULL);
  __CPROVER_assert(status == AIOLI_OK || column.rows == 0, "a column that was refused has no rows");
  const uint64_t row = nondet_size();
  const uint8_t *bytes;
  uint64_t n;
  if (aioli_arrow_entry(&column, row, &bytes, &n)) {
    __CPROVER_assert(row < column.rows, "a row of the array");
    __CPROVER_assert(n <= DATA, "no longer than the data");
    const size_t at = nondet_size();
    if (at < n) {
      const volatile uint8_t byte = bytes[at]; /* inside of a buffer, or the proof fails */
      (void)byte;
    }
  }
  return 0;
}
