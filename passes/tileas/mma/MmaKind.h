// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of the kinds of MMA: one object for each row of Kinds.def, in a
// file of its own.

#ifndef PASSES_TILEAS_MMA_MMAKIND_H
#define PASSES_TILEAS_MMA_MMAKIND_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Facts that a decision rests on beside the operations.
struct MmaFacts {
  unsigned numWarps;
  const Target &target;
  /// True if tiles have the layouts that they will keep.
  bool hasLayouts = false;
};

/// The reason of a dot with scales that several kinds give.
inline constexpr llvm::StringLiteral kTooFewToPay =
    "an instruction does not pay for so few rows or columns";

/// One kind of MMA.
class MmaKindInterface {
public:
  virtual ~MmaKindInterface() = default;

  /// Returns the MMA of this kind for `dot`. Null, and why, where it cannot be
  /// one; the reason is empty where the target has no such MMA.
  virtual mlir::nv_tileas::MmaAttr choose(mlir::nv_tileas::DotOp dot,
                                          const MmaFacts &facts,
                                          std::string &reason) const = 0;

  /// Returns the layout of the accumulator of `dot` in registers. `rowsFirst`:
  /// the operations around it prefer whole rows in one warp.
  virtual Layout getAccLayout(mlir::nv_tileas::DotOp dot, unsigned numWarps,
                              bool rowsFirst) const = 0;

  /// Bytes of shared memory for operands of `dot`, of this kind, that threads
  /// store in a layout that the MMA reads.
  virtual int64_t getRestagedBytes(mlir::nv_tileas::DotOp dot) const {
    return 0;
  }
};

#define MMA_KIND(Name) const MmaKindInterface &get##Name##Kind();
#include "passes/tileas/mma/Kinds.def"

const MmaKindInterface &getMmaKind(mlir::nv_tileas::MmaKind kind);

/// The MMA of warps that `dot` names, if its atom is of `kind`; null otherwise.
/// Unless operands are `isStaged`, loads of the loop of `dot` become pipelines.
mlir::nv_tileas::MmaAttr getWarpMma(mlir::nv_tileas::DotOp dot,
                                    mlir::nv_tileas::MmaKind kind,
                                    bool isStaged = false);

/// The fragments of the accumulator of `dot`, distributed over the warps with
/// the fewest operand registers for each warp, or over rows first.
/// `interleaves`: instructions alternate over columns where the extents allow
/// it, which suits bytes of B that are contiguous along rows.
Layout getFragmentLayout(mlir::nv_tileas::DotOp dot, unsigned numWarps,
                         bool rowsFirst, bool interleaves);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_MMAKIND_H
