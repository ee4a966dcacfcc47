// SPDX-License-Identifier: Apache-2.0
// [MAYO-armv7m] KeyGen and Sign and Verify.  Model: armv7m.keypair, armv7m.sign, armv7m.verify.
// The ARMv7-M variant of MAYO: what is hashed and drawn, and how keys and signatures are written as bytes.
#pragma once
#include "linalg/kernels.hpp"
#include "linalg/rows.hpp"
#include "mayo_armv7m/params.hpp"
#include "symmetric/shake256.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace armv7m {

// SHAKE256 of something, read piece by piece.
class ShakeStream {
 public:
  void start(const uint8_t *seed, size_t n) { h_.init(), h_.absorb(seed, n), h_.finish(); }
  void read(uint8_t *out, size_t n) { h_.squeeze(out, n); }

 private:
  Secret<Shake256> h_;
};

// Row after row of a matrix over F from a stream, one byte for each entry, of which the low half counts.
template <int C> void read_row(uint8_t (&row)[C], ShakeStream &stream) {
  stream.read(row, C);
  for (auto &entry : row) entry &= 15;
}
template <int R, int C> void read_matrix(Fmat<R, C> &to, ShakeStream &stream) {
  Secret<Bytes<C>> row;
  to.zero();
  for (int r = 0; r < R; r++) {
    read_row(row.b, stream);
    for (int c = 0; c < C; c++) to.set(r, c, {row[c]});
  }
}

// A and Bm of the public key's P = (A Bm; 0 D), equation by equation, where there were zeros: A_e = matrix(S_e), of which what is
// below the diagonal is dropped, Bm_e = matrix(S_(m+e)); `seeds` gives S_1 ..  S_(2m-1), S_0 has been read from it.
template <class P> void expand_A_Bm(uint8_t *pk_P, const uint8_t *S_0, ShakeStream &seeds, ShakeStream &stream) {
  Secret<Bytes<P::seed_bytes>> S;
  copy(S.b, S_0, P::seed_bytes);
  const auto put = [&](int e, int r, int c, uint8_t a) {
    pk_P[P::m_bytes * (r * P::n - r * (r - 1) / 2 + (c - r)) + e / 2] |= uint8_t(a << (4 * (e % 2)));
  };
  for (int e = 0; e < 2 * P::m; e++) {
    if (e > 0) seeds.read(S.b, P::seed_bytes);
    stream.start(S.b, P::seed_bytes);
    for (int r = 0; r < P::v; r++)
      if (e < P::m) {
        Secret<Bytes<P::v>> A_r;
        read_row(A_r.b, stream);
        for (int c = r; c < P::v; c++) put(e, r, c, A_r[c]);
      } else {
        Secret<Bytes<P::o>> Bm_r;
        read_row(Bm_r.b, stream);
        for (int c = 0; c < P::o; c++) put(e - P::m, r, P::v + c, Bm_r[c]);
      }
  }
  reveal_bytes(pk_P, P::P_bytes);  // A and Bm are part of the public key
}

// The first v rows of a public key's P, as (A[r], Bm[r]).
template <class P, int Block> void split(Rows<Block> &rows) {
  for (int b = 0; b < rows.count; b++) {
    const RowSegment &row = rows.P1[b];
    rows.P2[b] = {row.entries + (P::v - row.first) * P::m_bytes, P::v, P::o};
    rows.P1[b].count = P::v - row.first;
  }
}

// Rows 0 .. v - 1 of (A, Bil) in a secret key.  Kernels may read on behind a row and look up by what they find behind one of A:
// behind its last rows there is O, and behind Bil nothing, so these come as copies.
template <class P, int Block> class SecretKeyRows {
 public:
  void start(const uint8_t *sk) {
    rows_.start(sk + P::sk_A, sk + P::sk_Bil);
    copy(A_.b, sk + P::sk_O - A_bytes, A_bytes);
    zero(A_.b + A_bytes, slack);
    copy(Bil_.b, sk + P::secret_key_bytes - Bil_bytes, Bil_bytes);
    zero(Bil_.b + Bil_bytes, slack);
  }
  void rewind() { rows_.rewind(); }
  bool next(Rows<Block> &rows) {
    if (!rows_.next(rows)) return false;
    for (int b = 0; b < rows.count; b++) {
      const int r = rows.index + b;
      if (r == P::v - 2) rows.P1[b].entries = A_.b;
      if (r == P::v - 1) rows.P1[b].entries = A_.b + 2 * P::m_bytes, rows.P2[b].entries = Bil_.b;
    }
    return true;
  }

 private:
  static constexpr int A_bytes = 3 * P::m_bytes, Bil_bytes = P::o * P::m_bytes;  // of the last two rows; of the last
  static_assert(A_bytes >= slack && Bil_bytes >= slack);
  StoredRows<P, Block> rows_;
  Bytes<A_bytes + slack> A_;
  Secret<Bytes<Bil_bytes + slack>> Bil_;
};

// E_00, E_01 ..  E_0,k-1, E_11 ..: public m x m matrices, columns packed one after another, from the key or expanded one at a
// time.
template <class P> class WhippingMatrices {
 public:
  void start(const uint8_t *key) { E_ = key, rewind(); }
  void rewind() {
    next_ = E_;
    if constexpr (P::whipping == Whipping::from_seed) stream_.start(E_, P::E_bytes);
  }
  // m m-vectors with slack behind them; until the next call.
  const uint8_t *next() {
    if constexpr (P::whipping == Whipping::from_seed) {
      stream_.read(expanded_, P::Eij_bytes);
      zero(expanded_ + P::Eij_bytes, slack);
      return expanded_;
    }
    const uint8_t *E_ij = next_;
    next_ += P::Eij_bytes;
    return E_ij;
  }

 private:
  const uint8_t *E_, *next_;
  ShakeStream stream_;
  uint8_t expanded_[P::whipping == Whipping::from_seed ? P::Eij_bytes + slack : 1];
};

// The caller's random bytes: drawn in order, so that a seeded source always gives the same keys and signatures.
struct RandomSource {
  int (*fill)(void *context, uint8_t *out, size_t n);  // 0: done
  void *context;
  bool draw(uint8_t *out, size_t n) const { return fill(context, out, n) == 0; }
};

// t = SHAKE256(message || salt): the message is hashed once, the salt at each attempt.
template <class P> class Target {
 public:
  void start(View message) { message_.init(), message_.absorb(message.p, message.n); }
  void hash(Mvector<P> &t, const uint8_t *salt) const {
    Secret<Shake256> h;
    static_cast<Shake256 &>(h) = message_;
    h.absorb(salt, P::salt_bytes);
    h.finish();
    uint8_t bytes[P::m_bytes];
    h.squeeze(bytes, sizeof bytes);
    t.load(bytes);
  }

 private:
  Shake256 message_;
};

// v_1 .. v_k, the rows of V.
template <class P> bool draw_vinegar(Fmat<P::k, P::v> &V, const RandomSource &random) {
  Secret<Bytes<P::k * P::v_bytes>> bytes;
  if (!random.draw(bytes.b, sizeof bytes.b)) return false;
  for (int i = 0; i < P::k; i++) decode_row(V, i, bytes.b + i * P::v_bytes, 0);
  return true;
}

// Which m of the k o columns are used: all of them shuffled (Fisher and Yates), what comes to stand in front is dropped.  `order`
// goes on from one attempt to the next.
template <class P> class ColumnChoice {
 public:
  static constexpr int columns = P::columns, dropped = columns - P::m;
  void start() {
    for (int i = 0; i < columns; i++) order_[i] = uint8_t(i);
  }
  bool draw(const RandomSource &random) {
    uint8_t bytes[4 * (columns - 1)];
    if (!random.draw(bytes, sizeof bytes)) return false;
    reveal_bytes(
        bytes, sizeof bytes);  // the choice has nothing to do with the key, and shows in the signature as coordinates that are 0
    for (int i = columns - 1; i > 0; i--) {
      const uint32_t j = remainder(load32_big_endian(bytes + 4 * (columns - 1 - i)), i + 1);
      const uint8_t t = order_[i];
      order_[i] = order_[j], order_[j] = t;
    }
    sort(dropped);  // as published: later attempts go on from here
    return true;
  }
  // The columns used, in ascending order.
  void used(uint8_t (&to)[P::m]) const {
    bool is_used[columns] = {};
    for (int i = dropped; i < columns; i++) is_used[order_[i]] = true;
    for (int c = 0, n = 0; c < columns; c++)
      if (is_used[c]) to[n++] = uint8_t(c);
  }

 private:
  // x mod d, without an instruction that divides: floor(x floor(2^32 / d) / 2^32) is the quotient or one less.
  static uint32_t remainder(uint32_t x, int d) {
    static constexpr struct Reciprocals {
      uint32_t of[columns + 1];
      consteval Reciprocals() : of{} {
        for (int i = 2; i <= columns; i++) of[i] = uint32_t((uint64_t(1) << 32) / uint32_t(i));
      }
    } reciprocal;
    const uint32_t r = x - uint32_t(uint64_t(x) * reciprocal.of[d] >> 32) * uint32_t(d);
    return r < uint32_t(d) ? r : r - uint32_t(d);
  }
  void sort(int n) {
    for (int i = 1; i < n; i++)
      for (int j = i; j > 0 && order_[j - 1] > order_[j]; j--) {
        const uint8_t t = order_[j];
        order_[j] = order_[j - 1], order_[j - 1] = t;
      }
  }
  uint8_t order_[columns];
};

// sig = salt || s_1 || .. || s_k, s_i = (row i of V', row i of X).  Everything is public by now.
template <class P>
void encode_signature(uint8_t *sig, const uint8_t *salt, const Fmat<P::k, P::v> &V, const Fmat<P::k, P::o> &X) {
  copy(sig, salt, P::salt_bytes);
  for (int i = 0; i < P::k; i++) {
    encode_row(sig + P::sig_s, i * P::n, V, i);
    encode_row(sig + P::sig_s, i * P::n + P::v, X, i);
  }
}

}  // namespace armv7m
}  // namespace AIOLI_ISA
}  // namespace aioli
