// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that TMA can perform.

#ifndef PASSES_TILEAS_STAGE_TENSORCOPIES_H
#define PASSES_TILEAS_STAGE_TENSORCOPIES_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"
#include "dialects/support/layout/SharedMemory.h"

namespace tileir {

/// Reasons that a user can do something about.
inline constexpr llvm::StringLiteral
    kByPointers = "it uses pointers",
    kRowsGathered = "its rows are gathered one by one",
    kUnknownAtStart =
        "base, sizes or strides of its view are not known when the kernel "
        "starts",
    kUnknownAlign = "nothing is known of its alignment";

/// The tensor map of a TMA copy, and the type of the slot it fills.
struct TensorCopy {
  mlir::nv_tileas::TmaDescType desc;
  mlir::nv_tileas::BufferType slot;
};

/// Swizzles of MMA operands in shared memory, the best one first.
llvm::SmallVector<Swizzle> getOperandSwizzles(bool hasWideChunks);

/// Returns how TMA can perform `access`, a load or a store, on `target`, if its
/// elements arrive as `element`: their type in memory, or tf32 for f32, to
/// which a load rounds. Rows have the first of `swizzles` that fits. With
/// `halvedDim` it copies half of the tile along that dimension. None if it
/// cannot; `reason` says why.
std::optional<TensorCopy>
findTensorCopy(mlir::Operation *access, mlir::Type element,
               llvm::ArrayRef<Swizzle> swizzles, const Target &target,
               std::string &reason,
               std::optional<unsigned> halvedDim = std::nullopt);

/// A load or a store of a tile of a view.
struct TileAccess {
  TileAccess(mlir::nv_tileas::TiledLoadOp load)
      : op(load), view(load.getView()), coords(load.getCoords()),
        allowTma(load.getAllowTma()) {}
  TileAccess(mlir::nv_tileas::TiledStoreOp store)
      : op(store), view(store.getView()), coords(store.getCoords()),
        allowTma(store.getAllowTma()) {}

  mlir::Operation *op;
  mlir::TypedValue<mlir::nv_tileaa::TATiledViewType> view;
  mlir::OperandRange coords;
  /// The hint; none without one.
  std::optional<bool> allowTma;
};

/// The map of `copy` for the view of `access`, at the entry of the function,
/// which stops where a size that nothing bounds is too large for coordinates.
mlir::Value makeTensorMap(const TileAccess &access, const TensorCopy &copy);

/// Emits the element at which the tile of `access` begins, for each dimension:
/// an i32 below the size of the dimension exactly when the tile begins there.
llvm::SmallVector<mlir::Value> emitElementCoords(mlir::OpBuilder &builder,
                                                 const TileAccess &access);

/// A pipeline of one slot with a TMA copy in flight.
struct CopyPipeline {
  mlir::Value pipeline, consumer, buffer;
};

/// Starts `copy` at the place of `load`, for a consumer of kind `reader`. Users
/// of the token of `load` wait for the tokens that it waited for; the caller
/// replaces its tile.
CopyPipeline createCopyPipeline(mlir::nv_tileas::TiledLoadOp load,
                                const TensorCopy &copy,
                                mlir::nv_tileas::PipelineConsumer reader);

} // namespace tileir

#endif // PASSES_TILEAS_STAGE_TENSORCOPIES_H
