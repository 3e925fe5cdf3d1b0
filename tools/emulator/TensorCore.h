// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_TENSORCORE_H
#define TOOLS_EMULATOR_TENSORCORE_H

#include "tools/emulator/Decode.h"

namespace tileir::emu {

constexpr uint32_t kColumns = 512, kLanes = 128;

TensorMemory &memoryOf(Block &b);
/// Offset of a lane and column in the region of a tensor memory.
inline uint64_t cellOffset(uint32_t lane, uint32_t column) {
  return (uint64_t(lane) * kColumns + column) * 4;
}
/// One kernel uses one cta_group.
bool checkGroup(Exec &x, const Inst &i, int lane);
/// `[taddr]` or `[taddr+offset]`.
bool tensorAddress(Decoder &d, const Operand &o, int32_t &row, int32_t &offset);
/// Takes `.cta_group::N` into Inst::b.
void takeGroup(Decoder &d);

/// Of tcgen05.mma, in Inst: a kind, b blocks, c .ws, e A in tensor memory; o[0]
/// D, o[1] A, o[2] B, o[3] descriptor, o[4] predicate, o[5], o[6] scales, o[7]
/// scale of D and kSparse; v[0] masks of lanes, v[1] metadata, v[2] mask of
/// zero columns. In Extra::numbers:
enum {
  BlockSize, ///< Elements to a scale, A dense.
  OffsetD,
  OffsetA,
  OffsetScaleA,
  OffsetScaleB,
  OffsetMetadata,
  NumberCount
};
constexpr int32_t kSparse = 16;

/// tcgen05.mma, .cp, .shift and .commit.
bool decodeTensorMma(Decoder &d);
bool decodeTensorCopy(Decoder &d);
bool decodeTensorShift(Decoder &d);
bool decodeTensorCommit(Decoder &d);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_TENSORCORE_H
