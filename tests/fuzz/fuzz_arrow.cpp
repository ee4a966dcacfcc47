// SPDX-License-Identifier: Apache-2.0
//
// The input describes an array of the Arrow C data interface: layouts, counts, and what stands in its buffers, each of which is
// as long as the layout asks for.  Whatever it claims, import says yes or no, and of what it takes every entry can be read.
#include <aioli/arrow.h>

#include <string>

#include "fuzz.hpp"

namespace {

const char *const formats[] = {"z", "Z", "vz", "w:3", "u", "w:0", "c", "C", "s", "S", "i", "I", "l", "L", "+s", ""};
constexpr size_t most_data = 1 << 16;

class Input {
 public:
  Input(const uint8_t *data, size_t size) : data_(data), left_(size) {}
  uint8_t byte() {
    if (left_ == 0) return 0;
    left_--;
    return *data_++;
  }
  fuzz::Block block(size_t n) {
    fuzz::Block b(n, 0);
    for (size_t i = 0; i < n; i++) b.data()[i] = byte();
    return b;
  }

 private:
  const uint8_t *data_;
  size_t left_;
};

void release_schema(ArrowSchema *) {}
void release_array(ArrowArray *) {}

struct Array {
  ArrowSchema schema = {};
  ArrowArray array = {};
  std::vector<fuzz::Block> blocks;
  std::vector<const void *> buffers;
  bool honest = true;  // the data are as long as the offsets say: the one promise that nobody can check

  explicit Array(Input &in) {
    const uint8_t kind = in.byte(), lies = in.byte();
    const std::string format = formats[kind % std::size(formats)];
    schema.format = formats[kind % std::size(formats)];
    schema.release = (lies & 1) != 0 && (kind & 128) != 0 ? nullptr : release_schema;
    const uint8_t rows = in.byte() % 40, first = in.byte() % 20;
    array.length = (lies & 2) != 0 ? -int64_t(rows) : rows;
    array.offset = (lies & 4) != 0 ? -int64_t(first) : first;
    array.null_count = int8_t(in.byte());
    array.n_children = (lies & 8) != 0 ? 1 : 0;
    array.release = (lies & 16) != 0 && (kind & 64) != 0 ? nullptr : release_array;
    const size_t all = size_t(rows) + first;
    blocks.push_back(in.block((all + 7) / 8));
    if (format == "z" || format == "u" || format == "Z") {
      const size_t size = format == "Z" ? 8 : 4;
      blocks.push_back(in.block((all + 1) * size));
      int64_t last = 0;
      std::memcpy(&last, blocks[1].data() + all * size, size);  // little-endian, or a number that is as good
      if (size == 4) last = int32_t(last);
      honest = last <= int64_t(most_data);
      blocks.push_back(in.block(last > 0 && honest ? size_t(last) : 0));
    } else if (format == "vz") {
      blocks.push_back(in.block(all * 16));
      const uint8_t n = in.byte() % 4;
      fuzz::Block lengths(8 * size_t(n), 0);
      for (uint8_t i = 0; i < n; i++) {
        const int64_t length = in.byte();
        std::memcpy(lengths.data() + 8 * i, &length, 8);
        blocks.push_back(in.block(size_t(length)));
      }
      blocks.push_back(std::move(lengths));
    } else {
      static const size_t widths[] = {0, 0, 0, 3, 0, 0, 1, 1, 2, 2, 4, 4, 8, 8, 0, 0};
      blocks.push_back(in.block(all * widths[kind % std::size(formats)]));
    }
    for (const fuzz::Block &b : blocks) buffers.push_back(b.data());
    if ((lies & 32) != 0) buffers[size_t(in.byte()) % buffers.size()] = nullptr;
    // One too few.  Of views, whose last buffer has the others' lengths, so few that none can be taken for it: how long a buffer
    // is nobody can check.
    array.n_buffers = int64_t(buffers.size());
    if ((lies & 64) != 0) array.n_buffers = format == "vz" ? 2 : array.n_buffers - 1;
    array.buffers = (lies & 128) != 0 && (kind & 32) != 0 ? nullptr : buffers.data();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input in(data, size);
  const bool dictionary = (in.byte() & 1) != 0;
  Array outer(in);
  if (!outer.honest) return 0;
  std::unique_ptr<Array> inner;
  if (dictionary) {
    inner = std::make_unique<Array>(in);
    if (!inner->honest) return 0;
    outer.schema.dictionary = &inner->schema;
    outer.array.dictionary = &inner->array;
  }
  aioli_arrow_column column;
  char text[AIOLI_ARROW_TEXT_BYTES];
  const aioli_status status = aioli_arrow_import(&column, &outer.schema, &outer.array, text);
  FUZZ_CHECK(status == AIOLI_OK || status == AIOLI_ERR_ARGUMENT);
  FUZZ_CHECK((status == AIOLI_OK) == (text[0] == 0));
  FUZZ_CHECK(std::memchr(text, 0, sizeof text) != nullptr);
  if (status != AIOLI_OK) {
    FUZZ_CHECK(column.rows == 0);
    return 0;
  }
  FUZZ_CHECK(column.rows == uint64_t(outer.array.length));
  uint64_t sum = 0;
  for (uint64_t i = 0; i < column.rows; i++) {
    const uint8_t *p;
    uint64_t n;
    if (aioli_arrow_entry(&column, i, &p, &n) == 0) continue;
    FUZZ_CHECK(n <= most_data);
    for (uint64_t j = 0; j < n; j++) sum += p[j];
  }
  const uint8_t *p;
  uint64_t n;
  FUZZ_CHECK(aioli_arrow_entry(&column, column.rows, &p, &n) == 0 && p == nullptr && n == 0);
  static volatile uint64_t sink;
  sink = sink + sum;
  return 0;
}

std::vector<fuzz::Bytes> fuzz::seeds() {
  std::vector<Bytes> all;
  const auto number = [](Bytes &b, int64_t v, int n) {
    for (int i = 0; i < n; i++) b.push_back(uint8_t(v >> (8 * i)));
  };
  // Three rows after one, no nulls known: "ab", "", a long one.
  for (const uint8_t kind : {0, 1}) {
    Bytes b = {0, kind, 0, 3, 1, 255, 0x0f};
    for (const int v : {0, 1, 3, 3, 20}) number(b, v, kind == 1 ? 8 : 4);
    for (int i = 0; i < 20; i++) b.push_back(uint8_t('a' + i));
    all.push_back(b);
  }
  Bytes views = {0, 2, 0, 2, 0, 0, 3};
  number(views, 2, 4), number(views, 0x6261, 8), number(views, 0, 4);
  number(views, 20, 4), number(views, 0x64636261, 4), number(views, 1, 4), number(views, 5, 4);
  views.insert(views.end(), {2, 0, 30});
  views.resize(views.size() + 30, 'x');
  all.push_back(views);
  for (uint8_t kind = 6; kind < 14; kind++) {  // indices 1, 0 over entries of three bytes
    Bytes b = {1, kind, 0, 2, 0, 0, 3};
    for (const int v : {1, 0}) number(b, v, 1 << (kind - 6) / 2);
    b.insert(b.end(), {3, 0, 2, 0, 0, 3, 'a', 'b', 'c', 'd', 'e', 'f'});
    all.push_back(b);
  }
  return all;
}
