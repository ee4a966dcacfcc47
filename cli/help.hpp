// SPDX-License-Identifier: Apache-2.0
#ifndef AIOLI_CLI_HELP_HPP
#define AIOLI_CLI_HELP_HPP

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class FormatterBase;
}

namespace aioli::cli {

inline constexpr size_t kHelpColumns = 80;

// `text` in lines of at most `columns`, broken at spaces.
std::vector<std::string> wrapped(const std::string &text, size_t columns);

// Help texts that fit a terminal of 80 columns.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// The word of `known` that `word` is most likely a slip of; empty if none is near.
std::string nearest(const std::string &word, const std::vector<std::string> &known);

}  // namespace aioli::cli
#endif
