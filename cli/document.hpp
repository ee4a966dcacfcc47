// SPDX-License-Identifier: Apache-2.0
// What --json prints.  Put together here, written by nlohmann-json, which document.cpp alone includes: it takes long to compile.
#ifndef AIOLI_CLI_DOCUMENT_HPP
#define AIOLI_CLI_DOCUMENT_HPP

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

namespace aioli::cli {

class Document {
 public:
  struct Member;
  using Array = std::vector<Document>;
  using Object = std::vector<Member>;  // in the order in which it was made

  // In document.cpp, where Member is known.
  Document();  // null
  Document(const Document &);
  Document(Document &&) noexcept;
  Document &operator=(const Document &);
  Document &operator=(Document &&) noexcept;
  ~Document();
  Document(const char *text);
  Document(std::string text);
  Document(bool value);
  Document(double value);
  Document(int64_t value);
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, int64_t>)
  Document(T value) : Document(static_cast<int64_t>(value)) {}
  Document(Array elements);
  Document(std::initializer_list<Member> members);  // an object
  static Document array();
  static Document object();

  void add(std::string name, Document value);  // to an object
  void push_back(Document value);              // to an array
  const Object &members() const;               // of an object
  const Array &elements() const;               // of an array

  std::string plain() const;           // for people: text as it is, yes or no, a number
  std::string json(bool lines) const;  // on several indented lines or on one; without a final newline
  const auto &value() const { return value_; }

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> value_;
};

struct Document::Member {
  std::string name;
  Document value;
};

}  // namespace aioli::cli
#endif
