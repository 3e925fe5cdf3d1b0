// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized kernels. A seed gives one module and one case for it, the same on
// every machine. The module is well formed, small, and, as far as the generator
// can see, free of undefined behaviour; the oracle has the last word.

#ifndef TOOLS_TILEIR_CHECK_GENERATOR_H
#define TOOLS_TILEIR_CHECK_GENERATOR_H

#include "tools/cases/Case.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace tileir::check {

/// Contents of randomized kernels.
enum class Kind {
  /// Operations of all kinds.
  Mixed,
  /// Control flow that depends on scalars from memory: loads, atomics,
  /// reductions.
  Steered,
};

struct RandomKernel {
  mlir::OwningOpRef<mlir::cuda_tile::ModuleOp> module;
  /// The case, whose kernel is `kernel.tileirbc`.
  std::string caseText;
  /// Contents of buffers that no init of the case format generates.
  std::vector<std::pair<std::string, cases::NpyArray>> files;
};

/// Generates the kernel of `seed`; `context` has the dialect.
RandomKernel generateKernel(uint64_t seed, Kind kind,
                            mlir::MLIRContext *context);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_GENERATOR_H
