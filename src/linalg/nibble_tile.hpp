// SPDX-License-Identifier: Apache-2.0
// Sixteen words of sixteen elements of GF(16), transposed by two selections of bytes from two vectors of 64: one instruction each
// with AVX-512 VBMI.  For others WordTile (matrix.hpp) is better.
#pragma once
#include "base/secret.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

class NibbleTile {
 public:
  // Words p[0], p[stride], ..; those past `count` are zero.
  [[gnu::always_inline]] void load(const uint64_t *p, int stride, int count) {
    for (int half = 0, first = 0; half < 2; half++, first += 8) {
      if (stride == 1 && count >= first + 8) {
        __builtin_memcpy(&words_[half], p + first, sizeof words_[half]);
      } else {
        const auto word = [&](int i) { return first + i < count ? p[(first + i) * stride] : 0; };
        words_[half] = Words{word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)};
      }
    }
  }
  // Element j of word i becomes element i of word j.
  [[gnu::always_inline]] void transpose() {
    const Octets a = Octets(words_[0]), b = Octets(words_[1]);
    // Byte t of word c is byte c of word 2t, and of 2t + 1.
#define AIOLI_EVERY_16TH(c) c, c + 16, c + 32, c + 48, c + 64, c + 80, c + 96, c + 112
    const Words even =
        Words(__builtin_shufflevector(a, b, AIOLI_EVERY_16TH(0), AIOLI_EVERY_16TH(1), AIOLI_EVERY_16TH(2), AIOLI_EVERY_16TH(3),
                                      AIOLI_EVERY_16TH(4), AIOLI_EVERY_16TH(5), AIOLI_EVERY_16TH(6), AIOLI_EVERY_16TH(7)));
    const Words odd =
        Words(__builtin_shufflevector(a, b, AIOLI_EVERY_16TH(8), AIOLI_EVERY_16TH(9), AIOLI_EVERY_16TH(10), AIOLI_EVERY_16TH(11),
                                      AIOLI_EVERY_16TH(12), AIOLI_EVERY_16TH(13), AIOLI_EVERY_16TH(14), AIOLI_EVERY_16TH(15)));
#undef AIOLI_EVERY_16TH
    constexpr uint64_t low = 0x0f0f0f0f0f0f0f0f;
    const Words even_columns = (even & low) | (odd & low) << 4, odd_columns = (even >> 4 & low) | (odd & ~low);
    words_[0] = __builtin_shufflevector(even_columns, odd_columns, 0, 8, 1, 9, 2, 10, 3, 11);
    words_[1] = __builtin_shufflevector(even_columns, odd_columns, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  [[gnu::always_inline]] void store(uint64_t *p, int stride, int count) {
    for (int half = 0, first = 0; half < 2; half++, first += 8) {
      if (stride == 1 && count >= first + 8) {
        __builtin_memcpy(p + first, &words_[half], sizeof words_[half]);
      } else {
        __builtin_memcpy(spread_, &words_[half], sizeof spread_);
        for (int i = 0; i < 8; i++)
          if (first + i < count) p[(first + i) * stride] = spread_[i];
      }
    }
  }
  // What a compiler keeps elsewhere on the way is left to the wiping of the stack.
  void forget() { wipe(spread_, sizeof spread_), wipe(words_, sizeof words_); }

 private:
  typedef uint64_t Words __attribute__((vector_size(64)));
  typedef uint8_t Octets __attribute__((vector_size(64)));
  Words words_[2];
  uint64_t spread_[8];
};

}  // namespace AIOLI_ISA
}  // namespace aioli
