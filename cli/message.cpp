// SPDX-License-Identifier: Apache-2.0
#include "message.hpp"

#include "failure.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace aioli::cli {
namespace {

constexpr size_t kChunkBytes = 256 << 10;

// One line on standard error that overwrites itself, and is gone at the end.
class Progress {
 public:
  explicit Progress(const Input &file) : size_(file.size()), on_terminal_(is_terminal(2)) {}
  Progress(const Progress &) = delete;
  ~Progress() {
    if (drawn_) std::fputs("\r\033[K", stderr);
  }

  void advance(uint64_t done) {
    if (!on_terminal_) return;
    const auto now = Clock::now();
    if (now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    drawn_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double mib = static_cast<double>(done) / (1 << 20);
    if (size_ && *size_ > 0) {
      const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(*size_));
      std::string bar(static_cast<size_t>(share * kBarWidth), '#');
      bar.resize(kBarWidth, ' ');
      std::fprintf(stderr, "\r\033[K[%s] %3.0f %%  %.0f MiB/s", bar.c_str(), share * 100, mib / seconds);
    } else {
      std::fprintf(stderr, "\r\033[K%.0f MiB  %.0f MiB/s", mib, mib / seconds);
    }
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kBarWidth = 40;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::optional<uint64_t> size_;
  bool on_terminal_;
  bool drawn_ = false;
};

}  // namespace

MessageDigest digest_message(const aioli_alg *alg, std::string_view prefix, Input &file, std::string_view refused_start) {
  aioli_hash hash;
  check(aioli_hash_init(&hash, alg), "cannot hash the message");
  check(aioli_hash_update(&hash, reinterpret_cast<const uint8_t *>(prefix.data()), prefix.size()), "cannot hash the message");
  MessageDigest digest;
  Progress progress(file);
  std::vector<uint8_t> chunk(kChunkBytes);
  for (bool first = true;; first = false) {
    const size_t n = file.read(chunk);
    const std::string_view text(reinterpret_cast<const char *>(chunk.data()), n);
    if (first && !refused_start.empty() && text.starts_with(refused_start)) {
      throw Failure(file.shown() +
                    " starts with the bytes that mark the inside of aioli's signature files: a bare signature of it could be "
                    "passed off as a signature of another file, so --raw does not take it");
    }
    check(aioli_hash_update(&hash, chunk.data(), n), "cannot hash the message");
    digest.message_bytes += n;
    if (n < chunk.size()) break;
    progress.advance(digest.message_bytes);
  }
  digest.bytes.resize(aioli_digest_bytes(alg));
  check(aioli_hash_final(&hash, digest.bytes.data(), digest.bytes.size()), "cannot hash the message");
  return digest;
}

MessageDigest digest_message(const aioli_alg *alg, std::string_view prefix, std::string_view message) {
  aioli_hash hash;
  check(aioli_hash_init(&hash, alg), "cannot hash the message");
  for (const std::string_view part : {prefix, message}) {
    check(aioli_hash_update(&hash, reinterpret_cast<const uint8_t *>(part.data()), part.size()), "cannot hash the message");
  }
  MessageDigest digest{std::vector<uint8_t>(aioli_digest_bytes(alg)), message.size()};
  check(aioli_hash_final(&hash, digest.bytes.data(), digest.bytes.size()), "cannot hash the message");
  return digest;
}

}  // namespace aioli::cli
