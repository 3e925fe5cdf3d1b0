// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_MEMORY_TD
#define DIALECTS_NV_TILEAA_OPS_MEMORY_TD

include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

// Attributes of every access besides its order.
defvar TileAA_AccessHints = (ins
  OptionalAttr<ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<10>]>>:$latency,
  UnitAttr:$is_volatile,
  OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
  OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy
);

class TileAA_AccessOp<string mnemonic, string kind, list<Trait> traits>
    : TileAA_Op<mnemonic,
          traits # [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                    DeclareOpInterfaceMethods<OpAsmOpInterface,
                                              ["getAsmResultNames"]>,
                    TileAAMemoryOpInterface]> {
  string commonDeclarations = [{
    ::mlir::nv_tileaa::AccessKind getKind() {
      return ::mlir::nv_tileaa::AccessKind::}] # kind # [{;
    }
    ::mlir::Value getInputToken() { return getToken(); }
    ::mlir::MutableOperandRange getInputTokenMutable() {
      return getTokenMutable();
    }
    ::mlir::Value getOutputToken() { return getResultToken(); }
    ::mlir::nv_tileaa::MemSemantic getSemantic() { return getMemSemantic(); }
    ::std::optional<::mlir::nv_tileaa::MemScope> getScope() {
      return getMemScope();
    }
    bool isVolatileAccess() { return getIsVolatile(); }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pointer accesses
//===----------------------------------------------------------------------===//

class TileAA_PointerAccessOp<string mnemonic, string kind,
                             list<Trait> traits = []>
    : TileAA_AccessOp<mnemonic, kind,
          traits # [AttrSizedOperandSegments,
                    OptionalTypesMatchWith<"the mask has the shape of the pointers",
                        "ptr", "mask",
                        "::mlir::nv_tileaa::getMaskType($_self)">]> {
  let extraClassDeclaration = commonDeclarations # [{
    ::mlir::Value getAddress() { return getPtr(); }
    ::mlir::Value getMaskOrNull() { return getMask(); }
    ::mlir::Type getAccessedType() {
      return ::mlir::nv_tileaa::getPointeeTile(getPtr().getType());
    }
  }];
  let hasCanonicalizer = 1;
}

def TileAA_LoadOp : TileAA_PointerAccessOp<"load", "Load",
    [OptionalTypesMatchWith<"the fallback has the type of the value",
                            "value", "other", "$_self">]> {
  let summary = "Loads through a tile of pointers";
  let description = [{
    Masked-off elements give `other`, or poison without it. (C1) Weak exactly
    when there is no scope; not release. (C2) Pointee, value and mask agree.
    (C3) `other` needs a mask.

    ```mlir
    %v, %t1 = nv_tileaa.load weak %p mask %m other %z token %t0 {latency = 4 : i32}
              : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
    ```
  }];
  let arguments = !con((ins
    TileAA_PtrTile:$ptr,
    Optional<TileAA_BoolTile>:$mask,
    Optional<TileAA_NumberTile>:$other,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints, (ins UnitAttr:$invariant));
  let results = (outs TileAA_NumberTile:$value,
                      TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $ptr (`mask` $mask^)?
    (`other` $other^)? (`token` $token^)? attr-dict `:` type($ptr) `->`
    type($value)
  }];
}

def TileAA_StoreOp : TileAA_PointerAccessOp<"store", "Store"> {
  let summary = "Stores through a tile of pointers";
  let description = [{
    Masked-off elements are not written. (C1) Weak exactly when there is no
    scope; not acquire. (C2) Pointee, value and mask agree.

    ```mlir
    %t1 = nv_tileaa.store release sys %p, %v mask %m token %t0
          : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32>
    ```
  }];
  let arguments = !con((ins
    TileAA_PtrTile:$ptr,
    TileAA_NumberTile:$value,
    Optional<TileAA_BoolTile>:$mask,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $ptr `,` $value
    (`mask` $mask^)? (`token` $token^)? attr-dict `:` type($ptr) `,`
    type($value)
  }];
}

def TileAA_AtomicRmwOp : TileAA_PointerAccessOp<"atomic_rmw", "Rmw",
    [AllTypesMatch<["value", "old"]>]> {
  let summary = "Updates memory atomically through a tile of pointers";
  let description = [{
    Returns the old elements; masked-off ones are unspecified. (C1) Not weak.
    (C2) Pointee, value and mask agree. (C3) The mode fits the element type.

    ```mlir
    %o, %t1 = nv_tileaa.atomic_rmw addf relaxed gpu %p, %v mask %m
              : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32>
    ```
  }];
  let arguments = !con((ins
    TileAA_PtrTile:$ptr,
    TileAA_NumberTile:$value,
    Optional<TileAA_BoolTile>:$mask,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_RmwModeAttr:$rmw_mode,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints);
  let results = (outs TileAA_NumberTile:$old,
                      TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<Keyword>($rmw_mode) custom<MemOrder>($mem_semantic, $mem_scope) $ptr
    `,` $value (`mask` $mask^)? (`token` $token^)? attr-dict `:` type($ptr) `,`
    type($value)
  }];
}

def TileAA_AtomicCasOp : TileAA_PointerAccessOp<"atomic_cas", "Cas",
    [AllTypesMatch<["cmp", "value", "old"]>]> {
  let summary = "Compares and swaps atomically through a tile of pointers";
  let description = [{
    Compares bits. Returns the old elements; masked-off ones are `cmp`. (C1) Not
    weak. (C2) Pointee, value and mask agree. (C3) 32 or 64 bits.

    ```mlir
    %o, %t1 = nv_tileaa.atomic_cas acq_rel tl_blk %p, %c, %v token %t0
              : tensor<64x!nv_tileaa.ptr<i32>>, tensor<64xi32>
    ```
  }];
  let arguments = !con((ins
    TileAA_PtrTile:$ptr,
    TileAA_NumberTile:$cmp,
    TileAA_NumberTile:$value,
    Optional<TileAA_BoolTile>:$mask,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints);
  let results = (outs TileAA_NumberTile:$old,
                      TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $ptr `,` $cmp `,` $value
    (`mask` $mask^)? (`token` $token^)? attr-dict `:` type($ptr) `,`
    type($value)
  }];
}

//===----------------------------------------------------------------------===//
// View accesses
//===----------------------------------------------------------------------===//

class TileAA_ViewAccessOp<string mnemonic, string kind,
                          list<Trait> traits = []>
    : TileAA_AccessOp<mnemonic, kind, traits # [AttrSizedOperandSegments]> {
  let extraClassDeclaration = commonDeclarations # [{
    ::mlir::Value getAddress() { return getView(); }
    ::mlir::Value getMaskOrNull() { return {}; }
    ::mlir::Type getAccessedType() { return getView().getType().getTileType(); }
    /// Returns whether `in_bounds` promises that the tile stays inside in
    /// dimension d.
    bool isInBounds(unsigned d) {
      auto flags = getInBounds();
      return flags && (*flags)[d];
    }
  }];
}

defvar TileAA_ViewHints = (ins
  OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
  OptionalAttr<BoolAttr>:$allow_tma
);

class TileAA_ViewLoadOp<string mnemonic>
    : TileAA_ViewAccessOp<mnemonic, "Load"> {
  let arguments = !con((ins
    TileAA_TiledViewType:$view,
    Variadic<TileAA_Coordinate>:$coords,
    Variadic<I32>:$offsets,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints, TileAA_ViewHints, (ins UnitAttr:$invariant));
  let results = (outs TileAA_NumberTensor:$value,
                      TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $view `[` $coords `]`
    (`offsets` `[` $offsets^ `]`)? (`token` $token^)?
    (`in_bounds` `=` $in_bounds^)? attr-dict `:` qualified(type($view)) `[`
    type($coords) `]` `->` type($value)
  }];
}

def TileAA_TiledLoadOp : TileAA_ViewLoadOp<"tiled_load"> {
  let summary = "Loads the tile at given coordinates of a view";
  let description = [{
    Elements outside of the memref give the padding value, unspecified without
    one. (C1) Weak exactly when there is no scope; not release. (C2)
    Coordinates, offsets, bounds facts and value fit the view. (C3) The view is
    dense.

    ```mlir
    %v, %t1 = nv_tileaa.tiled_load weak %w[%x, %y] token %t0 in_bounds = [false, true]
              : !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>[i32, i32]
              -> tensor<32x64xf32>
    ```
  }];
}

def TileAA_GatherLoadOp : TileAA_ViewLoadOp<"gather_load"> {
  let summary = "Loads rows of a view, selected by a tensor";
  let description = [{
    (C1) Weak exactly when there is no scope; not release. (C2) Coordinates,
    offsets, bounds facts and value fit the view. (C3) The view is sparse, and
    the number of row indices is the extent of the tile there.

    ```mlir
    %v, %t1 = nv_tileaa.gather_load weak %g[%rows, %x]
              : !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
              [tensor<32xi32>, i32] -> tensor<32x64xf32>
    ```
  }];
}

class TileAA_ViewStoreOp<string mnemonic>
    : TileAA_ViewAccessOp<mnemonic, "Store"> {
  let arguments = !con((ins
    TileAA_NumberTensor:$value,
    TileAA_TiledViewType:$view,
    Variadic<TileAA_Coordinate>:$coords,
    Variadic<I32>:$offsets,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints, TileAA_ViewHints);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $value `,` $view `[` $coords `]`
    (`offsets` `[` $offsets^ `]`)? (`token` $token^)?
    (`in_bounds` `=` $in_bounds^)? attr-dict `:` type($value) `,`
    qualified(type($view)) `[` type($coords) `]`
  }];
}

def TileAA_TiledStoreOp : TileAA_ViewStoreOp<"tiled_store"> {
  let summary = "Stores a tile at given coordinates of a view";
  let description = [{
    Elements outside of the memref are skipped. (C1) Weak exactly when there is
    no scope; not acquire. (C2) Coordinates, offsets, bounds facts and value fit
    the view. (C3) The view is dense.

    ```mlir
    %t1 = nv_tileaa.tiled_store weak %v, %w[%x, %y] token %t0
          : tensor<32x64xf32>, !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>[i32, i32]
    ```
  }];
}

def TileAA_ScatterStoreOp : TileAA_ViewStoreOp<"scatter_store"> {
  let summary = "Stores rows of a view, selected by a tensor";
  let description = [{
    Of several values for one element any one may remain. (C1) Weak exactly when
    there is no scope; not acquire. (C2) Coordinates, offsets, bounds facts and
    value fit the view. (C3) The view is sparse, and the number of row indices
    is the extent of the tile there.

    ```mlir
    %t1 = nv_tileaa.scatter_store weak %v, %g[%rows, %x] token %t0
          : tensor<32x64xf32>, !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
          [tensor<32xi32>, i32]
    ```
  }];
}

def TileAA_TiledAtomicRmwOp : TileAA_ViewAccessOp<"tiled_atomic_rmw", "Rmw"> {
  let summary = "Updates the tile at given coordinates of a view atomically";
  let description = [{
    Elements outside of the memref are skipped. (C1) Relaxed, in scope `tl_blk`
    or `gpu`. (C2) Coordinates, offsets, bounds facts and value fit the view.
    (C3) The view is dense and has no padding. (C4) The mode fits the element
    type.

    ```mlir
    %t1 = nv_tileaa.tiled_atomic_rmw add relaxed gpu %w[%x, %y], %v token %t0
          : !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>[i32, i32],
            tensor<32x64xf32>
    ```
  }];
  let arguments = !con((ins
    TileAA_TiledViewType:$view,
    Variadic<TileAA_Coordinate>:$coords,
    Variadic<I32>:$offsets,
    TileAA_NumberTensor:$value,
    Optional<TileAA_MemTokenType>:$token,
    TileAA_RmwModeAttr:$rmw_mode,
    TileAA_MemSemanticAttr:$mem_semantic,
    OptionalAttr<TileAA_MemScopeAttr>:$mem_scope
  ), TileAA_AccessHints, TileAA_ViewHints);
  let results = (outs Optional<TileAA_NumberTensor>:$old,
                      TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    custom<Keyword>($rmw_mode) custom<MemOrder>($mem_semantic, $mem_scope) $view
    `[` $coords `]` (`offsets` `[` $offsets^ `]`)? `,` $value (`token` $token^)?
    (`in_bounds` `=` $in_bounds^)? attr-dict `:` qualified(type($view)) `[`
    type($coords) `]` `,` type($value) (`->` type($old)^)?
  }];
}

#endif // DIALECTS_NV_TILEAA_OPS_MEMORY_TD
