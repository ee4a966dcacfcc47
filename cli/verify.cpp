// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "message.hpp"
#include "sigfile.hpp"
#include "text.hpp"

#include <cstdio>
#include <memory>

namespace aioli::cli {
namespace {

// No algorithm's bare signature comes near it; what is larger is some other file.
constexpr size_t kRawSignatureMaxBytes = 1 << 16;

struct Options {
  std::string key;
  std::string sig;
  std::string file;
  bool raw = false;
  std::vector<std::string> oids;
};

struct Verdict {
  bool valid = false;
  std::string reason;  // if it is not
  uint64_t file_bytes = 0;
};

SignatureFile read_signature(const std::string &path, const Key &key, bool raw) {
  Input input(path, "the signature");
  const SecretBytes content = read_small(input, raw ? kRawSignatureMaxBytes : kSignatureFileMaxBytes, "a signature");
  const std::string_view text(content.text(), content.size());
  if (raw) {
    if (looks_like_signature_file(text))
      throw Failure(input.shown() + " is a signature file, not a bare signature: leave out --raw");
    SignatureFile signature;
    signature.alg = key.alg;
    signature.signature.assign(content.data(), content.data() + content.size());
    return signature;
  }
  if (!looks_like_signature_file(text)) {
    throw Failure(input.shown() + " is not a signature file of aioli (for a bare signature use --raw)");
  }
  ParsedSignatureFile parsed = parse_signature_file(text);
  if (!parsed.file) throw Failure("the signature file " + input.shown() + " is malformed: " + parsed.error);
  return std::move(*parsed.file);
}

Verdict verify(const Options &options, const Key &key, const SignatureFile &signature, const Fingerprint &fingerprint,
               Input &file) {
  const std::string name = aioli_alg_name(key.alg);
  if (options.raw) {
    if (signature.signature.size() != aioli_signature_bytes(key.alg)) {
      return {false,
              "it has " + std::to_string(signature.signature.size()) + " bytes and a signature of " + name + " has " +
                  std::to_string(aioli_signature_bytes(key.alg)),
              0};
    }
  } else if (signature.alg != key.alg) {
    return {false,
            std::string("it is a signature of ") + aioli_alg_name(signature.alg) + " by the key " +
                fingerprint_text(signature.key) + ", and " + key.shown + " is a key of " + name,
            0};
  } else if (signature.key != fingerprint) {
    return {false,
            "it was made with the key " + fingerprint_text(signature.key) + ", and " + key.shown + " is the key " +
                fingerprint_text(fingerprint),
            0};
  }
  const MessageDigest digest =
      digest_message(key.alg, options.raw ? "" : signed_prefix(signature), file, options.raw ? kSignedPrefix : "");
  const aioli_status status =
      aioli_verify_digest(key.alg, signature.signature.data(), signature.signature.size(), digest.bytes.data(),
                          digest.bytes.size(), key.bytes.data(), key.bytes.size(), nullptr);
  if (status == AIOLI_ERR_SIGNATURE) {
    return {false,
            options.raw ? "the file, the signature or the key is not the right one"
                        : "the file, its signature or the comment was changed after signing",
            digest.message_bytes};
  }
  check(status, "cannot verify");
  return {true, "", digest.message_bytes};
}

ExitStatus run(const Options &options, const Session &session) {
  const OidTable oids(options.oids);
  if (options.sig.empty() && options.file == "-") {
    throw Failure("with the file on standard input, --sig must name the signature");
  }
  const std::string sig = options.sig.empty() ? options.file + ".sig" : options.sig;
  const Key key = load_key(options.key, AIOLI_KEY_PUBLIC, oids, {});
  const Fingerprint fingerprint = fingerprint_of(key.alg, key.bytes.view());
  const SignatureFile signature = read_signature(sig, key, options.raw);
  Input file(options.file, "the signed file");
  const Verdict verdict = verify(options, key, signature, fingerprint, file);

  if (session.json) {
    Document document{{"valid", verdict.valid},
                      {"algorithm", aioli_alg_name(key.alg)},
                      {"key", fingerprint_text(fingerprint)},
                      {"file", options.file},
                      {"signature_file", sig},
                      {"raw", options.raw}};
    if (verdict.valid) document.add("file_bytes", verdict.file_bytes);
    if (verdict.valid && signature.comment) document.add("comment", *signature.comment);
    if (!verdict.valid) document.add("reason", verdict.reason);
    if (!options.raw && !verdict.valid) {
      document.add("signature_algorithm", aioli_alg_name(signature.alg));
      document.add("signature_key", fingerprint_text(signature.key));
    }
    print_json(document);
  }
  if (!verdict.valid) {
    std::fprintf(stderr, "INVALID: %s is not a valid signature of %s: %s\n", printable(sig).c_str(), file.shown().c_str(),
                 verdict.reason.c_str());
    return kExitInvalid;
  }
  print_text(session, "valid: " + file.shown() + " (" + std::to_string(verdict.file_bytes) + " bytes) was signed with the " +
                          aioli_alg_name(key.alg) + " key " + fingerprint_text(fingerprint) + "\n" +
                          (signature.comment ? "comment: " + *signature.comment + "\n" : ""));
  return kExitOk;
}

}  // namespace

void add_verify(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(arguments, session, "verify", "Verify the signature of a file",
                                         [options, &session] { return run(*options, session); });
  command.text("--key", "FILE", options->key, "Public key (PREFIX.pub)", Presence::required);
  command.text("--sig", "FILE", options->sig, "The signature; default: FILE.sig");
  command.flag("--raw", options->raw, "The signature is the bare signature bytes over exactly the bytes of the file");
  add_oid_option(command, options->oids);
  add_json_option(command, session);
  add_quiet_option(command, session);
  command.positional("FILE", options->file, "The signed file; \"-\" is standard input");
}

}  // namespace aioli::cli
