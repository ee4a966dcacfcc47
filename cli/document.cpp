// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include <nlohmann/json.hpp>

namespace aioli::cli {
namespace {

using Json = nlohmann::ordered_json;

Json convert(const Document &document) {
  struct Converter {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(int64_t value) const { return value; }
    Json operator()(double value) const { return value; }
    Json operator()(const std::string &value) const { return value; }
    Json operator()(const Document::Array &elements) const {
      Json json = Json::array();
      for (const Document &element : elements) json.push_back(convert(element));
      return json;
    }
    Json operator()(const Document::Object &members) const {
      Json json = Json::object();
      for (const auto &[name, value] : members) json[name] = convert(value);
      return json;
    }
  };
  return std::visit(Converter{}, document.value());
}

}  // namespace

Document::Document() = default;
Document::Document(const Document &) = default;
Document::Document(Document &&) noexcept = default;
Document &Document::operator=(const Document &) = default;
Document &Document::operator=(Document &&) noexcept = default;
Document::~Document() = default;

Document::Document(const char *text) : value_(std::string(text)) {}
Document::Document(std::string text) : value_(std::move(text)) {}
Document::Document(bool value) : value_(value) {}
Document::Document(double value) : value_(value) {}
Document::Document(int64_t value) : value_(value) {}
Document::Document(Array elements) : value_(std::move(elements)) {}
Document Document::array() { return Array(); }
Document::Document(std::initializer_list<Member> members) : value_(Object(members)) {}

Document Document::object() {
  Document made;
  made.value_ = Object();
  return made;
}

void Document::add(std::string name, Document value) { std::get<Object>(value_).push_back({std::move(name), std::move(value)}); }

void Document::push_back(Document value) { std::get<Array>(value_).push_back(std::move(value)); }

const Document::Object &Document::members() const { return std::get<Object>(value_); }
const Document::Array &Document::elements() const { return std::get<Array>(value_); }

std::string Document::plain() const {
  if (const auto *text = std::get_if<std::string>(&value_)) return *text;
  if (const auto *yes = std::get_if<bool>(&value_)) return *yes ? "yes" : "no";
  return json(false);
}

std::string Document::json(bool lines) const {
  // A file's name need not be UTF-8; JSON must be.
  return convert(*this).dump(lines ? 2 : -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace aioli::cli
