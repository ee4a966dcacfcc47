// SPDX-License-Identifier: Apache-2.0
// The families of schemes: what rows of registry.def belong to and rows of backend/backends.def serve.
#pragma once

namespace aioli {

enum Family : unsigned { mayo = 1, uov = 2 };

// What NIST's call has as a signed message: the message and then the signature, or the other way round.
constexpr bool message_first(unsigned family) { return family == uov; }

// What a backend has kernels for.
struct Served {
  unsigned families;
  int rounds;  // from this one on
  constexpr bool has(unsigned family, int round) const { return (families & family) != 0 && round >= rounds; }
};

}  // namespace aioli
