// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::string alg = "MAYO-1";
  std::string out;
  std::optional<std::string> seed;
  bool der = false;
  bool encrypt = false;
  bool force = false;
  OidOptions oids;
  PassphraseSource passphrase;
};

SecretBytes parse_seed(const std::string &option, const aioli_alg *alg) {
  const size_t n = aioli_seed_bytes(alg);
  SecretBytes text;
  if (option == "-") {
    Input input("-", "the seed");
    text = read_small(input, 4096, "a seed");
    size_t end = text.size();
    while (end > 0 && (text.data()[end - 1] == '\n' || text.data()[end - 1] == '\r')) end--;
    text.set_size(end);
  } else {
    text = SecretBytes::copy_of(option.data(), option.size());
  }
  SecretBytes seed(n);
  seed.set_size(n);
  if (!hex_decode({text.text(), text.size()}, {seed.data(), n})) {
    throw Failure("the seed of " + std::string(aioli_alg_name(alg)) + " is " + std::to_string(n) + " bytes, that is " +
                  std::to_string(2 * n) + " hexadecimal digits; got " + std::to_string(text.size()) + " characters" +
                  (text.size() == 2 * n ? ", not all of them hexadecimal digits" : ""));
  }
  return seed;
}

ExitStatus run(const Options &options, const Session &session) {
  forbid_core_dumps();
  const aioli_alg *alg = algorithm_by_name(options.alg);
  const OidTable oids = options.oids.table();
  if (options.out == "-") throw Failure("keygen writes two files: --out takes the prefix of their names, not \"-\"");
  if (options.out.empty() || options.out.back() == '/') {
    throw Failure("--out takes the prefix of the files' names: PREFIX.key and PREFIX.pub");
  }
  const std::string secret_path = options.out + ".key", public_path = options.out + ".pub";
  if (!options.force) {  // before a passphrase is asked for
    require_absent(secret_path);
    require_absent(public_path);
  }

  std::vector<uint8_t> public_key(aioli_public_key_bytes(alg));
  SecretBytes secret_key(aioli_secret_key_bytes(alg));
  secret_key.set_size(secret_key.capacity());
  if (!options.seed) {
    check(aioli_keypair(alg, public_key.data(), public_key.size(), secret_key.data(), secret_key.size(), nullptr),
          "cannot make a key");
  } else {
    const SecretBytes seed = parse_seed(*options.seed, alg);
    warn("a seed must serve one parameter set only: used under two, with deterministic signing, it gives the key away");
    check(aioli_keypair_from_seed(alg, public_key.data(), public_key.size(), secret_key.data(), secret_key.size(), seed.data(),
                                  seed.size(), nullptr),
          "cannot make a key");
  }

  const aioli_key_encoding encoding = options.der ? AIOLI_KEY_DER : AIOLI_KEY_PEM;
  const bool encrypted = options.encrypt || options.passphrase.given();
  const SecretBytes secret_file = encrypted ? seal_key(alg, encoding, secret_key.view(), oids,
                                                       read_passphrase(options.passphrase, printable(secret_path), true))
                                            : encode_key(alg, AIOLI_KEY_SECRET, encoding, secret_key.view(), oids);
  const SecretBytes public_file = encode_key(alg, AIOLI_KEY_PUBLIC, encoding, public_key, oids);
  write_pair({secret_path, secret_file.view(), kModeSecret}, {public_path, public_file.view(), kModePublic}, options.force);

  const std::string fingerprint = fingerprint_text(fingerprint_of(alg, public_key));
  if (session.json) {
    print_json({{"algorithm", aioli_alg_name(alg)},
                {"key", fingerprint},
                {"secret_key_file", secret_path},
                {"public_key_file", public_path},
                {"encrypted", encrypted}});
  }
  print_text(session, std::string(aioli_alg_name(alg)) + " key " + fingerprint + "\nsecret key: " + printable(secret_path) +
                          (encrypted ? " (under a passphrase)" : " (not encrypted)") + "\npublic key: " + printable(public_path) +
                          "\n");
  return kExitOk;
}

}  // namespace

void add_keygen(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command =
      add_command(arguments, session, "keygen", "Make a key pair: PREFIX.key (secret) and PREFIX.pub (public)",
                  [options, &session] { return run(*options, session); });
  command.example(
      "aioli keygen -o alice           # alice.key and alice.pub\n"
      "aioli keygen -a MAYO-5 -o bob -e  # asks for a passphrase");
  command.text("-a,--alg", "NAME", options->alg, "Algorithm, see `aioli list`");
  command.text("-o,--out", "PREFIX", options->out, "Prefix of the names of both files", Presence::required);
  command.text(
      "--seed", "HEX", options->seed,
      "Make the key from this seed, which is as secret as the key, and for this algorithm alone; \"-\" reads it from standard "
      "input (an argument can be seen by the other users of the machine)");
  command.flag("-e,--encrypt", options->encrypt, "Encrypt the secret key under a passphrase that is asked for");
  add_passphrase_options(command, options->passphrase);
  command.flag("--der", options->der, "Write DER instead of PEM");
  command.flag("-f,--force", options->force, "Replace files that exist");
  add_oid_option(command, options->oids);
}

}  // namespace aioli::cli
