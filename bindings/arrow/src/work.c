/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns through the batches of batch.h, a piece of the rows at a time. */
#define _POSIX_C_SOURCE 200809L
#include <aioli/arrow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Pieces: so many rows that keys are shared and threads are busy, so few that whoever waits is told and may cancel. */
enum { first_piece = 8192, most_piece = 1 << 18, least_piece = 64 };
static const double piece_seconds = 0.25;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct work work;
struct work {
  const aioli_alg *alg;
  const aioli_arrow_column *msg, *second, *third; /* sk; sig and pk */
  uint8_t *sigs;                                  /* of signing */
  int8_t *status;
  aioli_arrow_options options;
  aioli_arrow_report *report;
  void *rows;
  aioli_status *statuses;
};

static aioli_status fail(aioli_arrow_report *report, aioli_status status, const char *text) {
  snprintf(report->text, sizeof report->text, "%s", text);
  return status;
}

static int read_options(work *w, const aioli_arrow_options *given) {
  const aioli_arrow_options zero = AIOLI_ARROW_OPTIONS_INIT;
  w->options = zero;
  if (given == NULL) return 1;
  if (given->bytes < sizeof zero) return 0;
  for (size_t i = sizeof zero; i < given->bytes; i++)
    if (((const uint8_t *)given)[i] != 0) return 0;
  w->options = *given;
  if (w->options.batch.bytes == 0) w->options.batch.bytes = sizeof w->options.batch;
  return w->options.batch.bytes <= sizeof w->options.batch;
}

/* Rows [first, first + count) of the columns, and what the batch says of them.  On success, statuses of one byte. */
static aioli_status verify_piece(work *w, uint64_t first, size_t count) {
  aioli_verify_row *const rows = w->rows;
  for (size_t i = 0; i < count; i++) {
    uint64_t msg, sig, pk;
    aioli_verify_row *const r = &rows[i];
    const int there = aioli_arrow_entry(w->msg, first + i, &r->msg, &msg) &
                      aioli_arrow_entry(w->second, first + i, &r->sig, &sig) &
                      aioli_arrow_entry(w->third, first + i, &r->pk, &pk);
    r->msg_bytes = (size_t)msg;
    r->sig_bytes = (size_t)sig;
    r->pk_bytes = (size_t)pk;
    if (!there) r->pk = NULL;
    w->status[first + i] = there ? 0 : AIOLI_ARROW_NULL;
  }
  const aioli_arrow_worker *const worker = w->options.worker;
  if (worker != NULL && worker->verify != NULL)
    return worker->verify(worker->context, w->alg, w->statuses, rows, count, &w->options.batch);
  return aioli_verify_batch(w->alg, w->statuses, rows, count, &w->options.batch);
}

static aioli_status sign_piece(work *w, uint64_t first, size_t count) {
  aioli_sign_row *const rows = w->rows;
  const size_t sig_bytes = aioli_signature_bytes(w->alg);
  for (size_t i = 0; i < count; i++) {
    uint64_t msg, sk;
    aioli_sign_row *const r = &rows[i];
    const int there = aioli_arrow_entry(w->msg, first + i, &r->msg, &msg) & aioli_arrow_entry(w->second, first + i, &r->sk, &sk);
    r->sig = w->sigs + (first + i) * sig_bytes;
    r->sig_bytes = sig_bytes;
    r->msg_bytes = (size_t)msg;
    r->sk_bytes = (size_t)sk;
    if (!there) r->sk = NULL;
    w->status[first + i] = there ? 0 : AIOLI_ARROW_NULL;
  }
  const aioli_arrow_worker *const worker = w->options.worker;
  if (worker != NULL && worker->sign != NULL)
    return worker->sign(worker->context, w->alg, w->statuses, rows, count, &w->options.batch);
  return aioli_sign_batch(w->alg, w->statuses, rows, count, &w->options.batch);
}

/* Whether the batch itself could be worked on: a call that could not gives every row that status. */
static int whole_batch_failed(const work *w, aioli_status result, size_t count) {
  switch (result) {
    case AIOLI_ERR_MEMORY:
    case AIOLI_ERR_BACKEND:
    case AIOLI_ERR_ABSENT:
    case AIOLI_ERR_ALGORITHM: /* of a worker that does not have it; the row of a device that failed may be done by another call */
    case AIOLI_ERR_NO_DEVICE:
    case AIOLI_ERR_DEVICE: break;
    default: return 0;
  }
  for (size_t i = 0; i < count; i++)
    if (w->statuses[i] != result) return 0;
  return 1;
}

static aioli_status in_pieces(work *w, size_t row_bytes, aioli_status (*piece)(work *, uint64_t, size_t)) {
  aioli_arrow_report *const report = w->report;
  size_t room = 0, next = first_piece;
  aioli_status first_error = AIOLI_OK;
  while (report->done < report->rows) {
    const uint64_t left = report->rows - report->done;
    const size_t count = left < next ? (size_t)left : next;
    if (count > room) {
      free(w->rows);
      free(w->statuses);
      room = left < next ? count : next;
      w->rows = malloc(room * row_bytes);
      w->statuses = malloc(room * sizeof *w->statuses);
      if (w->rows == NULL || w->statuses == NULL) return fail(report, AIOLI_ERR_MEMORY, "no memory for the rows of a batch");
    }
    const double start = now();
    const aioli_status result = piece(w, report->done, count);
    const double seconds = now() - start;
    if (whole_batch_failed(w, result, count)) {
      memset(w->status + report->done, AIOLI_ARROW_NOT_DONE, count);
      return fail(report, result, aioli_status_text(result));
    }
    for (size_t i = 0; i < count; i++) {
      int8_t *const status = &w->status[report->done + i];
      if (*status == 0) *status = (int8_t)w->statuses[i];
      if (*status == 0) report->good++;
      if (*status == AIOLI_ARROW_NULL) report->nulls++;
      if (*status != 0 && report->first_bad == report->rows) {
        report->first_bad = report->done + i;
        first_error = *status == AIOLI_ARROW_NULL ? AIOLI_ERR_ARGUMENT : (aioli_status)*status;
      }
    }
    report->done += count;
    const double wanted = seconds > 0 ? (double)count * piece_seconds / seconds : (double)most_piece;
    next = wanted > (double)most_piece ? most_piece : wanted < (double)least_piece ? least_piece : (size_t)wanted;
    const int cancelled =
        w->options.progress != NULL && w->options.progress(w->options.progress_context, report->done, report->rows) != 0;
    if (cancelled && report->done < report->rows) return fail(report, AIOLI_ERR_STATE, "cancelled");
  }
  return first_error;
}

static aioli_status start(work *w, uint64_t status_rows, const aioli_arrow_options *options) {
  aioli_arrow_report *const report = w->report;
  memset(report, 0, sizeof *report);
  if (w->status == NULL && status_rows > 0) return fail(report, AIOLI_ERR_ARGUMENT, "no place for the statuses");
  if (status_rows > SIZE_MAX / 2) return fail(report, AIOLI_ERR_LENGTH, "more rows than any memory holds");
  if (status_rows > 0) memset(w->status, AIOLI_ARROW_NOT_DONE, (size_t)status_rows);
  report->rows = report->first_bad = status_rows;
  if (w->alg == NULL) return fail(report, AIOLI_ERR_ARGUMENT, "no algorithm");
  if (w->msg == NULL || w->second == NULL || w->third == NULL) return fail(report, AIOLI_ERR_ARGUMENT, "a column is missing");
  if (!read_options(w, options)) return fail(report, AIOLI_ERR_ARGUMENT, "options that are not known here");
  const uint64_t rows[] = {w->msg->rows, w->second->rows, w->third->rows};
  for (int i = 0; i < 3; i++)
    if (rows[i] != status_rows) {
      snprintf(report->text, sizeof report->text, "columns of %llu, %llu and %llu rows, statuses of %llu",
               (unsigned long long)rows[0], (unsigned long long)rows[1], (unsigned long long)rows[2],
               (unsigned long long)status_rows);
      return AIOLI_ERR_LENGTH;
    }
  /* An empty batch says whether the options make sense. */
  const aioli_status status = w->sigs != NULL ? aioli_sign_batch(w->alg, NULL, NULL, 0, &w->options.batch)
                                              : aioli_verify_batch(w->alg, NULL, NULL, 0, &w->options.batch);
  return status == AIOLI_OK ? AIOLI_OK : fail(report, status, "options of the batch that make no sense");
}

static aioli_status finish(work *w, aioli_status status) {
  free(w->rows);
  free(w->statuses);
  return status;
}

aioli_status aioli_arrow_verify(const aioli_alg *alg, int8_t *status, uint64_t status_rows, const aioli_arrow_column *msg,
                                const aioli_arrow_column *sig, const aioli_arrow_column *pk, const aioli_arrow_options *options,
                                aioli_arrow_report *report) {
  aioli_arrow_report unread;
  work w = {alg, msg, sig, pk, NULL, status, AIOLI_ARROW_OPTIONS_INIT, report != NULL ? report : &unread, NULL, NULL};
  const aioli_status sound = start(&w, status_rows, options);
  if (sound != AIOLI_OK) return sound;
  return finish(&w, in_pieces(&w, sizeof(aioli_verify_row), verify_piece));
}

aioli_status aioli_arrow_sign(const aioli_alg *alg, uint8_t *sigs, size_t sigs_bytes, int8_t *status, uint64_t status_rows,
                              const aioli_arrow_column *msg, const aioli_arrow_column *sk, const aioli_arrow_options *options,
                              aioli_arrow_report *report) {
  aioli_arrow_report unread;
  static uint8_t none;
  work w = {alg,  msg, sk, sk, sigs != NULL ? sigs : &none, status, AIOLI_ARROW_OPTIONS_INIT, report != NULL ? report : &unread,
            NULL, NULL};
  if (sigs != NULL && sigs_bytes > 0) memset(sigs, 0, sigs_bytes);
  const aioli_status sound = start(&w, status_rows, options);
  if (sound != AIOLI_OK) return sound;
  const size_t each = aioli_signature_bytes(alg);
  if (sigs == NULL && status_rows > 0) return fail(w.report, AIOLI_ERR_ARGUMENT, "no place for the signatures");
  if (sigs_bytes % each != 0 || sigs_bytes / each != status_rows)
    return fail(w.report, AIOLI_ERR_LENGTH, "the room for signatures is not that of as many as there are rows");
  return finish(&w, in_pieces(&w, sizeof(aioli_sign_row), sign_piece));
}
