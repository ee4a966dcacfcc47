// SPDX-License-Identifier: Apache-2.0
// Rainbow: two layers of oil and vinegar (J. Ding, D. Schmidt, ACNS 2005), in the form of NIST's rounds 2 and 3.
//
// STATUS CARD
//   BROKEN.  W. Beullens, "Breaking Rainbow Takes a Weekend on a Laptop", CRYPTO 2022 (ePrint 2022/214): a key of (16, 32, 32,
//   32), the set Ia of round 2, in 53 hours on average on a laptop.  Before that W. Beullens, "Improved Cryptanalysis of UOV and
//   Rainbow", EUROCRYPT 2021 (ePrint 2020/1343): the claims of all sets of rounds 2 and 3 cut.  The larger sets of round 3 fall
//   short of their claims and are not known to be broken in practice; NIST dropped the scheme in July 2022 (IR 8413).
//   Demonstrations: museum_rainbow_simple (Beullens' simple attack, then Kipnis-Shamir), museum_minrank, museum_band_separation;
//   small keys.
//
// Official: the nine variants of round 3 (classic, circumzenithal and compressed of I, III, V) and Ia of round 2, byte for byte.
// NOT official: (31, 28, 28, 28) and (256, 28, 20, 20) of the tables of 2017, written in this same form.  The code of 2017 had
// other encodings, linear terms and no message hash, and published no known answers; nothing interoperates with these two.
//
//   (q, v1, o1, o2)   field, vinegar variables, variables and equations of layer 1 and of layer 2; n = v1 + o1 + o2, m = o1 + o2
//   F                 central map; layer 1 knows the first v1 + o1 variables only, and neither layer multiplies two of its own
//   oil variables
//   S, T              S = [[I, s1], [0, I]], T = [[I, t1, t2], [0, I, t3], [0, 0, I]]; the public map is S o F o T
#pragma once
#include <array>

#include "museum/field/binary_field.hpp"
#include "museum/field/prime_field.hpp"
#include "museum/schemes/acknowledgement.hpp"
#include "museum/schemes/encoding.hpp"
#include "museum/schemes/quadratic_map.hpp"
#include "museum/symmetric/ctr_drbg.hpp"
#include "museum/symmetric/sha2.hpp"

namespace museum::broken::rainbow {

struct Parameters {
  const char *name;
  size_t v1, o1, o2;
  Sha2 hash;
  bool official;
};
// Over TowerGf16, TowerGf256 and Gf31 as their names say.
inline constexpr Parameters I{"Rainbow-I", 36, 32, 32, Sha2::sha256, true};      // GF(16)
inline constexpr Parameters III{"Rainbow-III", 68, 32, 48, Sha2::sha384, true};  // GF(256)
inline constexpr Parameters V{"Rainbow-V", 96, 36, 64, Sha2::sha512, true};      // GF(256)
inline constexpr Parameters Ia_round_2{"Rainbow-Ia-r2", 32,  32, 32,
                                       Sha2::sha256,    true};  // GF(16): the one that fell in a weekend
inline constexpr Parameters lecture_31{"Rainbow(31,28,28,28)", 28, 28, 28, Sha2::sha256, false};    // GF(31)
inline constexpr Parameters lecture_256{"Rainbow(256,28,20,20)", 28, 20, 20, Sha2::sha256, false};  // GF(256)

template <class F> struct SecretKey {
  Bytes seed;                // 32
  Matrix<F> s1, t1, t4, t3;  // t4 = t1 t3 - t2, the last column of T^-1 without its sign
  QuadraticMap<F> central;   // equations of layer 1, then of layer 2
};

template <class F> class Rainbow {
 public:
  explicit Rainbow(const Parameters &p);
  // Of any size, for attacks on small keys; SHA-256.
  Rainbow(size_t v1, size_t o1, size_t o2) : Rainbow(Parameters{"Rainbow", v1, o1, o2, Sha2::sha256, false}) {}
  const Parameters p;
  const size_t v1, o1, o2, v2, n, m;  // v2 = v1 + o1

  static constexpr size_t seed_bytes = 32, salt_bytes = 16;
  size_t public_key_bytes() const;             // classic
  size_t compressed_public_key_bytes() const;  // circumzenithal and compressed
  size_t secret_key_bytes() const;             // classic and circumzenithal
  static constexpr size_t compressed_secret_key_bytes = 2 * seed_bytes;
  size_t signature_bytes() const;

  struct ClassicPair {
    QuadraticMap<F> public_map;
    SecretKey<F> secret;
  };
  ClassicPair keygen_classic(View sk_seed) const;
  struct CircumzenithalPair {
    Bytes public_key;  // compressed: the seed and what does not follow from it
    SecretKey<F> secret;
  };
  CircumzenithalPair keygen_circumzenithal(View sk_seed, View pk_seed) const;

  // Encodings.  The decoders throw std::invalid_argument for bytes that are no key.
  Bytes encode(const QuadraticMap<F> &public_map) const;
  QuadraticMap<F> decode_public(View bytes) const;       // classic
  QuadraticMap<F> expand_public(View compressed) const;  // circumzenithal and compressed
  Bytes encode(const SecretKey<F> &key) const;
  SecretKey<F> decode_secret(View bytes) const;
  SecretKey<F> expand_secret(View compressed) const;  // pk_seed || sk_seed

  // What w has to satisfy: public_map(w) = target(message, salt).
  Vector<F> target(View message, View salt) const;
  // w || salt.  Throws std::runtime_error after 128 attempts.
  Bytes sign(const SecretKey<F> &key, View message, Acknowledgement) const;
  bool verify(const QuadraticMap<F> &public_map, View message, View signature) const;
  // T of the public map = S o F o T.
  Matrix<F> T(const SecretKey<F> &key) const;
  Matrix<F> T_inverse(const SecretKey<F> &key) const;

 private:
  struct Block {  // one layer's equations of one rectangle of variables
    size_t layer, number;
  };
  static constexpr std::array<Block, 7> in_central{{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {2, 5}, {2, 6}}};
  static constexpr std::array<Block, 5> in_public_only{{{1, 3}, {1, 5}, {1, 6}, {1, 9}, {2, 9}}};
  // visit(place, count): each of the block's coefficient vectors, in storing order.
  template <class Map, class Visit> void each(Map &map, Block block, Visit &&visit) const;
  size_t elements(Block block) const;
  Bytes packed(const QuadraticMap<F> &map, std::span<const Block> blocks) const;
  template <class Take> void fill(QuadraticMap<F> &map, std::span<const Block> blocks, Take &&take) const;
  void clear(QuadraticMap<F> &map, std::span<const Block> blocks) const;
  Bytes hash(View data) const { return sha2(p.hash, {data}); }
  Bytes long_hash(View data, size_t n) const;
  CtrDrbg generator(View seed) const;
  static Matrix<F> from_columns(const Vector<F> &e, size_t rows, size_t cols);
  struct Maps {
    Matrix<F> s1, t1, t2, t3;
  };
  Maps secret_maps(CtrDrbg &random) const;
  Matrix<F> unit_triangular(const Matrix<F> &a, const Matrix<F> &b, const Matrix<F> &c) const;
  static Matrix<F> minus(const Matrix<F> &a, const Matrix<F> &b);
  void add_layer_2(QuadraticMap<F> &map, const Matrix<F> &s1) const;
};

extern template class Rainbow<field::TowerGf16>;
extern template class Rainbow<field::TowerGf256>;
extern template class Rainbow<field::Gf31>;
extern template class Rainbow<field::Gf16>;  // for attacks that want the flat fields
extern template class Rainbow<field::Gf256>;

}  // namespace museum::broken::rainbow
