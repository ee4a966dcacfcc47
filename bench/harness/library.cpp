// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace bench {

Library::Library(const std::string &path) : path_(path), handle_(nullptr) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read the library " + path + ": " + std::strerror(errno));

  // The loader knows a file by its inode: a second name would not do, a copy does.
  const char *tmp = std::getenv("TMPDIR");
  const std::string pattern = std::string(tmp && *tmp ? tmp : "/tmp") + "/aioli-bench-XXXXXX";
  std::vector<char> name(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
  const int fd = mkstemp(name.data());
  if (fd < 0) throw std::runtime_error("cannot make a temporary file " + pattern + ": " + std::strerror(errno));
  close(fd);
  {
    std::ofstream out(name.data(), std::ios::binary);
    out << in.rdbuf();
    if (!out.flush()) {
      unlink(name.data());
      throw std::runtime_error("cannot write a copy of " + path + " to " + name.data());
    }
  }
  handle_ = dlopen(name.data(), RTLD_NOW | RTLD_LOCAL);
  const char *why = handle_ ? "" : dlerror();
  unlink(name.data());
  if (!handle_) throw std::runtime_error("cannot load " + path + ": " + why + " (TMPDIR must allow execution)");
}

void *Library::address(const char *name) const {
  void *p = dlsym(handle_, name);
  if (!p) throw std::runtime_error(path_ + " has no symbol " + name);
  return p;
}

}  // namespace bench
