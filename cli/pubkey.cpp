// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "text.hpp"

#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::string key;
  std::string out = "-";
  bool der = false;
  OidOptions oids;
  PassphraseSource passphrase;
};

ExitStatus run(const Options &options, const Session &session) {
  forbid_core_dumps();
  const OidTable oids = options.oids.table();
  if (session.json && is_stdout(options.out))
    throw Failure("--json and the key cannot both go to standard output: use --out FILE");
  if (same_file(options.key, options.out)) throw Failure("--out " + printable(options.out) + " is the secret key itself");
  const Key key = load_key(options.key, AIOLI_KEY_SECRET, oids, options.passphrase);
  const std::vector<uint8_t> public_key = public_key_of(key);
  const SecretBytes file = encode_key(key.alg, AIOLI_KEY_PUBLIC, options.der ? AIOLI_KEY_DER : AIOLI_KEY_PEM, public_key, oids);
  write_output(options.out, {file.text(), file.size()}, kModePublic);
  const std::string fingerprint = fingerprint_text(fingerprint_of(key.alg, public_key));
  if (session.json) {
    print_json({{"algorithm", aioli_alg_name(key.alg)}, {"key", fingerprint}, {"public_key_file", options.out}});
  }
  if (!is_stdout(options.out)) {
    print_text(session,
               std::string(aioli_alg_name(key.alg)) + " key " + fingerprint + "\npublic key: " + printable(options.out) + "\n");
  }
  return kExitOk;
}

}  // namespace

void add_pubkey(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(arguments, session, "pubkey", "Compute the public key of a secret key",
                                         [options, &session] { return run(*options, session); });
  command.example("aioli pubkey -o alice.pub alice.key");
  command.text("-o,--out", "FILE", options->out, "Where the public key goes; \"-\" is standard output");
  command.flag("--der", options->der, "Write DER instead of PEM");
  add_passphrase_options(command, options->passphrase);
  add_oid_option(command, options->oids);
  command.positional("FILE", options->key, "Secret key (PREFIX.key)");
}

}  // namespace aioli::cli
