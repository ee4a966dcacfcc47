// SPDX-License-Identifier: Apache-2.0
#include "keyfile/oids.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {
namespace {

// Round 2 has identifiers in use: MAYO's, and the first of UOV's, are those of the Open Quantum Safe provider, the second those
// of Bouncy Castle (arc 1.3.6.1.4.1.22554.2.14).  The others have none that we know of: theirs are random UUIDs under 2.25 (ITU-T
// X.667), ours for as long as nobody assigns better ones.  An identifier that has been released is never changed: new ones go
// before it, for the first of a name is written and all are read.
constexpr aioli_oid oids[] = {
    {"MAYO-1", "2.25.152188836919077442674412115091534352315"},
    {"MAYO-2", "2.25.302305548441542712848559748799716199624"},
    {"MAYO-3", "2.25.175790466736727986630232315191495852770"},
    {"MAYO-5", "2.25.315836548276967992796343679807340197548"},
    {"MAYO-1-r2", "1.3.9999.8.1.3"},
    {"MAYO-2-r2", "1.3.9999.8.2.3"},
    {"MAYO-3-r2", "1.3.9999.8.3.3"},
    {"MAYO-5-r2", "1.3.9999.8.5.3"},
    {"MAYO-1-r1", "2.25.339089876198791053936572394228883230897"},
    {"MAYO-2-r1", "2.25.19584822320110603647331860750758449532"},
    {"MAYO-3-r1", "2.25.133885220783142668041592672924389998168"},
    {"MAYO-5-r1", "2.25.298590461157719286242595947516448014817"},
    {"MAYO-1-r1b", "2.25.245066467343349335633683327663282313326"},
    {"MAYO-2-r1b", "2.25.110100272756379300357403185774642991171"},
    {"MAYO-3-r1b", "2.25.14229623487332022383807186085343766281"},
    {"MAYO-5-r1b", "2.25.38985693790647175196287118386496580922"},
    {"UOV-Ip", "2.25.19799674933382657788928849558725870377"},
    {"UOV-Ip-pkc", "2.25.323844342470841673149389225125739535543"},
    {"UOV-Ip-pkc-skc", "2.25.313614095015239535708034825916053451040"},
    {"UOV-III", "2.25.200752396101204406467236542884129732570"},
    {"UOV-III-pkc", "2.25.244169855345023012213272834563961696978"},
    {"UOV-III-pkc-skc", "2.25.138577253814079049909461420209737288587"},
    {"UOV-V", "2.25.340275629840659843227858542361384216014"},
    {"UOV-V-pkc", "2.25.42945409454716872363897295018873363215"},
    {"UOV-V-pkc-skc", "2.25.237543714555414413063335440281981441160"},
    {"UOV-Is", "1.3.9999.9.1.1"},
    {"UOV-Is", "1.3.6.1.4.1.22554.2.14.1"},
    {"UOV-Is-pkc", "1.3.9999.9.5.1"},
    {"UOV-Is-pkc", "1.3.6.1.4.1.22554.2.14.2"},
    {"UOV-Is-pkc-skc", "1.3.9999.9.9.1"},
    {"UOV-Is-pkc-skc", "1.3.6.1.4.1.22554.2.14.3"},
    {"UOV-Ip-r2", "1.3.9999.9.2.1"},
    {"UOV-Ip-r2", "1.3.6.1.4.1.22554.2.14.4"},
    {"UOV-Ip-pkc-r2", "1.3.9999.9.6.1"},
    {"UOV-Ip-pkc-r2", "1.3.6.1.4.1.22554.2.14.5"},
    {"UOV-Ip-pkc-skc-r2", "1.3.9999.9.10.1"},
    {"UOV-Ip-pkc-skc-r2", "1.3.6.1.4.1.22554.2.14.6"},
    {"UOV-III-r2", "1.3.9999.9.3.1"},
    {"UOV-III-r2", "1.3.6.1.4.1.22554.2.14.7"},
    {"UOV-III-pkc-r2", "1.3.9999.9.7.1"},
    {"UOV-III-pkc-r2", "1.3.6.1.4.1.22554.2.14.8"},
    {"UOV-III-pkc-skc-r2", "1.3.9999.9.11.1"},
    {"UOV-III-pkc-skc-r2", "1.3.6.1.4.1.22554.2.14.9"},
    {"UOV-V-r2", "1.3.9999.9.4.1"},
    {"UOV-V-r2", "1.3.6.1.4.1.22554.2.14.10"},
    {"UOV-V-pkc-r2", "1.3.9999.9.8.1"},
    {"UOV-V-pkc-r2", "1.3.6.1.4.1.22554.2.14.11"},
    {"UOV-V-pkc-skc-r2", "1.3.9999.9.12.1"},
    {"UOV-V-pkc-skc-r2", "1.3.6.1.4.1.22554.2.14.12"},
    {nullptr, nullptr},
};

bool same_text(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

bool is_end(const aioli_oid &entry) { return entry.algorithm == nullptr && entry.oid == nullptr; }

// A number of any size in base 128, least significant digit first: what an arc's octets are, read backwards.
struct Arc {
  uint8_t digits[Oid::max_bytes] = {};
  size_t size = 1;

  // *this = *this * factor + summand; false if it grows too long.
  bool multiply_add(uint32_t factor, uint32_t summand) {
    uint32_t carry = summand;
    for (size_t i = 0; i < size; i++) {
      carry += digits[i] * factor;
      digits[i] = uint8_t(carry & 0x7f);
      carry >>= 7;
    }
    for (; carry != 0; carry >>= 7) {
      if (size == Oid::max_bytes) return false;
      digits[size++] = uint8_t(carry & 0x7f);
    }
    return true;
  }
  bool at_least(uint32_t bound) const { return size > 1 || digits[0] >= bound; }  // bound <= 128
};

// Takes one decimal number, without leading zeros, from the front of the text.
bool take_arc(const char *&text, Arc &arc) {
  const char *const start = text;
  arc = Arc{};
  for (; *text >= '0' && *text <= '9'; text++)
    if (!arc.multiply_add(10, uint32_t(*text - '0'))) return false;
  return text != start && (*start != '0' || text == start + 1);
}

bool append(Oid &oid, const Arc &arc) {
  if (arc.size > Oid::max_bytes - oid.size) return false;
  for (size_t i = arc.size; i-- > 0;) oid.bytes[oid.size++] = uint8_t(arc.digits[i] | (i != 0 ? 0x80 : 0));
  return true;
}

const aioli_alg *find(const Oid &wanted, const aioli_oid *table) {
  Oid oid;
  for (; !is_end(*table); table++)
    if (parse_oid(table->oid, oid) && oid == wanted) return aioli_alg_by_name(table->algorithm);
  return nullptr;
}

const char *find(const char *algorithm, const aioli_oid *table) {
  for (; !is_end(*table); table++)
    if (table->algorithm != nullptr && table->oid != nullptr && same_text(table->algorithm, algorithm)) return table->oid;
  return nullptr;
}

}  // namespace

bool Oid::operator==(const Oid &other) const {
  if (size != other.size) return false;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != other.bytes[i]) return false;
  return true;
}

bool parse_oid(const char *text, Oid &oid) {
  oid.size = 0;
  // The first two arcs share their octets: 40 * first + second, where second < 40 unless first is 2.
  const char root = text[0];
  if (root < '0' || root > '2' || text[1] != '.') return false;
  text += 2;
  Arc arc;
  if (!take_arc(text, arc) || (root != '2' && arc.at_least(40))) return false;
  if (!arc.multiply_add(1, 40 * uint32_t(root - '0')) || !append(oid, arc)) return false;
  while (*text == '.')
    if (!take_arc(++text, arc) || !append(oid, arc)) return false;
  return *text == 0;
}

aioli_status check_overrides(const aioli_oid *overrides) {
  if (overrides == nullptr) return AIOLI_OK;
  Oid oid;
  for (; !is_end(*overrides); overrides++) {
    if (overrides->algorithm == nullptr || overrides->oid == nullptr || !parse_oid(overrides->oid, oid))
      return AIOLI_ERR_ARGUMENT;
    if (aioli_alg_by_name(overrides->algorithm) == nullptr) return AIOLI_ERR_ALGORITHM;
  }
  return AIOLI_OK;
}

const aioli_alg *algorithm_of(const Oid &oid, const aioli_oid *overrides) {
  const aioli_alg *alg = overrides != nullptr ? find(oid, overrides) : nullptr;
  return alg != nullptr ? alg : find(oid, oids);
}

}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli

extern "C" const char *aioli_key_oid(const aioli_alg *alg, const aioli_oid *overrides) {
  using namespace aioli::keyfile;
  if (alg == nullptr) return "";
  const char *const name = aioli_alg_name(alg);
  const char *oid = overrides != nullptr ? find(name, overrides) : nullptr;
  if (oid == nullptr) oid = find(name, oids);
  return oid != nullptr ? oid : "";
}

extern "C" const aioli_alg *aioli_alg_by_oid(const char *oid) {
  using namespace aioli::keyfile;
  Oid parsed;
  return oid != nullptr && parse_oid(oid, parsed) ? algorithm_of(parsed, nullptr) : nullptr;
}
