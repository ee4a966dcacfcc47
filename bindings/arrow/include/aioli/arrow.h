/* aioli: signatures over columns.  A library of its own (libaioli_arrow) over batch.h and the Arrow C data interface.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A column is an ArrowArray with its ArrowSchema, as every engine of the Arrow family hands them out; nothing is copied, and
 * nothing here releases them: they must stay as long as the column is used.  A row is one entry of each column.
 *
 * Layouts: binary (z), large_binary (Z), fixed_size_binary (w:N), binary_view (vz), the same of text (u, U, vu), and
 * dictionaries over any of these with indices of any integer type; with bitmaps of nulls, with offsets, as slices.  Columns that
 * come in chunks are several calls.  Whatever else an array is, or claims and does not keep, is refused with a sentence that
 * says what is wrong.  (The interface has no lengths of buffers: that those are as long as the layout wants is the promise of
 * who made the array, and the only one that is relied upon.)
 *
 * Conventions, besides those of batch.h
 *   - Every row gets a status of one byte: that of the one-shot call, which is 0 only for success, or one of the two below.
 *   - The result of a call is AIOLI_OK only if every status is 0.  Else it is the first status that is not, AIOLI_ERR_ARGUMENT
 *     for a null, AIOLI_ERR_STATE for a call that was cancelled.  The report counts.
 */
#ifndef AIOLI_ARROW_H
#define AIOLI_ARROW_H

#include <aioli/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The two structures of the Arrow C data interface, as its specification lays them out.  Whoever has them from elsewhere has
 * them under this name of a guard. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif

/* ---- columns ------------------------------------------------------------------------------------------------------------- */

#define AIOLI_ARROW_TEXT_BYTES 160

/* How the bytes of one array lie.  All fields are private. */
typedef struct aioli_arrow_layout {
  const uint8_t *validity; /* NULL: no nulls */
  const uint8_t *offsets;  /* or the views */
  const uint8_t *data;     /* or, of views, the lengths of the buffers */
  const void **buffers;    /* of views */
  uint64_t first;          /* of the rows, in the buffers */
  uint64_t rows;
  uint64_t width; /* of each entry, or how many buffers there are for views */
  int kind;
} aioli_arrow_layout;

/* One column.  `rows` may be read; all other fields are private.  It may be copied by assignment. */
typedef struct aioli_arrow_column {
  uint64_t rows;
  uint64_t first;            /* of the slice */
  aioli_arrow_layout values; /* of the dictionary, if it is one */
  aioli_arrow_layout index;
} aioli_arrow_column;

/* Checks an array, all of it, and makes it a column.  AIOLI_ERR_ARGUMENT if it is not as it should be, for a reason that comes
 * in `text` (AIOLI_ARROW_TEXT_BYTES long, or NULL).  Takes time for each row, but looks at no bytes of the entries. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_arrow_import(aioli_arrow_column *column, const struct ArrowSchema *schema,
                                                           const struct ArrowArray *array, char *text);
/* A column whose every row is the same: one public key for many signatures. */
AIOLI_API void aioli_arrow_repeat(aioli_arrow_column *column, const uint8_t *bytes, size_t n, uint64_t rows);
/* The rows from `first`, `rows` of them: columns whose chunks end at other places are narrowed to what they have in common.
 * AIOLI_ERR_ARGUMENT if there are not that many. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_arrow_slice(aioli_arrow_column *slice, const aioli_arrow_column *of, uint64_t first,
                                                          uint64_t rows);
/* One entry.  0 if it is null, or beyond the rows. */
AIOLI_API int aioli_arrow_entry(const aioli_arrow_column *column, uint64_t row, const uint8_t **bytes, uint64_t *n);

/* ---- statuses ------------------------------------------------------------------------------------------------------------ */

#define AIOLI_ARROW_NULL 1     /* one of the row's entries is null: there was nothing to verify or sign */
#define AIOLI_ARROW_NOT_DONE 2 /* the call was cancelled before this row */

typedef struct aioli_arrow_report {
  uint64_t rows, done;               /* done < rows: cancelled, or an error of the whole call */
  uint64_t good, nulls;              /* of those that are done */
  uint64_t first_bad;                /* the first row whose status is not 0; `rows` if there is none */
  char text[AIOLI_ARROW_TEXT_BYTES]; /* what was wrong with the call as a whole; empty if nothing */
} aioli_arrow_report;

/* ---- work ---------------------------------------------------------------------------------------------------------------- */

/* What works on a piece of the rows, as aioli_verify_batch and aioli_sign_batch do, with `context` in front: devices, by
 * functions that hand on to those of cuda.h.  A function that is NULL is that of batch.h. */
typedef struct aioli_arrow_worker {
  void *context;
  aioli_status (*verify)(void *context, const aioli_alg *alg, aioli_status *status, const aioli_verify_row *rows, size_t count,
                         const aioli_batch_options *options);
  aioli_status (*sign)(void *context, const aioli_alg *alg, aioli_status *status, const aioli_sign_row *rows, size_t count,
                       const aioli_batch_options *options);
} aioli_arrow_worker;

/* Zero, but for `bytes`, is the default of each field; later versions append fields. */
typedef struct aioli_arrow_options {
  size_t bytes; /* sizeof(aioli_arrow_options) */
  /* Called between pieces of about a quarter of a second, and at the end, by the thread that called; anything but 0 cancels what
   * is left.  NULL: nobody asks. */
  int (*progress)(void *context, uint64_t done, uint64_t rows);
  void *progress_context;
  aioli_batch_options batch; /* threads or a pool, the cache of verifiers, the generator, flags; its field `bytes` may be 0 */
  const aioli_arrow_worker *worker; /* NULL: the batches of batch.h */
} aioli_arrow_options;

#define AIOLI_ARROW_OPTIONS_INIT {sizeof(aioli_arrow_options), NULL, NULL, AIOLI_BATCH_OPTIONS_INIT, NULL}

/* Verifies row by row.  `status` has `status_rows` entries.  The columns are equally long, and as long as that: else
 * AIOLI_ERR_LENGTH, with every status AIOLI_ARROW_NOT_DONE.  `report` may be NULL. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_arrow_verify(const aioli_alg *alg, int8_t *status, uint64_t status_rows,
                                                           const aioli_arrow_column *msg, const aioli_arrow_column *sig,
                                                           const aioli_arrow_column *pk, const aioli_arrow_options *options,
                                                           aioli_arrow_report *report);
/* Signs row by row: signature i lies at sigs + i * aioli_signature_bytes(alg), which is how fixed_size_binary lies; it is zero
 * where status[i] is not 0.  sigs_bytes is that of all, exactly.  A secret key is expanded once for a dictionary entry or a
 * repeated column, for keys are told apart by where they lie.  Outputs may not overlap inputs. */
AIOLI_API AIOLI_MUST_CHECK aioli_status aioli_arrow_sign(const aioli_alg *alg, uint8_t *sigs, size_t sigs_bytes, int8_t *status,
                                                         uint64_t status_rows, const aioli_arrow_column *msg,
                                                         const aioli_arrow_column *sk, const aioli_arrow_options *options,
                                                         aioli_arrow_report *report);

#ifdef __cplusplus
}
#endif
#endif
