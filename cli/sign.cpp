// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "message.hpp"
#include "sigfile.hpp"
#include "text.hpp"

#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::string key;
  std::string file;
  std::string out;
  std::optional<std::string> comment;
  bool deterministic = false;
  bool raw = false;
  std::vector<std::string> oids;
  PassphraseSource passphrase;
};

ExitStatus run(const Options &options, const Session &session) {
  forbid_core_dumps();
  const OidTable oids(options.oids);
  const std::string out = !options.out.empty() ? options.out : options.file == "-" ? "-" : options.file + ".sig";
  if (session.json && is_stdout(out)) throw Failure("--json and the signature cannot both go to standard output: use --out FILE");
  if (options.comment) {
    if (options.raw) throw Failure("a bare signature (--raw) has no comment");
    if (const std::string problem = comment_problem(*options.comment); !problem.empty()) throw Failure(problem);
  }
  if (same_file(options.file, out)) throw Failure("--out " + printable(out) + " is the file to be signed itself");
  if (same_file(options.key, out)) throw Failure("--out " + printable(out) + " is the secret key itself");
  const Key key = load_key(options.key, AIOLI_KEY_SECRET, oids, options.passphrase);
  Input file(options.file, "the file to sign");
  const std::vector<uint8_t> public_key = public_key_of(key);
  SignatureFile signature;
  signature.alg = key.alg;
  signature.key = fingerprint_of(key.alg, public_key);
  signature.comment = options.comment;
  const MessageDigest digest =
      digest_message(key.alg, options.raw ? "" : signed_prefix(signature), file, options.raw ? kSignedPrefix : "");

  aioli_env env{};
  env.rng = options.deterministic ? aioli_rng_zero : nullptr;
  signature.signature.resize(aioli_signature_bytes(key.alg));
  check(aioli_sign_digest(key.alg, signature.signature.data(), signature.signature.size(), digest.bytes.data(),
                          digest.bytes.size(), key.bytes.data(), key.bytes.size(), &env),
        "cannot sign");
  // A fault of the machine must not leave this process as a bad signature, which could give away the key.
  const aioli_status verified =
      aioli_verify_digest(key.alg, signature.signature.data(), signature.signature.size(), digest.bytes.data(),
                          digest.bytes.size(), public_key.data(), public_key.size(), nullptr);
  if (verified == AIOLI_ERR_SIGNATURE) {
    throw Failure("the signature that was made does not verify: the processor or the memory of this machine is not sound");
  }
  check(verified, "cannot verify the signature that was made");

  if (options.raw) {
    write_output(out, {reinterpret_cast<const char *>(signature.signature.data()), signature.signature.size()}, kModePublic);
  } else {
    write_output(out, format_signature_file(signature), kModePublic);
  }
  if (session.json) {
    Document document{{"algorithm", aioli_alg_name(key.alg)},
                      {"key", fingerprint_text(signature.key)},
                      {"file", options.file},
                      {"file_bytes", digest.message_bytes},
                      {"signature_file", out},
                      {"raw", options.raw},
                      {"deterministic", options.deterministic}};
    if (signature.comment) document.add("comment", *signature.comment);
    print_json(document);
  }
  if (!is_stdout(out)) {
    print_text(session, "signed " + file.shown() + " (" + std::to_string(digest.message_bytes) + " bytes) with the " +
                            aioli_alg_name(key.alg) + " key " + fingerprint_text(signature.key) +
                            "\nsignature: " + printable(out) + "\n");
  }
  return kExitOk;
}

}  // namespace

void add_sign(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command =
      add_command(arguments, session, "sign", "Sign a file", [options, &session] { return run(*options, session); });
  command.text("--key", "FILE", options->key, "Secret key (PREFIX.key)", Presence::required);
  command.text("--out", "FILE", options->out, "Where the signature goes; default: FILE.sig, or standard output if FILE is \"-\"");
  command.text("--comment", "TEXT", options->comment,
               "A line of text that is signed together with the file and shown when the signature is verified");
  command.flag("--deterministic", options->deterministic,
               "The same file and key give the same signature (weaker against fault attacks)");
  command.flag("--raw", options->raw, "The bare signature bytes over exactly the bytes of the file");
  add_passphrase_options(command, options->passphrase);
  add_oid_option(command, options->oids);
  add_json_option(command, session);
  add_quiet_option(command, session);
  command.positional("FILE", options->file, "The file to sign; \"-\" is standard input");
}

}  // namespace aioli::cli
