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
  /// True if somebody asked for these numbers.
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

/// Types of `cuda_tile` in terms of builtin and `nv_tileaa` ones.
class CudaTileTypeConverter final : public mlir::TypeConverter {
public:
  CudaTileTypeConverter();
};

/// Group A: arithmetic, comparison, conversion, shape, control flow.
void populateCudaTileToTileAAComputePatterns(
    const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
/// Group B: pointers, views, tokens, accesses, globals, entries.
void populateCudaTileToTileAAMemoryPatterns(
    const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
    CudaTileConversion &conversion);
/// Group C: matrix multiplication, reductions, scans.
void populateCudaTileToTileAASpecialistPatterns(
    const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);

/// Reports what `root` holds and this target cannot take, all of it, at the
/// user's operations. Changes nothing.
llvm::LogicalResult verifyConvertible(mlir::Operation *root,
                                      CudaTileConversion &conversion);

/// Moves every exit of a loop or entry that stands inside an `if` to the end
/// of the construct's own block. From `cuda_tile` to `cuda_tile`, and
/// `ub.poison` for values that nobody reads. A `loop` then ends with
/// `if %go { continue } else { break }` before its terminator; a `loop` without
/// `continue` is replaced by its body.
void normalizeEarlyExits(mlir::Operation *root, CudaTileConversion &conversion);

/// Loads factors of four bits with scales as the bytes that two of them share
/// along K, where lines of memory are whole bytes. From `cuda_tile` to
/// `cuda_tile`.
void loadNibblesAsBytes(mlir::Operation *root);

/// Loads an element alone where a sum over a loaded row picks it by its index:
/// `reduce add (select (iota == i), row, 0)`. From `cuda_tile` to `cuda_tile`.
void loadPickedElements(mlir::Operation *root);

/// Wraps each `cuda_tile.module` directly under `module` into a `gpu.module` of
/// its name, made unique by a number.
void wrapTileModules(mlir::Operation *module);

/// Rewrites the locations of `cuda_tile` under `root` to LLVM debug scopes.
void convertDebugLocations(mlir::Operation *root);

/// Copies the discardable attributes of `from` that later levels may keep.
void copyDiscardableAttrs(mlir::Operation *from, mlir::Operation *to);

} // namespace tileir

#endif // PASSES_TILEAA_CUDATILECONVERSION_H
