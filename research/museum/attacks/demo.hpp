// SPDX-License-Identifier: Apache-2.0
// What every attack program has besides its own options and figures.
#pragma once
#include "museum/programs/report.hpp"

namespace museum::attacks {

using programs::Clock, programs::Options, programs::Report;

// The options common to all, asked for after a program's own, and the way out.
class Demo {
 public:
  enum Kind { attack_only, can_be_defended };
  explicit Demo(Options &options, Kind kind = can_be_defended)
      : seed((unsigned long)options.number("seed", 1, "of keys and attack")),
        defended_(kind == can_be_defended && options.flag("defended", "succeed only if nothing is found")),
        within_(options.number("within", 0, "fail if all takes more milliseconds of CPU; 0: no limit")),
        report(options.text("json", "", "file for the figures' data")) {
    options.done();
  }
  // The exit status, which is 0 if a key was found and everything from there went well or, with --defended, if nothing was found.
  int found(bool all_went_well) { return end(all_went_well && !defended_); }
  int nothing_found(const std::string &what) {
    report.say("result", what);
    return end(defended_);
  }

 private:
  int end(bool good) {
    report.write();
    if (within_ == 0 || clock_.seconds() * 1000 <= double(within_)) return good ? 0 : 1;
    std::printf("not within %ld milliseconds of CPU\n", within_);
    return 1;
  }

 public:
  const unsigned long seed;

 private:
  const bool defended_;
  const long within_;
  const Clock clock_;

 public:
  Report report;
};

}  // namespace museum::attacks
