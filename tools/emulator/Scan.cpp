// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Characters, words and numbers of PTX text.
#include "tools/emulator/Parser.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

namespace tileir::emu {

bool Parser::fail(const std::string &message) {
  if (error.empty())
    error = "line " + std::to_string(line) + ": " + message;
  return false;
}

void Parser::space() {
  while (pos < text.size()) {
    char c = text[pos];
    if (c == '\n') {
      ++line;
      ++pos;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0) {
      ++pos;
    } else if (c == '/' && pos + 1 < text.size() && text[pos + 1] == '/') {
      while (pos < text.size() && text[pos] != '\n')
        ++pos;
    } else if (c == '/' && pos + 1 < text.size() && text[pos + 1] == '*') {
      pos += 2;
      while (pos + 1 < text.size() &&
             !(text[pos] == '*' && text[pos + 1] == '/')) {
        line += text[pos] == '\n';
        ++pos;
      }
      pos = pos + 2 < text.size() ? pos + 2 : text.size();
    } else {
      return;
    }
  }
}

char Parser::peek() {
  space();
  return pos < text.size() ? text[pos] : 0;
}

bool Parser::accept(char c) {
  if (peek() != c)
    return false;
  ++pos;
  return true;
}

bool Parser::expect(char c) {
  return accept(c) || fail(std::string("expected '") + c + "'");
}

std::string Parser::directive() {
  size_t start = ++pos;
  while (pos < text.size() &&
         (isWord(text[pos]) || (text[pos] == ':' && pos + 1 < text.size() &&
                                text[pos + 1] == ':' && (pos += 1))))
    ++pos;
  return std::string(text.substr(start, pos - start));
}

std::string Parser::word() {
  space();
  size_t start = pos;
  while (pos < text.size() && isWord(text[pos]))
    ++pos;
  return std::string(text.substr(start, pos - start));
}

bool Parser::quoted(std::string &out) {
  if (!expect('"'))
    return false;
  while (pos < text.size() && text[pos] != '"') {
    if (text[pos] == '\\' && pos + 1 < text.size())
      ++pos;
    line += text[pos] == '\n';
    out += text[pos++];
  }
  if (pos >= text.size())
    return fail("string without end");
  ++pos;
  return true;
}

void Parser::skipTo(char end) {
  while (peek() && text[pos] != end) {
    if (text[pos] == '"') {
      std::string ignored;
      quoted(ignored);
    } else {
      ++pos;
    }
  }
  if (pos < text.size())
    ++pos;
}

void Parser::skipBraces() {
  int depth = 0;
  while (peek()) {
    if (text[pos] == '"') {
      std::string ignored;
      quoted(ignored);
      continue;
    }
    char c = text[pos++];
    depth += c == '{';
    depth -= c == '}';
    if (depth == 0 && c == '}')
      return;
  }
}

bool Parser::number(Operand &out) {
  space();
  bool negative = false;
  while (pos < text.size() &&
         (text[pos] == '-' || text[pos] == '+' || text[pos] == '~')) {
    if (text[pos] == '~')
      return fail("operator '~' is not supported in constants; "
                  "write the value");
    negative ^= text[pos] == '-';
    ++pos;
    space();
  }
  if (pos >= text.size() || !isDigit(text[pos]))
    return fail("expected a number");
  out.kind = Operand::Kind::Imm;
  std::string digits;
  size_t start = pos;
  char second = pos + 1 < text.size() ? text[pos + 1] : 0;
  if (text[pos] == '0' &&
      (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    pos += 2;
    size_t from = pos;
    while (pos < text.size() && std::isxdigit((unsigned char)text[pos]))
      ++pos;
    out.isFloat = true;
    out.floatBits = second == 'f' || second == 'F' ? 32 : 64;
    out.bits = std::strtoull(std::string(text.substr(from, pos - from)).c_str(),
                             nullptr, 16);
    if (negative)
      out.bits ^= uint64_t(1) << (out.floatBits - 1);
    return true;
  }
  while (pos < text.size() &&
         (isWord(text[pos]) || text[pos] == '.' ||
          ((text[pos] == '+' || text[pos] == '-') &&
           (text[pos - 1] == 'e' || text[pos - 1] == 'E') && second != 'x' &&
           second != 'X')))
    ++pos;
  digits = std::string(text.substr(start, pos - start));
  bool hex = second == 'x' || second == 'X';
  if (!hex && digits.find_first_of(".eE") != std::string::npos) {
    char *end;
    double value = std::strtod(digits.c_str(), &end);
    if (*end)
      return fail("malformed number '" + digits + "'");
    if (negative)
      value = -value;
    out.isFloat = true;
    out.floatBits = 64;
    std::memcpy(&out.bits, &value, 8);
    return true;
  }
  if (digits.back() == 'U' || digits.back() == 'u')
    digits.pop_back();
  char *end;
  if (second == 'b' || second == 'B')
    out.bits = std::strtoull(digits.c_str() + 2, &end, 2);
  else
    out.bits = std::strtoull(digits.c_str(), &end, 0);
  if (*end)
    return fail("malformed number '" + digits + "'");
  if (negative)
    out.bits = 0 - out.bits;
  return true;
}

bool Parser::unsignedNumber(uint64_t &out) {
  Operand n;
  if (!number(n))
    return false;
  out = n.bits;
  return true;
}

bool Parser::constant(uint64_t &out) {
  auto primary = [&](auto &&self, uint64_t &value) -> bool {
    if (accept('('))
      return self(self, value) && expect(')');
    return unsignedNumber(value);
  };
  if (!primary(primary, out))
    return false;
  while (true) {
    uint64_t right;
    if (accept('*')) {
      if (!primary(primary, right))
        return false;
      out *= right;
    } else if (peek() == '+') {
      ++pos;
      if (!primary(primary, right))
        return false;
      out += right;
    } else {
      return true;
    }
  }
}

} // namespace tileir::emu
