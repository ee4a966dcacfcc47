// SPDX-License-Identifier: Apache-2.0
// What the calls that handle a secret key leave behind in memory and in registers, in the library as it is released: what the
// compiler spilled to the stack, too, which no taint of variables shows.  Calls run on a stack of their own, which is read
// afterwards.
#include <aioli/keyfile.h>
#include <doctest/doctest.h>
#include <ucontext.h>

#include <cstdio>
#include <cstring>
#include <set>

#include "support.hpp"
#include "symmetric/shake256.hpp"

using test::Buffer;
using test::digest_of;

namespace {

constexpr size_t stack_bytes = 256 * 1024;
constexpr uint8_t paint = 0xd5;
// The interface's own frames on top of the stack: pointers, lengths, the digest, the hash of the message.
constexpr size_t frames_bytes = 1536;
// Below them everything is zeroed, but for a return address where the compiler makes a call to memset of it.
constexpr size_t call_bytes = 16;

// Runs f on a freshly painted stack and returns that stack, its top at the end.
Buffer stack_of(const std::function<void()> &f) {
  static const std::function<void()> *running;
  static ucontext_t here, there;
  alignas(64) static uint8_t stack[stack_bytes];
  std::memset(stack, paint, sizeof stack);
  running = &f;
  REQUIRE(getcontext(&there) == 0);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, [] { (*running)(); }, 0);
  REQUIRE(swapcontext(&here, &there) == 0);
  return Buffer(stack, stack + sizeof stack);
}

// The registers that a call need not preserve (registers.S); none where that is not written.
#if defined(AIOLI_TEST_REGISTERS)
extern "C" void store_sse2(uint8_t *out), store_avx(uint8_t *out), store_avx512(uint8_t *out);
extern "C" void zero_sse2(), zero_avx(), zero_avx512();
constexpr size_t general_bytes = 8 * 8;
alignas(64) uint8_t registers_found[general_bytes + 32 * 64];
bool has_avx512() { return __builtin_cpu_supports("avx512f"); }
bool has_avx() { return __builtin_cpu_supports("avx"); }
void zero_registers() { has_avx512() ? zero_avx512() : has_avx() ? zero_avx() : zero_sse2(); }
void store_registers() {
  has_avx512() ? store_avx512(registers_found) : has_avx() ? store_avx(registers_found) : store_sse2(registers_found);
}
#else
constexpr size_t general_bytes = 0;
uint8_t registers_found[1];
void zero_registers() {}
void store_registers() {}
#endif

Buffer shake(std::initializer_list<Buffer> parts, size_t n) {
  aioli::Shake256 h;
  h.init();
  for (const Buffer &part : parts) h.absorb(part.data(), part.size());
  h.finish();
  Buffer out(n);
  h.squeeze(out.data(), n);
  return out;
}

// Byte strings that nobody may find: any eight bytes in a row of them count.
class Secrets {
 public:
  void add(const Buffer &secret) {
    for (size_t i = 0; i + 8 <= secret.size(); i++) windows_.insert(word(&secret[i]));
  }
  // The first place in memory that shows one; its size if there is none.
  size_t find(const Buffer &memory) const {
    for (size_t i = 0; i + 8 <= memory.size(); i++)
      if (windows_.count(word(&memory[i])) != 0) return i;
    return memory.size();
  }

 private:
  static uint64_t word(const uint8_t *p) {
    uint64_t w;
    std::memcpy(&w, p, sizeof w);
    return w;
  }
  std::set<uint64_t> windows_;
};

Buffer part(const Buffer &b, size_t from, size_t n) { return Buffer(b.begin() + long(from), b.begin() + long(from + n)); }

// The seed, O, what vinegar is drawn in the first attempts, and of expanded secret keys the beginning and the end of S.  (Not P1,
// which is public.)
Secrets secrets_of(const test::Key &key, const Buffer &msg, const Buffer &salt) {
  const bool uov = std::string(aioli_alg_name(key.alg)).starts_with("UOV-");
  const Buffer seed = part(key.sk, 0, aioli_seed_bytes(key.alg));
  Secrets secrets;
  secrets.add(seed);
  secrets.add(part(shake({seed}, 4096), 16, 4080));  // O; what precedes it is public
  for (uint8_t attempt = 0; attempt < 3; attempt++)
    secrets.add(uov ? shake({msg, salt, seed, Buffer{attempt}}, 128)
                    : shake({digest_of(key.alg, msg), salt, seed, Buffer{attempt}}, 4096));
  if (key.sk.size() > seed.size()) {
    secrets.add(part(key.sk, key.sk.size() - 8192, 8192));
    secrets.add(part(key.sk, key.sk.size() - 100000, 8192));
  }
  return secrets;
}

struct Watch {
  std::string set, backend;
  const Secrets &secrets;
  size_t deepest = 0, dirtiest = 0;  // bytes of stack used, and of these not zeroed below the interface's frames

  void call(const char *what, Buffer *workspace, const std::function<aioli_status()> &f) {
    CAPTURE(set);
    CAPTURE(backend);
    CAPTURE(std::string(what));
    if (workspace != nullptr) std::memset(workspace->data(), paint, workspace->size());
    aioli_status status = AIOLI_ERR_STATE;
    const Buffer stack = stack_of([&] {
      zero_registers();
      status = f();
      store_registers();
    });
    CHECK(status == AIOLI_OK);
    const Buffer registers(registers_found, registers_found + sizeof registers_found);
    CHECK(secrets.find(registers) == registers.size());
    // Whatever is there came from the call.
    std::string vectors;
    for (size_t i = general_bytes; i < registers.size(); i++)
      if (registers[i] != 0) vectors += std::to_string(i - general_bytes) + " ";
    CHECK(vectors == "");
    size_t used = 0, dirty = 0;
    for (size_t i = 0; i < stack.size(); i++) {
      if (stack[i] != paint && used == 0) used = stack.size() - i;
      if (stack[i] != paint && stack[i] != 0 && stack.size() - i > frames_bytes) dirty++;
    }
    if (used > deepest) deepest = used;
    if (dirty > dirtiest) dirtiest = dirty;
    CHECK(used > 0);
    CHECK(dirty <= call_bytes);
    CHECK(secrets.find(stack) == stack.size());
    if (workspace != nullptr) CHECK(secrets.find(*workspace) == workspace->size());
  }
};

}  // namespace

TEST_CASE("a secret is found where there is one") {
  Secrets secrets;
  const Buffer key = test::pattern(24, 9);
  secrets.add(key);
  const auto forgets = [&] {
    uint8_t copy[24];
    std::memcpy(copy, key.data(), sizeof copy);
    __asm__ __volatile__("" : : "r"(copy) : "memory");
  };
  CHECK(secrets.find(stack_of(forgets)) < stack_bytes);
  CHECK(secrets.find(stack_of([] {})) == stack_bytes);
}

TEST_CASE("no call that handles a secret key leaves it behind") {
  std::vector<const aioli_alg *> algs = test::all_algs();
  algs.push_back(aioli_alg_by_name("UOV-V-pkc-skc"));  // whose temporaries are the largest
  for (const aioli_alg *alg : algs) {
    const test::Key key(alg);
    // Nothing like the seed: UOV's digest, on the interface's stack, shows a short message.
    const Buffer msg(100, 'm'), sig = key.sign(msg), seed = part(key.sk, 0, aioli_seed_bytes(alg));
    const size_t salt_bytes = aioli_randomness_bytes(alg);
    const Buffer salt(sig.end() - long(salt_bytes), sig.end()), digest = digest_of(alg, msg);
    const Secrets secrets = secrets_of(key, msg, salt);
    const Buffer long_secret = part(shake({seed}, 4096), 16, 4080);
    test::each_backend([&](const std::string &backend) {
      Watch watch{aioli_alg_name(alg), backend, secrets};
      Buffer pk(key.pk.size()), sk(key.sk.size()), out(sig.size()), space;
      aioli_env env = {aioli_rng_zero, nullptr, nullptr, 0};
      const auto workspace = [&](aioli_op op) {
        space.resize(aioli_workspace_bytes(alg, op));
        env.workspace = space.data();
        env.workspace_bytes = space.size();
        return &space;
      };
      watch.call("aioli_keypair_from_seed", workspace(AIOLI_OP_KEYPAIR), [&] {
        return aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), &env);
      });
      CHECK(pk == key.pk);
      watch.call("aioli_public_from_secret", workspace(AIOLI_OP_KEYPAIR),
                 [&] { return aioli_public_from_secret(alg, pk.data(), pk.size(), key.sk.data(), key.sk.size(), &env); });
      // Of secret messages; their digests go where they are wanted, and nowhere else.
      std::vector<const uint8_t *> msgs(11, seed.data());
      std::vector<size_t> msg_bytes(msgs.size(), seed.size());
      msgs[0] = msgs[4] = long_secret.data(), msg_bytes[0] = msg_bytes[4] = long_secret.size();
      Buffer digests(msgs.size() * digest.size());
      watch.call("aioli_digest_batch", nullptr, [&] {
        return aioli_digest_batch(alg, digests.data(), digest.size(), msgs.data(), msg_bytes.data(), msgs.size());
      });
      CHECK(part(digests, 0, digest.size()) == digest_of(alg, long_secret));
      watch.call("aioli_sign", workspace(AIOLI_OP_SIGN), [&] {
        return aioli_sign(alg, out.data(), out.size(), msg.data(), msg.size(), key.sk.data(), key.sk.size(), &env);
      });
      CHECK(out == sig);
      Buffer memory(aioli_signer_bytes(alg), paint);
      aioli_signer *signer = nullptr;
      watch.call("aioli_signer_init", workspace(AIOLI_OP_SIGNER_INIT), [&] {
        return aioli_signer_init(&signer, memory.data(), memory.size(), alg, key.sk.data(), key.sk.size(), &env);
      });
      CHECK(watch.secrets.find(memory) < memory.size());
      watch.call("aioli_signer_sign", workspace(AIOLI_OP_SIGNER_SIGN),
                 [&] { return aioli_signer_sign(signer, out.data(), out.size(), msg.data(), msg.size(), &env); });
      CHECK(out == sig);
      aioli_signer_wipe(signer);
      for (uint8_t byte : memory)
        if (byte != 0 && byte != paint) FAIL_CHECK(watch.set << ": aioli_signer_wipe left something");
      for (aioli_key_encoding encoding : {AIOLI_KEY_DER, AIOLI_KEY_PEM}) {
        Buffer file(aioli_key_encoded_bytes_max(alg, AIOLI_KEY_SECRET, encoding)), read(AIOLI_MAX_SECRET_KEY_BYTES);
        size_t file_bytes = 0, read_bytes = 0;
        const aioli_alg *found = nullptr;
        aioli_key_kind kind = AIOLI_KEY_PUBLIC;
        watch.call("aioli_key_encode", nullptr, [&] {
          return aioli_key_encode(alg, AIOLI_KEY_SECRET, encoding, file.data(), file.size(), &file_bytes, key.sk.data(),
                                  key.sk.size(), nullptr);
        });
        watch.call("aioli_key_decode", nullptr, [&] {
          return aioli_key_decode(file.data(), file_bytes, &found, &kind, read.data(), read.size(), &read_bytes, nullptr,
                                  nullptr);
        });
        CHECK(found == alg);
      }
      std::printf("%-14s %-9s %5zu bytes of stack, %zu of them neither zero nor of the interface\n", watch.set.c_str(),
                  backend.c_str(), watch.deepest, watch.dirtiest);
    });
  }
}
