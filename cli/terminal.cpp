// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace aioli::cli {
namespace {

bool silent = false;

bool colours_wanted(int fd) {
  const char *no_colour = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  if (no_colour != nullptr && no_colour[0] != '\0') return false;
  return is_terminal(fd) && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

std::string coloured(int fd, Colour colour, const std::string &text) {
  if (!colours_wanted(fd)) return text;
  const char *code = colour == Colour::good ? "32" : colour == Colour::bad ? "1;31" : "33";
  return "\033[" + std::string(code) + "m" + text + "\033[0m";
}

void warn(const std::string &text) {
  if (!silent) std::fprintf(stderr, "aioli: %s %s\n", coloured(2, Colour::warning, "warning:").c_str(), text.c_str());
}

void silence_warnings() { silent = true; }

}  // namespace aioli::cli
