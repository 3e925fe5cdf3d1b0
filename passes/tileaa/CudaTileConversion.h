// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CUDATILECONVERSION_H
#define PASSES_TILEAA_CUDATILECONVERSION_H

#include "dialects/support/Target.h"

#include "mlir/Transforms/DialectConversion.h"

namespace mlir::cuda_tile {
class OptimizationHintsAttr;
} // namespace mlir::cuda_tile

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace tileir {

/// State of the conversion of one `gpu.module`. The counters are plain numbers
/// because the patterns of one module run on one thread.
struct CudaTileConversion {
  explicit CudaTileConversion(Target target) : target(target) {}

  Target target;
  /// Chip name without suffix, the key of optimization hints.
  std::string chip;
  unsigned numWarps = 4;
  unsigned numCtas = 1;
  /// True if a hint or an option fixes these numbers.
  bool fixedWarps = false;
  bool fixedCtas = false;
  bool strictHints = false;
  bool keepAssumes = true;

  unsigned numHintsApplied = 0;
  unsigned numHintsIgnored = 0;
  unsigned numAssumes = 0;
  unsigned numLoopsRestructured = 0;
  unsigned numExitTests = 0;
  unsigned numSingleTrips = 0;
};

/// Converts types of `cuda_tile` to builtin and `nv_tileaa` types.
class CudaTileTypeConverter final : public mlir::TypeConverter {
public:
  CudaTileTypeConverter();
};

/// Adds the patterns of all operations of `cuda_tile`.
void populateCudaTileToTileAAPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns,
                                      CudaTileConversion &conversion);

/// Reports every operation under `root` that this target does not support, at
/// the user's operations. Changes nothing.
llvm::LogicalResult verifyConvertible(mlir::Operation *root,
                                      CudaTileConversion &conversion);

/// Moves every exit of a loop or entry that is nested in an `if` to the end of
/// the construct's own block. The result is `cuda_tile` again, with `ub.poison`
/// for values without readers. A `loop` then ends with `if %go { continue }
/// else { break }` before its terminator; a `loop` without `continue` is
/// replaced by its body.
void normalizeEarlyExits(mlir::Operation *root, CudaTileConversion &conversion);

/// Loads 4-bit operands of a scaled MMA as bytes of two elements along K, where
/// lines of memory are whole bytes. The result is `cuda_tile` again.
void loadNibblesAsBytes(mlir::Operation *root);

/// Loads a single element where a sum over a loaded row selects it by its
/// index: `reduce add (select (iota == i), row, 0)`. The result is `cuda_tile`
/// again.
void loadGatheredElements(mlir::Operation *root);

/// Wraps each `cuda_tile.module` directly under `module` into a `gpu.module` of
/// the same name, made unique by a number.
void wrapTileModules(mlir::Operation *module);

/// Rewrites the locations of `cuda_tile` under `root` to LLVM debug scopes.
void convertDebugLocations(mlir::Operation *root);

/// Copies the discardable attributes of `from` that later levels keep.
void copyDiscardableAttrs(mlir::Operation *from, mlir::Operation *to);

} // namespace tileir

#endif // PASSES_TILEAA_CUDATILECONVERSION_H
