// SPDX-License-Identifier: Apache-2.0
// The whole scheme on backends that are not in the library, against its portable backend, one row at a time: the same bytes.  The
// reference backend takes two to four rows, so neither the scheme nor its row sources know how many a backend takes at once.  The
// wide kernels over emulated vectors run here what few machines can run natively, and the Cortex-M4's what stands beside their
// assembly.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "abi/instance.hpp"
#include "backend/cortex_m4/kernels.hpp"
#include "backend/cortex_m4/small_kernels.hpp"
#include "backend/wide/gfni_kernels.hpp"
#include "backend/wide/vector_emulated_gfni.hpp"
#include "kernels/memory.hpp"
#include "kernels/reference.hpp"
#include "oracle/random.hpp"
#include "scheme/mayo_expanded.hpp"

namespace aioli::portable {
#define AIOLI_MAYO_SET(identifier, name, params) extern const Instance instance_##identifier;
#include "oracle/mayo_sets.inc"
#undef AIOLI_MAYO_SET
}  // namespace aioli::portable

namespace {

using oracle::Bytes;
using oracle::Random;

using kernels::Memory;
using kernels::WorkOf;

template <class P, class K> class Subject {
 public:
  using Scheme = aioli::MayoExpanded<P, K>;
  using Work = typename Scheme::Work;
  using SigningKey = typename Scheme::SigningKey;
  using VerifyingKey = typename Scheme::VerifyingKey;
  static_assert(aioli::Contract<P, K>::kept);

  Subject(const aioli::Instance &portable, uint64_t stream) : portable_(portable), random_(stream) {
    REQUIRE(portable.sizes.public_key == P::public_key_bytes);
    REQUIRE(portable.sizes.signature == P::signature_bytes);
    REQUIRE(portable.signing_key == sizeof(SigningKey));
    REQUIRE(portable.verifying_key == sizeof(VerifyingKey));
    seed_ = random_.bytes(P::sk_seed_bytes);
  }

  void check_keys() {
    Bytes pk(P::public_key_bytes), expected(P::public_key_bytes);
    Scheme::keypair(pk.data(), seed_.data(), *WorkOf<typename Work::Keypair>());
    Memory work(portable_.workspace[0]);
    portable_.keypair(expected.data(), nullptr, seed_.data(), work.get());  // MAYO's secret key is the seed
    CHECK(pk == expected);
    pk_ = pk;

    Memory expand_secret_work(portable_.workspace[3]), expand_public_work(portable_.workspace[5]);
    portable_.expand_secret(portable_sk_.get(), seed_.data(), expand_secret_work.get());
    portable_.expand_public(portable_vk_.get(), pk.data(), expand_public_work.get());
    Scheme::expand_secret(sk(), seed_.data(), *WorkOf<typename Work::ExpandSecret>());
    Scheme::expand_public(vk(), pk.data(), *WorkOf<typename Work::ExpandPublic>());
    const SigningKey &s = *static_cast<const SigningKey *>(portable_sk_.get());
    const VerifyingKey &v = *static_cast<const VerifyingKey *>(portable_vk_.get());
    CHECK(std::memcmp(sk().seed_sk, s.seed_sk, sizeof s.seed_sk) == 0);
    CHECK(std::memcmp(&sk().O, &s.O, sizeof s.O) == 0);
    CHECK(std::memcmp(sk().P1, s.P1, sizeof s.P1) == 0);
    CHECK(std::memcmp(sk().L, s.L, sizeof s.L) == 0);
    CHECK(std::memcmp(vk().P1, v.P1, sizeof v.P1) == 0);
    CHECK(std::memcmp(vk().P2, v.P2, sizeof v.P2) == 0);
    CHECK(std::memcmp(vk().P3, v.P3, sizeof v.P3) == 0);
  }

  // With the secret key and with the expanded one.  Returns how many systems were singular on the way, if the solver counts them.
  int check_signature() {
    const Bytes digest = random_.bytes(P::digest_bytes), R = random_.bytes(P::R_bytes);
    Bytes sig(P::signature_bytes), streamed(P::signature_bytes), expected(P::signature_bytes);
    const int before = kernels::singular_systems;
    REQUIRE(Scheme::sign(sig.data(), digest.data(), sk(), R.data(), *WorkOf<typename Work::SignExpanded>()));
    const int singular = kernels::singular_systems - before;
    Memory work(portable_.workspace[1]);
    REQUIRE(portable_.sign(expected.data(), digest.data(), seed_.data(), R.data(), work.get()));
    CHECK(sig == expected);
    REQUIRE(Scheme::sign(streamed.data(), digest.data(), seed_.data(), R.data(), *WorkOf<typename Work::Sign>()));
    CHECK(streamed == expected);
    CHECK(kernels::singular_systems - before == 2 * singular);

    CHECK(verify(sig, digest, pk_));
    for (int kind = 0; kind < 4; kind++) {  // one bit of the signature, the salt, the digest, the key
      Bytes s = sig, d = digest, pk = pk_;
      const auto flip = [&](uint8_t &byte) { byte = uint8_t(byte ^ 1 << random_.below(4)); };
      if (kind == 0) flip(s[size_t(random_.below(P::s_bytes))]);
      if (kind == 1) flip(s[size_t(P::s_bytes + random_.below(P::salt_bytes))]);
      if (kind == 2) flip(d[size_t(random_.below(P::digest_bytes))]);
      if (kind == 3) flip(pk[size_t(P::pk_seed_bytes + random_.below(P::P3_bytes))]);
      CAPTURE(kind);
      CHECK_FALSE(verify(s, d, pk));
    }
    return singular;
  }

 private:
  // Both ways, which must agree.
  bool verify(const Bytes &sig, const Bytes &digest, const Bytes &pk) {
    const bool streamed = Scheme::verify(sig.data(), digest.data(), pk.data(), *WorkOf<typename Work::Verify>());
    const auto key = std::make_unique<VerifyingKey>(vk());
    if (pk != pk_) Scheme::expand_public(*key, pk.data(), *WorkOf<typename Work::ExpandPublic>());
    const bool stored = Scheme::verify(sig.data(), digest.data(), *key, *WorkOf<typename Work::VerifyExpanded>());
    CHECK(streamed == stored);
    return streamed;
  }

  SigningKey &sk() { return *static_cast<SigningKey *>(sk_.get()); }
  VerifyingKey &vk() { return *static_cast<VerifyingKey *>(vk_.get()); }

  const aioli::Instance &portable_;
  Random random_;
  Bytes seed_, pk_;
  Memory sk_{sizeof(SigningKey)}, vk_{sizeof(VerifyingKey)}, portable_sk_{sizeof(SigningKey)}, portable_vk_{sizeof(VerifyingKey)};
};

template <class P, class K> void check(const aioli::Instance &portable, uint64_t stream) {
  CAPTURE(K::block);
  Subject<P, K> subject(portable, stream);
  subject.check_keys();
  for (int i = 0; i < 2; i++) subject.check_signature();
}
template <class P, int bytes> void check_emulated(const aioli::Instance &portable, uint64_t stream) {
  check<P, aioli::GfniKernels<P, aioli::VectorEmulatedGfni<bytes>, aioli::Aes128Portable>>(portable, stream);
}

template <class P> void check_cortex_m4(const aioli::Instance &portable, uint64_t stream) {
  check<P, aioli::CortexM4SmallKernels<P>>(portable, stream);
  check<P, aioli::CortexM4Kernels<P>>(portable, stream + 1);
}

}  // namespace

TEST_CASE("MAYO-1: the linear term, and systems without a solution on the way") {
  // Of this stream the second signature has such a system; the reference is slow.
  Subject<aioli::Mayo1, kernels::Reference<aioli::Mayo1, 2>> subject(aioli::portable::instance_MAYO_1, 103);
  subject.check_keys();
  int singular = 0, signatures = 0;
  for (; singular == 0 && signatures < 100; signatures++) singular += subject.check_signature();
  INFO(signatures, " signatures");
  CHECK(singular > 0);  // one in fifteen has one: the rows start again
}

TEST_CASE("MAYO-2: everything odd") {
  check<aioli::Mayo2, kernels::Reference<aioli::Mayo2, 3>>(aioli::portable::instance_MAYO_2, 102);
#if !defined(AIOLI_TEST_FEW_SCHEMES)
  check<aioli::Mayo2, kernels::Reference<aioli::Mayo2, 2>>(aioli::portable::instance_MAYO_2, 101);
  check<aioli::Mayo2, kernels::Reference<aioli::Mayo2, 4>>(aioli::portable::instance_MAYO_2, 103);
#endif
}

#if !defined(AIOLI_ONLY_ROUND_3)
TEST_CASE("MAYO-1-r2: m-vectors of an odd number of bytes") {
  check<aioli::Mayo1r2, kernels::Reference<aioli::Mayo1r2, 4>>(aioli::portable::instance_MAYO_1_R2, 104);
}

TEST_CASE("MAYO-2-r1: more oil than elements in a word") {
  check<aioli::Mayo2r1, kernels::Reference<aioli::Mayo2r1, 2>>(aioli::portable::instance_MAYO_2_R1, 105);
}

TEST_CASE("MAYO-3-r1b: bit-sliced, odd v") {
  check<aioli::Mayo3r1b, kernels::Reference<aioli::Mayo3r1b, 2>>(aioli::portable::instance_MAYO_3_R1B, 106);
}

TEST_CASE("Cortex-M4, in C++: an odd number of bytes, and bit-sliced") {
  check_cortex_m4<aioli::Mayo1r2>(aioli::portable::instance_MAYO_1_R2, 130);
  check_cortex_m4<aioli::Mayo2r1b>(aioli::portable::instance_MAYO_2_R1B, 132);
}
#endif

TEST_CASE("affine maps over emulated vectors") {
  check_emulated<aioli::Mayo1, 32>(aioli::portable::instance_MAYO_1, 110);
  check_emulated<aioli::Mayo2, 64>(aioli::portable::instance_MAYO_2, 113);
#if !defined(AIOLI_TEST_FEW_SCHEMES)  // every set of round 3
  check_emulated<aioli::Mayo1, 64>(aioli::portable::instance_MAYO_1, 111);
  check_emulated<aioli::Mayo2, 32>(aioli::portable::instance_MAYO_2, 112);
  check_emulated<aioli::Mayo3, 32>(aioli::portable::instance_MAYO_3, 114);
  check_emulated<aioli::Mayo3, 64>(aioli::portable::instance_MAYO_3, 115);
  check_emulated<aioli::Mayo5, 32>(aioli::portable::instance_MAYO_5, 116);
  check_emulated<aioli::Mayo5, 64>(aioli::portable::instance_MAYO_5, 117);
#endif
}

TEST_CASE("Cortex-M4, in C++: every set of round 3") {
  check_cortex_m4<aioli::Mayo1>(aioli::portable::instance_MAYO_1, 120);
  check_cortex_m4<aioli::Mayo5>(aioli::portable::instance_MAYO_5, 126);
#if !defined(AIOLI_TEST_FEW_SCHEMES)
  check_cortex_m4<aioli::Mayo2>(aioli::portable::instance_MAYO_2, 122);
  check_cortex_m4<aioli::Mayo3>(aioli::portable::instance_MAYO_3, 124);
#endif
}
