// SPDX-License-Identifier: Apache-2.0
// The field of a parameter set: the one that it names as `Field`, or GF(16).
#pragma once
#include "field/gf16.hpp"
#include "field/gf256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P> struct NamedField {
  using type = Gf16;
};
template <class P>
  requires requires { typename P::Field; }
struct NamedField<P> {
  using type = typename P::Field;
};
template <class P> using FieldOf = typename NamedField<P>::type;

}  // namespace AIOLI_ISA
}  // namespace aioli
