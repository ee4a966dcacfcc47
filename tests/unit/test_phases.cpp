// SPDX-License-Identifier: Apache-2.0
// The phases of working memory (linalg/phases.hpp): in order they may be entered, out of order they are a trap; and all of it is
// wiped.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "scheme/mayo_expanded.hpp"
#include "scheme/uov.hpp"

using namespace aioli;

#if !defined(AIOLI_DEBUG_PHASES)
#error "tests see the order of phases asserted"
#endif

namespace {

using OfMayo = MayoWork<Mayo2, PortableKernels<Mayo2>>;
using UovSmall = UovParams<Gf16, 54, 24, 1, 3>;
using OfUov = UovWork<UovSmall, PortableKernels<UovSmall>>;

// In a process of its own, on fresh memory: whether it comes to its end.
template <class Work, class Use> bool comes_to_its_end(Use use) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int trap : {SIGILL, SIGTRAP}) std::signal(trap, [](int) { _exit(1); });  // without doctest's report
    std::vector<uint8_t> memory(workspace_bytes<Work>());
    Scratch<Work> w(memory.data());
    use(*w);
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Enters the phases that are named by their first letters.
template <class Sign> void enter_sign(Sign &w, const char *phases) {
  for (; *phases != 0; phases++) {
    if (*phases == 'O') w.enter_secret().zero();
    if (*phases == 'p') {
      w.V.zero(), w.O_transposed.zero();
      if constexpr (requires { w.factor_O; })
        w.enter_pass(w.V);
      else
        w.enter_pass(w.V, w.O_transposed);
    }
    if (*phases == 'w') w.enter_whipping().start();
    if (*phases == 'f') w.enter_forms()[0][0].zero();
    if (*phases == 's') w.enter_system().solver.A[0].zero();
  }
}
void enter_verify(OfMayo::Verify &w, const char *phases) {
  for (; *phases != 0; phases++) {
    if (*phases == 'S') w.enter_signature().zero();
    if (*phases == 'p') w.enter_pass();
    if (*phases == 'w') w.enter_whipping().start();
  }
}
template <class Keypair> void enter_keypair(Keypair &w, const char *phases) {
  for (; *phases != 0; phases++) {
    if (*phases == 'O') w.enter_secret().zero();
    if (*phases == 'p') w.enter_pass().P3.zero();
  }
}

}  // namespace

TEST_CASE("phases of signing") {
  for (const char *good : {"Opwfs", "Opwfspwfspwfs", "O", "Opw"}) {
    CAPTURE(std::string(good));
    CHECK(comes_to_its_end<OfMayo::Sign>([&](auto &w) { enter_sign(w, good); }));
  }
  for (const char *good : {"pwfs", "pwfspwfs"}) {
    CAPTURE(std::string(good));
    CHECK(comes_to_its_end<OfMayo::SignExpanded>([&](auto &w) { enter_sign(w, good); }));
  }
  for (const char *bad :
       {"w", "f", "s", "OO", "Ow", "pO", "pp", "pf", "ps", "pww", "pwp", "pws", "pwff", "pwfp", "pwfw", "pwfss", "pwfsf"}) {
    CAPTURE(std::string(bad));
    CHECK(!comes_to_its_end<OfMayo::Sign>([&](auto &w) { enter_sign(w, bad); }));
    CHECK(!comes_to_its_end<OfMayo::SignExpanded>([&](auto &w) { enter_sign(w, bad); }));
  }
}

TEST_CASE("phases of verification and of key generation") {
  CHECK(comes_to_its_end<OfMayo::Verify>([&](auto &w) { enter_verify(w, "Spw"); }));
  for (const char *bad : {"p", "w", "SS", "Sw", "Spp", "SpS", "SpwS", "Spww", "Spwp"}) {
    CAPTURE(std::string(bad));
    CHECK(!comes_to_its_end<OfMayo::Verify>([&](auto &w) { enter_verify(w, bad); }));
  }
  CHECK(comes_to_its_end<OfMayo::Keypair>([&](auto &w) { enter_keypair(w, "Op"); }));
  CHECK(comes_to_its_end<OfUov::KeypairExpanded>([&](auto &w) { enter_keypair(w, "Op"); }));
  for (const char *bad : {"p", "OO", "Opp", "OpO"}) {
    CAPTURE(std::string(bad));
    CHECK(!comes_to_its_end<OfMayo::Keypair>([&](auto &w) { enter_keypair(w, bad); }));
    CHECK(!comes_to_its_end<OfUov::KeypairExpanded>([&](auto &w) { enter_keypair(w, bad); }));
    CHECK(!comes_to_its_end<OfUov::KeypairCompact>([&](auto &w) { enter_keypair(w, bad); }));
  }
}

TEST_CASE("whatever phase it ends in, the memory of a secret is zero after its end") {
  using Memory = Secret<MayoSignMemory<Mayo2, OfMayo::K, Mayo2::k + Mayo2::o, OfMayo::Forms>>;
  Fmat<Mayo2::k, Mayo2::v> V;
  Fmat<Mayo2::o, Mayo2::v> O_transposed;
  std::memset(&V, 0x11, sizeof V), std::memset(&O_transposed, 0x11, sizeof O_transposed);
  for (int last = 0; last < 5; last++) {
    CAPTURE(last);
    std::vector<uint8_t> memory(workspace_bytes<Memory>());
    uint8_t *const at = static_cast<uint8_t *>(align_up(memory.data()));
    {
      Scratch<Memory> scratch(memory.data());
      auto &w = *scratch;
      std::memset(&w.enter_secret(), 0x5a, sizeof(Fmat<Mayo2::v, Mayo2::o>));
      if (last > 0) {
        auto pass = w.enter_pass(V, O_transposed);
        std::memset(static_cast<void *>(&pass.W), 0x5a, sizeof pass.W),
            std::memset(static_cast<void *>(&pass.sums), 0x5a, sizeof pass.sums);
      }
      if (last > 1) std::memset(static_cast<void *>(&w.enter_whipping()), 0x5a, sizeof(WhippingSum<Mayo2>));
      if (last > 2) std::memset(&w.enter_forms(), 0x5a, sizeof(Memory::Forms));
      if (last > 3) {
        auto &system = w.enter_system();
        std::memset(static_cast<void *>(&system.solver), 0x5a, sizeof system.solver);
      }
      bool something = false;
      for (size_t i = 0; i < sizeof(Memory); i++) something = something || at[i] == 0x5a;
      CHECK(something);
    }
    bool nothing = true;
    for (size_t i = 0; i < sizeof(Memory); i++) nothing = nothing && static_cast<const volatile uint8_t *>(at)[i] == 0;
    CHECK(nothing);
  }
}
