// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_CUDATILEINTERFACES_TD
#define DIALECTS_CUDA_TILE_CUDATILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def CudaTile_TileView : TypeInterface<"TileView"> {
  let cppNamespace = "::mlir::cuda_tile";
  let description = [{
    A view of a tensor, which loads and stores address tile by tile.
  }];
  let methods = [
    InterfaceMethod<"Number of index operands that address one tile",
                    "int64_t", "getViewIndexRank">,
    InterfaceMethod<"Type of the tiles; use `getViewTileType`",
                    "::mlir::Type", "viewTileType">,
    InterfaceMethod<"Type of the tensor; use `getViewTensor`",
                    "::mlir::Type", "viewTensor">,
    InterfaceMethod<"Padding value; use `getViewPadding`",
                    "::mlir::Attribute", "viewPadding">,
    InterfaceMethod<"Verifies the types of the index operands; an empty list passes",
                    "::llvm::LogicalResult", "verifyIndices",
                    (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
                         "::mlir::TypeRange":$indexTypes)>,
  ];
  let extraClassDeclaration = [{
    /// The type of the tiles of the view.
    ::mlir::cuda_tile::TileType getViewTileType() const;
    /// The type of the tensor of the view.
    ::mlir::cuda_tile::TensorViewType getViewTensor() const;
    /// Returns the value of elements outside of the tensor; null if
    /// unspecified.
    ::mlir::cuda_tile::PaddingValueAttr getViewPadding() const;
  }];
}

def CudaTile_AssumePredicateAttrInterface
    : AttrInterface<"AssumePredicateAttrInterface"> {
  let cppNamespace = "::mlir::cuda_tile";
  let description = [{
    A fact that `assume` states about its operand.
  }];
  let methods = [
    InterfaceMethod<"Verifies that the fact can be stated about the operand",
                    "::llvm::LogicalResult", "verifyWithAssumeOp",
                    (ins "::mlir::Operation *":$op)>,
  ];
}

#endif // DIALECTS_CUDA_TILE_CUDATILEINTERFACES_TD
