// SPDX-License-Identifier: Apache-2.0
// Options of a program: --name VALUE with a default, --name alone, --help.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace museum::programs {

class Options {
 public:
  Options(int argc, char **argv, const char *what) : args_(argv + 1, argv + argc), what_(what) {
    for (const auto &a : args_) help_ = help_ || a == "--help" || a == "-h";
  }
  // --name VALUE
  long number(const char *name, long by_default, const char *meaning) {
    const std::string text = value(name, std::to_string(by_default), "N", meaning);
    char *end = nullptr;
    const long n = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != 0) fail(std::string("--") + name + " wants a number, not " + text);
    return n;
  }
  std::string text(const char *name, const char *by_default, const char *meaning) {
    return value(name, by_default, "TEXT", meaning);
  }
  bool flag(const char *name, const char *meaning) {
    usage_ += std::string("  --") + name + std::string(18 - std::string(name).size(), ' ') + meaning + "\n";
    for (size_t i = 0; i < args_.size(); i++)
      if (args_[i] == std::string("--") + name) {
        used_.push_back(i);
        return true;
      }
    return false;
  }
  // After the last option: prints help or refuses what is left over.
  void done() {
    if (help_) {
      std::printf("%s\n\n%s  --help              this text\n", what_.c_str(), usage_.c_str());
      std::exit(0);
    }
    for (size_t i = 0; i < args_.size(); i++)
      if (std::find(used_.begin(), used_.end(), i) == used_.end()) fail("what is " + args_[i] + "? (--help)");
  }
  [[noreturn]] static void fail(const std::string &why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
  }

 private:
  std::string value(const char *name, const std::string &by_default, const char *kind, const char *meaning) {
    const std::string head = std::string("--") + name + " " + kind;
    usage_ += "  " + head + std::string(head.size() < 20 ? 20 - head.size() : 1, ' ') + meaning + " (" + by_default + ")\n";
    std::string found = by_default;
    for (size_t i = 0; i + 1 < args_.size(); i++)
      if (args_[i] == std::string("--") + name) {
        found = args_[i + 1];
        used_.push_back(i), used_.push_back(i + 1);
      }
    return found;
  }
  std::vector<std::string> args_;
  std::string what_, usage_;
  std::vector<size_t> used_;
  bool help_ = false;
};

}  // namespace museum::programs
