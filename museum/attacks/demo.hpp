// SPDX-License-Identifier: Apache-2.0
// What every attack program needs: options with defaults, a clock, and a report for people (standard output) and for figures (--json FILE).
#pragma once
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>
#include "museum/algebra/matrix.hpp"

namespace museum::attacks {

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

// Seconds of CPU since it was made.
class Clock {
 public:
  double seconds() const { return double(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

// Lines of "name: value", and the same as one JSON object.
class Report {
 public:
  explicit Report(const std::string &json_file) : file_(json_file) {}
  void say(const std::string &name, const std::string &value) {
    std::printf("%-34s %s\n", name.c_str(), value.c_str());
    std::fflush(stdout);
    keep(name, "\"" + value + "\"");
  }
  void say(const std::string &name, const char *value) { say(name, std::string(value)); }
  void say(const std::string &name, double value) {
    char text[64];
    std::snprintf(text, sizeof text, value == double(long(value)) ? "%.0f" : "%.3f", value);
    std::printf("%-34s %s\n", name.c_str(), text);
    std::fflush(stdout);
    keep(name, text);
  }
  // For figures only.
  void keep(const std::string &name, const std::string &json) {
    json_ += (json_.empty() ? "" : ",\n ") + ("\"" + name + "\": " + json);
  }
  template <class F> void keep_matrix(const std::string &name, const algebra::Matrix<F> &A) {
    std::string rows;
    for (size_t i = 0; i < A.rows(); i++) {
      rows += (i ? ",[" : "[");
      for (size_t j = 0; j < A.cols(); j++) rows += (j ? "," : "") + std::to_string(int(A(i, j)));
      rows += "]";
    }
    keep(name, "[" + rows + "]");
  }
  void write() const {
    if (file_.empty()) return;
    std::FILE *f = std::fopen(file_.c_str(), "w");
    if (f == nullptr || std::fprintf(f, "{%s}\n", json_.c_str()) < 0 || std::fclose(f) != 0)
      Options::fail("cannot write " + file_);
  }

 private:
  std::string file_, json_;
};

}  // namespace museum::attacks
