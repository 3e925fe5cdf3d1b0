// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_BYTECODE_H
#define DIALECTS_CUDA_TILE_BYTECODE_BYTECODE_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/cuda_tile/bytecode/Versions.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>

namespace tileir {

/// Returns whether `bytes` begin with the magic number. Nothing else is looked
/// at.
bool isTileIRBytecode(llvm::StringRef bytes);

/// Returns whether `bytes` begin with the magic number of MLIR's own bytecode.
bool isMLIRBytecode(llvm::StringRef bytes);

/// Returns the size in bytes of the file that begins at `bytes`, for who has no
/// more than its address: the headers of the sections tell. Nothing if it is no
/// Tile IR bytecode or a header is wrong; what sections hold is not looked at.
/// A length is believed as long as memory could hold it. Reports no errors.
std::optional<size_t> getBytecodeSize(const char *bytes);

/// Returns what to tell a user whose input is not Tile IR bytecode.
std::string notTileIRBytecodeMessage(llvm::StringRef bytes);

/// Reads and verifies a module. Null after errors, which go to the diagnostic
/// handlers of `context`; the innermost fault comes first, then the stages that
/// enclose it. Loads the dialect into `context`. The newest release decides
/// what is valid, here only: who verifies the module again, as passes and the
/// printer do, says so to the dialect (`setFollowsNewestRelease`).
/// `fileVersion`, if given, gets the version that the header names.
mlir::OwningOpRef<mlir::cuda_tile::ModuleOp>
readBytecode(llvm::MemoryBufferRef buffer, mlir::MLIRContext *context,
             BytecodeVersion *fileVersion = nullptr);

/// Writes `module` in `version` as the reference writer does, byte for byte.
/// Fails, after an error at the operation, when the version lacks something.
mlir::LogicalResult writeBytecode(mlir::cuda_tile::ModuleOp module,
                                  BytecodeVersion version,
                                  llvm::raw_ostream &os);

/// The oldest supported version that `module` can be written in. Fails, after
/// errors, when there is none.
mlir::FailureOr<BytecodeVersion>
minimumBytecodeVersion(mlir::cuda_tile::ModuleOp module);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_BYTECODE_H
