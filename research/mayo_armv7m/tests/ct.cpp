// SPDX-License-Identifier: Apache-2.0
// The ARMv7-M variant of MAYO with its secrets tainted, as driver.cpp does for the core: no branch and no address may depend on
// them, results must be those of an untainted run and public, and the workspace must come back without taint.  Secret: all
// randomness; of a secret key O and Bil.  Public: the message, E and A, which are in both keys, and how many attempts a signature
// takes.
//
// usage: armv7m            under the checker
//        armv7m --planted  signs with the published solver, which branches on secrets: the checker must report it
#include <aioli/mayo_armv7m.h>

#include <vector>

#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "published_solver.hpp"
#include "symmetric/shake256.hpp"
#include "taint.hpp"

namespace {

using Buffer = std::vector<uint8_t>;

int failures = 0;
void expect(bool good, const char *name, const char *what) {
  if (!good) fprintf(stderr, "FAILED: %s: %s\n", name, what), failures++;
}

// Random bytes of a number, tainted or not.
struct Stream {
  Buffer bytes;
  size_t at = 0;
  Stream(unsigned number, bool tainted) : bytes(65536) {
    const uint8_t seed[2] = {uint8_t(number), uint8_t(number >> 8)};
    aioli::shake256(bytes.data(), bytes.size(), aioli::View{seed, 2});
    if (tainted) ct::taint(bytes.data(), bytes.size());
  }
  static int rng(void *context, uint8_t *out, size_t n) {
    Stream &s = *static_cast<Stream *>(context);
    if (s.at + n > s.bytes.size()) return -1;
    for (size_t i = 0; i < n; i++) out[i] = s.bytes[s.at + i];
    s.at += n;
    return 0;
  }
};

struct Secrets {  // where they are in a secret key
  size_t A, O;
};
template <class P> constexpr Secrets secrets_of() { return {P::sk_A, P::sk_O}; }

class Check {
 public:
  Check(const aioli_armv7m_set *s, Secrets where)
      : set(s),
        name(aioli_armv7m_name(s)),
        secrets(where),
        pk(aioli_armv7m_public_key_bytes(s)),
        sk(aioli_armv7m_secret_key_bytes(s)) {}

  void run() {
    keypair(pk, sk, false);
    Buffer marked_pk(pk.size()), marked_sk(sk.size());
    keypair(marked_pk, marked_sk, true);
    expect(!ct::any_secret(marked_pk.data(), pk.size()), name, "the public key is secret");
    expect(!ct::any_secret(marked_sk.data(), secrets.O), name, "E or A of the secret key is secret");
    expect(ct::all_secret(marked_sk.data() + secrets.O, sk.size() - secrets.O), name, "O or Bil of the secret key is public");
    ct::untaint(marked_sk.data(), sk.size());
    expect(marked_pk == pk && marked_sk == sk, name, "another key pair than that of the untainted run");

    size_t once = 0;
    bool restarted = false;
    for (unsigned number = 0; number < 200 && !(restarted && number >= 2); number++) {
      size_t drawn = 0;
      const Buffer sig = sign(number, false, drawn);
      if (once == 0 || drawn < once) once = drawn;
      if (number > 0 && drawn == once) continue;
      restarted |= drawn > once;
      ct::taint(sk.data() + secrets.O, sk.size() - secrets.O);
      const Buffer tainted = sign(number, true, drawn);
      ct::untaint(sk.data() + secrets.O, sk.size() - secrets.O);
      expect(!ct::any_secret(tainted.data(), tainted.size()), name, "the signature is secret");
      expect(tainted == sig, name, "another signature than that of the untainted run");
    }
    expect(restarted, name, "no signature took a second attempt");
    printf("%s: done\n", name);
  }

 private:
  void keypair(Buffer &p, Buffer &s, bool tainted) {
    Stream stream(1000, tainted);
    Buffer workspace(aioli_armv7m_workspace_bytes(set, AIOLI_OP_KEYPAIR));
    const aioli_env env = {Stream::rng, &stream, workspace.data(), workspace.size()};
    ct::clear_dead_stack();
    const aioli_status status = aioli_armv7m_keypair(set, p.data(), p.size(), s.data(), s.size(), &env);
    finish(status, workspace, "making keys");
  }
  Buffer sign(unsigned number, bool tainted, size_t &drawn) {
    Stream stream(number, tainted);
    Buffer sig(aioli_armv7m_signature_bytes(set)), workspace(aioli_armv7m_workspace_bytes(set, AIOLI_OP_SIGN));
    const aioli_env env = {Stream::rng, &stream, workspace.data(), workspace.size()};
    const uint8_t msg[3] = {1, 2, 3};
    ct::clear_dead_stack();
    const aioli_status status = aioli_armv7m_sign(set, sig.data(), sig.size(), msg, sizeof msg, sk.data(), sk.size(), &env);
    finish(status, workspace, "signing");
    drawn = stream.at;
    return sig;
  }
  void finish(aioli_status status, const Buffer &workspace, const char *what) {
    expect(ct::secret_in_dead_stack() == 0, name, "secrets were left on the stack");
    expect(!ct::any_secret(&status, sizeof status) && status == AIOLI_OK, name, what);
    expect(!ct::any_secret(workspace.data(), workspace.size()), name, "secrets were left in the workspace");
  }
  const aioli_armv7m_set *set;
  const char *name;
  const Secrets secrets;
  Buffer pk, sk;
};

void planted() {
  using P = aioli::armv7m::New1;
  using Scheme = aioli::armv7m::Mayo<P, aioli::PortableKernels<P>, aioli::PortableKernels<P>, test::PublishedSolver<P>>;
  Buffer pk(P::public_key_bytes), sk(P::secret_key_bytes), sig(P::signature_bytes),
      memory(aioli::workspace_bytes<Scheme::Work::Keypair>() + aioli::workspace_bytes<Scheme::Work::Sign>());
  Stream keys(1, false), signing(2, true);
  {
    aioli::Scratch<Scheme::Work::Keypair> work(memory.data());
    if (Scheme::keypair(pk.data(), sk.data(), {Stream::rng, &keys}, *work) != aioli::armv7m::Outcome::done) exit(ct::exit_failed);
  }
  aioli::Scratch<Scheme::Work::Sign> work(memory.data());
  (void)Scheme::sign(sig.data(), {nullptr, 0}, sk.data(), {Stream::rng, &signing}, *work);
}

}  // namespace

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  ct::require_checker();
  if (argc == 2 && strcmp(argv[1], "--planted") == 0) return planted(), 0;
  if (argc != 1) return fprintf(stderr, "usage: armv7m [--planted]\n"), ct::exit_usage;
  const Secrets secrets[] = {secrets_of<aioli::armv7m::Orig1>(), secrets_of<aioli::armv7m::New1>(),
                             secrets_of<aioli::armv7m::New1K14>()};
  for (size_t i = 0; i < aioli_armv7m_count(); i++) Check(aioli_armv7m_at(i), secrets[i]).run();
  if (failures == 0) printf("no branch and no address depends on a secret, and none was left behind\n");
  return failures == 0 ? 0 : ct::exit_failed;
}
