// SPDX-License-Identifier: Apache-2.0
// Files in, files out.  "-" is standard input or standard output.
#ifndef AIOLI_CLI_FILES_HPP
#define AIOLI_CLI_FILES_HPP

#include "secret.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace aioli::cli {

inline constexpr mode_t kModeSecret = 0600;  // whatever the umask is
inline constexpr mode_t kModePublic = 0644;  // less the umask

class Input {
 public:
  // `what` names the file's part in messages ("the message", "the key").  Standard input can be taken once per process.
  Input(const std::string &path, const std::string &what);
  Input(const Input &) = delete;
  ~Input();

  // Fills `out` as far as the input reaches; fewer bytes than asked for means its end.
  size_t read(std::span<uint8_t> out);

  std::optional<uint64_t> size() const;  // of a regular file
  bool is_stdin() const { return fd_ == 0; }
  bool others_may_read() const;  // a regular file that group or world can read
  const std::string &shown() const { return shown_; }

 private:
  int fd_ = -1;
  std::string shown_;
};

// All of a small file.  More than `limit` bytes is a Failure that says that this is no `what`.
SecretBytes read_small(Input &input, size_t limit, const std::string &what);

void write_stdout(std::string_view text);

// "-", a device or a pipe is written to as it is; anything else is replaced in one step, so that a reader sees the old content or
// the new and an error leaves the old.  A symbolic link is itself replaced: what it names stays as it is.
void write_output(const std::string &path, std::string_view bytes, mode_t mode);
bool is_stdout(const std::string &path);  // "-", /dev/stdout and the like
// Both exist, are regular files and are one and the same.
bool same_file(const std::string &a, const std::string &b);

// Two files that appear together or not at all.  Without `replace`, a name that exists is a Failure and nothing is touched.
struct OutputFile {
  std::string path;
  std::span<const uint8_t> bytes;
  mode_t mode;
};
// A Failure if something has this name.
void require_absent(const std::string &path);
void write_pair(const OutputFile &first, const OutputFile &second, bool replace);

}  // namespace aioli::cli
#endif
