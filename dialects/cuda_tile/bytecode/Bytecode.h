// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_BYTECODE_H
#define DIALECTS_CUDA_TILE_BYTECODE_BYTECODE_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/cuda_tile/bytecode/Versions.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>

namespace tileir {

/// Returns whether `bytes` begin with the magic number. Checks nothing else.
bool isTileIRBytecode(llvm::StringRef bytes);

/// Returns whether `bytes` begin with the magic number of MLIR's own bytecode.
bool isMLIRBytecode(llvm::StringRef bytes);

/// Returns the size in bytes of the file that begins at `bytes`, for callers
/// that only have its address: the headers of the sections give it. Returns
/// nothing if it is no Tile IR bytecode or a header is wrong; the contents of
/// sections are not checked. A length is accepted if memory could hold it.
/// Reports no errors.
std::optional<size_t> getBytecodeSize(const char *bytes);

/// Returns the error for input other than Tile IR bytecode.
std::string notTileIRBytecodeMessage(llvm::StringRef bytes);

/// Reads and verifies a module. Returns null after errors, which go to the
/// diagnostic handlers of `context`; the innermost fault comes first, then the
/// enclosing stages. Loads the dialect into `context`. Here the newest release
/// decides what is valid; code that verifies the module again, such as passes
/// and the printer, must call `setFollowsNewestRelease` of the dialect.
/// `fileVersion`, if given, gets the version in the header.
mlir::OwningOpRef<mlir::cuda_tile::ModuleOp>
readBytecode(llvm::MemoryBufferRef buffer, mlir::MLIRContext *context,
             BytecodeVersion *fileVersion = nullptr);

/// Writes `module` in `version` as the reference writer does, byte for byte.
/// Fails, after an error at the operation, when the version lacks a feature.
mlir::LogicalResult writeBytecode(mlir::cuda_tile::ModuleOp module,
                                  BytecodeVersion version,
                                  llvm::raw_ostream &os);

/// Returns the oldest supported version that can hold `module`. Fails, after
/// errors, when there is none.
mlir::FailureOr<BytecodeVersion>
minimumBytecodeVersion(mlir::cuda_tile::ModuleOp module);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_BYTECODE_H
