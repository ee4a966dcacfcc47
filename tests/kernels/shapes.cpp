// SPDX-License-Identifier: Apache-2.0
// Made-up parameter sets on the kernels of one backend against the portable ones: keys, expanded keys, signatures and
// verification, byte for byte. What fills registers, words and bytes evenly in the sets of the registry does not here.
#include AIOLI_BACKEND_HEADER
#include "backend/portable/kernels.hpp"
#include "base/workspace.hpp"
#include "kernels/harness.hpp"
#include "scheme/mayo_expanded.hpp"

namespace {

using namespace aioli;
using namespace kernels;

template <int m, int o, int k, int v, int round> struct MadeUp : Counting<MayoParams<v + o, m, o, k, 1, 0x02402, round>> {};

// Memory of one operation, full of garbage.
template <class Work> class Memory {
 public:
  Work &operator*() { return *scratch_; }

 private:
  static uint8_t *soiled() {
    static uint8_t bytes[workspace_bytes<Work>() + workspace_alignment];
    soil(bytes);
    return bytes;
  }
  Scratch<Work> scratch_{align_up(soiled())};
};

// What one backend makes of a seed and a digest.
template <class P> struct Results {
  uint8_t pk[P::public_key_bytes], sig[P::signature_bytes], sig_by_expanded_key[P::signature_bytes];
  MayoSigningKey<P> sk;
  MayoVerifyingKey<P> vk;
  bool found[2], valid[2], valid_changed[2];
};
template <class P, class K> void compute(Results<P> &r, const uint8_t *seed, const uint8_t *digest, const uint8_t *R) {
  using S = MayoExpanded<P, K>;
  using Work = typename S::Work;
  static_assert(Contract<P, K>::kept);
  memset(static_cast<void *>(&r), 0, sizeof r);
  S::keypair(r.pk, seed, *Memory<typename Work::Keypair>());
  S::expand_secret(r.sk, seed, *Memory<typename Work::ExpandSecret>());
  S::expand_public(r.vk, r.pk, *Memory<typename Work::ExpandPublic>());
  r.found[0] = S::sign(r.sig, digest, seed, R, *Memory<typename Work::Sign>());
  r.found[1] = S::sign(r.sig_by_expanded_key, digest, r.sk, R, *Memory<typename Work::SignExpanded>());
  const auto verify = [&](bool(&valid)[2]) {
    valid[0] = S::verify(r.sig, digest, r.pk, *Memory<typename Work::Verify>());
    valid[1] = S::verify(r.sig, digest, r.vk, *Memory<typename Work::VerifyExpanded>());
  };
  verify(r.valid);
  r.sig[P::s_bytes / 2] ^= 1;
  verify(r.valid_changed);
  r.sig[P::s_bytes / 2] ^= 1;
}

template <int m, int o, int k, int v, int round> void check() {
  using P = MadeUp<m, o, k, v, round>;
  char name[80];
  snprintf(name, sizeof name, "m = %d, o = %d, k = %d, v = %d, round %d", m, o, k, v, round);
  uint8_t seed[P::sk_seed_bytes], digest[P::digest_bytes], R[P::R_bytes];
  memset(seed, m + k, sizeof seed), memset(digest, o, sizeof digest), memset(R, v, sizeof R);
  static Results<P> tested, reference;
  compute<P, Kernels<P>>(tested, seed, digest, R);
  compute<P, PortableKernels<P, Aes128Portable>>(reference, seed, digest, R);
  const auto same = [&](const auto &a, const auto &b, const char *what) { expect(memcmp(&a, &b, sizeof a) == 0, name, what); };
  same(tested.pk, reference.pk, "public key");
  same(tested.sk.O, reference.sk.O, "O");
  same(tested.sk.P1, reference.sk.P1, "P1 of the signing key");
  same(tested.sk.L, reference.sk.L, "L");
  same(tested.vk.P1, reference.vk.P1, "P1 of the verifying key");
  same(tested.vk.P2, reference.vk.P2, "P2");
  same(tested.vk.P3, reference.vk.P3, "P3");
  const Results<P> *const both[] = {&reference, &tested};
  for (const Results<P> *r : both) {
    expect(r->found[0] && r->found[1], name, "no signature");
    same(r->sig, reference.sig, "signature");
    same(r->sig_by_expanded_key, reference.sig, "signature by the expanded key");
    expect(r->valid[0] && r->valid[1], name, "the signature is refused");
    expect(!r->valid_changed[0] && !r->valid_changed[1], name, "another signature is accepted");
  }
}

void check_shapes() {
  // m-vectors of 2 to 11 words that end anywhere in a word; every k from 2 to 14, where k (k + 1) / 2 + 3 < m; even and odd
  // columns and rows.
#if AIOLI_TEST_SHAPES == 0
  check<20, 10, 2, 21, 2>();
  check<26, 7, 4, 18, 3>();
  check<40, 14, 3, 30, 3>();
  check<62, 9, 7, 33, 2>();
  check<78, 9, 9, 29, 3>();
  check<94, 12, 8, 27, 3>();
  check<106, 36, 3, 37, 2>();
  check<110, 8, 14, 23, 3>();
  check<138, 11, 13, 28, 2>();
  check<162, 13, 13, 31, 3>();
#elif AIOLI_TEST_SHAPES == 1
  check<22, 11, 2, 19, 3>();
  check<162, 81, 2, 25, 3>();
  check<34, 13, 3, 20, 2>();
  check<118, 40, 3, 21, 3>();
  check<46, 12, 4, 22, 3>();
  check<90, 23, 4, 27, 2>();
  check<20, 5, 5, 17, 3>();
  check<70, 14, 5, 24, 2>();
  check<126, 26, 5, 19, 3>();
  check<26, 5, 6, 18, 2>();
  check<50, 9, 6, 23, 3>();
  check<150, 25, 6, 21, 3>();
#elif AIOLI_TEST_SHAPES == 2
  check<36, 6, 7, 19, 3>();
  check<142, 21, 7, 25, 2>();
  check<58, 8, 8, 20, 2>();
  check<114, 15, 8, 29, 3>();
  check<60, 7, 9, 22, 3>();
  check<78, 9, 9, 23, 2>();
  check<66, 7, 10, 21, 2>();
  check<102, 11, 10, 26, 3>();
  check<74, 7, 11, 25, 3>();
  check<158, 15, 11, 28, 2>();
#else
  check<82, 7, 12, 27, 3>();
  check<128, 11, 12, 25, 3>();
  check<134, 12, 12, 24, 2>();
  check<98, 8, 13, 30, 2>();
  check<122, 10, 13, 23, 3>();
  check<146, 12, 13, 29, 2>();
  check<112, 8, 14, 26, 2>();
  check<130, 10, 14, 27, 3>();
  check<154, 11, 14, 32, 3>();
  check<160, 12, 14, 21, 2>();
#endif
}

}  // namespace

int main() { return run(AIOLI_TEST_BACKEND, check_shapes); }
