// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_MATRIXDESCRIPTOR_H
#define DIALECTS_SUPPORT_LAYOUT_MATRIXDESCRIPTOR_H

#include "dialects/support/layout/SharedMemory.h"

namespace tileir {

/// Layout of a matrix in shared memory for `wgmma` and `tcgen05.mma` (PTX ISA,
/// "matrix descriptor"). Its rows are those of M (operand A) or N (operand B).
struct MatrixDescriptor {
  Swizzle swizzle = Swizzle::None;
  /// True if K is the contiguous dimension; else the rows are.
  bool isKMajor = true;
  /// Byte stride between groups of 8 lines across the contiguous dimension, of
  /// 4 lines where chunks are wide; 0 for a single group.
  int64_t groupStride = 0;
  /// Byte stride between spans along the contiguous dimension; 0 for a single
  /// span.
  int64_t panelStride = 0;

  /// The fields of a `wgmma` descriptor except the start address.
  uint64_t wgmmaBits() const;
  /// The same fields of a `tcgen05.mma` descriptor.
  uint64_t tcgen05Bits() const;
  /// Returns whether the fields can describe a step of K over `bytes`: no
  /// K-major step crosses a swizzled span.
  bool holdsStep(int64_t bytes) const;

private:
  /// The two stride fields, which both kinds share.
  uint64_t strideBits() const;
};

/// The descriptor of all of `layout`, of rank 2, whose dimension `kDim` is K.
/// None where the hardware has no such layout; `why`, where given, names the
/// first bit that differs.
std::optional<MatrixDescriptor> matrixDescriptor(const Layout &layout,
                                                 unsigned bits, unsigned kDim,
                                                 std::string *why = nullptr);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_MATRIXDESCRIPTOR_H
