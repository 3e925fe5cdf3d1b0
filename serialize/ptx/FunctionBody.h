// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of functions in PTX text, as data flow sees them.

#ifndef SERIALIZE_PTX_FUNCTIONBODY_H
#define SERIALIZE_PTX_FUNCTIONBODY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// A name in the operands of an instruction. Registers have a number in their
/// function; special registers, symbols and constants have none.
struct PtxName {
  llvm::StringRef text;
  std::optional<unsigned> reg;
};

/// One instruction; the texts point into the PTX.
struct PtxInstruction {
  llvm::StringRef opcode;
  /// From 1.
  unsigned line = 0;
  /// The register of `@p` or `@!p`.
  std::optional<unsigned> guard;
  /// Registers of the first operand, unless that is an address.
  llvm::SmallVector<unsigned, 2> results;
  /// All other names in the operands, in order.
  llvm::SmallVector<PtxName, 4> sources;
  /// The text of the operands, registers replaced by `%`.
  std::string shape;
};

/// A register that a block begins with, by the block from which threads come.
struct PtxPhi {
  unsigned result = 0;
  /// Block, register.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> incoming;
};

/// A piece of a function that is entered at its first instruction and left
/// behind its last one.
struct PtxBlock {
  unsigned first = 0, end = 0;
  llvm::SmallVector<unsigned, 2> predecessors, successors;
  std::vector<PtxPhi> phis;
  /// Returns, maybe besides going on.
  bool leaves = false;
  /// Ends the launch.
  bool traps = false;
};

/// The body of one function. Each register is written once, whatever the text
/// says; an instruction with a predicate reads what the register had before.
struct PtxFunction {
  llvm::StringRef name;
  bool isKernel = false;
  /// Threads of a block are numbered by `%tid.x` alone.
  bool hasOneDimension = false;
  /// The text in front of the body.
  llvm::StringRef header;
  std::vector<PtxInstruction> instructions;
  std::vector<PtxBlock> blocks;
  unsigned registers = 0;
};

/// The functions of a module that have bodies. Text that is no PTX comes out as
/// instructions that do nothing.
std::vector<PtxFunction> readFunctionBodies(llvm::StringRef ptx);

/// Returns whether `word` of the opcode, with dots before and behind it, stands
/// in `opcode`: `sync` in `bar.sync`.
bool hasModifier(llvm::StringRef opcode, llvm::StringRef word);

} // namespace tileir

#endif // SERIALIZE_PTX_FUNCTIONBODY_H
