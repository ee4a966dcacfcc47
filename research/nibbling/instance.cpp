// SPDX-License-Identifier: Apache-2.0
// One way of computing: AIOLI_BACKEND_x and the flags of backend x, and NIBBLING_BIT_SLICED or not.  NIBBLING_WAY names the
// table.
#include AIOLI_BACKEND_HEADER
#include "base/workspace.hpp"
#include "scheme/mayo_params.hpp"
#include "way.hpp"
#if defined(NIBBLING_BIT_SLICED)
#include "bit_sliced.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
AIOLI_KEEP_PLANES(Mayo1r1b)
AIOLI_KEEP_PLANES(Mayo2r1b)
AIOLI_KEEP_PLANES(Mayo3r1b)
AIOLI_KEEP_PLANES(Mayo5r1b)
}  // namespace AIOLI_ISA
}  // namespace aioli
#include "scheme/mayo.hpp"
#endif

namespace aioli {
inline namespace AIOLI_ISA {
namespace {

#if defined(NIBBLING_BIT_SLICED)
#if defined(__AVX2__)
using Register = PlanesAvx2;
#else
using Register = PlanesWord64;
#endif
template <class P> using TheKernels = BitSlicedKernels<P, Register, Kernels<P>>;
constexpr bool bit_sliced = true;
#else
template <class P> using TheKernels = Kernels<P>;
constexpr bool bit_sliced = false;
#endif

template <class P> struct ProductsOf {
  using K = TheKernels<P>;
  static constexpr int n = P::n, v = P::v, o = P::o, k = P::k, block = K::block;

  struct Work {
    uint8_t P1[P::P1_bytes + slack], P2[P::P2_bytes + slack];
    Fmat<v, o> O;
    Fmat<v, k> V;
    Fmat<n, k> S;
    StoredRows<P, block> rows;
    typename K::template Factor<v, o> factor_O;
    typename K::template Factor<v, k> factor_V;
    typename K::template Factor<n, k> factor_S;
    typename K::template Products<o> P1_O;
    typename K::template Products<k> P1_V, P_S, W;  // W: some row of P1 V^T
    typename K::template Accumulators<k, k> U;
  };
  static Work &of(void *work) { return *static_cast<Work *>(work); }

  static uint8_t next(uint64_t &state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return uint8_t(state >> 56);
  }
  template <int R, int C> static void random(Fmat<R, C> &X, uint64_t &state) {
    X.zero();
    for (int r = 0; r < R; r++)
      for (int c = 0; c < C; c++) X.set(r, c, {uint8_t(next(state) & 15)});
  }
  static void random(uint8_t *mvectors, int bytes, uint64_t &state) {
    for (int i = 0; i < bytes; i++) mvectors[i] = next(state);
    zero(mvectors + bytes, slack);
    if constexpr (bit_sliced)
      for (int i = 0; i < bytes; i += P::m_bytes) nibbles_to_planes<P>(mvectors + i);
  }

  static void fill(void *work, uint64_t seed) {
    Work &w = *new (Place{work}) Work;
    random(w.P1, P::P1_bytes, seed), random(w.P2, P::P2_bytes, seed);
    random(w.O, seed), random(w.V, seed), random(w.S, seed);
    w.factor_O.set(w.O), w.factor_V.set(w.V), w.factor_S.set(w.S);
    w.rows.start(w.P1, w.P2);
    Rows<block> r;
    w.rows.next(r);
    w.W.times(r.P1, w.factor_V);
  }

  template <class Use> static void for_rows(Work &w, Use use) {
    w.rows.rewind();
    for (Rows<block> r; w.rows.next(r);) use(r);
  }
  static void P1_times_O(void *work) {
    Work &w = of(work);
    for_rows(w, [&](auto &r) { w.P1_O.times(r.P1, w.factor_O); });
  }
  static void P1_times_V(void *work) {
    Work &w = of(work);
    for_rows(w, [&](auto &r) { w.P1_V.times(r.P1, w.factor_V); });
  }
  static void P_times_S(void *work) {
    Work &w = of(work);
    for_rows(w, [&](auto &r) {
      w.P_S.times(r.P1, w.factor_S);
      w.P_S.add_times(r.P2, w.factor_S);
    });
  }
  static void V_times_W(void *work) {
    Work &w = of(work);
    for_rows(w, [&](auto &r) { w.U.add_outer(w.factor_V, r.index, w.W); });
  }

  static uint64_t checksum(void *work) {
    Work &w = of(work);
    uint64_t h = 0xcbf29ce484222325;
    const auto mix = [&](const Mvector<P> &a) {
      for (uint64_t word : a.w) h = (h ^ word) * 0x100000001b3, h ^= h >> 29;
    };
    Mvector<P> a;
    w.U.zero();
    for_rows(w, [&](auto &r) {
      w.P1_O.times(r.P1, w.factor_O);
      w.P1_V.times(r.P1, w.factor_V);
      w.P_S.times(r.P1, w.factor_S);
      w.P_S.add_times(r.P2, w.factor_S);
      w.P1_O.add(r.P2, 0);
      w.U.add_outer(w.factor_V, r.index, w.P1_V);
      for (int b = 0; b < r.count; b++) {
        for (int c = 0; c < o; c++) w.P1_O.get(a, b, c), mix(a);
        for (int c = 0; c < k; c++) w.P1_V.get(a, b, c), mix(a), w.P_S.get(a, b, c), mix(a);
      }
    });
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) w.U.get(a, i, j), mix(a);
    return h;
  }

  static constexpr double upper = v * (v + 1) / 2, m = P::m;
};

#if defined(NIBBLING_BIT_SLICED)
template <class P> struct WholeOf {
  using S = Mayo<P, TheKernels<P>>;
  using W = typename S::Work;

  static void keypair(uint8_t *pk, const uint8_t *seed, void *work) {
    Scratch<typename W::Keypair> w(work);
    S::keypair(pk, seed, *w);
  }
  static bool sign(uint8_t *sig, const uint8_t *message, size_t message_bytes, const uint8_t *seed, const uint8_t *R,
                   void *work) {
    Scratch<typename W::Sign> w(work);
    uint8_t digest[P::digest_bytes];
    shake256(digest, sizeof digest, View{message, message_bytes});
    return S::sign(sig, digest, seed, R, *w);
  }
  static bool verify(const uint8_t *sig, const uint8_t *message, size_t message_bytes, const uint8_t *pk, void *work) {
    Scratch<typename W::Verify> w(work);
    uint8_t digest[P::digest_bytes];
    shake256(digest, sizeof digest, View{message, message_bytes});
    return S::verify(sig, digest, pk, *w);
  }
  static constexpr size_t bytes() {
    size_t most = sizeof(typename W::Keypair);
    if (most < sizeof(typename W::Sign)) most = sizeof(typename W::Sign);
    if (most < sizeof(typename W::Verify)) most = sizeof(typename W::Verify);
    return most + workspace_alignment;
  }
};
#endif

template <class P> constexpr nibbling::Set set_of(const char *number) {
  using A = ProductsOf<P>;
  return {number,
          sizeof(typename A::Work),
          A::fill,
          A::checksum,
          {{"P1 O", A::upper * P::o * A::m, A::P1_times_O},
           {"P1 V^T", A::upper * P::k * A::m, A::P1_times_V},
           {"(P1 P2) S^T", (A::upper + P::v * P::o) * P::k * A::m, A::P_times_S},
           {"V (P1 V^T)", double(P::v) * P::k * P::k * A::m, A::V_times_W}},
#if defined(NIBBLING_BIT_SLICED)
          WholeOf<P>::bytes(),
          WholeOf<P>::keypair,
          WholeOf<P>::sign,
          WholeOf<P>::verify
#else
          0,
          nullptr,
          nullptr,
          nullptr
#endif
  };
}

}  // namespace
}  // namespace AIOLI_ISA
}  // namespace aioli

#define NIBBLING_TEXT_(x) #x
#define NIBBLING_TEXT(x) NIBBLING_TEXT_(x)

namespace nibbling {
extern const Way NIBBLING_WAY;
const Way NIBBLING_WAY = {
    aioli::bit_sliced,
    NIBBLING_TEXT(NIBBLING_BACKEND),
#if defined(NIBBLING_BIT_SLICED)
    {aioli::set_of<aioli::KeepPlanes<aioli::Mayo1r1b>>("1"), aioli::set_of<aioli::KeepPlanes<aioli::Mayo2r1b>>("2"),
     aioli::set_of<aioli::KeepPlanes<aioli::Mayo3r1b>>("3"), aioli::set_of<aioli::KeepPlanes<aioli::Mayo5r1b>>("5")}
#else
    {aioli::set_of<aioli::Mayo1r1>("1"), aioli::set_of<aioli::Mayo2r1>("2"), aioli::set_of<aioli::Mayo3r1>("3"),
     aioli::set_of<aioli::Mayo5r1>("5")}
#endif
};
}  // namespace nibbling
