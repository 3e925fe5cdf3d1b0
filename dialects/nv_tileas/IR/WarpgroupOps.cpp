// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/MmaOperands.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

LogicalResult
FutureType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   RankedTensorType tile) {
  if (!getTileLayout(tile))
    return emitError() << "a future is of a tile with a register layout, got "
                       << tile;
  return success();
}

//===----------------------------------------------------------------------===//
// async.dot
//===----------------------------------------------------------------------===//

/// C5 of the operand `name`.
static LogicalResult verifyBuffer(AsyncDotOp op, BufferType buffer,
                                  StringRef name, unsigned kDim) {
  if (buffer.isStaged() || buffer.getSpace() != tileir::LayoutSpace::Smem ||
      buffer.getShape()[1 - kDim] < 8)
    return op.emitOpError("operand ")
           << name << " must be an unstaged buffer in shared memory with 8 "
           << "lines or more, but is " << buffer;
  std::string problem =
      getOperandProblem(buffer, kDim, kWarpgroupTransposedBits);
  if (!problem.empty())
    return op.emitOpError("operand ") << name << ' ' << problem;
  return success();
}

static std::pair<ArrayRef<int64_t>, Type> shapeAndElement(Type type) {
  if (auto buffer = dyn_cast<BufferType>(type))
    return {buffer.getShape(), buffer.getElementType()};
  auto tile = cast<RankedTensorType>(type);
  return {tile.getShape(), tile.getElementType()};
}

LogicalResult AsyncDotOp::verify() {
  RankedTensorType acc = getAccType();
  auto future = dyn_cast<FutureType>(getC().getType());
  auto [a, aElement] = shapeAndElement(getA().getType());
  auto [b, bElement] = shapeAndElement(getB().getType());
  if (a.size() != 2 || b.size() != 2 || acc.getRank() != 2 ||
      a[0] != acc.getDimSize(0) || a[1] != b[0] || b[1] != acc.getDimSize(1) ||
      (future ? future.getTile() : getC().getType()) != acc) // C1
    return emitOpError("expects A of MxK, B of KxN, C and the result of MxN");
  MmaAtomAttr atom = getAtom();
  if (atom.getKind() != MmaKind::Wgmma || aElement != atom.getAType() ||
      bElement != atom.getBType() ||
      acc.getElementType() != atom.getCType()) // C2
    return emitOpError("expects a 'wgmma' atom and its element types, but has ")
           << atom;
  if (isa<IntegerType>(aElement) && (!getSignednessA() || !getSignednessB()))
    return emitOpError("expects 'signedness_a' and 'signedness_b' on integers");
  if (acc.getDimSize(0) % atom.getM() || acc.getDimSize(1) != atom.getN() ||
      getDepth() % atom.getK()) // C3
    return emitOpError("extents must be multiples of the atom's ")
           << atom << ", and N its N";
  tileir::Layout layout = getTileLayout(acc).getLayout();
  if (!isWarpgroupAcc(atom, layout)) // C4
    return emitOpError("accumulator layout is not that of warpgroups with the "
                       "atom ")
           << atom;
  if (failed(verifyBuffer(*this, getB().getType(), "B", /*kDim=*/0)))
    return failure(); // C5
  if (auto buffer = dyn_cast<BufferType>(getA().getType()))
    return verifyBuffer(*this, buffer, "A", /*kDim=*/1);
  std::optional<tileir::Layout> want =
      getDotOperandLayout(atom, layout, getDepth(), /*isA=*/true);
  if (!want) // C6
    return emitOpError("operand A must be in shared memory");
  if (*want != getTileLayout(getA().getType()).getLayout())
    return emitOpError("operand A must have the layout ")
           << getLayoutAttr(getContext(), *want);
  return success();
}

void AsyncDotOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

void AsyncDotOp::getStorageEffects(SmallVectorImpl<StorageEffect> &effects) {
  for (Value operand : {getA(), Value(getB())}) {
    if (!isa<BufferType>(operand.getType()))
      continue;
    StorageEffect effect;
    effect.buffer = operand;
    effect.proxy = Proxy::Async;
    effect.opens = AsyncCompletion::WgmmaGroup;
    effects.push_back(effect);
  }
}

AsyncCompletion AsyncDotOp::getCompletion() {
  return AsyncCompletion::WgmmaGroup;
}
AsyncRole AsyncDotOp::getAsyncRole() { return AsyncRole::Issue; }

//===----------------------------------------------------------------------===//
// dot_wait, async.to_async, async.rescale
//===----------------------------------------------------------------------===//

LogicalResult DotWaitOp::verify() {
  if (static_cast<int32_t>(getPending()) < 0) // C1
    return emitOpError("'pending' must not be negative");
  FutureType future = getFuture().getType();
  Type result = getResult().getType();
  if (result != future.getTile() && result != future) // C2
    return emitOpError("expects a result of type ")
           << future.getTile() << " or a future of it, but got " << result;
  if (result == future && !getPending())
    return emitOpError("no MMA is in flight after it: the result must be ")
           << future.getTile();
  return success();
}

void DotWaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

AsyncCompletion DotWaitOp::getCompletion() {
  return AsyncCompletion::WgmmaGroup;
}
AsyncRole DotWaitOp::getAsyncRole() { return AsyncRole::Wait; }
int64_t DotWaitOp::getPendingGroups() { return getPending(); }

LogicalResult AsyncToAsyncOp::verify() {
  if (getType().getTile() != getTile().getType()) // C1
    return emitOpError("expects a result of type ")
           << FutureType::get(getContext(),
                              cast<RankedTensorType>(getTile().getType()))
           << ", but got " << getType();
  return success();
}

LogicalResult AsyncRescaleOp::verify() {
  RankedTensorType tile = getFuture().getType().getTile();
  if (!tile.getElementType().isF32()) // C1
    return emitOpError("expects an accumulator of 'f32', but got ")
           << tile.getElementType();
  if (getFactor().getType() != tile)
    return emitOpError("expects factors of type ")
           << tile << ", but got " << getFactor().getType();
  return success();
}

void AsyncRescaleOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}
