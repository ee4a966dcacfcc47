// SPDX-License-Identifier: Apache-2.0
#include "museum/schemes/mqdss.hpp"

#include <stdexcept>

#include "museum/symmetric/shake256.hpp"

namespace museum::broken::mqdss {
namespace {

// `count` elements of the stream SHAKE256(parts).
Vector<F> stream(size_t count, std::initializer_list<View> parts) {
  return sample<F>(count, [&](size_t bytes) { return shake256(parts, bytes); });
}

// a x + b y
Vector<F> combination(uint8_t a, const Vector<F> &x, uint8_t b, const Vector<F> &y) {
  Vector<F> z(x.size());
  F::add_scaled(z.data(), a, x.data(), x.size());
  F::add_scaled(z.data(), b, y.data(), y.size());
  return z;
}
Vector<F> sum(const Vector<F> &x, const Vector<F> &y) { return combination(1, x, 1, y); }
Vector<F> difference(const Vector<F> &x, const Vector<F> &y) { return combination(1, x, 30, y); }
constexpr uint8_t minus_one = 30;

// The stream gives a pair of monomials at a time, equation by equation: (first, second) of equation 0, of equation 1, ...
Vector<F> by_monomials(const uint8_t *from, size_t monomials, size_t n) {
  Vector<F> to(monomials * n);
  for (size_t k = 0; k < monomials; k += 2)
    for (size_t e = 0; e < n; e++)
      for (size_t half = 0; half < 2; half++) to[(k + half) * n + e] = F::sub(from[k * n + 2 * e + half], 15);
  return to;
}

// sum of weight[k] row k of the coefficients.  Sums stay below 2^16 for 72 rows (72 * 30 * 30), so they are reduced that often.
void add_weighted(Vector<F> &y, const Vector<F> &weight, const Vector<F> &coefficients) {
  const size_t n = y.size();
  uint16_t total[64];
  for (size_t e = 0; e < n; e++) total[e] = y[e];
  for (size_t k = 0; k < weight.size(); k++) {
    const uint16_t w = weight[k];
    const uint8_t *row = &coefficients[k * n];
    for (size_t e = 0; e < n; e++) total[e] = uint16_t(total[e] + w * row[e]);
    if (k % 72 == 71)
      for (size_t e = 0; e < n; e++) total[e] %= 31;
  }
  for (size_t e = 0; e < n; e++) y[e] = uint8_t(total[e] % 31);
}

bool bit(const Bytes &b, size_t i) { return b[i / 8] >> (i % 8) & 1; }

}  // namespace

System::System(View seed, size_t n) : n_(n) {
  const size_t squares = n * (n + 1) / 2;
  const Vector<F> all = stream(n * (n + squares), {seed});
  linear_ = by_monomials(all.data(), n, n);
  quadratic_ = by_monomials(all.data() + n * n, squares, n);
}

Vector<F> System::evaluate(const Vector<F> &x) const {
  Vector<F> y(n_), products;
  for (size_t i = 0; i < n_; i++)
    for (size_t j = 0; j <= i; j++) products.push_back(F::mul(x[i], x[j]));
  add_weighted(y, x, linear_);
  add_weighted(y, products, quadratic_);
  return y;
}

Vector<F> System::polar(const Vector<F> &x, const Vector<F> &y) const {
  Vector<F> z(n_), products;
  for (size_t i = 0; i < n_; i++)
    for (size_t j = 0; j <= i; j++) products.push_back(F::add(F::mul(x[i], y[j]), F::mul(x[j], y[i])));
  add_weighted(z, products, quadratic_);
  return z;
}

Bytes Mqdss::commitment(View rho, std::initializer_list<Vector<F>> vectors) const {
  Bytes data(rho.begin(), rho.end());
  for (const auto &v : vectors) append(data, pack<F>(v));
  return shake256({data}, p.hash_bytes);
}

Mqdss::Challenges Mqdss::first_challenges(View D, View sigma0) const {
  return {stream(p.rounds, {D, sigma0}), shake256({D, sigma0}, p.hash_bytes)};  // both from the start of one stream
}
Bytes Mqdss::second_challenges(View D, View sigma0, View h0, View first_responses) const {
  return shake256({D, sigma0, h0, first_responses}, (p.rounds + 7) / 8);
}

static constexpr size_t seeds_of_a_key = 4;  // of F, of s, of rho, of (r0, t0, e0)

Bytes Mqdss::public_key(View secret_key) const {
  if (secret_key.size() != p.seed_bytes) throw std::invalid_argument("mqdss: wrong length of a secret key");
  const Bytes seeds = shake256({secret_key}, seeds_of_a_key * p.seed_bytes);
  const View seed_F = View(seeds).first(p.seed_bytes), seed_s = View(seeds).subspan(p.seed_bytes, p.seed_bytes);
  Bytes key(seed_F.begin(), seed_F.end());
  append(key, pack<F>(System(seed_F, p.n).evaluate(stream(p.n, {seed_s}))));
  return key;
}

Bytes Mqdss::sign(View secret_key, View message, Acknowledgement) const {
  const Bytes pk = public_key(secret_key), seeds = shake256({secret_key}, seeds_of_a_key * p.seed_bytes);
  const auto seed = [&](size_t i) { return View(seeds).subspan(i * p.seed_bytes, p.seed_bytes); };
  const System system(seed(0), p.n);
  const Vector<F> s = stream(p.n, {seed(1)});
  const Bytes R = shake256({secret_key, message}, p.hash_bytes), D = shake256({pk, R, message}, p.hash_bytes);
  const Bytes rhos = shake256({seed(2), D}, 2 * p.rounds * p.hash_bytes);
  const auto rho = [&](bool b, size_t i) { return View(rhos).subspan((b * p.rounds + i) * p.hash_bytes, p.hash_bytes); };

  // r0 of all rounds, then t0, then e0; s is split into r0 + r1.
  const Vector<F> random = stream(3 * p.rounds * p.n, {seed(3), D});
  const auto part = [&](size_t which, size_t i) {
    const auto from = random.begin() + std::ptrdiff_t((which * p.rounds + i) * p.n);
    return Vector<F>(from, from + std::ptrdiff_t(p.n));
  };
  std::vector<Vector<F>> r[2];
  std::vector<Bytes> c[2];
  Bytes commitments;
  for (size_t i = 0; i < p.rounds; i++) {
    const Vector<F> r0 = part(0, i), t0 = part(1, i), e0 = part(2, i), r1 = difference(s, r0);
    c[0].push_back(commitment(rho(0, i), {r0, t0, e0}));
    c[1].push_back(commitment(rho(1, i), {r1, sum(system.polar(t0, r1), e0)}));
    append(commitments, c[0][i]), append(commitments, c[1][i]);
    r[0].push_back(r0), r[1].push_back(r1);
  }
  const Bytes sigma0 = shake256({commitments}, p.hash_bytes);
  const Challenges first = first_challenges(D, sigma0);
  Vector<F> t1, e1;
  for (size_t i = 0; i < p.rounds; i++) {
    const Vector<F> t = combination(first.alpha[i], r[0][i], minus_one, part(1, i));
    const Vector<F> e = combination(first.alpha[i], system.evaluate(r[0][i]), minus_one, part(2, i));
    t1.insert(t1.end(), t.begin(), t.end());
    e1.insert(e1.end(), e.begin(), e.end());
  }
  Bytes responses = pack<F>(t1);
  append(responses, pack<F>(e1));
  const Bytes second = second_challenges(D, sigma0, first.first_hash, responses);
  Bytes signature = R;
  append(signature, sigma0), append(signature, responses);
  for (size_t i = 0; i < p.rounds; i++) {
    const bool b = bit(second, i);
    append(signature, pack<F>(r[b][i])), append(signature, c[!b][i]), append(signature, rho(b, i));
  }
  return signature;
}

bool Mqdss::verify(View pk, View message, View signature) const {
  if (pk.size() != public_key_bytes() || signature.size() != signature_bytes()) return false;
  const auto v = unpack<F>(pk.subspan(p.seed_bytes), p.n);
  if (!v) return false;
  const System system(pk.first(p.seed_bytes), p.n);
  Reader reader(signature);
  const View R = reader.take(p.hash_bytes), sigma0 = reader.take(p.hash_bytes);
  const View responses = reader.take(2 * p.rounds * element_bytes());
  const Bytes D = shake256({pk, R, message}, p.hash_bytes);
  const Challenges first = first_challenges(D, sigma0);
  const Bytes second = second_challenges(D, sigma0, first.first_hash, responses);
  Bytes commitments;
  for (size_t i = 0; i < p.rounds; i++) {
    const auto t1 = unpack<F>(responses.subspan(i * element_bytes(), element_bytes()), p.n);
    const auto e1 = unpack<F>(responses.subspan((p.rounds + i) * element_bytes(), element_bytes()), p.n);
    const auto r = unpack<F>(reader.take(element_bytes()), p.n);
    const View other = reader.take(p.hash_bytes), rho = reader.take(p.hash_bytes);
    if (!t1 || !e1 || !r) return false;
    const uint8_t alpha = first.alpha[i];
    const Vector<F> value = system.evaluate(*r);
    if (!bit(second, i)) {
      append(commitments,
             commitment(rho, {*r, combination(alpha, *r, minus_one, *t1), combination(alpha, value, minus_one, *e1)}));
      append(commitments, other);
    } else {
      const Vector<F> known = sum(system.polar(*t1, *r), *e1);
      append(commitments, other);
      append(commitments, commitment(rho, {*r, combination(alpha, difference(*v, value), minus_one, known)}));
    }
  }
  return shake256({commitments}, p.hash_bytes) == Bytes(sigma0.begin(), sigma0.end());
}

}  // namespace museum::broken::mqdss
