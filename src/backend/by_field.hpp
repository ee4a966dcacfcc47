// SPDX-License-Identifier: Apache-2.0
// For backends with other kernels for schemes of one vector: their sets name a field (FieldOf).
#pragma once
#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, template <class> class Many, template <class> class One> struct KernelsBySet {
  using type = Many<P>;
};
template <class P, template <class> class Many, template <class> class One>
  requires requires { typename P::Field; }
struct KernelsBySet<P, Many, One> {
  using type = One<P>;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
