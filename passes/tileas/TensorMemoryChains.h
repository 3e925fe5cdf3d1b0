// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_TENSORMEMORYCHAINS_H
#define PASSES_TILEAS_TENSORMEMORYCHAINS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Two products of one loop, as attention has them: threads read the result of
/// the first one in each iteration, and the second one adds to a sum that they
/// multiply first. The second one has a factor that threads compute.
struct ProductChain {
  mlir::scf::ForOp loop;
  mlir::nv_tileas::DotOp first, second;
  /// Product that rescales the sum, which the loop carries.
  mlir::arith::MulFOp rescale;
  mlir::BlockArgument sum;
};

/// The chain that `dot` is part of, by its form alone.
std::optional<ProductChain> getProductChain(mlir::nv_tileas::DotOp dot);

/// Returns whether the elements of `tile` are all +0, which products need not
/// add to.
bool isZeroTile(mlir::Value tile);

/// The buffer in shared memory for a factor A that threads have in registers;
/// null when it is too small for one.
mlir::nv_tileas::BufferType getStoredFactor(mlir::Value factor);

/// Bytes that `dot`, the second product or the first one of a chain, takes of
/// shared memory for a factor that threads store.
int64_t getStoredBytes(mlir::nv_tileas::DotOp dot);

/// Parts of one product of a chain: A and B in shared memory, null where
/// threads store A.
struct ChainFactors {
  mlir::Value a, b;
  mlir::nv_tileas::MmaAtomAttr atom;
  /// Results that tensor memory holds at once.
  int64_t stages = 1;
};

/// Lets the unit beside tensor memory make the products of `chain`. The result
/// of the first one is read from there, the sum stays there.
void multiplyChain(ProductChain chain, ChainFactors first, ChainFactors second);

} // namespace tileir

#endif // PASSES_TILEAS_TENSORMEMORYCHAINS_H
