// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations shared by the pattern files of memory.

#ifndef PASSES_TILEAA_PATTERNS_MEMORYPATTERNS_H
#define PASSES_TILEAA_PATTERNS_MEMORYPATTERNS_H

#include "passes/tileaa/CudaTileConversion.h"

namespace tileir {

/// A pattern that uses the state of the conversion and its counters.
template <typename SourceOp>
struct MemoryPattern : mlir::OpConversionPattern<SourceOp> {
  MemoryPattern(const mlir::TypeConverter &converter,
                mlir::MLIRContext *context, CudaTileConversion &conversion)
      : mlir::OpConversionPattern<SourceOp>(converter, context),
        conversion(conversion) {}
  using Adaptor = typename SourceOp::Adaptor;

  mlir::Type convert(mlir::Type type) const {
    return this->getTypeConverter()->convertType(type);
  }

protected:
  CudaTileConversion &conversion;
};

/// Adds the patterns of loads, stores and atomics.
void populateAccessPatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            CudaTileConversion &conversion);

} // namespace tileir

#endif // PASSES_TILEAA_PATTERNS_MEMORYPATTERNS_H
