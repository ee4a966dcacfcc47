// SPDX-License-Identifier: Apache-2.0
// From one vector of Rainbow's inner oil space to the whole key, and from there to signatures.
//
// The notation is that of W. Beullens, "Improved Cryptanalysis of UOV and Rainbow", EUROCRYPT 2021:  O2 in O1 in F^n and W in
// F^m, of dimensions o2, o1 + o2 and o2; P vanishes on O2, sends O1 into W, and P'(x, y) lies in W for every x and every y of O2.
#pragma once
#include "museum/attacks/demo.hpp"
#include "museum/attacks/forge.hpp"
#include "museum/attacks/kipnis_shamir.hpp"
#include "museum/schemes/rainbow.hpp"

namespace museum::attacks {

// The layers of a small Rainbow, as options.
struct Layers {
  Layers(Options &options, long by_default, long most)
      : v1(size_t(options.number("v1", by_default, "vinegar variables"))),
        o1(size_t(options.number("o1", by_default, "variables and equations of layer 1"))),
        o2(size_t(options.number("o2", by_default, "variables and equations of layer 2"))),
        most_(most) {}
  // After the last option.
  void check() const {
    const auto fits = [&](size_t n, long least) { return long(n) >= least && long(n) <= most_; };
    if (!fits(v1, 2) || !fits(o1, 1) || !fits(o2, 1) || !fits(v1 + o1 + o2, 4))
      Options::fail("v1 >= 2, o1, o2 >= 1, at most " + std::to_string(most_) + " together");
  }
  std::string with_q(int q) const {
    return std::to_string(q) + ", " + std::to_string(v1) + ", " + std::to_string(o1) + ", " + std::to_string(o2);
  }
  const size_t v1, o1, o2;

 private:
  const long most_;
};

// A classic key of research/museum/schemes/rainbow.hpp under attack.
template <class F> struct RainbowTarget {
  RainbowTarget(const Layers &layers, unsigned long seed)
      : scheme(layers.v1, layers.o1, layers.o2),
        pair(scheme.keygen_classic(shake256({view("key " + std::to_string(seed))}, scheme.seed_bytes))),
        P(forms_of(pair.public_map)) {}
  const broken::rainbow::Rainbow<F> scheme;
  const typename broken::rainbow::Rainbow<F>::ClassicPair pair;
  const Forms<F> P;
};

// What the Rainbow programs have in common: the layers, asked for first, and after a program's own options the key under attack.
template <class F> struct RainbowDemo {
  RainbowDemo(Options &options, const Layers &layers)
      : demo(options), rng(demo.seed), target((layers.check(), layers), demo.seed), P(target.P) {
    demo.report.say("q, v1, o1, o2", layers.with_q(F::q));
  }
  Demo demo;
  Random rng;
  const RainbowTarget<F> target;
  const Forms<F> &P;
};

template <class F> struct RainbowKey {
  Matrix<F> O2;       // rows: a basis
  Matrix<F> W;        // rows: a basis
  Matrix<F> outside;  // rows: the functionals that vanish on W; they make layer 1 of the public map
  Matrix<F> rest;     // rows: a basis of a complement of O2
  Forms<F> layer_1;   // the functionals after P, on that complement: oil and vinegar with v1 and o1
  Matrix<F> oil_1;    // of layer_1
  size_t pencils;     // that Kipnis-Shamir took for oil_1
};

// Everything from y in O2.  The last step is Kipnis-Shamir on layer 1, which is polynomial if v1 = o1; it may try `most` pencils.
template <class F>
std::optional<RainbowKey<F>> rainbow_key_of(const Forms<F> &P, const Vector<F> &y, size_t o1, size_t o2, size_t most,
                                            Random &rng) {
  if (is_zero<F>(y) || !P.vanishes_at(y)) return std::nullopt;
  const Matrix<F> W = row_space(transpose(P.polar_at(y)));  // P'(y, F^n)
  if (W.rows() != o2) return std::nullopt;
  const Matrix<F> outside = kernel(W);
  const Forms<F> Q = P.combined(outside);
  Matrix<F> all(0, P.n());  // O2 is where every functional's polar form vanishes
  for (size_t k = 0; k < Q.m(); k++) all = stack(std::move(all), Q.polar(k));
  const Matrix<F> O2 = kernel(all);
  if (O2.rows() != o2 || !P.vanishes_on(O2)) return std::nullopt;
  const Matrix<F> rest = complement(O2);
  const Forms<F> layer_1 = Q.restricted(rest);
  const auto found = kipnis_shamir(layer_1, o1, most, rng);
  if (!found.oil) return std::nullopt;
  return RainbowKey<F>{row_space(O2), W, outside, rest, layer_1, *found.oil, found.pencils};
}

// For comparison only: the secret O2, T^-1 of the last o2 unit vectors.
template <class F> Matrix<F> secret_O2(const broken::rainbow::Rainbow<F> &scheme, const broken::rainbow::SecretKey<F> &secret) {
  const Matrix<F> columns = transpose(scheme.T_inverse(secret));
  Matrix<F> O2(0, scheme.n);
  for (size_t i = scheme.n - scheme.o2; i < scheme.n; i++) O2.append_row(columns.row_vector(i));
  return row_space(O2);
}

// Some x with P(x) = t: layer 1 by its oil, then layer 2 by O2, linear both.  With a right key nearly every attempt succeeds,
// with a wrong one none, as what is missing then lies outside of W: nothing after 256.
template <class F>
std::optional<Vector<F>> preimage(const RainbowKey<F> &key, const Forms<F> &P, const Vector<F> &t, Random &rng) {
  for (int attempt = 0; attempt < 256; attempt++) {
    Vector<F> x = combine_rows(preimage(key.layer_1, key.oil_1, algebra::apply(key.outside, t), rng), key.rest);
    const Vector<F> at = P(x);
    Vector<F> missing(P.m());
    for (size_t k = 0; k < P.m(); k++) missing[k] = F::sub(t[k], at[k]);  // lies in W
    const auto z = solve(P.polar_at(x) * transpose(key.O2), missing);
    if (!z) continue;
    const Vector<F> y = combine_rows(*z, key.O2);
    F::add_scaled(x.data(), 1, y.data(), x.size());
    return x;
  }
  return std::nullopt;
}

template <class F>
bool forge_rainbow(const RainbowTarget<F> &target, const RainbowKey<F> &key, const std::string &message, Random &rng) {
  const auto &[scheme, pair, P] = target;
  Bytes salt(scheme.salt_bytes);
  for (auto &byte : salt) byte = uint8_t(rng());
  const auto x = preimage(key, P, scheme.target(view(message), salt), rng);
  if (!x) return false;
  Bytes signature = pack<F>(*x);
  append(signature, salt);
  return scheme.verify(pair.public_map, view(message), signature) &&
         !scheme.verify(pair.public_map, view(message + "!"), signature);
}

// What the Rainbow programs do once they hold a vector of O2: the whole key, a comparison, a forged signature.  Nothing if layer
// 1 resists; else true if all went well.
template <class F>
std::optional<bool> finish_rainbow(const RainbowTarget<F> &target, const Vector<F> &y, Random &rng, Report &report) {
  const auto &[scheme, pair, P] = target;
  const Clock clock;
  const auto key = rainbow_key_of(P, y, scheme.o1, scheme.o2, 2000, rng);
  report.say("seconds of CPU for the rest", clock.seconds());
  if (!key) {
    report.say("whole key", "NOT recovered");
    return std::nullopt;
  }
  const bool same = key->O2 == secret_O2(scheme, pair.secret);
  report.say("O2", same ? "is the secret one" : "is NOT the secret one");
  report.say("pencils of Kipnis-Shamir", double(key->pencils));
  const bool forged = forge_rainbow(target, *key, "never signed", rng);
  report.say("forged signature", forged ? "accepted" : "REFUSED");
  // For the figure: a form of layer 1 and one outside of it, in the basis O2, O1 / O2, the rest.
  const Matrix<F> O1 = stack(key->O2, key->oil_1 * key->rest), basis = stack(O1, complement(O1));
  const Forms<F> Q = P.combined(key->outside);
  report.keep_matrix("before", P.polar(0));
  report.keep_matrix("after", basis * Q.polar(0) * transpose(basis));
  report.keep_matrix("after2", basis * P.polar(0) * transpose(basis));
  return same && forged;
}

}  // namespace museum::attacks
