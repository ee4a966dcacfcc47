// SPDX-License-Identifier: Apache-2.0
// Arrays of every layout give the entries that were put in; what is not as it should be is refused by a sentence about it.
#include <doctest/doctest.h>

#include <functional>

#include "arrays.hpp"

using namespace arrow_test;

namespace {

const char *const layouts[] = {"z", "Z", "u", "U", "vz", "vu"};

Entries sample() {
  return {bytes("a"),
          bytes(""),
          std::nullopt,
          bytes("exactly twelv"),
          bytes("a longer entry than a view holds"),
          bytes("a"),
          bytes("twelve bytes"),
          std::nullopt,
          bytes("another one that is long"),
          bytes("b")};
}

aioli_arrow_column import(const Array &a) {
  aioli_arrow_column column;
  char text[AIOLI_ARROW_TEXT_BYTES] = "?";
  const aioli_status status = aioli_arrow_import(&column, &a.schema, &a.array, text);
  CHECK(status == AIOLI_OK);
  CHECK(std::string(text) == "");
  return column;
}

std::string refusal(const Array &a) {
  aioli_arrow_column column;
  std::memset(&column, 0x5a, sizeof column);
  char text[AIOLI_ARROW_TEXT_BYTES] = "";
  const aioli_status status = aioli_arrow_import(&column, &a.schema, &a.array, text);
  CHECK(status == AIOLI_ERR_ARGUMENT);
  CHECK(column.rows == 0);
  CHECK(aioli_arrow_import(&column, &a.schema, &a.array, nullptr) == status);
  return text;
}

template <class T> void put(uint8_t *at, T value) { std::memcpy(at, &value, sizeof value); }

}  // namespace

TEST_CASE("every layout, whole and sliced, with nulls and without") {
  for (const char *format : layouts)
    for (const size_t slice : {0, 1, 9}) {
      CAPTURE(format);
      CAPTURE(slice);
      const Array a(format, sample(), slice);
      const aioli_arrow_column column = import(a);
      CHECK(entries_of(column) == sample());
      // Narrowed once more.
      aioli_arrow_column part, of_part;
      CHECK(aioli_arrow_slice(&part, &column, 2, 6) == AIOLI_OK);
      CHECK(aioli_arrow_slice(&of_part, &part, 1, 4) == AIOLI_OK);
      const Entries all = sample();
      CHECK(entries_of(of_part) == Entries(all.begin() + 3, all.begin() + 7));
      CHECK(aioli_arrow_slice(&part, &column, 5, 6) == AIOLI_ERR_ARGUMENT);
      CHECK(aioli_arrow_slice(&part, &column, 11, 0) == AIOLI_ERR_ARGUMENT);
      CHECK(aioli_arrow_slice(&part, &column, 10, 0) == AIOLI_OK);
      CHECK(entries_of(import(Array(format, {}, slice))).empty());
      CHECK(entries_of(import(Array(format, {std::nullopt}, slice))) == Entries{std::nullopt});
    }
}

TEST_CASE("fixed widths, none among them") {
  const Entries four = {bytes("abcd"), std::nullopt, bytes("efgh")}, none = {bytes(""), bytes("")};
  for (const size_t slice : {0, 3}) {
    CHECK(entries_of(import(Array("w:4", four, slice))) == four);
    CHECK(entries_of(import(Array("w:0", none, slice))) == none);
  }
}

TEST_CASE("dictionaries with indices of every type over every layout") {
  for (const char *index : {"c", "C", "s", "S", "i", "I", "l", "L"})
    for (const char *format : layouts)
      for (const size_t slice : {0, 5}) {
        CAPTURE(index);
        CAPTURE(format);
        CHECK(entries_of(import(*Array::of_dictionary(index, format, sample(), slice))) == sample());
      }
  // An entry of the dictionary may be null as well.
  const auto a = Array::of_dictionary("c", "z", {bytes("x"), bytes("y"), bytes("x")});
  uint8_t bits[] = {0x03};  // one stands before the first: its offset is one
  a->dictionary->buffers[0] = bits;
  CHECK(entries_of(import(*a)) == Entries{bytes("x"), std::nullopt, bytes("x")});
}

TEST_CASE("one entry for every row") {
  const Bytes key = bytes("key");
  aioli_arrow_column column;
  aioli_arrow_repeat(&column, key.data(), key.size(), 3);
  CHECK(entries_of(column) == Entries{key, key, key});
  aioli_arrow_repeat(&column, nullptr, 0, 1);
  CHECK(entries_of(column) == Entries{Bytes{}});
  aioli_arrow_repeat(&column, nullptr, 1, 1);
  CHECK(entries_of(column) == Entries{std::nullopt});
}

TEST_CASE("what is wrong with an array is said") {
  struct Case {
    const char *text, *format;
    std::function<void(Array &)> spoil;
  };
  const Case cases[] = {
      {"the array was released", "z", [](Array &a) { a.array.release = nullptr; }},
      {"the schema was released", "z", [](Array &a) { a.schema.release = nullptr; }},
      {"the schema has no format", "z", [](Array &a) { a.schema.format = nullptr; }},
      {"format '+l'", "z", [](Array &a) { a.schema.format = "+l"; }},
      {"format ''", "z", [](Array &a) { a.schema.format = ""; }},
      {"format 'zz'", "z", [](Array &a) { a.schema.format = "zz"; }},
      {"format 'w:'", "z", [](Array &a) { a.schema.format = "w:"; }},
      {"format 'w:-1'", "z", [](Array &a) { a.schema.format = "w:-1"; }},
      {"format 'w:2147483648'", "z", [](Array &a) { a.schema.format = "w:2147483648"; }},
      {"format 'w:18446744073709551617'", "z", [](Array &a) { a.schema.format = "w:18446744073709551617"; }},
      {"a negative length", "z", [](Array &a) { a.array.length = -1; }},
      {"more rows than any memory holds", "z", [](Array &a) { a.array.length = INT64_MAX; }},
      {"more rows than any memory holds", "z", [](Array &a) { a.array.offset = INT64_MAX; }},
      {"a negative offset of the array", "z", [](Array &a) { a.array.offset = -1; }},
      {"an impossible count of nulls", "z", [](Array &a) { a.array.null_count = -2; }},
      {"an impossible count of nulls", "z", [](Array &a) { a.array.null_count = a.array.length + 1; }},
      {"nulls, and no bitmap", "z", [](Array &a) { a.array.null_count = 1, a.buffers[0] = nullptr; }},
      {"it has children", "z", [](Array &a) { a.array.n_children = 1; }},
      {"2 buffers, where its layout has 3", "z", [](Array &a) { a.array.n_buffers = 2; }},
      {"4 buffers, where its layout has 3", "z", [](Array &a) { a.array.n_buffers = 4; }},
      {"3 buffers, where its layout has 2", "z", [](Array &a) { a.schema.format = "w:4"; }},
      {"no buffers", "z", [](Array &a) { a.array.buffers = nullptr; }},
      {"the buffer of offsets is missing", "z", [](Array &a) { a.buffers[1] = nullptr; }},
      {"the buffer of data is missing", "Z", [](Array &a) { a.buffers[2] = nullptr; }},
      {"row 0: a negative offset", "z", [](Array &a) { put<int32_t>(a.at(1), -1); }},
      {"row 3: the offset after it is smaller", "z", [](Array &a) { put<int32_t>(a.at(1) + 16, 0); }},
      {"row 3: the offset after it is smaller", "Z", [](Array &a) { put<int64_t>(a.at(1) + 32, -5); }},
      {"a dictionary of such entries", "z", [](Array &a) { a.array.dictionary = &a.array; }},
      {"2 buffers, where its layout has 3", "vz", [](Array &a) { a.array.n_buffers = 2; }},
      {"the buffer of views is missing", "vz", [](Array &a) { a.buffers[1] = nullptr; }},
      {"the lengths of the buffers are missing", "vz", [](Array &a) { a.buffers[4] = nullptr; }},
      {"row 4: a view beyond its buffer", "vz", [](Array &a) { a.buffers[2] = nullptr; }},
      {"row 4: a view of negative length", "vz", [](Array &a) { put<int32_t>(a.at(1) + 64, -1); }},
      {"row 4: a view beyond its buffer", "vz", [](Array &a) { put<int32_t>(a.at(1) + 64, 1 << 20); }},
      {"row 4: a view beyond its buffer", "vz", [](Array &a) { put<int32_t>(a.at(1) + 64 + 12, -1); }},
      {"row 4: a view beyond its buffer", "vz", [](Array &a) { put<int32_t>(a.at(1) + 64 + 12, INT32_MAX); }},
      {"row 4: a view beyond its buffer", "vz", [](Array &a) { put<int64_t>(a.at(4), 20); }},
      {"row 4: a view beyond its buffer", "vz", [](Array &a) { put<int64_t>(a.at(4), -1); }},
      {"row 4: a view into buffer 2 of 2", "vz", [](Array &a) { put<int32_t>(a.at(1) + 64 + 8, 2); }},
      {"row 4: a view into buffer -1 of 2", "vz", [](Array &a) { put<int32_t>(a.at(1) + 64 + 8, -1); }},
  };
  for (const Case &c : cases) {
    CAPTURE(c.text);
    Array a(c.format, sample());
    c.spoil(a);
    const std::string text = refusal(a);
    CAPTURE(text);
    CHECK(text.find(c.text) != std::string::npos);
  }
  Array wide("w:4", {bytes("abcd")});
  wide.array.length = int64_t{1} << 57;
  wide.schema.format = "w:1000";
  CHECK(refusal(wide).find("more bytes than any memory holds") != std::string::npos);
  wide.array.length = 1;
  wide.buffers[1] = nullptr;
  CHECK(refusal(wide).find("the buffer of data is missing") != std::string::npos);
  aioli_arrow_column column;
  char text[AIOLI_ARROW_TEXT_BYTES];
  CHECK(aioli_arrow_import(&column, nullptr, &wide.array, text) == AIOLI_ERR_ARGUMENT);
  CHECK(aioli_arrow_import(nullptr, &wide.schema, &wide.array, text) == AIOLI_ERR_ARGUMENT);
}

TEST_CASE("what is wrong with a dictionary is said") {
  struct Case {
    const char *text, *index;
    std::function<void(Array &)> spoil;
  };
  const Case cases[] = {
      {"format 'z': no integer", "c", [](Array &a) { a.schema.format = "z"; }},
      {"format 'cc': no integer", "c", [](Array &a) { a.schema.format = "cc"; }},
      {"the dictionary has no format", "c", [](Array &a) { a.dictionary->schema.format = nullptr; }},
      {"the dictionary is missing", "c", [](Array &a) { a.array.dictionary = nullptr; }},
      {"the dictionary: the array was released", "c", [](Array &a) { a.dictionary->array.release = nullptr; }},
      {"the dictionary: format 'i'", "c", [](Array &a) { a.dictionary->schema.format = "i"; }},
      {"the indices: 3 buffers", "c", [](Array &a) { a.array.n_buffers = 3; }},
      {"the indices are missing", "c", [](Array &a) { a.buffers[1] = nullptr; }},
      {"row 1: index -1 into a dictionary of 8 entries", "c", [](Array &a) { put<int8_t>(a.at(1) + 1, -1); }},
      {"row 1: index 8 into", "C", [](Array &a) { put<uint8_t>(a.at(1) + 1, 8); }},
      {"row 1: index 255 into", "C", [](Array &a) { put<uint8_t>(a.at(1) + 1, 255); }},
      {"row 1: index -2 into", "s", [](Array &a) { put<int16_t>(a.at(1) + 2, -2); }},
      {"row 1: index 65535 into", "S", [](Array &a) { put<uint16_t>(a.at(1) + 2, 65535); }},
      {"row 1: index -1 into", "i", [](Array &a) { put<int32_t>(a.at(1) + 4, -1); }},
      {"row 1: index 4294967295 into", "I", [](Array &a) { put<uint32_t>(a.at(1) + 4, 0xffffffff); }},
      {"row 1: index -1 into", "l", [](Array &a) { put<int64_t>(a.at(1) + 8, -1); }},
      {"row 1: index", "L", [](Array &a) { put<uint64_t>(a.at(1) + 8, ~uint64_t{0}); }},
      {"a dictionary of such entries", "c", [](Array &a) { a.dictionary->schema.dictionary = &a.schema; }},
  };
  for (const Case &c : cases) {
    CAPTURE(c.text);
    const auto a = Array::of_dictionary(c.index, "z", sample());
    c.spoil(*a);
    const std::string text = refusal(*a);
    CAPTURE(text);
    CHECK(text.find(c.text) != std::string::npos);
  }
}
