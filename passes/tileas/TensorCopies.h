// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that the unit which reads tensor maps may perform.

#ifndef PASSES_TILEAS_TENSORCOPIES_H
#define PASSES_TILEAS_TENSORCOPIES_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"
#include "dialects/support/layout/SharedMemory.h"

namespace tileir {

/// Reasons that a user can do something about.
inline constexpr llvm::StringLiteral
    kByPointers = "it goes by pointers",
    kMadeLate = "its memory object is not made at the entry of the kernel",
    kUnknownSize = "a size is not known to be below 2^31",
    kUnknownAlign = "nothing is known of its alignment";

/// The map of a tensor copy, and the form of what it fills.
struct TensorCopy {
  mlir::nv_tileas::TmaDescType desc;
  mlir::nv_tileas::BufferType slot;
};

/// Swizzles of tiles that units read, the best one first.
llvm::SmallVector<Swizzle> getUnitSwizzles(bool hasWideChunks);

/// Returns how `load` can be a tensor copy on `target` whose elements arrive as
/// `element`: the type that they have in memory, or tf32 for f32, to which the
/// copy rounds. Its lines get the first of `swizzles` that fits. None when it
/// cannot; `reason` says why.
std::optional<TensorCopy> findTensorCopy(mlir::Operation *load,
                                         mlir::Type element,
                                         llvm::ArrayRef<Swizzle> swizzles,
                                         const Target &target,
                                         std::string &reason);

/// The map of `copy` for the view of `load`, at the entry of the function.
mlir::Value makeTensorMap(mlir::nv_tileas::TiledLoadOp load,
                          const TensorCopy &copy);

/// Emits the element at which the tile of `load` begins, for each dimension: an
/// i32 below the size of the dimension exactly when the tile begins there.
llvm::SmallVector<mlir::Value>
emitElementCoords(mlir::OpBuilder &builder, mlir::nv_tileas::TiledLoadOp load);

} // namespace tileir

#endif // PASSES_TILEAS_TENSORCOPIES_H
