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
    The layout, `smem` or `tmem`, describes one stage. `stages` is 0 for an
    unstaged buffer. The extents of the layout are those of the allocation; an
    unstaged buffer may be an aligned part of it, with extents that are powers
    of two and divide the layout's.

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
    /// Returns whether the buffer is whole: its shape is that of its layout.
    bool isWhole() const;
    /// Bytes of one stage of the whole allocation.
    int64_t getStageBytes() const;
    /// Alignment of every stage in bytes: 16, or the period of an address
    /// swizzle (targets: 1024, 512, 256 for the spans of 128, 64, 32 bytes).
    int64_t getAlignment() const;
    /// Byte stride between stages.
    int64_t getStageStride() const;
    /// Bytes of all stages.
    int64_t getTotalBytes() const;
  }];
}

def TileAS_PipelineType : TypeDef<TileAS_Dialect, "Pipeline"> {
  let summary = "multi-buffered pipeline between a producer and its consumers";
  let description = [{
    `depth` slots, each with one buffer of every payload. A pipeline without
    payloads only synchronizes.

    ```mlir
    !nv_tileas.pipeline<4, (buffer<64x64xf16, #smem>, buffer<64x32xf16, #smem>)>
    ```
  }];
  let parameters = (ins
    "int64_t":$depth,
    ArrayRefParameter<"::mlir::Type">:$payloads
  );
  let mnemonic = "pipeline";
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAS_PipelineIteratorType : TypeDef<TileAS_Dialect, "PipelineIterator"> {
  let mnemonic = "pipeline_iterator";
  let summary = "position in a pipeline: a slot and its phase";
  let description = [{
    ```mlir
    !nv_tileas.pipeline_iterator<4>
    ```
  }];
  let parameters = (ins "int64_t":$depth);
  let assemblyFormat = "`<` $depth `>`";
  let genVerifyDecl = 1;
}

def TileAS_MbarrierType : TypeDef<TileAS_Dialect, "Mbarrier"> {
  let mnemonic = "mbarrier";
  let summary = "mbarriers in shared memory, or one of them";
  let description = [{
    `stages` is 0 for one mbarrier.

    ```mlir
    !nv_tileas.mbarrier<[4]>
    !nv_tileas.mbarrier
    ```
  }];
  let parameters = (ins "int64_t":$stages);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isStaged() const { return getStages() != 0; }
    /// Bytes, and alignment, of one mbarrier (PTX ISA, "mbarrier").
    static constexpr int64_t getObjectBytes() { return 8; }
  }];
}

def TileAS_TmaDescType : TypeDef<TileAS_Dialect, "TmaDesc"> {
  let mnemonic = "tma_desc";
  let summary = "tensor map of the tiles of a memory object";
  let description = [{
    Tensor copies move tiles of a memory object in boxes. `box` has the extents
    of a box, for each dimension of the tile; `order` names these dimensions
    from the contiguous one in memory outwards; `swizzle` is the pattern of the
    boxes in shared memory.

    ```mlir
    !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$box,
    "::mlir::Type":$elementType,
    ArrayRefParameter<"int32_t">:$order,
    "::mlir::nv_tileas::TmaSwizzle":$swizzle
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getBox().size(); }
  }];
}

def TileAS_FutureType : TypeDef<TileAS_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "tile that an MMA in flight writes";
  let description = [{
    Registers of an accumulator, which belong to the MMA until a `dot_wait`.

    ```mlir
    !nv_tileas.future<tensor<64x128xf32, #c>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
  let genVerifyDecl = 1;
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
def TileAS_Mbarriers : Type<
    CPred<"::llvm::isa<::mlir::nv_tileas::MbarrierType>($_self) && "
          "::llvm::cast<::mlir::nv_tileas::MbarrierType>($_self).isStaged()">,
    "array of mbarriers", "::mlir::nv_tileas::MbarrierType">;
def TileAS_ProgramId : Type<
    CPred<"::llvm::isa<::mlir::nv_tileaa::ProgramIdType>($_self)">,
    "identity of a tile block", "::mlir::nv_tileaa::ProgramIdType">,
    BuildableType<"$_builder.getType<::mlir::nv_tileaa::ProgramIdType>()">;

def TileAS_OneMbarrier : Type<
    CPred<"::llvm::isa<::mlir::nv_tileas::MbarrierType>($_self) && "
          "!::llvm::cast<::mlir::nv_tileas::MbarrierType>($_self).isStaged()">,
    "mbarrier", "::mlir::nv_tileas::MbarrierType">,
    BuildableType<"::mlir::nv_tileas::MbarrierType::get($_builder.getContext(), 0)">;
def TileAS_MemToken : Type<
    CPred<"::llvm::isa<::mlir::nv_tileaa::MemTokenType>($_self)">,
    "memory token", "::mlir::nv_tileaa::MemTokenType">,
    BuildableType<"::mlir::nv_tileaa::MemTokenType::get($_builder.getContext())">;

def TileAS_Coord : AnyTypeOf<[I32, I64, TileAS_IntTile],
    "i32 or i64 coordinate, a tile in the sparse dimension">;

#endif // DIALECTS_NV_TILEAS_NVTILEASTYPES_TD
