// SPDX-License-Identifier: Apache-2.0
// The Cortex-M4's kernels for schemes of one vector (UOV), over GF(16) and GF(256), with little memory (docs/decisions/0016).
//
// m-vectors are packed bytes as keys have them.  Temporaries are wiped with the stack, when the call ends.  What is secret on
// both sides is weighed (weights.hpp); many columns of a secret matrix are looked up by entries of P (multiples_lookups.hpp), as
// is one secret scalar for a whole row of P; what is all public goes into buckets (linalg/evaluation.hpp).
#pragma once
#include "backend/cortex_m4/evaluation.hpp"
#include "backend/cortex_m4/multiples_lookups.hpp"
#include "backend/cortex_m4/solver.hpp"
#include "backend/cortex_m4/triangular_solver.hpp"
#include "linalg/kernels.hpp"

namespace aioli {
inline namespace AIOLI_ISA {

template <class P, class AesType> struct CortexM4SquareKernels {
  static constexpr OwnKernels own = {.upper_accumulators = true,
                                     .add_public_outer = true,
                                     .add_stored = true,
                                     .add_row = true,
                                     .transposed_accumulators = true,
                                     .evaluation = true};
  static constexpr int block = 1;
  using F = FieldOf<P>;
  using Aes = AesType;
  using Words = Packed<F>;
  static constexpr int per_word = Words::per_word, halves = Words::halves;
  static constexpr int m_bytes = P::m_bytes, height = (m_bytes + 7) / 8 * 2;  // words of an m-vector, in pairs
  static_assert(m_bytes >= 8);

  // An m-vector as bytes, and whole pairs of words; what is past m_bytes is of no meaning.
  struct Entry {
    alignas(4) uint8_t b[4 * height];
    void load(const uint8_t *from) {  // reads no further
      copy(b, from, m_bytes);
      aioli::AIOLI_ISA::zero(b + m_bytes, sizeof b - m_bytes);
    }
    void get(Mvector<P> &to) const {
      for (int i = 0; i < Mvector<P>::words; i++) to.w[i] = load64(b + 8 * i);
      to.w[Mvector<P>::words - 1] &= Mvector<P>::last_mask;
    }
  };

  // The columns that share a word.
  struct EntriesOfWord {
    Entry e[per_word];
  };

  // One half of the scalars after the other (flags_of).
  template <int N> struct Flags {
    uint32_t flags[halves][N];
    template <class Get> void set(Get get) {
      for (int i = 0; i < N; i++) {
        const uint32_t a = get(i).n;
        for (int half = 0; half < halves; half++) flags[half][i] = flags_of(a, half);
      }
    }
  };
  // to = the sum over t < count of scalar first + t times the entry at entries + t stride.  Writes m_bytes bytes, reads no more
  // of an entry.
  template <int N>
  static void weigh_all(uint8_t *to, const uint8_t *entries, int stride, const Flags<N> &scalars, int first, int count) {
    for (int at = 0;;) {
      uint32_t sum[2] = {};
      if (count > 0)
        for (int half = halves - 1; half >= 0; half--) weigh<F>(sum, entries + at, scalars.flags[half] + first, stride, count);
      store32(to + at, sum[0]), store32(to + at + 4, sum[1]);
      if (at == m_bytes - 8) break;
      at = at + 8 <= m_bytes - 8 ? at + 8 : m_bytes - 8;  // the last two words may overlap those before
    }
  }

  template <int N, int C> struct Factor {
    static constexpr int words = (C + per_word - 1) / per_word, pieces = (words + 3) / 4;
    uint32_t row[N][4 * pieces];
    void set(const Fmat<N, C, F> &X) {
      for (int r = 0; r < N; r++)
        for (int w = 0; w < 4 * pieces; w++)
          row[r][w] = w / 2 < Fmat<N, C, F>::row_words ? uint32_t(X.w[r][w / 2] >> (w % 2 * 32)) : 0;
    }
    typename F::Element operator()(int r, int c) const {
      return {uint8_t(row[r][c / per_word] >> (F::bits * (c % per_word)) & ((1 << F::bits) - 1))};
    }
  };
  template <int N> struct Factor<N, 1> {
    Flags<N> scalars;
    void set(const Fmat<N, 1, F> &X) {
      scalars.set([&](int r) { return X(r, 0); });
    }
    typename F::Element operator()(int r, int) const {
      uint32_t a = 0;
      for (int half = 0; half < halves; half++) a |= scalars.flags[half][r] >> 28 << (4 * half);
      return {uint8_t(a)};
    }
  };
  template <int N, int C> struct Scalars {
    Fmat<C, N, F> X_transposed;
    void set(const Fmat<N, C, F> &X) { transpose(X_transposed, X); }
    typename F::Element operator()(int r, int c) const { return X_transposed(c, r); }
  };

  // Equation by equation, packed as the rows of X.
  template <int C> struct Products {
    static constexpr int words = Factor<1, C>::words, pieces = Factor<1, C>::pieces, equations = per_word * height;
    uint32_t W[equations][4 * pieces];

    template <int N> void times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      for (auto &row : W)
        for (auto &w : row) w = 0;
      add_times(segments, X);
    }
    template <int N> void add_times(const RowSegment (&segments)[block], const Factor<N, C> &X) {
      MultiplesOfFour<F> multiples;  // wiped with the stack
      const uint8_t *entry = segments[0].entries;
      for (int j = segments[0].first; j < segments[0].first + segments[0].count; j++, entry += m_bytes)
        for (int piece = 0; piece < pieces; piece++) {
          set_multiples<F>(multiples, X.row[j] + 4 * piece);
          add_looked_up<F, m_bytes, sizeof W[0]>(W[0] + 4 * piece, entry, multiples);
        }
    }
    void add(const RowSegment (&segments)[block], int column) {
      add_columns(column, segments[0].count, [&](int c) { return segments[0].entries + c * m_bytes; });
    }
    template <class S> void take_transposed(const S &sums, int index) {
      for (auto &row : W)
        for (auto &w : row) w = 0;
      if (index < S::columns) add_columns(0, C, [&](int c) { return sums.U[c][index].b; });
    }
    // Columns per_word * group and those after it, as many as there are.
    void columns(Entry (&to)[per_word], int group) const {
      for (int w = 0; w < height; w++) {
        uint32_t tile[per_word];
        for (int i = 0; i < per_word; i++) tile[i] = W[per_word * w + i][group];
        Words::transpose(tile);
        for (int i = 0; i < per_word; i++) store32(to[i].b + 4 * w, tile[i]);
      }
    }
    void get(Mvector<P> &to, int, int c) const {
      EntriesOfWord some;
      columns(some.e, c / per_word);
      some.e[c % per_word].get(to);
    }

   private:
    // += columns first .. first + count - 1, at(c) being the bytes of column first + c.
    template <class At> void add_columns(int first, int count, At at) {
      for (int group = first / per_word; per_word * group < first + count; group++) {
        EntriesOfWord some;
        for (int i = 0; i < per_word; i++) {
          const int c = per_word * group + i - first;
          if (c >= 0 && c < count)
            some.e[i].load(at(c));
          else
            aioli::AIOLI_ISA::zero(some.e[i].b, sizeof some.e[i].b);
        }
        for (int w = 0; w < height; w++) {
          uint32_t tile[per_word];
          for (int i = 0; i < per_word; i++) tile[i] = load32(some.e[i].b + 4 * w);
          Words::transpose(tile);
          for (int i = 0; i < per_word; i++) W[per_word * w + i][group] ^= tile[i];
        }
      }
    }
  };
  template <int C>
    requires(C == 1)
  struct Products<C> {
    Entry W;
    template <int N> void times(const RowSegment (&segments)[block], const Factor<N, 1> &X) {
      weigh_all(W.b, segments[0].entries, m_bytes, X.scalars, segments[0].first, segments[0].count);
    }
    template <int N> void add_times(const RowSegment (&segments)[block], const Factor<N, 1> &X) {
      Entry more;
      weigh_all(more.b, segments[0].entries, m_bytes, X.scalars, segments[0].first, segments[0].count);
      for (int i = 0; i < m_bytes; i++) W.b[i] ^= more.b[i];
    }
    void add(const RowSegment (&segments)[block], int) {
      for (int i = 0; i < m_bytes * segments[0].count; i++) W.b[i % m_bytes] ^= segments[0].entries[i];
    }
    template <class S> void take_transposed(const S &sums, int index) {
      if (index < S::columns)
        W = sums.U[0][index];
      else
        aioli::AIOLI_ISA::zero(W.b, sizeof W.b);
    }
    void columns(Entry (&to)[per_word], int) const { to[0] = W; }
    void get(Mvector<P> &to, int, int) const { W.get(to); }
  };

  template <int R, int C, int First = 0> struct Accumulators {
    static constexpr int columns = C;
    Entry U[R][C];

    void zero() {
      for (auto &row : U)
        for (auto &u : row) aioli::AIOLI_ISA::zero(u.b, sizeof u.b);
    }
    template <class X, int D> void add_outer(const X &of, int index, const Products<D> &products) {
      Scaled s;
      s.set(of, index);
      for (int j = 0; j < C; j += per_word) {
        EntriesOfWord some;
        products.columns(some.e, j / per_word);
        for (int i = 0; i < per_word && j + i < C; i++) s.add(*this, j + i, some.e[i]);
      }
    }
    template <int Origin, int N, int D> void add_outer(const Factor<N, D> &X, int index, const RowSegment (&segments)[block]) {
      Scaled s;
      s.set(X, index);
      for (int j = 0; j < segments[0].count; j++) {
        Entry entry;
        entry.load(segments[0].entries + j * m_bytes);
        s.add(*this, segments[0].first - Origin + j, entry);
      }
    }
    // The entries are public and looked up by.
    template <int Origin, int N, int D>
    void add_public_outer(const Factor<N, D> &X, int index, const RowSegment (&segments)[block]) {
      const RowSegment &segment = segments[0];
      for (int i = 0; i < R; i++) {
        ByteMultiples multiples;
        multiples.set(X(index, First + i));
        if (segment.count > 0)
          add_byte_multiples<m_bytes, sizeof(Entry)>(U[i][segment.first - Origin].b, segment.entries, multiples.of,
                                                     segment.count);
      }
    }
    // U[i][j] += sum over r of X[r][First + i] E[r][j], E being N x C m-vectors somewhere in memory, and nothing read behind
    // them.
    template <int N, int D> void add_stored(const Factor<N, D> &X, const uint8_t *E) {
      static_assert(D == 1 && R == 1 && First == 0);
      for (int j = 0; j < C; j++) add_weighed(U[0][j], X.scalars, E + j * m_bytes, C * m_bytes);
    }
    // E being the transpose of sums of one row.
    template <int N, int D> void add_row(const Scalars<N, D> &X, const Accumulators<1, N> &E) {
      static_assert(C == 1 && First + R <= D);
      for (int i = 0; i < R; i++) {
        Flags<N> scalars;
        scalars.set([&](int r) { return X(r, First + i); });
        add_weighed(U[i][0], scalars, E.U[0][0].b, sizeof(Entry));
      }
    }
    void add_transposed(int index, const Products<R> &products) {
      static_assert(First == 0);
      if (index >= C) return;
      for (int j = 0; j < R; j += per_word) {
        EntriesOfWord some;
        products.columns(some.e, j / per_word);
        for (int i = 0; i < per_word && j + i < R; i++)
          for (int x = 0; x < m_bytes; x++) U[j + i][index].b[x] ^= some.e[i].b[x];
      }
    }
    void get(Mvector<P> &to, int i, int j) const { U[i][j].get(to); }

   private:
    struct Scaled {
      Flags<R> scalars;
      template <class X> void set(const X &of, int index) {
        scalars.set([&](int i) { return of(index, First + i); });
      }
      void add(Accumulators &to, int j, const Entry &entry) {
        for (int w = 0; w < height; w += 2) {
          uint32_t words[2] = {load32(entry.b + 4 * w), load32(entry.b + 4 * w + 4)};
          for (int half = 0; half < halves; half++)
            add_multiples<F>(to.U[0][j].b + 4 * w, sizeof to.U[0], scalars.flags[half], words, R);
        }
      }
    };
    template <int N> static void add_weighed(Entry &to, const Flags<N> &scalars, const uint8_t *entries, int stride) {
      Entry sum;
      weigh_all(sum.b, entries, stride, scalars, 0, N);
      for (int x = 0; x < m_bytes; x++) to.b[x] ^= sum.b[x];
    }
  };

  // In the caller's memory: Upper(U) as a public key has it.
  template <int N> struct UpperAccumulators {
    uint8_t *out;

    void start(uint8_t *to) {
      out = to;
      zero(out, size_t(N * (N + 1) / 2) * m_bytes);
    }
    template <int R> void add_outer(const Factor<R, N> &X, int index, const Products<N> &products) {
      Flags<N> scalars;
      scalars.set([&](int i) { return X(index, i); });
      for (int b = 0; b < N; b += per_word) {
        EntriesOfWord some;
        products.columns(some.e, b / per_word);
        for (int i = 0; i < per_word && b + i < N; i++) add_column(b + i, some.e[i], scalars);
      }
    }

   private:
    // Entries (i, column) for i <= column, and (column, i) below.
    void add_column(int column, const Entry &entry, const Flags<N> &scalars) {
      const int behind = N - 1 - column;
      uint8_t *const diagonal = out + (column * N - column * (column - 1) / 2) * m_bytes;
      for (int done = 0; done < m_bytes; done += 8) {
        // The last eight bytes: those that are done already count as zero.
        const int at = done <= m_bytes - 8 ? done : m_bytes - 8, shift = 8 * (done - at);
        const uint64_t mask = ~uint64_t(0) << shift, x = load64(entry.b + at) & mask;
        uint32_t words[2] = {uint32_t(x), uint32_t(x >> 32)};
        for (int half = 0; half < halves; half++) {
          uint32_t again[2] = {words[0], words[1]};
          if (behind > 0) add_multiples<F>(diagonal + m_bytes + at, m_bytes, scalars.flags[half] + column + 1, again, behind);
          add_multiples<F, m_bytes>(out + column * m_bytes + at, (N - 1) * m_bytes, scalars.flags[half], words, column + 1);
        }
      }
    }
  };

  // In the caller's memory: U^T, C rows of R m-vectors, packed as a secret key has them.  Each row is a square matrix of
  // elements, m = R, and gathered transposed, because a row of X is many elements of one equation.
  template <int R, int C> struct TransposedAccumulators {
    static_assert(R == P::m && F::bytes(R) == m_bytes);
    static constexpr int words = Factor<1, R>::words;
    struct RowMultiples {
      uint32_t of[16 * halves][words];
      void set(const uint32_t *row) {
        for (int w = 0; w < words; w += 4) {
          MultiplesOfFour<F> four;
          set_multiples<F>(four, row + w);
          for (int i = 0; i < 16 * halves; i++)
            for (int x = w; x < words && x < w + 4; x++) of[i][x] = four[i][x - w];
        }
      }
    };
    uint8_t *out;
    RowMultiples multiples;  // too much for the stack

    void start(uint8_t *to) {
      out = to;
      zero(out, size_t(C * R) * m_bytes);
    }
    void add_transposed(int index, const Products<R> &products) {
      uint8_t *row = out + index * R * m_bytes;
      for (int e = 0; e < P::m; e++, row += m_bytes)
        for (int i = 0; i < m_bytes; i++) row[i] ^= uint8_t(products.W[e][i / 4] >> (8 * (i % 4)));
    }
    // U[i][j] += X[index][i] entry j: the entries are public and looked up by.
    template <int Origin, int N> void add_outer(const Factor<N, R> &X, int index, const RowSegment (&segments)[block]) {
      static_assert(Origin == 0);
      multiples.set(X.row[index]);
      uint8_t *row = out + segments[0].first * R * m_bytes;
      const uint8_t *p = segments[0].entries;
      for (int left = segments[0].count * m_bytes; left > 0; left--, p++) {
        if constexpr (F::bits == 8) {
          const uint32_t *low = multiples.of[*p & 15], *high = multiples.of[16 + (*p >> 4)];
          row = add_row(row, [&](int w) { return low[w] ^ high[w]; });
        } else {
          const uint32_t *low = multiples.of[*p & 15], *high = multiples.of[*p >> 4];
          row = add_row(row, [&](int w) { return low[w]; });
          row = add_row(row, [&](int w) { return high[w]; });
        }
      }
    }
    void finish() {
      for (int c = 0; c < C; c++) turn(out + c * R * m_bytes);
    }

   private:
    template <class Word> static uint8_t *add_row(uint8_t *row, Word word) {
      for (int w = 0; w < m_bytes / 4; w++, row += 4) store32(row, load32(row) ^ word(w));
      if constexpr (m_bytes % 4 != 0) {
        uint32_t rest = word(m_bytes / 4);
        for (int i = 0; i < m_bytes % 4; i++, rest >>= 8) *row++ ^= uint8_t(rest);
      }
      return row;
    }
    // A square matrix of m x m elements, transposed in place.
    static void turn(uint8_t *square) {
      if constexpr (F::bits == 8) {
        for (int i = 0; i < R; i++)
          for (int j = 0; j < i; j++) {
            uint8_t &a = square[i * R + j], &b = square[j * R + i], t = a;
            a = b, b = t;
          }
      } else {
        static_assert(F::bits == 8 || R % 8 == 0);
        for (int i = 0; i < R; i += 8)
          for (int j = 0; j <= i; j += 8) {
            uint32_t a[8], b[8];
            uint8_t *const at = square + i * m_bytes + j / 2, *const mirrored = square + j * m_bytes + i / 2;
            for (int r = 0; r < 8; r++) a[r] = load32(at + r * m_bytes), b[r] = load32(mirrored + r * m_bytes);
            transpose8(a), transpose8(b);
            for (int r = 0; r < 8; r++) store32(at + r * m_bytes, b[r]), store32(mirrored + r * m_bytes, a[r]);
          }
      }
    }
  };

  template <int N> using Evaluation = PublicEvaluation<P, N, block, BucketWordsM4<F>>;

  template <class Field> struct SolverOver {
    using type = TriangularSolver<P, CortexM4SquareKernels>;
  };
  template <class Field>
    requires(Field::bits == 4)
  struct SolverOver<Field> {
    using type = SlicedSolver<P>;
  };
  using Solver = typename SolverOver<F>::type;

 private:
  // The products of a scalar with whatever a byte holds: one element, or two.
  struct ByteMultiples {
    alignas(4) uint8_t of[256];
    void set(typename F::Element a) {
      uint32_t power[8];  // of one bit of the byte
      power[0] = a.n;
      for (int b = 1; b < 8; b++) power[b] = F::bits == 4 && b == 4 ? power[0] << 4 : Words::times_x(power[b - 1]) & 0xff;
      uint32_t quads[64];
      quads[0] = power[0] << 8 | power[1] << 16 | (power[0] ^ power[1]) << 24;
      for (int b = 2; b < 8; b++)
        for (int i = 0; i < 1 << (b - 2); i++) quads[(1 << (b - 2)) + i] = quads[i] ^ spread32(power[b], 0x01010101);
      for (int i = 0; i < 64; i++) store32(of + 4 * i, quads[i]);
    }
  };
};

}  // namespace AIOLI_ISA
}  // namespace aioli
