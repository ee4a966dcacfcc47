// SPDX-License-Identifier: Apache-2.0
// The batches of cuda.h: what devices can do is planned and done by them, the rest by libaioli_batch.
#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "base/workspace.hpp"
#include "batch/operations.hpp"
#include "batch/overlaps.hpp"
#include "cuda/host/context.hpp"
#include "cuda/host/keypair_work.hpp"
#include "cuda/host/sign_work.hpp"
#include "cuda/host/verify_work.hpp"

using namespace aioli;
using namespace aioli::cuda;

namespace {

// The status of a row that nobody has done: never to be seen outside.
constexpr aioli_status unfinished = AIOLI_ERR_STATE;

aioli_status batch_of(const aioli_alg *alg, aioli_status *status, const aioli_verify_row *rows, size_t count,
                      const aioli_batch_options *options) {
  return aioli_verify_batch(alg, status, rows, count, options);
}
aioli_status batch_of(const aioli_alg *alg, aioli_status *status, const aioli_sign_row *rows, size_t count,
                      const aioli_batch_options *options) {
  return aioli_sign_batch(alg, status, rows, count, options);
}
aioli_status batch_of(const aioli_alg *alg, aioli_status *status, const aioli_keypair_row *rows, size_t count,
                      const aioli_batch_options *options) {
  return aioli_keypair_batch(alg, status, rows, count, options);
}

// Secrets drawn for rows, `each` bytes for each row of the batch.
struct Draws {
  ~Draws() {
    if (bytes != nullptr) wipe(bytes, rows * each);
    free(bytes);
  }
  uint8_t *bytes = nullptr;
  size_t rows = 0, each = 0;

  bool allocate_for(size_t count, size_t n) {
    bytes = allocate<uint8_t>(count * n);
    if (bytes != nullptr) rows = count, each = n;
    return bytes != nullptr;
  }
  // In the order of the rows; those that `wants` names.  A row that got nothing has the status of that.  No memory: false.
  template <class F> bool draw(size_t count, size_t n, const aioli_batch_options *options, aioli_status *status, F wants) {
    if (n > 0 && count > SIZE_MAX / n) return false;
    if (!allocate_for(count, n)) return false;
    zero(bytes, count * n);
    const aioli_rng_fn rng = options != nullptr && options->rng != nullptr ? options->rng : aioli_rng_system;
    if (rng == aioli_rng_zero) return true;
    if (rng == aioli_rng_system) {  // asked once for all: what it gives has no order
      const bool drawn = aioli_rng_system(nullptr, bytes, count * n) == 0;
      for (size_t i = 0; i < count && !drawn; i++)
        if (wants(i)) status[i] = AIOLI_ERR_RNG;
      return true;
    }
    for (size_t i = 0; i < count; i++)
      if (wants(i) && rng(options->rng_context, bytes + i * n, n) != 0) {
        status[i] = AIOLI_ERR_RNG;
        zero(bytes + i * n, n);
      }
    return true;
  }
};

// A generator that gives again what was drawn, row after row.
struct Replay {
  const Draws *draws;
  const size_t *rows;  // that draw
  size_t next;
  static int give(void *context, uint8_t *out, size_t n) {
    Replay &r = *static_cast<Replay *>(context);
    if (n != r.draws->each) return -1;
    copy(out, r.draws->bytes + r.rows[r.next++] * n, n);
    return 0;
  }
};

template <class Op> class Batch {
  using Row = typename Op::Row;

 public:
  Batch(aioli_cuda &c, const aioli_alg *alg, aioli_status *status, const Row *rows, size_t count,
        const aioli_batch_options *options)
      : c_(c),
        alg_(alg),
        status_(status),
        rows_(rows),
        count_(count),
        options_(options),
        op_{alg, options != nullptr && (options->flags & AIOLI_BATCH_DIGESTS) != 0} {}

  // An error of the whole batch, of which then nothing was done; or AIOLI_OK, and each row has its status.
  aioli_status work() {
    set_ = find_set(alg_, &number_);
    for (size_t i = 0; i < count_; i++) status_[i] = unfinished;
    if (Op::secret &&
        !draws_.draw(count_, op_.random_bytes(), options_, status_, [this](size_t i) { return op_.draws(rows_[i]); }))
      return AIOLI_ERR_MEMORY;
    if constexpr (Op::secret && !Op::has_messages) refuse_seeds_of_zeros();
    aioli_status otherwise = c_.error[0] != 0 ? AIOLI_ERR_DEVICE : AIOLI_ERR_NO_DEVICE;
    if (set_ == nullptr) {
      otherwise = AIOLI_ERR_ALGORITHM;
    } else if (c_.count > 0 && count_ >= c_.least_rows) {
      Plan plan;
      if (!plan.allocate_for(count_) || !make(plan)) return AIOLI_ERR_MEMORY;
      const size_t before = c_.count;
      if (plan.count() > 0) run(plan);
      drop_failed(c_);
      // Where no device failed but rows are left, a device had no room for even one of them.
      otherwise = c_.count < before || wrong_signatures_ ? AIOLI_ERR_DEVICE : AIOLI_ERR_MEMORY;
    }
    return finish(otherwise);
  }

 private:
  // As aioli_keypair does.
  void refuse_seeds_of_zeros() {
    for (size_t i = 0; i < count_; i++) {
      uint8_t any = 0;
      for (size_t j = 0; j < draws_.each; j++) any |= draws_.bytes[i * draws_.each + j];
      if (reveal(any == 0) && status_[i] == unfinished && op_.draws(rows_[i])) status_[i] = AIOLI_ERR_RNG;
    }
  }

  // Rows that a device can do: those whose arguments are right.
  bool sound(size_t i) const {
    if constexpr (Op::has_messages) {
      return op_.hashes(rows_[i]) && (!op_.digests || rows_[i].msg_bytes == set_->layout.digest_bytes);
    } else {
      const Row &r = rows_[i];
      if (op_.draws(r)) return true;
      return r.pk != nullptr && r.sk != nullptr && r.seed != nullptr && r.pk_bytes == set_->layout.public_key_bytes &&
             r.sk_bytes == set_->layout.seed_sk_bytes && r.seed_bytes == set_->layout.seed_sk_bytes;
    }
  }

  bool make(Plan &plan) {
    if constexpr (!Op::has_messages) {
      for (size_t i = 0; i < count_; i++)
        if (status_[i] == unfinished && sound(i)) plan.add(i, true, false);
      return true;
    } else {
      uint64_t seed = 0;
      if (Op::tags_need_seed && aioli_rng_system(nullptr, reinterpret_cast<uint8_t *>(&seed), sizeof seed) != 0) seed = 0;
      const Allocation<uint64_t> tags(count_);
      const Allocation<typename Op::Tagger> tagger(1);
      if (tags.at == nullptr || tagger.at == nullptr) return false;
      new (Place{tagger.at}) typename Op::Tagger(seed);
      for (size_t i = 0; i < count_; i++) {
        const bool same =
            i > 0 && Op::key(rows_[i]) == Op::key(rows_[i - 1]) && Op::key_bytes(rows_[i]) == Op::key_bytes(rows_[i - 1]);
        tags.at[i] = same ? tags.at[i - 1] : op_.tag(*tagger.at, rows_[i]);
      }
      constexpr bool tables_first[] = {true, false};
      Grouping grouping;
      if (!grouping.build(tags.at, count_, 1, seed)) return false;
      for (const bool tables : tables_first)
        for (size_t g = 0; g < grouping.groups(); g++)
          if ((!Op::secret && grouping.group(g).count >= VerifyWork::worth_tables) == tables)
            add(plan, grouping, grouping.group(g), tables);
      return true;
    }
  }

  // Two keys of the same fingerprint may alternate in a group, and are then told apart row by row.
  void add(Plan &plan, const Grouping &grouping, const Group &group, bool tables) {
    const Row *previous = nullptr;
    for (size_t p = group.first; p < group.first + group.count; p++) {
      const size_t i = grouping.row(p);
      if (status_[i] != unfinished || !sound(i)) continue;
      plan.add(i, previous == nullptr || !Op::same_key(rows_[i], *previous), tables);
      previous = &rows_[i];
    }
  }

  void run(Plan &plan) {
    const Task<Row> task = {*set_, number_, alg_, op_.digests, status_, rows_, &plan, c_.count};
    if constexpr (Op::secret && Op::has_messages) {
      SignWork work(task, draws_.bytes);
      cuda::run(work, c_.devices, c_.count);
      if ((c_.flags & AIOLI_CUDA_CHECK_SIGNATURES) != 0) check_signatures(plan);
    } else if constexpr (Op::has_messages) {
      VerifyWork work(task);
      cuda::run(work, c_.devices, c_.count);
    } else {
      KeypairWork work(task, draws_.bytes);
      cuda::run(work, c_.devices, c_.count);
    }
  }

  // Verifies what was signed, with public keys that are made anew.  A row whose signature is wrong, or that could not be checked,
  // counts as not done.
  void check_signatures(Plan &plan);

  // What the devices have not done.
  aioli_status finish(aioli_status otherwise) {
    size_t left = 0;
    for (size_t i = 0; i < count_; i++) left += status_[i] == unfinished;
    if (left > 0) {
      const Allocation<size_t> which(left), that_draw(left);
      const Allocation<Row> rows(left);
      const Allocation<aioli_status> statuses(left);
      if (which.at == nullptr || that_draw.at == nullptr || rows.at == nullptr || statuses.at == nullptr) return AIOLI_ERR_MEMORY;
      left = 0;
      size_t drawing = 0;
      for (size_t i = 0; i < count_; i++) {
        if (status_[i] != unfinished) continue;
        // A row with wrong arguments is told so by those who define what is wrong, and is no work for them.
        if (!c_.may_fall_back() && (set_ == nullptr || sound(i))) {
          status_[i] = otherwise;
          continue;
        }
        Row row = rows_[i];
        if constexpr (Op::secret && !Op::has_messages)
          if (op_.draws(row)) row.seed = draws_.bytes + i * draws_.each, row.seed_bytes = draws_.each;
        if (Op::secret && op_.draws(rows_[i])) that_draw.at[drawing++] = i;
        rows.at[left] = row;
        which.at[left++] = i;
      }
      aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
      if (options_ != nullptr)  // whose program may be older, and give fewer
        __builtin_memcpy(&options, options_, smaller(options_->bytes, sizeof options));
      options.bytes = sizeof options;
      Replay replay = {&draws_, that_draw.at, 0};
      if (Op::secret && Op::has_messages) options.rng = Replay::give, options.rng_context = &replay;
      (void)!batch_of(alg_, statuses.at, rows.at, left, &options);  // each row has its own status
      for (size_t i = 0; i < left; i++) status_[which.at[i]] = statuses.at[i];
    }
    for (size_t i = 0; i < count_; i++)
      if (status_[i] != AIOLI_OK) op_.refuse(rows_[i]);
    return AIOLI_OK;
  }

  aioli_cuda &c_;
  const aioli_alg *const alg_;
  aioli_status *const status_;
  const Row *const rows_;
  const size_t count_;
  const aioli_batch_options *const options_;
  const Op op_;
  const Set *set_ = nullptr;
  int number_ = 0;
  Draws draws_;
  bool wrong_signatures_ = false;
};

template <class Op>
aioli_status batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status, const typename Op::Row *rows, size_t count,
                   const aioli_batch_options *options) {
  // An empty batch says whether the options make sense.
  aioli_status all =
      cuda != nullptr ? batch_of(alg, nullptr, static_cast<const typename Op::Row *>(nullptr), 0, options) : AIOLI_ERR_ARGUMENT;
  if (rows_are_written(Op{alg, false}, status, rows, count)) return AIOLI_ERR_ARGUMENT;
  if (count > 0 && (status == nullptr || rows == nullptr)) all = AIOLI_ERR_ARGUMENT;
  const bool digests = options != nullptr && (options->flags & AIOLI_BATCH_DIGESTS) != 0;
  if (all == AIOLI_OK) all = rows_apart(Op{alg, digests}, status, rows, count);
  if (all == AIOLI_OK && count > 0) all = Batch<Op>(*cuda, alg, status, rows, count, options).work();
  if (all != AIOLI_OK) {
    for (size_t i = 0; rows != nullptr && i < count; i++) Op{alg, false}.refuse(rows[i]);
    for (size_t i = 0; status != nullptr && i < count; i++) status[i] = all;
    return all;
  }
  for (size_t i = 0; i < count; i++)
    if (status[i] != AIOLI_OK) return status[i];
  return AIOLI_OK;
}

template <> void Batch<Sign>::check_signatures(Plan &plan) {
  size_t keys = 0, signed_rows = 0;
  for (size_t p = 0; p < plan.count(); p++) keys += plan.new_key(p), signed_rows += status_[plan.row(p)] == AIOLI_OK;
  const size_t pk_bytes = aioli_public_key_bytes(alg_), sk_bytes = aioli_secret_key_bytes(alg_);
  const Allocation<uint8_t> public_keys(keys * pk_bytes), seeds(keys * sk_bytes);
  const Allocation<aioli_keypair_row> key_rows(keys);
  const Allocation<aioli_verify_row> verify_rows(signed_rows);
  const Allocation<size_t> row_of(signed_rows);
  const Allocation<aioli_status> statuses(keys > signed_rows ? keys : signed_rows);
  const bool memory = public_keys.at != nullptr && seeds.at != nullptr && key_rows.at != nullptr && verify_rows.at != nullptr &&
                      row_of.at != nullptr && statuses.at != nullptr;
  aioli_status checked = memory ? AIOLI_OK : AIOLI_ERR_MEMORY;
  if (memory) {
    size_t key = 0;
    for (size_t p = 0; p < plan.count(); p++)
      if (plan.new_key(p)) {
        const aioli_sign_row &r = rows_[plan.row(p)];
        key_rows.at[key] = {public_keys.at + key * pk_bytes, pk_bytes, seeds.at + key * sk_bytes, sk_bytes, r.sk, r.sk_bytes};
        key++;
      }
    checked = batch<Keypair>(&c_, alg_, statuses.at, key_rows.at, keys, nullptr);
    wipe(seeds.at, keys * sk_bytes);
  }
  if (checked == AIOLI_OK) {
    size_t key = 0, n = 0;
    for (size_t p = 0; p < plan.count(); p++) {
      key += plan.new_key(p);
      const size_t i = plan.row(p);
      if (status_[i] != AIOLI_OK) continue;
      const aioli_sign_row &r = rows_[i];
      verify_rows.at[n] = {r.sig, r.sig_bytes, r.msg, r.msg_bytes, public_keys.at + (key - 1) * pk_bytes, pk_bytes};
      row_of.at[n++] = i;
    }
    aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
    options.flags = op_.digests ? AIOLI_BATCH_DIGESTS : 0;
    (void)!batch<Verify>(&c_, alg_, statuses.at, verify_rows.at, n, &options);  // each row has its own status
    for (size_t i = 0; i < n; i++)
      if (statuses.at[i] != AIOLI_OK) status_[row_of.at[i]] = unfinished, wrong_signatures_ = true;
    return;
  }
  for (size_t p = 0; p < plan.count(); p++) {
    const size_t i = plan.row(p);
    if (status_[i] == AIOLI_OK) status_[i] = unfinished, wrong_signatures_ = true;
  }
}

}  // namespace

aioli_status aioli_cuda_verify_batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status, const aioli_verify_row *rows,
                                     size_t count, const aioli_batch_options *options) {
  return batch<Verify>(cuda, alg, status, rows, count, options);
}

aioli_status aioli_cuda_sign_batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status, const aioli_sign_row *rows,
                                   size_t count, const aioli_batch_options *options) {
  return batch<Sign>(cuda, alg, status, rows, count, options);
}

aioli_status aioli_cuda_keypair_batch(aioli_cuda *cuda, const aioli_alg *alg, aioli_status *status, const aioli_keypair_row *rows,
                                      size_t count, const aioli_batch_options *options) {
  return batch<Keypair>(cuda, alg, status, rows, count, options);
}

// What the calls for arrays on a device have in common: work(task, device) on the right one, which then has nothing secret left.
template <class Row, class Arrays, class F>
static aioli_status on_device(aioli_cuda &cuda, const aioli_alg *alg, const Arrays &arrays, bool secret, F work) {
  static_assert(sizeof arrays % sizeof(size_t) == 0, "no padding, which nobody would zero");
  int number = 0;
  const Set *set = find_set(alg, &number);
  if (set == nullptr) return AIOLI_ERR_ALGORITHM;
  for (size_t i = 0; i < cuda.count; i++) {
    Device &device = cuda.devices[i];
    if (device.ordinal != arrays.device) continue;
    aioli_status status = AIOLI_ERR_DEVICE;
    if (device.enter()) {
      status = work(Task<Row>{*set, number, alg, true, nullptr, nullptr, nullptr, 1}, device);
      if (secret) device.clear();  // waits, too
      device.leave();
    }
    if (!device.ok()) status = AIOLI_ERR_DEVICE;
    drop_failed(cuda);
    return status;
  }
  return AIOLI_ERR_NO_DEVICE;
}

aioli_status aioli_cuda_verify_on_device(aioli_cuda *cuda, const aioli_alg *alg, const aioli_cuda_verify_arrays *arrays) {
  if (cuda == nullptr || alg == nullptr || arrays == nullptr || arrays->bytes != sizeof *arrays) return AIOLI_ERR_ARGUMENT;
  if (arrays->count == 0) return AIOLI_OK;
  if (arrays->verdict == nullptr || arrays->sig == nullptr || arrays->digest == nullptr || arrays->pk == nullptr)
    return AIOLI_ERR_ARGUMENT;
  if (arrays->sig_stride < aioli_signature_bytes(alg) || arrays->digest_stride < aioli_digest_bytes(alg) ||
      (arrays->pk_stride != 0 && arrays->pk_stride < aioli_public_key_bytes(alg)))
    return AIOLI_ERR_LENGTH;
  return on_device<aioli_verify_row>(*cuda, alg, *arrays, false, [&](const auto &task, Device &device) {
    return VerifyWork(task).verify_arrays(device, *arrays) ? AIOLI_OK : AIOLI_ERR_MEMORY;
  });
}

aioli_status aioli_cuda_sign_on_device(aioli_cuda *cuda, const aioli_alg *alg, const aioli_cuda_sign_arrays *arrays) {
  if (cuda == nullptr || alg == nullptr || arrays == nullptr || arrays->bytes != sizeof *arrays || arrays->reserved != 0)
    return AIOLI_ERR_ARGUMENT;
  if (arrays->count == 0) return AIOLI_OK;
  if (arrays->sig == nullptr || arrays->digest == nullptr || arrays->sk == nullptr) return AIOLI_ERR_ARGUMENT;
  const size_t R_bytes = aioli_randomness_bytes(alg), sig_bytes = aioli_signature_bytes(alg);
  if (arrays->sig_stride < sig_bytes || arrays->digest_stride < aioli_digest_bytes(alg) ||
      (arrays->randomness != nullptr && arrays->randomness_stride < R_bytes) ||
      (arrays->sk_stride != 0 && arrays->sk_stride < aioli_secret_key_bytes(alg)))
    return AIOLI_ERR_LENGTH;
  return on_device<aioli_sign_row>(*cuda, alg, *arrays, true, [&](const auto &task, Device &device) {
    Draws draws;
    aioli_status drawn = AIOLI_OK;
    if (arrays->randomness == nullptr) {
      if (arrays->count > SIZE_MAX / R_bytes || !draws.allocate_for(arrays->count, R_bytes)) return AIOLI_ERR_MEMORY;
      if (aioli_rng_system(nullptr, draws.bytes, arrays->count * R_bytes) != 0) drawn = AIOLI_ERR_RNG;
    }
    const aioli_status status = drawn == AIOLI_OK ? SignWork(task, nullptr).sign_arrays(device, *arrays, draws.bytes) : drawn;
    if (status == AIOLI_OK) return status;
    for (size_t i = 0; i < arrays->count; i++) device.fill(device.at[0], arrays->sig + i * arrays->sig_stride, 0, sig_bytes);
    device.wait(device.at[0]);
    return status;
  });
}

aioli_status aioli_cuda_keypair_on_device(aioli_cuda *cuda, const aioli_alg *alg, const aioli_cuda_keypair_arrays *arrays) {
  if (cuda == nullptr || alg == nullptr || arrays == nullptr || arrays->bytes != sizeof *arrays || arrays->reserved != 0)
    return AIOLI_ERR_ARGUMENT;
  if (arrays->count == 0) return AIOLI_OK;
  if (arrays->pk == nullptr || arrays->sk == nullptr) return AIOLI_ERR_ARGUMENT;
  if (arrays->pk_stride < aioli_public_key_bytes(alg) || arrays->sk_stride < aioli_secret_key_bytes(alg)) return AIOLI_ERR_LENGTH;
  return on_device<aioli_keypair_row>(*cuda, alg, *arrays, true, [&](const auto &task, Device &device) {
    return KeypairWork(task, nullptr).keypair_arrays(device, *arrays) ? AIOLI_OK : AIOLI_ERR_MEMORY;
  });
}
