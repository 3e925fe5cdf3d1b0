// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_DESCRIPTOR_H
#define TOOLS_EMULATOR_DESCRIPTOR_H

#include "tools/emulator/TensorMap.h"

namespace tileir::emu {

/// A matrix in shared memory as wgmma and tcgen05 describe it. Rows are those
/// of M or N; K runs along the other direction.
struct MatrixDescriptor {
  uint64_t start = 0, leading = 0, stride = 0;
  int baseOffset = 0;
  int swizzle = 0;   ///< As a tensor map: 1 32B, 2 64B, 3 128B.
  int atomicity = 0; ///< 1: atoms of 32 bytes.

  static MatrixDescriptor wgmma(uint64_t bits) {
    static const int modes[] = {0, 3, 2, 1};
    MatrixDescriptor d = common(bits);
    d.swizzle = modes[bits >> 62];
    return d;
  }

  /// Bits 61 to 63 name the swizzle.
  static MatrixDescriptor tcgen05(uint64_t bits) {
    MatrixDescriptor d = common(bits);
    switch (bits >> 61) {
    case 1:
      d.swizzle = 3;
      d.atomicity = 1;
      break;
    case 2:
      d.swizzle = 3;
      break;
    case 4:
      d.swizzle = 2;
      break;
    case 6:
      d.swizzle = 1;
      break;
    }
    return d;
  }

  /// Offset in shared memory of byte `kByte` of row `row`, K contiguous.
  uint64_t kMajor(uint64_t row, uint64_t kByte) const {
    if (!swizzle)
      return start + row / 8 * stride + kByte / 16 * leading + row % 8 * 16 +
             kByte % 16;
    uint64_t span = 16u << swizzle;
    return place(start + row / 8 * stride + row % 8 * span + kByte);
  }

  /// Of an element of `bytes`, rows contiguous. A group has 8 lines, or 4 of
  /// chunks of 32 bytes.
  uint64_t rowMajor(uint64_t row, uint64_t k, uint64_t bytes) const {
    uint64_t at = row * bytes, lines = atomicity ? 4 : 8;
    if (!swizzle)
      return start + at / 16 * stride + k / 8 * leading + k % 8 * 16 + at % 16;
    uint64_t span = 16u << swizzle;
    return place(start + at / span * leading + k / lines * stride +
                 k % lines * span + at % span);
  }

private:
  static MatrixDescriptor common(uint64_t bits) {
    MatrixDescriptor d;
    d.start = (bits & 0x3FFF) << 4;
    d.leading = (bits >> 16 & 0x3FFF) << 4;
    d.stride = (bits >> 32 & 0x3FFF) << 4;
    d.baseOffset = int(bits >> 49 & 7);
    return d;
  }
  /// The pattern begins `baseOffset` lines of 128 bytes late.
  uint64_t place(uint64_t address) const {
    uint64_t shift = uint64_t(baseOffset) << 7;
    return swizzleAddress(address - shift, swizzle, atomicity) + shift;
  }
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_DESCRIPTOR_H
