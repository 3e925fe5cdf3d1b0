// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX at module level: directives, variables and their initialisers.
#include "tools/emulator/Parser.h"

#include <cstring>

namespace tileir::emu {

bool Parser::run() {
  while (true) {
    space();
    if (pos >= text.size())
      return true;
    if (text[pos] == ';') {
      ++pos;
      continue;
    }
    if (text[pos] != '.')
      return fail("expected a directive");
    std::string word = directive();
    if (!topLevel(word))
      return false;
  }
}

bool Parser::topLevel(const std::string &first) {
  std::string w = first;
  if (w == "version") {
    std::string v = versionText();
    module.version = std::atoi(v.c_str()) * 10;
    size_t dot = v.find('.');
    if (dot != std::string::npos)
      module.version += std::atoi(v.c_str() + dot + 1);
    return true;
  }
  if (w == "target") {
    module.target = word();
    while (accept(','))
      word();
    return true;
  }
  if (w == "address_size") {
    uint64_t size;
    if (!unsignedNumber(size))
      return false;
    return size == 64 || fail("expected .address_size 64; compile for 64 bits");
  }
  if (w == "file") {
    uint64_t id;
    std::string name;
    if (!unsignedNumber(id) || !quoted(name))
      return false;
    module.files[int(id)] = name;
    uint64_t ignored;
    while (accept(','))
      if (!unsignedNumber(ignored))
        return false;
    return true;
  }
  if (w == "section") {
    skipTo('{');
    --pos;
    skipBraces();
    return true;
  }
  if (w == "nv_intermediate_source_section")
    return quotedSource();
  if (w == "pragma" || w == "loc") {
    if (w == "loc")
      return locDirective();
    skipTo(';');
    return true;
  }
  if (w == "alias") {
    std::string a = word();
    if (!expect(','))
      return false;
    module.aliases[a] = word();
    return expect(';');
  }
  bool isExtern = false;
  while (w == "visible" || w == "weak" || w == "extern" || w == "common" ||
         w == "internal") {
    isExtern |= w == "extern";
    if (peek() != '.')
      return fail("expected a directive after '." + w + "'");
    w = directive();
  }
  if (w == "entry" || w == "func")
    return functionDefinition(w == "entry", isExtern);
  Space s;
  if (!variableSpace(w, s))
    return fail("unknown directive '." + w + "'");
  std::vector<Variable> list;
  if (!variables(s, isExtern, list))
    return false;
  for (Variable &v : list) {
    int known = module.findVariable(v.name);
    if (known < 0)
      module.variables.push_back(std::move(v));
    else if (module.variables[known].isExtern)
      module.variables[known] = std::move(v);
  }
  return true;
}

std::string Parser::versionText() {
  space();
  size_t start = pos;
  while (pos < text.size() && (isDigit(text[pos]) || text[pos] == '.'))
    ++pos;
  return std::string(text.substr(start, pos - start));
}

bool Parser::variableSpace(const std::string &w, Space &out) {
  if (w == "global")
    out = Space::Global;
  else if (w == "const")
    out = Space::Const;
  else if (w == "shared" || w == "shared::cta")
    out = Space::Shared;
  else if (w == "local")
    out = Space::Local;
  else if (w == "param")
    out = Space::Param;
  else
    return false;
  return true;
}

bool Parser::variables(Space s, bool isExtern, std::vector<Variable> &out) {
  uint64_t align = 0;
  Type type = Type::None;
  int vector = 1;
  if (!declarationType(align, type, vector))
    return false;
  do {
    Variable v;
    v.space = s;
    v.isExtern = isExtern;
    v.line = line;
    if (!declarator(v, align, type, vector))
      return false;
    if (accept('=')) {
      v.hasInit = true;
      std::vector<uint8_t> bytes;
      int unit = typeBits(type) / 8;
      if (!initializer(bytes, v.relocs, unit ? unit : 1, type))
        return false;
      if (v.size == 0)
        v.size = bytes.size();
      if (bytes.size() > v.size)
        return fail("initialiser of '" + v.name + "' is too long");
      bytes.resize(v.size);
      v.init = std::move(bytes);
    }
    out.push_back(std::move(v));
  } while (accept(','));
  return expect(';');
}

bool Parser::declarationType(uint64_t &align, Type &type, int &vector) {
  while (peek() == '.') {
    std::string w = directive();
    if (w == "align") {
      if (!unsignedNumber(align))
        return false;
    } else if (w == "attribute") {
      skipTo(')');
    } else if (w == "ptr") {
      // A promise about the pointee, with its own space and alignment.
      while (peek() == '.') {
        size_t save = pos;
        std::string p = directive();
        uint64_t ignored;
        if (p == "align") {
          if (!unsignedNumber(ignored))
            return false;
        } else if (p != "global" && p != "const" && p != "shared" &&
                   p != "local") {
          pos = save;
          break;
        }
      }
    } else if (w == "v2" || w == "v4" || w == "v8") {
      vector = w[1] - '0';
    } else if (w == "texref" || w == "samplerref" || w == "surfref") {
      return fail("'." + w +
                  "' is not supported: a case cannot describe textures; "
                  "read a buffer instead");
    } else {
      type = parseType(w);
      if (type == Type::None)
        return fail("unknown type '." + w + "'");
    }
  }
  if (type == Type::None)
    return fail("expected a type");
  return true;
}

bool Parser::declarator(Variable &v, uint64_t align, Type type, int vector) {
  v.name = word();
  if (v.name.empty())
    return fail("expected a name");
  uint64_t unit = uint64_t(typeBits(type) / 8) * vector;
  v.size = unit;
  v.align = align ? align : unit;
  while (accept('[')) {
    uint64_t n = 0;
    if (peek() != ']' && !constant(n))
      return false;
    if (!expect(']'))
      return false;
    if (__builtin_mul_overflow(v.size, n, &v.size))
      return fail("'" + v.name + "' is too large");
  }
  if (v.align & (v.align - 1) || v.align > (1 << 20))
    return fail("alignment " + std::to_string(v.align) + " of '" + v.name +
                "' is no power of two up to 2^20");
  // PTX ISA, "Kernel Function Parameters".
  if (v.space == Space::Param && v.size > 32764)
    return fail("parameter '" + v.name + "' has " + std::to_string(v.size) +
                " bytes; at most 32764 can be passed");
  return true;
}

bool Parser::initializer(std::vector<uint8_t> &bytes,
                         std::vector<InitReloc> &relocs, int unit, Type type,
                         int depth) {
  if (depth > 64)
    return fail("initialiser is nested too deeply");
  if (accept('{')) {
    if (accept('}'))
      return true;
    do {
      if (!initializer(bytes, relocs, unit, type, depth + 1))
        return false;
    } while (accept(','));
    return expect('}');
  }
  char c = peek();
  uint64_t value = 0;
  if (isDigit(c) || c == '-' || c == '+') {
    Operand n;
    if (!number(n))
      return false;
    value = n.bits;
    // A byte of an address: 0xff00(name).
    if (accept('(')) {
      InitReloc r{bytes.size(), "", 0, value, unit, false};
      if (!symbolReference(r) || !expect(')'))
        return false;
      relocs.push_back(r);
      bytes.resize(bytes.size() + unit);
      return true;
    }
    if (n.isFloat && n.floatBits == 64 && type == Type::F32) {
      double d;
      std::memcpy(&d, &value, 8);
      float f = float(d);
      uint32_t b;
      std::memcpy(&b, &f, 4);
      value = b;
    }
  } else {
    InitReloc r{bytes.size(), "", 0, ~uint64_t(0), unit, false};
    if (!symbolReference(r))
      return false;
    relocs.push_back(r);
  }
  for (int i = 0; i < unit; ++i)
    bytes.push_back(uint8_t(value >> (8 * i)));
  return true;
}

bool Parser::symbolReference(InitReloc &r) {
  std::string name = word();
  if (name.empty())
    return fail("expected an initial value");
  if (name == "generic") {
    r.generic = true;
    if (!expect('('))
      return false;
    name = word();
    if (peek() == '+' || peek() == '-') {
      uint64_t k;
      if (!unsignedNumber(k))
        return false;
      r.addend += int64_t(k);
    }
    if (!expect(')'))
      return false;
  }
  r.symbol = name;
  if (peek() == '+' || peek() == '-') {
    uint64_t k;
    if (!unsignedNumber(k))
      return false;
    r.addend += int64_t(k);
  }
  return true;
}

} // namespace tileir::emu
