// SPDX-License-Identifier: Apache-2.0
// UOV with its secrets tainted, as driver.cpp does for MAYO: no branch and no address may depend on them, results must be those
// of an untainted run and public, and the workspace must come back without taint.  Secret: the seed, and of an expanded secret
// key all but P1, which is public and known to be; the salt is public.
//
// usage: uov BACKEND
#include <aioli/aioli.h>
#include <aioli/research.h>

#include <string>
#include <vector>

#include "symmetric/shake256.hpp"
#include "taint.hpp"

namespace {

using Buffer = std::vector<uint8_t>;

int failures = 0;
void expect(bool good, const std::string &name, const char *what) {
  if (!good) fprintf(stderr, "FAILED: %s: %s\n", name.c_str(), what), failures++;
}
Buffer stream(unsigned number, size_t n) {
  Buffer b(n);
  const uint8_t seed[2] = {uint8_t(number), uint8_t(number >> 8)};
  aioli::shake256(b.data(), n, aioli::View{seed, 2});
  return b;
}

class Check {
 public:
  explicit Check(const char *n)
      : name(n),
        alg(aioli_alg_by_name(n)),
        pk(aioli_public_key_bytes(alg)),
        sk(aioli_secret_key_bytes(alg)),
        salt(stream(7, 16)) {}

  // The expected results by the portable backend, untainted.
  void run(const char *backend) {
    use("portable");
    Buffer seed = stream(1000, aioli_seed_bytes(alg));
    expect(
        aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) == AIOLI_OK,
        name, "making keys");
    use(backend);
    {
      Buffer tainted_pk(pk.size()), tainted_sk(sk.size());
      ct::taint(seed.data(), seed.size());
      call(AIOLI_OP_KEYPAIR, "making keys", [&](const aioli_env *env) {
        return aioli_keypair_from_seed(alg, tainted_pk.data(), pk.size(), tainted_sk.data(), sk.size(), seed.data(), seed.size(),
                                       env);
      });
      ct::untaint(seed.data(), seed.size());
      expect(!ct::any_secret(tainted_pk.data(), pk.size()), name, "the public key is secret");
      expect(ct::any_secret(tainted_sk.data(), 32), name, "the secret key is public");
      ct::untaint(tainted_sk.data(), sk.size());
      expect(tainted_pk == pk && tainted_sk == sk, name, "another key pair than that of the untainted run");
    }
    for (unsigned number = 0; number < 3; number++) {
      const Buffer msg = stream(number, 33), expected = sign(msg, false, false);
      expect(
          aioli_verify(alg, expected.data(), expected.size(), msg.data(), msg.size(), pk.data(), pk.size(), nullptr) == AIOLI_OK,
          name, "verifying");
      for (const bool expanded : {false, true}) {
        const Buffer sig = sign(msg, true, expanded);
        expect(!ct::any_secret(sig.data(), sig.size()), name, "the signature is secret");
        expect(sig == expected, name, "another signature than that of the untainted run");
      }
    }
    printf("%s, %s: done\n", name.c_str(), backend);
  }

 private:
  void use(const char *backend) {
    if (aioli_backend_use(backend) == AIOLI_OK) return;
    fprintf(stderr, "the processor that %s shows us has no backend %s\n", ct::checker, backend);
    exit(ct::exit_skipped);
  }
  template <class Call> void call(aioli_op op, const char *what, Call f) {
    Buffer workspace(aioli_workspace_bytes(alg, op), 0xa5);
    const aioli_env env = {give, &salt, workspace.data(), workspace.size()};
    const unsigned long before = ct::reports();
    ct::clear_dead_stack();
    const aioli_status status = f(&env);
    expect(ct::secret_in_dead_stack() == 0, name, "secrets were left on the stack");
    expect(!ct::any_secret(&status, sizeof status) && status == AIOLI_OK, name, what);
    expect(ct::reports() == before, name, what);
    expect(!ct::any_secret(workspace.data(), workspace.size()), name, "secrets were left in the workspace");
  }
  static int give(void *context, uint8_t *out, size_t n) {
    const Buffer &salt = *static_cast<const Buffer *>(context);
    for (size_t i = 0; i < n; i++) out[i] = salt[i];
    return 0;
  }
  Buffer sign(const Buffer &msg, bool tainted, bool expanded) {
    Buffer sig(aioli_signature_bytes(alg)), memory(aioli_signer_bytes(alg));
    if (tainted) ct::taint(sk.data(), sk.size());
    if (expanded) {
      aioli_signer *signer = nullptr;
      call(AIOLI_OP_SIGNER_INIT, "making a signer", [&](const aioli_env *env) {
        return aioli_signer_init(&signer, memory.data(), memory.size(), alg, sk.data(), sk.size(), env);
      });
      call(AIOLI_OP_SIGNER_SIGN, "signing with a signer",
           [&](const aioli_env *env) { return aioli_signer_sign(signer, sig.data(), sig.size(), msg.data(), msg.size(), env); });
      aioli_signer_wipe(signer);
      expect(!ct::any_secret(memory.data(), memory.size()), name, "secrets were left in a wiped signer");
    } else {
      call(AIOLI_OP_SIGN, "signing", [&](const aioli_env *env) {
        return aioli_sign(alg, sig.data(), sig.size(), msg.data(), msg.size(), sk.data(), sk.size(), env);
      });
    }
    ct::untaint(sk.data(), sk.size());
    return sig;
  }

  std::string name;
  const aioli_alg *alg;
  Buffer pk, sk, salt;
};

}  // namespace

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  ct::require_checker();
  if (argc != 2) return fprintf(stderr, "usage: uov BACKEND\n"), ct::exit_usage;
  for (const char *name : {"UOV-Is", "UOV-Is-pkc-skc", "UOV-Ip", "UOV-Ip-pkc-skc"}) Check(name).run(argv[1]);
  if (failures == 0) printf("no branch and no address depends on a secret, and none was left behind\n");
  return failures == 0 ? 0 : ct::exit_failed;
}
