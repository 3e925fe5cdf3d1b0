// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_CASES_JSON_H
#define TOOLS_CASES_JSON_H

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tileir::cases {

/// A JSON value. Numbers keep their text, so that 64-bit integers are exact.
class Json {
public:
  enum class Kind { Null, Bool, Number, String, Array, Object };

  Kind kind = Kind::Null;
  bool boolean = false;
  std::string text; ///< Text of a number or contents of a string.
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;

  bool isNull() const { return kind == Kind::Null; }
  bool isNumber() const { return kind == Kind::Number; }
  bool isString() const { return kind == Kind::String; }
  bool isArray() const { return kind == Kind::Array; }
  bool isObject() const { return kind == Kind::Object; }

  /// Returns the member `name`, or null.
  const Json *find(std::string_view name) const;

  double asDouble() const;
  /// Returns whether the number is a 64-bit integer, signed or unsigned; `bits`
  /// gets its two's complement representation.
  bool asInteger(uint64_t &bits, bool &negative) const;
};

/// Parses RFC 8259 text; duplicate names and trailing text are errors.
bool parseJson(std::string_view text, Json &out, std::string &error);

/// A value that is written.
using JsonTree = nlohmann::ordered_json;

/// `value` as text: members of the outermost object on lines of their own, and
/// objects inside these.
std::string printJson(const JsonTree &value);

/// `text` as a JSON string, with its quotes.
std::string quoteJson(std::string_view text);

} // namespace tileir::cases

#endif // TOOLS_CASES_JSON_H
