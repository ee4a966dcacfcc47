// SPDX-License-Identifier: Apache-2.0
#include "interop.hpp"

#include <algorithm>

namespace bench {

namespace {

std::string name(const Subject &s) { return s.impl() + " (" + s.backend() + ")"; }

void perform(Subject &s, Op op, size_t i) {
  s.prepare(op, i);
  s.call(op, i);
  s.check(op, i);
}

Bytes flipped(const Bytes &x, size_t at) {
  Bytes y = x;
  y.at(at) ^= 1;
  return y;
}

// With one byte of seed_pk changed, or some coefficients of P1 where the key is expanded.  A coefficient counts for nothing where
// the signature has a zero, as one element in sixteen may be of GF(16): these are of different entries and equations.
Bytes with_other_P1(const std::string &set, Bytes pk, size_t at) {
  const bool expanded = set.rfind("UOV-", 0) == 0 && set.find("-pkc") == std::string::npos;
  for (size_t n = 0; n < (expanded ? 10 : 1); n++, at += 4099) pk.at(at) ^= 1;
  return pk;
}
Bytes with_other_P3(Bytes pk, size_t before_last) {
  for (size_t n = 0; n < 10; n++, before_last += 97) pk.at(pk.size() - 1 - before_last) ^= 1;
  return pk;
}

}  // namespace

size_t check_interop(Subject &a, Subject &b, size_t exercises) {
  if (a.set() != b.set() || a.exercises() != b.exercises() || &a.exercise(0) != &b.exercise(0))
    throw std::invalid_argument("check_interop: different keyrings");
  size_t comparisons = 0;
  const auto expect = [&](Subject &verifier, bool want, const Bytes &sig, const Bytes &m, const Bytes &pk, size_t i,
                          const std::string &what) {
    comparisons++;
    if (verifier.accepts(sig, m, pk) != want)
      throw std::runtime_error(a.set() + ", exercise " + std::to_string(i) + ": " + name(verifier) +
                               (want ? " refuses " : " accepts ") + what);
  };
  for (size_t i = 0; i < std::min(exercises, a.exercises()); i++) {
    const Exercise &e = a.exercise(i);
    // check() compares with the keyring's key and signature byte for byte, so both agree if neither throws.
    for (Subject *s : {&a, &b}) {
      perform(*s, Op::keygen, i);
      perform(*s, Op::sign, i);
      comparisons += 2;
    }
    expect(a, true, b.signature(), e.message, e.key->pk, i, "a signature by " + name(b));
    expect(b, true, a.signature(), e.message, e.key->pk, i, "a signature by " + name(a));
    for (Subject *s : {&a, &b}) {
      expect(*s, false, e.sig, flipped(e.message, i % e.message.size()), e.key->pk, i, "a signature of another message");
      expect(*s, false, flipped(e.sig, e.sig.size() - 1), e.message, e.key->pk, i, "a signature with another salt");
      expect(*s, false, flipped(e.sig, i), e.message, e.key->pk, i, "a signature with another solution");
      expect(*s, false, e.sig, e.message, with_other_P1(a.set(), e.key->pk, i), i, "a signature under another seed_pk or P1");
      expect(*s, false, e.sig, e.message, with_other_P3(e.key->pk, i), i, "a signature under another P3");
    }
  }
  return comparisons;
}

}  // namespace bench
