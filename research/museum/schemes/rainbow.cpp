// SPDX-License-Identifier: Apache-2.0
#include "museum/schemes/rainbow.hpp"

#include <stdexcept>

namespace museum::broken::rainbow {

template <class F>
Rainbow<F>::Rainbow(const Parameters &p_)
    : p(p_), v1(p_.v1), o1(p_.o1), o2(p_.o2), v2(p_.v1 + p_.o1), n(p_.v1 + p_.o1 + p_.o2), m(p_.o1 + p_.o2) {
  if (v1 == 0 || o1 == 0 || o2 == 0) throw std::invalid_argument("rainbow: v1, o1, o2 are positive");
}

// ---- sizes and encodings -----------------------------------------------------------------------------------------------------

// Blocks by number: rows and columns from the vinegar variables (v1), the first oil variables (o1) or the second (o2).
// 1 = (v1, v1), 2 = (v1, o1), 3 = (v1, o2), 5 = (o1, o1), 6 = (o1, o2), 9 = (o2, o2); squares are upper triangular.
template <class F> template <class Map, class Visit> void Rainbow<F>::each(Map &map, Block block, Visit &&visit) const {
  const size_t start[] = {0, v1, v2, n};
  const size_t r = (block.number - 1) / 3, c = (block.number - 1) % 3;
  const size_t skip = block.layer == 1 ? 0 : o1, count = block.layer == 1 ? o1 : o2;
  for (size_t i = start[r]; i < start[r + 1]; i++)
    for (size_t j = r == c ? i : start[c]; j < start[c + 1]; j++) visit(map.at(i, j) + skip, count);
}

template <class F> size_t Rainbow<F>::elements(Block block) const {
  const size_t size[] = {v1, o1, o2};
  const size_t r = size[(block.number - 1) / 3], c = size[(block.number - 1) % 3];
  return ((block.number - 1) % 4 == 0 ? r * (r + 1) / 2 : r * c) * (block.layer == 1 ? o1 : o2);
}

template <class F> Bytes Rainbow<F>::packed(const QuadraticMap<F> &map, std::span<const Block> blocks) const {
  Bytes bytes;
  for (const Block block : blocks) {
    Vector<F> e;
    e.reserve(elements(block));
    each(map, block, [&](const auto *place, size_t count) { e.insert(e.end(), place, place + count); });
    append(bytes, pack<F>(e));
  }
  return bytes;
}

// take(count): so many elements.
template <class F>
template <class Take>
void Rainbow<F>::fill(QuadraticMap<F> &map, std::span<const Block> blocks, Take &&take) const {
  for (const Block block : blocks) {
    const Vector<F> e = take(elements(block));
    const auto *next = e.data();
    each(map, block, [&](auto *place, size_t count) { std::copy_n(next, count, place), next += count; });
  }
}

template <class F> void Rainbow<F>::clear(QuadraticMap<F> &map, std::span<const Block> blocks) const {
  for (const Block block : blocks)
    each(map, block, [](auto *place, size_t count) { std::fill_n(place, count, typename F::Element(0)); });
}

template <class F> Matrix<F> Rainbow<F>::from_columns(const Vector<F> &e, size_t rows, size_t cols) {
  Matrix<F> a(rows, cols);
  for (size_t j = 0; j < cols; j++)
    for (size_t i = 0; i < rows; i++) a(i, j) = e[j * rows + i];
  return a;
}

template <class F> size_t Rainbow<F>::public_key_bytes() const { return packed_bytes<F>(n * (n + 1) / 2 * m); }
template <class F> size_t Rainbow<F>::compressed_public_key_bytes() const {
  size_t bytes = seed_bytes;
  for (const Block block : in_public_only) bytes += packed_bytes<F>(elements(block));
  return bytes;
}
template <class F> size_t Rainbow<F>::secret_key_bytes() const {
  size_t bytes = seed_bytes + 2 * packed_bytes<F>(o1 * o2) + packed_bytes<F>(v1 * o1) + packed_bytes<F>(v1 * o2);
  for (const Block block : in_central) bytes += packed_bytes<F>(elements(block));
  return bytes;
}
template <class F> size_t Rainbow<F>::signature_bytes() const { return packed_bytes<F>(n) + salt_bytes; }

template <class F> Bytes Rainbow<F>::encode(const QuadraticMap<F> &public_map) const {
  return pack<F>(public_map.quadratic_coefficients());
}
template <class F> QuadraticMap<F> Rainbow<F>::decode_public(View bytes) const {
  if (bytes.size() != public_key_bytes()) throw std::invalid_argument("rainbow: wrong length of a public key");
  QuadraticMap<F> map(n, m);
  map.quadratic_coefficients() = Reader(bytes).elements<F>(map.quadratic_coefficients().size());
  return map;
}

template <class F> Bytes Rainbow<F>::encode(const SecretKey<F> &key) const {
  Bytes bytes = key.seed;
  for (const Matrix<F> *a : {&key.s1, &key.t1, &key.t4, &key.t3}) {  // by columns
    const Matrix<F> columns = algebra::transpose(*a);
    append(bytes, pack<F>(std::span(columns.row(0), columns.rows() * columns.cols())));
  }
  append(bytes, packed(key.central, in_central));
  return bytes;
}
template <class F> SecretKey<F> Rainbow<F>::decode_secret(View bytes) const {
  if (bytes.size() != secret_key_bytes()) throw std::invalid_argument("rainbow: wrong length of a secret key");
  Reader reader(bytes);
  const auto matrix = [&](size_t rows, size_t cols) { return from_columns(reader.elements<F>(rows * cols), rows, cols); };
  SecretKey<F> key;
  const View seed = reader.take(seed_bytes);
  key.seed.assign(seed.begin(), seed.end());
  key.s1 = matrix(o1, o2), key.t1 = matrix(v1, o1), key.t4 = matrix(v1, o2), key.t3 = matrix(o1, o2);
  key.central = QuadraticMap<F>(n, m);
  fill(key.central, in_central, [&](size_t count) { return reader.elements<F>(count); });
  return key;
}

template <class F> QuadraticMap<F> Rainbow<F>::expand_public(View compressed) const {
  if (compressed.size() != compressed_public_key_bytes())
    throw std::invalid_argument("rainbow: wrong length of a compressed public key");
  Reader reader(compressed);
  CtrDrbg random = generator(reader.take(seed_bytes));
  QuadraticMap<F> map(n, m);
  fill(map, in_central, [&](size_t count) { return sample<F>(count, random); });
  fill(map, in_public_only, [&](size_t count) { return reader.elements<F>(count); });
  return map;
}
template <class F> SecretKey<F> Rainbow<F>::expand_secret(View compressed) const {
  if (compressed.size() != compressed_secret_key_bytes)
    throw std::invalid_argument("rainbow: wrong length of a compressed secret key");
  return keygen_circumzenithal(compressed.subspan(seed_bytes), compressed.first(seed_bytes)).secret;
}

// ---- hashing and randomness
// -----------------------------------------------------------------------------------------------------

// H(data) || H(H(data)) || ..., cut to n bytes.
template <class F> Bytes Rainbow<F>::long_hash(View data, size_t n_) const {
  Bytes last = hash(data), all = last;
  while (all.size() < n_) last = hash(last), append(all, last);
  all.resize(n_);
  return all;
}

template <class F> CtrDrbg Rainbow<F>::generator(View seed) const {
  Bytes start(seed.begin(), seed.begin() + std::ptrdiff_t(std::min(seed.size(), size_t(48))));
  append(start, long_hash(seed, 48 - start.size()));
  return CtrDrbg(std::span<const uint8_t, 48>(start));
}

template <class F> typename Rainbow<F>::Maps Rainbow<F>::secret_maps(CtrDrbg &random) const {
  const auto matrix = [&](size_t rows, size_t cols) { return from_columns(sample<F>(rows * cols, random), rows, cols); };
  Maps maps;
  maps.s1 = matrix(o1, o2), maps.t1 = matrix(v1, o1), maps.t2 = matrix(v1, o2), maps.t3 = matrix(o1, o2);
  return maps;
}

// ---- keys
// -------------------------------------------------------------------------------------------------------------------------

template <class F> Matrix<F> Rainbow<F>::minus(const Matrix<F> &a, const Matrix<F> &b) {
  Matrix<F> difference = a;
  for (size_t i = 0; i < a.rows(); i++) F::add_scaled(difference.row(i), F::neg(1), b.row(i), b.cols());
  return difference;
}

// [[I, a, b], [0, I, c], [0, 0, I]]
template <class F> Matrix<F> Rainbow<F>::unit_triangular(const Matrix<F> &a, const Matrix<F> &b, const Matrix<F> &c) const {
  Matrix<F> U = Matrix<F>::identity(n);
  for (size_t i = 0; i < v1; i++) std::copy_n(a.row(i), o1, U.row(i) + v1), std::copy_n(b.row(i), o2, U.row(i) + v2);
  for (size_t i = 0; i < o1; i++) std::copy_n(c.row(i), o2, U.row(v1 + i) + v2);
  return U;
}
template <class F> Matrix<F> Rainbow<F>::T(const SecretKey<F> &key) const {
  return unit_triangular(key.t1, minus(key.t1 * key.t3, key.t4), key.t3);
}
template <class F> Matrix<F> Rainbow<F>::T_inverse(const SecretKey<F> &key) const {
  return unit_triangular(minus(Matrix<F>(v1, o1), key.t1), key.t4, minus(Matrix<F>(o1, o2), key.t3));
}

// S: to the equations of layer 1, s1 times those of layer 2.
template <class F> void Rainbow<F>::add_layer_2(QuadraticMap<F> &map, const Matrix<F> &s1) const {
  const Matrix<F> columns = algebra::transpose(s1);
  auto *place = map.quadratic_coefficients().data();
  for (size_t i = 0; i < n * (n + 1) / 2; i++, place += m)
    for (size_t k = 0; k < o2; k++) F::add_scaled(place, place[o1 + k], columns.row(k), o1);
}

template <class F> typename Rainbow<F>::ClassicPair Rainbow<F>::keygen_classic(View sk_seed) const {
  CtrDrbg random = generator(sk_seed);
  Maps maps = secret_maps(random);
  SecretKey<F> key{Bytes(sk_seed.begin(), sk_seed.end()), maps.s1, maps.t1, minus(maps.t1 * maps.t3, maps.t2), maps.t3, {n, m}};
  fill(key.central, in_central, [&](size_t count) { return sample<F>(count, random); });
  QuadraticMap<F> P = key.central.compose(T(key));
  add_layer_2(P, key.s1);
  return {std::move(P), std::move(key)};
}

// The blocks of the public map that have the shape of the central map come from pk_seed; the others and the central map follow.
template <class F> typename Rainbow<F>::CircumzenithalPair Rainbow<F>::keygen_circumzenithal(View sk_seed, View pk_seed) const {
  CtrDrbg secret = generator(sk_seed), random = generator(pk_seed);
  Maps maps = secret_maps(secret);
  SecretKey<F> key{Bytes(sk_seed.begin(), sk_seed.end()), maps.s1, maps.t1, minus(maps.t1 * maps.t3, maps.t2), maps.t3, {n, m}};
  QuadraticMap<F> Q(n, m);
  fill(Q, in_central, [&](size_t count) { return sample<F>(count, random); });
  add_layer_2(Q, minus(Matrix<F>(o1, o2), key.s1));  // S^-1
  clear(Q, in_public_only);                          // unknown yet, and what is known does not depend on them
  key.central = Q.compose(T_inverse(key));
  clear(key.central, in_public_only);
  QuadraticMap<F> P = key.central.compose(T(key));
  add_layer_2(P, key.s1);
  Bytes public_key(pk_seed.begin(), pk_seed.end());
  append(public_key, packed(P, in_public_only));
  return {std::move(public_key), std::move(key)};
}

// ---- signatures
// ---------------------------------------------------------------------------------------------------------------------

template <class F> Vector<F> Rainbow<F>::target(View message, View salt) const {
  Bytes data = hash(message);
  append(data, salt);
  // One stretch of hash for all elements; where some numbers are no elements, a longer one.
  return sample<F>(m, [&](size_t bytes) { return long_hash(data, bytes); });
}

template <class F> Bytes Rainbow<F>::sign(const SecretKey<F> &key, View message, Acknowledgement) const {
  const QuadraticMap<F> &C = key.central;
  Bytes seed = key.seed;
  append(seed, hash(message));
  CtrDrbg random = generator(hash(seed));
  int attempts = 0;
  constexpr int most_attempts = 128;

  // Vinegar variables with which layer 1 has one solution whatever the salt; its matrix has a row for each equation.
  Vector<F> x;
  Matrix<F> L1(o1, o1);
  for (bool singular = true; singular;) {
    if (attempts++ == most_attempts) throw std::runtime_error("rainbow: no solution");
    x = sample<F>(v1, random);
    Matrix<F> columns(o1, o1);
    for (size_t i = 0; i < v1; i++)
      for (size_t a = 0; a < o1; a++) F::add_scaled(columns.row(a), x[i], C.at(i, v1 + a), o1);
    L1 = algebra::transpose(columns);
    singular = algebra::rank(L1) < o1;
  }
  x.resize(n);
  const Vector<F> constant = C.evaluate(x);  // the oil variables are zero: what the vinegar alone gives
  const Vector<F> vinegar = x;
  for (;;) {
    if (attempts++ == most_attempts) throw std::runtime_error("rainbow: no solution");
    const Bytes salt = random(salt_bytes);
    Vector<F> y = target(message, salt);
    for (size_t i = 0; i < o1; i++)  // S^-1
      for (size_t k = 0; k < o2; k++) y[i] = F::sub(y[i], F::mul(key.s1(i, k), y[o1 + k]));
    x = vinegar;
    Vector<F> right(o1);
    for (size_t k = 0; k < o1; k++) right[k] = F::sub(y[k], constant[k]);
    std::ranges::copy(*algebra::unique_solution(L1, right), x.begin() + std::ptrdiff_t(v1));
    const Vector<F> known = C.evaluate(x);  // layer 2 without its oil
    Matrix<F> columns(o2, o2);
    for (size_t i = 0; i < v2; i++)
      for (size_t b = 0; b < o2; b++) F::add_scaled(columns.row(b), x[i], C.at(i, v2 + b) + o1, o2);
    right.resize(o2);
    for (size_t k = 0; k < o2; k++) right[k] = F::sub(y[o1 + k], known[o1 + k]);
    const auto oil = algebra::unique_solution(algebra::transpose(columns), right);
    if (!oil) continue;
    std::ranges::copy(*oil, x.begin() + std::ptrdiff_t(v2));
    Bytes signature = pack<F>(algebra::apply(T_inverse(key), x));
    append(signature, salt);
    return signature;
  }
}

template <class F> bool Rainbow<F>::verify(const QuadraticMap<F> &public_map, View message, View signature) const {
  if (signature.size() != signature_bytes() || public_map.n != n || public_map.m != m) return false;
  const auto w = unpack<F>(signature.first(packed_bytes<F>(n)), n);
  return w && public_map.evaluate(*w) == target(message, signature.last(salt_bytes));
}

template class Rainbow<field::TowerGf16>;
template class Rainbow<field::TowerGf256>;
template class Rainbow<field::Gf31>;
template class Rainbow<field::Gf16>;
template class Rainbow<field::Gf256>;

}  // namespace museum::broken::rainbow
