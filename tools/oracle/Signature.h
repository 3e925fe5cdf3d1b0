// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates a case for a kernel from the uses of its arguments.

#ifndef TOOLS_ORACLE_SIGNATURE_H
#define TOOLS_ORACLE_SIGNATURE_H

#include "dialects/cuda_tile/CudaTile.h"

namespace tileir {

/// Returns the text of a case file that launches `entry` of the file `kernel`
/// once.
///
/// A buffer has the extents and strides of the tensor view that the kernel
/// creates from its pointer, with open extents taken from the scalar arguments;
/// a pointer without a view gets 1024 elements. Buffers that the kernel writes
/// are outputs. Scalars that no view uses are 1.
std::string caseOfSignature(mlir::cuda_tile::EntryOp entry,
                            llvm::StringRef kernel, llvm::StringRef arch);

} // namespace tileir

#endif // TOOLS_ORACLE_SIGNATURE_H
