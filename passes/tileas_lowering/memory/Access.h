// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_MEMORY_ACCESS_H
#define PASSES_TILEAS_LOWERING_MEMORY_ACCESS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// One access of a thread: `width` consecutive registers from `reg` on.
struct Access {
  int64_t reg;
  mlir::Value ptr;
  /// Null: unconditional.
  mlir::Value predicate;
};

/// The accesses of a thread for one memory operation.
struct AccessList {
  llvm::SmallVector<Access> accesses;
  int64_t width = 1;
  unsigned align = 1;
  unsigned space = 1;
  /// True if the predicates only restate guarantees of the program that the
  /// code does not rely on: the emulator reports a false one.
  bool isPromised = false;
};

/// Modifiers of the instruction.
struct AccessModifiers {
  mlir::nv_tileaa::MemSemantic semantic = mlir::nv_tileaa::MemSemantic::Weak;
  std::optional<mlir::nv_tileaa::MemScope> scope;
  bool isVolatile = false;
  bool invariant = false;
  std::optional<mlir::nv_tileaa::CacheModifier> cache;
  std::optional<mlir::nv_tileaa::EvictionPolicy> eviction;

  bool isPlain() const;
  bool isWeak() const { return semantic == mlir::nv_tileaa::MemSemantic::Weak; }
};

template <typename OpTy> AccessModifiers getModifiers(OpTy op) {
  AccessModifiers modifiers;
  modifiers.semantic = op.getMemSemantic();
  modifiers.scope = op.getMemScope();
  modifiers.isVolatile = op.getIsVolatile();
  modifiers.cache = op.getCacheModifier();
  modifiers.eviction = op.getEvictionPolicy();
  return modifiers;
}

/// PTX names.
llvm::StringRef getScopeName(mlir::nv_tileaa::MemScope scope,
                             const Target &target);
llvm::StringRef getSpaceName(unsigned space);

/// Returns addresses and predicates of a tile of a view. `coords` holds one
/// value per dim, or the index of every register for the sparse dim.
AccessList
accessView(Emitter &emitter, mlir::Operation *op,
           mlir::nv_tileaa::TATiledViewType view, mlir::ValueRange viewValues,
           llvm::ArrayRef<mlir::ValueRange> coords,
           llvm::ArrayRef<mlir::Value> offsets, mlir::RankedTensorType tile,
           std::optional<llvm::ArrayRef<bool>> inBounds, int64_t maxBytes = 16);
/// Like `accessView`, for a view whose elements share bytes: each access moves
/// bytes, each byte for two consecutive registers.
AccessList accessPackedView(Emitter &emitter, mlir::Operation *op,
                            mlir::nv_tileaa::TATiledViewType view,
                            mlir::ValueRange viewValues,
                            llvm::ArrayRef<mlir::ValueRange> coords,
                            mlir::RankedTensorType tile,
                            std::optional<llvm::ArrayRef<bool>> inBounds);
/// Returns the dimension along which elements of a tile share bytes, or none if
/// they cannot.
std::optional<unsigned> getPackedDim(mlir::nv_tileaa::TATiledViewType view);
/// Returns `layout`, or a layout of the same tile whose threads hold both
/// elements of a byte along `dim`.
Layout getPackableLayout(const Layout &layout, unsigned dim);
/// Like `accessView`, for a tile of pointers.
AccessList accessPointers(Emitter &emitter, mlir::Operation *op,
                          llvm::ArrayRef<mlir::Value> ptrs,
                          llvm::ArrayRef<mlir::Value> mask,
                          mlir::RankedTensorType ptrTile, mlir::Type element,
                          int64_t maxBytes = 16);

/// Loads every register. `defaults` gives the memory image (see
/// Emitter::toMemory) of an access whose predicate is false, or null if its
/// values are unspecified.
llvm::SmallVector<mlir::Value>
emitLoads(Emitter &emitter, const AccessList &list, mlir::Type element,
          const AccessModifiers &modifiers,
          llvm::function_ref<mlir::Value(int64_t reg)> defaults);
void emitStores(Emitter &emitter, const AccessList &list, mlir::Type element,
                const AccessModifiers &modifiers,
                llvm::ArrayRef<mlir::Value> values);
/// Stores `values` to shared memory, `width` of them at each of `pointers`, in
/// the threads where `predicate` holds (null: all). The store is predicated,
/// without a branch: LLVM may merge the blocks of two branches and duplicate
/// the code after them.
void storeShared(Emitter &emitter, mlir::Value predicate,
                 llvm::ArrayRef<mlir::Value> pointers,
                 llvm::ArrayRef<mlir::Value> values, mlir::Type element,
                 int64_t width = 1);

// Multicast memory (Multimem.cpp).

/// Returns whether `op` accesses the copies of several devices.
bool isMultimem(mlir::Operation *op);
/// Returns the operation by which a load combines the copies.
mlir::nv_tileaa::RmwMode getMultimemMode(mlir::Operation *op);
/// Returns the maximum bytes of one access.
inline int64_t getMaxBytes(mlir::Operation *op, mlir::Type element) {
  return isMultimem(op) ? std::max<int64_t>(4, getMemoryBits(element) / 8) : 16;
}
llvm::SmallVector<mlir::Value>
emitMultimemLoads(Emitter &emitter, const AccessList &list, mlir::Type element,
                  const AccessModifiers &modifiers,
                  mlir::nv_tileaa::RmwMode mode,
                  llvm::function_ref<mlir::Value(int64_t reg)> defaults);
/// Stores, or reduces by `mode`.
void emitMultimemStores(Emitter &emitter, const AccessList &list,
                        mlir::Type element, const AccessModifiers &modifiers,
                        std::optional<mlir::nv_tileaa::RmwMode> mode,
                        llvm::ArrayRef<mlir::Value> values);
/// Reports properties of `op` that the instructions do not support.
mlir::LogicalResult checkMultimem(mlir::Operation *op,
                                  mlir::nv_tileaa::TATiledViewType view);

/// Emits a remark on the width of the accesses of `op` and on the limiting
/// property; none if the accesses have full width.
void reportWidth(mlir::Operation *op, const AccessList &list,
                 unsigned elementBits, llvm::StringRef limit);

/// Returns the bits of one element of a padding value.
llvm::APInt getPaddingBits(mlir::nv_tileaa::PaddingValueAttr padding,
                           mlir::Type element);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MEMORY_ACCESS_H
