// SPDX-License-Identifier: Apache-2.0
// The options of the command line.  The parser behind them is CLI11; arguments.cpp alone includes it, since it takes long to compile.
#ifndef AIOLI_CLI_ARGUMENTS_HPP
#define AIOLI_CLI_ARGUMENTS_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aioli::cli {

enum class Presence { optional, required };

// The options of one subcommand.  Variables are written to while the command line is parsed; what they hold before is the default.
// `type` names the value in the help text.
class CommandArguments {
 public:
  explicit CommandArguments(CLI::App &app) : app_(app) {}

  void flag(const char *name, bool &value, const char *help);
  void text(const char *name, const char *type, std::string &value, const char *help, Presence presence = Presence::optional);
  void text(const char *name, const char *type, std::optional<std::string> &value, const char *help);
  void texts(const char *name, const char *type, std::vector<std::string> &values, const char *help);  // repeatable
  void number(const char *name, const char *type, size_t &value, size_t low, size_t high, const char *help);
  void number(const char *name, const char *type, double &value, double low, double high, const char *help);
  void positional(const char *name, std::string &value, const char *help);  // required
  void not_together(const char *one, const char *other);

 private:
  CLI::App &app_;
};

class Arguments {
 public:
  Arguments(const char *program, const char *description, const std::string &version, const char *footer);
  ~Arguments();

  // `chosen` runs at the end of a successful parse of this subcommand.
  CommandArguments command(const char *name, const char *description, std::function<void()> chosen);

  struct Outcome {
    enum Kind { parsed, help, error } kind;
    std::string text;     // of the help or the error
    std::string command;  // the subcommand, as far as it is known
  };
  Outcome parse(int argc, char **argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace aioli::cli
#endif
