// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "text.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>

namespace aioli::cli {

CLI::App *add_command(CLI::App &app, Session &session, const std::string &name, const std::string &description,
                      std::function<ExitStatus()> run) {
  CLI::App *command = app.add_subcommand(name, description);
  command->callback([&session, name, run = std::move(run)] {
    session.command = name;
    session.run = run;
  });
  return command;
}

void add_json_option(CLI::App *command, Session &session) {
  command->add_flag("--json", session.json, "Print JSON; errors too, as {\"error\": ...}");
}

void add_quiet_option(CLI::App *command, Session &session) {
  command->add_flag("-q,--quiet", session.quiet, "Print nothing but errors");
}

void add_oid_option(CLI::App *command, std::vector<std::string> &oids) {
  command
      ->add_option("--oid", oids,
                   "Use another object identifier for an algorithm in key files, as in MAYO-1=1.2.3.4 (repeatable)")
      ->type_name("NAME=DOTTED")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_passphrase_options(CLI::App *command, PassphraseSource &source) {
  auto *file = command->add_option("--passphrase-file", source.file, "Take the passphrase from the first line of a file")
                   ->type_name("FILE");
  auto *variable = command->add_option("--passphrase-env", source.variable, "Take the passphrase from an environment variable")
                       ->type_name("NAME");
  file->excludes(variable);
}

void print_json(const Json &document) { write_stdout(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

void print_text(const Session &session, const std::string &text) {
  if (!session.json && !session.quiet) write_stdout(text);
}

void require_backend(const std::string &name) {
  std::string usable;
  bool known = false, can_run = false;
  for (size_t i = 0; i < aioli_backend_count(); i++) {
    const std::string one = aioli_backend_name(i);
    known |= name == one;
    if (aioli_backend_usable(i) != 1) continue;
    can_run |= name == one;
    usable += (usable.empty() ? "" : ", ") + one;
  }
  if (!known) throw Failure("there is no backend \"" + printable(name) + "\"; this processor can run: " + usable);
  if (!can_run) throw Failure("this processor cannot run the backend \"" + name + "\"; it can run: " + usable);
}

std::string active_backend() {
  if (const char *active = aioli_backend_active()) return active;
  const char *forced = std::getenv("AIOLI_BACKEND");
  if (forced != nullptr) {
    try {
      require_backend(forced);
    } catch (const Failure &failure) {
      throw Failure(std::string("the environment variable AIOLI_BACKEND: ") + failure.what());
    }
  }
  throw Failure(aioli_status_text(AIOLI_ERR_BACKEND));
}

namespace {

// CLI11 reports the failure of an unfinished command line before our own options are known.
bool asked_for_json(int argc, char **argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; i++) {
    if (std::strcmp(argv[i], "--json") == 0) return true;
  }
  return false;
}

ExitStatus report(const std::string &where, const std::string &what, bool json) {
  std::fprintf(stderr, "%s: %s\n", where.c_str(), what.c_str());
  if (json) {
    try {
      print_json({{"error", what}});
    } catch (const std::exception &) {  // standard output itself is what failed
    }
  }
  return kExitFailure;
}

int run(int argc, char **argv) {
  Session session;
  CLI::App app("aioli: MAYO signatures of files", "aioli");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("aioli ") + aioli_version());
  app.footer(
      "\"-\" as a file is standard input or standard output.\n"
      "Exit status: 0 done, or signature valid; 1 signature not valid; 2 wrong usage, input or system error.");
  add_keygen(app, session);
  add_sign(app, session);
  add_verify(app, session);
  add_inspect(app, session);
  add_list(app, session);
  add_selftest(app, session);
  add_bench(app, session);
  add_kat(app, session);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &asked) {  // --help, --version
    std::ostringstream text;
    app.exit(asked, text, text);
    try {
      write_stdout(text.str());
    } catch (const Failure &failure) {
      return report("aioli", failure.what(), false);
    }
    return kExitOk;
  } catch (const CLI::ParseError &error) {
    const auto chosen = app.get_subcommands();
    const std::string where = chosen.empty() ? "aioli" : "aioli " + chosen.front()->get_name();
    return report(where, std::string(error.what()) + " (see `" + where + " --help`)", asked_for_json(argc, argv));
  }

  const std::string where = "aioli " + session.command;
  try {
    return session.run();
  } catch (const Failure &failure) {
    return report(where, failure.what(), session.json);
  } catch (const std::bad_alloc &) {
    return report(where, "out of memory", session.json);
  } catch (const std::exception &error) {
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
