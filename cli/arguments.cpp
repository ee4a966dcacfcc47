// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <CLI/CLI.hpp>

#include <sstream>

namespace aioli::cli {

void CommandArguments::flag(const char *name, bool &value, const char *help) { app_.add_flag(name, value, help); }

void CommandArguments::text(const char *name, const char *type, std::string &value, const char *help, Presence presence) {
  CLI::Option *option = app_.add_option(name, value, help)->type_name(type)->required(presence == Presence::required);
  if (!value.empty()) option->capture_default_str();
}

void CommandArguments::text(const char *name, const char *type, std::optional<std::string> &value, const char *help) {
  app_.add_option_function<std::string>(name, [&value](const std::string &given) { value = given; }, help)->type_name(type);
}

void CommandArguments::texts(const char *name, const char *type, std::vector<std::string> &values, const char *help) {
  app_.add_option(name, values, help)->type_name(type)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void CommandArguments::number(const char *name, const char *type, size_t &value, size_t low, size_t high, const char *help) {
  CLI::Option *option = app_.add_option(name, value, help)->type_name(type)->check(CLI::Range(low, high));
  if (value >= low) option->capture_default_str();
}

void CommandArguments::number(const char *name, const char *type, double &value, double low, double high, const char *help) {
  app_.add_option(name, value, help)->type_name(type)->check(CLI::Range(low, high))->capture_default_str();
}

void CommandArguments::positional(const char *name, std::string &value, const char *help) {
  app_.add_option(name, value, help)->required();
}

void CommandArguments::not_together(const char *one, const char *other) {
  app_.get_option(one)->excludes(app_.get_option(other));
}

Arguments::Arguments(const char *program, const char *description, const std::string &version, const char *footer)
    : app_(std::make_unique<CLI::App>(description, program)) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
  app_->footer(footer);
}

Arguments::~Arguments() = default;

CommandArguments Arguments::command(const char *name, const char *description, std::function<void()> chosen) {
  CLI::App *command = app_->add_subcommand(name, description);
  command->callback(std::move(chosen));
  return CommandArguments(*command);
}

Arguments::Outcome Arguments::parse(int argc, char **argv) {
  Outcome outcome{Outcome::parsed, "", ""};
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success &asked) {  // --help, --version
    std::ostringstream text;
    app_->exit(asked, text, text);
    outcome.kind = Outcome::help;
    outcome.text = text.str();
  } catch (const CLI::ParseError &error) {
    outcome.kind = Outcome::error;
    outcome.text = error.what();
  }
  const auto chosen = app_->get_subcommands();
  if (!chosen.empty()) outcome.command = chosen.front()->get_name();
  return outcome;
}

}  // namespace aioli::cli
