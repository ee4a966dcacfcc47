// SPDX-License-Identifier: Apache-2.0
//
// aioli-composite: keys and signatures of files with MAYO and a classical scheme at once (bindings/composite).  A program of its
// own, so that `aioli` needs no libcrypto for what it signs.
#include "arguments.hpp"
#include "envelope.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "keys.hpp"
#include "passphrase.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <aioli/composite.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <signal.h>

#include <cstdio>
#include <memory>

namespace aioli::cli {
namespace {

struct KeyDeleter {
  void operator()(aioli_composite_key *key) const { aioli_composite_key_free(key); }
};
using CompositeKey = std::unique_ptr<aioli_composite_key, KeyDeleter>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

constexpr size_t kMessageChunk = 256 << 10;
constexpr size_t kFileMaxBytes = 64 << 10;  // no key file of a composite comes near it

std::string known_names() {
  std::string names;
  for (size_t i = 0; i < aioli_composite_count(); i++)
    names += std::string(i != 0 ? ", " : "") + aioli_composite_name(aioli_composite_at(i));
  return names;
}

std::string pem(const char *label, std::span<const uint8_t> der, bool secret) {
  const Bio memory(BIO_new(secret ? BIO_s_secmem() : BIO_s_mem()), BIO_free_all);
  char *text = nullptr;
  if (!memory || PEM_write_bio(memory.get(), label, "", der.data(), static_cast<long>(der.size())) <= 0)
    throw Failure("cannot write PEM");
  const long n = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<size_t>(n)};
}

SecretBytes der_of(const aioli_composite_key *key, aioli_key_kind kind) {
  SecretBytes der(aioli_composite_file_bytes_max(aioli_composite_key_type(key), kind));
  size_t n = 0;
  check(aioli_composite_key_encode(key, kind, der.data(), der.capacity(), &n, nullptr), "cannot encode the key");
  der.set_size(n);
  return der;
}

// DER out of a PEM file that holds one key and nothing else; what is no PEM is taken for DER.
SecretBytes der_in(std::span<const uint8_t> content) {
  const Bio memory(BIO_new_mem_buf(content.data(), static_cast<int>(content.size())), BIO_free_all);
  char *label = nullptr, *header = nullptr;
  unsigned char *data = nullptr;
  long n = 0;
  if (content.empty() || content[0] == 0x30 ||
      PEM_read_bio_ex(memory.get(), &label, &header, &data, &n, PEM_FLAG_SECURE | PEM_FLAG_ONLY_B64) != 1)
    return SecretBytes::copy_of(content.data(), content.size());
  const bool plain = *header == 0;
  SecretBytes der = SecretBytes::copy_of(data, static_cast<size_t>(n));
  OPENSSL_secure_free(label);
  OPENSSL_secure_free(header);
  OPENSSL_secure_clear_free(data, static_cast<size_t>(n));
  if (!plain) throw Failure("PEM with header lines is not read");
  return der;
}

CompositeKey load(const std::string &path, const PassphraseSource &passphrase, bool secret) {
  Input input(path, "the key");
  const SecretBytes content = read_small(input, kFileMaxBytes, "a key file");
  SecretBytes der = der_in(content.view());
  const auto envelope = find_envelope(content.view());
  if (envelope) {
    auto opened = open_envelope(*envelope, read_passphrase(passphrase, input.shown(), false));
    if (!opened) throw Failure("wrong passphrase for " + input.shown() + ", or the file is damaged");
    der = std::move(*opened);
  }
  aioli_composite_key *key = nullptr;
  const aioli_status status = aioli_composite_key_decode(&key, nullptr, der.data(), der.size(), nullptr);
  if (status == AIOLI_ERR_OID) {
    throw Failure("cannot use the key file " + input.shown() +
                  (envelope ? ": wrong passphrase, or the file is damaged" : ": it is no key of a composite, or damaged"));
  }
  check(status, "cannot use the key file " + input.shown());
  CompositeKey owned(key);
  const bool has_secret = aioli_composite_key_secret(key) != nullptr;
  if (secret && !has_secret) throw Failure(input.shown() + " is a public key: signing needs the secret key (the .key file)");
  if (!secret && has_secret) throw Failure(input.shown() + " is a secret key: verifying needs the public key (the .pub file)");
  if (secret && !envelope && input.others_may_read())
    warn("the secret key " + input.shown() + " can be read by others: chmod 600 it");
  return owned;
}

std::vector<uint8_t> digest_of(const aioli_composite *composite, const std::string &path) {
  Input file(path, "the file");
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> md(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const EVP_MD *type = EVP_get_digestbyname(aioli_composite_digest(composite));
  bool ok = md && type != nullptr && EVP_DigestInit_ex(md.get(), type, nullptr) == 1;
  std::vector<uint8_t> chunk(kMessageChunk), digest(aioli_composite_digest_bytes(composite));
  for (size_t n = chunk.size(); ok && n == chunk.size();) {
    n = file.read(chunk);
    ok = EVP_DigestUpdate(md.get(), chunk.data(), n) == 1;
  }
  if (!ok || EVP_DigestFinal_ex(md.get(), digest.data(), nullptr) != 1) throw Failure("libcrypto cannot hash the file");
  return digest;
}

struct Options {
  std::string alg = "MAYO-1-Ed25519", out, key, file, signature, context;
  bool encrypt = false, force = false;
  PassphraseSource passphrase;
  std::span<const uint8_t> context_bytes() const { return {reinterpret_cast<const uint8_t *>(context.data()), context.size()}; }
};

ExitStatus keygen(const Options &options) {
  const aioli_composite *composite = aioli_composite_by_name(options.alg.c_str());
  if (composite == nullptr) throw Failure("there is no composite \"" + printable(options.alg) + "\": there are " + known_names());
  if (options.out.empty() || options.out == "-" || options.out.back() == '/')
    throw Failure("--out takes the prefix of the files' names: PREFIX.key and PREFIX.pub");
  const std::string secret_path = options.out + ".key", public_path = options.out + ".pub";
  if (!options.force) {
    require_absent(secret_path);
    require_absent(public_path);
  }
  aioli_composite_key *made = nullptr;
  check(aioli_composite_key_generate(&made, composite, nullptr, nullptr), "cannot make a key");
  const CompositeKey key(made);
  const SecretBytes secret = der_of(made, AIOLI_KEY_SECRET), public_der = der_of(made, AIOLI_KEY_PUBLIC);
  const bool encrypted = options.encrypt || options.passphrase.given();
  std::string text = encrypted
                         ? seal_envelope(secret.view(), read_passphrase(options.passphrase, printable(secret_path), true), true)
                         : pem(PEM_STRING_PKCS8INF, secret.view(), true);
  const SecretBytes secret_file = SecretBytes::copy_of(text.data(), text.size());
  OPENSSL_cleanse(text.data(), text.size());
  const std::string public_file = pem(PEM_STRING_PUBLIC, public_der.view(), false);
  write_pair({secret_path, secret_file.view(), kModeSecret},
             {public_path, {reinterpret_cast<const uint8_t *>(public_file.data()), public_file.size()}, kModePublic},
             options.force);
  write_stdout(options.alg + "\nsecret key: " + printable(secret_path) +
               (encrypted ? " (under a passphrase)" : " (not encrypted)") + "\npublic key: " + printable(public_path) + "\n");
  return kExitOk;
}

ExitStatus pubkey(const Options &options) {
  if (same_file(options.key, options.out)) throw Failure("--out " + printable(options.out) + " is the secret key itself");
  const CompositeKey key = load(options.key, options.passphrase, true);
  write_output(options.out, pem(PEM_STRING_PUBLIC, der_of(key.get(), AIOLI_KEY_PUBLIC).view(), false), kModePublic);
  return kExitOk;
}

ExitStatus sign(const Options &options) {
  const std::string out = options.out.empty() ? options.file + ".sig" : options.out;
  if (options.out.empty() && options.file == "-") throw Failure("--out says where the signature of standard input goes");
  for (const std::string &input : {options.file, options.key})
    if (same_file(input, out)) throw Failure("--out " + printable(out) + " is " + printable(input) + " itself");
  const CompositeKey key = load(options.key, options.passphrase, true);
  const aioli_composite *composite = aioli_composite_key_type(key.get());
  const std::vector<uint8_t> digest = digest_of(composite, options.file);
  const auto context = options.context_bytes();
  std::vector<uint8_t> sig(aioli_composite_signature_bytes_max(composite));
  size_t n = 0;
  check(aioli_composite_sign_digest(key.get(), sig.data(), sig.size(), &n, digest.data(), digest.size(), context.data(),
                                    context.size(), nullptr),
        "cannot sign");
  // A fault of the machine must not leave this process as a bad signature, which could give away the key.
  check(aioli_composite_verify_digest(key.get(), sig.data(), n, digest.data(), digest.size(), context.data(), context.size()),
        "the signature that was made does not verify: the processor or the memory of this machine is not sound");
  write_output(out, {reinterpret_cast<const char *>(sig.data()), n}, kModePublic);
  return kExitOk;
}

ExitStatus verify(const Options &options) {
  const CompositeKey key = load(options.key, options.passphrase, false);
  Input input(options.signature.empty() ? options.file + ".sig" : options.signature, "the signature");
  const SecretBytes sig = read_small(input, kFileMaxBytes, "a signature");
  const std::vector<uint8_t> digest = digest_of(aioli_composite_key_type(key.get()), options.file);
  const auto context = options.context_bytes();
  const aioli_status status = aioli_composite_verify_digest(key.get(), sig.data(), sig.size(), digest.data(), digest.size(),
                                                            context.data(), context.size());
  if (status == AIOLI_OK) {
    write_stdout(coloured(1, Colour::good, "valid") + ": both halves, " +
                 aioli_composite_name(aioli_composite_key_type(key.get())) + "\n");
    return kExitOk;
  }
  if (status != AIOLI_ERR_SIGNATURE && status != AIOLI_ERR_LENGTH) check(status, "cannot verify");
  write_stdout(coloured(1, Colour::bad, "NOT VALID") + "\n");
  return kExitInvalid;
}

int run(int argc, char **argv) {
  Options options;
  std::function<ExitStatus()> chosen;
  Arguments arguments("aioli-composite", "aioli-composite: MAYO and a classical signature of files, both demanded",
                      std::string("aioli-composite ") + aioli_version(),
                      "Exit status: 0 done, or signature valid; 1 signature not valid; 2 wrong usage,\ninput or system error.");
  const auto add = [&](const char *name, const char *description, ExitStatus (*what)(const Options &)) {
    return arguments.command(name, description, [&, what] { chosen = [&, what] { return what(options); }; });
  };
  const auto passphrases = [&](CommandArguments &command) {
    command.text("--passphrase-file", "FILE", options.passphrase.file, "Take the passphrase from the first line of a file");
    command.text("--passphrase-env", "NAME", options.passphrase.variable, "Take the passphrase from an environment variable");
    command.not_together("--passphrase-file", "--passphrase-env");
  };
  const std::string names = "Composite: " + known_names();
  CommandArguments make = add("keygen", "Make a key pair: PREFIX.key (secret) and PREFIX.pub (public)", keygen);
  make.text("-a,--alg", "NAME", options.alg, names.c_str());
  make.text("-o,--out", "PREFIX", options.out, "Prefix of the names of both files", Presence::required);
  make.flag("-e,--encrypt", options.encrypt, "Encrypt the secret key under a passphrase that is asked for");
  make.flag("-f,--force", options.force, "Replace files that exist");
  passphrases(make);
  CommandArguments half = add("pubkey", "Compute the public key of a secret key", pubkey);
  half.text("-o,--out", "FILE", options.out, "Where the public key goes", Presence::required);
  half.positional("FILE", options.key, "Secret key (PREFIX.key)");
  passphrases(half);
  CommandArguments make_sig = add("sign", "Sign a file: FILE.sig, the bare signature", sign);
  make_sig.text("-k,--key", "FILE", options.key, "Secret key (PREFIX.key)", Presence::required);
  make_sig.text("-o,--out", "FILE", options.out, "Where the signature goes; default: FILE.sig");
  make_sig.text("-c,--context", "TEXT", options.context, "Up to 255 bytes that the verifier must give as well");
  make_sig.positional("FILE", options.file, "The file to sign; \"-\" is standard input");
  passphrases(make_sig);
  CommandArguments check_sig = add("verify", "Verify the signature of a file: both halves", verify);
  check_sig.text("-k,--key", "FILE", options.key, "Public key (PREFIX.pub)", Presence::required);
  check_sig.text("-s,--signature", "FILE", options.signature, "The signature; default: FILE.sig");
  check_sig.text("-c,--context", "TEXT", options.context, "The context that was signed with");
  check_sig.positional("FILE", options.file, "The file that was signed; \"-\" is standard input");

  const Arguments::Outcome outcome = arguments.parse(argc, argv);
  if (outcome.kind == Arguments::Outcome::error) throw Failure(outcome.text + " (see `aioli-composite --help`)");
  if (outcome.kind == Arguments::Outcome::parsed) {
    forbid_core_dumps();
    return chosen();
  }
  write_stdout(outcome.text);
  return kExitOk;
}

}  // namespace
}  // namespace aioli::cli

int main(int argc, char **argv) {
  ::signal(SIGXFSZ, SIG_IGN);
  try {
    return aioli::cli::run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aioli-composite: %s\n", error.what());
    return aioli::cli::kExitFailure;
  }
}
