// SPDX-License-Identifier: Apache-2.0
// One function per subcommand: it declares the options and stores what to run in the session.
#ifndef AIOLI_CLI_COMMANDS_HPP
#define AIOLI_CLI_COMMANDS_HPP

#include "arguments.hpp"
#include "document.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "keys.hpp"
#include "passphrase.hpp"

#include <functional>
#include <string>
#include <vector>

namespace aioli::cli {

// What every command shares, and what main needs to know to report a failure.
struct Session {
  std::string command;
  bool json = false;
  bool quiet = false;
  std::function<ExitStatus()> run;
};

CommandArguments add_command(Arguments &arguments, Session &session, const char *name, const char *description,
                             std::function<ExitStatus()> run);

void add_keygen(Arguments &arguments, Session &session);
void add_sign(Arguments &arguments, Session &session);
void add_verify(Arguments &arguments, Session &session);
void add_pubkey(Arguments &arguments, Session &session);
void add_passphrase(Arguments &arguments, Session &session);
void add_inspect(Arguments &arguments, Session &session);
void add_list(Arguments &arguments, Session &session);
void add_selftest(Arguments &arguments, Session &session);
void add_bench(Arguments &arguments, Session &session);
void add_kat(Arguments &arguments, Session &session);
void add_manual(Arguments &arguments, Session &session);  // hidden: what is installed besides the program

// Options that several commands have.  All have --json and --quiet.
struct OidOptions {
  std::vector<std::string> given;
  bool of_another_set = false;
  OidTable table() const { return OidTable(given, of_another_set); }
};
void add_oid_option(CommandArguments &command, OidOptions &oids);
void add_passphrase_options(CommandArguments &command, PassphraseSource &source);

void print_json(const Document &document);
// Text for people, unless --json or --quiet was given.
void print_text(const Session &session, const std::string &text);

// The backend in use.
std::string active_backend();

}  // namespace aioli::cli
#endif
