// SPDX-License-Identifier: Apache-2.0
// MAYO as an attacker holds it: the public key's coefficients, the equation that a signature satisfies, and signing with an oil
// space that was found rather than given.  Keys come from, and signatures go to, libaioli's C interface.  The letters are the
// specification's.
#pragma once
#include <openssl/evp.h>
#include <cstring>
#include <stdexcept>
#include "museum/attacks/oil_space.hpp"
#include "museum/field/binary_field.hpp"
#include "museum/schemes/encoding.hpp"
#include "museum/symmetric/shake256.hpp"
#include "scheme/mayo_params.hpp"

namespace museum::attacks {

struct MayoSet {
  std::string name;
  size_t n, m, o, k, v, O_bytes, sk_bytes, salt_bytes, digest_bytes;
  unsigned f_tail;  // f(z) = z^m + f4 z^4 + .. + f0, written 0x f4 f3 f2 f1 f0
  bool linear_term;
  std::vector<std::vector<int>> exponent;  // [i][j]: the power of z that goes with the pair

  template <class P> static MayoSet of(const char *name) {
    MayoSet s{name,      P::n,           P::m, P::o, P::k, P::v, P::O_bytes, P::secret_key_bytes, P::salt_bytes, P::digest_bytes,
              P::f_tail, P::linear_term, {}};
    constexpr auto schedule = P::whipping();
    for (int i = 0; i < P::k; i++) s.exponent.emplace_back(schedule.exponent[i], schedule.exponent[i] + P::k);
    return s;
  }
};

inline Bytes aes128_blocks(View key, View blocks) {
  Bytes out(blocks.size() + 16);
  int written = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  const bool ok = context != nullptr && EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nullptr, key.data(), nullptr) == 1 &&
                  EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
                  EVP_EncryptUpdate(context, out.data(), &written, blocks.data(), int(blocks.size())) == 1;
  EVP_CIPHER_CTX_free(context);
  if (!ok) throw std::runtime_error("AES of libcrypto failed");
  out.resize(blocks.size());
  return out;
}
// Blocks iv ^ 0, iv ^ 1, .. (the counter big-endian in the last four bytes), encrypted: `bytes` of them.
inline Bytes keystream(View key, View iv, size_t bytes) {
  Bytes blocks((bytes + 15) / 16 * 16);
  for (size_t c = 0; c < blocks.size() / 16; c++) {
    std::memcpy(&blocks[16 * c], iv.data(), 16);
    for (size_t b = 0; b < 4; b++) blocks[16 * c + 15 - b] ^= uint8_t(c >> (8 * b));
  }
  Bytes stream = aes128_blocks(key, blocks);
  stream.resize(bytes);
  return stream;
}

class MayoKey {
 public:
  using F = field::Gf16;
  MayoKey(const MayoSet &set, View pk) : set_(set), P_(set.n) {
    const size_t n = set.n, v = set.v, mb = set.m / 2, P12 = mb * (v * (v + 1) / 2 + v * set.o);
    Bytes all = keystream(pk.first(16), Bytes(16), P12);
    append(all, pk.subspan(16));
    if (all.size() != mb * n * (n + 1) / 2) throw std::invalid_argument("a public key of another length");
    std::vector<Matrix<F>> U(set.m, Matrix<F>(n, n));
    size_t at = 0;
    const auto take = [&](size_t i, size_t j) {  // the m coefficients of x_i x_j
      for (size_t k = 0; k < set.m; k++) U[k](i, j) = all[at + k / 2] >> (k % 2 * 4) & 15;
      at += mb;
    };
    for (size_t i = 0; i < v; i++)
      for (size_t j = i; j < v; j++) take(i, j);
    for (size_t i = 0; i < v; i++)
      for (size_t j = v; j < n; j++) take(i, j);
    for (size_t i = v; i < n; i++)
      for (size_t j = i; j < n; j++) take(i, j);
    for (auto &matrix : U) P_.add(std::move(matrix));
  }
  const Forms<F> &P() const { return P_; }

  // The secret space {(O z, z)}, from the secret key: what leaks, or what the recovered space is compared with.
  static Matrix<F> secret_oil_space(const MayoSet &set, View sk) {
    const Bytes S = shake256({sk}, 16 + set.O_bytes);
    Matrix<F> B(set.o, set.n);
    for (size_t i = 0; i < set.v; i++)
      for (size_t j = 0; j < set.o; j++) {
        const size_t e = i * set.o + j;
        B(j, i) = S[16 + e / 2] >> (e % 2 * 4) & 15;
      }
    for (size_t j = 0; j < set.o; j++) B(j, set.v + j) = 1;
    return row_space(B);
  }

  // s_i = v_i + x_i with v_i random and x_i in the oil space: the equation of verification is affine in the x_i.
  Bytes forge(View message, const Matrix<F> &oil, Random &rng) const {
    const size_t n = set_.n, m = set_.m, k = set_.k, o = oil.rows(), mb = m / 2;
    const Bytes digest = shake256({message}, set_.digest_bytes);
    Bytes salt(set_.salt_bytes);
    for (auto &byte : salt) byte = uint8_t(rng());
    const Bytes h = shake256({digest, salt}, mb + (set_.linear_term ? 32 : 0));
    const Vector<F> t = *unpack<F>(View(h).first(mb), m);
    Matrix<F> lambda(n, m);  // round 3: Lambda(a) = a lambda
    if (set_.linear_term) {
      const Bytes stream = keystream(View(h).subspan(mb, 16), View(h).subspan(mb + 16, 16), n * mb);
      for (size_t r = 0; r < n; r++)
        for (size_t e = 0; e < m; e++) lambda(r, e) = stream[r * mb + e / 2] >> (e % 2 * 4) & 15;
    }
    for (;;) {
      const Matrix<F> V = random_matrix<F>(k, n, rng);
      std::vector<Matrix<F>> D, M;  // P'(v_i, .), and its columns on the oil space: row c belongs to basis vector c
      for (size_t i = 0; i < k; i++) {
        D.push_back(P_.polar_at(V.row_vector(i)));
        M.push_back(oil * transpose(D[i]));
      }
      Vector<F> y = t;
      Matrix<F> columns(k * o, m);
      const auto add_whipped = [&](typename F::Element *to, Vector<F> u, size_t i, size_t j) {
        u = times_power_of_z(std::move(u), set_.exponent[i][j]);
        F::add_scaled(to, 1, u.data(), m);
      };
      for (size_t i = 0; i < k; i++)
        for (size_t j = i; j < k; j++) {
          add_whipped(y.data(), i == j ? P_(V.row_vector(i)) : algebra::apply(D[i], V.row_vector(j)), i, j);
          for (size_t c = 0; c < o; c++) {
            add_whipped(columns.row(i * o + c), M[j].row_vector(c), i, j);
            if (i != j) add_whipped(columns.row(j * o + c), M[i].row_vector(c), i, j);
          }
        }
      for (size_t i = 0; i < k && set_.linear_term; i++) {
        add_whipped(y.data(), combine_rows(V.row_vector(i), lambda), i, 0);
        for (size_t c = 0; c < o; c++) add_whipped(columns.row(i * o + c), combine_rows(oil.row_vector(c), lambda), i, 0);
      }
      const auto x = solve(transpose(columns), y);  // characteristic 2: minus is plus
      if (!x) continue;
      Vector<F> s;
      for (size_t i = 0; i < k; i++) {
        Vector<F> s_i = V.row_vector(i);
        for (size_t c = 0; c < o; c++) F::add_scaled(s_i.data(), (*x)[i * o + c], oil.row(c), n);
        s.insert(s.end(), s_i.begin(), s_i.end());
      }
      Bytes signature = pack<F>(s);
      append(signature, salt);
      return signature;
    }
  }

 private:
  Vector<F> times_power_of_z(Vector<F> a, int power) const {
    for (; power > 0; power--) {
      const auto top = a.back();
      a.insert(a.begin(), 0);
      a.pop_back();
      for (size_t i = 0; i < 5; i++) a[i] = F::add(a[i], F::mul(top, set_.f_tail >> (4 * i) & 15));
    }
    return a;
  }
  MayoSet set_;
  Forms<F> P_;
};

}  // namespace museum::attacks
