// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts that instructions with several addresses share.
#ifndef TOOLS_EMULATOR_BULKOPS_H
#define TOOLS_EMULATOR_BULKOPS_H

#include "tools/emulator/Decode.h"

namespace tileir::emu {

/// A generic address of shared memory as one of its window.
inline uint64_t sharedOf(uint64_t address) {
  return address >= kSharedWindow ? address - kSharedWindow : address;
}

/// Bulk and tensor copies, st.async and red.async.
struct BulkOperands {
  AddressOperand to, from; ///< Of tensors one is the map.
  AddressOperand barrier;
  BulkOp::Kind kind = BulkOp::Load;
  enum Mode : uint8_t { Tiled, Im2col, Im2colW, Im2colW128 } mode = Tiled;
  bool isTensor = false;
  bool isGather = false;                 ///< gather4 or scatter4.
  int32_t size = -1;                     ///< The row of the number of bytes.
  int32_t multicast = -1, byteMask = -1; ///< Rows; -1: none.
  std::vector<int32_t> coordinates, offsets; ///< Rows; offsets of im2col.
  std::vector<int32_t> values;               ///< Rows of st.async.
  uint32_t valueBytes = 0;                   ///< Of one of them.
  Reduction reduction;
};

/// The address of an operand; of several in brackets the first.
bool addressOf(Decoder &d, const Operand &o, Space s, AddressOperand &out);
/// Returns whether the opcode has a word, taken or not.
inline bool hasWord(const Decoder &d, const char *word) {
  for (const std::string &w : d.s->words)
    if (w == word)
      return true;
  return false;
}

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_BULKOPS_H
