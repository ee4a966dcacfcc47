// SPDX-License-Identifier: Apache-2.0
#include "passphrase.hpp"

#include "failure.hpp"
#include "files.hpp"

#include <openssl/evp.h>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace aioli::cli {
namespace {

constexpr size_t kPassphraseMaxBytes = 1023;

SecretBytes accepted(SecretBytes passphrase, const std::string &from) {
  if (passphrase.empty()) throw Failure("the passphrase from " + from + " is empty");
  if (passphrase.size() > kPassphraseMaxBytes) {
    throw Failure("the passphrase from " + from + " is longer than " + std::to_string(kPassphraseMaxBytes) + " bytes");
  }
  if (std::memchr(passphrase.data(), 0, passphrase.size()) != nullptr) {
    throw Failure("the passphrase from " + from + " contains a zero byte");
  }
  return passphrase;
}

SecretBytes from_file(const std::string &path) {
  Input input(path, "the passphrase file");
  SecretBytes content = read_small(input, 65536, "a passphrase file");
  const uint8_t *end = std::find(content.data(), content.data() + content.size(), '\n');
  size_t n = static_cast<size_t>(end - content.data());
  if (n > 0 && content.data()[n - 1] == '\r') n--;
  content.set_size(n);
  return accepted(std::move(content), input.shown());
}

SecretBytes from_variable(const std::string &name) {
  char *value = std::getenv(name.c_str());
  if (value == nullptr) throw Failure("the environment variable " + name + ", which should hold the passphrase, is not set");
  SecretBytes passphrase = SecretBytes::copy_of(value, std::strlen(value));
  OPENSSL_cleanse(value, std::strlen(value));
  return accepted(std::move(passphrase), "the environment variable " + name);
}

// The terminal, silent for as long as this lives.  libcrypto too turns the echo off, but only after it has shown its prompt: what is
// typed in between would be seen.
class SilentTerminal {
 public:
  SilentTerminal() : fd_(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (fd_ < 0 || ::tcgetattr(fd_, &before_) != 0) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    changed_ = ::tcsetattr(fd_, TCSAFLUSH, &silent) == 0;
  }
  ~SilentTerminal() {
    if (changed_) ::tcsetattr(fd_, TCSADRAIN, &before_);
    if (fd_ >= 0) ::close(fd_);
  }
  SilentTerminal(const SilentTerminal &) = delete;
  SilentTerminal &operator=(const SilentTerminal &) = delete;

  bool present() const { return fd_ >= 0; }

 private:
  int fd_;
  bool changed_ = false;
  termios before_{};
};

SecretBytes from_terminal(const std::string &shown, bool is_new) {
  // Without a terminal libcrypto would fall back to standard input; a passphrase there could be the message.
  const SilentTerminal terminal;
  if (!terminal.present()) {
    throw Failure("a passphrase is needed for " + shown +
                  " and there is no terminal to ask for it: use --passphrase-file or --passphrase-env");
  }
  SecretBytes passphrase(kPassphraseMaxBytes + 1);
  const std::string prompt = (is_new ? "New passphrase for " : "Passphrase for ") + shown + ": ";
  const int result = EVP_read_pw_string_min(reinterpret_cast<char *>(passphrase.data()), 1, static_cast<int>(kPassphraseMaxBytes),
                                            prompt.c_str(), is_new ? 1 : 0);
  if (result != 0) throw Failure(is_new ? "no passphrase was set" : "no passphrase was given");
  passphrase.set_size(::strnlen(passphrase.text(), passphrase.capacity()));
  return accepted(std::move(passphrase), "the terminal");
}

}  // namespace

SecretBytes read_passphrase(const PassphraseSource &source, const std::string &shown, bool is_new) {
  if (!source.file.empty()) return from_file(source.file);
  if (!source.variable.empty()) return from_variable(source.variable);
  return from_terminal(shown, is_new);
}

}  // namespace aioli::cli
