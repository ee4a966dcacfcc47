// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz.hpp"

namespace fuzz {

// Writes the harness's seeds into a directory, one file each.
inline void write_seeds(const std::string &directory) {
  std::filesystem::create_directories(directory);
  size_t number = 0;
  for (const Bytes &seed : seeds()) {
    const auto path = std::filesystem::path(directory) / ("seed-" + std::to_string(number++));
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char *>(seed.data()), std::streamsize(seed.size()));
    if (!out.flush()) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      std::exit(2);
    }
  }
}

// The directory of an argument --write-seeds=DIRECTORY, or NULL.
inline const char *seeds_directory(const char *argument) {
  static const char option[] = "--write-seeds=";
  return std::strncmp(argument, option, sizeof option - 1) == 0 ? argument + sizeof option - 1 : nullptr;
}

}  // namespace fuzz
