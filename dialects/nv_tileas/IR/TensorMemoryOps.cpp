// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "dialects/support/layout/MatrixDescriptor.h"
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

static LogicalResult verifyColumns(Operation *op, int32_t columns) {
  if (columns < 32 || columns > 512 || !llvm::isPowerOf2_32(columns)) // C1
    return op->emitOpError("'columns' must be a power of two from 32 to 512, "
                           "got ")
           << columns;
  return success();
}

LogicalResult TmemAllocOp::verify() {
  return verifyColumns(*this, getColumns());
}

void TmemAllocOp::getEffects(Effects &effects) {
  syncEffects(effects);
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
}

/// The address.
int64_t TmemAllocOp::getScratchBytes() { return 16; }

LogicalResult TmemDeallocOp::verify() {
  return verifyColumns(*this, getColumns());
}

void TmemDeallocOp::getEffects(Effects &effects) {
  syncEffects(effects);
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
}

//===----------------------------------------------------------------------===//
// async.dot_into
//===----------------------------------------------------------------------===//

/// C4 of the factor `name`.
static LogicalResult verifyFactor(AsyncDotIntoOp op, BufferType buffer,
                                  StringRef name, unsigned kDim) {
  if (buffer.isStaged() || !buffer.isWhole() ||
      buffer.getSpace() != tileir::LayoutSpace::Smem)
    return op.emitOpError("operand ")
           << name << " must be a whole, unstaged buffer in shared memory, but "
           << "is " << buffer;
  unsigned bits = getStorageBits(buffer.getElementType());
  std::string why;
  std::optional<tileir::MatrixDescriptor> form = tileir::matrixDescriptor(
      buffer.getLayout().getLayout(), bits, kDim, &why);
  if (!form)
    return op.emitOpError("operand ")
           << name << " has no matrix descriptor: " << why;
  if (!form->isKMajor && bits > 16)
    return op.emitOpError("operand ")
           << name << " must have K contiguous, because its elements have "
           << bits << " bits";
  if (!form->holdsStep(32))
    return op.emitOpError("operand ")
           << name << " has a step of K that crosses a span of its swizzle";
  return success();
}

LogicalResult AsyncDotIntoOp::verify() {
  BufferType a = getA().getType(), b = getB().getType(), d = getD().getType();
  if (a.getRank() != 2 || b.getRank() != 2 || d.getRank() != 2 ||
      a.getShape()[0] != d.getShape()[0] ||
      a.getShape()[1] != b.getShape()[0] ||
      b.getShape()[1] != d.getShape()[1]) // C1
    return emitOpError("expects A of MxK, B of KxN and D of MxN");
  MmaAtomAttr atom = getAtom();
  if (atom.getKind() != MmaKind::Umma ||
      a.getElementType() != atom.getAType() ||
      b.getElementType() != atom.getBType() ||
      d.getElementType() != atom.getCType()) // C2
    return emitOpError("expects an 'umma' atom and its element types, but has ")
           << atom;
  if (isa<IntegerType>(atom.getAType()) &&
      (!getSignednessA() || !getSignednessB()))
    return emitOpError("expects 'signedness_a' and 'signedness_b' on integers");
  if (d.getShape()[0] % atom.getM() || d.getShape()[1] % atom.getN() ||
      getDepth() % atom.getK()) // C3
    return emitOpError("extents must be multiples of the atom's ") << atom;
  if (failed(verifyFactor(*this, a, "A", /*kDim=*/1)) ||
      failed(verifyFactor(*this, b, "B", /*kDim=*/0)))
    return failure(); // C4
  std::optional<tileir::Layout> want = tileir::tensorAccLayout(d.getShape());
  if (d.isStaged() || !d.isWhole() || !want ||
      *want != d.getLayout().getLayout() ||
      tileir::tensorProductRows(d.getShape()[0]) != atom.getM()) // C5
    return emitOpError("D must be a whole accumulator in tensor memory of "
                       "products of ")
           << atom.getM() << " rows, but is " << d;
  return success();
}

void AsyncDotIntoOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), TensorResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), TensorResource::get());
  syncEffects(effects);
}

void AsyncDotIntoOp::getStorageEffects(
    SmallVectorImpl<StorageEffect> &effects) {
  for (Value factor : {Value(getA()), Value(getB()), Value(getD())}) {
    StorageEffect effect;
    effect.buffer = factor;
    effect.isWrite = factor == getD();
    effect.proxy = effect.isWrite ? Proxy::Tensor : Proxy::Async;
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
// umma_commit
//===----------------------------------------------------------------------===//

void UmmaCommitOp::getEffects(Effects &effects) {
  syncEffects(effects);
  // What the products read and wrote is settled when the object says so.
  for (SideEffects::Resource *resource :
       {static_cast<SideEffects::Resource *>(SharedResource::get()),
        static_cast<SideEffects::Resource *>(TensorResource::get())}) {
    effects.emplace_back(MemoryEffects::Read::get(), resource);
    effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
}
