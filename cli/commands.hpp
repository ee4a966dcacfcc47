// SPDX-License-Identifier: Apache-2.0
// One function per subcommand: it declares the options on `app` and stores what to run in `run`.
#ifndef AIOLI_CLI_COMMANDS_HPP
#define AIOLI_CLI_COMMANDS_HPP

#include "failure.hpp"
#include "files.hpp"
#include "keys.hpp"
#include "passphrase.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace aioli::cli {

using Json = nlohmann::ordered_json;

// What every command shares, and what main needs to know to report a failure.
struct Session {
  std::string command;
  bool json = false;
  bool quiet = false;
  std::function<ExitStatus()> run;
};

CLI::App *add_command(CLI::App &app, Session &session, const std::string &name, const std::string &description,
                      std::function<ExitStatus()> run);

void add_keygen(CLI::App &app, Session &session);
void add_sign(CLI::App &app, Session &session);
void add_verify(CLI::App &app, Session &session);
void add_inspect(CLI::App &app, Session &session);
void add_list(CLI::App &app, Session &session);
void add_selftest(CLI::App &app, Session &session);
void add_bench(CLI::App &app, Session &session);
void add_kat(CLI::App &app, Session &session);

// Options that several commands have.
void add_json_option(CLI::App *command, Session &session);
void add_quiet_option(CLI::App *command, Session &session);
void add_oid_option(CLI::App *command, std::vector<std::string> &oids);
void add_passphrase_options(CLI::App *command, PassphraseSource &source);

// One JSON document and a newline; names of files that are not UTF-8 get replacement characters.
void print_json(const Json &document);
// Text for people, unless --json or --quiet was given.
void print_text(const Session &session, const std::string &text);

// Throws if there is no such backend or this processor cannot run it.
void require_backend(const std::string &name);
// The backend in use.  Throws if the environment asks for one that cannot be had.
std::string active_backend();

}  // namespace aioli::cli
#endif
