// SPDX-License-Identifier: Apache-2.0
#include <aioli/aioli.h>
#include "museum/attacks/demo.hpp"
#include "museum/attacks/forge.hpp"
#include "museum/attacks/kipnis_shamir.hpp"
#include "museum/attacks/mayo_public.hpp"

using namespace museum;
using namespace museum::attacks;

namespace {

struct Request {
  unsigned long seed;
  size_t pencils;  // without a leak: how long Kipnis-Shamir may try
  bool without_leak;
};

// Recovers the space from a leaked vector, or tries to without one; nothing if that was so and failed, as it should.
template <class F>
std::optional<Matrix<F>> recover(const Forms<F> &P, const Matrix<F> &secret, const Request &request, Random &rng, Report &report,
                                 bool &ok) {
  report.say("n", double(P.n())), report.say("m", double(P.m())), report.say("o", double(secret.rows()));
  const Clock clock;
  std::optional<Matrix<F>> oil;
  if (request.without_leak) {
    const auto tried = kipnis_shamir(P, secret.rows(), request.pencils, rng);
    oil = tried.oil;
    report.say("pencils tried", double(tried.pencils)), report.say("lines tested", double(tried.candidates));
    for (int i = 0; i < 20 && !oil; i++) oil = oil_space_of(P, random_vector<F>(P.n(), rng), secret.rows());
    report.say("seconds of CPU", clock.seconds());
    report.say("result", oil ? "FOUND without a leak" : "nothing found without a leak");
    ok = !oil;
    return oil;
  }
  Vector<F> leaked(P.n(), 0);
  while (is_zero<F>(leaked)) leaked = combine_rows(random_vector<F>(secret.rows(), rng), secret);
  const Clock attack;
  oil = oil_space_of(P, leaked, secret.rows());
  report.say("seconds of CPU", attack.seconds());
  ok = oil && *oil == secret;
  report.say("oil space", ok ? "is the secret one" : "NOT recovered");
  if (ok) {
    report.keep_matrix("before", P.polar(0));
    report.keep_matrix("after", polar_in_recovered_basis(P, *oil));
  }
  return oil;
}

template <class F> bool attack_uov(const char *name, size_t n, size_t m, const Request &request, Report &report) {
  const aioli_alg *alg = aioli_alg_by_name(name);
  if (alg != nullptr && aioli_public_key_bytes(alg) != packed_bytes<F>(n * (n + 1) / 2 * m))
    Options::fail(std::string(name) + " of the library has another size");
  Random rng(request.seed);
  const UovTarget<F> target(n - m, m, "key " + std::to_string(request.seed));
  bool ok = false;
  const auto oil = recover(target.P, secret_oil_space(target.key.secret), request, rng, report, ok);
  if (!oil) return ok;
  const bool forged = forge_uov(target, *oil, "never signed", rng);
  report.say("forged signature", forged ? "accepted" : "REFUSED");
  return ok && forged;
}

bool attack_mayo(const MayoSet &set, const Request &request, Report &report) {
  Random rng(request.seed);
  const aioli_alg *alg = aioli_alg_by_name(set.name.c_str());
  if (alg == nullptr) Options::fail(set.name + " is not in this build of the library");
  Bytes pk(aioli_public_key_bytes(alg)), sk(aioli_secret_key_bytes(alg)), seed(sk.size());
  for (auto &byte : seed) byte = uint8_t(rng());
  if (aioli_keypair_from_seed(alg, pk.data(), pk.size(), sk.data(), sk.size(), seed.data(), seed.size(), nullptr) != AIOLI_OK)
    Options::fail("aioli_keypair_from_seed failed");
  const MayoKey key(set, pk);
  bool ok = false;
  const auto oil = recover(key.P(), MayoKey::secret_oil_space(set, sk), request, rng, report, ok);
  if (!oil) return ok;
  const std::string message = "never signed", other = "nor this";
  const Bytes signature = key.forge(view(message), *oil, rng);
  const auto accepts = [&](const std::string &msg) {
    return aioli_verify(alg, signature.data(), signature.size(), (const uint8_t *)msg.data(), msg.size(), pk.data(), pk.size(),
                        nullptr) == AIOLI_OK;
  };
  const bool forged = accepts(message) && !accepts(other);
  report.say("forged signature", forged ? "accepted by aioli_verify" : "REFUSED by aioli_verify");
  return ok && forged;
}

}  // namespace

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "One vector of the oil space gives all of it: full-size UOV (round 3) and MAYO, then a forged signature.\n"
                  "Sets: UOV-Ip UOV-Is UOV-III UOV-V MAYO-1 MAYO-2 MAYO-3 MAYO-5; `all` for all of them.\n"
                  "Page: research/museum/docs/one-vector.md");
  const std::string set = options.text("set", "UOV-Ip", "whose key");
  const size_t pencils = size_t(options.number("pencils", 20, "without a leak: pencils for Kipnis-Shamir to try"));
  const bool without_leak = options.flag("without-leak", "no vector is given; succeed only if nothing is found");
  Demo demo(options, Demo::attack_only);
  Report &report = demo.report;
  const Request request{demo.seed, pencils, without_leak};
  bool ok = true, known = false;
  const auto uov = [&]<class F>(const char *name, F, size_t n, size_t m) {
    if (set != name && set != "all") return;
    known = true;
    report.say("set", name);
    ok = attack_uov<F>(name, n, m, request, report) && ok;
  };
  const auto mayo = [&](const MayoSet &s) {
    if (set != s.name && set != "all") return;
    known = true;
    report.say("set", s.name);
    ok = attack_mayo(s, request, report) && ok;
  };
  uov("UOV-Ip", field::Gf256{}, 119, 45);
  uov("UOV-Is", field::Gf16{}, 160, 64);
  uov("UOV-III", field::Gf256{}, 193, 72);
  uov("UOV-V", field::Gf256{}, 259, 96);
  mayo(MayoSet::of<aioli::Mayo1>("MAYO-1"));
  mayo(MayoSet::of<aioli::Mayo2>("MAYO-2"));
  mayo(MayoSet::of<aioli::Mayo3>("MAYO-3"));
  mayo(MayoSet::of<aioli::Mayo5>("MAYO-5"));
  if (!known) Options::fail("no set is called " + set + " (--help)");
  return demo.found(ok);
}
