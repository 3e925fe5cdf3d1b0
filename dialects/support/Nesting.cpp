// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Nesting.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tileir {

namespace {

/// Scans text once, bracket by bracket.
class Scanner {
public:
  Scanner(std::string_view text, unsigned limit) : text(text), limit(limit) {}

  std::optional<TextPosition> run();

private:
  char previous() const { return pos == 0 ? '\n' : text[pos - 1]; }
  char next() const { return pos + 1 < text.size() ? text[pos + 1] : '\n'; }

  void skipLine() { pos = std::min(text.find('\n', pos), text.size()); }
  void skipString();
  void open(char bracket) { brackets.push_back(bracket); }
  void close(char bracket);
  void visitAlias();
  void endStatement();
  void visit(char c);

  std::string_view text;
  size_t limit;
  size_t pos = 0;
  /// Open brackets.
  std::vector<char> brackets;
  /// Depth of each alias, and the alias that is being defined.
  std::unordered_map<std::string_view, size_t> aliases;
  std::string_view defining;
  /// Maximum depth of the current statement so far.
  size_t deepest = 0;
};

} // namespace

static bool isIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '-';
}

/// Moves the position to the closing quote or to the end of the line.
void Scanner::skipString() {
  for (++pos; pos < text.size() && text[pos] != '"' && text[pos] != '\n'; ++pos)
    if (text[pos] == '\\')
      ++pos;
}

/// Angle brackets also occur alone, so those inside of other brackets end with
/// them.
void Scanner::close(char bracket) {
  if (bracket == '<') {
    if (!brackets.empty() && brackets.back() == '<')
      brackets.pop_back();
    return;
  }
  size_t size = brackets.size();
  while (size != 0 && brackets[size - 1] == '<')
    --size;
  if (size != 0 && brackets[size - 1] == bracket)
    brackets.resize(size - 1);
}

/// Scans a `#name` or `!name`: the definition of an alias, its use, or neither.
void Scanner::visitAlias() {
  size_t end = pos + 1;
  while (end < text.size() && isIdentifier(text[end]))
    ++end;
  std::string_view name = text.substr(pos, end - pos);
  size_t after = text.find_first_not_of(' ', end);
  bool defines = previous() == '\n' && after != std::string_view::npos &&
                 text[after] == '=';
  pos = end - 1;
  if (defines) {
    brackets.clear();
    endStatement();
    defining = name;
    return;
  }
  auto known = aliases.find(name);
  if (known != aliases.end())
    deepest = std::max(deepest, brackets.size() + known->second);
}

void Scanner::endStatement() {
  if (!defining.empty())
    aliases[defining] = deepest;
  defining = {};
  deepest = 0;
}

void Scanner::visit(char c) {
  switch (c) {
  case '"':
    return skipString();
  case '/':
    if (next() == '/')
      skipLine();
    return;
  case '#':
  case '!':
    return visitAlias();
  case '<':
    if (next() != '=')
      open('<');
    break;
  case '(':
  case '[':
  case '{':
    open(c);
    break;
  case '>':
    if (previous() != '-' && next() != '=')
      close('<');
    return;
  case ')':
    return close('(');
  case ']':
    return close('[');
  case '}':
    return close('{');
  default:
    return;
  }
  deepest = std::max(deepest, brackets.size());
}

std::optional<TextPosition> Scanner::run() {
  for (; pos < text.size(); ++pos) {
    if (previous() == '\n' && brackets.empty() && text[pos] != ' ')
      endStatement();
    size_t at = pos;
    visit(text[pos]);
    if (deepest > limit) {
      std::string_view before = text.substr(0, at);
      TextPosition result;
      result.line = 1 + std::count(before.begin(), before.end(), '\n');
      size_t newline = before.rfind('\n');
      result.column = newline == std::string_view::npos ? at + 1 : at - newline;
      return result;
    }
  }
  return std::nullopt;
}

std::optional<TextPosition> findDeepNesting(std::string_view text,
                                            unsigned limit) {
  return Scanner(text, limit).run();
}

std::string deepNestingMessage() {
  return "nested more than " + std::to_string(kMaxTextNesting) +
         " levels deep; nest regions, types, attributes and aliases less";
}

} // namespace tileir
