// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <numeric>

namespace aioli::cli {
namespace {

constexpr size_t kLeftColumns = 28;

class Formatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option *option, bool is_positional) const override {
    std::string help = option->get_description();
    if (!option->get_default_str().empty()) help += " (" + option->get_default_str() + ")";
    if (option->get_required() && !is_positional) help += " (required)";
    return row(make_option_name(option, is_positional) + make_option_opts(option), help);
  }
  std::string make_option_name(const CLI::Option *option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    if (const size_t comma = name.find(",-"); comma != std::string::npos) name.insert(comma + 1, " ");
    return is_positional || name.starts_with("--") ? (is_positional ? name : "    " + name) : name;
  }
  std::string make_option_opts(const CLI::Option *option) const override {
    const bool many = option->get_expected_max() == CLI::detail::expected_max_vector_size;
    if (option->get_positional()) return many ? "..." : "";
    return option->get_type_size() != 0 && !option->get_type_name().empty() ? " " + option->get_type_name() : "";
  }
  std::string make_subcommand(const CLI::App *command) const override {
    return row(command->get_name(), command->get_description());
  }
  std::string make_description(const CLI::App *app) const override {
    std::string text;
    for (const std::string &line : wrapped(app->get_description(), kHelpColumns)) text += line + "\n";
    return text;
  }

 private:
  static std::string row(const std::string &left, const std::string &right) {
    std::string text = "  " + left;
    if (text.size() + 2 > kLeftColumns)
      text += "\n" + std::string(kLeftColumns, ' ');
    else
      text.resize(kLeftColumns, ' ');
    bool first = true;
    for (const std::string &line : wrapped(right, kHelpColumns - kLeftColumns)) {
      text += (first ? "" : std::string(kLeftColumns, ' ')) + line + "\n";
      first = false;
    }
    return text;
  }
};

// Insertions, deletions, changes and swaps of neighbours that make one word of the other.
size_t distance(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); j++) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    for (size_t j = 1; j <= b.size(); j++) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> wrapped(const std::string &text, size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > columns) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  lines.push_back(line);
  return lines;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<Formatter>(); }

std::string nearest(const std::string &word, const std::vector<std::string> &known) {
  std::string best;
  size_t least = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string &one : known) {
    const bool begins = word.size() >= 3 && one.starts_with(word);
    const size_t d = begins ? 0 : distance(word, one);
    if (d < least) least = d, best = one;
  }
  return best;
}

}  // namespace aioli::cli
