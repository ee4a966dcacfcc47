// SPDX-License-Identifier: Apache-2.0
#include "sigfile.hpp"

#include "text.hpp"

#include <algorithm>

namespace aioli::cli {
namespace {

constexpr std::string_view kMagicOfAnyVersion = "aioli signature v";
constexpr std::string_view kAlgorithmField = "algorithm: ";
constexpr std::string_view kKeyField = "key: sha256:";
constexpr std::string_view kCommentField = "comment: ";
constexpr size_t kBase64LineBytes = 64;
constexpr size_t kAlgorithmNameMaxBytes = 64;

// Raised and caught inside the parser only.
struct Malformed {
  std::string what;
};

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  size_t number() const { return number_; }

  std::string_view next() {
    number_++;
    const size_t end = rest_.find('\n');
    if (rest_.empty()) throw Malformed{"the file ends here: it is cut off"};
    if (end == std::string_view::npos) throw Malformed{"the line does not end: the file is cut off"};
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  bool next_starts_with(std::string_view prefix) const { return rest_.starts_with(prefix); }

  std::string_view field(std::string_view name) {
    const std::string_view line = next();
    if (!line.starts_with(name)) throw Malformed{"expected a line that starts with \"" + std::string(name) + "\""};
    return line.substr(name.size());
  }

 private:
  std::string_view rest_;
  size_t number_ = 0;
};

const aioli_alg *parse_algorithm(std::string_view name) {
  // The C interface sees a name only up to its first zero byte, so the characters are checked before.
  const bool plain = !name.empty() && name.size() <= kAlgorithmNameMaxBytes && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (!plain) throw Malformed{"this is not the name of an algorithm"};
  const aioli_alg *alg = aioli_alg_by_name(std::string(name).c_str());
  if (alg == nullptr) throw Malformed{"the algorithm \"" + std::string(name) + "\" is not known here"};
  return alg;
}

std::vector<uint8_t> parse_signature(Lines &lines, const aioli_alg *alg) {
  const size_t digits = (aioli_signature_bytes(alg) + 2) / 3 * 4;
  std::string text;
  while (text.size() < digits) {
    const std::string_view line = lines.next();
    if (line.size() != std::min(kBase64LineBytes, digits - text.size())) {
      throw Malformed{"the line has " + std::to_string(line.size()) + " characters where the signature has " +
                      std::to_string(std::min(kBase64LineBytes, digits - text.size()))};
    }
    text += line;
  }
  const auto bytes = base64_decode(text);
  if (!bytes || bytes->size() != aioli_signature_bytes(alg)) throw Malformed{"the signature above is not in correct base64"};
  if (!lines.done()) throw Malformed{"there is something after the signature"};
  return *bytes;
}

SignatureFile parse(std::string_view text, Lines &lines) {
  SignatureFile file;
  if (text.size() > kSignatureFileMaxBytes) throw Malformed{"the file is too large to be a signature file"};
  if (text.find('\r') != std::string_view::npos) {
    throw Malformed{"the file has carriage returns: its line ends were converted on the way; get it again as binary"};
  }
  if (const std::string_view magic = lines.next(); magic != kSignatureFileMagic) {
    if (magic.starts_with(kMagicOfAnyVersion)) throw Malformed{"a version of the format that this program does not know"};
    throw Malformed{"the file does not start with \"" + std::string(kSignatureFileMagic) + "\""};
  }
  file.alg = parse_algorithm(lines.field(kAlgorithmField));
  const std::string_view key = lines.field(kKeyField);
  if (!hex_decode(key, file.key) || hex_lower(file.key) != key) {
    throw Malformed{"the key fingerprint is not 64 lower-case hexadecimal digits"};
  }
  if (lines.next_starts_with(kCommentField)) {
    const std::string_view comment = lines.field(kCommentField);
    if (const std::string problem = comment_problem(comment); !problem.empty()) throw Malformed{problem};
    file.comment = std::string(comment);
  }
  if (!lines.next().empty()) throw Malformed{"expected the empty line that ends the header"};
  file.signature = parse_signature(lines, file.alg);
  return file;
}

std::string header(const SignatureFile &file) {
  std::string text(kSignatureFileMagic);
  text += "\n";
  text += kAlgorithmField;
  text += aioli_alg_name(file.alg);
  text += "\n";
  text += kKeyField;
  text += hex_lower(file.key);
  text += "\n";
  if (file.comment) {
    text += kCommentField;
    text += *file.comment;
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::string fingerprint_text(const Fingerprint &fingerprint) { return "sha256:" + hex_lower(fingerprint); }

ParsedSignatureFile parse_signature_file(std::string_view text) {
  Lines lines(text);
  try {
    return {parse(text, lines), {}};
  } catch (const Malformed &malformed) {
    return {std::nullopt, "line " + std::to_string(std::max<size_t>(lines.number(), 1)) + ": " + malformed.what};
  }
}

std::string format_signature_file(const SignatureFile &file) {
  std::string text = header(file);
  const std::string digits = base64_encode(file.signature);
  for (size_t i = 0; i < digits.size(); i += kBase64LineBytes) text += digits.substr(i, kBase64LineBytes) + "\n";
  return text;
}

bool looks_like_signature_file(std::string_view text) { return text.starts_with(kMagicOfAnyVersion); }

std::string signed_prefix(const SignatureFile &file) { return std::string(kSignedPrefix) + header(file); }

std::string comment_problem(std::string_view comment) {
  if (comment.empty()) return "the comment is empty";
  if (comment.size() > kSignatureCommentMaxBytes) {
    return "the comment is longer than " + std::to_string(kSignatureCommentMaxBytes) + " bytes";
  }
  if (!is_printable_utf8(comment)) {
    return "the comment is not one line of printable UTF-8 text (control characters and bidirectional overrides are not allowed)";
  }
  return {};
}

}  // namespace aioli::cli
