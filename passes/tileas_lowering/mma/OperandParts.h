// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_MMA_OPERANDPARTS_H
#define PASSES_TILEAS_LOWERING_MMA_OPERANDPARTS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"
#include "dialects/support/layout/MatrixDescriptor.h"

namespace tileir::lowering {

/// An MMA operand in shared memory: its canonical layout, and the offsets of
/// its subtiles.
class OperandParts {
public:
  /// `kDim` is the dimension of K.
  OperandParts(mlir::nv_tileas::BufferType type, unsigned kDim)
      : layout(type.getLayout().getLayout()), kDim(kDim),
        bytes(getMemoryBits(type.getElementType()) / 8),
        offsets(smemOffsets(layout)),
        form(*matrixDescriptor(layout, bytes * 8, kDim)) {}

  const MatrixDescriptor &getForm() const { return form; }
  bool isTransposed() const { return !form.isKMajor; }
  /// Returns the bytes before the subtile that begins at `row` and `k`.
  int64_t offsetOf(int64_t row, int64_t k) const {
    Layout::Coord coord(2);
    coord[kDim] = k;
    coord[1 - kDim] = row;
    return offsets(layout.flatten(coord)) * bytes;
  }

private:
  Layout layout;
  unsigned kDim, bytes;
  LinearMap offsets;
  MatrixDescriptor form;
};

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MMA_OPERANDPARTS_H
