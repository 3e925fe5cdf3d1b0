// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of PTX: parameters, directives, registers, scopes.
#include "tools/emulator/Parser.h"

namespace tileir::emu {

bool Parser::functionDefinition(bool isEntry, bool isExtern) {
  auto owned = std::make_unique<Function>();
  function = owned.get();
  function->isEntry = isEntry;
  function->line = line;
  scopes.clear();
  openScope();
  if (peek() == '.') { // .noreturn and the like before the name.
    while (peek() == '.')
      directive();
  }
  if (!isEntry && peek() == '(' && !parameters(function->results))
    return false;
  while (peek() == '.')
    directive();
  function->name = word();
  if (function->name.empty())
    return fail("expected a function name");
  if (peek() == '(' && !parameters(function->params))
    return false;
  if (!functionDirectives())
    return false;
  if (accept(';')) {
    function->isDeclared = true;
  } else {
    if (!expect('{'))
      return false;
    current = SourceLoc();
    if (!statements())
      return false;
  }
  scopes.clear();
  (void)isExtern;
  module.functions.push_back(std::move(owned));
  function = nullptr;
  return true;
}

bool Parser::parameters(std::vector<int> &out) {
  if (!expect('('))
    return false;
  if (accept(')'))
    return true;
  do {
    bool hidden = false;
    if (peek() != '.')
      return fail("expected a parameter");
    std::string w = directive();
    if (w == "hidden") {
      hidden = true;
      if (peek() != '.')
        return fail("expected '.param' after '.hidden'");
      w = directive();
    }
    if (w == "reg") {
      uint64_t align = 0;
      Type type = Type::None;
      int vector = 1;
      if (!declarationType(align, type, vector))
        return false;
      out.push_back(~addRegister(word(), type));
      continue;
    }
    if (w != "param")
      return fail("expected '.param' or '.reg', got '." + w + "'");
    Variable v;
    v.space = Space::Param;
    v.hidden = hidden;
    v.line = line;
    uint64_t align = 0;
    Type type = Type::None;
    int vector = 1;
    if (!declarationType(align, type, vector) ||
        !declarator(v, align, type, vector))
      return false;
    out.push_back(addVariable(std::move(v)));
  } while (accept(','));
  return expect(')');
}

bool Parser::functionDirectives() {
  auto three = [&](std::array<uint32_t, 3> &out) {
    out = {1, 1, 1};
    for (int i = 0; i < 3; ++i) {
      uint64_t n;
      if (!unsignedNumber(n))
        return false;
      out[i] = uint32_t(n);
      if (!accept(','))
        break;
    }
    return true;
  };
  while (peek() == '.') {
    std::string w = directive();
    uint64_t n = 0;
    bool ok = true;
    if (w == "reqntid") {
      ok = three(function->reqntid);
      function->reqntidGiven = true;
    } else if (w == "maxntid") {
      ok = three(function->maxntid);
    } else if (w == "reqnctapercluster") {
      ok = three(function->cluster);
    } else if (w == "explicitcluster") {
      function->explicitCluster = true;
    } else if (w == "blocksareclusters") {
      function->blocksAreClusters = true;
    } else if (w == "maxnreg") {
      ok = unsignedNumber(n);
      function->maxnreg = uint32_t(n);
    } else if (w == "minperctamemory") {
      ok = unsignedNumber(n);
      function->minPerCtaMemory = uint32_t(n);
    } else if (w == "language") {
      ok = unsignedNumber(n);
      function->language = int(n);
    } else if (w == "minnctapersm") {
      ok = unsignedNumber(n);
      function->minBlocksPerSM = uint32_t(n);
    } else if (w == "maxnctapersm" || w == "maxclusterrank") {
      ok = unsignedNumber(n);
    } else if (w == "noreturn") {
    } else if (w == "pragma") {
      skipTo(';');
    } else {
      module.warnings.push_back("line " + std::to_string(line) +
                                ": unknown directive '." + w + "' ignored");
      while (peek() && text[pos] != '.' && text[pos] != '{' && text[pos] != ';')
        ++pos;
    }
    if (!ok)
      return false;
  }
  return true;
}

void Parser::openScope() {
  Names names;
  names.labelScope = int(function->labels.size());
  function->scopeParent.push_back(scopes.empty() ? -1
                                                 : scopes.back().labelScope);
  function->labels.emplace_back();
  scopes.push_back(std::move(names));
}

int Parser::addRegister(const std::string &name, Type type) {
  Register r;
  r.name = name;
  r.bits = type == Type::Pred ? 1 : typeBits(type);
  function->registers.push_back(r);
  int index = int(function->registers.size()) - 1;
  scopes.back().registers[name] = index;
  return index;
}

int Parser::addVariable(Variable v) {
  int index = int(function->variables.size());
  scopes.back().variables[v.name] = index;
  function->variables.push_back(std::move(v));
  return index;
}

bool Parser::registers() {
  uint64_t align = 0;
  Type type = Type::None;
  int vector = 1;
  if (!declarationType(align, type, vector))
    return false;
  if (vector != 1)
    return fail("vector registers are not supported; use scalar registers");
  do {
    std::string name = word();
    if (name.empty())
      return fail("expected a register name");
    if (accept('<')) {
      uint64_t count;
      if (!unsignedNumber(count) || !expect('>'))
        return false;
      if (function->registers.size() + count > 1000000)
        return fail("a function has more than 1000000 registers");
      int first = int(function->registers.size());
      int bits = type == Type::Pred ? 1 : typeBits(type);
      for (uint64_t i = 0; i < count; ++i)
        function->registers.push_back({name + std::to_string(i), bits});
      scopes.back().ranges[name] = {first, int(count)};
    } else {
      addRegister(name, type);
    }
  } while (accept(','));
  return expect(';');
}

int Parser::findRegister(const std::string &name) {
  size_t digits = name.size();
  while (digits > 0 && isDigit(name[digits - 1]))
    --digits;
  for (size_t s = scopes.size(); s-- > 0;) {
    auto it = scopes[s].registers.find(name);
    if (it != scopes[s].registers.end())
      return it->second;
    if (scopes[s].ranges.empty())
      continue;
    for (size_t d = digits; d < name.size(); ++d) {
      if (name[d] == '0' && d + 1 < name.size())
        continue;
      auto range = scopes[s].ranges.find(name.substr(0, d));
      if (range == scopes[s].ranges.end())
        continue;
      long n = std::atol(name.c_str() + d);
      if (n < range->second.second)
        return range->second.first + int(n);
    }
  }
  return -1;
}

} // namespace tileir::emu
