// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_MATRIXDESCRIPTOR_H
#define DIALECTS_SUPPORT_LAYOUT_MATRIXDESCRIPTOR_H

#include "dialects/support/layout/SharedMemory.h"

namespace tileir {

/// Form of a matrix in shared memory for `wgmma` and `tcgen05.mma` (PTX ISA,
/// "matrix descriptor"). Its rows run along M of operand A or N of operand B.
struct MatrixDescriptor {
  Swizzle swizzle = Swizzle::None;
  /// True if K is the contiguous dimension; else the rows are.
  bool isKMajor = true;
  /// Bytes from 8 lines across the contiguous dimension to the next 8, from 4
  /// to the next 4 where chunks are wide; 0 where there are no more.
  int64_t groupStride = 0;
  /// Bytes from one span along the contiguous dimension to the next; 0 where
  /// there is one.
  int64_t panelStride = 0;

  /// The fields of a `wgmma` descriptor but the start address.
  uint64_t wgmmaBits() const;
  /// The same of a descriptor of `tcgen05.mma`.
  uint64_t tcgen05Bits() const;
  /// Returns whether one step of K that spans `bytes` stays inside what the
  /// fields can say: no K-major step crosses a swizzled span.
  bool holdsStep(int64_t bytes) const;

private:
  /// Returns what both kinds share: the two distances.
  uint64_t strideBits() const;
};

/// The descriptor of all of `layout`, of rank 2, whose dimension `kDim` is K.
/// None where the addresses do not follow a form of the hardware; `why`, where
/// given, says which bit broke it.
std::optional<MatrixDescriptor> matrixDescriptor(const Layout &layout,
                                                 unsigned bits, unsigned kDim,
                                                 std::string *why = nullptr);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_MATRIXDESCRIPTOR_H
