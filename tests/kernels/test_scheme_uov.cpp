// SPDX-License-Identifier: Apache-2.0
// UOV on the Cortex-M4's kernels, in C++, against the portable backend: the same keys, signatures and verdicts.
#include <doctest/doctest.h>

#include "abi/instance.hpp"
#include "backend/cortex_m4/square_kernels.hpp"
#include "kernels/memory.hpp"
#include "oracle/random.hpp"
#include "scheme/uov.hpp"
#include "symmetric/aes128_table.hpp"

namespace aioli::portable {
extern const Instance instance_UOV_IS, instance_UOV_IS_PKC_SKC;
extern const Instance instance_UOV_IP, instance_UOV_IP_PKC_SKC;
}  // namespace aioli::portable

namespace {

using oracle::Bytes;
using oracle::Random;

using kernels::Memory;
using kernels::WorkOf;

template <class P> struct Schemes {
  using K = aioli::CortexM4SquareKernels<P, aioli::Aes128Table>;
  using Classic = aioli::UovClassic<P, K>;
  using Pkc = aioli::UovPkc<P, K>;
  using PkcSkc = aioli::UovPkcSkc<P, K>;

  // Signatures of some messages with expanded keys, of a few with seeds.
  static void check(const aioli::Instance &classic, const aioli::Instance &pkc_skc, int messages, uint64_t stream) {
    Random random(stream);
    const Bytes seed = random.bytes(P::sk_seed_bytes);
    Bytes epk(P::epk_bytes), esk(P::esk_bytes), cpk(P::cpk_bytes), expected_epk(P::epk_bytes), expected_esk(P::esk_bytes),
        expected_cpk(P::cpk_bytes), csk(P::csk_bytes);
    Memory keypair_work(classic.workspace[0]), sign_work(classic.workspace[1]);
    classic.keypair(expected_epk.data(), expected_esk.data(), seed.data(), keypair_work.get());
    pkc_skc.keypair(expected_cpk.data(), csk.data(), seed.data(), keypair_work.get());
    Classic::keypair(epk.data(), esk.data(), seed.data(), *WorkOf<typename Classic::Work::Keypair>());
    PkcSkc::keypair(cpk.data(), seed.data(), *WorkOf<typename PkcSkc::Work::Keypair>());
    CHECK(epk == expected_epk);
    CHECK(esk == expected_esk);
    CHECK(cpk == expected_cpk);

    for (int i = 0; i < messages; i++) {
      Bytes digest = random.bytes(P::digest_bytes), R = random.bytes(P::R_bytes);
      digest.back() = uint8_t(digest.back() % 136);
      Bytes sig(P::signature_bytes), other(P::signature_bytes), expected(P::signature_bytes);
      REQUIRE(classic.sign(expected.data(), digest.data(), esk.data(), R.data(), sign_work.get()));
      REQUIRE(Classic::sign(sig.data(), digest.data(), esk.data(), R.data(), *WorkOf<typename Classic::Work::Sign>()));
      CHECK(sig == expected);
      if (i >= 2) continue;
      REQUIRE(PkcSkc::sign(other.data(), digest.data(), csk.data(), R.data(), *WorkOf<typename PkcSkc::Work::Sign>()));
      CHECK(other == expected);
      for (int kind = 0; kind < 4; kind++) {  // as it is; one bit of the signature, the salt, the digest
        Bytes s = sig, d = digest;
        const uint8_t bit = uint8_t(1 << random.below(4));
        if (kind == 1) s[size_t(random.below(P::x_bytes))] ^= bit;
        if (kind == 2) s[size_t(P::x_bytes + random.below(P::salt_bytes))] ^= bit;
        if (kind == 3) d[size_t(random.below(200))] ^= bit;
        CAPTURE(kind);
        CHECK(Classic::verify(s.data(), d.data(), epk.data(), *WorkOf<typename Classic::Work::Verify>()) == (kind == 0));
        CHECK(Pkc::verify(s.data(), d.data(), cpk.data(), *WorkOf<typename Pkc::Work::Verify>()) == (kind == 0));
      }
      Bytes changed = epk;
      changed[size_t(random.below(P::epk_bytes))] ^= 1;
      CHECK_FALSE(Classic::verify(sig.data(), digest.data(), changed.data(), *WorkOf<typename Classic::Work::Verify>()));
    }
  }
};

}  // namespace

TEST_CASE("Cortex-M4, in C++: UOV over GF(16), systems without a solution on the way") {  // one in fifteen is singular
  Schemes<aioli::UovIs>::check(aioli::portable::instance_UOV_IS, aioli::portable::instance_UOV_IS_PKC_SKC, 40, 200);
}

TEST_CASE("Cortex-M4, in C++: UOV over GF(256), everything odd") {
  Schemes<aioli::UovIp>::check(aioli::portable::instance_UOV_IP, aioli::portable::instance_UOV_IP_PKC_SKC, 4, 201);
}
