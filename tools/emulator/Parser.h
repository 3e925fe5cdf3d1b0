// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_PARSER_H
#define TOOLS_EMULATOR_PARSER_H

#include "tools/emulator/Ptx.h"

#include <unordered_map>

namespace tileir::emu {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) ||
         c == '_' || c == '$' || c == '%';
}

/// Registers and variables of one `{ }`.
struct Names {
  std::unordered_map<std::string, int> registers;
  std::unordered_map<std::string, std::pair<int, int>> ranges; // First, count.
  std::unordered_map<std::string, int> variables;
  int labelScope;
};

/// PTX text to a module. What reads and fails gives false and sets `error`.
class Parser {
public:
  Parser(std::string_view text, Module &module, std::string &error)
      : text(text), module(module), error(error) {}

  bool run();

private:
  //===--- characters and numbers: Scan.cpp ---===//

  bool fail(const std::string &message);
  void space();
  char peek();
  bool accept(char c);
  bool expect(char c);
  /// `.word`, with `::` parts.
  std::string directive();
  std::string word();
  bool quoted(std::string &out);
  void skipTo(char end);
  void skipBraces();
  /// A number: decimal, 0x, 0b, octal, 0f…, 0d…, or a decimal float.
  bool number(Operand &out);
  bool unsignedNumber(uint64_t &out);
  /// A constant expression: numbers with + - * and parentheses.
  bool constant(uint64_t &out);

  //===--- module level: ParseModule.cpp ---===//

  bool topLevel(const std::string &first);
  std::string versionText();
  static bool variableSpace(const std::string &w, Space &out);
  /// Parses what follows a space: alignment, attributes, type, names,
  /// initialisers.
  bool variables(Space s, bool isExtern, std::vector<Variable> &out);
  bool declarationType(uint64_t &align, Type &type, int &vector);
  bool declarator(Variable &v, uint64_t align, Type type, int vector);
  bool initializer(std::vector<uint8_t> &bytes, std::vector<InitReloc> &relocs,
                   int unit, Type type, int depth = 0);
  bool symbolReference(InitReloc &r);

  //===--- functions: ParseFunction.cpp ---===//

  bool functionDefinition(bool isEntry, bool isExtern);
  bool parameters(std::vector<int> &out);
  bool functionDirectives();
  void openScope();
  int addRegister(const std::string &name, Type type);
  int addVariable(Variable v);
  bool registers();
  int findRegister(const std::string &name);

  //===--- statements and operands: ParseStatement.cpp ---===//

  /// A text in another language, between `.source_begin` and `.source_end`.
  bool quotedSource();
  bool locDirective();
  /// Statements up to the closing brace.
  bool statements();
  bool bodyDirective(const std::string &w, size_t, int);
  bool instructionOrLabel();
  bool label(const std::string &name);
  bool operand(Operand &out, const std::string &mnemonic);
  bool operandPart(Operand &out, const std::string &mnemonic, int depth = 0);
  /// `+ number` and `+- number`, added to the offset of an operand.
  bool offsets(Operand &out);
  bool addressBase(Operand &out);
  bool name(Operand &out, const std::string &mnemonic);

  std::string_view text;
  Module &module;
  std::string &error;
  size_t pos = 0;
  int line = 1;
  Function *function = nullptr;
  std::vector<Names> scopes;
  SourceLoc current;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_PARSER_H
