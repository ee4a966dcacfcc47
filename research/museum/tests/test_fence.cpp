// SPDX-License-Identifier: Apache-2.0
// The fence between the museum and the library, as far as the compiler and the C interface can see it; tools/check_fence sees the
// rest.
#include <aioli/aioli.h>
#include <doctest/doctest.h>

#include <type_traits>

#include "museum/schemes/mqdss.hpp"
#include "museum/schemes/pflash.hpp"
#include "museum/schemes/rainbow.hpp"
#include "museum/schemes/uov.hpp"

using namespace museum;
using namespace museum::broken;

// Whoever signs says so: there is no acknowledgement but by its name.
static_assert(!std::is_default_constructible_v<Acknowledgement> && !std::is_constructible_v<Acknowledgement, int> &&
              !std::is_constructible_v<Acknowledgement, bool> && !std::is_aggregate_v<Acknowledgement>);
template <class Scheme, class Key, class... Last>
concept signs =
    requires(const Scheme &scheme, const Key &key, View message, Last... last) { scheme.sign(key, message, last...); };
static_assert(signs<mqdss::Mqdss, View, Acknowledgement> && !signs<mqdss::Mqdss, View> && !signs<mqdss::Mqdss, View, int>);
using Rainbow16 = rainbow::Rainbow<field::TowerGf16>;
using Rainbow16Key = rainbow::SecretKey<field::TowerGf16>;
static_assert(signs<Rainbow16, Rainbow16Key, Acknowledgement> && !signs<Rainbow16, Rainbow16Key>);
using Uov256 = uov::Uov<field::Gf256>;
static_assert(signs<Uov256, uov::SecretKey<field::Gf256>, Acknowledgement> && !signs<Uov256, uov::SecretKey<field::Gf256>>);
static_assert(signs<pflash::Pflash, pflash::SecretKey, Acknowledgement> && !signs<pflash::Pflash, pflash::SecretKey>);

TEST_CASE("the library knows no scheme of the museum by name") {
  for (const char *name : {rainbow::I.name, rainbow::III.name, rainbow::V.name, rainbow::Ia_round_2.name,
                           rainbow::lecture_31.name, rainbow::lecture_256.name, mqdss::mqdss_48_135.name,
                           mqdss::mqdss_48_184.name, mqdss::mqdss_64_202.name, mqdss::mqdss_64_277.name, "PFLASH(16,96-1,64)",
                           "Rainbow-I-classic", "MQDSS-31-48", "PFLASH", "Rainbow", "OV", "museum"}) {
    CAPTURE(name);
    CHECK(aioli_alg_by_name(name) == nullptr);
  }
  CHECK(aioli_alg_by_name("MAYO-1") != nullptr);  // the question is put right
}
