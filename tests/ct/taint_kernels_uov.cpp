// SPDX-License-Identifier: Apache-2.0
// UOV on one backend's kernels with its secrets tainted, as uov.cpp does it through the interface, and here without the library:
// so the kernels over emulated vectors need not be in that, and those that valgrind does not know can be looked at alone.  No
// branch and no address may depend on a secret; results must be those of an untainted run, and working memory must come back
// without taint.  And as in taint_kernels.cpp the taint must reach all that the kernels hand back and what the solver gets and
// gives: a checker that loses it is silent about whatever follows.
//
// usage: taint_kernels_uov              under the checker
//        taint_kernels_uov --planted    only a branch on a secret, which must be reported
#include <stdio.h>
#include <string.h>

#include AIOLI_BACKEND_HEADER
#include "base/cpu.hpp"
#include "base/workspace.hpp"
#include "scheme/uov.hpp"
#include "taint.hpp"

namespace {

using namespace aioli;

int failures;
void expect(bool good, const char *set, const char *what) {
  if (!good) fprintf(stderr, "FAILED: %s: %s\n", set, what), failures++;
}

bool tainted;  // whether secrets are, in this run
unsigned long words, lost;
int singular;  // systems
void check(const char *what, int i, int j, const uint64_t &word, uint64_t wanted) {
  if (!tainted) return;
  const uint64_t missing = wanted & ~ct::secret_bits(word);
  words++;
  if (missing != 0 && lost++ < 20)
    fprintf(stderr, "FAILED: %s (%d, %d): bits %016llx are not tainted\n", what, i, j, static_cast<unsigned long long>(missing));
}
template <class P> void check(const char *what, int i, int j, const Mvector<P> &a) {
  for (int w = 0; w < Mvector<P>::words; w++)
    check(what, i, j, a.w[w], w == Mvector<P>::words - 1 ? Mvector<P>::last_mask : ~uint64_t(0));
}

template <class P> struct Watched : Kernels<P> {
  using F = FieldOf<P>;
  template <int R, int C, int First = 0> struct Accumulators : Kernels<P>::template Accumulators<R, C, First> {
    void get(Mvector<P> &to, int i, int j) const {
      Kernels<P>::template Accumulators<R, C, First>::get(to, i, j);
      check<P>("a sum", i, j, to);
    }
  };
  template <int N>
    requires requires { typename Kernels<P>::template Values<N>; }
  struct Values : Kernels<P>::template Values<N> {
    template <class X> void get(Mvector<P> &to, const X &x) const {
      Kernels<P>::template Values<N>::get(to, x);
      check<P>("a value", 0, 0, to);
    }
  };
  struct Solver : Kernels<P>::Solver {
    using Base = typename Kernels<P>::Solver;
    using X = Fmat<1, P::o, F>;
    bool solve(X &x, const X &r) {
      for (int j = 0; j <= P::o; j++) check<P>("the system", 0, j, this->A[j]);
      const bool solved = Base::solve(x, r);
      singular += !solved;
      for (int w = 0; solved && w < X::row_words; w++) check("the solution", 0, w, x.w[0][w], F::first(P::o - F::per_word * w));
      return solved;
    }
  };
};

// The working memory of one call.
template <class Work> class WorkOf {
 public:
  explicit WorkOf(const char *set) : set_(set) {
    memset(memory, 0xa5, sizeof memory);
    work_ = new (Place{memory}) Work;
  }
  ~WorkOf() {
    work_->~Work();
    expect(!ct::any_secret(memory, sizeof memory), set_, "secrets were left in the workspace");
  }
  WorkOf(const WorkOf &) = delete;
  Work &operator*() { return *work_; }

 private:
  alignas(workspace_alignment) static inline uint8_t memory[sizeof(Work)];
  const char *set_;
  Work *work_;
};

template <class P> struct Check {
  using Classic = UovClassic<P, Watched<P>>;
  using PkcSkc = UovPkcSkc<P, Watched<P>>;
  struct Results {
    uint8_t epk[P::epk_bytes], esk[P::esk_bytes], sig[P::signature_bytes], sig_compact[P::signature_bytes];
  };
  static inline Results expected, got;

  static void run(const char *set, uint8_t message, bool restarts) {
    uint8_t seed[P::sk_seed_bytes], digest[P::digest_bytes] = {message}, salt[P::salt_bytes] = {};
    digest[200] = 1;
    for (size_t i = 0; i < sizeof seed; i++) seed[i] = uint8_t(3 + 7 * i);
    for (int turn = 0; turn < 2; turn++) {
      const bool secrets = turn == 1;
      Results &r = secrets ? got : expected;
      tainted = secrets, singular = 0;
      const unsigned long before = ct::reports();
      if (secrets) ct::taint(seed, sizeof seed);
      Classic::keypair(r.epk, r.esk, seed, *WorkOf<typename Classic::Work::Keypair>(set));
      if (secrets) check_keys(set);
      if (secrets) ct::taint(r.esk, sizeof r.esk);
      const bool signed_both = Classic::sign(r.sig, digest, r.esk, salt, *WorkOf<typename Classic::Work::Sign>(set)) &&
                               PkcSkc::sign(r.sig_compact, digest, seed, salt, *WorkOf<typename PkcSkc::Work::Sign>(set));
      expect(signed_both && memcmp(r.sig, r.sig_compact, sizeof r.sig) == 0, set, "signing");
      expect(!restarts || singular == 2, set, "no system was singular");
      tainted = false;
      expect(!ct::any_secret(r.sig, sizeof r.sig) && !ct::any_secret(r.sig_compact, sizeof r.sig_compact), set,
             "a signature is secret");
      ct::untaint(seed, sizeof seed), ct::untaint(r.esk, sizeof r.esk);
      expect(Classic::verify(r.sig, digest, r.epk, *WorkOf<typename Classic::Work::Verify>(set)), set, "verifying");
      expect(ct::reports() == before, set, "branches or addresses depend on secrets");
    }
    expect(memcmp(&got, &expected, sizeof got) == 0, set, "other results than those of the untainted run");
  }

 private:
  static void check_keys(const char *set) {
    expect(!ct::any_secret(got.epk, sizeof got.epk), set, "the public key is secret");
    const UovSecretParts<P, uint8_t> parts(got.esk);
    expect(!ct::any_secret(parts.P1, P::P1_bytes), set, "P1 is secret");
    expect(ct::all_secret(parts.sk_seed, P::sk_seed_bytes) && ct::all_secret(parts.O, P::O_bytes), set, "O is public");
    expect(ct::all_secret(parts.S, P::P2_bytes), set, "S is public");
  }
};

bool usable() {
#define AIOLI_BACKEND(identifier, kernels, families, rounds, expression, flags) \
  if (strcmp(AIOLI_CT_BACKEND, #identifier) == 0) return expression;
#include "backend/backends.def"
#undef AIOLI_BACKEND
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  ct::require_checker();
  if (!usable()) {
    fprintf(stderr, "the processor that %s shows us has no backend %s\n", ct::checker, AIOLI_CT_BACKEND);
    return ct::exit_skipped;
  }
  if (argc == 2 && strcmp(argv[1], "--planted") == 0) {
    uint8_t seed[32] = {};
    ct::taint(seed, sizeof seed);
    if (seed[5] == 1) puts("planted");
    return 0;
  }
  if (argc != 1) return fprintf(stderr, "usage: taint_kernels_uov [--planted]\n"), ct::exit_usage;
  // The equations of Is and Ip, and more than a register's, with little vinegar, because emulated vectors are slow under
  // valgrind: an odd number, so that blocks of rows end early.  Of the first the first system is singular, found by trying.
  Check<UovParams<Gf16, 74, 64, 1, 3>>::run("GF(16), m = 64", 3, true);
  Check<UovParams<Gf256, 54, 45, 1, 3>>::run("GF(256), m = 45", 0, false);
  Check<UovParams<Gf256, 75, 66, 5, 3>>::run("GF(256), m = 66", 0, false);
  printf("%lu words, %lu of them not tainted as they should be\n", words, lost);
  return failures == 0 && words > 0 && lost == 0 ? 0 : ct::exit_failed;
}
