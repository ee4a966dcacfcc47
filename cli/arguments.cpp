// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include "help.hpp"
#include "text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace aioli::cli {

void CommandArguments::example(const std::string &lines) {
  std::string text = lines.find('\n') == std::string::npos ? "Example:\n  " : "Examples:\n  ";
  for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  app_.footer(text + "\n\n" + app_.get_parent()->get_footer());
}

void CommandArguments::hide() { app_.group(""); }

void CommandArguments::flag(const char *name, bool &value, const char *help) { app_.add_flag(name, value, help); }

void CommandArguments::text(const char *name, const char *type, std::string &value, const char *help, Presence presence) {
  CLI::Option *option = app_.add_option(name, value, help)->type_name(type)->required(presence == Presence::required);
  if (!value.empty()) option->capture_default_str();
}

void CommandArguments::text(const char *name, const char *type, std::optional<std::string> &value, const char *help) {
  app_.add_option_function<std::string>(name, [&value](const std::string &given) { value = given; }, help)->type_name(type);
}

void CommandArguments::texts(const char *name, const char *type, std::vector<std::string> &values, const char *help) {
  // One value each time, so that a file after it stays a file; TakeAll would take that, too.
  CLI::Option *option = app_.add_option(name, values, help)->type_name(type)->expected(1);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

void CommandArguments::number(const char *name, const char *type, size_t &value, size_t low, size_t high, const char *help) {
  CLI::Option *option = app_.add_option(name, value, help)->check(CLI::Range(low, high))->type_name(type);
  if (value >= low) option->capture_default_str();
}

void CommandArguments::number(const char *name, const char *type, double &value, double low, double high, const char *help) {
  app_.add_option(name, value, help)->check(CLI::Range(low, high))->type_name(type)->capture_default_str();
}

void CommandArguments::positional(const char *name, std::string &value, const char *help) {
  app_.add_option(name, value, help)->required();
}

void CommandArguments::positionals(const char *name, std::vector<std::string> &values, const char *help) {
  app_.add_option(name, values, help)->required()->expected(1, CLI::detail::expected_max_vector_size);
}

void CommandArguments::not_together(const char *one, const char *other) {
  app_.get_option(one)->excludes(app_.get_option(other));
}

Arguments::Arguments(const char *program, const char *description, const std::string &version, const char *footer)
    : app_(std::make_unique<CLI::App>(description, program)) {
  app_->require_subcommand(1);
  app_->set_help_flag("-h,--help", "Print this help and do nothing else");
  app_->set_version_flag("-V,--version", version, "Print the version and do nothing else");
  app_->formatter(std::dynamic_pointer_cast<CLI::FormatterBase>(help_formatter()));
  app_->footer(footer);
}

Arguments::~Arguments() = default;

void Arguments::flag_for_all(const char *name, bool &value, const char *help) {
  app_->add_flag(name, value, help);
  flags_for_all_.push_back({name, help, &value});
}

CommandArguments Arguments::command(const char *name, const char *description, std::function<void()> chosen) {
  CLI::App *command = app_->add_subcommand(name, description);
  command->callback(std::move(chosen));
  for (const FlagForAll &flag : flags_for_all_) command->add_flag(flag.name, *flag.value, flag.help);
  return CommandArguments(*command);
}

// What to say to somebody who named no subcommand that there is; nothing if the parser can take over.
std::optional<Arguments::Outcome> Arguments::without_command(const std::vector<std::string> &words) const {
  if (words.empty()) return Outcome{Outcome::help, app_->help(), ""};
  std::vector<std::string> known;
  for (const CLI::App *command : app_->get_subcommands([](const CLI::App *) { return true; })) {
    known.push_back(command->get_name());
  }
  for (const std::string &word : words) {
    if (word == "-h" || word == "--help" || word == "-V" || word == "--version") return std::nullopt;
    if (word.starts_with("-")) continue;
    if (std::find(known.begin(), known.end(), word) != known.end()) return std::nullopt;
    const std::string meant = nearest(word, known);
    return Outcome{Outcome::error,
                   "there is no command \"" + printable(word) + "\"" + (meant.empty() ? "" : ": did you mean " + meant + "?"),
                   ""};
  }
  return std::nullopt;
}

Arguments::Outcome Arguments::parse(int argc, char **argv) {
  std::vector<std::string> words(argv + (argc > 0), argv + argc);
  if (!words.empty() && words[0] == "help") {  // help COMMAND: COMMAND --help
    words.erase(words.begin());
    if (words.size() == 1) words.push_back("--help");
  }
  if (auto outcome = without_command(words)) return *outcome;
  Outcome outcome{Outcome::parsed, "", ""};
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app_->parse(words);
  } catch (const CLI::Success &asked) {  // --help, --version
    std::ostringstream text;
    app_->exit(asked, text, text);
    outcome.kind = Outcome::help;
    outcome.text = text.str();
  } catch (const CLI::ParseError &error) {
    outcome.kind = Outcome::error;
    outcome.text = error.what();
    std::replace(outcome.text.begin(), outcome.text.end(), '\n', ' ');
  }
  const auto chosen = app_->get_subcommands();
  if (!chosen.empty()) outcome.command = chosen.front()->get_name();
  return outcome;
}

namespace {

CommandDescription described(const CLI::App &app) {
  CommandDescription command{app.get_name(), app.get_description(), "", "", {}};
  std::string arguments;
  for (const CLI::Option *option : app.get_options()) {
    const bool many = option->get_expected_max() == CLI::detail::expected_max_vector_size;
    OptionDescription one{
        {}, "", option->get_description(), option->get_default_str(), option->get_positional(), option->get_required(), many};
    if (option->get_positional()) {
      one.names.push_back(option->get_name(true, false));
      arguments += " " + one.names[0] + (many ? "..." : "");
    } else {
      for (const std::string &name : option->get_snames()) one.names.push_back("-" + name);
      for (const std::string &name : option->get_lnames()) one.names.push_back("--" + name);
      if (option->get_type_size() != 0) one.type = option->get_type_name();
    }
    command.options.push_back(one);
  }
  command.usage = "[OPTIONS]" + arguments;
  const std::string footer = app.get_footer();
  if (const size_t end = footer.find("\n\n"); footer.starts_with("Example") && end != std::string::npos) {
    const size_t begin = footer.find('\n') + 1;
    command.example = footer.substr(begin, end - begin);
  }
  return command;
}

}  // namespace

CommandDescription Arguments::program() const { return described(*app_); }

std::vector<CommandDescription> Arguments::commands() const {
  std::vector<CommandDescription> all;
  for (const CLI::App *command : app_->get_subcommands([](const CLI::App *a) { return !a->get_group().empty(); })) {
    all.push_back(described(*command));
  }
  return all;
}

}  // namespace aioli::cli
