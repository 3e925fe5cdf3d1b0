// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_ACCESS_H
#define PASSES_TILEAS_LOWERING_ACCESS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// One access of a thread: `width` consecutive registers from `reg` on.
struct Access {
  int64_t reg;
  mlir::Value ptr;
  /// Null: always.
  mlir::Value predicate;
};

/// List of what a thread does for one memory operation.
struct AccessList {
  llvm::SmallVector<Access> accesses;
  int64_t width = 1;
  unsigned align = 1;
  unsigned space = 1;
  /// True if predicates only stand for promises of the program that are not
  /// relied on: where one is false the emulator says so.
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

/// Addresses and predicates of a tile of a view. `coords` holds one value per
/// dim, or the index of every register for the sparse dim.
AccessList
accessView(Emitter &emitter, mlir::Operation *op,
           mlir::nv_tileaa::TATiledViewType view, mlir::ValueRange viewValues,
           llvm::ArrayRef<mlir::ValueRange> coords,
           llvm::ArrayRef<mlir::Value> offsets, mlir::RankedTensorType tile,
           std::optional<llvm::ArrayRef<bool>> inBounds, int64_t maxBytes = 16);
/// The same for a view whose elements share bytes: the accesses are those of
/// bytes, each for two registers in a row.
AccessList accessPackedView(Emitter &emitter, mlir::Operation *op,
                            mlir::nv_tileaa::TATiledViewType view,
                            mlir::ValueRange viewValues,
                            llvm::ArrayRef<mlir::ValueRange> coords,
                            mlir::RankedTensorType tile,
                            std::optional<llvm::ArrayRef<bool>> inBounds);
/// The dimension of a tile whose elements share bytes, or none that can.
std::optional<unsigned> getPackedDim(mlir::nv_tileaa::TATiledViewType view);
/// `layout`, or one of the same tile whose threads have both elements of a byte
/// along `dim`.
Layout getPackableLayout(const Layout &layout, unsigned dim);
/// The same for a tile of pointers.
AccessList accessPointers(Emitter &emitter, mlir::Operation *op,
                          llvm::ArrayRef<mlir::Value> ptrs,
                          llvm::ArrayRef<mlir::Value> mask,
                          mlir::RankedTensorType ptrTile, mlir::Type element,
                          int64_t maxBytes = 16);

/// Loads every register; `defaults` gives the image in memory (see
/// Emitter::toMemory) of an access whose predicate is false, or null where its
/// values are unspecified.
llvm::SmallVector<mlir::Value>
emitLoads(Emitter &emitter, const AccessList &list, mlir::Type element,
          const AccessModifiers &modifiers,
          llvm::function_ref<mlir::Value(int64_t reg)> defaults);
void emitStores(Emitter &emitter, const AccessList &list, mlir::Type element,
                const AccessModifiers &modifiers,
                llvm::ArrayRef<mlir::Value> values);
/// Stores `values` in shared memory, `width` of them at each of `pointers`, in
/// the threads where `predicate` holds (null: in all). There is no branch: LLVM
/// may merge the blocks of two branches, and copy what comes after them.
void storeShared(Emitter &emitter, mlir::Value predicate,
                 llvm::ArrayRef<mlir::Value> pointers,
                 llvm::ArrayRef<mlir::Value> values, mlir::Type element,
                 int64_t width = 1);

// Multicast memory (Multimem.cpp).

/// Returns whether `op` reaches the copies of several devices.
bool isMultimem(mlir::Operation *op);
/// Returns how a load combines them.
mlir::nv_tileaa::RmwMode getMultimemMode(mlir::Operation *op);
/// Bytes of one access at most.
inline int64_t getMaxBytes(mlir::Operation *op, mlir::Type element) {
  return isMultimem(op) ? std::max<int64_t>(4, getMemoryBits(element) / 8) : 16;
}
llvm::SmallVector<mlir::Value>
emitMultimemLoads(Emitter &emitter, const AccessList &list, mlir::Type element,
                  const AccessModifiers &modifiers,
                  mlir::nv_tileaa::RmwMode mode,
                  llvm::function_ref<mlir::Value(int64_t reg)> defaults);
/// Stores, or combines by `mode`.
void emitMultimemStores(Emitter &emitter, const AccessList &list,
                        mlir::Type element, const AccessModifiers &modifiers,
                        std::optional<mlir::nv_tileaa::RmwMode> mode,
                        llvm::ArrayRef<mlir::Value> values);
/// Reports what of `op` the instructions cannot do.
mlir::LogicalResult checkMultimem(mlir::Operation *op,
                                  mlir::nv_tileaa::TATiledViewType view);

/// Remarks how wide the accesses of `op` are, and what keeps them from being
/// wider: nothing when they are as wide as an instruction can be.
void reportWidth(mlir::Operation *op, const AccessList &list,
                 unsigned elementBits, llvm::StringRef limit);

/// Bits of one element of a padding value.
llvm::APInt getPaddingBits(mlir::nv_tileaa::PaddingValueAttr padding,
                           mlir::Type element);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_ACCESS_H
