// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cases/Json.h"

#include <cerrno>
#include <cstdio>
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

class Parser {
public:
  Parser(std::string_view text, std::string &error)
      : text(text), error(error) {}

  bool run(Json &out) {
    if (!value(out, 0))
      return false;
    space();
    return pos == text.size() || fail("unexpected text after the value");
  }

private:
  bool fail(const std::string &message) {
    error = "line " + std::to_string(line) + ": " + message;
    return false;
  }

  void space() {
    while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\t' ||
                                 text[pos] == '\n' || text[pos] == '\r')) {
      line += text[pos] == '\n';
      ++pos;
    }
  }

  bool word(std::string_view expected) {
    if (text.substr(pos, expected.size()) != expected)
      return fail("expected a value");
    pos += expected.size();
    return true;
  }

  bool value(Json &out, int depth) {
    if (depth > 200)
      return fail("nested too deeply");
    space();
    out.line = line;
    if (pos >= text.size())
      return fail("unexpected end of text");
    switch (text[pos]) {
    case '{':
      return object(out, depth);
    case '[':
      return array(out, depth);
    case '"':
      out.kind = Json::Kind::String;
      return string(out.text);
    case 't':
      out.kind = Json::Kind::Bool;
      out.boolean = true;
      return word("true");
    case 'f':
      out.kind = Json::Kind::Bool;
      return word("false");
    case 'n':
      return word("null");
    default:
      return number(out);
    }
  }

  bool object(Json &out, int depth) {
    out.kind = Json::Kind::Object;
    ++pos;
    space();
    if (pos < text.size() && text[pos] == '}')
      return ++pos, true;
    while (true) {
      space();
      if (pos >= text.size() || text[pos] != '"')
        return fail("expected a member name in quotes");
      std::string name;
      if (!string(name))
        return false;
      if (out.find(name))
        return fail("duplicate member '" + name + "'");
      space();
      if (pos >= text.size() || text[pos] != ':')
        return fail("expected ':' after '" + name + "'");
      ++pos;
      out.members.emplace_back(std::move(name), Json());
      if (!value(out.members.back().second, depth + 1))
        return false;
      space();
      if (pos < text.size() && text[pos] == ',') {
        ++pos;
        continue;
      }
      if (pos < text.size() && text[pos] == '}')
        return ++pos, true;
      return fail("expected ',' or '}'");
    }
  }

  bool array(Json &out, int depth) {
    out.kind = Json::Kind::Array;
    ++pos;
    space();
    if (pos < text.size() && text[pos] == ']')
      return ++pos, true;
    while (true) {
      out.items.emplace_back();
      if (!value(out.items.back(), depth + 1))
        return false;
      space();
      if (pos < text.size() && text[pos] == ',') {
        ++pos;
        continue;
      }
      if (pos < text.size() && text[pos] == ']')
        return ++pos, true;
      return fail("expected ',' or ']'");
    }
  }

  bool number(Json &out) {
    auto digit = [&] {
      return pos < text.size() && text[pos] >= '0' && text[pos] <= '9';
    };
    size_t start = pos;
    if (text[pos] == '-')
      ++pos;
    if (!digit())
      return fail("expected a value");
    if (text[pos] == '0')
      ++pos;
    else
      while (digit())
        ++pos;
    if (pos < text.size() && text[pos] == '.') {
      ++pos;
      if (!digit())
        return fail("expected a digit after '.'");
      while (digit())
        ++pos;
    }
    if (pos < text.size() && (text[pos] == 'e' || text[pos] == 'E')) {
      ++pos;
      if (pos < text.size() && (text[pos] == '+' || text[pos] == '-'))
        ++pos;
      if (!digit())
        return fail("expected a digit in the exponent");
      while (digit())
        ++pos;
    }
    out.kind = Json::Kind::Number;
    out.text = std::string(text.substr(start, pos - start));
    return true;
  }

  bool hex4(unsigned &code) {
    code = 0;
    for (int i = 0; i < 4; ++i, ++pos) {
      char c = pos < text.size() ? text[pos] : 0;
      int v = c >= '0' && c <= '9'   ? c - '0'
              : c >= 'a' && c <= 'f' ? c - 'a' + 10
              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                     : -1;
      if (v < 0)
        return fail("expected four hexadecimal digits after '\\u'");
      code = code * 16 + v;
    }
    return true;
  }

  static void utf8(std::string &out, unsigned c) {
    if (c < 0x80) {
      out += char(c);
    } else if (c < 0x800) {
      out += char(0xC0 | c >> 6);
      out += char(0x80 | (c & 63));
    } else if (c < 0x10000) {
      out += char(0xE0 | c >> 12);
      out += char(0x80 | (c >> 6 & 63));
      out += char(0x80 | (c & 63));
    } else {
      out += char(0xF0 | c >> 18);
      out += char(0x80 | (c >> 12 & 63));
      out += char(0x80 | (c >> 6 & 63));
      out += char(0x80 | (c & 63));
    }
  }

  bool string(std::string &out) {
    ++pos;
    while (true) {
      if (pos >= text.size())
        return fail("string without end");
      unsigned char c = text[pos++];
      if (c == '"')
        return true;
      if (c < 0x20)
        return fail("control character in a string");
      if (c != '\\') {
        out += char(c);
        continue;
      }
      char e = pos < text.size() ? text[pos++] : 0;
      switch (e) {
      case '"':
      case '\\':
      case '/':
        out += e;
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        unsigned code, low;
        if (!hex4(code))
          return false;
        if (code >= 0xD800 && code < 0xDC00 && text.substr(pos, 2) == "\\u") {
          pos += 2;
          if (!hex4(low))
            return false;
          if (low < 0xDC00 || low > 0xDFFF)
            return fail("unpaired surrogate");
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        utf8(out, code);
        break;
      }
      default:
        return fail("unknown escape in a string");
      }
    }
  }

  std::string_view text;
  std::string &error;
  size_t pos = 0;
  int line = 1;
};

} // namespace

bool parseJson(std::string_view text, Json &out, std::string &error) {
  out = Json();
  return Parser(text, error).run(out);
}

std::string quoteJson(std::string_view text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += char(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
      out += buffer;
    } else {
      out += char(c);
    }
  }
  return out + "\"";
}

} // namespace tileir::cases
