// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds LLVM operations.

#ifndef PASSES_TILEAS_LOWERING_EMITTER_H
#define PASSES_TILEAS_LOWERING_EMITTER_H

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"
#include "dialects/support/Target.h"
#include "dialects/support/layout/Conversion.h"
#include "dialects/support/layout/Layout.h"
#include "dialects/support/layout/Packing.h"
#include "dialects/support/layout/SharedMemory.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/PtxBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tileir::lowering {

/// Properties of a function before its body is lowered.
struct FunctionInfo {
  /// The warps of the emitter's scope.
  unsigned numWarps = 4;
  int64_t smemBytes = 0;
  int64_t smemAlign = 16;
  std::string smemSymbol;
};

/// State that all patterns share.
struct LoweringState {
  LoweringState(mlir::Operation *module, Target target)
      : module(module), target(target) {}

  /// Records that an instruction of `feature` is emitted.
  void note(Feature feature) const { noteFeature(module, target, feature); }

  mlir::Operation *module;
  Target target;
  unsigned indexBits = 32;
  /// Keyed by the name of the function.
  llvm::StringMap<FunctionInfo> functions;
};

/// Returns a name that no symbol of `module` has.
std::string freeSymbol(mlir::Operation *module, llvm::StringRef stem);

/// Returns the LLVM type of one element in registers.
mlir::Type getRegisterType(mlir::Type element);

/// Returns whether two elements of views share a byte.
bool isPackedInViews(mlir::Type element);

inline Layout getLayout(mlir::Type tile) {
  return mlir::nv_tileas::getTileLayout(tile).getLayout();
}
using mlir::nv_tileas::isTile;
/// Returns how the elements of a tile are packed into words: 32-bit registers
/// of two halves or four bytes, or one wider element.
Packing getTilePacking(mlir::RankedTensorType type);

/// Builds LLVM operations for one pattern at the rewriter's insertion point.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Operation *op,
          const LoweringState &state);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const LoweringState &state;

  // Types and constants.
  mlir::MLIRContext *context() const { return builder.getContext(); }
  mlir::Type intType(unsigned bits) const {
    return builder.getIntegerType(bits);
  }
  mlir::Type ptrType(unsigned space) const {
    return mlir::LLVM::LLVMPointerType::get(context(), space);
  }
  mlir::Value constant(unsigned bits, int64_t value);
  mlir::Value i32(int64_t value) { return constant(32, value); }
  mlir::Value i64(int64_t value) { return constant(64, value); }
  mlir::Value poison(mlir::Type type);
  static std::optional<int64_t> constantOf(mlir::Value value);

  // Integer arithmetic; identity operations are folded.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value mulConst(mlir::Value a, int64_t factor);
  mlir::Value andConst(mlir::Value a, int64_t mask);
  mlir::Value umin(mlir::Value a, int64_t limit);
  mlir::Value xorValues(mlir::Value a, mlir::Value b);
  mlir::Value xorConst(mlir::Value a, int64_t mask);
  mlir::Value shlConst(mlir::Value a, unsigned amount);
  mlir::Value shrConst(mlir::Value a, unsigned amount);
  mlir::Value andBits(mlir::Value a,
                      mlir::Value b); // i1 conjunction, null = true
  mlir::Value icmp(mlir::LLVM::ICmpPredicate predicate, mlir::Value a,
                   mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// Extends or truncates an integer.
  mlir::Value resize(mlir::Value value, unsigned bits, bool isSigned = false);
  mlir::Value bitcast(mlir::Value value, mlir::Type type);

  // The thread, in the scope that executes the built operations.
  ExecScope execScope() const;
  unsigned numWarps() const { return info.numWarps; }
  /// The index of the thread in its scope.
  mlir::Value tid() const { return threadId; }
  mlir::Value lane();
  /// Returns in all lanes of a warp whether `predicate` holds in one of them.
  mlir::Value anyLane(mlir::Value predicate);
  /// Applies a linear function to the bits of the thread index: `columns[i]` is
  /// the image of bit i (bits 0 to 4 are the lane, the rest is the warp).
  mlir::Value linearOfThread(llvm::ArrayRef<uint64_t> columns);
  /// Applies a linear function to the bits of any i32.
  mlir::Value linearOf(mlir::Value source, llvm::ArrayRef<uint64_t> columns);
  mlir::Value linearOfLane(const LinearMap &map);
  /// Returns the thread's share of the row-major index of its elements in
  /// `layout`; XOR with `layout.applyFlat(reg)` gives the index of register
  /// `reg`.
  mlir::Value rowMajorOfThread(const Layout &layout);
  /// Returns whether all thread bits of `mask` are clear; null if `mask` is 0.
  mlir::Value threadBitsClear(uint64_t mask);
  /// Returns a predicate that is true in exactly one of the threads that hold
  /// copies of the same element; null if there are no copies.
  mlir::Value ownsElements(const Layout &layout);

  // Tiles.
  llvm::SmallVector<mlir::Value> unpack(mlir::ValueRange words,
                                        mlir::RankedTensorType type);
  llvm::SmallVector<mlir::Value> pack(llvm::ArrayRef<mlir::Value> elements,
                                      mlir::RankedTensorType type);
  /// Returns one vector of scalars, or the scalar itself.
  mlir::Value packVector(llvm::ArrayRef<mlir::Value> elements);
  mlir::Value extract(mlir::Value vector, unsigned index);
  /// Converts consecutive elements to their memory image, a scalar or a vector
  /// of i32 or i64, and back.
  mlir::Value toMemory(llvm::ArrayRef<mlir::Value> elements,
                       mlir::Type element);
  llvm::SmallVector<mlir::Value> fromMemory(mlir::Value image, unsigned count,
                                            mlir::Type element);
  /// Converts the pieces of a vector image to elements.
  llvm::SmallVector<mlir::Value> fromMemory(llvm::ArrayRef<mlir::Value> parts,
                                            unsigned count, mlir::Type element);
  /// Returns the type of the memory image.
  mlir::Type memoryType(unsigned count, mlir::Type element);
  /// Joins pairs of 4-bit elements into bytes, the first one low, and splits
  /// them.
  llvm::SmallVector<mlir::Value>
  joinNibbles(llvm::ArrayRef<mlir::Value> halves);
  llvm::SmallVector<mlir::Value>
  splitNibbles(llvm::ArrayRef<mlir::Value> bytes);
  /// Returns a builder of inline PTX at the insertion point.
  PtxBuilder ptx(PtxEffects effects = PtxEffects::Some) {
    return PtxBuilder(builder, loc, effects);
  }
  /// Returns a builder of inline PTX with an instruction of `feature`.
  PtxBuilder ptx(PtxEffects effects, Feature feature) {
    state.note(feature);
    return ptx(effects);
  }
  /// Converts an element to the raw integer of its register bits and back, for
  /// shuffles.
  mlir::Value toBits(mlir::Value element);
  mlir::Value fromBits(mlir::Value bits, mlir::Type type);
  /// Moves a value of any width through `shfl.sync`.
  mlir::Value shuffle(mlir::NVVM::ShflKind kind, mlir::Value value,
                      mlir::Value lane);

  // Memory.
  mlir::Value smemPtr(int64_t offset);
  mlir::Value gep(mlir::Value ptr, mlir::Value byteOffset);
  mlir::Value gepConst(mlir::Value ptr, int64_t byteOffset);
  mlir::Value load(mlir::Type type, mlir::Value ptr, unsigned align);
  void store(mlir::Value value, mlir::Value ptr, unsigned align);
  /// Builds `body` under `condition` (null: unconditionally). The insertion
  /// point is after it afterwards.
  void onlyIf(mlir::Value condition, llvm::function_ref<void()> body);
  /// Synchronizes all threads of the scope.
  void barrier();
  /// Synchronizes all threads of the cluster.
  void clusterBarrier();
  /// Returns the offset of the scratch memory of `op`.
  int64_t enterScratch(mlir::Operation *op);

private:
  mlir::Value threadId;
  FunctionInfo info;
  llvm::DenseMap<std::pair<unsigned, int64_t>, mlir::Value> constants;
  mlir::Block *constantsBlock = nullptr;
};

/// Position of a thread's elements inside a tile, dimension by dimension.
class TileCoords {
public:
  TileCoords(Emitter &emitter, const Layout &layout);

  /// Returns the coordinate of register `reg` in dim `dim` as i32.
  mlir::Value get(unsigned dim, int64_t reg);
  /// Returns the contribution of the thread alone.
  mlir::Value threadPart(unsigned dim);
  /// Returns the contribution of the register alone.
  int64_t registerPart(unsigned dim, int64_t reg) const;
  /// Returns whether thread and register contributions never share a bit in
  /// `dim`, so that their XOR is their sum.
  bool isSum(unsigned dim) const { return !(threadMask[dim] & regMask[dim]); }

private:
  Emitter &emitter;
  Layout layout;
  llvm::SmallVector<mlir::Value> threadParts;
  llvm::SmallVector<uint64_t> threadMask, regMask;
  llvm::DenseMap<std::pair<unsigned, int64_t>, mlir::Value> cache;
};

/// Values of a lowered memref or view.
struct MemRefValues {
  MemRefValues(mlir::ValueRange values, mlir::nv_tileaa::TAMemRefType type);

  mlir::Value base;
  /// Null if static.
  llvm::SmallVector<mlir::Value> sizes, strides;
  mlir::nv_tileaa::TAMemRefType type;

  mlir::Value size(Emitter &emitter, unsigned dim) const;
  mlir::Value stride(Emitter &emitter, unsigned dim) const;
};

/// Returns the declaration of a function of the CUDA device runtime.
mlir::LLVM::LLVMFuncOp getRuntimeFunction(Emitter &emitter,
                                          llvm::StringRef name,
                                          mlir::Type result,
                                          llvm::ArrayRef<mlir::Type> inputs);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_EMITTER_H
