// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASBASE_TD
#define DIALECTS_NV_TILEAS_NVTILEASBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TileAS_Dialect : Dialect {
  let name = "nv_tileas";
  let cppNamespace = "::mlir::nv_tileas";
  let summary = "tiles with layouts, hardware atoms and on-chip storage";
  let description = [{
    Holds the last level of tiles. Every tile value is a builtin tensor whose
    encoding is a `#nv_tileas.layout`, a map from registers of threads to
    elements. Elementwise arithmetic stays in `arith` and `math` on such
    tensors. Pointers, memrefs, views, memory tokens and the enums of memory
    operations are those of `nv_tileaa`.
  }];
  let dependentDialects = ["::mlir::nv_tileaa::TileAADialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    /// Alignment in bytes of every access of a memory operation, an i32.
    static constexpr ::llvm::StringLiteral getAlignAttrName() {
      return "nv_tileas.align";
    }
    /// For every tile dimension, the number of elements that are adjacent in
    /// memory and share one predicate: a DenseI32ArrayAttr of powers of two.
    static constexpr ::llvm::StringLiteral getContiguousAttrName() {
      return "nv_tileas.contiguous";
    }
    /// For every dimension of a tile of a view, whether it is entirely inside
    /// or entirely outside of the array: a DenseBoolArrayAttr.
    static constexpr ::llvm::StringLiteral getWholeAttrName() {
      return "nv_tileas.whole";
    }
    /// State of a tensor map over the memory of a view: a StringAttr, `ok` or
    /// the obstacle.
    static constexpr ::llvm::StringLiteral getTmaAttrName() {
      return "nv_tileas.tma";
    }
  }];
}

#endif // DIALECTS_NV_TILEAS_NVTILEASBASE_TD
