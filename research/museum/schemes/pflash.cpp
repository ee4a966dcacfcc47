// SPDX-License-Identifier: Apache-2.0
#include "museum/schemes/pflash.hpp"

#include <stdexcept>

#include "museum/symmetric/shake256.hpp"

namespace museum::broken::pflash {

using Base = field::TowerGf256;

// ---- the field K
// ----------------------------------------------------------------------------------------------------------------

namespace {

// X^48 = X^3 + 0x10 X^2 + 0x04 X + 1, highest power first.
Extension::Element reduced(std::array<uint8_t, 2 * Extension::degree - 1> product) {
  constexpr uint8_t tail[4] = {0x01, 0x04, 0x10, 0x01};
  for (size_t i = product.size(); i-- > Extension::degree;)
    for (size_t j = 0; j < 4; j++) product[i - Extension::degree + j] ^= Base::mul(tail[j], product[i]);
  Extension::Element r;
  std::copy_n(product.begin(), r.size(), r.begin());
  return r;
}

}  // namespace

Extension::Element Extension::add(const Element &a, const Element &b) {
  Element c;
  for (size_t i = 0; i < degree; i++) c[i] = a[i] ^ b[i];
  return c;
}
Extension::Element Extension::mul(const Element &a, const Element &b) {
  std::array<uint8_t, 2 * degree - 1> product{};
  for (size_t i = 0; i < degree; i++) Base::add_scaled(&product[i], a[i], b.data(), degree);
  return reduced(product);
}
Extension::Element Extension::square(const Element &a) {
  std::array<uint8_t, 2 * degree - 1> product{};
  for (size_t i = 0; i < degree; i++) product[2 * i] = Base::mul(a[i], a[i]);
  return reduced(product);
}

Extension::Extension() {
  // X^256, and its powers: how the Frobenius map takes the basis 1, X, X^2 ...
  Element x{}, power{};
  x[1] = 1, power[0] = 1;
  for (int i = 0; i < 8; i++) x = square(x);
  Matrix<Base> map(degree, degree);
  for (size_t i = 0; i < degree; i++, power = mul(power, x)) std::ranges::copy(power, map.row(i));
  powers_.push_back(Matrix<Base>::identity(degree));
  for (size_t k = 1; k < degree; k++) powers_.push_back(powers_.back() * map);
}

Extension::Element Extension::frobenius(const Element &a, size_t k) const {
  Element b{};
  for (size_t i = 0; i < degree; i++) Base::add_scaled(b.data(), a[i], powers_[k].row(i), degree);
  return b;
}

Extension::Element Extension::inverse(const Element &a) {
  Matrix<Base> times_a(degree, degree);  // column i: X^i a
  Element power = a, x{}, b{};
  x[1] = 1;
  for (size_t i = 0; i < degree; i++, power = mul(power, x))
    for (size_t j = 0; j < degree; j++) times_a(j, i) = power[j];
  Vector<Base> one(degree);
  one[0] = 1;
  if (const auto solution = algebra::unique_solution(times_a, one)) std::ranges::copy(*solution, b.begin());
  return b;
}

Extension::Element Extension::from_coordinates(const Vector<F> &x) {
  Element a;
  std::ranges::copy(pack<F>(x), a.begin());
  return a;
}
Vector<F> Extension::coordinates(const Element &a) { return *unpack<F>(a, 2 * degree); }

// ---- the scheme
// -----------------------------------------------------------------------------------------------------------------

static constexpr size_t first = 15, second = 31;  // the powers of 256 in the exponent

Extension::Element Pflash::central(const Extension::Element &x) const {
  return K.mul(K.frobenius(x, first), K.frobenius(x, second));
}
Extension::Element Pflash::central_inverse(const Extension::Element &y) const {
  const Extension::Element z = K.frobenius(y, Extension::degree - first);  // X^(1 + Q)
  constexpr size_t Q = second - first;
  Extension::Element x = K.mul(K.mul(z, K.frobenius(z, 2 * Q)), K.inverse(K.frobenius(z, Q)));
  for (size_t i = 0; i < 8 * Extension::degree - 1; i++)
    x = K.square(x);  // 8 * 48 squarings change nothing; one less is a square root
  return x;
}

KeyPair Pflash::keygen(View seed) const {
  uint16_t part = 0;
  const auto random = [&](size_t count) {
    const uint8_t label[2] = {uint8_t(part & 255), uint8_t(part >> 8)};
    part++;
    return sample<F>(count, [&](size_t bytes) { return shake256({seed, label}, bytes); });
  };
  const auto invertible = [&](Matrix<F> &a, Matrix<F> &a_inverse) {
    for (;;) {
      a = Matrix<F>(coordinates, coordinates);
      for (size_t i = 0; i < coordinates; i++) std::ranges::copy(random(coordinates), a.row(i));
      if (auto inverse = algebra::inverse(a)) return void(a_inverse = *std::move(inverse));
    }
  };
  KeyPair pair{{n, m, true}, {Bytes(seed.begin(), seed.end()), {}, {}, {}, {}}};
  Matrix<F> S, T;
  invertible(S, pair.secret.S_inverse);
  invertible(T, pair.secret.T_inverse);
  pair.secret.s0 = random(coordinates);
  pair.secret.t0 = random(coordinates);

  // X = sum of x_i S_i + s0, and x_i^256 = x_i: both factors of the central map are affine in x, and the public map is their
  // product.  The columns of S go through the two Frobenius maps; index n stands for s0.
  std::vector<Extension::Element> left, right;
  const Matrix<F> columns = algebra::transpose(S);
  for (size_t i = 0; i <= n; i++) {
    const Extension::Element s = K.from_coordinates(i < n ? columns.row_vector(i) : pair.secret.s0);
    left.push_back(K.frobenius(s, first)), right.push_back(K.frobenius(s, second));
  }
  const Matrix<F> T_columns = algebra::transpose(T);
  const auto add_to = [&](F::Element *place, const Extension::Element &a) {  // the first m coordinates of T a
    const Vector<F> e = K.coordinates(a);
    for (size_t k = 0; k < coordinates; k++) F::add_scaled(place, e[k], T_columns.row(k), m);
  };
  QuadraticMap<F> &P = pair.public_map;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j <= n; j++) {
      Extension::Element c = K.mul(left[i], right[j]);
      if (i != j) c = K.add(c, K.mul(left[j], right[i]));
      add_to(j < n ? P.at(i, j) : P.linear_at(i), c);
    }
  // The constants are left to t0: the public key has no room for them.
  std::fill_n(pair.secret.t0.begin(), m, F::Element(0));
  add_to(pair.secret.t0.data(), K.mul(left[n], right[n]));
  return pair;
}

Bytes Pflash::encode(const QuadraticMap<F> &public_map) {
  Bytes bytes = pack<F>(public_map.quadratic_coefficients());
  append(bytes, pack<F>(public_map.linear_coefficients()));
  return bytes;
}
QuadraticMap<F> Pflash::decode_public(View bytes) {
  if (bytes.size() != public_key_bytes) throw std::invalid_argument("pflash: wrong length of a public key");
  Reader reader(bytes);
  QuadraticMap<F> map(n, m, true);
  map.quadratic_coefficients() = reader.elements<F>(map.quadratic_coefficients().size());
  map.linear_coefficients() = reader.elements<F>(map.linear_coefficients().size());
  return map;
}

Vector<F> Pflash::target(View message) {
  return sample<F>(m, [&](size_t bytes) { return shake256({message}, bytes); });
}

Bytes Pflash::sign(const SecretKey &key, View message, Acknowledgement) const {
  const Vector<F> t = target(message);
  const Bytes whole = digest_beside_seed(message);
  for (int attempt = 0; attempt < 256; attempt++) {
    const uint8_t counter = uint8_t(attempt);
    Vector<F> y = sample<F>(coordinates, [&](size_t bytes) { return shake256({key.seed, whole, View(&counter, 1)}, bytes); });
    std::ranges::copy(t, y.begin());  // the dropped coordinates are free
    F::add_scaled(y.data(), 1, key.t0.data(), coordinates);
    const Extension::Element X = central_inverse(K.from_coordinates(algebra::apply(key.T_inverse, y)));
    Vector<F> x = K.coordinates(X);
    F::add_scaled(x.data(), 1, key.s0.data(), coordinates);
    x = algebra::apply(key.S_inverse, x);
    if (x[n] != 0) continue;  // not in the projection
    return pack<F>(x);
  }
  throw std::runtime_error("pflash: no solution");
}

bool Pflash::verify(const QuadraticMap<F> &public_map, View message, View signature) {
  if (public_map.n != n || public_map.m != m) return false;
  const auto x = unpack<F>(signature, n);  // the spare half byte is zero
  return x && public_map.evaluate(*x) == target(message);
}

}  // namespace museum::broken::pflash
