// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace tileir::cases {

const Json *Json::find(std::string_view name) const {
  for (const auto &[key, value] : members)
    if (key == name)
      return &value;
  return nullptr;
}

double Json::asDouble() const { return std::strtod(text.c_str(), nullptr); }

bool Json::asInteger(uint64_t &bits, bool &negative) const {
  if (kind != Kind::Number || text.find_first_of(".eE") != std::string::npos)
    return false;
  negative = text[0] == '-';
  errno = 0;
  uint64_t magnitude =
      std::strtoull(text.c_str() + (negative ? 1 : 0), nullptr, 10);
  if (errno == ERANGE || (negative && magnitude > (uint64_t(1) << 63)))
    return false;
  bits = negative ? 0 - magnitude : magnitude;
  return true;
}

namespace {

/// Builds a tree from the parser's events.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
  Builder(Json &out, std::string &error) : error(error), root(out) {}

  bool null() override {
    add(Json::Kind::Null);
    return true;
  }
  bool boolean(bool value) override {
    add(Json::Kind::Bool)->boolean = value;
    return true;
  }
  bool number_integer(int64_t value) override {
    return addText(Json::Kind::Number, std::to_string(value));
  }
  bool number_unsigned(uint64_t value) override {
    return addText(Json::Kind::Number, std::to_string(value));
  }
  bool number_float(double, const std::string &text) override {
    return addText(Json::Kind::Number, text);
  }
  bool string(std::string &text) override {
    return addText(Json::Kind::String, text);
  }
  bool binary(binary_t &) override { return fail("binary data"); }

  bool start_object(size_t) override { return open(Json::Kind::Object); }
  bool start_array(size_t) override { return open(Json::Kind::Array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string &name) override {
    if (stack.back()->find(name))
      return fail("duplicate member '" + name + "'");
    stack.back()->members.emplace_back(std::move(name), Json());
    return true;
  }

  bool parse_error(size_t, const std::string &,
                   const nlohmann::detail::exception &fault) override {
    // The text begins with the library's error number.
    std::string_view text = fault.what();
    size_t at = text.find("line ");
    return fail(text.substr(at == text.npos ? 0 : at));
  }

private:
  bool fail(std::string_view message) {
    error = message;
    return false;
  }

  /// Adds the next value: of the last key, of the array, or of the whole text.
  Json *add(Json::Kind kind) {
    Json *json = &root;
    if (!stack.empty() && stack.back()->isArray())
      json = &stack.back()->items.emplace_back();
    else if (!stack.empty())
      json = &stack.back()->members.back().second;
    json->kind = kind;
    return json;
  }
  bool addText(Json::Kind kind, const std::string &text) {
    add(kind)->text = text;
    return true;
  }
  bool open(Json::Kind kind) {
    if (stack.size() > 200)
      return fail("nested too deeply");
    stack.push_back(add(kind));
    return true;
  }
  bool close() {
    stack.pop_back();
    return true;
  }

  std::string &error;
  Json &root;
  std::vector<Json *> stack;
};

} // namespace

bool parseJson(std::string_view text, Json &out, std::string &error) {
  out = Json();
  Builder builder(out, error);
  return nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
}

static std::string printLeaf(const JsonTree &value) {
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/false,
                                JsonTree::error_handler_t::replace);
  if (value.is_number_float() && text.size() > 2 &&
      text.compare(text.size() - 2, 2, ".0") == 0)
    text.resize(text.size() - 2);
  return text;
}

static void print(const JsonTree &value, unsigned depth, std::string &out) {
  if (!value.is_structured()) {
    out += printLeaf(value);
    return;
  }
  auto isObject = [](const JsonTree &item) { return item.is_object(); };
  bool hasLines =
      depth == 0 || (depth == 1 && !value.empty() &&
                     std::all_of(value.begin(), value.end(), isObject));
  std::string between = hasLines ? ",\n" + std::string(depth + 1, ' ') : ", ";
  out += value.is_object() ? '{' : '[';
  if (depth == 1 && hasLines)
    out += between.substr(1);
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin())
      out += between;
    if (value.is_object())
      out += quoteJson(item.key()) + ": ";
    print(*item, depth + 1, out);
  }
  out += value.is_object() ? '}' : ']';
}

std::string printJson(const JsonTree &value) {
  std::string out;
  print(value, 0, out);
  return out + "\n";
}

std::string quoteJson(std::string_view text) {
  return printLeaf(JsonTree(text));
}

} // namespace tileir::cases
