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
      "Page: research/museum/docs/kipnis-shamir.md");
}

template <class F> static int run(size_t v, size_t o, size_t most, Demo &demo) {
  Report &report = demo.report;
  Random rng(demo.seed);
  const UovTarget<F> target(v, o, "key " + std::to_string(demo.seed));
  report.say("q", F::q), report.say("v", double(v)), report.say("o", double(o));
  const Clock clock;
  const auto found = kipnis_shamir(target.P, o, most, rng);
  report.say("pencils tried", double(found.pencils));
  report.say("lines tested", double(found.candidates));
  report.say("seconds of CPU", clock.seconds());
  if (!found.oil) return demo.nothing_found("no oil vector found");
  report.say("oil space",
             *found.oil == secret_oil_space(target.key.secret) ? "is the secret one" : "is another one than the secret one");
  const bool forged = forge_uov(target, *found.oil, "never signed", rng);
  report.say("forged signature", forged ? "accepted" : "REFUSED");
  report.keep_matrix("before", target.P.polar(0));
  report.keep_matrix("after", polar_in_recovered_basis(target.P, *found.oil));
  return demo.found(forged);
}

int main(int argc, char **argv) {
  Options options = options_of(argc, argv);
  const long q = options.number("q", 256, "elements of the field: 7, 16, 31 or 256");
  const long v = options.number("v", 96, "vinegar variables");
  const long o = options.number("o", 96, "oil variables and equations");
  const long most = options.number("pencils", 200, "pencils to try");
  Demo demo(options);
  if (v < 1 || o < 1 || v > 400 || o > 400) Options::fail("v and o are 1 to 400");
  if (v < o)
    Options::fail(
        "v is at least o: with less vinegar than oil no polar form is invertible, and the attack has nothing to work on");
  const auto go = [&]<class F>(F) { return run<F>(size_t(v), size_t(o), size_t(most), demo); };
  return q == 256  ? go(field::Gf256{})
         : q == 16 ? go(field::Gf16{})
         : q == 7  ? go(field::Gf7{})
         : q == 31 ? go(field::Gf31{})
                   : (Options::fail("q is 7, 16, 31 or 256"), 2);
}
