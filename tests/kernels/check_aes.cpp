// SPDX-License-Identifier: Apache-2.0
// The keystream of a backend.
#include <doctest/doctest.h>

#include "kernels/segments.hpp"
#include "oracle/aes.hpp"

using namespace kernels;
using oracle::Bytes;

namespace {

// Blocks first .. of the keystream, written at an address of any alignment, by the backend and by the book.
void check(Aes &aes, Random &random, const Bytes &key, const Bytes &iv, uint32_t first, uint32_t blocks) {
  CAPTURE(first);
  CAPTURE(blocks);
  const size_t offset = size_t(random.below(17)), n = 16 * size_t(blocks);
  Bytes got = random.bytes(offset + n + 9), expected = got;
  aes.soil();
  aes.init(key.data(), iv.data());
  aes.keystream(got.data() + offset, first, blocks);
  const oracle::Aes128 by_the_book(key.data());
  for (uint32_t i = 0; i < blocks; i++) {
    const auto block = by_the_book.keystream_block(iv.data(), first + i);
    std::copy(block.begin(), block.end(), expected.begin() + int(offset + 16 * size_t(i)));
  }
  CHECK(got == expected);
}

}  // namespace

TEST_CASE("keystream: random keys, starting values and places") {
  for (Aes *each : streams()) {
    Aes &aes = *each;
    Random random(80);
    const uint32_t batch = uint32_t(aes.batch);
    for (int trial = 0; trial < 100; trial++) {
      const Bytes key = random.bytes(16), iv = trial % 4 == 0 ? Bytes(16) : random.bytes(16);
      const uint32_t first = uint32_t(random.next() >> (32 + random.below(32))) / batch * batch;
      const uint32_t left = uint32_t((uint64_t(1) << 32) - first) / batch;  // whole batches up to the end of the counter
      check(aes, random, key, iv, first, batch * std::min(uint32_t(random.below(5)), left));
    }
  }
}

// The counter is exclusive-ored into the starting value, not added: no carries, whatever its low bits are.
TEST_CASE("keystream: low bits of the starting value, and the end of the counter") {
  for (Aes *each : streams()) {
    Aes &aes = *each;
    Random random(81);
    const uint32_t batch = uint32_t(aes.batch);
    const Bytes key = random.bytes(16);
    const uint32_t last = uint32_t(((uint64_t(1) << 32) - batch) / batch * batch);
    for (int low = 0; low < 256; low += 5)
      for (uint32_t first :
           {uint32_t(0), batch, 0x100 / batch * batch, 0x10000 / batch * batch, 0xfffff0 / batch * batch, last - batch}) {
        Bytes iv = random.bytes(16);
        iv[15] = uint8_t(low);
        if (low % 2 == 0) std::fill(iv.begin(), iv.end() - 1, uint8_t(0xff));
        check(aes, random, key, iv, first, 2 * batch);
      }
  }
}

TEST_CASE("keystream: extreme keys and values") {
  for (Aes *each : streams()) {
    Aes &aes = *each;
    Random random(82);
    for (uint8_t k : {0, 0xff, 0x55, 0x80})
      for (uint8_t v : {0, 0xff, 0x55, 0x80}) check(aes, random, Bytes(16, k), Bytes(16, v), 0, uint32_t(4 * aes.batch));
  }
}

TEST_CASE("keystream: one object gives any part of its stream, in any order") {
  for (Aes *each : streams()) {
    Aes &aes = *each;
    Random random(83);
    const Bytes key = random.bytes(16), iv = random.bytes(16);
    const uint32_t batch = uint32_t(aes.batch);
    aes.init(key.data(), iv.data());
    Bytes whole(16 * batch * 20);
    aes.keystream(whole.data(), 0, 20 * batch);
    for (int trial = 0; trial < 50; trial++) {
      const uint32_t first = uint32_t(random.below(20)), count = uint32_t(random.between(0, int(20 - first)));
      Bytes part(16 * batch * count);
      aes.keystream(part.data(), first * batch, count * batch);
      CHECK(std::equal(part.begin(), part.end(), whole.begin() + int(16 * batch * first)));
    }
  }
}
