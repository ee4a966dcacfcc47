// SPDX-License-Identifier: Apache-2.0
// What the model (big_field_model.py) is compared with: products in the large fields, and of GUI and HmFEv, in small and in real
// sizes, a public key and signatures.  One line of JSON for each.
#include <cstdio>
#include "museum/schemes/gui.hpp"
#include "museum/schemes/hmfev.hpp"

using namespace museum;

static constexpr auto acknowledged = broken::Acknowledgement::that_this_scheme_is_broken_or_unreviewed_and_protects_nothing();

static std::string hex(View bytes) {
  std::string s;
  for (const uint8_t b : bytes) s += "0123456789abcdef"[b >> 4], s += "0123456789abcdef"[b & 15];
  return "\"" + s + "\"";
}
template <class K> static std::string hex_of(const typename K::Element &e) {
  Bytes bytes;
  for (size_t i = 0; i < 8 * K::words; i++) bytes.push_back(uint8_t(e.word[i / 8] >> i % 8 * 8));
  return hex(bytes);
}

template <int bits, unsigned tail> static void products(uint64_t state) {
  using K = field::BinaryExtension<bits, tail>;
  for (int i = 0; i < 8; i++) {
    typename K::Element a, b;
    for (auto *e : {&a, &b})
      for (size_t k = 0; k < size_t(bits); k++)
        if ((state = state * 6364136223846793005u + 1442695040888963407u) >> 63) e->flip(k);
    std::printf("{\"field\": %d, \"tail\": %u, \"a\": %s, \"b\": %s, \"product\": %s, \"inverse\": %s}\n", bits, tail,
                hex_of<K>(a).c_str(), hex_of<K>(b).c_str(), hex_of<K>(a * b).c_str(), hex_of<K>(K::inverse(a)).c_str());
  }
}
template <class Scheme>
static void scheme(const char *parameters, std::initializer_list<std::string> seeds = {"first", "second"}) {
  const Scheme s;
  for (const std::string &seed : seeds) {
    const auto pair = s.keygen(view(seed));
    const std::string message = "message of " + seed;
    std::printf("{%s, \"seed\": \"%s\", \"message\": \"%s\", \"public\": %s, \"signature\": %s}\n", parameters, seed.c_str(),
                message.c_str(), hex(s.encode(pair.public_map)).c_str(),
                hex(s.sign(pair.secret, view(message), acknowledged)).c_str());
  }
}

int main() {
  products<240, 0x129>(1), products<120, 0x1b>(2), products<96, 0x641>(3), products<6, 3>(4), products<10, 9>(5);
  using namespace museum::field;
  using broken::gui::Gui, broken::hmfev::Hmfev;
  scheme<Gui<Gf2, BinaryExtension<10, 9>, 5, 2, 3, 3>>(R"("gui": [2, 10, 5, 2, 3, 3], "tail": 9)");
  scheme<Gui<Gf2, BinaryExtension<10, 9>, 9, 1, 2, 2>>(R"("gui": [2, 10, 9, 1, 2, 2], "tail": 9)");
  scheme<Gui<Gf4, BinaryExtension<12, 9>, 17, 1, 2, 2>>(R"("gui": [4, 6, 17, 1, 2, 2], "tail": 9)", {"first"});
  scheme<Hmfev<Gf4, BinaryExtension<6, 3>, 3>>(R"("hmfev": [4, 3, 3], "tail": 3)");
  scheme<Hmfev<Gf256, BinaryExtension<24, 0x1b>, 3>>(R"("hmfev": [256, 3, 3], "tail": 27)");
  scheme<broken::gui::Gui96>(R"("gui": [2, 96, 5, 6, 6, 3], "tail": 1601)", {"only"});
  scheme<broken::gui::Gui240>(R"("gui": [2, 240, 9, 16, 16, 3], "tail": 297)", {"only"});
  scheme<broken::gui::Gui120>(R"("gui": [4, 120, 17, 8, 8, 2], "tail": 297)", {"only"});
  scheme<broken::hmfev::Hmfev256>(R"("hmfev": [256, 15, 16], "tail": 27)", {"only"});
}
