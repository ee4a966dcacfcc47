// SPDX-License-Identifier: Apache-2.0
// A list of files with their SHA-256, in the form that sha256sum writes and checks: what is signed once for a whole release.
#ifndef AIOLI_CLI_MANIFEST_HPP
#define AIOLI_CLI_MANIFEST_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aioli::cli {

inline constexpr size_t kManifestMaxBytes = 64 << 20;

struct ManifestEntry {
  std::array<uint8_t, 32> sha256;
  std::string name;  // below the directory of the manifest
};

// The entries of files and of all files below directories, sorted by name.  A Failure for what is not below the manifest's
// directory, for symbolic links and for names that the form cannot hold.
std::vector<ManifestEntry> list_files(const std::string &manifest, const std::vector<std::string> &paths);

std::string format_manifest(const std::vector<ManifestEntry> &entries);
// A Failure that names the line if the text is no such list or has a name that leads out of the directory.
std::vector<ManifestEntry> parse_manifest(std::string_view text, const std::string &shown);

// Nothing if the file is as the entry says, else what is wrong with it.
std::optional<std::string> problem_with(const ManifestEntry &entry, const std::string &manifest);

}  // namespace aioli::cli
#endif
