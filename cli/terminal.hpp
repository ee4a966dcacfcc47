// SPDX-License-Identifier: Apache-2.0
// What is for people in front of a terminal: colours and warnings.
#ifndef AIOLI_CLI_TERMINAL_HPP
#define AIOLI_CLI_TERMINAL_HPP

#include <string>

namespace aioli::cli {

enum class Colour { good, bad, warning };

// `text` in that colour if the descriptor is a terminal and NO_COLOR (https://no-color.org) is not set, else as it is.
std::string coloured(int fd, Colour colour, const std::string &text);
bool is_terminal(int fd);

// One line on standard error, unless --quiet was given.
void warn(const std::string &text);
void silence_warnings();

}  // namespace aioli::cli
#endif
