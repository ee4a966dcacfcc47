// SPDX-License-Identifier: Apache-2.0
// What the host has to know of the kernels: their arguments, the shape of a launch, and what lies where in the device's memory.
// Plain C++: neither CUDA nor the shim is needed to include it.
//
// Every kernel is extern "C" __global__ void aioli_<step>_<SET>(cuda::<Step>Args), one struct by value (kernels.def lists them).
// A launch has
//   grid.x = ceil(count / shape.rows), or fewer blocks where shape.persistent (as many as the device holds at once are best),
//   grid.y = shape.blocks,  block.x = shape.threads,  dynamic shared memory = shape.shared_bytes  (cuFuncSetAttribute above 48
//                           KiB),
// with shape = SetLayout::shape[step] and `count` the field of that name in the arguments.  A count of zero is no launch.
//
// Rows, keys, slots.  Arrays are indexed by the row of the batch, by the key, or, in signing, by the slot of a wave of attempts;
// `rows[slot]` is then the row that the attempt is for, and null means slot = row.  `keys[row]` is the row's key, and null means
// key 0 for all, unless said otherwise.  The sizes of one element are in SetLayout; arrays of words and of anything else are
// aligned to 16 bytes (what the driver allocates is), pieces of them by the element sizes below are so again.  Byte arrays of
// callers (signatures, digests, seeds, keys) have a stride in bytes and any alignment.
//
// m-vectors lie in `mvector_words` words of 32 bits, element i in bits 4 (i mod 8) of word i / 8, the rest zero.
//
//   verify, distinct keys (in waves: P of a wave stays in the second-level cache)
//     hash_messages?  hash_targets  schedule_keys  expand (lambda)                       per row
//     schedule_keys  expand (P)  unpack_oil                                              per key
//     verify_times  verify_sums                                                          per row
//   verify, expanded keys kept: the second line once for each key
//   verify, one key for many rows: the same, but verify_indices  verify_tables  for  verify_times
//   keygen
//     expand_seeds  schedule_keys  expand (P)  keygen_times  keygen_sums
//   secret keys, expanded
//     expand_seeds  schedule_keys  expand (P)  linear_forms                              per key
//   sign
//     hash_messages?  sign_salts  hash_targets  schedule_keys  expand (lambda)  sign_oil_terms    per row
//     wave after wave: sign_vinegar  sign_times  sign_sums  sign_solve                            per slot
//     then the host reads solved[] (the only thing about an attempt that is public) and puts the rows that are not in the next
//     wave; the device has counted attempts[row] up.  256 attempts are an error.
//   hash_messages is left out where digests are given.  Sets before round 3 have no lambda: no schedule_keys and expand for it,
//   no sign_oil_terms, and null for `lambda` and `oil_terms`.
//
// Secret: seeds and R, O, T, L, vinegar, W, M, y of signing.  The host clears what it allocated for them; the kernels clear
// shared memory.
#pragma once
#include "scheme/mayo_params.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace cuda {

// ---- arguments
// -------------------------------------------------------------------------------------------------------------------

// digests[i] = SHAKE256(message i), message i being messages[offsets[i] .. offsets[i + 1]).  One thread per message: for short
// ones.
struct HashMessagesArgs {
  uint8_t *digests;  // count x digest_stride
  const uint8_t *messages;
  const uint64_t *offsets;  // count + 1
  uint32_t count, digest_stride;
};

// SHAKE256(digest || salt): t, and from round 3 on the key and the initial block of lambda.
struct HashTargetsArgs {
  uint32_t *targets;       // count x mvector_words
  uint8_t *lambda_keys;    // count x 32 bytes: key, initial block; unused before round 3
  const uint8_t *digests;  // count x digest_stride
  const uint8_t *salts;    // count x salt_stride; of a signature: sig + s_bytes, signature_bytes
  uint32_t count, digest_stride, salt_stride;
};

// Round keys of AES-128.  Public keys only.
struct ScheduleKeysArgs {
  uint32_t *round_keys;  // count x round_key_words
  const uint8_t *keys;   // 16 bytes each: seed_pk (stride of a public key, or of expand_seeds), or lambda_keys (stride 32)
  uint32_t count, key_stride;
};

// count x entries m-vectors from AES-128 in counter mode.  For P: initial_blocks null, entries = P_entries, stride = public_words
// or secret_words.  For lambda: initial_blocks = lambda_keys + 16, entries = n, stride = lambda_words.  Persistent.
struct ExpandArgs {
  uint32_t *mvectors;             // count x stride
  const uint32_t *round_keys;     // count x round_key_words
  const uint8_t *initial_blocks;  // null: zero
  uint32_t count, entries, stride, block_stride;
};

// P3 of public keys, behind P1 and P2.
struct UnpackOilArgs {
  uint32_t *expanded;          // count x public_words
  const uint8_t *public_keys;  // count x key_stride
  uint32_t count, key_stride;
};

// W = P S^T + lambda: k columns of n m-vectors for each row.  Only S W is wanted of it, whose elements (i, j) and (j, i) are
// added in the end: so P may be any matrix with the same quadratic forms, and is not the same one for all words (multiply.cuh).
// So it is in keygen_times and sign_times.
struct VerifyTimesArgs {
  uint32_t *products;        // count x verify_product_words
  const uint32_t *expanded;  // keys x public_words
  const uint8_t *signatures;
  const uint32_t *lambda;  // count x lambda_words
  const uint32_t *keys;    // null: key 0
  uint32_t count, signature_stride;
};

// For verify_tables: pairs of elements of S, by pair and not by signature.
struct VerifyIndicesArgs {
  uint8_t *indices;  // index_bytes(count)
  const uint8_t *signatures;
  uint32_t count, signature_stride;
};

// W by P as it stands, of many rows under one key.  Here blocks of grid.x are tiles of table_rows rows.
struct VerifyTablesArgs {
  uint32_t *products;        // count x verify_product_words
  const uint32_t *expanded;  // one key
  const uint8_t *indices;
  const uint32_t *lambda;  // count x lambda_words
  uint32_t count;
};

// verdicts[i] = 1 if P*(s) + L(s) = t, else 0.
struct VerifySumsArgs {
  uint8_t *verdicts;         // count
  const uint32_t *products;  // count x verify_product_words
  const uint8_t *signatures;
  const uint32_t *targets;
  uint32_t count, signature_stride;
};

// seed_pk || O = SHAKE256(seed_sk)
struct ExpandSeedsArgs {
  uint8_t *seeds_pk;  // count x seed_pk_stride: may point into public keys
  uint32_t *oil;      // count x oil_words: O as it is encoded
  const uint8_t *seeds_sk;
  uint32_t count, seed_pk_stride, seed_sk_stride;
};

// T = P1 O + P2
struct KeygenTimesArgs {
  uint32_t *products;        // count x keygen_product_words
  const uint32_t *expanded;  // count x secret_words: P1, P2
  const uint32_t *oil;
  uint32_t count;
};

// P3 = Upper(O^T T), into public keys behind their seeds.
struct KeygenSumsArgs {
  uint8_t *public_keys;  // count x public_key_stride; the seed is not written
  const uint32_t *products;
  const uint32_t *oil;
  uint32_t count, public_key_stride;
};

// L = (P1 + P1^T) O + P2, transposed, behind P2.
struct LinearFormsArgs {
  uint32_t *expanded;  // count x secret_words
  const uint32_t *oil;
  uint32_t count;
};

// salt = SHAKE256(digest || R || seed_sk)
struct SignSaltsArgs {
  uint8_t *salts;  // count x salt_stride; best where the signature has it
  const uint8_t *digests, *randomness, *seeds_sk;
  const uint32_t *keys;  // null: key 0
  uint32_t count, salt_stride, digest_stride, randomness_stride, seed_sk_stride;
};

// lambda_(v+c) + sum over r of O[r][c] lambda_r, for each oil column c.  Only from round 3 on.
struct SignOilTermsArgs {
  uint32_t *oil_terms;     // count x oil_term_words
  const uint32_t *lambda;  // count x lambda_words
  const uint32_t *oil;     // keys x oil_words
  const uint32_t *keys;    // null: key 0
  uint32_t count;
};

// v_0 .. v_(k-1) and r of an attempt, as they are encoded: SHAKE256(digest || salt || seed_sk || attempts[row]).
struct SignVinegarArgs {
  uint32_t *vinegar;  // count x vinegar_words
  const uint32_t *rows, *attempts;
  const uint8_t *digests, *salts, *seeds_sk;
  const uint32_t *keys;
  uint32_t count, digest_stride, salt_stride, seed_sk_stride;
};

// W = P1 V^T + lambda and M = V L + oil_terms.
struct SignTimesArgs {
  uint32_t *products;        // count x sign_product_words
  const uint32_t *expanded;  // keys x secret_words
  const uint32_t *vinegar;
  const uint32_t *lambda, *oil_terms;  // by row
  const uint32_t *rows, *keys;
  uint32_t count;
};

// y = t + sum over i <= j of z^e(i,j) u_ij.
struct SignSumsArgs {
  uint32_t *right_sides;  // count x mvector_words
  const uint32_t *products;
  const uint32_t *vinegar;
  const uint32_t *targets;  // by row
  const uint32_t *rows;
  uint32_t count;
};

// A x = y, s.  A solved attempt writes s_bytes of the row's signature (not the salt) and solved[row] = 1; one that is singular
// writes solved[row] = 0 and counts attempts[row] up.
struct SignSolveArgs {
  uint8_t *signatures;  // by row
  uint8_t *solved;      // by row
  uint32_t *attempts;   // by row; zero at first
  const uint32_t *products;
  const uint32_t *right_sides;
  const uint32_t *vinegar;
  const uint32_t *oil;  // keys x oil_words
  const uint32_t *rows, *keys;
  uint32_t count, signature_stride;
};

enum Step {
#define AIOLI_KERNEL(step, args) step_##step,
#include "cuda/device/kernels.def"
#undef AIOLI_KERNEL
  steps
};

// ---- shapes and sizes
// ------------------------------------------------------------------------------------------------------------

struct Shape {
  uint32_t rows;          // of `count` for each block along x
  uint32_t blocks;        // along y
  uint32_t threads;       // along x
  uint32_t shared_bytes;  // dynamic
  bool persistent;        // blocks loop: any grid.x will do
};

constexpr uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t round_up(uint32_t a, uint32_t b) { return ceil_div(a, b) * b; }

// A unit is two words of one m-vector of what a matrix is multiplied into; a thread of the multiplication has one, a warp 32 in a
// row.  Warps take the first and the last stretch of a triangle together, so that all do as much.
inline constexpr uint32_t units_per_warp = 32;

template <class P> struct Layout {
  static constexpr uint32_t n = P::n, m = P::m, o = P::o, k = P::k, v = P::v;
  static constexpr uint32_t mvector_words = (m + 7) / 8;
  static constexpr uint32_t P1_entries = v * (v + 1) / 2, P2_entries = v * o, P3_entries = o * (o + 1) / 2,
                            P_entries = P1_entries + P2_entries;
  static constexpr uint32_t words(uint32_t entries) { return round_up(entries * mvector_words, 4); }

  static constexpr uint32_t public_words = words(P_entries + P3_entries);  // P1, P2, P3
  static constexpr uint32_t secret_words = words(P_entries + P2_entries);  // P1, P2, then L transposed
  static constexpr uint32_t lambda_words = words(n);
  static constexpr uint32_t round_key_words = 44;
  static constexpr uint32_t oil_words = round_up(uint32_t(P::O_bytes), 16) / 4;
  static constexpr uint32_t oil_term_words = words(o);
  static constexpr uint32_t vinegar_words = round_up(k * uint32_t(P::v_bytes) + uint32_t(P::r_bytes), 16) / 4;

  // Products: a column is what belongs to one row of S, V or O^T.
  static constexpr uint32_t table_window_words = 32;  // what a table of verify_tables covers
  static constexpr uint32_t verify_column_words = round_up(n * mvector_words, table_window_words);
  static constexpr uint32_t verify_product_words = k * verify_column_words;
  static constexpr uint32_t keygen_column_words = words(v), keygen_product_words = o * keygen_column_words;
  static constexpr uint32_t sign_column_words = words(o + v), sign_product_words = k * sign_column_words;  // M[i], then W[i]

  // verify_tables: one block has the columns of table_rows rows (k columns each), and reads an index of two bytes, which are
  // elements c .. c + 3 of its column of S^T, for each step of four.
  static constexpr uint32_t table_threads = 512, table_columns_per_thread = 16;
  static constexpr uint32_t table_columns = table_threads / 8 * table_columns_per_thread;
  static constexpr uint32_t table_rows = table_columns / k;
  static constexpr uint32_t table_steps = ceil_div(n, 4), table_windows = verify_column_words / table_window_words;
  static constexpr uint64_t index_bytes(uint32_t count) {
    return uint64_t(ceil_div(count, table_rows)) * table_steps * 2 * table_columns;
  }

  // Multiplications: units of `rows` rows in all by `columns`, a block having warps of its own for a part of them.
  static constexpr uint32_t units_of(uint32_t rows) { return rows * mvector_words / 2; }
  static constexpr uint32_t warps_wanted(uint32_t units) { return ceil_div(ceil_div(units, units_per_warp), 2); }
  static constexpr uint32_t times_blocks(uint32_t units) { return ceil_div(warps_wanted(units), 4); }
  static constexpr uint32_t times_warps(uint32_t units) { return ceil_div(warps_wanted(units), times_blocks(units)); }
  static constexpr Shape times_shape(uint32_t rows, uint32_t columns, uint32_t length) {
    return {1, times_blocks(units_of(rows)), 32 * times_warps(units_of(rows)), 16 * columns * length, false};
  }

  // Sums U of columns x columns m-vectors over `length` rows of a matrix.  A block does as many rows of the batch as fill its
  // warps best.
  static constexpr uint32_t sums_threads(uint32_t rows, uint32_t columns) {
    return round_up(rows * units_of(columns), units_per_warp);
  }
  static constexpr uint32_t sums_rows(uint32_t columns, uint32_t length) {
    uint32_t best = 1;
    // Of which two blocks have registers for 8 sums for each column and what is around them.
    const uint32_t most_threads = columns <= 10 ? 256 : columns <= 13 ? 160 : 128;
    for (uint32_t rows = 2; rows <= 8 && sums_threads(rows, columns) <= most_threads && 16 * rows * columns * length <= 80 * 1024;
         rows++)
      if (rows * sums_threads(best, columns) > best * sums_threads(rows, columns)) best = rows;
    return best;
  }
  static constexpr uint32_t whipped_words =
      ceil_div(m + k * (k + 1) / 2 - 1, 8) + 1;  // of the sum before it is reduced; one is zero
  static constexpr Shape whipped_sums_shape(uint32_t length) {
    const uint32_t rows = sums_rows(k, length);
    return {rows, 1, sums_threads(rows, k), round_up(rows * (16 * k * length + 4 * (8 + 1) * whipped_words), 16), false};
  }
  static constexpr uint32_t oil_sums_words = (o * o + 1) * mvector_words;
  static constexpr Shape oil_sums_shape() {
    const uint32_t rows = sums_rows(o, v), masks = 16 * o * v, U = 4 * oil_sums_words;
    return {rows, 1, sums_threads(rows, o), round_up(rows * (masks > U ? masks : U), 16), false};
  }

  // sign_solve: M, every m-vector between so many zeros that it can be read at any distance, and an odd number of words further
  // than the one before, for the sake of banks.  Later, in its place: masks of x, then s with a byte for each element; x itself
  // is behind.
  static constexpr uint32_t shift_words = (k * (k + 1) / 2 - 1) / 8, padded_words = whipped_words | 1;
  static constexpr uint32_t oil_row_words = ceil_div(o, 8);
  static constexpr uint32_t solve_M_words = round_up(k * o * padded_words + shift_words, 4);
  static constexpr uint32_t solve_shared_bytes = 4 * (solve_M_words + k * oil_row_words);
  static_assert(16 * k * oil_row_words + k * n + 1 <= 4 * solve_M_words);
};

// What the host knows of a set at run time.  All sizes of one element.
struct SetLayout {
  uint32_t n, m, o, k, v;
  bool linear_term;
  uint32_t digest_bytes, salt_bytes, seed_sk_bytes, seed_pk_bytes, R_bytes, public_key_bytes, signature_bytes, s_bytes;
  uint32_t mvector_words, P_entries, public_words, secret_words, lambda_words, round_key_words, oil_words, oil_term_words,
      vinegar_words;
  uint32_t verify_product_words, keygen_product_words, sign_product_words;
  uint32_t table_rows, table_steps, table_columns;
  Shape shape[steps];

  uint64_t index_bytes(uint32_t count) const { return uint64_t(ceil_div(count, table_rows)) * table_steps * table_columns * 2; }
};

// Shapes that the kernels depend on are said here once.
template <class P> constexpr Shape shape_of(Step step);

template <class P> constexpr SetLayout set_layout() {
  using L = Layout<P>;
  SetLayout s{};
  s.n = L::n, s.m = L::m, s.o = L::o, s.k = L::k, s.v = L::v;
  s.linear_term = P::linear_term;
  s.digest_bytes = P::digest_bytes, s.salt_bytes = P::salt_bytes, s.seed_sk_bytes = P::sk_seed_bytes,
  s.seed_pk_bytes = P::pk_seed_bytes;
  s.R_bytes = P::R_bytes, s.public_key_bytes = P::public_key_bytes, s.signature_bytes = P::signature_bytes,
  s.s_bytes = P::s_bytes;
  s.mvector_words = L::mvector_words, s.P_entries = L::P_entries, s.public_words = L::public_words,
  s.secret_words = L::secret_words;
  s.lambda_words = L::lambda_words, s.round_key_words = L::round_key_words, s.oil_words = L::oil_words;
  s.oil_term_words = L::oil_term_words, s.vinegar_words = L::vinegar_words;
  s.verify_product_words = L::verify_product_words, s.keygen_product_words = L::keygen_product_words;
  s.sign_product_words = L::sign_product_words;
  s.table_rows = L::table_rows, s.table_steps = L::table_steps, s.table_columns = L::table_columns;
  for (int i = 0; i < steps; i++) s.shape[i] = shape_of<P>(Step(i));
  return s;
}

inline constexpr uint32_t hash_threads = 128;
inline constexpr uint32_t aes_threads = 512, aes_warps = aes_threads / 32;
inline constexpr uint32_t aes_table_bytes = 2 * 256 * 32 * 4;  // two tables, one copy for each bank
inline constexpr uint32_t aes_kept_bytes = 96;                 // of what was made before, more than an m-vector
inline constexpr uint32_t aes_staging_bytes =
    aes_kept_bytes + 512 + 16;                           // of each warp; four bytes behind an m-vector may be read
inline constexpr uint32_t aes_blocks_per_task = 8 * 32;  // of one key, one warp
// What lies in so many blocks, wherever the first m-vector begins in its block.
template <class P> constexpr uint32_t aes_entries_per_task() { return (16 * aes_blocks_per_task - 15) / (P::m / 2); }
template <class P> constexpr Shape shape_of(Step step) {
  using L = Layout<P>;
  constexpr Shape by_thread = {hash_threads, 1, hash_threads, 0, false};
  switch (step) {
    case step_hash_messages:
    case step_hash_targets:
    case step_schedule_keys:
    case step_expand_seeds:
    case step_sign_salts:
    case step_sign_vinegar: return by_thread;
    case step_expand: return {1, 1, aes_threads, aes_table_bytes + aes_warps * aes_staging_bytes, true};
    case step_unpack_oil: return {1, 1, 128, 0, false};
    case step_verify_times: return L::times_shape(L::n, L::k, L::n);
    case step_verify_indices: return {L::table_rows, 1, 256, 0, false};
    case step_verify_tables:
      return {L::table_rows, L::table_windows, L::table_threads, (2 * 256 + 16) * 4 * L::table_window_words, false};
    case step_keygen_times: return L::times_shape(L::v, L::o, L::v);
    case step_linear_forms: return L::times_shape(L::v, L::o, L::v);
    case step_sign_oil_terms: return {1, 1, 32, 16 * L::o * L::v, false};
    case step_sign_times: return L::times_shape(L::v + L::o, L::k, L::v);
    case step_verify_sums: return L::whipped_sums_shape(L::n);
    case step_sign_sums: return L::whipped_sums_shape(L::v);
    case step_keygen_sums: return L::oil_sums_shape();
    case step_sign_solve: return {1, 1, 32, L::solve_shared_bytes, false};
    default: return {};
  }
}

}  // namespace cuda
}  // namespace AIOLI_ISA
}  // namespace aioli
