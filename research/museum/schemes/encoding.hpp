// SPDX-License-Identifier: Apache-2.0
// Field elements as bytes.
//   q = 2, 4, 16     eight, four, two to a byte, the first in the lowest bits
//   q = 31           five bits each, the most significant first, as in MQDSS
//   any other        one to a byte
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "museum/schemes/quadratic_map.hpp"

namespace museum {

using Bytes = std::vector<uint8_t>;
using View = std::span<const uint8_t>;

inline View view(const std::string &text) { return {reinterpret_cast<const uint8_t *>(text.data()), text.size()}; }
inline void append(Bytes &to, View more) { to.insert(to.end(), more.begin(), more.end()); }

template <class F> inline constexpr bool dense = F::q == 2 || F::q == 4 || F::q == 16;

template <class F> constexpr size_t packed_bytes(size_t elements) {
  if constexpr (dense<F>) return (elements * F::bits + 7) / 8;
  if constexpr (F::q == 31) return (5 * elements + 7) / 8;
  return elements;
}

template <class F> Bytes pack(std::span<const typename F::Element> e) {
  Bytes out(packed_bytes<F>(e.size()));
  for (size_t i = 0; i < e.size(); i++) {
    if constexpr (dense<F>)
      out[i * F::bits / 8] = uint8_t(out[i * F::bits / 8] | e[i] << i * F::bits % 8);
    else if constexpr (F::q == 31)
      for (size_t b = 0; b < 5; b++) {
        if (e[i] >> (4 - b) & 1) out[(5 * i + b) / 8] = uint8_t(out[(5 * i + b) / 8] | 0x80 >> (5 * i + b) % 8);
      }
    else
      out[i] = e[i];
  }
  return out;
}

// The first `count` elements of data; nothing if data has the wrong length, or holds a number that is no element, or padding that
// is not zero.
template <class F> std::optional<Vector<F>> unpack(View data, size_t count) {
  if (data.size() != packed_bytes<F>(count)) return {};
  Vector<F> e(count);
  for (size_t i = 0; i < count; i++) {
    if constexpr (dense<F>)
      e[i] = data[i * F::bits / 8] >> i * F::bits % 8 & (F::q - 1);
    else if constexpr (F::q == 31)
      for (size_t b = 0; b < 5; b++) e[i] = uint8_t(e[i] << 1 | (data[(5 * i + b) / 8] >> (7 - (5 * i + b) % 8) & 1));
    else
      e[i] = data[i];
    if (e[i] >= F::q) return {};
  }
  if (pack<F>(e) != Bytes(data.begin(), data.end())) return {};
  return e;
}

// What a signature or a key is made of, from front to back.
class Reader {
 public:
  explicit Reader(View data) : data_(data) {}
  View take(size_t n) {
    if (n > data_.size()) throw std::invalid_argument("museum: a key or signature is too short");
    const View taken = data_.first(n);
    data_ = data_.subspan(n);
    return taken;
  }
  template <class F> Vector<F> elements(size_t count) {
    auto e = unpack<F>(take(packed_bytes<F>(count)), count);
    if (!e) throw std::invalid_argument("museum: a key or signature holds what is no element of the field");
    return *std::move(e);
  }
  bool empty() const { return data_.empty(); }

 private:
  View data_;
};

// `count` uniform elements of random bytes that `more(n)` supplies.  Where q is a power of two the bytes are packed elements, in
// one call of exactly their number; elsewhere each byte's low bits are one element, numbers that are none being left out.  If too
// many are (which for q = 31 or 7 practically never happens), all is drawn anew from a longer call: a source may begin each call
// where it began the last.
template <class F, class Source> Vector<F> sample(size_t count, Source &&more) {
  if constexpr (dense<F> || F::q == 256) {
    Vector<F> e = *unpack<F>(more(packed_bytes<F>(count)), packed_bytes<F>(count) * 8 / F::bits);
    e.resize(count);
    return e;
  } else {
    Vector<F> e;
    e.reserve(count);
    for (size_t bytes = 2 * count + 64; e.size() < count; bytes *= 2) {
      e.clear();
      const Bytes random = more(bytes);
      for (size_t i = 0; i < random.size() && e.size() < count; i++)
        if (const uint8_t x = random[i] & ((1 << F::bits) - 1); x < F::q) e.push_back(x);
    }
    return e;
  }
}

}  // namespace museum
