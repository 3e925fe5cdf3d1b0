// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data flow view of the functions in PTX text: instructions, registers and
// blocks.

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
  /// Line in the text, from 1.
  unsigned line = 0;
  /// The register of `@p` or `@!p`.
  std::optional<unsigned> guard;
  /// Registers of the first operand, unless it is an address.
  llvm::SmallVector<unsigned, 2> results;
  /// All other names in the operands, in order.
  llvm::SmallVector<PtxName, 4> sources;
  /// The text of the operands, with registers replaced by `%`.
  std::string shape;
};

/// A register at the start of a block whose value depends on the predecessor.
struct PtxPhi {
  unsigned result = 0;
  /// Pairs of block and register.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> incoming;
};

/// A basic block.
struct PtxBlock {
  unsigned first = 0, end = 0;
  llvm::SmallVector<unsigned, 2> predecessors, successors;
  std::vector<PtxPhi> phis;
  /// True if the block returns, possibly under a predicate.
  bool leaves = false;
  /// True if the block ends the launch.
  bool traps = false;
};

/// The body of one function in SSA form: each register is written once,
/// whatever the text does; an instruction with a predicate also reads the
/// previous value of the register.
struct PtxFunction {
  llvm::StringRef name;
  bool isKernel = false;
  /// True if `%tid.x` alone numbers the threads of a block.
  bool hasOneDimension = false;
  /// The text before the body.
  llvm::StringRef header;
  std::vector<PtxInstruction> instructions;
  std::vector<PtxBlock> blocks;
  unsigned registers = 0;
};

/// Parses the functions of a module that have bodies. Text other than PTX
/// becomes instructions without effect.
std::vector<PtxFunction> readFunctionBodies(llvm::StringRef ptx);

/// Returns whether `opcode` has the modifier `word` between dots: `sync` in
/// `bar.sync`.
bool hasModifier(llvm::StringRef opcode, llvm::StringRef word);

} // namespace tileir

#endif // SERIALIZE_PTX_FUNCTIONBODY_H
