// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instructions with several addresses share.
#ifndef TOOLS_EMULATOR_BULKOPS_H
#define TOOLS_EMULATOR_BULKOPS_H

#include "tools/emulator/Decode.h"

namespace tileir::emu {

/// A generic address of shared memory as one of its window.
inline uint64_t sharedOf(uint64_t address) {
  return address >= kSharedWindow ? address - kSharedWindow : address;
}

/// The address of an operand; of several in brackets the first.
bool addressOf(Decoder &d, const Operand &o, Space s, AddressOperand &out);
/// Reads an address that v[3] describes: (row or -1, wide, offset index).
uint64_t operandAddress(Exec &x, const Inst &i, int which, int lane);
/// Adds an operand to them; of several in brackets the first.
bool addAddress(Decoder &d, const Operand &o, Space s);
/// Whether the opcode has a word, taken or not.
inline bool hasWord(const Decoder &d, const char *word) {
  for (const std::string &w : d.s->words)
    if (w == word)
      return true;
  return false;
}

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_BULKOPS_H
