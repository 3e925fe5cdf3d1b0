// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that operations give about memory and storage through their interfaces.

#ifndef DIALECTS_NV_TILEAS_STORAGE_H
#define DIALECTS_NV_TILEAS_STORAGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

/// Kind of what an access does to memory.
enum class MemoryKind { Load, Store, Atomic };

/// The way that an access takes to storage: loads and stores of threads, the
/// engines for bulk copies and products, tensor memory.
enum class Proxy { Generic, Async, Tensor };

/// By what a thread knows that asynchronous work is done.
enum class AsyncCompletion { CpGroup, BulkGroup, Mbarrier, WgmmaGroup, Umma };

/// `Issue` starts work, `Commit` closes the group of what was issued, `Wait`
/// returns when groups are done.
enum class AsyncRole { Issue, Commit, Wait };

/// One access of an operation to a buffer.
struct StorageEffect {
  Value buffer;
  bool isWrite = false;
  Proxy proxy = Proxy::Generic;
  /// Done by one thread for all.
  bool isElected = false;
  /// Goes on behind the operation, until a wait of this kind.
  std::optional<AsyncCompletion> opens = std::nullopt;
};

/// Offset in bytes of the storage that an operation has while it runs, an i32.
constexpr llvm::StringLiteral getScratchOffsetAttrName() {
  return "nv_tileas.scratch_offset";
}

// Attributes that `tileas-assign-buffers` and `tileas-insert-barriers` give a
// function: bytes and alignment of its shared memory; all waits are in place.
inline constexpr llvm::StringLiteral kSmemBytesAttr = "nv_tileas.smem_bytes";
inline constexpr llvm::StringLiteral kSmemAlignAttr = "nv_tileas.smem_align";
inline constexpr llvm::StringLiteral kOrderedAttr = "nv_tileas.ordered";

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_STORAGE_H
