// SPDX-License-Identifier: Apache-2.0
// Whether the taint of the secret reaches all that it should: a checker that loses it on the way is silent about whatever
// follows.  Keys are made and messages signed by one backend's kernels, and each bit that these hand back, each input of the
// solver and all that it remembers must be tainted.  Compiled for each backend; src/backend/select.hpp.
//
// usage: taint_kernels        under the checker
#include <aioli/aioli.h>
#include <aioli/research.h>

#include AIOLI_BACKEND_HEADER
#include "base/workspace.hpp"
#include "scheme/mayo.hpp"
#include "taint.hpp"

namespace {

using namespace aioli;

unsigned long checked, lost;
void check(const char *what, int i, int j, const uint64_t &word, uint64_t wanted) {
  const uint64_t missing = wanted & ~ct::secret_bits(word);
  checked++;
  if (missing != 0 && lost++ < 20)
    fprintf(stderr, "FAILED: %s (%d, %d): bits %016llx are not tainted\n", what, i, j, static_cast<unsigned long long>(missing));
}
template <class P> void check(const char *what, int i, int j, const Mvector<P> &a) {
  for (int w = 0; w < Mvector<P>::words; w++)
    check(what, i, j, a.w[w], w == Mvector<P>::words - 1 ? Mvector<P>::last_mask : ~uint64_t(0));
}

// What solvers remember of their equations: words to look at, and which of their bits must be tainted.
template <class S>
concept ByLines = requires(S s) { s.L_[0][0]; };
template <class S> void check_remembered(const S &s) {
  if constexpr (ByLines<S>) {
    for (int l = 0; l <= S::columns / S::fold; l++) {
      // Of the last line the right side alone, in the low nibbles; of others what was subtracted of earlier blocks.
      const bool y = l == S::columns / S::fold;
      const uint8_t *factors = s.L_[y ? S::right_side : l];
      const int end = y ? S::columns : l * S::fold / S::height * S::height;
      for (int c = 0; c < end; c += 8)
        check("factors", l, c, load64(factors + c), gf16::first(2 * (end - c)) & (y ? 0x0f0f0f0f0f0f0f0f : ~uint64_t(0)));
    }
  } else {
    for (int e = 0; e < S::m; e++)
      for (int w = 0; w < S::words; w++) {
        const int left = S::columns - 16 * w;  // then the right side, which gets a factor and is no pivot
        check("a pivot", e, w, s.pivot[e][w], gf16::first(left));
        check("a factor", e, w, s.factor[e][w], gf16::first(left + 1));
      }
  }
}

template <class P> struct Watched : Kernels<P> {
  template <int R, int C, int First = 0> struct Accumulators : Kernels<P>::template Accumulators<R, C, First> {
    void get(Mvector<P> &to, int i, int j) const {
      Kernels<P>::template Accumulators<R, C, First>::get(to, i, j);
      check<P>("a sum", i, j, to);
    }
  };
  struct Solver : Kernels<P>::Solver {
    using Base = typename Kernels<P>::Solver;
    bool solve(typename Base::X &x, const typename Base::X &r) {
      for (int j = 0; j <= Base::columns; j++) check<P>("the system", 0, j, this->A[j]);
      for (int i = 0; i < P::k; i++)
        for (int w = 0; w < Base::X::row_words; w++) check("r", i, w, r.w[i][w], gf16::first(P::o - 16 * w));
      const bool solved = Base::solve(x, r);
      check_remembered<Base>(*this);
      return solved;
    }
  };
};

template <class P> bool run() {
  using S = Mayo<P, Watched<P>>;
  static_assert(Contract<P, Watched<P>>::kept);
  static uint8_t seed[P::sk_seed_bytes], R[P::R_bytes], digest[P::digest_bytes], sig[P::signature_bytes], pk[P::public_key_bytes];
  alignas(workspace_alignment) static uint8_t workspace[1 << 17];
  static_assert(sizeof(typename S::Work::Sign) <= sizeof workspace && sizeof(typename S::Work::Keypair) <= sizeof workspace);
  for (size_t i = 0; i < sizeof seed; i++) seed[i] = uint8_t(3 + 7 * i);
  ct::taint(seed, sizeof seed);
  ct::taint(R, sizeof R);
  {
    Scratch<typename S::Work::Keypair> w(workspace);
    S::keypair(pk, seed, *w);
  }
  Scratch<typename S::Work::Sign> w(workspace);
  return S::sign(sig, digest, seed, R, *w);
}

}  // namespace

int main() {
  ct::require_checker();
  if (aioli_backend_use(AIOLI_CT_BACKEND) != AIOLI_OK) {
    fprintf(stderr, "the processor that %s shows us has no backend %s\n", ct::checker, AIOLI_CT_BACKEND);
    return ct::exit_skipped;
  }
  const bool signed_both = run<Mayo1>() && run<Mayo2>();
  printf("%lu words, %lu of them not tainted as they should be\n", checked, lost);
  return signed_both && checked > 0 && lost == 0 ? 0 : ct::exit_failed;
}
