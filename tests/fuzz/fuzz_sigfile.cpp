// SPDX-License-Identifier: Apache-2.0
//
// The input is a signature file.  What is read must be the only text of its content, and what is signed must be recoverable from
// it.
#include <aioli/aioli.h>

#include <string>
#include <string_view>

#include "fuzz.hpp"
#include "sigfile.hpp"
#include "text.hpp"

namespace {

using namespace aioli::cli;

bool accepted(std::string_view text) {
  const ParsedSignatureFile parsed = parse_signature_file(text);
  FUZZ_CHECK(parsed.file.has_value() == parsed.error.empty());
  FUZZ_CHECK(parsed.error.empty() || (parsed.error.starts_with("line ") && is_printable_utf8(parsed.error)));
  return parsed.file.has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Block copy(data, size);
  const std::string_view text(reinterpret_cast<const char *>(copy.data()), copy.size());
  FUZZ_CHECK(is_printable_utf8(printable(text)));
  if (!accepted(text)) return 0;

  FUZZ_CHECK(looks_like_signature_file(text) && text.size() <= kSignatureFileMaxBytes);
  const SignatureFile file = *parse_signature_file(text).file;
  FUZZ_CHECK(file.signature.size() == aioli_signature_bytes(file.alg));
  FUZZ_CHECK(!file.comment || comment_problem(*file.comment).empty());
  FUZZ_CHECK(format_signature_file(file) == text);

  // The header that is signed is the text up to its empty line, and nothing in it looks like that line.
  const std::string prefix = signed_prefix(file);
  FUZZ_CHECK(prefix.starts_with(kSignedPrefix));
  const std::string header = prefix.substr(kSignedPrefix.size());
  FUZZ_CHECK(text.starts_with(header) && text.find("\n\n") + 2 == header.size());

  // Neither less nor more is a signature file.
  FUZZ_CHECK(!accepted(text.substr(0, text.size() - 1)));
  FUZZ_CHECK(!accepted(std::string(text) + "\n"));
  FUZZ_CHECK(!accepted(std::string(text) + std::string(1, '\0')));
  return 0;
}

std::vector<fuzz::Bytes> fuzz::seeds() {
  std::vector<Bytes> all;
  const auto add = [&](const std::string &text) { all.emplace_back(text.begin(), text.end()); };
  for (const char *name : {"MAYO-1", "MAYO-2", "MAYO-3-r1", "MAYO-5-r1b"}) {
    const aioli_alg *alg = aioli_alg_by_name(name);
    if (alg == nullptr) continue;  // a build with round 3 only
    SignatureFile file{alg, {}, {}, Bytes(aioli_signature_bytes(alg))};
    for (size_t i = 0; i < file.key.size(); i++) file.key[i] = uint8_t(0x8f + 7 * i);
    for (size_t i = 0; i < file.signature.size(); i++) file.signature[i] = uint8_t(i * i + i / 3);
    add(format_signature_file(file));
    for (const char *comment : {"release 1.2 of 2026-11-21", "-----",
                                "Gr\xc3\xbc\xc3\x9f"
                                "e \xe2\x82\xac \xf0\x9f\xa7\x84"}) {
      file.comment = comment;
      add(format_signature_file(file));
    }
  }
  add("aioli signature v1\n");
  add("aioli signature v2\nalgorithm: MAYO-1\n");
  return all;
}
