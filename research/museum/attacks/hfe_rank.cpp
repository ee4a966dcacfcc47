// SPDX-License-Identifier: Apache-2.0
// The rank attack on quadratic maps over a large field: an equivalent key of GUI (HFEv-) or HmFEv from the public key alone, then
// a forged signature.
//   C. Tao, A. Petzoldt, J. Ding, "Efficient Key Recovery for All HFE Signature Variants", CRYPTO 2021, ePrint 2020/1424
//   J. Baena et al., "Improving Support-Minors Rank Attacks: Applications to GeMSS and Rainbow", CRYPTO 2022, ePrint 2021/1677
#include "museum/attacks/demo.hpp"
#include "museum/attacks/equivalent_key.hpp"
#include "museum/attacks/low_rank.hpp"
#include "museum/schemes/gui.hpp"
#include "museum/schemes/hmfev.hpp"

using namespace museum;
using namespace museum::attacks;
using namespace museum::field;

template <class G> static int attack(Demo &demo, const std::string &name, double most_unknowns) {
  using F = typename G::F;
  using K = typename G::K;
  Report &report = demo.report;
  Random rng(demo.seed);
  const G scheme;
  const auto target = scheme.keygen(view("a key under attack, " + std::to_string(demo.seed))).public_map;
  const QuadraticMap<F> P = G::decode_public(G::encode(target));  // an attacker has the bytes of the public key
  report.say("key", name);
  report.say("equations, variables", std::to_string(G::m) + ", " + std::to_string(G::N));
  const Clock clock;
  std::vector<Matrix<F>> polar;
  for (size_t k = 0; k < G::m; k++) {
    const Matrix<F> U = P.upper(k);
    polar.push_back(U + transpose(U));
  }
  LowRank<F, K> low_rank(scheme.L, polar, G::t, report);
  // The rank is not given: it is raised until there is a solution, or too much to solve.
  bool too_large = false;
  for (size_t r = 1; !too_large; r++) {
    const auto u = low_rank.find(r, most_unknowns, too_large);
    if (u.empty()) continue;
    report.say("seconds of CPU for u", clock.seconds());
    report.keep("unknowns", std::to_string(low_rank.unknowns()));
    EquivalentKey<G> equivalent(scheme.L, P, rng);
    const auto key = equivalent.find(polar, u);
    if (!key) continue;
    report.say("largest system for the rest", equivalent.unknowns());
    report.say("seconds of CPU for a key", clock.seconds());
    const std::string message = "a message that nobody signed";
    const Bytes signature = scheme.sign(*key, view(message),
                                        broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing());
    const bool accepted = G::verify(target, view(message), signature) && !G::verify(target, view(message + "!"), signature);
    report.say("forged signature", accepted ? "accepted" : "REFUSED");
    report.say("seconds of CPU", clock.seconds());
    return demo.found(accepted);
  }
  report.say("seconds of CPU", clock.seconds());
  return demo.nothing_found("no equivalent key: the next rank has too many unknowns");
}

int main(int argc, char **argv) {
  Options options(argc, argv,
                  "The rank attack on GUI and HmFEv: an equivalent key from the public key alone, and a forged signature.\n"
                  "Page: research/museum/docs/hfe-rank.md");
  const std::string set = options.text("set", "24",
                                       "the key: 96, 240, 120, hmfev are the museum's; 16, 24, 24-8, 32, 20-4, 4-256 small ones; "
                                       "high: D = 129");
  const double most = double(options.number("unknowns", 60000, "stop where a rank needs more"));
  Demo demo(options);
  using broken::gui::Gui, broken::hmfev::Hmfev;
  if (set == "16") return attack<Gui<Gf2, BinaryExtension<16, 0x2b>, 5, 2, 2, 3>>(demo, "GUI(2,16,5,2,2,3)", most);
  if (set == "24") return attack<Gui<Gf2, BinaryExtension<24, 0x1b>, 5, 3, 3, 3>>(demo, "GUI(2,24,5,3,3,3)", most);
  if (set == "24-8") return attack<Gui<Gf2, BinaryExtension<24, 0x1b>, 5, 8, 8, 3>>(demo, "GUI(2,24,5,8,8,3)", most);
  if (set == "32") return attack<Gui<Gf2, BinaryExtension<32, 0x8d>, 9, 3, 3, 3>>(demo, "GUI(2,32,9,3,3,3)", most);
  if (set == "20-4") return attack<Gui<Gf4, BinaryExtension<40, 0x39>, 17, 2, 3, 2>>(demo, "GUI(4,20,17,2,3,2)", most);
  if (set == "4-256") return attack<Hmfev<Gf256, BinaryExtension<32, 0x8d>, 4>>(demo, "HmFEv(256,4,3,4)", most);
  if (set == "96") return attack<broken::gui::Gui96>(demo, "GUI(2,96,5,6,6,3)", most);
  if (set == "240") return attack<broken::gui::Gui240>(demo, "GUI(2,240,9,16,16,3)", most);
  if (set == "120") return attack<broken::gui::Gui120>(demo, "GUI(4,120,17,8,8,2)", most);
  if (set == "hmfev") return attack<broken::hmfev::Hmfev256>(demo, "HmFEv(256,15,3,16)", most);
  if (set == "high") return attack<Gui<Gf2, BinaryExtension<24, 0x1b>, 129, 3, 3, 3>>(demo, "GUI(2,24,129,3,3,3)", most);
  Options::fail("there is no set " + set);
}
