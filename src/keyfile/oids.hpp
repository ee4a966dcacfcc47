// SPDX-License-Identifier: Apache-2.0
//
// Object identifiers of the algorithms: the one table, and dotted decimal to DER.
#pragma once

#include <aioli/keyfile.h>

#include "base/isa.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {

// The content octets of an identifier's DER.  A 128-bit arc takes 19 of them.
struct Oid {
  static constexpr size_t max_bytes = 64;
  uint8_t bytes[max_bytes];
  size_t size;

  bool operator==(const Oid &other) const;
};

// From dotted decimal, arcs of any size.  False if the text is no identifier or its DER is longer than Oid::max_bytes.
bool parse_oid(const char *text, Oid &oid);

// AIOLI_OK, AIOLI_ERR_ALGORITHM (an entry names no algorithm of this library) or AIOLI_ERR_ARGUMENT (an entry is no identifier).
aioli_status check_overrides(const aioli_oid *overrides);

// The algorithm of an identifier, the caller's entries first; NULL if it has none.
const aioli_alg *algorithm_of(const Oid &oid, const aioli_oid *overrides);

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli
