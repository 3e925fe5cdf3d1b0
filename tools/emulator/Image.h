// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_IMAGE_H
#define TOOLS_EMULATOR_IMAGE_H

#include "tools/emulator/Program.h"

#include <map>

namespace tileir::emu {

class Machine;

/// The module as it is loaded: its instructions, and where its variables lie.
class Image {
public:
  Image(Machine &machine, const Module &module)
      : module(module), machine(machine) {}

  const Function *findEntry(const std::string &name, std::string &error) const;
  /// Places the parameters of an entry by the absolute rule.
  std::vector<uint64_t> parameterOffsets(const Function &entry,
                                         uint64_t &size) const;
  uint64_t variableAddress(const Function *function, int index) const;
  int functionIndex(const std::string &name) const;
  bool placeVariables(std::string &error);
  bool initialize(std::string &error);
  /// With so many bytes of dynamic memory: the end of a block's shared memory,
  /// and what of it counts as used.
  void sharedSizes(const Function &entry, uint64_t dynamic, uint64_t &size,
                   uint64_t &used) const;
  /// For each byte of the block's shared memory whether it lies between the
  /// variables.
  std::vector<uint8_t> sharedGaps(const Function &entry, uint64_t size) const;

  const Module &module;
  std::vector<Inst> code;
  std::vector<const Statement *> statements; ///< Of each of `code`.
  OperandStore operandStore;
  std::vector<FunctionCode> functions;
  std::vector<uint64_t> moduleAddresses; ///< Of the module's variables.
  uint32_t sharedBase = 0;

private:
  /// Places variables, one kind after the other.
  class Placer;

  /// Where the shared memory of a kernel ends, and where it would without the
  /// gaps between its variables.
  struct SharedEnd {
    uint64_t spaced, tight;
  };
  struct SharedPiece {
    const Function *owner; ///< Null: of the module.
    uint64_t at, size;
  };

  std::map<const Function *, SharedEnd> sharedEnd;
  std::vector<SharedPiece> sharedPieces;
  uint64_t dynamicAlign = 1;
  uint64_t staticShared = 0; ///< End of the static shared memory of any kernel.
  std::map<const Function *, std::vector<uint64_t>> functionVariables;

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_IMAGE_H
