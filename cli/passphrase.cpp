// SPDX-License-Identifier: Apache-2.0
#include "passphrase.hpp"

#include "failure.hpp"
#include "files.hpp"

#include <openssl/evp.h>

#include <fcntl.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

// The terminal, silent for as long as this lives; one at a time.  libcrypto too turns the echo off, but only after it has shown
// its prompt: what is typed in between would be seen.  What was typed before the prompt is dropped.
class SilentTerminal {
 public:
  SilentTerminal() {
    fd_ = ::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd_ < 0 || ::tcgetattr(fd_, &before_) != 0) return;
    struct sigaction action = {};
    action.sa_handler = speak_and_die;
    for (size_t i = 0; i < kSignals.size(); i++) ::sigaction(kSignals[i], &action, &actions_[i]);
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    changed_ = ::tcsetattr(fd_, TCSAFLUSH, &silent) == 0;
    handling_ = true;
  }
  ~SilentTerminal() {
    if (changed_) ::tcsetattr(fd_, TCSADRAIN, &before_);
    if (handling_)
      for (size_t i = 0; i < kSignals.size(); i++) ::sigaction(kSignals[i], &actions_[i], nullptr);
    if (fd_ >= 0) ::close(fd_);
  }
  SilentTerminal(const SilentTerminal &) = delete;
  SilentTerminal &operator=(const SilentTerminal &) = delete;

  bool present() const { return fd_ >= 0; }

 private:
  // libcrypto handles signals only while it reads; at any other moment one would leave the terminal silent.
  static void speak_and_die(int number) {
    ::tcsetattr(fd_, TCSADRAIN, &before_);
    ::signal(number, SIG_DFL);
    ::raise(number);
  }
  static constexpr std::array kSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  static inline int fd_ = -1;
  static inline termios before_{};
  struct sigaction actions_[kSignals.size()] = {};
  bool changed_ = false, handling_ = false;
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
