// SPDX-License-Identifier: Apache-2.0
// Runs all that handles a secret key, through the C interface, with the secrets tainted: no branch and no address may depend on
// them (that is the checker's part), results must be those of an untainted run and public, and no memory that is given back may
// carry taint.  What is secret: the seed and the randomness R.  What is public: the message, its digest, all lengths.
//
// usage: driver BACKEND SET...        under the checker
//        driver --find-restarts SET   natively: the numbers of messages whose signing restarts
#include <aioli/aioli.h>
#include <aioli/batch.h>
#include <aioli/keyfile.h>
#include <aioli/research.h>
#include <malloc.h>
#include <stdarg.h>

#include <algorithm>
#include <vector>

#include "scheme/mayo_encoding.hpp"
#include "taint.hpp"

namespace {

using Buffer = std::vector<uint8_t>;

int failures = 0;
__attribute__((format(printf, 1, 2))) void fail(const char *format, ...) {
  failures++;
  fprintf(stderr, "FAILED: ");
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

// ---- memory that is given back ----------------------------------------------------------------------------------------------

// The linker sends the library's malloc and free here (--wrap).  Zeroed, lest memory that was never written looks tainted.
bool watch_free = false;
extern "C" void *__real_malloc(size_t n);
extern "C" void __real_free(void *p);
extern "C" void *__wrap_malloc(size_t n) {
  void *p = __real_malloc(n);
  if (p != nullptr) memset(p, 0, n);
  return p;
}
extern "C" void __wrap_free(void *p) {
  if (watch_free && p != nullptr && ct::any_secret(p, malloc_usable_size(p)))
    fail("memory went back to the heap with secrets in it");
  __real_free(p);
}

// ---- inputs -----------------------------------------------------------------------------------------------------------------

Buffer pattern(size_t n, unsigned start, unsigned step) {
  Buffer b(n);
  for (size_t i = 0; i < n; i++) b[i] = uint8_t(start + step * i);
  return b;
}
struct Message {
  uint8_t b[4];
  explicit Message(uint32_t number) {
    for (int i = 0; i < 4; i++) b[i] = uint8_t(number >> (8 * i));
  }
};

// A random number generator that gives these bytes, taint included.
int give(void *context, uint8_t *out, size_t n) {
  const Buffer &bytes = *static_cast<const Buffer *>(context);
  if (n != bytes.size()) return -1;
  for (size_t i = 0; i < n; i++) out[i] = bytes[i];
  return 0;
}

// A copy that is secret.
class Tainted {
 public:
  explicit Tainted(const Buffer &from) : bytes(from) { ct::taint(bytes.data(), bytes.size()); }
  ~Tainted() { ct::untaint(bytes.data(), bytes.size()); }
  Tainted(const Tainted &) = delete;
  const uint8_t *data() const { return bytes.data(); }
  size_t size() const { return bytes.size(); }
  Buffer bytes;
};

// ---- which attempt made a signature -------------------------------------------------------------------------------------------

// From the secret key: s_i - O x_i is the vinegar of the attempt, and vinegar comes from a hash.  Does not use the solver.
template <class P> int attempt_of(const uint8_t *sig, const uint8_t *digest, const uint8_t *seed) {
  using namespace aioli;
  Fmat<P::v, P::o> O;
  Fmat<P::o, P::v> O_transposed;
  Fmat<P::k, P::v> vinegar, V;
  Fmat<P::k, P::o> X, r;
  uint8_t seed_pk[P::pk_seed_bytes];
  expand_secret_seed<P>(seed_pk, O, seed);
  transpose(O_transposed, O);
  for (int i = 0; i < P::k; i++) decode_row(vinegar, i, sig, i * P::n), decode_row(X, i, sig, i * P::n + P::v);
  multiply_add(vinegar, X, O_transposed);
  for (int ctr = 0; ctr < 256; ctr++) {
    sample_vinegar<P>(V, r, digest, sig + P::s_bytes, seed, ctr);
    if (memcmp(&V, &vinegar, sizeof V) == 0) return ctr;
  }
  return -1;
}

struct SetUnderTest {
  const char *name;
  int (*attempt_of)(const uint8_t *, const uint8_t *, const uint8_t *);
  uint32_t restarts;  // a message whose signing under seed() and randomness() restarts: --find-restarts
};
const SetUnderTest sets[] = {
    {"MAYO-1", attempt_of<aioli::Mayo1>, 22},
    {"MAYO-2", attempt_of<aioli::Mayo2>, 741},
    {"MAYO-3", attempt_of<aioli::Mayo3>, 985},
    {"MAYO-5", attempt_of<aioli::Mayo5>, 2671},
};

// ---- the operations ---------------------------------------------------------------------------------------------------------

class Check {
 public:
  explicit Check(const SetUnderTest &s)
      : set(s),
        alg(aioli_alg_by_name(s.name)),
        seed(pattern(aioli_secret_key_bytes(alg), 3, 7)),
        R(pattern(aioli_randomness_bytes(alg), 250, 13)),
        pk(aioli_public_key_bytes(alg)),
        workspace(1) {}

  void find_restarts() {
    for (uint32_t number = 0, found = 0; found < 3 && number < 100000; number++) {
      const Buffer sig = reference(number, R);
      const int attempt = attempt_number(sig, number);
      if (attempt != 0) printf("%s: message %u is signed in attempt %d\n", set.name, number, attempt), found++, fflush(stdout);
    }
  }

  void run(const char *backend) {
    printf("%s, %s\n", set.name, backend);
    // What must come out: computed by the portable backend, nothing tainted.
    use("portable");
    Buffer sk(seed.size());
    if (aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) != AIOLI_OK)
      return fail("%s: key generation", set.name);
    const uint32_t numbers[] = {1, 2, set.restarts};
    std::vector<Buffer> expected;
    for (uint32_t number : numbers) expected.push_back(reference(number, R));
    const Buffer deterministic = reference(1, Buffer(R.size()));
    const int attempts[] = {attempt_number(expected[0], 1), attempt_number(expected[1], 2),
                            attempt_number(expected[2], set.restarts)};
    if (attempts[0] != 0 || attempts[1] != 0 || attempts[2] < 1)
      fail("%s: the three messages are signed in attempts %d, %d, %d, but the last one alone should restart", set.name,
           attempts[0], attempts[1], attempts[2]);

    use(backend);
    watch_free = true;
    keys();
    for (int i = 0; i < 3; i++) one_shot(numbers[i], expected[i]);
    other_ways_to_sign(expected[0], deterministic);
    signer(numbers, expected);
    batches(expected[0]);
    key_files();
    digests();
    watch_free = false;
  }

 private:
  void use(const char *backend) {
    if (aioli_backend_use(backend) == AIOLI_OK) return;
    fprintf(stderr, "the processor that %s shows us has no backend %s\n", ct::checker, backend);
    exit(ct::exit_skipped);
  }

  Buffer reference(uint32_t number, const Buffer &randomness) {
    const Message m(number);
    Buffer sig(aioli_signature_bytes(alg));
    if (aioli_sign_with_randomness(alg, sig.data(), sig.size(), m.b, sizeof m.b, seed.data(), seed.size(), randomness.data(),
                                   randomness.size(), nullptr) != AIOLI_OK)
      fail("%s: signing message %u", set.name, number);
    return sig;
  }
  Buffer digest_of(uint32_t number) {
    const Message m(number);
    Buffer digest(aioli_digest_bytes(alg));
    aioli::shake256(digest.data(), digest.size(), aioli::View{m.b, sizeof m.b});
    return digest;
  }
  int attempt_number(const Buffer &sig, uint32_t number) {
    return set.attempt_of(sig.data(), digest_of(number).data(), seed.data());
  }

  // One call of the library: no report, nothing secret left in its workspace (null: none of ours) or below the stack.
  template <class Call> void secret_call(const char *what, const aioli_op *op, const Buffer *randomness, Call call) {
    const size_t bytes = op != nullptr ? aioli_workspace_bytes(alg, *op) : 0;
    workspace.assign(bytes + 1, 0xa5);
    aioli_env env = {give, const_cast<Buffer *>(randomness), bytes != 0 ? workspace.data() + 1 : nullptr, bytes};
    if (randomness == nullptr) env.rng = nullptr;
    const unsigned long before = ct::reports();
    ct::clear_dead_stack();
    const aioli_status status = call(&env);
    const size_t stack = ct::secret_in_dead_stack();
    if (status != AIOLI_OK) fail("%s: %s: %s", set.name, what, aioli_status_text(status));
    if (ct::reports() != before) fail("%s: %s: %lu reports (above)", set.name, what, ct::reports() - before);
    if (stack != 0) fail("%s: %s: a secret was left on the stack, %zu bytes down", set.name, what, stack);
    const size_t left = ct::first_secret(workspace.data(), workspace.size());
    if (left != workspace.size())
      fail("%s: %s: a secret was left in the workspace, at byte %zu of %zu", set.name, what, left - 1, bytes);
    if (holds(workspace, seed)) fail("%s: %s: the seed was left in the workspace", set.name, what);
  }
  template <class Call> void secret_call(const char *what, aioli_op op, const Buffer *randomness, Call call) {
    secret_call(what, &op, randomness, call);
  }

  // Any eight bytes in a row of the secret.
  static bool holds(const Buffer &memory, const Buffer &secret) {
    for (size_t i = 0; i + 8 <= secret.size(); i++)
      if (memmem(memory.data(), memory.size(), secret.data() + i, 8) != nullptr) return true;
    return false;
  }

  void expect(const char *what, const Buffer &got, const Buffer &wanted) {
    if (ct::any_secret(got.data(), got.size()))
      fail("%s: %s: the result is not public from byte %zu on", set.name, what, ct::first_secret(got.data(), got.size()));
    else if (got != wanted)
      fail("%s: %s: the result is not that of the untainted run", set.name, what);
  }
  void expect_secret(const char *what, const Buffer &got) {
    if (!ct::all_secret(got.data(), got.size())) fail("%s: %s: the secret key lost its taint on the way out", set.name, what);
    Buffer copy = got;
    ct::untaint(copy.data(), copy.size());
    if (copy != seed) fail("%s: %s: the secret key is not the seed", set.name, what);
  }

  void keys() {
    const Tainted secret(seed);
    const aioli_op op = AIOLI_OP_KEYPAIR;
    {
      Buffer out(pk.size()), sk(seed.size());
      secret_call("aioli_keypair", op, &secret.bytes,
                  [&](const aioli_env *env) { return aioli_keypair(alg, out.data(), out.size(), sk.data(), sk.size(), env); });
      expect("aioli_keypair", out, pk);
      expect_secret("aioli_keypair", sk);
    }
    {
      Buffer out(pk.size()), sk(seed.size());
      secret_call("aioli_keypair_from_seed", op, nullptr, [&](const aioli_env *env) {
        return aioli_keypair_from_seed(alg, out.data(), out.size(), sk.data(), sk.size(), secret.data(), secret.size(), env);
      });
      expect("aioli_keypair_from_seed", out, pk);
      expect_secret("aioli_keypair_from_seed", sk);
    }
    {
      Buffer out(pk.size());
      secret_call("aioli_public_from_secret", op, nullptr, [&](const aioli_env *env) {
        return aioli_public_from_secret(alg, out.data(), out.size(), secret.data(), secret.size(), env);
      });
      expect("aioli_public_from_secret", out, pk);
    }
  }

  // Messages are public for the rest of the library, but hashing them tells nothing of them.
  void digests() {
    const size_t n = aioli_digest_bytes(alg);
    std::vector<Buffer> plain;
    for (size_t i = 0; i < 11; i++) plain.push_back(pattern(i * i * 7, unsigned(i), 11));
    std::vector<const uint8_t *> msgs;
    std::vector<size_t> msg_bytes;
    for (const Buffer &m : plain) {
      ct::taint(m.data(), m.size());
      msgs.push_back(m.data());
      msg_bytes.push_back(m.size());
    }
    Buffer out(plain.size() * n);
    secret_call("aioli_digest_batch", nullptr, nullptr, [&](const aioli_env *) {
      return aioli_digest_batch(alg, out.data(), n, msgs.data(), msg_bytes.data(), msgs.size());
    });
    for (size_t i = 0; i < plain.size(); i++) {
      if (i > 0 && !ct::all_secret(&out[i * n], n)) fail("%s: the digest of a secret message is public", set.name);
      ct::untaint(&out[i * n], n);
      ct::untaint(plain[i].data(), plain[i].size());
      Buffer expected(n);
      aioli::shake256(expected.data(), n, aioli::View{plain[i].data(), plain[i].size()});
      if (!std::equal(expected.begin(), expected.end(), &out[i * n])) fail("%s: the digest of message %zu", set.name, i);
    }
  }

  void one_shot(uint32_t number, const Buffer &expected) {
    const Message m(number);
    const Tainted secret(seed), randomness(R);
    Buffer sig(expected.size());
    secret_call("aioli_sign_with_randomness", AIOLI_OP_SIGN, nullptr, [&](const aioli_env *env) {
      return aioli_sign_with_randomness(alg, sig.data(), sig.size(), m.b, sizeof m.b, secret.data(), secret.size(),
                                        randomness.data(), randomness.size(), env);
    });
    expect("aioli_sign_with_randomness", sig, expected);
  }

  // Message 1.
  void other_ways_to_sign(const Buffer &expected, const Buffer &deterministic) {
    const Message m(1);
    const Tainted secret(seed), randomness(R);
    const Buffer digest = digest_of(1);
    Buffer sig(expected.size());
    secret_call("aioli_sign", AIOLI_OP_SIGN, &randomness.bytes, [&](const aioli_env *env) {
      return aioli_sign(alg, sig.data(), sig.size(), m.b, sizeof m.b, secret.data(), secret.size(), env);
    });
    expect("aioli_sign", sig, expected);
    secret_call("aioli_sign, memory from the heap", nullptr, &randomness.bytes, [&](const aioli_env *env) {
      return aioli_sign(alg, sig.data(), sig.size(), m.b, sizeof m.b, secret.data(), secret.size(), env);
    });
    expect("aioli_sign, memory from the heap", sig, expected);
    secret_call("aioli_sign_deterministic", AIOLI_OP_SIGN, nullptr, [&](const aioli_env *env) {
      return aioli_sign_deterministic(alg, sig.data(), sig.size(), m.b, sizeof m.b, secret.data(), secret.size(), env);
    });
    expect("aioli_sign_deterministic", sig, deterministic);
    secret_call("aioli_sign_digest", AIOLI_OP_SIGN, &randomness.bytes, [&](const aioli_env *env) {
      return aioli_sign_digest(alg, sig.data(), sig.size(), digest.data(), digest.size(), secret.data(), secret.size(), env);
    });
    expect("aioli_sign_digest", sig, expected);
    secret_call("aioli_sign_final", AIOLI_OP_SIGN, &randomness.bytes, [&](const aioli_env *env) {
      aioli_hash h;
      aioli_status status = aioli_hash_init(&h, alg);
      if (status == AIOLI_OK) status = aioli_hash_update(&h, m.b, sizeof m.b);
      return status == AIOLI_OK ? aioli_sign_final(&h, sig.data(), sig.size(), secret.data(), secret.size(), env) : status;
    });
    expect("aioli_sign_final", sig, expected);
    if (aioli_verify(alg, sig.data(), sig.size(), m.b, sizeof m.b, pk.data(), pk.size(), nullptr) != AIOLI_OK)
      fail("%s: the signature does not verify", set.name);
  }

  void signer(const uint32_t (&numbers)[3], const std::vector<Buffer> &expected) {
    const Tainted secret(seed), randomness(R);
    Buffer memory(aioli_signer_bytes(alg) + 1), sig(expected[0].size());
    aioli_signer *s = nullptr;
    secret_call("aioli_signer_init", AIOLI_OP_SIGNER_INIT, nullptr, [&](const aioli_env *env) {
      return aioli_signer_init(&s, memory.data() + 1, memory.size() - 1, alg, secret.data(), secret.size(), env);
    });
    if (s == nullptr) return;
    if (!ct::any_secret(memory.data(), memory.size())) fail("%s: an expanded key without anything secret in it", set.name);
    for (int i = 0; i < 3; i++) {
      const Message m(numbers[i]);
      secret_call("aioli_signer_sign", AIOLI_OP_SIGNER_SIGN, &randomness.bytes,
                  [&](const aioli_env *env) { return aioli_signer_sign(s, sig.data(), sig.size(), m.b, sizeof m.b, env); });
      expect("aioli_signer_sign", sig, expected[size_t(i)]);
    }
    const Message m(1);
    const Buffer digest = digest_of(1);
    secret_call("aioli_signer_sign, memory from the heap", nullptr, &randomness.bytes,
                [&](const aioli_env *env) { return aioli_signer_sign(s, sig.data(), sig.size(), m.b, sizeof m.b, env); });
    expect("aioli_signer_sign, memory from the heap", sig, expected[0]);
    secret_call("aioli_signer_sign_digest", AIOLI_OP_SIGNER_SIGN, &randomness.bytes, [&](const aioli_env *env) {
      return aioli_signer_sign_digest(s, sig.data(), sig.size(), digest.data(), digest.size(), env);
    });
    expect("aioli_signer_sign_digest", sig, expected[0]);
    secret_call("aioli_signer_sign_final", AIOLI_OP_SIGNER_SIGN, &randomness.bytes, [&](const aioli_env *env) {
      aioli_hash h;
      aioli_status status = aioli_hash_init(&h, alg);
      if (status == AIOLI_OK) status = aioli_hash_update(&h, m.b, sizeof m.b);
      return status == AIOLI_OK ? aioli_signer_sign_final(s, &h, sig.data(), sig.size(), env) : status;
    });
    expect("aioli_signer_sign_final", sig, expected[0]);
    aioli_signer_wipe(s);
    for (size_t i = 0; i < memory.size(); i++)
      if (ct::any_secret(&memory[i], 1) || memory[i] != 0) {
        fail("%s: aioli_signer_wipe: byte %zu of %zu is left", set.name, i, memory.size());
        break;
      }

    aioli_signer *heap = nullptr;
    secret_call("aioli_signer_new", nullptr, nullptr,
                [&](const aioli_env *) { return aioli_signer_new(&heap, alg, secret.data(), secret.size()); });
    if (heap == nullptr) return;
    secret_call("aioli_signer_sign of a new signer", nullptr, &randomness.bytes,
                [&](const aioli_env *env) { return aioli_signer_sign(heap, sig.data(), sig.size(), m.b, sizeof m.b, env); });
    expect("aioli_signer_sign of a new signer", sig, expected[0]);
    aioli_signer_free(heap);  // see __wrap_free
  }

  // Message 1: three times with an expanded key, and once alone, under a copy of the key.
  void batches(const Buffer &expected) {
    const Message m(1);
    const Tainted secret(seed), copy(seed), randomness(R);
    std::vector<Buffer> sigs(4, Buffer(expected.size()));
    std::vector<aioli_sign_row> rows;
    for (size_t i = 0; i < 4; i++)
      rows.push_back({sigs[i].data(), sigs[i].size(), m.b, sizeof m.b, i == 2 ? copy.data() : secret.data(), secret.size()});
    aioli_status status[4];
    secret_call("aioli_sign_batch", nullptr, &randomness.bytes, [&](const aioli_env *env) {
      aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
      options.rng = env->rng;
      options.rng_context = env->rng_context;
      return aioli_sign_batch(alg, status, rows.data(), rows.size(), &options);
    });
    for (const Buffer &sig : sigs) expect("aioli_sign_batch", sig, expected);

    Buffer out(pk.size()), sk(seed.size());
    const aioli_keypair_row pair = {out.data(), out.size(), sk.data(), sk.size(), nullptr, 0};
    secret_call("aioli_keypair_batch", nullptr, &secret.bytes, [&](const aioli_env *env) {
      aioli_batch_options options = AIOLI_BATCH_OPTIONS_INIT;
      options.rng = env->rng;
      options.rng_context = env->rng_context;
      return aioli_keypair_batch(alg, status, &pair, 1, &options);
    });
    expect("aioli_keypair_batch", out, pk);
    expect_secret("aioli_keypair_batch", sk);
  }

  void key_files() {
    const Tainted secret(seed);
    for (aioli_key_encoding encoding : {AIOLI_KEY_DER, AIOLI_KEY_PEM}) {
      const char *what = encoding == AIOLI_KEY_DER ? "a key file, DER" : "a key file, PEM";
      Buffer plain(aioli_key_encoded_bytes_max(alg, AIOLI_KEY_SECRET, encoding)), file(plain.size()),
          key(AIOLI_MAX_SECRET_KEY_BYTES);
      size_t plain_bytes = 0, file_bytes = 0, key_bytes = 0;
      if (aioli_key_encode(alg, AIOLI_KEY_SECRET, encoding, plain.data(), plain.size(), &plain_bytes, seed.data(), seed.size(),
                           nullptr) != AIOLI_OK)
        return fail("%s: %s: writing it", set.name, what);
      secret_call(what, nullptr, nullptr, [&](const aioli_env *) {
        return aioli_key_encode(alg, AIOLI_KEY_SECRET, encoding, file.data(), file.size(), &file_bytes, secret.data(),
                                secret.size(), nullptr);
      });
      // A character that also holds bits of the field before the seed has to be public: that field is read as a length.  Within
      // the file only whole secret characters stay tainted.
      size_t tainted = 0;
      for (size_t i = 0; i < file_bytes; i++) tainted += ct::any_secret(&file[i], 1);
      const size_t least = encoding == AIOLI_KEY_DER ? seed.size() : seed.size() / 3 * 4;
      if (tainted < least) fail("%s: %s: %zu bytes of it are secret, at least %zu should be", set.name, what, tainted, least);
      for (size_t i = 0; encoding == AIOLI_KEY_PEM && i < file_bytes; i++)
        if (ct::any_secret(&file[i], 1)) {
          ct::untaint(&file[i], 1);
          break;
        }
      const aioli_alg *found = nullptr;
      aioli_key_kind kind = AIOLI_KEY_PUBLIC;
      secret_call(what, nullptr, nullptr, [&](const aioli_env *env) {
        return aioli_key_decode(file.data(), file_bytes, &found, &kind, key.data(), key.size(), &key_bytes, nullptr, env);
      });
      if (found != alg || kind != AIOLI_KEY_SECRET || key_bytes != seed.size() || !ct::any_secret(key.data(), key_bytes))
        fail("%s: %s: something else was read from it than was written", set.name, what);
      ct::untaint(file.data(), file.size());
      ct::untaint(key.data(), key.size());
      key.resize(seed.size());
      if (file_bytes != plain_bytes || memcmp(file.data(), plain.data(), plain_bytes) != 0 || key != seed)
        fail("%s: %s: not that of the untainted run", set.name, what);
    }
  }

  const SetUnderTest &set;
  const aioli_alg *alg;
  const Buffer seed, R;
  Buffer pk, workspace;
};

const SetUnderTest *find(const char *name) {
  for (const SetUnderTest &set : sets)
    if (strcmp(set.name, name) == 0) return &set;
  fprintf(stderr, "unknown set %s\n", name);
  exit(ct::exit_usage);
}

}  // namespace

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc == 3 && strcmp(argv[1], "--find-restarts") == 0) {
    Check(*find(argv[2])).find_restarts();
    return 0;
  }
  if (argc < 3) {
    fprintf(stderr, "usage: driver BACKEND SET...\n       driver --find-restarts SET\n");
    return ct::exit_usage;
  }
  ct::require_checker();
  for (int i = 2; i < argc; i++) Check(*find(argv[i])).run(argv[1]);
  if (failures == 0) printf("no branch and no address depends on a secret, and none was left behind\n");
  return failures == 0 ? 0 : ct::exit_failed;
}
