// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "envelope.hpp"
#include "sigfile.hpp"
#include "text.hpp"

#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::string file;
  OidOptions oids;
  PassphraseSource passphrase;
};

// What is known of a file, in the order in which it is shown.
Document describe_key(const Key &key, const OidTable &oids) {
  const bool secret = key.kind == AIOLI_KEY_SECRET;
  Document document{{"kind", secret ? "secret key" : "public key"},
                    {"algorithm", aioli_alg_name(key.alg)},
                    {"round", aioli_alg_round(key.alg)},
                    {"category", aioli_alg_category(key.alg)},
                    {"oid", aioli_key_oid(key.alg, oids.entries())},
                    {"key", fingerprint_text(fingerprint_of(key.alg, public_key_of(key)))},
                    {"public_key_bytes", aioli_public_key_bytes(key.alg)},
                    {"signature_bytes", aioli_signature_bytes(key.alg)}};
  if (secret) {
    document.add("encrypted", !key.encryption.empty());
    if (!key.encryption.empty()) {
      document.add("encryption", key.encryption);
      document.add("checked", key.checked);
    }
  }
  return document;
}

Document describe_signature(const SignatureFile &signature) {
  Document document{{"kind", "signature file"},
                    {"algorithm", aioli_alg_name(signature.alg)},
                    {"key", fingerprint_text(signature.key)},
                    {"signature_bytes", signature.signature.size()}};
  if (signature.comment) document.add("comment", *signature.comment);
  document.add("verified", false);
  return document;
}

// The sets whose bare signatures have this length; a bare signature itself says nothing.
std::string sets_with_signature_of(size_t n) {
  std::string names;
  for (const aioli_alg *alg : all_algorithms()) {
    if (aioli_signature_bytes(alg) == n) names += std::string(names.empty() ? "" : ", ") + aioli_alg_name(alg);
  }
  return names;
}

Document describe(const Options &options, const OidTable &oids) {
  Input input(options.file, "the file");
  const SecretBytes content = read_small(input, kKeyFileMaxBytes, "a key or a signature");
  const std::string_view text(content.text(), content.size());
  if (looks_like_signature_file(text)) {
    const ParsedSignatureFile parsed = parse_signature_file(text);
    if (!parsed.file) throw Failure("the signature file " + input.shown() + " is malformed: " + parsed.error);
    return describe_signature(*parsed.file);
  }
  if (!options.passphrase.given()) {
    if (const auto envelope = find_envelope(content.view())) {
      return {{"kind", "secret key"},
              {"encrypted", true},
              {"encryption", envelope->scheme},
              {"note", "algorithm and fingerprint are inside: give --passphrase-file or --passphrase-env to see them"}};
    }
  }
  try {
    return describe_key(decode_key(content.view(), input.shown(), oids, options.passphrase), oids);
  } catch (const Failure &failure) {
    const std::string names = sets_with_signature_of(content.size());
    if (names.empty()) throw;
    throw Failure(std::string(failure.what()) + ". Its length is that of a bare signature of " + names +
                  "; such a signature says nothing of itself");
  }
}

ExitStatus run(const Options &options, const Session &session) {
  forbid_core_dumps();
  const OidTable oids = options.oids.table();
  const Document document = describe(options, oids);
  if (session.json) {
    Document with_name{{"file", options.file}};
    for (const auto &[name, value] : document.members()) with_name.add(name, value);
    print_json(with_name);
    return kExitOk;
  }
  std::string text = printable(options.file) + "\n";
  for (const auto &[name, value] : document.members()) {
    std::string label = name;
    for (char &c : label) c = c == '_' ? ' ' : c;
    if (name == "verified") {
      text += "  (nothing was verified: the comment is what the file claims)\n";
      continue;
    }
    text += "  " + label + ": " + value.plain() + "\n";
  }
  print_text(session, text);
  return kExitOk;
}

}  // namespace

void add_inspect(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command =
      add_command(arguments, session, "inspect", "Say what a key or signature file is; secrets are not shown",
                  [options, &session] { return run(*options, session); });
  command.example(
      "aioli inspect alice.key\n"
      "aioli inspect release.tar.gz.sig");
  add_passphrase_options(command, options->passphrase);
  add_oid_option(command, options->oids);
  command.positional("FILE", options->file, "The file; \"-\" is standard input");
}

}  // namespace aioli::cli
