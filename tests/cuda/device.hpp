// SPDX-License-Identifier: Apache-2.0
// The operations of src/cuda/device/kernels.hpp, kernel after kernel under the shim, for tests: host memory is the device's.
#pragma once
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/device/kernels.hpp"
#include "shim/shim.hpp"
#include "support.hpp"

namespace test {

namespace cuda = aioli::cuda;

// Memory of the device, as large as it has to be and not a byte more.  Full of rubbish at first.
template <class T> class Memory {
 public:
  explicit Memory(size_t count) : data_(new T[count]), count_(count) {
    memset(static_cast<void *>(data_), 0x5a, count * sizeof(T));
  }
  Memory(Memory &&other) : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
  Memory(const Memory &) = delete;
  ~Memory() { delete[] data_; }
  operator T *() { return data_; }
  operator const T *() const { return data_; }
  T *get() { return data_; }
  size_t size() const { return count_; }

 private:
  T *data_;
  size_t count_;
};
using Words = Memory<uint32_t>;
using Octets = Memory<uint8_t>;

struct DeviceSet {
  const char *name, *identifier;
  cuda::SetLayout layout;
};
// Those whose kernels are linked in.
const std::vector<DeviceSet> &device_sets();
// Of these all; where a sanitizer makes them slow (AIOLI_BATCH_QUICK), one whose m-vectors are whole words and one whose are not.
inline std::vector<DeviceSet> tested_sets() {
  std::vector<DeviceSet> sets;
  for (const DeviceSet &set : device_sets()) {
    const std::string name = set.name;
    if (std::getenv("AIOLI_BATCH_QUICK") == nullptr || name == "MAYO-2" || name == "MAYO-3") sets.push_back(set);
  }
  return sets;
}

enum class Path { masked, tables };

class Device {
 public:
  uint64_t seed = 1;  // of the order of threads
  size_t shared_limit = 99 * 1024;
  uint32_t expand_blocks = 2;
  std::vector<aioli::shim::Barrier> *met = nullptr;  // shim.hpp
  const aioli::shim::Barrier *without = nullptr;
  std::vector<std::string> leave_shared;                        // kernels of which a block left something in shared memory
  std::function<void(const char *kernel, bool before)> around;  // called before and after each launch

  explicit Device(const DeviceSet &set) : set_(set), l(set.layout) {}

  template <class Args> void launch(cuda::Step step, const Args &args, uint32_t count) {
    static const char *const names[] = {
#define AIOLI_KERNEL(step, args) #step,
#include "cuda/device/kernels.def"
#undef AIOLI_KERNEL
    };
    const std::string name = std::string("aioli_") + names[step] + "_" + set_.identifier;
    const aioli::shim::Kernel *kernel = aioli::shim::find(name);
    if (!kernel || kernel->argument_bytes != sizeof args) throw std::runtime_error("no kernel " + name);
    const cuda::Shape &shape = l.shape[step];
    aioli::shim::Launch how;
    how.grid.x = shape.persistent ? expand_blocks : cuda::ceil_div(count, shape.rows);
    how.grid.y = shape.blocks;
    how.block.x = shape.threads;
    how.shared_bytes = shape.shared_bytes;
    how.seed = seed++;
    how.shared_limit = shared_limit;
    if (seed % 3 == 0) how.shared_base = 512;
    how.met = met;
    how.without = without;
    bool leaves = false;
    how.leaves_shared = &leaves;
    if (around) around(names[step], true);
    const std::string error = aioli::shim::run(how, [&] { kernel->call(&args); });
    if (around) around(names[step], false);
    if (leaves) leave_shared.push_back(names[step]);
    if (!error.empty()) throw std::runtime_error(name + ": " + error);
  }

  void digests(Octets &out, const std::vector<Buffer> &messages) {
    std::vector<uint64_t> offsets = {0};
    Buffer all;
    for (const Buffer &m : messages) all.insert(all.end(), m.begin(), m.end()), offsets.push_back(all.size());
    const uint32_t count = uint32_t(messages.size());
    launch(cuda::step_hash_messages, cuda::HashMessagesArgs{out, all.data(), offsets.data(), count, l.digest_bytes}, count);
  }

  // P1, P2 for keys whose public seeds are at seeds, stride bytes apart.
  void expand_map(uint32_t *out, uint32_t out_words, const uint8_t *seeds, uint32_t stride, uint32_t count) {
    Words round_keys(size_t(count) * l.round_key_words);
    launch(cuda::step_schedule_keys, cuda::ScheduleKeysArgs{round_keys, seeds, count, stride}, count);
    launch(cuda::step_expand, cuda::ExpandArgs{out, round_keys, nullptr, count, l.P_entries, out_words, 0}, count);
  }
  Words expand_public(const Buffer &public_keys) {
    const uint32_t count = uint32_t(public_keys.size() / l.public_key_bytes);
    Words out(size_t(count) * l.public_words);
    expand_map(out, l.public_words, public_keys.data(), l.public_key_bytes, count);
    launch(cuda::step_unpack_oil, cuda::UnpackOilArgs{out, public_keys.data(), count, l.public_key_bytes}, count);
    return out;
  }

  // t, lambda.
  struct Targets {
    Words t, lambda;
  };
  Targets targets(const uint8_t *digests, const uint8_t *salts, uint32_t salt_stride, uint32_t count) {
    Targets r{Words(size_t(count) * l.mvector_words), Words(l.linear_term ? size_t(count) * l.lambda_words : 0)};
    Words keys(size_t(count) * 8);
    uint8_t *key_bytes = reinterpret_cast<uint8_t *>(keys.get());
    launch(cuda::step_hash_targets, cuda::HashTargetsArgs{r.t, key_bytes, digests, salts, count, l.digest_bytes, salt_stride},
           count);
    if (l.linear_term) {
      Words round_keys(size_t(count) * l.round_key_words);
      launch(cuda::step_schedule_keys, cuda::ScheduleKeysArgs{round_keys, key_bytes, count, 32}, count);
      launch(cuda::step_expand, cuda::ExpandArgs{r.lambda, round_keys, key_bytes + 16, count, l.n, l.lambda_words, 32}, count);
    }
    return r;
  }

  // One verdict for each message; keys[i] is the key of message i, none: key 0.
  std::vector<uint8_t> verify(const Words &expanded, const std::vector<uint32_t> &keys, const Buffer &signatures,
                              const std::vector<Buffer> &messages, Path path) {
    const uint32_t count = uint32_t(messages.size());
    Octets digest(size_t(count) * l.digest_bytes);
    digests(digest, messages);
    Targets target = targets(digest, signatures.data() + l.s_bytes, l.signature_bytes, count);
    const uint32_t *lambda = l.linear_term ? target.lambda.get() : nullptr;
    Words products(size_t(count) * l.verify_product_words);
    if (path == Path::masked) {
      launch(cuda::step_verify_times,
             cuda::VerifyTimesArgs{products, expanded, signatures.data(), lambda, keys.empty() ? nullptr : keys.data(), count,
                                   l.signature_bytes},
             count);
    } else {
      Octets indices(l.index_bytes(count));
      launch(cuda::step_verify_indices, cuda::VerifyIndicesArgs{indices, signatures.data(), count, l.signature_bytes}, count);
      launch(cuda::step_verify_tables, cuda::VerifyTablesArgs{products, expanded, indices, lambda, count}, count);
    }
    std::vector<uint8_t> verdicts(count, 0x77);
    launch(cuda::step_verify_sums,
           cuda::VerifySumsArgs{verdicts.data(), products, signatures.data(), target.t, count, l.signature_bytes}, count);
    return verdicts;
  }

  // Public keys from seeds.
  Buffer keygen(const Buffer &seeds) {
    const uint32_t count = uint32_t(seeds.size() / l.seed_sk_bytes);
    Buffer pk(size_t(count) * l.public_key_bytes, 0x33);
    Words oil(size_t(count) * l.oil_words), expanded(size_t(count) * l.secret_words),
        products(size_t(count) * l.keygen_product_words);
    launch(cuda::step_expand_seeds,
           cuda::ExpandSeedsArgs{pk.data(), oil, seeds.data(), count, l.public_key_bytes, l.seed_sk_bytes}, count);
    expand_map(expanded, l.secret_words, pk.data(), l.public_key_bytes, count);
    launch(cuda::step_keygen_times, cuda::KeygenTimesArgs{products, expanded, oil, count}, count);
    launch(cuda::step_keygen_sums, cuda::KeygenSumsArgs{pk.data(), products, oil, count, l.public_key_bytes}, count);
    return pk;
  }

  struct SecretKeys {
    Buffer seeds;
    Words oil, expanded;
  };
  SecretKeys expand_secret(const Buffer &seeds) {
    const uint32_t count = uint32_t(seeds.size() / l.seed_sk_bytes);
    SecretKeys r{seeds, Words(size_t(count) * l.oil_words), Words(size_t(count) * l.secret_words)};
    Octets seeds_pk(size_t(count) * l.seed_pk_bytes);
    launch(cuda::step_expand_seeds, cuda::ExpandSeedsArgs{seeds_pk, r.oil, seeds.data(), count, l.seed_pk_bytes, l.seed_sk_bytes},
           count);
    expand_map(r.expanded, l.secret_words, seeds_pk, l.seed_pk_bytes, count);
    launch(cuda::step_linear_forms, cuda::LinearFormsArgs{r.expanded, r.oil, count}, count);
    return r;
  }

  // Signatures of messages with randomness R, and how many attempts were singular for each.
  Buffer sign(const SecretKeys &sk, const std::vector<uint32_t> &keys, const std::vector<Buffer> &messages, const Buffer &R,
              std::vector<uint32_t> *restarts = nullptr) {
    const uint32_t count = uint32_t(messages.size()), *key = keys.empty() ? nullptr : keys.data();
    Buffer signatures(size_t(count) * l.signature_bytes, 0x99);
    Octets digest(size_t(count) * l.digest_bytes);
    digests(digest, messages);
    uint8_t *salts = signatures.data() + l.s_bytes;
    launch(cuda::step_sign_salts,
           cuda::SignSaltsArgs{salts, digest, R.data(), sk.seeds.data(), key, count, l.signature_bytes, l.digest_bytes, l.R_bytes,
                               l.seed_sk_bytes},
           count);
    Targets target = targets(digest, salts, l.signature_bytes, count);
    Words oil_terms(l.linear_term ? size_t(count) * l.oil_term_words : 0);
    if (l.linear_term)
      launch(cuda::step_sign_oil_terms, cuda::SignOilTermsArgs{oil_terms, target.lambda, sk.oil, key, count}, count);
    std::vector<uint32_t> attempts(count, 0), rows(count);
    for (uint32_t i = 0; i < count; i++) rows[i] = i;
    std::vector<uint8_t> solved(count, 0x44);
    int waves = 0;
    for (bool first = true; !rows.empty(); first = false) {
      const uint32_t slots = uint32_t(rows.size()), *row = first ? nullptr : rows.data();
      Words vinegar(size_t(slots) * l.vinegar_words), products(size_t(slots) * l.sign_product_words),
          right_sides(size_t(slots) * l.mvector_words);
      launch(cuda::step_sign_vinegar,
             cuda::SignVinegarArgs{vinegar, row, attempts.data(), digest, salts, sk.seeds.data(), key, slots, l.digest_bytes,
                                   l.signature_bytes, l.seed_sk_bytes},
             slots);
      launch(cuda::step_sign_times,
             cuda::SignTimesArgs{products, sk.expanded, vinegar, l.linear_term ? target.lambda.get() : nullptr,
                                 l.linear_term ? oil_terms.get() : nullptr, row, key, slots},
             slots);
      launch(cuda::step_sign_sums, cuda::SignSumsArgs{right_sides, products, vinegar, target.t, row, slots}, slots);
      launch(cuda::step_sign_solve,
             cuda::SignSolveArgs{signatures.data(), solved.data(), attempts.data(), products, right_sides, vinegar, sk.oil, row,
                                 key, slots, l.signature_bytes},
             slots);
      std::vector<uint32_t> left;
      for (uint32_t i : rows)
        if (!solved[i]) left.push_back(i);
      rows = left;
      if (rows.size() == slots && waves++ == 20) throw std::runtime_error("no attempt succeeds");
    }
    if (restarts) *restarts = attempts;
    return signatures;
  }

 private:
  const DeviceSet &set_;

 public:
  const cuda::SetLayout &l;
};

}  // namespace test
