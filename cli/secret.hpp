// SPDX-License-Identifier: Apache-2.0
#ifndef AIOLI_CLI_SECRET_HPP
#define AIOLI_CLI_SECRET_HPP

#include <openssl/crypto.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace aioli::cli {

// Bytes that are wiped when they go out of scope.  The capacity is fixed at construction, because growing would leave a copy of
// the content behind in freed memory.
class SecretBytes {
 public:
  SecretBytes() = default;
  explicit SecretBytes(size_t capacity) : bytes_(new uint8_t[capacity]()), capacity_(capacity) {}
  SecretBytes(SecretBytes &&other) noexcept
      : bytes_(std::move(other.bytes_)), capacity_(std::exchange(other.capacity_, 0)), size_(std::exchange(other.size_, 0)) {}
  SecretBytes &operator=(SecretBytes &&other) noexcept {
    if (this != &other) {
      wipe();
      bytes_ = std::move(other.bytes_);
      capacity_ = std::exchange(other.capacity_, 0);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  ~SecretBytes() { wipe(); }

  static SecretBytes copy_of(const void *from, size_t n) {
    SecretBytes made(n);
    if (n != 0) std::memcpy(made.data(), from, n);
    made.set_size(n);
    return made;
  }

  uint8_t *data() { return bytes_.get(); }
  const uint8_t *data() const { return bytes_.get(); }
  const char *text() const { return reinterpret_cast<const char *>(bytes_.get()); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  void set_size(size_t n) { size_ = n < capacity_ ? n : capacity_; }
  std::span<const uint8_t> view() const { return {bytes_.get(), size_}; }

 private:
  void wipe() {
    if (bytes_) OPENSSL_cleanse(bytes_.get(), capacity_);
    size_ = 0;
  }
  std::unique_ptr<uint8_t[]> bytes_;
  size_t capacity_ = 0;
  size_t size_ = 0;
};

}  // namespace aioli::cli
#endif
