// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/FunctionBody.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tileir {

using namespace llvm;

static bool isNameChar(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

bool hasModifier(StringRef opcode, StringRef word) {
  while (!opcode.empty()) {
    auto [first, rest] = opcode.split('.');
    if (first == word)
      return true;
    opcode = rest;
  }
  return false;
}

/// Returns whether `name`, which begins with `%`, is a special register (PTX
/// ISA, "Special Registers").
static bool isSpecial(StringRef name) {
  static constexpr StringLiteral names[] = {
      "tid",    "ntid", "laneid", "warpid", "nwarpid",   "ctaid",
      "nctaid", "smid", "nsmid",  "gridid", "clusterid", "nclusterid"};
  static constexpr StringLiteral stems[] = {
      "cluster_",       "is_explicit_", "lanemask_", "clock",
      "globaltimer",    "pm",           "envreg",    "total_smem",
      "reserved_smem_", "aggr_smem_",   "current_",  "dynamic_smem_"};
  name = name.drop_front().take_until([](char c) { return c == '.'; });
  return is_contained(names, name) ||
         any_of(stems, [&](StringRef stem) { return name.starts_with(stem); });
}

/// Returns whether all numbers of `sizes` except the first are 1.
static bool isOneDimensional(StringRef sizes) {
  unsigned extent;
  sizes = sizes.ltrim();
  if (sizes.consumeInteger(10, extent))
    return false;
  while (sizes.consume_front(",")) {
    sizes = sizes.ltrim();
    if (sizes.consumeInteger(10, extent) || extent != 1)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One definition for each register
//===----------------------------------------------------------------------===//

namespace {

/// Converts registers to SSA: a register with several definitions gets a number
/// for each (Braun et al., "Simple and Efficient Construction of Static Single
/// Assignment Form").
class Renaming {
public:
  explicit Renaming(PtxFunction &function)
      : function(function), written(function.blocks.size()) {}

  void run();

private:
  unsigned readAtEnd(unsigned block, unsigned reg);
  unsigned readAtStart(unsigned block, unsigned reg);
  unsigned find(unsigned reg);
  void dropPhis();

  PtxFunction &function;
  llvm::BitVector isSplit;
  /// For each block: the registers at its end.
  std::vector<DenseMap<unsigned, unsigned>> written;
  /// The same at its start, as far as queried.
  DenseMap<std::pair<unsigned, unsigned>, unsigned> started;
  /// Registers that are copies of others.
  DenseMap<unsigned, unsigned> same;
};

} // namespace

unsigned Renaming::readAtEnd(unsigned block, unsigned reg) {
  if (auto found = written[block].find(reg); found != written[block].end())
    return found->second;
  return readAtStart(block, reg);
}

unsigned Renaming::readAtStart(unsigned block, unsigned reg) {
  auto [found, isNew] = started.try_emplace({block, reg}, function.registers);
  if (!isNew)
    return found->second;
  // Undefined, unless the block has predecessors.
  unsigned value = function.registers++;
  PtxBlock &start = function.blocks[block];
  if (start.predecessors.size() == 1) {
    value = readAtEnd(start.predecessors.front(), reg);
    started[{block, reg}] = value;
  } else if (!start.predecessors.empty()) {
    PtxPhi phi;
    phi.result = value;
    for (unsigned before : start.predecessors)
      phi.incoming.push_back({before, readAtEnd(before, reg)});
    start.phis.push_back(std::move(phi));
  }
  return value;
}

unsigned Renaming::find(unsigned reg) {
  for (auto found = same.find(reg); found != same.end(); found = same.find(reg))
    reg = found->second;
  return reg;
}

/// Drops phis of one register and themselves.
void Renaming::dropPhis() {
  for (bool changed = true; changed;) {
    changed = false;
    for (PtxBlock &block : function.blocks)
      llvm::erase_if(block.phis, [&](PtxPhi &phi) {
        std::optional<unsigned> only;
        for (auto &[before, reg] : phi.incoming) {
          reg = find(reg);
          if (reg == phi.result || reg == only)
            continue;
          if (only)
            return false;
          only = reg;
        }
        if (!only)
          return false;
        same[phi.result] = *only;
        changed = true;
        return true;
      });
  }
}

void Renaming::run() {
  std::vector<unsigned> count(function.registers);
  for (const PtxInstruction &inst : function.instructions)
    for (unsigned reg : inst.results)
      ++count[reg];
  isSplit.resize(function.registers);
  for (auto [reg, times] : enumerate(count))
    if (times > 1)
      isSplit.set(reg);
  if (isSplit.none())
    return;
  // Results first: a loop may read a register that is written later in the
  // text.
  std::vector<SmallVector<unsigned, 2>> results(function.instructions.size());
  for (auto [i, block] : enumerate(function.blocks))
    for (unsigned at = block.first; at < block.end; ++at)
      for (unsigned reg : function.instructions[at].results) {
        results[at].push_back(isSplit[reg] ? function.registers++ : reg);
        if (isSplit[reg])
          written[i][reg] = results[at].back();
      }
  for (unsigned i = 0; i < function.blocks.size(); ++i) {
    DenseMap<unsigned, unsigned> current;
    auto read = [&](unsigned &reg) {
      if (reg >= isSplit.size() || !isSplit[reg])
        return;
      auto known = current.find(reg);
      reg = known != current.end() ? known->second : readAtStart(i, reg);
    };
    for (unsigned at = function.blocks[i].first; at < function.blocks[i].end;
         ++at) {
      PtxInstruction &inst = function.instructions[at];
      for (PtxName &source : inst.sources)
        if (source.reg)
          read(*source.reg);
      for (unsigned reg : inst.results)
        if (inst.guard && isSplit[reg]) {
          PtxName before;
          before.reg = reg;
          read(*before.reg);
          inst.sources.push_back(before);
        }
      if (inst.guard)
        read(*inst.guard);
      for (auto [old, made] : zip(inst.results, results[at])) {
        if (isSplit[old])
          current[old] = made;
        old = made;
      }
    }
  }
  dropPhis();
  for (PtxInstruction &inst : function.instructions) {
    for (PtxName &source : inst.sources)
      if (source.reg)
        source.reg = find(*source.reg);
    if (inst.guard)
      inst.guard = find(*inst.guard);
  }
  for (PtxBlock &block : function.blocks)
    for (PtxPhi &phi : block.phis)
      for (auto &[before, reg] : phi.incoming)
        reg = find(reg);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

/// Parser of the functions of one text.
class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}

  std::vector<PtxFunction> read();

private:
  struct Label {
    StringRef name;
    unsigned at;
  };

  bool skipBlanks();
  void skipLine();
  void skipBraces();
  StringRef takeStatement();
  std::optional<StringRef> takeLabel();
  void readBody(PtxFunction &function);
  void resolveInnerJumps(PtxFunction &function);
  void readStatement(PtxFunction &function, StringRef statement, unsigned line);
  void declare(PtxFunction &function, StringRef declaration);
  void readOperands(PtxFunction &function, PtxInstruction &inst,
                    StringRef operands);
  std::optional<unsigned> getRegister(PtxFunction &function, StringRef name);
  void makeBlocks(PtxFunction &function);
  unsigned countLine() {
    line += unsigned(text.slice(counted, at).count('\n'));
    counted = at;
    return line;
  }

  StringRef text;
  size_t at = 0, counted = 0;
  unsigned line = 1;
  /// Names of registers, from the function's scope to the innermost braces.
  std::vector<StringMap<unsigned>> scopes;
  StringMap<unsigned> labels;
  /// For each open pair of braces: its first instruction and its labels, since
  /// inline assembly reuses names.
  std::vector<std::pair<unsigned, StringMap<unsigned>>> innerLabels;
  /// Jumps to labels within such braces, by instruction.
  DenseMap<unsigned, unsigned> innerJumps;
  /// Lists of labels for `brx.idx`.
  StringMap<SmallVector<StringRef, 4>> targets;
};

} // namespace

/// Skips blanks and comments. Returns false at the end of the text.
bool Reader::skipBlanks() {
  while (at < text.size()) {
    if (isSpace(text[at]))
      ++at;
    else if (text.substr(at).starts_with("//"))
      skipLine();
    else if (text.substr(at).starts_with("/*"))
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      return true;
  }
  return false;
}

void Reader::skipLine() { at = std::min(text.find('\n', at), text.size()); }

/// Skips from an opening brace past its closing one.
void Reader::skipBraces() {
  unsigned depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '{')
      ++depth;
    else if (text[at] == '}' && --depth == 0) {
      ++at;
      return;
    }
  }
}

/// Takes the text up to a semicolon, which is skipped; braces in it are
/// operands.
StringRef Reader::takeStatement() {
  size_t begin = at;
  while (at < text.size() && text[at] != ';') {
    if (text[at] == '"')
      at = std::min(text.find('"', at + 1), text.size() - 1);
    ++at;
  }
  StringRef statement = text.slice(begin, at);
  at = std::min(at + 1, text.size());
  return statement;
}

/// Takes a name and skips it and the colon after it.
std::optional<StringRef> Reader::takeLabel() {
  size_t end = at;
  while (end < text.size() && isNameChar(text[end]))
    ++end;
  StringRef name = text.slice(at, end);
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t'))
    ++end;
  if (name.empty() || !text.substr(end).starts_with(":") ||
      text.substr(end).starts_with("::"))
    return std::nullopt;
  at = end + 1;
  return name;
}

/// Replaces registers that hold constants by the constants in the last operand
/// of a `.sync` instruction, the lane mask.
static void foldMasks(PtxFunction &function) {
  // For each register: the instruction that sets it; its text has the sign,
  // which is no part of a name.
  DenseMap<unsigned, std::pair<StringRef, std::string>> constants;
  for (const PtxInstruction &inst : function.instructions) {
    StringRef operands = inst.shape;
    StringRef constant = operands.substr(operands.rfind(',') + 1);
    int64_t value;
    if (inst.opcode.starts_with("mov.") && !inst.guard &&
        inst.results.size() == 1 && inst.sources.size() == 1 &&
        !constant.getAsInteger(0, value))
      constants[inst.results.front()] = {inst.sources.front().text,
                                         constant.str()};
  }
  for (PtxInstruction &inst : function.instructions) {
    if (!hasModifier(inst.opcode, "sync") || inst.sources.empty() ||
        !inst.sources.back().reg || !StringRef(inst.shape).ends_with("%"))
      continue;
    auto found = constants.find(*inst.sources.back().reg);
    if (found == constants.end())
      continue;
    inst.sources.back() = {found->second.first, std::nullopt};
    inst.shape.pop_back();
    inst.shape += found->second.second;
  }
}

std::vector<PtxFunction> Reader::read() {
  std::vector<PtxFunction> functions;
  while (skipBlanks()) {
    size_t begin = at;
    // These directives end with their line.
    if (text[at] == '.' &&
        any_of(ArrayRef<StringRef>{".version", ".target", ".address_size",
                                   ".file", ".loc"},
               [&](StringRef word) {
                 return text.substr(at).starts_with(word);
               })) {
      skipLine();
      continue;
    }
    at = std::min(text.find_first_of("{;", at), text.size());
    StringRef header = text.slice(begin, at);
    if (at == text.size())
      break;
    if (text[at] == ';') {
      ++at;
      continue;
    }
    size_t kernel = header.find(".entry"), func = header.find(".func");
    if (kernel == StringRef::npos && func == StringRef::npos) {
      skipBraces();
      continue;
    }
    PtxFunction function;
    function.header = header;
    function.isKernel = kernel != StringRef::npos;
    StringRef rest =
        header.substr(function.isKernel ? kernel + 6 : func + 5).ltrim();
    if (rest.starts_with("(")) // declaration of the result
      rest = rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1).ltrim();
    function.name = rest.take_while(isNameChar);
    for (StringRef directive : {".reqntid", ".maxntid"}) {
      size_t found = header.find(directive);
      if (found != StringRef::npos)
        function.hasOneDimension =
            isOneDimensional(header.substr(found + directive.size()));
    }
    ++at;
    readBody(function);
    makeBlocks(function);
    Renaming(function).run();
    foldMasks(function);
    functions.push_back(std::move(function));
  }
  return functions;
}

/// Parses up to the brace that ends the body.
void Reader::readBody(PtxFunction &function) {
  scopes.assign(1, {});
  labels.clear();
  innerLabels.clear();
  innerJumps.clear();
  targets.clear();
  while (skipBlanks()) {
    if (text[at] == '{') {
      scopes.emplace_back();
      innerLabels.push_back({unsigned(function.instructions.size()), {}});
      ++at;
      continue;
    }
    if (text[at] == '}') {
      ++at;
      scopes.pop_back();
      if (scopes.empty())
        return;
      resolveInnerJumps(function);
      continue;
    }
    if (text.substr(at).starts_with(".loc") ||
        text.substr(at).starts_with(".file")) {
      skipLine();
      continue;
    }
    if (std::optional<StringRef> label = takeLabel()) {
      (innerLabels.empty() ? labels : innerLabels.back().second)[*label] =
          unsigned(function.instructions.size());
      skipBlanks();
      if (text.substr(at).consume_front(".branchtargets")) {
        StringRef list =
            takeStatement().drop_front(StringRef(".branchtargets").size());
        SmallVector<StringRef> names;
        list.split(names, ',');
        for (StringRef name : names)
          targets[*label].push_back(name.trim());
      }
      continue;
    }
    unsigned number = countLine();
    readStatement(function, takeStatement(), number);
  }
}

/// Resolves jumps within the innermost braces, which end here.
void Reader::resolveInnerJumps(PtxFunction &function) {
  auto [begin, own] = std::move(innerLabels.back());
  innerLabels.pop_back();
  for (unsigned i = begin; i < function.instructions.size(); ++i)
    if (function.instructions[i].opcode.split('.').first == "bra")
      for (const PtxName &name : function.instructions[i].sources)
        if (auto found = own.find(name.text); found != own.end())
          innerJumps.try_emplace(i, found->second);
}

void Reader::readStatement(PtxFunction &function, StringRef statement,
                           unsigned number) {
  if (statement.consume_front(".reg"))
    return declare(function, statement);
  if (statement.starts_with("."))
    return;
  PtxInstruction inst;
  inst.line = number;
  if (statement.consume_front("@")) {
    statement.consume_front("!");
    StringRef name = statement.take_while(isNameChar);
    inst.guard = getRegister(function, name);
    statement = statement.drop_front(name.size()).ltrim();
  }
  inst.opcode = statement.take_until([](char c) { return isSpace(c); });
  if (inst.opcode.empty())
    return;
  readOperands(function, inst, statement.drop_front(inst.opcode.size()).trim());
  function.instructions.push_back(std::move(inst));
}

/// Declares the registers of `.reg .pred p, q`. Registers of the function
/// itself are declared at their first use: `%r<9>` declares many.
void Reader::declare(PtxFunction &function, StringRef declaration) {
  if (scopes.size() == 1 && declaration.contains('<'))
    return;
  StringRef names = declaration.ltrim();
  while (names.consume_front(".")) // type, vector
    names = names.drop_while(isNameChar).ltrim();
  SmallVector<StringRef> list;
  names.split(list, ',');
  for (StringRef name : list)
    scopes.back()[name.trim()] = function.registers++;
}

std::optional<unsigned> Reader::getRegister(PtxFunction &function,
                                            StringRef name) {
  for (StringMap<unsigned> &scope : reverse(scopes))
    if (auto found = scope.find(name); found != scope.end())
      return found->second;
  if (!name.starts_with("%") || isSpecial(name))
    return std::nullopt;
  return scopes.front()[name] = function.registers++;
}

/// Parses the names in `operands`. The registers of the first operand are the
/// results, unless it is an address or a jump target.
void Reader::readOperands(PtxFunction &function, PtxInstruction &inst,
                          StringRef operands) {
  StringRef word = inst.opcode.split('.').first;
  bool writes = !operands.starts_with("[") && word != "bra" && word != "brx";
  unsigned depth = 0;
  for (size_t i = 0; i < operands.size();) {
    char c = operands[i];
    if (!isNameChar(c) || c == '.') {
      if (c == '[' || c == '{' || c == '(')
        ++depth;
      else if ((c == ']' || c == '}' || c == ')') && depth)
        --depth;
      if (c == ',' && depth == 0)
        writes = false;
      if (!isSpace(c))
        inst.shape += c;
      ++i;
      continue;
    }
    StringRef name = operands.substr(i).take_while(isNameChar);
    i += name.size();
    PtxName found{name, getRegister(function, name)};
    if (writes && found.reg) {
      inst.results.push_back(*found.reg);
      continue;
    }
    inst.shape += found.reg ? StringRef("%") : name;
    inst.sources.push_back(found);
  }
}

/// Splits the instructions into blocks.
void Reader::makeBlocks(PtxFunction &function) {
  unsigned count = unsigned(function.instructions.size());
  auto isJump = [](const PtxInstruction &inst) {
    StringRef word = inst.opcode.split('.').first;
    return word == "bra" || word == "brx" || word == "ret" || word == "exit" ||
           word == "trap";
  };
  std::vector<bool> starts(count + 1);
  starts[0] = true;
  for (const auto &label : labels)
    starts[label.second] = true;
  for (auto [jump, target] : innerJumps)
    starts[target] = true;
  for (unsigned i = 0; i < count; ++i)
    if (isJump(function.instructions[i]))
      starts[i + 1] = true;
  std::vector<unsigned> blockOf(count + 1);
  for (unsigned i = 0; i < count; ++i) {
    if (starts[i]) {
      function.blocks.emplace_back();
      function.blocks.back().first = i;
    }
    function.blocks.back().end = i + 1;
    blockOf[i] = unsigned(function.blocks.size()) - 1;
  }
  auto goTo = [&](PtxBlock &block, unsigned inst) {
    if (inst == count)
      block.leaves = true; // end of the function without a return
    else if (!is_contained(block.successors, blockOf[inst]))
      block.successors.push_back(blockOf[inst]);
  };
  for (PtxBlock &block : function.blocks) {
    const PtxInstruction &last = function.instructions[block.end - 1];
    StringRef word = last.opcode.split('.').first;
    if (auto inner = innerJumps.find(block.end - 1);
        inner != innerJumps.end()) {
      goTo(block, inner->second);
    } else if (word == "bra") {
      for (const PtxName &name : last.sources)
        if (auto found = labels.find(name.text); found != labels.end())
          goTo(block, found->second);
    } else if (word == "brx") {
      for (const PtxName &name : last.sources)
        if (auto list = targets.find(name.text); list != targets.end())
          for (StringRef label : list->second)
            if (auto found = labels.find(label); found != labels.end())
              goTo(block, found->second);
    } else if (word == "ret" || word == "exit") {
      block.leaves = true;
    } else if (word == "trap") {
      block.traps = !last.guard;
    }
    if (last.guard || !isJump(last))
      goTo(block, block.end);
  }
  for (auto [i, block] : enumerate(function.blocks))
    for (unsigned next : block.successors)
      function.blocks[next].predecessors.push_back(unsigned(i));
}

std::vector<PtxFunction> readFunctionBodies(StringRef ptx) {
  return Reader(ptx).read();
}

} // namespace tileir
