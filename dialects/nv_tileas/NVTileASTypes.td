// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASTYPES_TD
#define DIALECTS_NV_TILEAS_NVTILEASTYPES_TD

include "dialects/nv_tileaa/NVTileAAEnums.td"
include "dialects/nv_tileas/NVTileASAttrs.td"
include "dialects/nv_tileas/NVTileASInterfaces.td"

def TileAS_BufferType : TypeDef<TileAS_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "mutable on-chip storage of a tile";
  let description = [{
    The layout, `smem` or `tmem`, describes one stage. `stages` is 0 for a
    buffer that is not staged.

    ```mlir
    !nv_tileas.buffer<64x64xf16, #smem>
    !nv_tileas.buffer<[3] 64x64xf16, #smem>
    ```
  }];
  let parameters = (ins
    "int64_t":$stages,
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::nv_tileas::LayoutAttr":$layout
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    bool isStaged() const { return getStages() != 0; }
    ::tileir::LayoutSpace getSpace() const { return getLayout().getSpace(); }
  }];
}

// Element types of a tile (tf32 is stored as f32, i1 as a byte in memory).
def TileAS_TileElement : Type<
    CPred<"::mlir::nv_tileas::isTileElementType($_self)">,
    "tile element type">;

def TileAS_Tile : Type<And<[
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
    CPred<"::mlir::nv_tileas::getTileLayout($_self)">]>,
    "tile with a register layout", "::mlir::RankedTensorType">;

def TileAS_TileOrScalar : AnyTypeOf<[TileAS_Tile, TileAS_TileElement],
    "tile with a register layout or scalar">;

class TileAS_TileOf<string predicate, string summary> : Type<
    CPred<"::mlir::nv_tileas::isTileOrScalarOf($_self, [](::mlir::Type element)"
          " { return " # predicate # "; })">, summary>;

def TileAS_IntTile : TileAS_TileOf<
    "::llvm::isa<::mlir::IntegerType, ::mlir::IndexType>(element)",
    "integer tile or scalar">;
def TileAS_BoolTile : TileAS_TileOf<
    "element.isInteger(1)", "i1 tile or scalar">;
def TileAS_FloatTile : TileAS_TileOf<
    "::llvm::isa<::mlir::FloatType>(element)", "float tile or scalar">;
def TileAS_PtrTile : TileAS_TileOf<
    "::llvm::isa<::mlir::nv_tileaa::TAPointerType>(element)",
    "pointer tile or scalar">;

def TileAS_Ptr : Type<
    CPred<"::llvm::isa<::mlir::nv_tileaa::TAPointerType>($_self)">,
    "pointer", "::mlir::nv_tileaa::TAPointerType">;
def TileAS_MemRef : Type<
    CPred<"::llvm::isa<::mlir::nv_tileaa::TAMemRefType>($_self)">,
    "strided memory object", "::mlir::nv_tileaa::TAMemRefType">;
def TileAS_View : Type<
    CPred<"::llvm::isa<::mlir::nv_tileaa::TATiledViewType>($_self)">,
    "tiled view", "::mlir::nv_tileaa::TATiledViewType">;
def TileAS_MemToken : Type<
    CPred<"::llvm::isa<::mlir::nv_tileaa::MemTokenType>($_self)">,
    "memory token", "::mlir::nv_tileaa::MemTokenType">,
    BuildableType<"::mlir::nv_tileaa::MemTokenType::get($_builder.getContext())">;

def TileAS_Coord : AnyTypeOf<[I32, I64, TileAS_IntTile],
    "i32 or i64 coordinate, a tile in the sparse dimension">;

#endif // DIALECTS_NV_TILEAS_NVTILEASTYPES_TD
