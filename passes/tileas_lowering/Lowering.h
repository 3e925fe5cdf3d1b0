// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of the conversion, and their shared helpers.

#ifndef PASSES_TILEAS_LOWERING_LOWERING_H
#define PASSES_TILEAS_LOWERING_LOWERING_H

#include "passes/tileas_lowering/Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tileir::lowering {

/// Converts tiles to the packed registers of a thread, memrefs and views to
/// base, dynamic sizes and dynamic strides, and drops memory tokens.
class TileTypeConverter : public mlir::TypeConverter {
public:
  explicit TileTypeConverter(mlir::MLIRContext *context);
};

/// Base class of the patterns of this pass.
template <typename OpTy>
class TilePattern : public mlir::OpConversionPattern<OpTy> {
public:
  using OneToNOpAdaptor =
      typename mlir::OpConversionPattern<OpTy>::OneToNOpAdaptor;

  TilePattern(const TileTypeConverter &converter, mlir::MLIRContext *context,
              const LoweringState &state)
      : mlir::OpConversionPattern<OpTy>(converter, context), state(state) {}

protected:
  const LoweringState &state;
  const TileTypeConverter &types() const {
    return *static_cast<const TileTypeConverter *>(this->getTypeConverter());
  }
};

/// Emits remarks on the instructions that load, store and multiply the tiles in
/// `module`.
void reportInstructions(mlir::Operation *module);
/// Emits a remark that `op` moves a tile of `type` between threads, and how.
void reportConversion(mlir::Operation *op, llvm::StringRef way,
                      mlir::RankedTensorType type);

/// Returns whether NVPTX converts `op`, between integers and floats,
/// incorrectly; the patterns below convert it on scalars, too.
bool isWrongInNVPTX(mlir::Operation *op);

/// Patterns by subject, each in its own source file.
using PopulatePatterns = void(mlir::RewritePatternSet &patterns,
                              const TileTypeConverter &converter,
                              const LoweringState &state);
PopulatePatterns populateAllocaPatterns, populateAsyncPatterns,
    populateAtomicPatterns, populateBufferPatterns, populateControlPatterns,
    populateConvertLayoutPatterns, populateDotPatterns,
    populateElementwisePatterns, populateFloatConversionPatterns,
    populateFunctionPatterns, populateLaunchControlPatterns,
    populateMbarrierPatterns, populateMemoryPatterns, populatePointerPatterns,
    populateReducePatterns, populateSlicePatterns, populateTensorMemoryPatterns,
    populateTilePatterns, populateTmaPatterns, populateWarpgroupPatterns;

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_LOWERING_H
