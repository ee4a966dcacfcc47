// SPDX-License-Identifier: Apache-2.0
#include "museum/bench/scheme.hpp"
#include "museum/schemes/gui.hpp"
#include "museum/schemes/hmfev.hpp"
#include "museum/schemes/mqdss.hpp"
#include "museum/schemes/pflash.hpp"
#include "museum/schemes/rainbow.hpp"
#include "museum/schemes/uov.hpp"

namespace museum::bench {

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

template <class F>
static void add_uov(std::vector<Scheme> &all, const std::string &name, size_t o, size_t v, const std::string &status) {
  const broken::uov::Uov<F> s(o, v);
  using Pair = broken::uov::KeyPair<F>;
  all.push_back(scheme(
      "museum", name, "C++", status, [=](const Bytes &seed) { return s.keygen(seed); },
      [=](const Pair &pair, const Bytes &message) {
        const auto signature = s.sign(pair.secret, message, acknowledged);
        Bytes bytes = pack<F>(signature.x);
        append(bytes, signature.salt);
        return bytes;
      },
      [=](const Pair &pair, const Bytes &message, const Bytes &bytes) {
        broken::uov::Signature<F> signature;
        Reader reader(bytes);
        signature.x = reader.elements<F>(s.n);
        std::ranges::copy(reader.take(signature.salt.size()), signature.salt.begin());
        return s.verify(pair.public_map, message, signature);
      },
      [=](const Pair &) {
        return Sizes{packed_bytes<F>(s.n * (s.n + 1) / 2 * s.m), 32 + packed_bytes<F>(v * o + (v * (v + 1) / 2 + v * o) * s.m),
                     packed_bytes<F>(s.n) + 16};
      }));
}

template <class F> static void add_rainbow(std::vector<Scheme> &all, const broken::rainbow::Parameters &p, bool circumzenithal) {
  const broken::rainbow::Rainbow<F> s(p);
  using Pair = typename broken::rainbow::Rainbow<F>::ClassicPair;
  const auto sign = [=](const Pair &pair, const Bytes &message) { return s.sign(pair.secret, message, acknowledged); };
  const auto verify = [=](const Pair &pair, const Bytes &message, const Bytes &signature) {
    return s.verify(pair.public_map, message, signature);
  };
  all.push_back(scheme(
      "museum", p.name + std::string(p.official ? " classic" : ""), "C++", p.v1 == 32 ? "broken" : "broken, short of its claim",
      [=](const Bytes &seed) { return s.keygen_classic(seed); }, sign, verify,
      [=](const Pair &) { return Sizes{s.public_key_bytes(), s.secret_key_bytes(), s.signature_bytes()}; }));
  if (!circumzenithal) return;
  // Keys as stored: compressed ones are expanded by each use.
  struct Small {
    Bytes public_key, secret_key;
    broken::rainbow::SecretKey<F> secret;
  };
  for (const bool compressed : {false, true})
    all.push_back(scheme(
        "museum", p.name + std::string(compressed ? " compressed" : " circumzenithal"), "C++", "broken, short of its claim",
        [=](const Bytes &seed) {
          const Bytes pk_seed(seed.rbegin(), seed.rend());
          auto pair = s.keygen_circumzenithal(seed, pk_seed);
          Bytes seeds = pk_seed;
          append(seeds, seed);
          return Small{std::move(pair.public_key), std::move(seeds), std::move(pair.secret)};
        },
        [=](const Small &pair, const Bytes &message) {
          return compressed ? s.sign(s.expand_secret(pair.secret_key), message, acknowledged)
                            : s.sign(pair.secret, message, acknowledged);
        },
        [=](const Small &pair, const Bytes &message, const Bytes &signature) {
          return s.verify(s.expand_public(pair.public_key), message, signature);
        },
        [=](const Small &) {
          return Sizes{s.compressed_public_key_bytes(), compressed ? s.compressed_secret_key_bytes : s.secret_key_bytes(),
                       s.signature_bytes()};
        }));
}

// Sizes of a secret key: S, T, s0, t0 and the seed; of the central map its coefficients.
template <class S> static void add_big_field(std::vector<Scheme> &all, const std::string &name, const std::string &status) {
  using Pair = typename S::Pair;
  const auto s = std::make_shared<S>();
  all.push_back(scheme(
      "museum", name, "C++", status, [=](const Bytes &seed) { return s->keygen(seed); },
      [=](const Pair &pair, const Bytes &message) { return s->sign(pair.secret, message, acknowledged); },
      [=](const Pair &pair, const Bytes &message, const Bytes &signature) {
        return S::verify(pair.public_map, message, signature);
      },
      [=](const Pair &pair) {
        const size_t N = pair.secret.s0.size(), n = pair.secret.t0.size();
        size_t coefficients = 0;
        for (const auto &p : pair.secret.central.polynomials)
          for (const auto *part : {&p.alpha, &p.beta, &p.gamma})
            coefficients += size_t(std::ranges::count_if(*part, [](const auto &e) { return bool(e); }));
        return Sizes{S::public_key_bytes,
                     packed_bytes<typename S::F>(N * N + n * n + N + n + coefficients * s->L.degree) + pair.secret.seed.size(),
                     S::signature_bytes};
      }));
}

std::vector<Scheme> museum_schemes() {
  std::vector<Scheme> all;
  add_uov<field::Gf256>(all, "OV(256,44,44)", 44, 44, "broken");
  add_uov<field::Gf256>(all, "OV(256,96,96)", 96, 96, "broken");
  add_uov<field::Gf256>(all, "UOV(256,45,74), teaching text", 45, 74, "teaching only");
  using namespace broken::rainbow;
  add_rainbow<field::TowerGf16>(all, Ia_round_2, false);
  add_rainbow<field::Gf31>(all, lecture_31, false);
  add_rainbow<field::TowerGf256>(all, lecture_256, false);
  add_rainbow<field::TowerGf16>(all, I, true);
  add_rainbow<field::TowerGf256>(all, III, true);
  add_rainbow<field::TowerGf256>(all, V, true);

  struct Keys {
    Bytes secret_key, public_key;
  };
  namespace mqdss = broken::mqdss;
  for (const auto &p : {mqdss::mqdss_48_135, mqdss::mqdss_48_184, mqdss::mqdss_64_202, mqdss::mqdss_64_277}) {
    const mqdss::Mqdss s(p);
    all.push_back(scheme(
        "museum", p.name, "C++", p.rounds == 135 || p.rounds == 202 ? "broken, short of its claim" : "dropped",
        [=](const Bytes &seed) {
          Keys keys{Bytes(seed.begin(), seed.begin() + std::ptrdiff_t(s.secret_key_bytes())), {}};
          keys.public_key = s.public_key(keys.secret_key);
          return keys;
        },
        [=](const Keys &keys, const Bytes &message) { return s.sign(keys.secret_key, message, acknowledged); },
        [=](const Keys &keys, const Bytes &message, const Bytes &signature) {
          return s.verify(keys.public_key, message, signature);
        },
        [=](const Keys &) { return Sizes{s.public_key_bytes(), s.secret_key_bytes(), s.signature_bytes()}; }));
  }

  using broken::pflash::Pflash;
  using PflashPair = broken::pflash::KeyPair;
  const auto s = std::make_shared<Pflash>();
  all.push_back(scheme(
      "museum", "PFLASH(16,96-1,64)", "C++", "broken; our reconstruction", [=](const Bytes &seed) { return s->keygen(seed); },
      [=](const PflashPair &pair, const Bytes &message) { return s->sign(pair.secret, message, acknowledged); },
      [=](const PflashPair &pair, const Bytes &message, const Bytes &signature) {
        return Pflash::verify(pair.public_map, message, signature);
      },
      [=](const PflashPair &) {
        return Sizes{Pflash::public_key_bytes, 2 * Pflash::coordinates * Pflash::coordinates / 2 + Pflash::coordinates + 32,
                     Pflash::signature_bytes};
      }));
  const std::string reconstruction = "broken; our reconstruction from the papers";
  add_big_field<broken::gui::Gui96>(all, "GUI(2,96,5,6,6,3)", reconstruction);
  add_big_field<broken::gui::Gui240>(all, "GUI(2,240,9,16,16,3)", reconstruction);
  add_big_field<broken::gui::Gui120>(all, "GUI(4,120,17,8,8,2)", reconstruction);
  add_big_field<broken::hmfev::Hmfev256>(all, "HmFEv(256,15,3,16)", reconstruction);
  return all;
}

}  // namespace museum::bench
