// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations that the pattern files of memory share.

#ifndef PASSES_TILEAA_MEMORYPATTERNS_H
#define PASSES_TILEAA_MEMORYPATTERNS_H

#include "passes/tileaa/CudaTileConversion.h"

namespace tileir {

/// A pattern that reads and counts in the state of the conversion.
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

/// Loads, stores, atomics.
void populateAccessPatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            CudaTileConversion &conversion);

} // namespace tileir

#endif // PASSES_TILEAA_MEMORYPATTERNS_H
