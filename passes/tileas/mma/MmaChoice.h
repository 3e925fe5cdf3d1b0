// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decision which MMA computes a dot: made here, written to the dot, read by
// all later passes.

#ifndef PASSES_TILEAS_MMA_MMACHOICE_H
#define PASSES_TILEAS_MMA_MMACHOICE_H

#include "passes/tileas/mma/MmaKind.h"

namespace tileir {

/// The MMA of one dot, and for each better kind of the target why it is not of
/// that kind.
struct MmaChoice {
  mlir::nv_tileas::MmaAttr mma;
  llvm::SmallVector<std::pair<mlir::nv_tileas::MmaKind, std::string>, 1>
      refused;
};

/// Chooses the MMA of `dot`. A dot with a decision keeps its kind, or gets the
/// next one if its accumulator has another layout than the kind reads.
MmaChoice chooseMma(mlir::nv_tileas::DotOp dot, const MmaFacts &facts);

/// Writes the MMA of each dot of `func` into its attribute, with a remark for
/// each change.
void assignMma(mlir::nv_tileaa::FuncOp func, const MmaFacts &facts);

/// Assigns the instruction of warps to `dot`, whose operands are where they
/// stay, in place of a kind that a pass could not make. The pass says why.
void refuseMma(mlir::nv_tileas::DotOp dot);

/// Returns how warps get `operand` of `dot`. Unless it `isStaged`, a load of
/// the loop of `dot` becomes a pipeline.
mlir::nv_tileas::MmaOperand getWarpPlace(mlir::nv_tileas::DotOp dot,
                                         mlir::Value operand, bool isStaged);

/// Returns whether `dot` is assigned an MMA of `kind`.
bool isAssigned(mlir::nv_tileas::DotOp dot, mlir::nv_tileas::MmaKind kind);

/// The instruction of the assigned MMA of `dot`, for elements of types `a` and
/// `b`.
mlir::nv_tileas::MmaAtomAttr getAssignedAtom(mlir::nv_tileas::DotOp dot,
                                             mlir::Type a, mlir::Type b);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_MMACHOICE_H
