// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bench {

// A shared library of its own: a copy of the file is loaded, with local symbols, so that one library can be loaded several times
// and each time has its own variables.  Stays loaded until the process ends.
class Library {
 public:
  // Throws std::runtime_error with the reason.
  explicit Library(const std::string &path);
  // Throws if the library has no such symbol.
  template <class F> F function(const char *name) const { return reinterpret_cast<F>(address(name)); }
  const std::string &path() const { return path_; }

 private:
  void *address(const char *name) const;
  std::string path_;
  void *handle_;
};

}  // namespace bench
