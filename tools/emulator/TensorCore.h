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
bool checkGroup(Exec &x, const Inst &i, int lane, int group);
/// `[taddr]` or `[taddr+offset]`.
bool tensorAddress(Decoder &d, const Operand &o, TensorAddress &out);
/// Returns what a lane gives as such an address.
inline uint32_t tensorAddressOf(Exec &x, const TensorAddress &a, int lane) {
  return x.row<uint32_t>(a.row)[lane] + uint32_t(a.offset);
}
/// Takes `.cta_group::N`.
uint8_t takeGroup(Decoder &d);

/// tcgen05.mma.
struct TensorMma {
  enum Kind : uint8_t {
    F16,
    Tf32,
    F8f6f4,
    I8,
    MxF8f6f4,
    MxF4,
    MxF4nvf4
  } kind = F16;
  uint8_t group = 1;             ///< Blocks that work together.
  bool isWs = false;             ///< .ws
  bool isSparse = false;         ///< A is.
  bool isInTensorMemory = false; ///< A, at `a`; else `descriptorA`.
  bool isScaled = false;
  TensorAddress d, a, scaleA, scaleB, metadata;
  int32_t descriptorA = 0, descriptorB = 0, descriptor = 0; ///< Rows.
  int32_t accumulates = 0;                                  ///< A predicate.
  int32_t zeroColumns = -1;       ///< The row of a mask; -1: none.
  std::vector<int32_t> laneMasks; ///< Rows.
  int scaleD = 0;                 ///< D is divided by 2 to that.
  uint32_t blockSize = 32;        ///< Elements to a scale, A dense.
};

/// tcgen05.cp.
struct TensorCopy {
  int32_t d = 0, descriptor = 0; ///< Rows.
  uint8_t group = 1;
  uint32_t rows = 0, bits = 0; ///< Bits of a row.
  enum Multicast : uint8_t { Once, Halves02And13, Halves01And23, Quarters };
  Multicast multicast = Once;
  int packedBits = 0; ///< Of an element of the source; 0: it is not packed.
};

/// tcgen05.shift.
struct TensorShift {
  TensorAddress d;
  uint8_t group = 1;
};

/// tcgen05.commit.
struct TensorCommit {
  AddressOperand barrier;
  int32_t multicast = -1; ///< The row of a mask; -1: none.
};

/// tcgen05.mma, .cp, .shift and .commit.
bool decodeTensorMma(Decoder &d);
bool decodeTensorCopy(Decoder &d);
bool decodeTensorShift(Decoder &d);
bool decodeTensorCommit(Decoder &d);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_TENSORCORE_H
