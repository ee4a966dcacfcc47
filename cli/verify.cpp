// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "manifest.hpp"
#include "message.hpp"
#include "sigfile.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <cstdio>
#include <functional>
#include <memory>

namespace aioli::cli {
namespace {

// No algorithm's bare signature comes near it; what is larger is some other file.
constexpr size_t kRawSignatureMaxBytes = 1 << 16;

struct Options {
  std::string key;
  std::string sig;
  std::vector<std::string> files;
  bool raw = false, manifest = false;
  OidOptions oids;
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
               const std::function<MessageDigest()> &digest_of_file) {
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
  const MessageDigest digest = digest_of_file();
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

// One file and its signature, to the point where it is known whether they belong together.
struct Checked {
  Verdict verdict;
  Document document;
};

Checked check_one(const Options &options, const Session &session, const Key &key, const Fingerprint &fingerprint,
                  const std::string &path) {
  const std::string sig = options.sig.empty() ? path + ".sig" : options.sig;
  const SignatureFile signature = read_signature(sig, key, options.raw);
  Input file(path, "the signed file");
  std::vector<ManifestEntry> entries;
  Verdict verdict;
  if (options.manifest) {  // read once, so that what is gone through is what was verified
    const SecretBytes list = read_small(file, kManifestMaxBytes, "a list of files");
    const std::string_view text(list.text(), list.size());
    verdict =
        verify(options, key, signature, fingerprint, [&] { return digest_message(key.alg, signed_prefix(signature), text); });
    if (verdict.valid) entries = parse_manifest(text, file.shown());
  } else {
    verdict = verify(options, key, signature, fingerprint, [&] {
      return digest_message(key.alg, options.raw ? "" : signed_prefix(signature), file, options.raw ? kSignedPrefix : "");
    });
  }

  Document document{{"valid", verdict.valid},
                    {"algorithm", aioli_alg_name(key.alg)},
                    {"key", fingerprint_text(fingerprint)},
                    {"file", path},
                    {"signature_file", sig},
                    {"raw", options.raw}};
  if (verdict.valid) document.add("file_bytes", verdict.file_bytes);
  if (verdict.valid && signature.comment) document.add("comment", *signature.comment);
  if (!verdict.valid) document.add("reason", verdict.reason);
  if (!options.raw && !verdict.valid) {
    document.add("signature_algorithm", aioli_alg_name(signature.alg));
    document.add("signature_key", fingerprint_text(signature.key));
  }
  if (!verdict.valid) {
    std::fprintf(stderr, "%s %s is not a valid signature of %s: %s\n", coloured(2, Colour::bad, "INVALID:").c_str(),
                 printable(sig).c_str(), file.shown().c_str(), verdict.reason.c_str());
    return {verdict, document};
  }
  print_text(session, coloured(1, Colour::good, "valid:") + " " + file.shown() + " (" + std::to_string(verdict.file_bytes) +
                          " bytes) was signed with the " + aioli_alg_name(key.alg) + " key " + fingerprint_text(fingerprint) +
                          "\n" + (signature.comment ? "comment: " + *signature.comment + "\n" : ""));
  if (options.manifest) {
    Document files = Document::array();
    size_t good = 0;
    for (const ManifestEntry &entry : entries) {
      const auto problem = problem_with(entry, path);
      Document one{{"file", entry.name}, {"valid", !problem}};
      if (problem) {
        one.add("reason", *problem);
        std::fprintf(stderr, "%s %s: %s\n", coloured(2, Colour::bad, "INVALID:").c_str(), printable(entry.name).c_str(),
                     problem->c_str());
        verdict.valid = false;
      }
      good += !problem;
      files.push_back(one);
    }
    document.add("files", files);
    document.add("files_valid", verdict.valid);
    print_text(session,
               std::to_string(good) + " of " + std::to_string(entries.size()) + " listed files are as they were signed\n");
  }
  return {verdict, document};
}

ExitStatus run(const Options &options, const Session &session) {
  const OidTable oids = options.oids.table();
  const bool several = options.files.size() > 1;
  if (several && !options.sig.empty()) throw Failure("--sig names one signature, and there are several files to verify");
  if (options.manifest && options.raw) throw Failure("a list of files is signed with a signature file, not with --raw");
  for (const std::string &file : options.files) {
    if (file == "-" && options.manifest) throw Failure("a list of files is a file: its directory matters");
    if (options.sig.empty() && file == "-") throw Failure("with the file on standard input, --sig must name the signature");
  }
  const Key key = load_key(options.key, AIOLI_KEY_PUBLIC, oids, {});
  const Fingerprint fingerprint = fingerprint_of(key.alg, key.bytes.view());
  ExitStatus status = kExitOk;
  Document results = Document::array();
  for (const std::string &file : options.files) {
    try {
      const Checked one = check_one(options, session, key, fingerprint, file);
      results.push_back(one.document);
      if (!one.verdict.valid && status == kExitOk) status = kExitInvalid;
    } catch (const Failure &failure) {  // of one among several: the others are verified all the same
      if (!several) throw;
      std::fprintf(stderr, "%s %s\n", coloured(2, Colour::bad, "aioli verify:").c_str(), failure.what());
      results.push_back({{"file", file}, {"error", failure.what()}});
      status = kExitFailure;
    }
  }
  if (session.json) print_json(several ? results : results.elements().front());
  return status;
}

}  // namespace

void add_verify(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(arguments, session, "verify", "Verify the signatures of files",
                                         [options, &session] { return run(*options, session); });
  command.example(
      "aioli verify -k alice.pub release.tar.gz   # with release.tar.gz.sig\n"
      "aioli verify -k alice.pub -m SHA256SUMS    # and all files that it lists");
  command.text("-k,--key", "FILE", options->key, "Public key (PREFIX.pub)", Presence::required);
  command.text("-s,--sig", "FILE", options->sig, "The signature; default: FILE.sig");
  command.flag("-m,--manifest", options->manifest, "FILE is a list as sha256sum writes it: verify also the files that it names");
  command.flag("-r,--raw", options->raw, "The signature is the bare signature bytes over exactly the bytes of the file");
  add_oid_option(command, options->oids);
  command.positionals("FILE", options->files, "The signed files; \"-\" is standard input");
}

}  // namespace aioli::cli
