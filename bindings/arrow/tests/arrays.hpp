// SPDX-License-Identifier: Apache-2.0
// Arrays of the Arrow C data interface, each buffer a block of its own of exactly the length that its layout asks for.
#pragma once
#include <aioli/arrow.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace arrow_test {

using Bytes = std::vector<uint8_t>;
using Entries = std::vector<std::optional<Bytes>>;

inline Bytes bytes(const std::string &s) { return {s.begin(), s.end()}; }

inline void nothing_to_release(ArrowSchema *) {}
inline void nothing_to_release(ArrowArray *) {}

// `slice`: so many entries stand before the first and after the last, which are not of the array.
struct Array {
  ArrowSchema schema = {};
  ArrowArray array = {};
  std::vector<std::unique_ptr<uint8_t[]>> blocks;
  std::vector<size_t> sizes;
  std::vector<const void *> buffers;
  std::unique_ptr<Array> dictionary;
  std::string format;

  Array(const std::string &f, const Entries &entries, size_t slice = 0) : format(f) {
    Entries all(slice, bytes("before"));
    all.insert(all.end(), entries.begin(), entries.end());
    all.insert(all.end(), slice, bytes("after"));
    validity(all);
    const char kind = format.back();
    if (format[0] == 'w')
      fixed(all, size_t(std::stoi(format.substr(2))));
    else if (format[0] == 'v')
      views(all);
    else if (kind == 'Z' || kind == 'U')
      offsets<int64_t>(all);
    else
      offsets<int32_t>(all);
    finish(entries.size(), slice);
  }

  // A dictionary of the entries that differ, and indices of a format ("c", "C", .., "L").
  static std::unique_ptr<Array> of_dictionary(const std::string &f, const std::string &values, const Entries &entries,
                                              size_t slice = 0) {
    Entries different;
    std::vector<uint64_t> index;
    for (const auto &e : entries) {
      size_t at = 0;
      while (at < different.size() && different[at] != e) at++;
      if (at == different.size()) different.push_back(e);
      index.push_back(at);
    }
    std::unique_ptr<Array> a(new Array(f));
    Entries there(index.size() + 2 * slice, Bytes{});
    for (size_t i = 0; i < entries.size(); i++)
      if (!entries[i]) there[slice + i] = std::nullopt;
    a->validity(there);
    const size_t size = std::string("cC").find(f[0]) != std::string::npos   ? 1
                        : std::string("sS").find(f[0]) != std::string::npos ? 2
                        : std::string("iI").find(f[0]) != std::string::npos ? 4
                                                                            : 8;
    uint8_t *const to = a->block(there.size() * size);
    std::memset(to, 0x77, there.size() * size);  // indices that are wrong, where nobody may look
    for (size_t i = 0; i < index.size(); i++) {
      if (!entries[i]) continue;
      const uint8_t one = uint8_t(index[i]);
      const uint16_t two = uint16_t(index[i]);
      const uint32_t four = uint32_t(index[i]);
      const void *const from = size == 1   ? static_cast<const void *>(&one)
                               : size == 2 ? static_cast<const void *>(&two)
                               : size == 4 ? static_cast<const void *>(&four)
                                           : static_cast<const void *>(&index[i]);
      std::memcpy(to + (slice + i) * size, from, size);
    }
    a->finish(entries.size(), slice);
    a->dictionary = std::make_unique<Array>(values, different, 1);
    a->schema.dictionary = &a->dictionary->schema;
    a->array.dictionary = &a->dictionary->array;
    return a;
  }

  uint8_t *at(size_t buffer) { return blocks[buffer].get(); }

 private:
  explicit Array(const std::string &f) : format(f) {}

  uint8_t *block(size_t n) {
    blocks.emplace_back(new uint8_t[n]);
    sizes.push_back(n);
    return blocks.back().get();
  }

  void validity(const Entries &all) {
    bool nulls = false;
    for (const auto &e : all) nulls |= !e;
    if (!nulls) {
      blocks.emplace_back();
      sizes.push_back(0);
      return;
    }
    uint8_t *const bits = block((all.size() + 7) / 8);
    std::memset(bits, 0, (all.size() + 7) / 8);
    for (size_t i = 0; i < all.size(); i++) bits[i / 8] = uint8_t(bits[i / 8] | (all[i] ? 1 << i % 8 : 0));
  }

  template <class Offset> void offsets(const Entries &all) {
    uint8_t *const to = block((all.size() + 1) * sizeof(Offset));
    Bytes joined;
    for (size_t i = 0; i <= all.size(); i++) {
      const Offset at = Offset(joined.size());
      std::memcpy(to + i * sizeof at, &at, sizeof at);
      if (i < all.size() && all[i]) joined.insert(joined.end(), all[i]->begin(), all[i]->end());
    }
    uint8_t *const copy = block(joined.size());
    if (!joined.empty()) std::memcpy(copy, joined.data(), joined.size());
  }

  void fixed(const Entries &all, size_t width) {
    uint8_t *const to = block(all.size() * width);
    std::memset(to, 0x5a, all.size() * width);
    for (size_t i = 0; i < all.size(); i++)
      if (all[i] && all[i]->size() == width && width > 0) std::memcpy(to + i * width, all[i]->data(), width);
  }

  // Every second long entry in a second buffer.
  void views(const Entries &all) {
    uint8_t *const to = block(all.size() * 16);
    Bytes data[2];
    for (size_t i = 0; i < all.size(); i++) {
      uint8_t *const view = to + 16 * i;
      std::memset(view, 0x77, 16);
      if (!all[i]) continue;
      const int32_t n = int32_t(all[i]->size()), which = int32_t(i % 2), at = int32_t(data[which].size());
      std::memcpy(view, &n, 4);
      if (n <= 12) {
        std::memset(view + 4, 0, 12);
        if (n > 0) std::memcpy(view + 4, all[i]->data(), size_t(n));
        continue;
      }
      std::memcpy(view + 4, all[i]->data(), 4);
      std::memcpy(view + 8, &which, 4);
      std::memcpy(view + 12, &at, 4);
      data[which].insert(data[which].end(), all[i]->begin(), all[i]->end());
    }
    for (const Bytes &d : data) {
      uint8_t *const copy = block(d.size());
      if (!d.empty()) std::memcpy(copy, d.data(), d.size());
    }
    const int64_t lengths[] = {int64_t(data[0].size()), int64_t(data[1].size())};
    std::memcpy(block(sizeof lengths), lengths, sizeof lengths);
  }

  void finish(size_t rows, size_t slice) {
    for (const auto &b : blocks) buffers.push_back(b.get());
    schema.format = format.c_str();
    schema.name = "";
    schema.flags = ARROW_FLAG_NULLABLE;
    schema.release = nothing_to_release;
    array.length = int64_t(rows);
    array.null_count = -1;
    array.offset = int64_t(slice);
    array.n_buffers = int64_t(buffers.size());
    array.buffers = buffers.data();
    array.release = nothing_to_release;
  }
};

inline Entries entries_of(const aioli_arrow_column &column) {
  Entries all;
  for (uint64_t i = 0; i < column.rows; i++) {
    const uint8_t *p;
    uint64_t n;
    if (aioli_arrow_entry(&column, i, &p, &n) != 0)
      all.push_back(Bytes(p, p + n));
    else
      all.push_back(std::nullopt);
  }
  return all;
}

}  // namespace arrow_test
