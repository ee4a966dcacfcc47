// SPDX-License-Identifier: Apache-2.0
// The functions of batch.h, over those of aioli.h.
#include <aioli/batch.h>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "batch/cache.hpp"
#include "batch/grouping.hpp"
#include "batch/memory.hpp"
#include "batch/operations.hpp"
#include "batch/overlaps.hpp"
#include "batch/pool.hpp"
#include "batch/schedule.hpp"

using namespace aioli;

namespace {

// ---- options
// ---------------------------------------------------------------------------------------------------------------------

static_assert(sizeof(aioli_batch_options) == sizeof(size_t) * 2 + 8 + sizeof(void *) * 4, "no padding, which nobody would zero");

// The size of the options in programs compiled against the first version.
constexpr size_t first_version = sizeof(size_t) * 2 + 8 + sizeof(void *) * 3;

aioli_status read(aioli_batch_options &options, const aioli_batch_options *given, uint32_t known_flags, bool may_cache) {
  options = AIOLI_BATCH_OPTIONS_INIT;
  if (given == nullptr) return AIOLI_OK;
  if (given->bytes < sizeof options && given->bytes != first_version) return AIOLI_ERR_ARGUMENT;
  // Fields of a later version that ask for nothing.
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(given);
  for (size_t i = sizeof options; i < given->bytes; i++)
    if (bytes[i] != 0) return AIOLI_ERR_ARGUMENT;
  // An older program gives fewer.
  __builtin_memcpy(&options, given, given->bytes < sizeof options ? given->bytes : sizeof options);
  const bool sound = (options.flags & ~known_flags) == 0 && options.threads <= AIOLI_BATCH_MAX_THREADS &&
                     (options.pool == nullptr || options.threads == 0) && (options.verifiers == nullptr || may_cache);
  return sound ? AIOLI_OK : AIOLI_ERR_ARGUMENT;
}

class Pool {
 public:
  // A pool of the caller, or one for this call.
  Pool(const aioli_batch_options &options, size_t rows) : pool(options.pool) {
    const size_t threads = options.threads < rows ? options.threads : rows;
    if (pool == nullptr && threads > 1) pool = own_ = make_pool(threads, true);
  }
  ~Pool() { free_pool(own_); }
  Pool(const Pool &) = delete;
  aioli_pool *pool;

 private:
  aioli_pool *own_ = nullptr;
};

// ---- randomness
// --------------------------------------------------------------------------------------------------------------------

// What the caller's generator gave for each row, drawn in the order of the rows.
class Draws {
 public:
  bool allocate(size_t rows, size_t each) {
    each_ = each;
    rows_ = rows;
    bytes_ = rows <= SIZE_MAX / (each + 1) ? aioli::allocate<uint8_t>(rows * (each + 1)) : nullptr;
    return bytes_ != nullptr;
  }
  ~Draws() {
    if (bytes_ != nullptr) wipe(bytes_, rows_ * (each_ + 1));
    free(bytes_);
  }
  Draws() = default;
  Draws(const Draws &) = delete;

  void draw(size_t row, const aioli_batch_options &options) {
    uint8_t *at = bytes_ + row * (each_ + 1);
    at[each_] = options.rng(options.rng_context, at, each_) == 0;
  }
  struct One {
    const uint8_t *bytes;
    size_t n;
  };
  One of(size_t row) const { return {bytes_ + row * (each_ + 1), each_}; }
  // A generator whose context is a One.
  static int give(void *context, uint8_t *out, size_t n) {
    const One &one = *static_cast<const One *>(context);
    if (n != one.n || one.bytes[n] != 1) return -1;
    copy(out, one.bytes, n);
    return 0;
  }

 private:
  uint8_t *bytes_ = nullptr;  // for each row its bytes, and 1 if the generator succeeded
  size_t each_ = 0, rows_ = 0;
};

// ---- a batch
// -----------------------------------------------------------------------------------------------------------------------

template <class Op> class Batch {
  using Row = typename Op::Row;
  using Key = typename Op::Key;

 public:
  Batch(const aioli_alg *alg, aioli_status *status, const Row *rows, size_t count, const aioli_batch_options &options)
      : op_{alg, (options.flags & AIOLI_BATCH_DIGESTS) != 0}, options_(options), status_(status), rows_(rows), count_(count) {}

  // Gives each row its status.  An error that it returns is of the whole batch, of which then nothing was done.
  aioli_status work() {
    const Pool pool(options_, count_);
    threads_ = pool_threads(pool.pool) < count_ ? pool_threads(pool.pool) : count_;
    if (!draw_all()) return AIOLI_ERR_MEMORY;
    const size_t keys = cached_keys();
    if (keys > 0 && !group(pool.pool)) return AIOLI_ERR_MEMORY;
    Schedule schedule(grouping_, count_, threads_, keys);
    workspace_bytes_ = op_.workspace_bytes();
    if (workspace_bytes_ > SIZE_MAX / threads_) return AIOLI_ERR_MEMORY;  // where addresses have 32 bits
    const Allocation<uint8_t> workspaces(threads_ * workspace_bytes_);
    if (!schedule.sound() || workspaces.at == nullptr) return AIOLI_ERR_MEMORY;
    schedule_ = &schedule;
    workspaces_ = workspaces.at;
    run(pool.pool, {[](void *self, size_t thread) { static_cast<Batch *>(self)->work_as(thread); }, this});
    schedule_ = nullptr;
    workspaces_ = nullptr;
    for (size_t i = 0; i < schedule.slots(); i++) {
      Slot &slot = schedule.slot(i);
      if (slot.dirty) wipe_key(slot);
      drop_cached(slot);
      free(slot.memory);
    }
    return AIOLI_OK;
  }

 private:
  // ---- before ----

  bool draw_all() {
    rng_ = options_.rng;
    if (rng_ == nullptr || rng_ == aioli_rng_system || rng_ == aioli_rng_zero) return true;  // any thread may call these
    const size_t each = op_.random_bytes();
    if (each == 0) return true;
    if (!draws_.allocate(count_, each)) return false;
    for (size_t i = 0; i < count_; i++)
      if (op_.draws(rows_[i])) draws_.draw(i, options_);
    rng_ = Draws::give;
    return true;
  }

  // How many expanded keys there may be at a time.
  size_t cached_keys() const {
    const size_t each = op_.expanded_bytes();
    if (each == 0 || count_ < Op::worth) return 0;
    if (options_.key_cache_bytes == 0) return threads_;
    const size_t room = options_.key_cache_bytes / each;
    return room < threads_ ? room : threads_;
  }

  bool group(aioli_pool *pool) {
    uint64_t seed = 0;
    // Without randomness a batch made on purpose might take longer than it should, but nothing worse.
    if (Op::tags_need_seed && aioli_rng_system(nullptr, reinterpret_cast<uint8_t *>(&seed), sizeof seed) != 0) seed = 0;
    const Allocation<uint64_t> tags(count_);
    const Allocation<typename Op::Tagger> tagger(1);
    if (tags.at == nullptr || tagger.at == nullptr) return false;
    Tagging t = {this, new (Place{tagger.at}) typename Op::Tagger(seed), tags.at, 0};
    if (count_ < few_rows)
      tag(&t, 0);
    else
      run(pool, {tag, &t});
    return grouping_.build(tags.at, count_, Op::worth, seed);
  }

  static constexpr size_t few_rows = 256;  // tagged before other threads have woken up

  struct Tagging {
    const Batch *batch;
    const typename Op::Tagger *tagger;
    uint64_t *tags;
    size_t next;
  };
  static void tag(void *context, size_t) {
    Tagging &t = *static_cast<Tagging *>(context);
    constexpr size_t piece = few_rows / 4;
    const Batch &b = *t.batch;
    for (;;) {
      const size_t first = __atomic_fetch_add(&t.next, piece, __ATOMIC_RELAXED);
      if (first >= b.count_) return;
      const size_t end = b.count_ - first < piece ? b.count_ : first + piece;
      for (size_t i = first; i < end; i++) {
        const bool same = i > first && Op::key(b.rows_[i]) == Op::key(b.rows_[i - 1]) &&
                          Op::key_bytes(b.rows_[i]) == Op::key_bytes(b.rows_[i - 1]);
        t.tags[i] = same ? t.tags[i - 1] : b.op_.tag(*t.tagger, b.rows_[i]);
      }
    }
  }

  // ---- at work ----

  void work_as(size_t thread) {
    if (thread >= threads_) return;
    uint8_t *workspace = workspaces_ + thread * workspace_bytes_;
    Piece piece;
    Slot *slot = nullptr, *emptied = nullptr;
    bool worked = false;
    while (schedule_->next(piece, thread, slot, emptied)) {
      if (emptied != nullptr) wipe_key(*emptied);
      worked = true;
      if (piece.open)
        schedule_->opened(*slot, expand(*slot, workspace));
      else
        work_on(piece, piece.with_key ? slot : nullptr, workspace);
    }
    if (emptied != nullptr) wipe_key(*emptied);
    if (Op::secret && worked) wipe(workspace, workspace_bytes_);
  }

  bool expand(Slot &slot, uint8_t *workspace) const {
    const size_t bytes = op_.expanded_bytes();
    drop_cached(slot);
    slot.cached = acquire(rows_[slot.representative], workspace);
    if (slot.cached != nullptr) {
      slot.key = const_cast<aioli_verifier *>(slot.cached->key);
      return true;
    }
    if (slot.memory == nullptr) slot.memory = allocate<uint8_t>(bytes);
    if (slot.memory == nullptr) return false;  // then without
    const aioli_env env = {nullptr, nullptr, workspace, workspace_bytes_};
    Key *key = nullptr;
    const aioli_status status = op_.expand(&key, slot.memory, bytes, rows_[slot.representative], &env);
    slot.key = key;
    return status == AIOLI_OK;
  }

  // The key of a row out of the caller's cache; null if that has none, or there is no cache.
  CachedKey *acquire(const Row &row, uint8_t *workspace) const {
    if constexpr (Op::may_cache) {
      if (options_.verifiers != nullptr && op_.expanded_bytes() > 0 && op_.has_key(row)) {
        const aioli_env env = {nullptr, nullptr, workspace, workspace_bytes_};
        return options_.verifiers->cache.acquire(op_.alg, row.pk, &env);
      }
    }
    return nullptr;
  }
  void drop_cached(Slot &slot) const {
    if (slot.cached != nullptr) options_.verifiers->cache.release(slot.cached);
    slot.cached = nullptr;
  }

  void wipe_key(Slot &slot) const {
    if (Op::secret && slot.memory != nullptr) wipe(slot.memory, op_.expanded_bytes());
  }

  // The digests of a piece's messages, made all together.  The row of one that is null is wrong somehow, and the call with the
  // message itself will find out how; or it is alone, or there are no messages.
  struct Digests {
    uint8_t bytes[Piece::most_rows][AIOLI_MAX_DIGEST_BYTES];
    const uint8_t *of[Piece::most_rows];
  };
  void hash(Digests &digests, const Piece &piece) const {
    for (const uint8_t *&digest : digests.of) digest = nullptr;
    if constexpr (Op::has_messages) {
      if (op_.digests) return;
      const uint8_t *msgs[Piece::most_rows];
      size_t msg_bytes[Piece::most_rows], of[Piece::most_rows], count = 0;
      for (size_t i = 0; i < piece.count; i++) {
        const Row &row = rows_[grouping_.row(piece.first + i)];
        if (!op_.hashes(row)) continue;
        msgs[count] = row.msg;
        msg_bytes[count] = row.msg_bytes;
        of[count++] = i;
      }
      if (count < 2) return;
      if (aioli_digest_batch(op_.alg, digests.bytes[0], sizeof digests.bytes[0], msgs, msg_bytes, count) != AIOLI_OK) return;
      for (size_t i = 0; i < count; i++) digests.of[of[i]] = digests.bytes[i];
    }
  }

  void work_on(const Piece &piece, const Slot *slot, uint8_t *workspace) const {
    Secret<Digests> digests;  // of some schemes states, which tell what short messages were
    hash(digests, piece);
    for (size_t i = 0; i < piece.count; i++) {
      const size_t r = grouping_.row(piece.first + i);
      Row row = rows_[r];
      Op op = op_;
      if constexpr (Op::has_messages) {
        if (digests.of[i] != nullptr) {
          row.msg = digests.of[i];
          row.msg_bytes = aioli_digest_bytes(op.alg);
          op.digests = true;
        }
      }
      // A row whose key is still being expanded for its group does not ask for it a second time.
      const bool single = piece.first + i >= grouping_.grouped();
      CachedKey *const cached = single ? acquire(row, workspace) : nullptr;
      status_[r] = one(op, row, r, slot, cached, workspace);
      if (cached != nullptr) options_.verifiers->cache.release(cached);
    }
  }

  aioli_status one(const Op &op, const Row &row, size_t r, const Slot *slot, const CachedKey *cached, uint8_t *workspace) const {
    Draws::One drawn = rng_ == Draws::give ? draws_.of(r) : Draws::One{nullptr, 0};
    const aioli_env env = {rng_, &drawn, workspace, workspace_bytes_};
    if (slot != nullptr && Op::same_key(row, rows_[slot->representative]))
      return op.with_key(static_cast<const Key *>(slot->key), row, &env);
    if constexpr (Op::may_cache) {
      if (cached != nullptr) return op.with_key(cached->key, row, &env);
    }
    return op.alone(row, &env);
  }

  const Op op_;
  const aioli_batch_options &options_;
  aioli_status *const status_;
  const Row *const rows_;
  const size_t count_;
  size_t threads_ = 1, workspace_bytes_ = 0;
  aioli_rng_fn rng_ = nullptr;
  Draws draws_;
  Grouping grouping_;
  Schedule *schedule_ = nullptr;
  uint8_t *workspaces_ = nullptr;
};

template <class Op>
aioli_status batch(const aioli_alg *alg, aioli_status *status, const typename Op::Row *rows, size_t count,
                   const aioli_batch_options *given) {
  aioli_batch_options options;
  aioli_status all = read(options, given, Op::flags, Op::may_cache);
  if (rows_are_written(Op{alg, false}, status, rows, count)) return AIOLI_ERR_ARGUMENT;
  if (alg == nullptr || (count > 0 && (status == nullptr || rows == nullptr))) all = AIOLI_ERR_ARGUMENT;
  if (all == AIOLI_OK) all = rows_apart(Op{alg, (options.flags & AIOLI_BATCH_DIGESTS) != 0}, status, rows, count);
  if (all == AIOLI_OK)
    for (size_t i = 0; i < count; i++) status[i] = AIOLI_ERR_STATE;  // of a row that nobody has looked at: never to be seen
  if (all == AIOLI_OK && count > 0) all = Batch<Op>(alg, status, rows, count, options).work();
  if (all != AIOLI_OK) {
    for (size_t i = 0; rows != nullptr && i < count; i++) Op{alg, false}.refuse(rows[i]);
    for (size_t i = 0; status != nullptr && i < count; i++) status[i] = all;
    return all;
  }
  for (size_t i = 0; i < count; i++)
    if (status[i] != AIOLI_OK) return status[i];
  return AIOLI_OK;
}

}  // namespace

aioli_status aioli_pool_new(aioli_pool **pool, uint32_t threads) {
  if (pool == nullptr) return AIOLI_ERR_ARGUMENT;
  *pool = nullptr;
  if (threads < 1 || threads > AIOLI_BATCH_MAX_THREADS) return AIOLI_ERR_ARGUMENT;
  *pool = make_pool(threads, false);
  return *pool != nullptr ? AIOLI_OK : AIOLI_ERR_MEMORY;
}

void aioli_pool_free(aioli_pool *pool) { free_pool(pool); }

aioli_status aioli_verify_batch(const aioli_alg *alg, aioli_status *status, const aioli_verify_row *rows, size_t count,
                                const aioli_batch_options *options) {
  return batch<Verify>(alg, status, rows, count, options);
}

aioli_status aioli_sign_batch(const aioli_alg *alg, aioli_status *status, const aioli_sign_row *rows, size_t count,
                              const aioli_batch_options *options) {
  return batch<Sign>(alg, status, rows, count, options);
}

aioli_status aioli_keypair_batch(const aioli_alg *alg, aioli_status *status, const aioli_keypair_row *rows, size_t count,
                                 const aioli_batch_options *options) {
  return batch<Keypair>(alg, status, rows, count, options);
}
