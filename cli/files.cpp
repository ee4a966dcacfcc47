// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include "failure.hpp"
#include "text.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace aioli::cli {
namespace {

std::string reason() { return std::strerror(errno); }

Failure exists(const std::string &path) {
  return Failure(printable(path) + " exists: choose another name, or replace it with --force");
}

std::string directory_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void write_all(int fd, std::string_view bytes, const std::string &shown) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw Failure("cannot write " + shown + ": " + reason());
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

mode_t current_umask() {
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return mask;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int close() {  // reports errors, which the destructor cannot
    const int result = ::close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

// While a temporary file exists, the signals that end a program wait: Ctrl-C comes before everything or after everything.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGALRM}) sigaddset(&held, s);
    sigprocmask(SIG_BLOCK, &held, &before_);
  }
  SignalsHeld(const SignalsHeld &) = delete;
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// Content that is safely on disk under a temporary name in the target's directory, and can then be put in place in one step.
class StagedFile {
 public:
  StagedFile(const std::string &target, std::string_view bytes, mode_t mode) : target_(target), shown_(printable(target)) {
    const std::string directory = directory_of(target);
    struct stat info;
    if (::lstat(target.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) throw Failure(shown_ + " is a directory");
    std::string name = directory + "/.aioli-XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));  // mode 0600 from the start
    if (file.get() < 0) throw Failure("cannot create a file in " + printable(directory) + ": " + reason());
    temporary_ = name;
    try {
      if (::fchmod(file.get(), mode) != 0) throw Failure("cannot set the mode of " + shown_ + ": " + reason());
      write_all(file.get(), bytes, shown_);
      // Some file systems have no fsync; an error of the disk is another matter.
      if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) {
        throw Failure("cannot write " + shown_ + " to disk: " + reason());
      }
      if (file.close() != 0) throw Failure("cannot write " + shown_ + ": " + reason());
    } catch (...) {
      ::unlink(temporary_.c_str());
      throw;
    }
  }
  StagedFile(const StagedFile &) = delete;
  ~StagedFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void put_in_place(bool replace) {
    if (replace) {
      // Exchanging instead of overwriting keeps the old file until the destructor, so that it can be brought back.
      if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
        placed_ = Placed::exchanged;
        return;
      }
    }
    if (replace && errno != ENOENT) {  // a file system that cannot exchange: the old file is gone
      if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw Failure("cannot write " + shown_ + ": " + reason());
      temporary_.clear();
      placed_ = Placed::renamed;
      return;
    }
    int result = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE);
    if (result == 0) {
      temporary_.clear();
    } else if (errno == EINVAL || errno == ENOSYS) {  // a file system without that flag
      result = ::link(temporary_.c_str(), target_.c_str());
    }
    if (result != 0) {
      if (errno == EEXIST) throw exists(target_);
      throw Failure("cannot write " + shown_ + ": " + reason());
    }
    placed_ = Placed::created;
  }

  void take_back() noexcept {
    if (placed_ == Placed::created) ::unlink(target_.c_str());
    if (placed_ == Placed::exchanged) {
      ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
    }
    placed_ = Placed::no;
  }

 private:
  enum class Placed { no, created, exchanged, renamed };
  std::string target_, shown_, temporary_;
  Placed placed_ = Placed::no;
};

// Best effort: the new names survive a crash of the machine.
void sync_directory(const std::string &target) {
  const Descriptor directory(::open(directory_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

// Some names below /dev and /proc are ways to open descriptors (/dev/stdout): links that only the kernel makes.
bool names_descriptor(const std::string &path) {
  for (const char *name : {"/dev/stdin", "/dev/stdout", "/dev/stderr"})
    if (path == name) return true;
  return path.starts_with("/dev/fd/") || (path.starts_with("/proc/") && path.find("/fd/") != std::string::npos);
}

// No other link is followed, lest somebody who may write to a directory chooses what is written to: a device or a pipe must be
// there itself.
bool is_device(const std::string &path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode) && !S_ISLNK(info.st_mode);
}

void write_directly(const std::string &path, std::string_view bytes) {
  const int follow = names_descriptor(path) ? 0 : O_NOFOLLOW;
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | follow));
  if (file.get() < 0) throw Failure("cannot open " + printable(path) + ": " + reason());
  struct stat info;
  const bool regular = ::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode);
  if (regular && follow != 0) throw Failure("cannot write " + printable(path) + ": it has become another file");
  if (regular && ::ftruncate(file.get(), 0) != 0) throw Failure("cannot write " + printable(path) + ": " + reason());
  write_all(file.get(), bytes, printable(path));
  if (file.close() != 0) throw Failure("cannot write " + printable(path) + ": " + reason());
}

std::string_view as_text(std::span<const uint8_t> bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

}  // namespace

Input::Input(const std::string &path, const std::string &what) {
  if (path == "-") {
    static std::string taken_for;
    if (!taken_for.empty()) throw Failure("\"-\" (standard input) is given both for " + taken_for + " and for " + what);
    taken_for = what;
    fd_ = 0;
    shown_ = "standard input";
    return;
  }
  shown_ = printable(path);
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd_ < 0) throw Failure("cannot open " + what + " " + shown_ + ": " + reason());
  if (struct stat info; ::fstat(fd_, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd_);
    throw Failure("cannot read " + what + " " + shown_ + ": it is a directory");
  }
}

Input::~Input() {
  if (fd_ > 0) ::close(fd_);
}

size_t Input::read(std::span<uint8_t> out) {
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::read(fd_, out.data() + done, out.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Failure("cannot read " + shown_ + ": " + reason());
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

std::optional<uint64_t> Input::size() const {
  struct stat info;
  if (::fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return static_cast<uint64_t>(info.st_size);
}

bool Input::others_may_read() const {
  struct stat info;
  return ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & 077) != 0;
}

bool same_file(const std::string &a, const std::string &b) {
  struct stat one, other;
  return a != "-" && b != "-" && ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 && S_ISREG(one.st_mode) &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

SecretBytes read_small(Input &input, size_t limit, const std::string &what) {
  // Most files are much shorter than any may be, and SecretBytes do not grow: what is full is followed by twice as much.
  SecretBytes bytes(std::min<size_t>(limit, 1 << 14) + 1);
  for (;;) {
    bytes.set_size(bytes.size() + input.read({bytes.data() + bytes.size(), bytes.capacity() - bytes.size()}));
    if (bytes.size() < bytes.capacity()) return bytes;
    if (bytes.size() > limit) break;
    SecretBytes longer(std::min(2 * bytes.capacity(), limit + 1));
    std::memcpy(longer.data(), bytes.data(), bytes.size());
    longer.set_size(bytes.size());
    bytes = std::move(longer);
  }
  throw Failure(input.shown() + " is not " + what + ": it has more than " + std::to_string(limit) + " bytes");
}

void write_stdout(std::string_view text) { write_all(1, text, "standard output"); }

bool is_stdout(const std::string &path) {
  struct stat named, standard;
  return path == "-" || (::stat(path.c_str(), &named) == 0 && ::fstat(1, &standard) == 0 && named.st_dev == standard.st_dev &&
                         named.st_ino == standard.st_ino);
}

void write_output(const std::string &path, std::string_view bytes, mode_t mode) {
  if (is_stdout(path)) return write_stdout(bytes);
  if (names_descriptor(path) || is_device(path)) return write_directly(path, bytes);
  const SignalsHeld held;
  StagedFile staged(path, bytes, mode == kModeSecret ? mode : mode & ~current_umask());
  staged.put_in_place(true);
  sync_directory(path);
}

void require_absent(const std::string &path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) == 0) throw exists(path);
}

void write_pair(const OutputFile &first, const OutputFile &second, bool replace) {
  const auto mode = [](const OutputFile &file) { return file.mode == kModeSecret ? file.mode : file.mode & ~current_umask(); };
  if (!replace) {
    require_absent(first.path);
    require_absent(second.path);
  }
  // Two programs that replace the same pair at once take turns, or the pair could end up mixed.
  const Descriptor directory(::open(directory_of(first.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::flock(directory.get(), LOCK_EX);
  const SignalsHeld held;
  StagedFile staged_first(first.path, as_text(first.bytes), mode(first));
  StagedFile staged_second(second.path, as_text(second.bytes), mode(second));
  staged_first.put_in_place(replace);
  try {
    staged_second.put_in_place(replace);
  } catch (...) {
    staged_first.take_back();
    throw;
  }
  sync_directory(first.path);
}

}  // namespace aioli::cli
