// SPDX-License-Identifier: Apache-2.0
// A sum of many multiples of m-vectors by PUBLIC scalars, which are looked up by: for each scalar a bucket, and one
// multiplication of each bucket when all is in them.
#pragma once
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> class Buckets {
 public:
  void zero() {
    for (auto &bucket : bucket_) bucket.zero();
  }
  // += a_0 E_0 + .. + a_m-1 E_m-1, E being m packed m-vectors at any address.
  void add_product(const uint8_t *E, const Mvector<P> &a) {
    Mvector<P> column;
    for (int w = 0; w < Mvector<P>::words; w++) {
      uint64_t scalars = a.w[w];
      for (int c = 16 * w; c < P::m && c < 16 * w + 16; c++, scalars >>= 4, E += P::m_bytes) {
        column.load(E);
        bucket_[scalars & 15] += column;
      }
    }
  }
  // What goes with bit b of a scalar is multiplied by x^b: by Horner's rule.
  void sum(Mvector<P> &to) const {
    to.zero();
    for (int b = 3; b >= 0; b--) {
      for (auto &w : to.w) w = gf16::times_x(w);
      for (int a = 0; a < 16; a++)
        if (a >> b & 1) to += bucket_[a];
    }
  }

 private:
  Mvector<P> bucket_[16];
};

}  // namespace AIOLI_ISA
}  // namespace aioli
