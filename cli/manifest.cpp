// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include "failure.hpp"
#include "files.hpp"
#include "text.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace aioli::cli {
namespace {

namespace fs = std::filesystem;

std::array<uint8_t, 32> sha256_of(Input &file) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX *)> hash(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::array<uint8_t, 32> digest;
  bool good = hash && EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) == 1;
  std::vector<uint8_t> chunk(256 << 10);
  for (size_t n = chunk.size(); good && n == chunk.size();) {
    n = file.read(chunk);
    good = EVP_DigestUpdate(hash.get(), chunk.data(), n) == 1;
  }
  if (!good || EVP_DigestFinal_ex(hash.get(), digest.data(), nullptr) != 1) throw Failure("libcrypto has no SHA-256");
  return digest;
}

fs::path directory_of(const std::string &manifest) {
  const fs::path parent = fs::path(manifest).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// Why a name cannot stand in a list, or nothing.
std::string name_problem(const std::string &name) {
  if (name.empty() || name.front() == '/') return "is not a name below the list's directory";
  for (const fs::path &part : fs::path(name))
    if (part == "..") return "leads out of the list's directory";
  if (name.find_first_of("\n\r\\") != std::string::npos) return "has a line end or a backslash in it";
  return {};
}

}  // namespace

std::vector<ManifestEntry> list_files(const std::string &manifest, const std::vector<std::string> &paths) {
  std::vector<fs::path> files;
  const auto take = [&](const fs::path &path) {
    const fs::file_status status = fs::symlink_status(path);
    if (fs::is_symlink(status)) throw Failure(printable(path.string()) + " is a symbolic link: a list has files only");
    if (fs::is_regular_file(status))
      files.push_back(path);
    else if (!fs::is_directory(status))
      throw Failure("cannot list " + printable(path.string()) + ": it is not a file or directory that is there");
  };
  for (const std::string &path : paths) {
    take(path);
    if (fs::is_directory(fs::symlink_status(path))) {
      for (const fs::directory_entry &entry : fs::recursive_directory_iterator(path)) take(entry.path());
    }
  }
  const fs::path base = fs::weakly_canonical(directory_of(manifest));
  const auto at = [&](const fs::path &path) { return fs::weakly_canonical(path).lexically_relative(base).generic_string(); };
  const std::string own = at(manifest), own_signature = own + ".sig";
  std::vector<ManifestEntry> entries;
  for (const fs::path &path : files) {
    const std::string name = at(path);
    if (name == own || name == own_signature) continue;  // of the last time
    if (const std::string problem = name_problem(name); !problem.empty())
      throw Failure("cannot list " + printable(path.string()) + ": its name " + problem);
    Input file(path.string(), "the file");
    entries.push_back({sha256_of(file), name});
  }
  std::sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
  entries.erase(std::unique(entries.begin(), entries.end(), [](const auto &a, const auto &b) { return a.name == b.name; }),
                entries.end());
  if (entries.empty()) throw Failure("there is no file to list");
  return entries;
}

std::string format_manifest(const std::vector<ManifestEntry> &entries) {
  std::string text;
  for (const ManifestEntry &entry : entries) text += hex_lower(entry.sha256) + "  " + entry.name + "\n";
  return text;
}

std::vector<ManifestEntry> parse_manifest(std::string_view text, const std::string &shown) {
  std::vector<ManifestEntry> entries;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    ManifestEntry entry;
    bool good = end != std::string_view::npos && line.size() > 66 && hex_decode(line.substr(0, 64), entry.sha256) &&
                line[64] == ' ' && (line[65] == ' ' || line[65] == '*');
    if (good) entry.name = line.substr(66);
    if (!good || !name_problem(entry.name).empty()) {
      throw Failure(shown + " is not a list of files: line " + std::to_string(entries.size() + 1) +
                    (good ? " " + name_problem(entry.name) : " is malformed"));
    }
    entries.push_back(std::move(entry));
    text.remove_prefix(end + 1);
  }
  if (entries.empty()) throw Failure(shown + " lists no file");
  return entries;
}

std::optional<std::string> problem_with(const ManifestEntry &entry, const std::string &manifest) {
  const fs::path path = directory_of(manifest) / entry.name;
  if (!fs::exists(fs::symlink_status(path))) return "it is missing";
  Input file(path.string(), "the file");
  if (sha256_of(file) != entry.sha256) return "it is not the file that was signed";
  return std::nullopt;
}

}  // namespace aioli::cli
