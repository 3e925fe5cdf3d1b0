// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON on one line, with keys in the order given.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_JSON_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_JSON_H

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace tileir::schedule {

/// Quotes `text` for JSON, also inside of HTML.
inline std::string quoteJson(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (uint8_t(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", unsigned(uint8_t(c)));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

class JsonObject {
public:
  JsonObject &add(const char *key, int64_t number) {
    return raw(key, std::to_string(number));
  }
  JsonObject &add(const char *key, const std::string &text) {
    return raw(key, quoteJson(text));
  }
  /// Takes `value`, which is JSON already.
  JsonObject &raw(const char *key, const std::string &value) {
    body += body.empty() ? "\"" : ",\"";
    body += key;
    body += "\":" + value;
    return *this;
  }
  std::string str() const { return "{" + body + "}"; }

private:
  std::string body;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_JSON_H
