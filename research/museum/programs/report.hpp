// SPDX-License-Identifier: Apache-2.0
// What a program has to say: to people on standard output, to the scripts that draw figures in a file.
#pragma once
#include <cstdio>
#include <ctime>
#include <string>
#include "museum/algebra/matrix.hpp"
#include "museum/programs/options.hpp"

namespace museum::programs {

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

}  // namespace museum::programs
