// SPDX-License-Identifier: Apache-2.0
// Cortex-M4: the small policy.
#pragma once
#include "backend/cortex_m4/arithmetic.hpp"
#include "symmetric/aes128_table.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> struct CortexM4SmallKernels : CortexM4Arithmetic<P, MemoryPolicy::small, Aes128Table> {
  using Base = CortexM4Arithmetic<P, MemoryPolicy::small, Aes128Table>;
  static constexpr OwnKernels own = {.upper_accumulators = true};

  // In the caller's memory.  There is no room for planes beside odd bytes, so sixteen equations at a time are packed words.
  template <int N> struct UpperAccumulators {
    uint8_t *out;

    void start(uint8_t *to) {
      out = to;
      zero(out, size_t(N * (N + 1) / 2) * P::m_bytes);
    }
    template <int R>
    void add_outer(const typename Base::template Factor<R, N> &X, int index,
                   const typename Base::template Products<N> &products) {
      constexpr const auto &layout = Base::template layout<N>;
      uint32_t a[N];
      X.scalars(a, index, 0);
      for (int done = 0; done < P::m; done += 16) {
        const int first = done <= P::m - 16 ? done : P::m - 16;  // the last sixteen: those that are done already count as zero
        for (int i = 0; i < layout.runs; i++) {
          const Run &run = layout.run[i];
          uint32_t columns[2][8];  // of eight equations
          for (int e = 0; e < 16; e++) columns[e / 8][e % 8] = first + e < done ? 0 : products.W[first + e][run.word];
          for (auto &eight : columns) transpose8(eight);
          for (int c = 0; c < run.count; c++)
            accumulate_upper<N, P::m_bytes>(out + first / 2, columns[0] + run.place + c, a, run.column + c);
        }
      }
    }
  };
};

}  // namespace AIOLI_ISA
}  // namespace aioli
