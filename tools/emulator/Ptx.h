// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_PTX_H
#define TOOLS_EMULATOR_PTX_H

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tileir::emu {

/// State spaces. `Generic` stands for an access that names none.
enum class Space : uint8_t {
  Generic,
  Global,
  Shared,
  SharedCluster,
  Local,
  Const,
  Param
};

/// Types that instructions and declarations name.
enum class Type : uint8_t {
  None,
  Pred,
  B1,
  B8,
  B16,
  B32,
  B64,
  B128,
  U4,
  S4,
  U8,
  S8,
  U16,
  S16,
  U32,
  S32,
  U64,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  UE8M0,
  UE4M3,
  E4M3x2,
  E5M2x2,
  E2M3x2,
  E3M2x2,
  E2M1x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M3x4,
  E3M2x4,
  E2M1x4
};

/// `None` when `name` (without its dot) is no type.
Type parseType(std::string_view name);
int typeBits(Type type);

/// An address inside an initialiser: of `symbol`, plus `addend`, of which the
/// bits of `mask` are kept, shifted down, `bytes` long.
struct InitReloc {
  uint64_t offset;
  std::string symbol;
  int64_t addend;
  uint64_t mask;
  int bytes;
  bool generic;
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  uint64_t align = 1, size = 0;
  bool isExtern = false; ///< With no size in `.shared`: dynamic memory.
  bool hasInit = false;
  std::vector<uint8_t> init;
  std::vector<InitReloc> relocs;
  uint64_t offset = 0; ///< Address or offset, given by the machine.
  bool hidden = false;
  int line = 0;
};

struct Register {
  std::string name;
  int bits = 32; ///< 1 for a predicate.
};

struct Operand {
  enum class Kind : uint8_t {
    None,
    Reg,
    Imm,      ///< `bits`; `isFloat` with 32 or 64 bits of a float.
    Vector,   ///< {a, b}
    Pair,     ///< a|b
    Address,  ///< [items[0] + bits]; tensor forms have further items.
    Variable, ///< The address of a variable.
    Label,
    Function,
    Special, ///< A special register, by name.
    Sink     ///< _
  } kind = Kind::None;
  bool negated = false; ///< !p
  bool minus = false;   ///< -r
  bool isFloat = false;
  uint8_t floatBits = 64;
  int index = 0;     ///< Register or variable.
  uint64_t bits = 0; ///< Immediate or address offset.
  std::string name;
  std::vector<Operand> items;

  bool isReg() const { return kind == Kind::Reg; }
  bool isImm() const { return kind == Kind::Imm; }
};

struct SourceLoc {
  int file = 0, line = 0, column = 0;
};

struct Statement {
  std::string opcode; ///< With all modifiers.
  std::vector<std::string> words;
  int guard = -1; ///< Register, or -1.
  bool guardNegated = false;
  /// An access whose predicate the program promises to be true.
  bool isPromised = false;
  std::vector<Operand> operands;
  int line = 0;
  int scope = 0; ///< For labels.
  SourceLoc loc;
};

struct Label {
  int statement = -1;               ///< Index of the next statement.
  std::vector<std::string> targets; ///< Of `.branchtargets`, `.calltargets`.
  bool isTable = false;
};

struct Function {
  std::string name;
  bool isEntry = false, isDeclared = false;
  int line = 0;
  std::vector<int> params, results; ///< Variables, or registers as ~index.
  std::vector<Register> registers;
  std::vector<Variable> variables;
  std::vector<Statement> body;
  /// Labels of each scope; scope 0 is the whole body.
  std::vector<std::map<std::string, Label>> labels;
  std::vector<int> scopeParent;
  std::array<uint32_t, 3> reqntid{0, 0, 0}, maxntid{0, 0, 0};
  std::array<uint32_t, 3> cluster{0, 0, 0};
  uint32_t maxnreg = 0, minPerCtaMemory = 0, minBlocksPerSM = 0;
  bool explicitCluster = false, blocksAreClusters = false;
  bool reqntidGiven = false;
  int language = 0;

  const Label *findLabel(const std::string &name, int scope) const;
};

struct Module {
  std::string path;
  int version = 0; ///< Major times ten plus minor.
  std::string target;
  std::vector<Variable> variables;
  std::vector<std::unique_ptr<Function>> functions;
  std::map<int, std::string> files;
  std::vector<std::string> warnings;
  std::map<std::string, std::string> aliases;

  Function *findFunction(const std::string &name) const;
  int findVariable(const std::string &name) const;
};

/// Parses PTX text. On failure `error` is "line N: message".
bool parsePtx(std::string_view text, Module &module, std::string &error);

/// Returns whether `name`, with its %, is a special register.
bool isSpecialRegister(std::string_view name);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_PTX_H
