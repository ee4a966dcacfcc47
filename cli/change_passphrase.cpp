// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "text.hpp"

#include <memory>

namespace aioli::cli {
namespace {

struct Options {
  std::string key, out;
  bool remove = false;
  OidOptions oids;
  PassphraseSource old_passphrase, new_passphrase;
};

ExitStatus run(const Options &options, const Session &session) {
  forbid_core_dumps();
  const OidTable oids = options.oids.table();
  const std::string out = options.out.empty() ? options.key : options.out;
  if (options.remove && options.new_passphrase.given())
    throw Failure("--remove leaves no passphrase: there is no new one to give");
  if (options.key == "-" && options.out.empty()) throw Failure("with the key on standard input, --out must say where it goes");
  if (session.json && is_stdout(out)) throw Failure("--json and the key cannot both go to standard output: use --out FILE");
  Input input(options.key, "the key");
  const SecretBytes content = read_small(input, kKeyFileMaxBytes, "a key file");
  const Key key = decode_key(content.view(), input.shown(), oids, options.old_passphrase);
  if (key.kind != AIOLI_KEY_SECRET) throw Failure(key.shown + " is a public key: only secret keys have a passphrase");
  const aioli_key_encoding encoding = content.data()[0] == 0x30 ? AIOLI_KEY_DER : AIOLI_KEY_PEM;  // as it was
  const SecretBytes file = options.remove ? encode_key(key.alg, AIOLI_KEY_SECRET, encoding, key.bytes.view(), oids)
                                          : seal_key(key.alg, encoding, key.bytes.view(), oids,
                                                     read_passphrase(options.new_passphrase, printable(out), true));
  write_output(out, {file.text(), file.size()}, kModeSecret);
  if (session.json) {
    print_json({{"algorithm", aioli_alg_name(key.alg)}, {"secret_key_file", out}, {"encrypted", !options.remove}});
  }
  if (!is_stdout(out)) {
    print_text(session,
               "secret key: " + printable(out) + (options.remove ? " (not encrypted)" : " (under a new passphrase)") + "\n");
  }
  return kExitOk;
}

}  // namespace

void add_passphrase(Arguments &arguments, Session &session) {
  auto options = std::make_shared<Options>();
  CommandArguments command = add_command(arguments, session, "passphrase", "Set, change or remove the passphrase of a secret key",
                                         [options, &session] { return run(*options, session); });
  command.example(
      "aioli passphrase alice.key           # asks for the old one and the new one\naioli passphrase --remove alice.key");
  command.flag("-r,--remove", options->remove, "Leave the key without a passphrase");
  command.text("-o,--out", "FILE", options->out, "Write the result there instead of replacing the key file");
  add_passphrase_options(command, options->old_passphrase);
  command.text("--new-passphrase-file", "FILE", options->new_passphrase.file,
               "Take the new passphrase from the first line of a file");
  command.text("--new-passphrase-env", "NAME", options->new_passphrase.variable,
               "Take the new passphrase from an environment variable");
  command.not_together("--new-passphrase-file", "--new-passphrase-env");
  add_oid_option(command, options->oids);
  command.positional("FILE", options->key, "Secret key (PREFIX.key)");
}

}  // namespace aioli::cli
