// SPDX-License-Identifier: Apache-2.0
// The options of the command line.  The parser behind them is CLI11; arguments.cpp and help.cpp alone include it, since it takes
// long to compile.
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

// The options of one subcommand.  Variables are written to while the command line is parsed; what they hold before is the
// default. `type` names the value in the help text.
class CommandArguments {
 public:
  explicit CommandArguments(CLI::App &app) : app_(app) {}

  void example(const std::string &lines);  // for the help text
  void hide();                             // from help text, manual and completions
  void flag(const char *name, bool &value, const char *help);
  void text(const char *name, const char *type, std::string &value, const char *help, Presence presence = Presence::optional);
  void text(const char *name, const char *type, std::optional<std::string> &value, const char *help);
  void texts(const char *name, const char *type, std::vector<std::string> &values, const char *help);  // repeatable
  void number(const char *name, const char *type, size_t &value, size_t low, size_t high, const char *help);
  void number(const char *name, const char *type, double &value, double low, double high, const char *help);
  void positional(const char *name, std::string &value, const char *help);                 // required
  void positionals(const char *name, std::vector<std::string> &values, const char *help);  // one or more
  void not_together(const char *one, const char *other);

 private:
  CLI::App &app_;
};

// What is known of the command line, for those who describe it elsewhere (manual.cpp).
struct OptionDescription {
  std::vector<std::string> names;    // "-k", "--key"; of a positional argument its name alone
  std::string type, help, standard;  // of a flag no type; `standard` is the default
  bool positional, required, repeatable;
};
struct CommandDescription {
  std::string name, description, usage, example;
  std::vector<OptionDescription> options;
};

class Arguments {
 public:
  Arguments(const char *program, const char *description, const std::string &version, const char *footer);
  ~Arguments();

  // An option that may stand before the subcommand and behind it.
  void flag_for_all(const char *name, bool &value, const char *help);

  // `chosen` runs at the end of a successful parse of this subcommand.
  CommandArguments command(const char *name, const char *description, std::function<void()> chosen);

  struct Outcome {
    enum Kind { parsed, help, error } kind;
    std::string text;     // of the help or the error
    std::string command;  // the subcommand, as far as it is known
  };
  Outcome parse(int argc, char **argv);

  CommandDescription program() const;
  std::vector<CommandDescription> commands() const;

 private:
  struct FlagForAll {
    std::string name, help;
    bool *value;
  };
  std::optional<Outcome> without_command(const std::vector<std::string> &words) const;

  std::unique_ptr<CLI::App> app_;
  std::vector<FlagForAll> flags_for_all_;
};

}  // namespace aioli::cli
#endif
