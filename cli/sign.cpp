// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "manifest.hpp"
#include "message.hpp"
#include "sigfile.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::string key;
  std::vector<std::string> files;
  std::string out, manifest;
  std::optional<std::string> comment;
  bool deterministic = false;
  bool raw = false;
  OidOptions oids;
  PassphraseSource passphrase;
};

// The key, with what is computed once for all files.
struct Signer {
  Key key;
  std::vector<uint8_t> public_key;
  Fingerprint fingerprint;
};

std::string signature_path(const Options &options, const std::string &file) {
  return !options.out.empty() ? options.out : file == "-" ? "-" : file + ".sig";
}

std::vector<uint8_t> make_signature(const Options &options, const Signer &signer, const MessageDigest &digest) {
  const aioli_alg *alg = signer.key.alg;
  aioli_env env{};
  env.rng = options.deterministic ? aioli_rng_zero : nullptr;
  std::vector<uint8_t> signature(aioli_signature_bytes(alg));
  check(aioli_sign_digest(alg, signature.data(), signature.size(), digest.bytes.data(), digest.bytes.size(),
                          signer.key.bytes.data(), signer.key.bytes.size(), &env),
        "cannot sign");
  // A fault of the machine must not leave this process as a bad signature, which could give away the key.
  const aioli_status verified =
      aioli_verify_digest(alg, signature.data(), signature.size(), digest.bytes.data(), digest.bytes.size(),
                          signer.public_key.data(), signer.public_key.size(), nullptr);
  if (verified == AIOLI_ERR_SIGNATURE) {
    throw Failure("the signature that was made does not verify: the processor or the memory of this machine is not sound");
  }
  check(verified, "cannot verify the signature that was made");
  return signature;
}

Document sign_one(const Options &options, const Session &session, const Signer &signer, const std::string &path) {
  const aioli_alg *alg = signer.key.alg;
  const std::string out = signature_path(options, path);
  Input file(path, "the file to sign");
  SignatureFile signature{alg, signer.fingerprint, options.comment, {}};
  const MessageDigest digest =
      digest_message(alg, options.raw ? "" : signed_prefix(signature), file, options.raw ? kSignedPrefix : "");
  signature.signature = make_signature(options, signer, digest);
  if (options.raw) {
    write_output(out, {reinterpret_cast<const char *>(signature.signature.data()), signature.signature.size()}, kModePublic);
  } else {
    write_output(out, format_signature_file(signature), kModePublic);
  }
  if (!is_stdout(out)) {
    print_text(session, "signed " + file.shown() + " (" + std::to_string(digest.message_bytes) + " bytes) with the " +
                            aioli_alg_name(alg) + " key " + fingerprint_text(signature.key) + "\nsignature: " + printable(out) +
                            "\n");
  }
  Document document{{"algorithm", aioli_alg_name(alg)},
                    {"key", fingerprint_text(signature.key)},
                    {"file", path},
                    {"file_bytes", digest.message_bytes},
                    {"signature_file", out},
                    {"raw", options.raw},
                    {"deterministic", options.deterministic}};
  if (signature.comment) document.add("comment", *signature.comment);
  return document;
}

void check_options(const Options &options, const Session &session, const std::vector<std::string> &files) {
  if (files.size() > 1 && !options.out.empty()) throw Failure("--out names one signature, and there are several files to sign");
  if (options.raw && !options.manifest.empty()) throw Failure("a list of files is signed with a signature file, not with --raw");
  if (options.manifest == "-") throw Failure("--manifest is a file: its name and the list's directory matter");
  if (options.comment) {
    if (options.raw) throw Failure("a bare signature (--raw) has no comment");
    if (const std::string problem = comment_problem(*options.comment); !problem.empty()) throw Failure(problem);
  }
  for (const std::string &file : files) {
    const std::string out = signature_path(options, file);
    if (session.json && is_stdout(out))
      throw Failure("--json and the signature cannot both go to standard output: use --out FILE");
    if (same_file(file, out)) throw Failure("--out " + printable(out) + " is the file to be signed itself");
    if (same_file(options.key, out)) throw Failure("--out " + printable(out) + " is the secret key itself");
    if (same_file(options.key, options.manifest))
      throw Failure("--manifest " + printable(options.manifest) + " is the secret key itself");
  }
}

ExitStatus run(const Options &options, const Session &session) {
  forbid_core_dumps();
  const OidTable oids = options.oids.table();
  const std::vector<std::string> files = options.manifest.empty() ? options.files : std::vector<std::string>{options.manifest};
  check_options(options, session, files);
  if (options.deterministic) {
    warn("deterministic signatures are weaker against faults, and give the key away if its seed signs under another set, too");
  }
  Signer signer;
  signer.key = load_key(options.key, AIOLI_KEY_SECRET, oids, options.passphrase);
  signer.public_key = public_key_of(signer.key);
  signer.fingerprint = fingerprint_of(signer.key.alg, signer.public_key);
  if (!options.manifest.empty()) {
    const std::vector<ManifestEntry> entries = list_files(options.manifest, options.files);
    write_output(options.manifest, format_manifest(entries), kModePublic);
    print_text(session, "listed " + std::to_string(entries.size()) + " files in " + printable(options.manifest) + "\n");
  }
  Document results = Document::array();
  for (const std::string &file : files) results.push_back(sign_one(options, session, signer, file));
  if (session.json) print_json(files.size() == 1 ? results.elements().front() : results);
  return kExitOk;
}

}  // namespace

void add_sign(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command =
      add_command(arguments, session, "sign", "Sign files", [options, &session] { return run(*options, session); });
  command.example(
      "aioli sign -k alice.key release.tar.gz        # release.tar.gz.sig\n"
      "aioli sign -k alice.key *.tar.gz\n"
      "aioli sign -k alice.key -m SHA256SUMS dist    # one list, one signature");
  command.text("-k,--key", "FILE", options->key, "Secret key (PREFIX.key)", Presence::required);
  command.text("-o,--out", "FILE", options->out,
               "Where the signature goes; default: FILE.sig, or standard output if FILE is \"-\"");
  command.text("-m,--manifest", "LIST", options->manifest,
               "Write the SHA-256 of all files, also of those in directories, to the file LIST as sha256sum does, and sign that");
  command.text("-c,--comment", "TEXT", options->comment,
               "A line of text that is signed together with the file and shown when the signature is verified");
  command.flag("--deterministic", options->deterministic,
               "The same file and key give the same signature (weaker against fault attacks)");
  command.flag("-r,--raw", options->raw, "The bare signature bytes over exactly the bytes of the file");
  add_passphrase_options(command, options->passphrase);
  add_oid_option(command, options->oids);
  command.positionals("FILE", options->files, "The files to sign; \"-\" is standard input");
}

}  // namespace aioli::cli
