// SPDX-License-Identifier: Apache-2.0
// Manual pages and completions for shells, from what the parser itself knows: there is no second list of commands and options.
#include "commands.hpp"
#include "text.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace aioli::cli {
namespace {

// ---- manual pages -----------------------------------------------------------------------------------------------------------

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '.' && (out.empty() || out.back() == '\n'))
      out += "\\&.";
    else
      out += c;
  }
  return out;
}

std::string title(const std::string &page) {
  std::string upper = page;
  for (char &c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return ".TH " + upper + " 1 \"\" \"aioli " + aioli_version() + "\" \"User Commands\"\n";
}

std::string option_paragraph(const OptionDescription &option) {
  std::string text = ".TP\n";
  for (size_t i = 0; i < option.names.size(); i++) {
    text += (i > 0 ? ", " : "") + ("\\fB" + roff(option.names[i])) + "\\fR";
  }
  if (!option.type.empty()) text += " \\fI" + roff(option.type) + "\\fR";
  text += "\n" + roff(option.help) + (option.standard.empty() ? "" : " (" + roff(option.standard) + ")") + "\n";
  return text;
}

constexpr char kExitSection[] =
    ".SH EXIT STATUS\n.TP\n0\ndone; or the signature is valid\n"
    ".TP\n1\nthe signature is not valid, or a known answer came out wrong\n"
    ".TP\n2\nwrong usage, unreadable or malformed input, or the system refused something\n";

std::string command_page(const CommandDescription &command) {
  const std::string page = "aioli-" + command.name;
  std::string text = title(page) + ".SH NAME\n" + roff(page) + " \\- " + roff(command.description) +
                     "\n.SH SYNOPSIS\n\\fBaioli " + roff(command.name) + "\\fR " + roff(command.usage) + "\n.SH OPTIONS\n";
  for (const OptionDescription &option : command.options) text += option_paragraph(option);
  text += ".SH EXAMPLES\n.nf\n" + roff(command.example) + "\n.fi\n";
  return text + kExitSection + ".SH SEE ALSO\n\\fBaioli\\fR(1)\n";
}

std::string main_page(const CommandDescription &program, const std::vector<CommandDescription> &commands) {
  std::string text = title("aioli") +
                     ".SH NAME\naioli \\- MAYO and UOV signatures of files\n.SH SYNOPSIS\n\\fBaioli\\fR [OPTIONS] COMMAND ...\n";
  text += ".SH COMMANDS\n";
  for (const CommandDescription &command : commands) {
    text += ".TP\n\\fB" + roff("aioli-" + command.name) + "\\fR(1)\n" + roff(command.description) + "\n";
  }
  text += ".SH OPTIONS\n";
  for (const OptionDescription &option : program.options) text += option_paragraph(option);
  text +=
      ".SH ENVIRONMENT\n.TP\nAIOLI_BACKEND\nThe backend that the library uses; aioli list \\-\\-backends shows which there are.\n"
      ".TP\nNO_COLOR\nIf set and not empty, nothing is coloured.\n";
  text += kExitSection;
  text += ".SH SEE ALSO\n";
  for (size_t i = 0; i < commands.size(); i++) {
    text += "\\fB" + roff("aioli-" + commands[i].name) + "\\fR(1)" + (i + 1 < commands.size() ? ",\n" : "\n");
  }
  return text;
}

// ---- completions -------------------------------------------------------------------------------------------------------------

enum class Values { none, words, files };

// What may follow an option.
Values values_of(const OptionDescription &option, std::string &words) {
  words.clear();
  if (option.type.empty() && !option.positional) return Values::none;
  const auto is = [&](const char *name) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
  };
  if (is("--alg")) {
    for (const aioli_alg *alg : all_algorithms()) words += (words.empty() ? "" : " ") + std::string(aioli_alg_name(alg));
    return Values::words;
  }
  if (is("--backend")) {
    for (size_t i = 0; i < aioli_backend_count(); i++) words += (words.empty() ? "" : " ") + std::string(aioli_backend_name(i));
    return Values::words;
  }
  return option.positional || option.type == "FILE" || option.type == "PREFIX" ? Values::files : Values::none;
}

std::string names_of(const std::vector<CommandDescription> &commands) {
  std::string names;
  for (const CommandDescription &command : commands) names += (names.empty() ? "" : " ") + command.name;
  return names;
}

std::string bash(const std::vector<CommandDescription> &commands) {
  std::string text =
      "# bash completion of aioli\n_aioli() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac\n  done\n"
      "  COMPREPLY=()\n  case $command in\n    '' | help) COMPREPLY=($(compgen -W \"help " +
      names_of(commands) + " --json --quiet --help --version\" -- \"$cur\")); return ;;\n";
  for (const CommandDescription &command : commands) {
    text += "    " + command.name + ")\n      case $prev in\n";
    std::string all, words;
    for (const OptionDescription &option : command.options) {
      if (option.positional) continue;
      std::string names;
      for (const std::string &name : option.names) names += (names.empty() ? "" : " | ") + name, all += " " + name;
      if (option.type.empty()) continue;
      switch (values_of(option, words)) {
        case Values::words:
          text += "        " + names + ") COMPREPLY=($(compgen -W \"" + words + "\" -- \"$cur\")); return ;;\n";
          break;
        case Values::files: text += "        " + names + ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"; break;
        case Values::none: text += "        " + names + ") return ;;\n"; break;
      }
    }
    text +=
        "      esac\n      case $cur in -*) COMPREPLY=($(compgen -W \"" + all.substr(1) + "\" -- \"$cur\")); return ;; esac ;;\n";
  }
  return text + "  esac\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _aioli aioli\n";
}

// In single quotes, without the characters that _arguments takes for its own.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh(const std::vector<CommandDescription> &commands) {
  std::string text = "#compdef aioli\n_aioli() {\n  local context state line\n  local -a commands=(\n    'help:Print help'\n";
  for (const CommandDescription &command : commands) text += "    '" + command.name + ":" + zsh_text(command.description) + "'\n";
  text +=
      "  )\n  _arguments -C '1: :->command' '*:: :->arguments'\n  case $state in\n    command) _describe command commands ;;\n"
      "    arguments)\n      case $words[1] in\n        help) _describe command commands ;;\n";
  for (const CommandDescription &command : commands) {
    text += "        " + command.name + ") _arguments";
    std::string words;
    for (const OptionDescription &option : command.options) {
      const Values values = values_of(option, words);
      const std::string action = values == Values::files ? "_files" : values == Values::words ? "(" + words + ")" : " ";
      if (option.positional) {
        text += " \\\n          '" + std::string(option.repeatable ? "*" : "1") + ":" + option.names[0] + ":" + action + "'";
        continue;
      }
      for (const std::string &name : option.names) {
        text += " \\\n          '" + name + "[" + zsh_text(option.help) + "]" +
                (option.type.empty() ? "" : ":" + zsh_text(option.type) + ":" + action) + "'";
      }
    }
    text += " ;;\n";
  }
  return text +
         "      esac ;;\n  esac\n}\nif [ \"$funcstack[1]\" = _aioli ]; then _aioli \"$@\"; else compdef _aioli aioli; fi\n";
}

std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish(const std::vector<CommandDescription> &commands) {
  std::string text = "# fish completion of aioli\n";
  for (const CommandDescription &command : commands) {
    text += "complete -c aioli -n __fish_use_subcommand -f -a " + command.name + " -d " + fish_text(command.description) + "\n";
    std::string words;
    for (const OptionDescription &option : command.options) {
      if (option.positional) continue;
      text += "complete -c aioli -n '__fish_seen_subcommand_from " + command.name + "'";
      for (const std::string &name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.type.empty()) {
        const Values values = values_of(option, words);
        text += values == Values::files ? " -r -F" : values == Values::words ? " -x -a " + fish_text(words) : " -x";
      }
      text += " -d " + fish_text(option.help) + "\n";
    }
  }
  return text + "complete -c aioli -n __fish_use_subcommand -f -a help -d 'Print help'\n";
}

ExitStatus run(const Arguments &arguments, const std::string &directory) {
  const auto put = [&](const std::string &name, const std::string &text) {
    write_output(directory + "/" + name, text, kModePublic);
  };
  std::filesystem::create_directories(directory);
  const std::vector<CommandDescription> commands = arguments.commands();
  put("aioli.1", main_page(arguments.program(), commands));
  for (const CommandDescription &command : commands) put("aioli-" + command.name + ".1", command_page(command));
  put("aioli.bash", bash(commands));
  put("_aioli", zsh(commands));
  put("aioli.fish", fish(commands));
  return kExitOk;
}

}  // namespace

void add_manual(Arguments &arguments, Session &session) {
  auto directory = std::make_shared<std::string>();
  CommandArguments command = add_command(arguments, session, "manual", "Write manual pages and completions into a directory",
                                         [directory, &arguments] { return run(arguments, *directory); });
  command.hide();
  command.positional("DIRECTORY", *directory, "Where to");
}

}  // namespace aioli::cli
