// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of memory and storage effects, which operations return through
// their interfaces.

#ifndef DIALECTS_NV_TILEAS_STORAGE_H
#define DIALECTS_NV_TILEAS_STORAGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

/// Kind of a memory access.
enum class MemoryKind { Load, Store, Atomic };

/// Proxy of an access to storage: loads and stores of threads, bulk copies and
/// MMAs, tensor memory.
enum class Proxy { Generic, Async, Tensor };

/// Mechanism by which a thread learns that asynchronous work is complete.
enum class AsyncCompletion { CpGroup, BulkGroup, Mbarrier, WgmmaGroup, Umma };

/// `Issue` starts work, `Commit` closes the group of the issued work, `Wait`
/// returns when groups are complete.
enum class AsyncRole { Issue, Commit, Wait };

/// One access of an operation to a buffer.
struct StorageEffect {
  Value buffer;
  bool isWrite = false;
  Proxy proxy = Proxy::Generic;
  /// True if one thread accesses it for all.
  bool isElected = false;
  /// Set for an asynchronous access, which ends at a wait of this kind.
  std::optional<AsyncCompletion> opens = std::nullopt;
};

/// Offset in bytes of the scratch memory of an operation, an i32.
constexpr llvm::StringLiteral getScratchOffsetAttrName() {
  return "nv_tileas.scratch_offset";
}

// Attributes that `tileas-assign-buffers` and `tileas-insert-barriers` set on a
// function: bytes and alignment of its shared memory; all waits are in place.
inline constexpr llvm::StringLiteral kSmemBytesAttr = "nv_tileas.smem_bytes";
inline constexpr llvm::StringLiteral kSmemAlignAttr = "nv_tileas.smem_align";
inline constexpr llvm::StringLiteral kOrderedAttr = "nv_tileas.ordered";

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_STORAGE_H
