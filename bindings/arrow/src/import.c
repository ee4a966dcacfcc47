/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays in, and entries out of them: nothing here reads beyond what the layout of an array says that there is.
 * tests/prove.c proves that for small arrays with any contents. */
#include <aioli/arrow.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How entries lie; the numbers of the integers are their sizes, negative with a sign. */
enum {
  repeated = 100, /* one entry at `data`, `width` long */
  fixed,          /* `width` each */
  offsets32,
  offsets64,
  views,
};

#define VIEW_BYTES 16
#define INLINE_BYTES 12 /* no longer: the bytes stand in the view itself */

static aioli_status refuse(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static aioli_status refuse(char *text, const char *format, ...) {
#ifdef AIOLI_ARROW_PROOF /* printf is not what is proved */
  (void)text;
  (void)format;
#else
  va_list arguments;
  va_start(arguments, format);
  if (text != NULL) vsnprintf(text, AIOLI_ARROW_TEXT_BYTES, format, arguments);
  va_end(arguments);
#endif
  return AIOLI_ERR_ARGUMENT;
}

/* Buffers need not be aligned. */
static int64_t load(const uint8_t *at, int size) {
  switch (size) {
    case 1: return at[0];
    case -1: {
      int8_t i;
      memcpy(&i, at, sizeof i);
      return i;
    }
    case 2: {
      uint16_t u;
      memcpy(&u, at, sizeof u);
      return u;
    }
    case -2: {
      int16_t i;
      memcpy(&i, at, sizeof i);
      return i;
    }
    case 4: {
      uint32_t u;
      memcpy(&u, at, sizeof u);
      return u;
    }
    case -4: {
      int32_t i;
      memcpy(&i, at, sizeof i);
      return i;
    }
    default: { /* an unsigned number that is too large becomes negative, and is refused as such */
      int64_t i;
      memcpy(&i, at, sizeof i);
      return i;
    }
  }
}
static int magnitude(int size) { return size < 0 ? -size : size; }

static int is_valid(const aioli_arrow_layout *l, uint64_t row) {
  if (l->validity == NULL) return 1;
  const uint64_t bit = l->first + row;
  return l->validity[bit / 8] >> (bit % 8) & 1;
}

/* ---- formats ---- */

/* "w:N".  0 if it is no number from 0 to 2^31 - 1. */
static int read_width(const char *digits, uint64_t *width) {
  uint64_t n = 0;
  if (*digits == 0) return 0;
  for (; *digits != 0; digits++) {
    if (*digits < '0' || *digits > '9') return 0;
    n = 10 * n + (uint64_t)(*digits - '0');
    if (n > INT32_MAX) return 0;
  }
  *width = n;
  return 1;
}

static int kind_of_index(const char *format) {
  static const char letters[] = "cCsSiIlL";
  static const int sizes[] = {-1, 1, -2, 2, -4, 4, -8, 8};
  if (format[0] == 0 || format[1] != 0) return 0;
  for (int i = 0; i < 8; i++)
    if (letters[i] == format[0]) return sizes[i];
  return 0;
}

static int kind_of_values(const char *format, uint64_t *width) {
  *width = 0;
  if (format[0] == 'w' && format[1] == ':') return read_width(format + 2, width) ? fixed : 0;
  if (format[0] == 'v' && (format[1] == 'z' || format[1] == 'u') && format[2] == 0) return views;
  if (format[0] == 0 || format[1] != 0) return 0;
  if (format[0] == 'z' || format[0] == 'u') return offsets32;
  if (format[0] == 'Z' || format[0] == 'U') return offsets64;
  return 0;
}

/* ---- arrays ---- */

static aioli_status check_offsets(const aioli_arrow_layout *l, const char *what, char *text) {
  const int size = l->kind == offsets32 ? -4 : -8;
  if (l->rows == 0) return AIOLI_OK;
  if (l->offsets == NULL) return refuse(text, "%s: the buffer of offsets is missing", what);
  int64_t before = load(l->offsets + l->first * (uint64_t)-size, size);
  if (before < 0) return refuse(text, "%s, row 0: a negative offset", what);
  const int64_t begin = before;
  for (uint64_t i = 1; i <= l->rows; i++) {
    const int64_t at = load(l->offsets + (l->first + i) * (uint64_t)-size, size);
    if (at < before) return refuse(text, "%s, row %llu: the offset after it is smaller", what, (unsigned long long)(i - 1));
    before = at;
  }
  if ((uint64_t)before > PTRDIFF_MAX) return refuse(text, "%s: more bytes than any memory holds", what);
  if (before > begin && l->data == NULL) return refuse(text, "%s: the buffer of data is missing", what);
  return AIOLI_OK;
}

static aioli_status check_views(const aioli_arrow_layout *l, const char *what, char *text) {
  if (l->rows > 0 && l->offsets == NULL) return refuse(text, "%s: the buffer of views is missing", what);
  for (uint64_t i = 0; i < l->rows; i++) {
    if (!is_valid(l, i)) continue; /* what stands in the view of a null means nothing */
    const uint8_t *const view = l->offsets + (l->first + i) * VIEW_BYTES;
    const int64_t n = load(view, -4);
    if (n < 0) return refuse(text, "%s, row %llu: a view of negative length", what, (unsigned long long)i);
    if (n <= INLINE_BYTES) continue;
    const int64_t number = load(view + 8, -4), at = load(view + 12, -4);
    if (number < 0 || (uint64_t)number >= l->width)
      return refuse(text, "%s, row %llu: a view into buffer %lld of %llu", what, (unsigned long long)i, (long long)number,
                    (unsigned long long)l->width);
    const int64_t room = load(l->data + 8 * number, -8);
    if (at < 0 || room < 0 || n > room || at > room - n || l->buffers[number] == NULL)
      return refuse(text, "%s, row %llu: a view beyond its buffer", what, (unsigned long long)i);
  }
  return AIOLI_OK;
}

/* What all layouts have: lengths, and the bitmap. */
static aioli_status import_common(aioli_arrow_layout *l, const struct ArrowArray *array, int64_t buffers, const char *what,
                                  char *text) {
  if (array->release == NULL) return refuse(text, "%s: the array was released", what);
  if (array->length < 0) return refuse(text, "%s: a negative length", what);
  if (array->offset < 0) return refuse(text, "%s: a negative offset of the array", what);
  /* So that no address below overflows: an entry of an offsets buffer or a view has 16 bytes at most. */
  if (array->offset > PTRDIFF_MAX / 32 || array->length > PTRDIFF_MAX / 32 - 1)
    return refuse(text, "%s: more rows than any memory holds", what);
  if (array->null_count < -1 || array->null_count > array->length) return refuse(text, "%s: an impossible count of nulls", what);
  if (array->n_children != 0) return refuse(text, "%s: it has children", what);
  if (array->n_buffers < buffers || (array->n_buffers > buffers && l->kind != views))
    return refuse(text, "%s: %lld buffers, where its layout has %lld", what, (long long)array->n_buffers, (long long)buffers);
  if (array->buffers == NULL) return refuse(text, "%s: no buffers", what);
  if (array->null_count > 0 && array->buffers[0] == NULL) return refuse(text, "%s: nulls, and no bitmap of them", what);
  l->first = (uint64_t)array->offset;
  l->rows = (uint64_t)array->length;
  l->validity = array->null_count != 0 ? array->buffers[0] : NULL;
  return AIOLI_OK;
}

static aioli_status import_values(aioli_arrow_layout *l, const struct ArrowSchema *schema, const struct ArrowArray *array,
                                  const char *what, char *text) {
  l->kind = kind_of_values(schema->format, &l->width);
  if (l->kind == 0)
    return refuse(text, "%s: format '%.40s': a column of binary, fixed-size binary, binary views or text is wanted", what,
                  schema->format);
  if (schema->dictionary != NULL || array->dictionary != NULL) return refuse(text, "%s: a dictionary of such entries", what);
  const aioli_status status = import_common(l, array, l->kind == fixed ? 2 : 3, what, text);
  if (status != AIOLI_OK) return status;
  if (l->kind == fixed) {
    l->data = array->buffers[1];
    if (l->rows > 0 && l->width > 0 && l->data == NULL) return refuse(text, "%s: the buffer of data is missing", what);
    if (l->width > 0 && l->first + l->rows > PTRDIFF_MAX / l->width)
      return refuse(text, "%s: more bytes than any memory holds", what);
    return AIOLI_OK;
  }
  l->offsets = array->buffers[1];
  if (l->kind != views) {
    l->data = array->buffers[2];
    return check_offsets(l, what, text);
  }
  /* Buffers 2 to n - 2 hold bytes, the last one their lengths. */
  l->width = (uint64_t)array->n_buffers - 3;
  l->buffers = array->buffers + 2;
  l->data = array->buffers[array->n_buffers - 1];
  if (l->width > 0 && l->data == NULL) return refuse(text, "%s: the lengths of the buffers are missing", what);
  return check_views(l, what, text);
}

static aioli_status import_dictionary(aioli_arrow_column *c, const struct ArrowSchema *schema, const struct ArrowArray *array,
                                      char *text) {
  c->index.kind = kind_of_index(schema->format);
  if (c->index.kind == 0) return refuse(text, "format '%.40s': no integer, which indices of a dictionary are", schema->format);
  if (schema->dictionary->format == NULL) return refuse(text, "the dictionary has no format");
  if (array->dictionary == NULL) return refuse(text, "the dictionary is missing");
  aioli_status status = import_common(&c->index, array, 2, "the indices", text);
  if (status != AIOLI_OK) return status;
  status = import_values(&c->values, schema->dictionary, array->dictionary, "the dictionary", text);
  if (status != AIOLI_OK) return status;
  c->index.data = array->buffers[1];
  if (c->index.rows > 0 && c->index.data == NULL) return refuse(text, "the indices are missing");
  for (uint64_t i = 0; i < c->index.rows; i++) {
    if (!is_valid(&c->index, i)) continue;
    const int64_t at = load(c->index.data + (c->index.first + i) * (uint64_t)magnitude(c->index.kind), c->index.kind);
    if (at < 0 || (uint64_t)at >= c->values.rows)
      return refuse(text, "row %llu: index %lld into a dictionary of %llu entries", (unsigned long long)i, (long long)at,
                    (unsigned long long)c->values.rows);
  }
  return AIOLI_OK;
}

aioli_status aioli_arrow_import(aioli_arrow_column *column, const struct ArrowSchema *schema, const struct ArrowArray *array,
                                char *text) {
  if (text != NULL) text[0] = 0;
  if (column == NULL || schema == NULL || array == NULL) return refuse(text, "a null pointer");
  memset(column, 0, sizeof *column);
  if (schema->release == NULL) return refuse(text, "the schema was released");
  if (schema->format == NULL) return refuse(text, "the schema has no format");
  aioli_arrow_column c;
  memset(&c, 0, sizeof c);
  aioli_status status;
  if (schema->dictionary != NULL) {
    status = import_dictionary(&c, schema, array, text);
    c.rows = c.index.rows;
  } else {
    status = import_values(&c.values, schema, array, "the array", text);
    c.rows = c.values.rows;
  }
  if (status == AIOLI_OK) *column = c;
  return status;
}

void aioli_arrow_repeat(aioli_arrow_column *column, const uint8_t *bytes, size_t n, uint64_t rows) {
  memset(column, 0, sizeof *column);
  column->rows = rows;
  column->values.kind = repeated;
  column->values.data = bytes;
  column->values.width = n;
}

aioli_status aioli_arrow_slice(aioli_arrow_column *slice, const aioli_arrow_column *of, uint64_t first, uint64_t rows) {
  if (slice == NULL || of == NULL || first > of->rows || rows > of->rows - first) return AIOLI_ERR_ARGUMENT;
  *slice = *of;
  slice->first += first;
  slice->rows = rows;
  return AIOLI_OK;
}

/* ---- entries ---- */

static int value(const aioli_arrow_layout *l, uint64_t row, const uint8_t **bytes, uint64_t *n) {
  if (l->kind == repeated) {
    *bytes = l->data;
    *n = l->width;
    return l->data != NULL || l->width == 0;
  }
  if (!is_valid(l, row)) return 0;
  const uint64_t at = l->first + row;
  switch (l->kind) {
    case fixed:
      *bytes = l->width > 0 ? l->data + at * l->width : NULL;
      *n = l->width;
      return 1;
    case offsets32:
    case offsets64: {
      const int size = l->kind == offsets32 ? -4 : -8, bytes_each = magnitude(size);
      const int64_t begin = load(l->offsets + at * (uint64_t)bytes_each, size);
      *n = (uint64_t)(load(l->offsets + (at + 1) * (uint64_t)bytes_each, size) - begin);
      *bytes = *n > 0 ? l->data + begin : NULL;
      return 1;
    }
    case views: {
      const uint8_t *const view = l->offsets + at * VIEW_BYTES;
      *n = (uint64_t)load(view, -4);
      if (*n <= INLINE_BYTES)
        *bytes = view + 4;
      else
        *bytes = (const uint8_t *)l->buffers[load(view + 8, -4)] + load(view + 12, -4);
      return 1;
    }
    default: return 0; /* a column that was refused */
  }
}

int aioli_arrow_entry(const aioli_arrow_column *column, uint64_t row, const uint8_t **bytes, uint64_t *n) {
  *bytes = NULL;
  *n = 0;
  if (row >= column->rows) return 0;
  row += column->first;
  const aioli_arrow_layout *const index = &column->index;
  if (index->kind == 0) return value(&column->values, row, bytes, n);
  if (!is_valid(index, row)) return 0;
  const int64_t at = load(index->data + (index->first + row) * (uint64_t)magnitude(index->kind), index->kind);
  return value(&column->values, (uint64_t)at, bytes, n);
}
