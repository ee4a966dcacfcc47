// SPDX-License-Identifier: Apache-2.0
// The rows of the public map, one block of rows after another: streamed from AES-CTR as they are needed, or stored.
//
// Row r < v of the n x n upper triangular matrix of m-vectors (P1 P2; 0 P3) is two runs of packed m-vectors: P1[r][r .. v-1] and
// P2[r][0 .. o-1].  Row v + a is one: P3[a][a .. o-1].  Each run is contiguous in the key, and so in the stream.
#pragma once
#include "base/bytes.hpp"
#include "linalg/bit_slices.hpp"
#include "linalg/mvector.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

// Packed m-vectors for columns first .. first + count - 1 of a matrix, at any byte address.  `slack` more bytes may be read
// behind them (their value does not matter).  Not null where there are none, either: kernels add to it.  Public unless a kernel
// says otherwise.
struct RowSegment {
  const uint8_t *entries;
  int first, count;
};
inline constexpr int slack = 64;

// Rows index .. index + count - 1, count <= Block; segments past `count` are empty.
template <int Block> struct Rows {
  int index, count;
  RowSegment P1[Block], P2[Block];
};

template <class P> struct RowLayout {
  static constexpr int P1_offset(int r) { return P::m_bytes * (r * P::v - quotient(r * (r - 1), 2)); }
  static constexpr int entry_offset(int r, int c) { return P1_offset(r) + (c - r) * P::m_bytes; }
};

// Rows 0 .. v - 1 of an expanded key: P1 || P2 somewhere in memory, nibble-sliced.  P2 may be L, which has the same shape.
template <class P, int Block> class StoredRows {
 public:
  static constexpr int blocks = (P::v + Block - 1) / Block;
  void start(const uint8_t *P1, const uint8_t *P2) { P1_ = P1, P2_ = P2, rewind(); }
  void rewind() { next_ = 0; }
  void go_to(int block) { next_ = block * Block; }
  bool next(Rows<Block> &rows) {
    rows.index = next_;
    for (rows.count = 0; rows.count < Block && next_ < P::v; rows.count++, next_++) {
      rows.P1[rows.count] = {P1_ + RowLayout<P>::P1_offset(next_), next_, P::v - next_};
      rows.P2[rows.count] = {P2_ + next_ * P::o * P::m_bytes, P::v, P::o};
    }
    for (int b = rows.count; b < Block; b++) rows.P1[b] = rows.P2[b] = {P1_, 0, 0};
    return rows.count > 0;
  }

 private:
  const uint8_t *P1_, *P2_;
  int next_ = 0;
};

// The first Count rows of an upper triangular matrix in memory, Size x Size, whose row and column 0 are row and column First of
// the matrix that it is part of: the segments P1 of the rows; P2 stays empty.
template <class P, int Block, int First, int Size, int Count = Size> class TriangularRows {
 public:
  static constexpr int blocks = (Count + Block - 1) / Block;
  void start(const uint8_t *entries) { entries_ = entries, rewind(); }
  void rewind() { next_ = 0; }
  void go_to(int block) { next_ = block * Block; }
  bool next(Rows<Block> &rows) {
    rows.index = First + next_;
    for (rows.count = 0; rows.count < Block && next_ < Count; rows.count++, next_++) {
      const int before = next_ * Size - quotient(next_ * (next_ - 1), 2);
      rows.P1[rows.count] = {entries_ + before * P::m_bytes, First + next_, Size - next_};
      rows.P2[rows.count] = {entries_, 0, 0};
    }
    for (int b = rows.count; b < Block; b++) rows.P1[b] = rows.P2[b] = {entries_, 0, 0};
    return rows.count > 0;
  }

 private:
  const uint8_t *entries_;
  int next_ = 0;
};

// Rows v .. n - 1: P3, stored.
template <class P, int Block> using OilRows = TriangularRows<P, Block, P::v, P::o>;

// Row sources over a key as it lies in somebody's memory, nothing behind it: the rows that end less than `slack` bytes before the
// key does are copied.  StoredRows whose P2 is the last part of the key: its last row.
template <class P, int Block> class ExactStoredRows : public StoredRows<P, Block> {
 public:
  void start(const uint8_t *P1, const uint8_t *P2) {
    static_assert(P::o * P::m_bytes >= slack);
    StoredRows<P, Block>::start(P1, P2);
    copy(last_row_, P2 + (P::v - 1) * P::o * P::m_bytes, P::o * P::m_bytes);
    zero(last_row_ + P::o * P::m_bytes, slack);
  }
  bool next(Rows<Block> &rows) {
    const bool some = StoredRows<P, Block>::next(rows);
    for (int b = 0; b < rows.count; b++)
      if (rows.index + b == P::v - 1) rows.P2[b].entries = last_row_;
    return some;
  }

 private:
  uint8_t last_row_[P::o * P::m_bytes + slack];
};
// OilRows: the last two rows, three entries.
template <class P, int Block> class ExactOilRows : public OilRows<P, Block> {
 public:
  void start(const uint8_t *P3) {
    static_assert(P::o >= 3 && 3 * P::m_bytes >= slack);
    OilRows<P, Block>::start(P3);
    copy(last_, P3 + (P::o * (P::o + 1) / 2 - 3) * P::m_bytes, 3 * P::m_bytes);
    zero(last_ + 3 * P::m_bytes, slack);
  }
  bool next(Rows<Block> &rows) {
    const bool some = OilRows<P, Block>::next(rows);
    for (int b = 0; b < rows.count; b++) {
      if (rows.index + b == P::n - 2) rows.P1[b].entries = last_;
      if (rows.index + b == P::n - 1) rows.P1[b].entries = last_ + 2 * P::m_bytes;
    }
    return some;
  }

 private:
  uint8_t last_[3 * P::m_bytes + slack];
};

// Contiguous pieces of a keystream from a given byte on.  Capacity: the longest piece.  Ahead: how many batches are made at
// least, where any is missing.
template <class Aes, int Capacity, int Ahead = 1> class KeystreamReader {
 public:
  // `offset` is the first byte wanted.
  void seek(uint32_t offset) {
    block_ = offset / batch_bytes * Aes::batch;
    begin_ = int(offset % batch_bytes);
    end_ = 0;
    fresh_ = true;
  }
  // The next n <= Capacity bytes; valid until the next call.
  uint8_t *read(const Aes &aes, int n) {
    int have = 0;
    if (fresh_) {
      fresh_ = false;
    } else if (Ahead > 1 && end_ - begin_ >= n) {
      begin_ += n;
      return buffer_ + begin_ - n;
    } else {  // move what is left to the front
      have = end_ - begin_;
      const int aligned = -have & (line - 1), to = aligned <= begin_ ? aligned : 0;
      move_down(to, have);
      begin_ = to;
      have += to;
    }
    const int missing = begin_ + n - have, needed = missing > 0 ? (missing + batch_bytes - 1) / batch_bytes : 0;
    const int batches = Ahead > 1 && needed > 0 && needed < Ahead ? Ahead : needed;
    aes.keystream(buffer_ + have, block_, uint32_t(batches * Aes::batch));
    block_ += uint32_t(batches * Aes::batch);
    end_ = have + batches * batch_bytes;
    zero(buffer_ + end_, slack);
    uint8_t *piece = buffer_ + begin_;
    begin_ += n;
    return piece;
  }

 private:
  // Whole registers where there are any: up to `slack` bytes more than asked for.
  void move_down(int to, int n) {
    static_assert(8 * at_once <= slack);
#pragma GCC unroll 4
    for (int i = 0; i < n; i += 8 * at_once) {
      uint64_t w[at_once];
      for (int j = 0; j < at_once; j++) w[j] = load64(buffer_ + begin_ + i + 8 * j);
      for (int j = 0; j < at_once; j++) store64(buffer_ + to + i + 8 * j, w[j]);
    }
  }
  static constexpr int batch_bytes = 16 * Aes::batch;
  static constexpr int line = at_once > 1 ? 64 : 1;  // where keystreams begin
  int begin_, end_;
  uint32_t block_;
  bool fresh_;
  alignas(line) uint8_t buffer_[Capacity + (1 + Ahead) * batch_bytes + slack + line - 1];
};

// P1 || P2 = AES-128-CTR(seed_pk), each written to where it stays; P2 may be any bytes behind P1's.
template <class P, class Aes> class StreamToMemory {
 public:
  void write(uint8_t *P1, uint8_t *P2, const uint8_t seed_pk[P::pk_seed_bytes]) {
    const uint8_t zero_iv[16] = {};
    aes_.init(seed_pk, zero_iv);
    write(P1, 0, P::P1_bytes);
    write(P2, P::P1_bytes, P::P2_bytes);
  }

 private:
  // n bytes of the keystream from byte `from` on.  Whole batches go straight to `to`.
  void write(uint8_t *to, uint32_t from, uint32_t n) {
    uint8_t *const begin = to;
    uint32_t batch = from / batch_bytes, at = from % batch_bytes;
    for (uint32_t left = n; left > 0;) {
      if (at > 0 || left < batch_bytes) {
        aes_.keystream(partly_, batch * Aes::batch, Aes::batch);
        const uint32_t some = left < batch_bytes - at ? left : batch_bytes - at;
        copy_long(to, partly_ + at, some);
        to += some, left -= some, batch++, at = 0;
      } else {
        const uint32_t batches = left / batch_bytes;
        aes_.keystream(to, batch * Aes::batch, batches * Aes::batch);
        to += batches * batch_bytes, left -= batches * batch_bytes, batch += batches;
      }
    }
    if constexpr (P::slicing == Slicing::bits)
      for (uint32_t i = 0; i < n; i += P::m_bytes) planes_to_nibbles<P>(begin + i);
  }
  static constexpr uint32_t batch_bytes = 16 * Aes::batch;
  Aes aes_;
  uint8_t partly_[batch_bytes];
};

// P1 || P2 = AES-128-CTR(seed_pk): two readers walk along the rows of P1 and of P2.
template <class P, class Aes, int Block> class StreamedRows {
 public:
  void start(const uint8_t seed_pk[P::pk_seed_bytes]) {
    const uint8_t zero_iv[16] = {};
    aes_.init(seed_pk, zero_iv);
    rewind();
  }
  void rewind() {
    next_ = 0;
    P1_.seek(0);
    P2_.seek(P::P1_bytes);
  }
  bool next(Rows<Block> &rows) {
    rows.index = next_;
    rows.count = next_ + Block <= P::v ? Block : P::v - next_;
    int entries = 0;
    for (int b = 0; b < rows.count; b++) entries += P::v - (next_ + b);
    const uint8_t *p1 = read(P1_, entries), *p2 = read(P2_, rows.count * P::o);
    for (int b = 0; b < Block; b++) {
      const int r = next_ + b, count = b < rows.count ? P::v - r : 0;
      rows.P1[b] = {p1, r, count};
      rows.P2[b] = {p2, P::v, b < rows.count ? P::o : 0};
      p1 += count * P::m_bytes;
      p2 += rows.P2[b].count * P::m_bytes;
    }
    next_ += rows.count;
    return rows.count > 0;
  }

 private:
  template <class Reader> const uint8_t *read(Reader &reader, int entries) {
    uint8_t *p = reader.read(aes_, entries * P::m_bytes);
    if constexpr (P::slicing == Slicing::bits)
      for (int i = 0; i < entries; i++) planes_to_nibbles<P>(p + i * P::m_bytes);
    return p;
  }
  Aes aes_;
  KeystreamReader<Aes, Block * P::v * P::m_bytes> P1_;
  KeystreamReader<Aes, Block * P::o * P::m_bytes> P2_;
  int next_;
};

}  // namespace AIOLI_ISA
}  // namespace aioli
