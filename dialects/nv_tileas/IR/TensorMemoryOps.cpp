// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/ScaledBlocks.h"

#include "dialects/support/layout/TensorMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void syncEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

//===----------------------------------------------------------------------===//
// tmem_alloc, tmem_dealloc
//===----------------------------------------------------------------------===//

static LogicalResult verifyCtaGroup(Operation *op, int32_t group) {
  if (group != 1 && group != 2)
    return op->emitOpError("'cta_group' must be 1 or 2, got ") << group;
  return success();
}

template <typename OpTy> static LogicalResult verifyColumns(OpTy op) {
  int32_t columns = op.getColumns();
  if (columns < 32 || columns > 512 || !llvm::isPowerOf2_32(columns)) // C1
    return op->emitOpError("'columns' must be a power of two from 32 to 512, "
                           "got ")
           << columns;
  return verifyCtaGroup(op, op.getCtaGroup()); // C2
}

LogicalResult TmemAllocOp::verify() { return verifyColumns(*this); }

void TmemAllocOp::getEffects(Effects &effects) {
  syncEffects(effects);
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
}

/// Bytes for the address.
int64_t TmemAllocOp::getScratchBytes() { return 16; }

LogicalResult TmemDeallocOp::verify() { return verifyColumns(*this); }

void TmemDeallocOp::getEffects(Effects &effects) {
  syncEffects(effects);
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
}

//===----------------------------------------------------------------------===//
// async.dot_into
//===----------------------------------------------------------------------===//

/// C4 of the operand `name`.
static LogicalResult verifyOperand(AsyncDotIntoOp op, BufferType buffer,
                                   StringRef name, unsigned kDim) {
  if (buffer.isStaged() || !buffer.isWhole() ||
      buffer.getSpace() != tileir::LayoutSpace::Smem)
    return op.emitOpError("operand ")
           << name << " must be a whole, unstaged buffer in shared memory, but "
           << "is " << buffer;
  std::string problem = getOperandProblem(
      buffer, kDim,
      op.getPacking() > 1 ? kNoTransposedBits : kTensorMemoryTransposedBits);
  if (!problem.empty())
    return op.emitOpError("operand ") << name << ' ' << problem;
  return success();
}

/// Returns whether `buffer` is a whole buffer of scales in tensor memory.
static bool isScale(BufferType buffer, unsigned kDim) {
  return !buffer.isStaged() && buffer.isWhole() &&
         getScaleLayout(tileir::Layout::Shape(buffer.getShape().begin(),
                                              buffer.getShape().end()),
                        kDim) == buffer.getLayout().getLayout();
}

/// Rows of a block-scaled MMA, and of its scales.
static constexpr int64_t kScaledRows = 128;

static LogicalResult verifyScales(AsyncDotIntoOp op) {
  if (!op.getScaleA() && !op.getScaleB() && op.getPacking() == 1)
    return success();
  if (!op.getScaleA() || !op.getScaleB()) // C6
    return op.emitOpError("expects scales of both operands or of none");
  BufferType a = op.getScaleA().getType(), b = op.getScaleB().getType();
  if (!isScale(a, /*kDim=*/1) || !isScale(b, /*kDim=*/0) ||
      a.getElementType() != b.getElementType() ||
      a.getShape()[1] != b.getShape()[0] ||
      a.getShape()[0] != op.getA().getType().getShape()[0] ||
      b.getShape()[1] !=
          std::max(kScaledRows, op.getB().getType().getShape()[1]) ||
      !takesScaledBlock(op.getAtom().getAType(), a.getElementType(),
                        getUnitBlock(op.getAtom().getAType(), op.getDepth(),
                                     a.getShape()[1])) ||
      op.getAtom().getM() != kScaledRows)
    return op.emitOpError("expects scales of rows of A and of columns of B in "
                          "tensor memory, but they are ")
           << a << " and " << b;
  return success();
}

LogicalResult AsyncDotIntoOp::verify() {
  BufferType a = getA().getType(), b = getB().getType(), d = getD().getType();
  // A block-scaled MMA has 128 rows; D may hold a part of them.
  int64_t group = getAtom().getCtaGroup(), rows = getAtom().getRowsPerCta();
  bool isPart = getScaleA() && a.getRank() == 2 && d.getRank() == 2 &&
                a.getShape()[0] == kScaledRows && d.getShape()[0] < kScaledRows;
  if (a.getRank() != 2 || b.getRank() != 2 || d.getRank() != 2 ||
      (a.getShape()[0] != d.getShape()[0] && !isPart) ||
      a.getShape()[1] != b.getShape()[0] ||
      b.getShape()[1] * group != d.getShape()[1]) // C1
    return emitOpError("expects A of MxK, B of KxN")
           << (group > 1 ? "/2" : "") << " and D of MxN";
  MmaAtomAttr atom = getAtom();
  auto isOf = [&](BufferType buffer, Type element) {
    return getPacking() > 1 ? buffer.getElementType().isInteger(8)
                            : buffer.getElementType() == element;
  };
  if (atom.getKind() != MmaKind::Umma || !isOf(a, atom.getAType()) ||
      !isOf(b, atom.getBType()) || d.getElementType() != atom.getCType()) // C2
    return emitOpError("expects an 'umma' atom and its element types, but has ")
           << atom;
  if (isa<IntegerType>(atom.getAType()) &&
      (!getSignednessA() || !getSignednessB()))
    return emitOpError("expects 'signedness_a' and 'signedness_b' on integers");
  if (a.getShape()[0] % rows || d.getShape()[1] % atom.getN() ||
      (group > 1 && d.getShape()[1] != atom.getN()) ||
      getDepth() % atom.getK()) // C3
    return emitOpError("extents must be multiples of the atom's ") << atom;
  if (failed(verifyOperand(*this, a, "A", /*kDim=*/1)) ||
      failed(verifyOperand(*this, b, "B", /*kDim=*/0)))
    return failure(); // C4
  std::optional<tileir::Layout> want = tileir::tensorAccLayout(d.getShape());
  if (d.isStaged() || !d.isWhole() || !want ||
      *want != d.getLayout().getLayout() ||
      (!isPart && tileir::tensorMemoryDotRows(d.getShape()[0]) != rows)) // C5
    return emitOpError(
               "D must be a whole accumulator in tensor memory, of MMAs of ")
           << rows << " rows, but is " << d;
  return verifyScales(*this);
}

void AsyncDotIntoOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), TensorResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
  syncEffects(effects);
}

void AsyncDotIntoOp::getStorageEffects(
    SmallVectorImpl<StorageEffect> &effects) {
  for (Value operand : {Value(getA()), Value(getB()), Value(getD()),
                        Value(getScaleA()), Value(getScaleB())}) {
    if (!operand)
      continue;
    bool isInTensorMemory = cast<BufferType>(operand.getType()).getSpace() ==
                            tileir::LayoutSpace::Tmem;
    StorageEffect effect;
    effect.buffer = operand;
    effect.isWrite = operand == getD();
    effect.proxy = isInTensorMemory ? Proxy::Tensor : Proxy::Async;
    effect.isElected = true;
    effect.opens = AsyncCompletion::Umma;
    effects.push_back(effect);
  }
}

AsyncCompletion AsyncDotIntoOp::getCompletion() {
  return AsyncCompletion::Umma;
}
AsyncRole AsyncDotIntoOp::getAsyncRole() { return AsyncRole::Issue; }

//===----------------------------------------------------------------------===//
// async.tmem_copy
//===----------------------------------------------------------------------===//

LogicalResult AsyncTmemCopyOp::verify() {
  BufferType src = getSrc().getType(), dst = getDst().getType();
  if (src.isStaged() || !src.isWhole() || dst.isStaged() || !dst.isWhole() ||
      src.getShape() != dst.getShape() ||
      src.getElementType() != dst.getElementType()) // C1
    return emitOpError("expects whole buffers of one shape and element type, "
                       "but has ")
           << src << " and " << dst;
  tileir::Layout::Shape shape(src.getShape().begin(), src.getShape().end());
  for (unsigned kDim : {0u, 1u})
    if (getStorageBits(src.getElementType()) == 8 && isScale(dst, kDim) &&
        getStagedScaleLayout(shape, kDim) == src.getLayout().getLayout())
      return success();
  return emitOpError("expects the layouts of scales, but has ") // C2
         << src << " and " << dst;
}

void AsyncTmemCopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
  syncEffects(effects);
}

void AsyncTmemCopyOp::getStorageEffects(
    SmallVectorImpl<StorageEffect> &effects) {
  for (Value buffer : {Value(getSrc()), Value(getDst())}) {
    StorageEffect effect;
    effect.buffer = buffer;
    effect.isWrite = buffer == getDst();
    effect.proxy = effect.isWrite ? Proxy::Tensor : Proxy::Async;
    effect.isElected = true;
    effect.opens = AsyncCompletion::Umma;
    effects.push_back(effect);
  }
}

AsyncCompletion AsyncTmemCopyOp::getCompletion() {
  return AsyncCompletion::Umma;
}
AsyncRole AsyncTmemCopyOp::getAsyncRole() { return AsyncRole::Issue; }

//===----------------------------------------------------------------------===//
// tensor_rescale
//===----------------------------------------------------------------------===//

LogicalResult TensorRescaleOp::verify() {
  BufferType buffer = getBuffer().getType();
  if (buffer.getSpace() != tileir::LayoutSpace::Tmem || buffer.isStaged() ||
      !buffer.isWhole()) // C1
    return emitOpError("expects a whole buffer in tensor memory, but has ")
           << buffer;
  RankedTensorType factor = getFactor().getType();
  if (!buffer.getElementType().isF32() || !factor.getElementType().isF32() ||
      buffer.getShape() != factor.getShape()) // C2
    return emitOpError("expects 32-bit floats of one shape, but has ")
           << buffer << " and " << factor;
  return success();
}

void TensorRescaleOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), TensorResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
}

void TensorRescaleOp::getStorageEffects(
    SmallVectorImpl<StorageEffect> &effects) {
  for (bool isWrite : {false, true})
    effects.push_back({getBuffer(), isWrite, Proxy::Tensor});
}

//===----------------------------------------------------------------------===//
// umma_commit
//===----------------------------------------------------------------------===//

LogicalResult UmmaCommitOp::verify() {
  return verifyCtaGroup(*this, getCtaGroup()); // C1
}

void UmmaCommitOp::getEffects(Effects &effects) {
  syncEffects(effects);
  // The reads and writes of the MMAs are complete when the mbarrier is
  // signalled.
  for (SideEffects::Resource *resource :
       {static_cast<SideEffects::Resource *>(SharedResource::get()),
        static_cast<SideEffects::Resource *>(TensorResource::get())}) {
    effects.emplace_back(MemoryEffects::Read::get(), resource);
    effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
}
