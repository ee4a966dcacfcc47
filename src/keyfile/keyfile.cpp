// SPDX-License-Identifier: Apache-2.0
#include <aioli/keyfile.h>

#include "abi/host.hpp"
#include "base/ranges.hpp"
#include "base/secret.hpp"
#include "keyfile/der_reader.hpp"
#include "keyfile/der_writer.hpp"
#include "keyfile/oids.hpp"
#include "keyfile/pem.hpp"

namespace aioli {
inline namespace AIOLI_ISA {
namespace keyfile {
namespace {

// ---- what a key file is made of -------------------------------------------------------------------------------------------

struct KeyInfo {
  aioli_key_kind kind;
  DerReader oid;
  bool has_parameters;
  DerReader secret;  // content of the private key's OCTET STRING
  bool has_public;
  DerReader public_key;  // content of the public key's BIT STRING, less its first octet
};

// OBJECT IDENTIFIER: arcs of one or more octets, the last of each without the top bit, none padded in front.
bool is_oid(DerReader oid) {
  bool in_arc = false;
  uint8_t b = 0x80;
  while (oid.byte(b)) {
    if (!in_arc && b == 0x80) return false;
    in_arc = (b & 0x80) != 0;
  }
  return (b & 0x80) == 0;
}

// AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }
bool read_algorithm(DerReader &in, KeyInfo &info) {
  DerReader algorithm, parameters;
  if (!in.element(tag_sequence, algorithm) || !algorithm.element(tag_object_identifier, info.oid) || !is_oid(info.oid))
    return false;
  info.has_parameters = !algorithm.done();
  return !info.has_parameters || (algorithm.any(parameters) && algorithm.done());
}

// A BIT STRING (under `tag`) of whole octets.
bool read_public(DerReader &in, uint8_t tag, KeyInfo &info) {
  uint8_t unused_bits;
  info.has_public = true;
  return in.element(tag, info.public_key) && info.public_key.byte(unused_bits) && unused_bits == 0;
}

// Attributes ::= SET OF SEQUENCE { type OBJECT IDENTIFIER, values SET SIZE (1..MAX) OF ANY }: looked at for form, not for
// meaning.
bool read_attributes(DerReader &in) {
  DerReader attributes, attribute, type, values, value;
  if (!in.element(tag_context_0_constructed, attributes)) return false;
  while (!attributes.done()) {
    if (!attributes.element(tag_sequence, attribute) || !attribute.element(tag_object_identifier, type) || !is_oid(type))
      return false;
    if (!attribute.element(tag_set, values) || !attribute.done() || values.done()) return false;
    while (!values.done())
      if (!values.any(value)) return false;
  }
  return true;
}

// SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }
bool read_subject_public_key_info(DerReader in, KeyInfo &info) {
  info.kind = AIOLI_KEY_PUBLIC;
  return read_algorithm(in, info) && read_public(in, tag_bit_string, info) && in.done();
}

// OneAsymmetricKey ::= SEQUENCE { version INTEGER { v1(0), v2(1) }, privateKeyAlgorithm AlgorithmIdentifier,
//   privateKey OCTET STRING, attributes [0] Attributes OPTIONAL, publicKey [1] BIT STRING OPTIONAL -- v2, and only v2, has it }
bool read_one_asymmetric_key(DerReader in, KeyInfo &info) {
  info.kind = AIOLI_KEY_SECRET;
  DerReader version;
  uint8_t v;
  if (!in.element(tag_integer, version) || !version.byte(v) || v > 1 || !version.done()) return false;
  if (!read_algorithm(in, info) || !in.element(tag_octet_string, info.secret)) return false;
  if (in.tag() == tag_context_0_constructed && !read_attributes(in)) return false;
  if (v == 1 && !read_public(in, tag_context_1, info)) return false;
  return in.done();
}

// The form of a file, whatever its algorithm.
bool read_file(const uint8_t *in, size_t in_bytes, KeyInfo &info) {
  DerReader file, outer;
  bool secret = false;
  const bool der = in_bytes != 0 && in[0] == tag_sequence;
  if (der)
    file = DerReader(Cursor(in, false), in_bytes);
  else if (!open_pem(in, in_bytes, file, secret))
    return false;
  if (!file.element(tag_sequence, outer) || !file.done()) return false;
  const bool is_secret = outer.tag() == tag_integer;
  if (!der && is_secret != secret) return false;
  return is_secret ? read_one_asymmetric_key(outer, info) : read_subject_public_key_info(outer, info);
}

// EncryptedPrivateKeyInfo ::= SEQUENCE { encryptionAlgorithm AlgorithmIdentifier, encryptedData OCTET STRING }, the former with
// parameters (salt and the like); or a PEM text that says so.
bool is_encrypted(const uint8_t *in, size_t in_bytes) {
  if (in_bytes == 0 || in[0] != tag_sequence) return is_encrypted_pem(in, in_bytes);
  DerReader file(Cursor(in, false), in_bytes), outer, data;
  KeyInfo info = {};
  return file.element(tag_sequence, outer) && file.done() && read_algorithm(outer, info) && info.has_parameters &&
         outer.element(tag_octet_string, data) && outer.done();
}

// ---- the forms of a key ---------------------------------------------------------------------------------------------------

// A key is either there as it is, which its size tells, or inside an element.  A key of a wrong size that happens to begin like
// an element is taken for one, and so may be called malformed instead of wrong in size.

aioli_status find_public(const aioli_alg *alg, DerReader &key) {
  const size_t size = aioli_public_key_bytes(alg);
  if (key.left() != size && key.tag() == tag_octet_string) {
    DerReader wrapped;
    if (!key.element(tag_octet_string, wrapped) || !key.done()) return AIOLI_ERR_FORMAT;
    key = wrapped;
  }
  return key.left() == size ? AIOLI_OK : AIOLI_ERR_LENGTH;
}

// Leaves the seed in `key`, and in `with` the public key that came behind it, if any.
aioli_status find_secret(const aioli_alg *alg, DerReader &key, DerReader &with) {
  const size_t size = aioli_secret_key_bytes(alg), both = size + aioli_public_key_bytes(alg);
  bool may_hold_both = true;
  if (key.left() != size && key.left() != both) {
    const uint8_t tag = key.tag();
    if (tag == tag_sequence) return AIOLI_ERR_FORMAT;  // a form other algorithms have: seed and expanded key
    if (tag == tag_octet_string || tag == tag_context_0) {
      DerReader wrapped;
      if (!key.element(tag, wrapped) || !key.done()) return AIOLI_ERR_FORMAT;
      key = wrapped;
      may_hold_both = tag == tag_octet_string;
    }
  }
  if (key.left() != size && !(may_hold_both && key.left() == both)) return AIOLI_ERR_LENGTH;
  with = key;
  key = with.split(size);
  return AIOLI_OK;
}

// In time that depends on the length alone.
bool same(DerReader read, const uint8_t *expected) {
  uint8_t b, difference = 0;
  for (; read.byte(b); expected++) difference |= b ^ *expected;
  return difference == 0;
}

// Computes the key pair of the seed with which `secret` begins, into `sk` (of the exact length) and memory of its own, and
// compares it with all that the file has: the secret key, which is only where it is expanded more than its seed, and public keys
// (either may be empty).  Whoever may write to a file and not read it could else change the expanded part and learn the key from
// the signatures.
aioli_status read_and_check(const aioli_alg *alg, DerReader secret, const DerReader &first, const DerReader &second, uint8_t *sk,
                            size_t sk_bytes, const aioli_env *env) {
  // Of MAYO on the stack, so that an operating system is not needed; the keys of UOV are too large for that.
  uint8_t small[6144], *pk = small, *allocated = nullptr;
  const size_t pk_bytes = aioli_public_key_bytes(alg), seed_bytes = aioli_seed_bytes(alg);
  if (pk_bytes > sizeof small) pk = allocated = static_cast<uint8_t *>(host_allocate(pk_bytes));
  if (pk == nullptr) return AIOLI_ERR_MEMORY;
  DerReader(secret).bytes(sk, seed_bytes);
  aioli_status status = aioli_keypair_from_seed(alg, pk, pk_bytes, sk, sk_bytes, sk, seed_bytes, env);
  if (status == AIOLI_OK) {
    const bool same_secret = same(secret, sk), same_first = same(first, pk), same_second = same(second, pk);
    // Whether the file is whole is public, as every status is; which part of it is wrong is not.
    if (!reveal(same_secret & same_first & same_second)) status = AIOLI_ERR_MISMATCH;
  }
  host_free(allocated);
  return status;
}

aioli_status decode(const uint8_t *in, size_t in_bytes, const aioli_alg *&alg, aioli_key_kind &kind, uint8_t *key,
                    size_t key_capacity, size_t &key_bytes, const aioli_oid *overrides, const aioli_env *env) {
  aioli_status status = check_overrides(overrides);
  if (status != AIOLI_OK) return status;
  KeyInfo info = {};
  if (!read_file(in, in_bytes, info)) return is_encrypted(in, in_bytes) ? AIOLI_ERR_ENCRYPTED : AIOLI_ERR_FORMAT;
  kind = info.kind;

  if (info.oid.left() > Oid::max_bytes) return AIOLI_ERR_OID;
  Oid oid;
  oid.size = info.oid.left();
  info.oid.bytes(oid.bytes, oid.size);
  alg = algorithm_of(oid, overrides);
  if (alg == nullptr) return AIOLI_ERR_OID;
  if (info.has_parameters) return AIOLI_ERR_FORMAT;

  DerReader with_secret;
  if (info.has_public) status = find_public(alg, info.public_key);
  if (status == AIOLI_OK && kind == AIOLI_KEY_SECRET) status = find_secret(alg, info.secret, with_secret);
  if (status != AIOLI_OK) return status;

  DerReader &found = kind == AIOLI_KEY_SECRET ? info.secret : info.public_key;
  key_bytes = found.left();
  if (key_bytes > key_capacity) return AIOLI_ERR_BUFFER;
  const bool more_than_a_seed = info.has_public || !with_secret.done() || key_bytes > aioli_seed_bytes(alg);
  if (kind == AIOLI_KEY_SECRET && more_than_a_seed)
    return read_and_check(alg, info.secret, info.public_key, with_secret, key, key_bytes, env);
  found.bytes(key, key_bytes);
  return AIOLI_OK;
}

// ---- writing --------------------------------------------------------------------------------------------------------------

// No more than this is ever written to, whatever capacity the caller states.  In base64 a file is longer than its key by a third.
constexpr size_t longest_key = AIOLI_MAX_PUBLIC_KEY_BYTES, longest_file = 2 * longest_key;
static_assert(AIOLI_MAX_PUBLIC_KEY_BYTES >= AIOLI_MAX_SECRET_KEY_BYTES);

bool valid(aioli_key_kind kind) { return kind == AIOLI_KEY_PUBLIC || kind == AIOLI_KEY_SECRET; }
bool valid(aioli_key_encoding encoding) { return encoding == AIOLI_KEY_DER || encoding == AIOLI_KEY_PEM; }

size_t raw_bytes(const aioli_alg *alg, aioli_key_kind kind) {
  return kind == AIOLI_KEY_SECRET ? aioli_secret_key_bytes(alg) : aioli_public_key_bytes(alg);
}

// Sizes of the contents of the elements in a file that we write.
struct Layout {
  size_t algorithm, key, outer, der, file;

  Layout(size_t oid_bytes, size_t raw, aioli_key_kind kind, aioli_key_encoding encoding) {
    const bool secret = kind == AIOLI_KEY_SECRET;
    algorithm = element_bytes(oid_bytes);
    key = secret ? element_bytes(raw) : 1 + raw;
    outer = (secret ? element_bytes(1) : 0) + element_bytes(algorithm) + element_bytes(key);
    der = element_bytes(outer);
    const size_t label = (secret ? sizeof secret_label : sizeof public_label) - 1;
    const size_t frame = sizeof pem_begin - 1 + label + 1 + sizeof pem_end - 1 + label + 1;
    file = encoding == AIOLI_KEY_DER ? der : frame + pem_body_bytes(der);
  }
};

aioli_status encode(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding, uint8_t *out, size_t out_capacity,
                    size_t &out_bytes, const uint8_t *key, size_t key_bytes, const aioli_oid *overrides) {
  if (key_bytes != raw_bytes(alg, kind)) return AIOLI_ERR_LENGTH;
  const aioli_status status = check_overrides(overrides);
  if (status != AIOLI_OK) return status;
  Oid oid;
  if (!parse_oid(aioli_key_oid(alg, overrides), oid)) return AIOLI_ERR_ARGUMENT;
  const Layout size(oid.size, key_bytes, kind, encoding);
  if (size.file > out_capacity) return AIOLI_ERR_BUFFER;

  const bool secret = kind == AIOLI_KEY_SECRET, pem = encoding == AIOLI_KEY_PEM;
  const char *const label = secret ? secret_label : public_label;
  DerWriter w(out, pem);
  if (pem) {
    w.text(pem_begin);
    w.text(label);
    w.text("\n");
  }
  w.header(tag_sequence, size.outer);
  if (secret) {
    w.header(tag_integer, 1);
    w.byte(0);  // v1
  }
  w.header(tag_sequence, size.algorithm);
  w.header(tag_object_identifier, oid.size);
  w.bytes(oid.bytes, oid.size);
  if (secret) {
    w.header(tag_octet_string, size.key);
    // As ML-DSA does: a seed is [0], anything else an OCTET STRING.
    w.header(key_bytes == aioli_seed_bytes(alg) ? tag_context_0 : tag_octet_string, key_bytes);
  } else {
    w.header(tag_bit_string, size.key);
    w.byte(0);  // unused bits
  }
  w.bytes(key, key_bytes);
  if (pem) {
    w.end_body();
    w.text(pem_end);
    w.text(label);
    w.text("\n");
  }
  out_bytes = size.file;
  return AIOLI_OK;
}

}  // namespace
}  // namespace keyfile
}  // namespace AIOLI_ISA
}  // namespace aioli

extern "C" size_t aioli_key_encoded_bytes_max(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding) {
  using namespace aioli::keyfile;
  if (alg == nullptr || !valid(kind) || !valid(encoding)) return 0;
  return Layout(Oid::max_bytes, raw_bytes(alg, kind), kind, encoding).file;
}

extern "C" aioli_status aioli_key_encode(const aioli_alg *alg, aioli_key_kind kind, aioli_key_encoding encoding, uint8_t *out,
                                         size_t out_capacity, size_t *out_bytes, const uint8_t *key, size_t key_bytes,
                                         const aioli_oid *overrides) {
  using namespace aioli::keyfile;
  using aioli::apart, aioli::Range, aioli::smaller;
  size_t written = 0;
  aioli_status status = AIOLI_ERR_ARGUMENT;
  const bool sound = alg != nullptr && valid(kind) && valid(encoding) && out != nullptr && out_bytes != nullptr && key != nullptr;
  out_capacity = smaller(out_capacity, longest_file);
  if (sound && apart(Range{out, out_capacity}, Range{key, raw_bytes(alg, kind)}))
    status = encode(alg, kind, encoding, out, out_capacity, written, key, key_bytes, overrides);
  aioli::wipe_stack();
  if (status != AIOLI_OK) {
    written = 0;
    if (out != nullptr) aioli::wipe(out, out_capacity);
  }
  if (out_bytes != nullptr) *out_bytes = written;
  return status;
}

extern "C" aioli_status aioli_key_decode(const uint8_t *in, size_t in_bytes, const aioli_alg **alg, aioli_key_kind *kind,
                                         uint8_t *key, size_t key_capacity, size_t *key_bytes, const aioli_oid *overrides,
                                         const aioli_env *env) {
  using namespace aioli::keyfile;
  using aioli::apart, aioli::Range, aioli::smaller;
  const aioli_alg *found = nullptr;
  aioli_key_kind what = AIOLI_KEY_PUBLIC;
  size_t size = 0;
  aioli_status status = AIOLI_ERR_ARGUMENT;
  key_capacity = smaller(key_capacity, longest_key);
  if (in != nullptr && alg != nullptr && kind != nullptr && key != nullptr && key_bytes != nullptr &&
      apart(Range{key, key_capacity}, Range{in, in_bytes}))
    status = decode(in, in_bytes, found, what, key, key_capacity, size, overrides, env);
  aioli::wipe_stack<AIOLI_WIPE_STACK_BYTES + 8192>();  // read_and_check's array, and the calls below it
  if (status != AIOLI_OK) {
    found = nullptr;
    what = AIOLI_KEY_PUBLIC;
    size = 0;
    if (key != nullptr) aioli::wipe(key, key_capacity);
  }
  if (alg != nullptr) *alg = found;
  if (kind != nullptr) *kind = what;
  if (key_bytes != nullptr) *key_bytes = size;
  return status;
}
