// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "terminal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace aioli::cli {

CommandArguments add_command(Arguments &arguments, Session &session, const char *name, const char *description,
                             std::function<ExitStatus()> run) {
  return arguments.command(name, description, [&session, name, run = std::move(run)] {
    session.command = name;
    session.run = run;
  });
}

void add_oid_option(CommandArguments &command, OidOptions &oids) {
  command.texts("--oid", "NAME=DOTTED", oids.given,
                "Use another object identifier for an algorithm in key files, as in MAYO-1=1.2.3.4 (repeatable)");
  command.flag("--allow-oid-of-another-set", oids.of_another_set,
               "Let --oid give a set the identifier of another, whose keys are then read as its own: dangerous, see SECURITY.md");
}

void add_passphrase_options(CommandArguments &command, PassphraseSource &source) {
  command.text("--passphrase-file", "FILE", source.file, "Take the passphrase from the first line of a file");
  command.text("--passphrase-env", "NAME", source.variable, "Take the passphrase from an environment variable");
  command.not_together("--passphrase-file", "--passphrase-env");
}

void print_json(const Document &document) { write_stdout(document.json(true) + "\n"); }

void print_text(const Session &session, const std::string &text) {
  if (!session.json && !session.quiet) write_stdout(text);
}

std::string active_backend() {
  if (const char *active = aioli_backend_active()) return active;
  throw Failure(aioli_status_text(AIOLI_ERR_BACKEND));
}

namespace {

// A wrong command line is reported before our own options are known.
bool asked_for_json(int argc, char **argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; i++) {
    if (std::strcmp(argv[i], "--json") == 0 || std::strcmp(argv[i], "-j") == 0) return true;
  }
  return false;
}

ExitStatus report(const std::string &where, const std::string &what, bool json) {
  std::fprintf(stderr, "%s %s\n", coloured(2, Colour::bad, where + ":").c_str(), what.c_str());
  if (json) {
    try {
      print_json({{"error", what}});
    } catch (const std::exception &) {  // NOLINT(bugprone-empty-catch): standard output itself is what failed
    }
  }
  return kExitFailure;
}

int run(int argc, char **argv) {
  Session session;
  Arguments arguments("aioli", "aioli: MAYO and UOV signatures of files", std::string("aioli ") + aioli_version(),
                      "\"-\" as a file is standard input or standard output.\n"
                      "Exit status: 0 done, or signature valid; 1 signature not valid; 2 wrong usage,\n"
                      "input or system error.  `aioli help COMMAND` explains a command.");
  arguments.flag_for_all("-j,--json", session.json, "Print JSON; errors too, as {\"error\": ...}");
  arguments.flag_for_all("-q,--quiet", session.quiet, "Print nothing but errors: no warnings either");
  add_keygen(arguments, session);
  add_sign(arguments, session);
  add_verify(arguments, session);
  add_pubkey(arguments, session);
  add_passphrase(arguments, session);
  add_inspect(arguments, session);
  add_list(arguments, session);
  add_selftest(arguments, session);
  add_bench(arguments, session);
  add_kat(arguments, session);
  add_manual(arguments, session);

  const Arguments::Outcome outcome = arguments.parse(argc, argv);
  const std::string where = outcome.command.empty() ? "aioli" : "aioli " + outcome.command;
  if (outcome.kind == Arguments::Outcome::error) {
    return report(where, outcome.text + " (see `" + where + " --help`)", asked_for_json(argc, argv));
  }
  if (session.quiet) silence_warnings();
  try {
    if (outcome.kind == Arguments::Outcome::parsed) {
      require_backend_of_environment();
      return session.run();
    }
    write_stdout(outcome.text);
    return kExitOk;
  } catch (const std::bad_alloc &) {
    return report(where, "out of memory", session.json);
  } catch (const std::exception &error) {  // a Failure, or one of the standard library's
    return report(where, error.what(), session.json);
  }
}

// A closed descriptor 0, 1 or 2 would be taken by the next file that is opened, and output would then go into that file.  Opened
// the wrong way round, it gives an error when it is used.
void fill_standard_descriptors() {
  for (int fd = 0; fd <= 2; fd++) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    if (::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) std::abort();
  }
}

}  // namespace
}  // namespace aioli::cli

int main(int argc, char **argv) {
  aioli::cli::fill_standard_descriptors();
  ::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of write(), which cleans up
  return aioli::cli::run(argc, argv);
}
