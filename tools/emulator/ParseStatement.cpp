// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of functions: labels, instructions, operands, source lines.
#include "tools/emulator/Parser.h"

#include <algorithm>

namespace tileir::emu {

bool Parser::quotedSource() {
  size_t end = text.find("\n.source_end", pos);
  if (end == std::string::npos)
    return fail("'.nv_intermediate_source_section' has no '.source_end'");
  line +=
      int(std::count(text.begin() + long(pos), text.begin() + long(end), '\n'));
  pos = end;
  return peek() == '.' && directive() == "source_end" && expect('}') &&
         expect('}');
}

bool Parser::locDirective() {
  uint64_t file, l, c;
  if (!unsignedNumber(file) || !unsignedNumber(l) || !unsignedNumber(c))
    return false;
  current = {int(file), int(l), int(c)};
  // , function_name LABEL[+off], inlined_at f l c
  while (accept(',')) {
    std::string w = word();
    if (w == "function_name") {
      word();
      if (accept('+')) {
        uint64_t ignored;
        if (!unsignedNumber(ignored))
          return false;
      }
    } else if (w == "inlined_at") {
      uint64_t ignored;
      for (int i = 0; i < 3; ++i)
        if (!unsignedNumber(ignored))
          return false;
    } else {
      return fail("unknown part '" + w + "' of .loc");
    }
  }
  return true;
}

bool Parser::statements() {
  int depth = int(scopes.size());
  while (true) {
    char c = peek();
    if (!c)
      return fail("function '" + function->name + "' has no end");
    if (c == ';') {
      ++pos;
      continue;
    }
    if (c == '{') {
      ++pos;
      openScope();
      continue;
    }
    if (c == '}') {
      ++pos;
      if (int(scopes.size()) == depth)
        return true;
      scopes.pop_back();
      continue;
    }
    if (c == '.') {
      size_t save = pos;
      int saveLine = line;
      std::string w = directive();
      if (!bodyDirective(w, save, saveLine))
        return false;
      continue;
    }
    if (!instructionOrLabel())
      return false;
  }
}

bool Parser::bodyDirective(const std::string &w, size_t, int) {
  if (w == "reg")
    return registers();
  if (w == "loc")
    return locDirective();
  if (w == "loc_intermediate") {
    // The line of the same code in the quoted source.
    uint64_t ignored;
    return unsignedNumber(ignored) && unsignedNumber(ignored) &&
           unsignedNumber(ignored);
  }
  if (w == "pragma") {
    skipTo(';');
    return true;
  }
  if (w == "file")
    return topLevel(w);
  if (w == "section") {
    skipTo('{');
    --pos;
    skipBraces();
    return true;
  }
  if (w == "callprototype" || w == "calltargets" || w == "branchtargets")
    return fail("'." + w + "' needs a label");
  bool isExtern = false;
  std::string name = w;
  while (name == "visible" || name == "weak" || name == "extern" ||
         name == "common") {
    isExtern |= name == "extern";
    if (peek() != '.')
      return fail("expected a directive");
    name = directive();
  }
  Space s;
  if (!variableSpace(name, s))
    return fail("unknown directive '." + name + "'");
  std::vector<Variable> list;
  if (!variables(s, isExtern, list))
    return false;
  for (Variable &v : list)
    addVariable(std::move(v));
  return true;
}

bool Parser::instructionOrLabel() {
  Statement s;
  s.line = line;
  if (accept('@')) {
    s.guardNegated = accept('!');
    std::string name = word();
    s.guard = findRegister(name);
    if (s.guard < 0)
      return fail("unknown predicate '" + name + "'");
    if (function->registers[s.guard].bits != 1)
      return fail("'" + name + "' is no predicate");
    // The compiler marks accesses that it clips in spite of `inbounds`.
    constexpr std::string_view kMark = " /* inbounds */";
    s.isPromised = text.substr(pos, kMark.size()) == kMark;
    space();
  }
  s.line = line;
  size_t start = pos;
  while (pos < text.size() && (isWord(text[pos]) || text[pos] == '.'))
    ++pos;
  // A label, unless the colon begins '::'.
  if (s.guard < 0) {
    size_t save = pos;
    int saveLine = line;
    if (peek() == ':' && !(pos + 1 < text.size() && text[pos + 1] == ':')) {
      std::string name(text.substr(start, save - start));
      ++pos;
      return label(name);
    }
    pos = save;
    line = saveLine;
  }
  while (pos < text.size() &&
         (isWord(text[pos]) || text[pos] == '.' || text[pos] == ':'))
    ++pos;
  s.opcode = std::string(text.substr(start, pos - start));
  while (peek() == '.') { // Modifiers after white space.
    size_t from = pos;
    while (pos < text.size() &&
           (isWord(text[pos]) || text[pos] == '.' || text[pos] == ':'))
      ++pos;
    s.opcode += std::string(text.substr(from, pos - from));
  }
  if (s.opcode.empty())
    return fail("expected an instruction");
  for (size_t at = 0; at <= s.opcode.size();) {
    size_t dot = s.opcode.find('.', at);
    if (dot == std::string::npos)
      dot = s.opcode.size();
    s.words.push_back(s.opcode.substr(at, dot - at));
    at = dot + 1;
  }
  s.scope = scopes.back().labelScope;
  s.loc = current;
  if (peek() != ';') {
    do {
      Operand o;
      if (!operand(o, s.words[0]))
        return false;
      s.operands.push_back(std::move(o));
    } while (accept(','));
  }
  if (!expect(';'))
    return false;
  function->body.push_back(std::move(s));
  return true;
}

bool Parser::label(const std::string &name) {
  Label l;
  l.statement = int(function->body.size());
  if (peek() == '.') {
    size_t save = pos;
    int saveLine = line;
    std::string w = directive();
    if (w == "branchtargets" || w == "calltargets") {
      l.isTable = true;
      do {
        l.targets.push_back(word());
      } while (accept(','));
      if (!expect(';'))
        return false;
    } else if (w == "callprototype") {
      l.isTable = true;
      skipTo(';');
    } else {
      pos = save;
      line = saveLine;
    }
  }
  auto &map = function->labels[scopes.back().labelScope];
  if (!map.emplace(name, l).second)
    return fail("duplicate label '" + name + "'");
  return true;
}

bool Parser::operand(Operand &out, const std::string &mnemonic) {
  if (!operandPart(out, mnemonic))
    return false;
  if (peek() == '|') {
    ++pos;
    Operand second;
    if (!operandPart(second, mnemonic))
      return false;
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.items.push_back(std::move(out));
    pair.items.push_back(std::move(second));
    out = std::move(pair);
  }
  return true;
}

bool Parser::operandPart(Operand &out, const std::string &mnemonic, int depth) {
  // Brackets lie in braces at most; who nests deeper means no operand.
  if (depth > 8)
    return fail("operand is nested too deeply");
  char c = peek();
  if (c == '!') {
    ++pos;
    if (!operandPart(out, mnemonic, depth + 1))
      return false;
    out.negated = !out.negated;
    return true;
  }
  if (c == '{' || c == '(') {
    ++pos;
    out.kind = Operand::Kind::Vector;
    char end = c == '{' ? '}' : ')';
    if (accept(end))
      return true;
    do {
      out.items.emplace_back();
      if (!operandPart(out.items.back(), mnemonic, depth + 1))
        return false;
    } while (accept(','));
    return expect(end);
  }
  if (c == '[') {
    ++pos;
    out.kind = Operand::Kind::Address;
    out.items.emplace_back();
    if (!addressBase(out))
      return false;
    while (accept(',')) { // Tensor coordinates.
      out.items.emplace_back();
      if (!operandPart(out.items.back(), mnemonic, depth + 1))
        return false;
    }
    return expect(']');
  }
  if (c == '-' && pos + 1 < text.size() && isWord(text[pos + 1]) &&
      !isDigit(text[pos + 1])) {
    ++pos;
    out.minus = true;
  } else if (isDigit(c) || c == '-' || c == '+') {
    return number(out);
  }
  if (!name(out, mnemonic))
    return false;
  return out.kind != Operand::Kind::Variable || offsets(out);
}

bool Parser::offsets(Operand &out) {
  while (peek() == '+' || peek() == '-') {
    bool negative = text[pos] == '-';
    ++pos;
    Operand n;
    if (!number(n))
      return false;
    out.bits += negative ? 0 - n.bits : n.bits;
  }
  return true;
}

bool Parser::addressBase(Operand &out) {
  Operand &base = out.items[0];
  char c = peek();
  if (isDigit(c) || c == '-') {
    if (!number(base))
      return false;
  } else if (!name(base, "")) {
    return false;
  }
  return offsets(out);
}

bool Parser::name(Operand &out, const std::string &mnemonic) {
  std::string w = word();
  if (w.empty())
    return fail(std::string("unexpected '") +
                (pos < text.size() ? text[pos] : ' ') + "'");
  if (w == "_") {
    out.kind = Operand::Kind::Sink;
    return true;
  }
  int reg = findRegister(w);
  if (reg >= 0) {
    out.kind = Operand::Kind::Reg;
    out.index = reg;
    // vop selectors and vector components: %r1.b0.
    if (pos < text.size() && text[pos] == '.')
      out.name = directive();
    return true;
  }
  if (w[0] == '%') {
    if (pos < text.size() && text[pos] == '.')
      w += "." + directive();
    if (!isSpecialRegister(w))
      return fail("unknown register '" + w + "'");
    out.kind = Operand::Kind::Special;
    out.name = w;
    return true;
  }
  for (size_t s = scopes.size(); s-- > 0;) {
    auto it = scopes[s].variables.find(w);
    if (it != scopes[s].variables.end()) {
      out.kind = Operand::Kind::Variable;
      out.index = it->second;
      out.name = w;
      return true;
    }
  }
  int global = module.findVariable(w);
  if (global >= 0) {
    out.kind = Operand::Kind::Variable;
    out.index = ~global;
    out.name = w;
    return true;
  }
  // A label or a function; told apart when the instruction is decoded.
  out.kind = Operand::Kind::Label;
  out.name = w;
  return true;
}

} // namespace tileir::emu
