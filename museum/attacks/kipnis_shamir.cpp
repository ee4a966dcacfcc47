// SPDX-License-Identifier: Apache-2.0
#include "museum/attacks/kipnis_shamir.hpp"
#include "museum/attacks/demo.hpp"
#include "museum/attacks/forge.hpp"

using namespace museum;
using namespace museum::attacks;

static Options options_of(int argc, char **argv) {
  return Options(
      argc, argv,
      "Kipnis and Shamir's attack on balanced oil and vinegar: the secret key and a forged signature from the public key.\n"
      "Page: museum/docs/kipnis-shamir.md");
}

template <class F> static int run(size_t v, size_t o, size_t most, unsigned long seed, bool defended, Report &report) {
  Random rng(seed);
  const broken::uov::Uov<F> scheme(o, v);
  const auto key = scheme.keygen(view("key " + std::to_string(seed)));
  const Forms<F> P = forms_of(key.public_map);
  report.say("q", F::q), report.say("v", double(v)), report.say("o", double(o));
  const Clock clock;
  const auto found = kipnis_shamir(P, o, most, rng);
  report.say("pencils tried", double(found.pencils));
  report.say("lines tested", double(found.candidates));
  report.say("seconds of CPU", clock.seconds());
  if (!found.oil) {
    report.say("result", "no oil vector found");
    return defended ? 0 : 1;
  }
  report.say("oil space",
             *found.oil == secret_oil_space(key.secret) ? "is the secret one" : "is another one than the secret one");
  const bool forged = forge_uov(scheme, key.public_map, P, *found.oil, "never signed", rng);
  report.say("forged signature", forged ? "accepted" : "REFUSED");
  report.keep_matrix("before", P.polar(0));
  report.keep_matrix("after", polar_in_recovered_basis(P, *found.oil));
  return forged && !defended ? 0 : 1;
}

int main(int argc, char **argv) {
  Options options = options_of(argc, argv);
  const long q = options.number("q", 256, "elements of the field: 7, 16, 31 or 256");
  const long v = options.number("v", 96, "vinegar variables");
  const long o = options.number("o", 96, "oil variables and equations");
  const long most = options.number("pencils", 200, "pencils to try");
  const long seed = options.number("seed", 1, "of key and attack");
  const bool defended = options.flag("defended", "succeed only if nothing is found");
  Report report(options.text("json", "", "file for the figures' data"));
  options.done();
  if (v < 1 || o < 1 || v > 400 || o > 400) Options::fail("v and o are 1 to 400");
  const auto go = [&]<class F>(F) { return run<F>(size_t(v), size_t(o), size_t(most), (unsigned long)seed, defended, report); };
  const int status = q == 256  ? go(field::Gf256{})
                     : q == 16 ? go(field::Gf16{})
                     : q == 7  ? go(field::Gf7{})
                     : q == 31 ? go(field::Gf31{})
                               : (Options::fail("q is 7, 16, 31 or 256"), 2);
  report.write();
  return status;
}
