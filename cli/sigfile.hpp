// SPDX-License-Identifier: Apache-2.0
// The signature file: a header of text lines, an empty line, the signature in base64.  docs/signature-file.md is its definition.
#ifndef AIOLI_CLI_SIGFILE_HPP
#define AIOLI_CLI_SIGFILE_HPP

#include <aioli/aioli.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aioli::cli {

// SHA-256(algorithm name || 0x00 || public key).  It depends on the key alone, not on how a file encodes it.
using Fingerprint = std::array<uint8_t, 32>;

std::string fingerprint_text(const Fingerprint &fingerprint);  // "sha256:" and 64 digits

// What is signed is kSignedPrefix || header || content of the file.  The prefix starts with a byte that no text has.  A bare
// (--raw) signature is never made of, nor accepted for, a message that starts with it: the two kinds of signature cannot be
// taken for one another.
inline constexpr std::string_view kSignedPrefix =
    "\xff"
    "aioli-file-signature\n";
inline constexpr std::string_view kSignatureFileMagic = "aioli signature v1";  // first line
inline constexpr size_t kSignatureCommentMaxBytes = 1024;
inline constexpr size_t kSignatureFileMaxBytes = 8192;

struct SignatureFile {
  const aioli_alg *alg = nullptr;
  Fingerprint key{};
  std::optional<std::string> comment;  // never empty
  std::vector<uint8_t> signature;      // aioli_signature_bytes(alg)
};

struct ParsedSignatureFile {
  std::optional<SignatureFile> file;  // set if the text is well-formed to the last byte
  std::string error;                  // otherwise what is wrong, with the number of the line
};

// Strict: for each SignatureFile there is exactly one accepted text, the one that format_signature_file gives.
ParsedSignatureFile parse_signature_file(std::string_view text);
std::string format_signature_file(const SignatureFile &file);

// True if the text claims to be a signature file, of this or of a later version.
bool looks_like_signature_file(std::string_view text);

// The bytes that go before the content of the file into what is signed.
std::string signed_prefix(const SignatureFile &file);

// Empty if `comment` may stand in a signature file, else what is wrong with it.
std::string comment_problem(std::string_view comment);

}  // namespace aioli::cli
#endif
