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

/// Facts about one function before its body is lowered.
struct FunctionInfo {
  /// Filled in by an emitter: the warps of its scope.
  unsigned numWarps = 4;
  int64_t smemBytes = 0;
  int64_t smemAlign = 16;
  std::string smemSymbol;
};

/// State that all patterns share.
struct LoweringState {
  LoweringState(mlir::Operation *module, Target target)
      : module(module), target(target) {}

  /// Notes that an instruction of `feature` is emitted.
  void note(Feature feature) const { noteFeature(module, target, feature); }

  mlir::Operation *module;
  Target target;
  unsigned indexBits = 32;
  /// By name of the function.
  llvm::StringMap<FunctionInfo> functions;
};

/// A name that no symbol of `module` has.
std::string freeSymbol(mlir::Operation *module, llvm::StringRef stem);

/// The LLVM type that holds one element in registers.
mlir::Type getRegisterType(mlir::Type element);

/// Returns whether two elements of views share a byte.
bool isPackedInViews(mlir::Type element);

inline Layout getLayout(mlir::Type tile) {
  return mlir::nv_tileas::getTileLayout(tile).getLayout();
}
using mlir::nv_tileas::isTile;
/// Returns how the elements of a tile are packed into words.
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

  // Integer arithmetic; constants that change nothing are skipped.
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

  // The thread, in the scope that executes what is built.
  ExecScope execScope() const;
  unsigned numWarps() const { return info.numWarps; }
  /// The number of the thread in its scope.
  mlir::Value tid() const { return threadId; }
  mlir::Value lane();
  /// Returns in all lanes of a warp whether one of them has the `predicate`.
  mlir::Value anyLane(mlir::Value predicate);
  /// A linear function of the bits of the thread id: `columns[i]` is the image
  /// of bit i (bits 0 to 4 are the lane, the rest is the warp).
  mlir::Value linearOfThread(llvm::ArrayRef<uint64_t> columns);
  /// The same of the bits of any i32.
  mlir::Value linearOf(mlir::Value source, llvm::ArrayRef<uint64_t> columns);
  mlir::Value linearOfLane(const LinearMap &map);
  /// The thread's part of the row-major index of its elements in `layout`; xor
  /// with `layout.applyFlat(reg)` gives the index of register `reg`.
  mlir::Value rowMajorOfThread(const Layout &layout);
  /// Returns whether all thread bits of `mask` are clear; null when `mask` is
  /// 0.
  mlir::Value threadBitsClear(uint64_t mask);
  /// True on exactly one of the threads that hold copies of the same element;
  /// null when there are no copies.
  mlir::Value ownsElements(const Layout &layout);

  // Tiles.
  llvm::SmallVector<mlir::Value> unpack(mlir::ValueRange words,
                                        mlir::RankedTensorType type);
  llvm::SmallVector<mlir::Value> pack(llvm::ArrayRef<mlir::Value> elements,
                                      mlir::RankedTensorType type);
  /// One vector of scalars, or the scalar itself.
  mlir::Value packVector(llvm::ArrayRef<mlir::Value> elements);
  mlir::Value extract(mlir::Value vector, unsigned index);
  /// Image in memory of consecutive elements: a scalar or a vector of i32 or
  /// i64; and back.
  mlir::Value toMemory(llvm::ArrayRef<mlir::Value> elements,
                       mlir::Type element);
  llvm::SmallVector<mlir::Value> fromMemory(mlir::Value image, unsigned count,
                                            mlir::Type element);
  /// The same of the parts of an image that is a vector.
  llvm::SmallVector<mlir::Value> fromMemory(llvm::ArrayRef<mlir::Value> parts,
                                            unsigned count, mlir::Type element);
  /// The type of that image.
  mlir::Type memoryType(unsigned count, mlir::Type element);
  /// Two elements of 4 bits in a byte, the first one low; and back.
  llvm::SmallVector<mlir::Value>
  joinNibbles(llvm::ArrayRef<mlir::Value> halves);
  llvm::SmallVector<mlir::Value>
  splitNibbles(llvm::ArrayRef<mlir::Value> bytes);
  /// Inline PTX here.
  PtxBuilder ptx(PtxEffects effects = PtxEffects::Some) {
    return PtxBuilder(builder, loc, effects);
  }
  /// Inline PTX here with an instruction of `feature`.
  PtxBuilder ptx(PtxEffects effects, Feature feature) {
    state.note(feature);
    return ptx(effects);
  }
  /// Raw integer of an element's register bits and back, for shuffles.
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
  /// Runs `body` only where `condition` holds (null: everywhere). The insertion
  /// point is behind it afterwards.
  void onlyIf(mlir::Value condition, llvm::function_ref<void()> body);
  /// All threads of the scope meet.
  void barrier();
  /// The offset of the scratch memory of `op`.
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

  /// Coordinate of register `reg` in dim `dim` as i32.
  mlir::Value get(unsigned dim, int64_t reg);
  /// The part of the thread alone.
  mlir::Value threadPart(unsigned dim);
  /// The part of the register alone.
  int64_t registerPart(unsigned dim, int64_t reg) const;
  /// Returns whether thread and register parts never share a bit in `dim`, so
  /// that their XOR is their sum.
  bool isSum(unsigned dim) const { return !(threadMask[dim] & regMask[dim]); }

private:
  Emitter &emitter;
  Layout layout;
  llvm::SmallVector<mlir::Value> threadParts;
  llvm::SmallVector<uint64_t> threadMask, regMask;
  llvm::DenseMap<std::pair<unsigned, int64_t>, mlir::Value> cache;
};

/// The pieces of a lowered memref or view.
struct MemRefValues {
  MemRefValues(mlir::ValueRange values, mlir::nv_tileaa::TAMemRefType type);

  mlir::Value base;
  /// Null where static.
  llvm::SmallVector<mlir::Value> sizes, strides;
  mlir::nv_tileaa::TAMemRefType type;

  mlir::Value size(Emitter &emitter, unsigned dim) const;
  mlir::Value stride(Emitter &emitter, unsigned dim) const;
};

/// The declaration of a function of the CUDA device runtime.
mlir::LLVM::LLVMFuncOp getRuntimeFunction(Emitter &emitter,
                                          llvm::StringRef name,
                                          mlir::Type result,
                                          llvm::ArrayRef<mlir::Type> inputs);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_EMITTER_H
