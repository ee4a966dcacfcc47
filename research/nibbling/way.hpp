// SPDX-License-Identifier: Apache-2.0
// One way of computing, compiled with its own flags: all sets of round 1 with its kernels.  instance.cpp makes such tables.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace nibbling {

// A matrix product, the way the scheme does it, over rows in memory.
struct Product {
  const char *name;
  double macs;  // multiply-accumulates: one for each equation of each product of an m-vector with a scalar
  void (*run)(void *work);
};

struct Set {
  const char *number;  // "1"
  size_t work_bytes;   // of the products, at 64 bytes
  // Fills the work with the matrices that belong to `seed`, the same for every way of computing.
  void (*fill)(void *work, uint64_t seed);
  // Of all m-vectors that the products give, in nibbles: a checksum.
  uint64_t (*checksum)(void *work);
  Product products[4];

  // The whole scheme, with bit-sliced kernels only (others are measured through the library); null without.
  size_t scheme_bytes;
  void (*keypair)(uint8_t *pk, const uint8_t *seed, void *work);
  bool (*sign)(uint8_t *sig, const uint8_t *message, size_t message_bytes, const uint8_t *seed, const uint8_t *R, void *work);
  bool (*verify)(const uint8_t *sig, const uint8_t *message, size_t message_bytes, const uint8_t *pk, void *work);
};

struct Way {
  bool bit_sliced;
  const char *backend;  // whose instructions are used
  Set sets[4];
};

}  // namespace nibbling
