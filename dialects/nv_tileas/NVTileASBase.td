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
  let summary = "tiles with layouts, chosen hardware atoms and on-chip storage";
  let description = [{
    The last tile level. Every tile value is a builtin tensor whose encoding is
    a `#nv_tileas.layout`: it says which register of which thread holds which
    element. Elementwise arithmetic stays in `arith` and `math` on such tensors.
    Pointers, memrefs, views, memory tokens and the enums of memory operations
    are those of `nv_tileaa`.
  }];
  let dependentDialects = ["::mlir::nv_tileaa::TileAADialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    /// Alignment in bytes that every access of a memory operation has, an i32.
    static constexpr ::llvm::StringLiteral getAlignAttrName() {
      return "nv_tileas.align";
    }
    /// For every tile dimension the number of elements that are adjacent in
    /// memory and share one predicate, a DenseI32ArrayAttr of powers of two.
    static constexpr ::llvm::StringLiteral getContiguousAttrName() {
      return "nv_tileas.contiguous";
    }
    /// For every dimension of a tile of a view whether all of it is inside the
    /// array or all of it outside, a DenseBoolArrayAttr.
    static constexpr ::llvm::StringLiteral getWholeAttrName() {
      return "nv_tileas.whole";
    }
    /// StringAttr that says if a tensor map may describe the memory behind a
    /// view: `ok`, or what is in the way.
    static constexpr ::llvm::StringLiteral getTmaAttrName() {
      return "nv_tileas.tma";
    }
  }];
}

#endif // DIALECTS_NV_TILEAS_NVTILEASBASE_TD
