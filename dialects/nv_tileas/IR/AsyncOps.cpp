// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::TATiledViewType;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// async.copy
//===----------------------------------------------------------------------===//

RankedTensorType AsyncCopyOp::getTileType() {
  BufferType buffer = getBuffer().getType();
  return RankedTensorType::get(buffer.getShape(), buffer.getElementType(),
                               getVia());
}

/// C1, C3 of a copy from a view.
static LogicalResult verifyViewSource(AsyncCopyOp op, TATiledViewType view) {
  BufferType buffer = op.getBuffer().getType();
  if (view.getTileShape() != buffer.getShape() ||
      view.getElementType() != buffer.getElementType()) // C1
    return op.emitOpError("expects a buffer of the shape and element type of "
                          "the view, but got ")
           << buffer;
  if (op.getCoords().size() != view.getRank()) // C3
    return op.emitOpError("expects ")
           << view.getRank() << " coordinates, but got "
           << op.getCoords().size();
  for (Value coord : op.getCoords())
    if (coord.getType() != op.getCoords().front().getType())
      return op.emitOpError("expects all coordinates to have one integer type, "
                            "but got ")
             << op.getCoords().front().getType() << " and " << coord.getType();
  if (view.hasSparseDim())
    return op.emitOpError("expects a view without sparse dimension");
  if (view.getPadding() &&
      view.getPadding().getValue() != nv_tileaa::PaddingValue::Zero)
    return op.emitOpError("writes zero where the view has other padding");
  if (op.getInBounds() && op.getInBounds()->size() != view.getRank())
    return op.emitOpError("incorrect number of in_bounds elements: expected ")
           << view.getRank() << ", but found " << op.getInBounds()->size();
  if (op.getMask()) // C4
    return op.emitOpError("a mask is for pointers");
  return success();
}

/// C1, C2, C4 of a copy through pointers.
static LogicalResult verifyPointerSource(AsyncCopyOp op) {
  Type pointee = getPointeeTile(op.getSource().getType());
  if (pointee != op.getTileType()) // C1, C2
    return op.emitOpError("expects pointers to a tile of type ")
           << op.getTileType() << ", but got one to " << pointee;
  if (!op.getCoords().empty() || op.getInBounds()) // C4
    return op.emitOpError("coordinates and 'in_bounds' are for views");
  if (op.getMask() &&
      op.getMask().getType() != getMaskType(op.getSource().getType()))
    return op.emitOpError("mask has the shape and layout of the pointers");
  return success();
}

LogicalResult AsyncCopyOp::verify() {
  BufferType buffer = getBuffer().getType();
  if (buffer.isStaged() || buffer.getSpace() != tileir::LayoutSpace::Smem)
    return emitOpError("expects an unstaged buffer in shared memory, but got ")
           << buffer; // C1
  if (!getVia().isReg() || ArrayRef<int64_t>(getVia().getLayout().getShape()) !=
                               buffer.getShape()) // C2
    return emitOpError("'via' must be a register layout of the buffer's shape");
  if (auto view = dyn_cast<TATiledViewType>(getSource().getType()))
    return verifyViewSource(*this, view);
  if (!isa<RankedTensorType>(getSource().getType()))
    return emitOpError("expects a view or a tile of pointers");
  return verifyPointerSource(*this);
}

void AsyncCopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), GlobalResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

MemoryKind AsyncCopyOp::getMemoryKind() { return MemoryKind::Load; }
nv_tileaa::MemSemantic AsyncCopyOp::getAccessSemantic() {
  return nv_tileaa::MemSemantic::Weak;
}
std::optional<nv_tileaa::MemScope> AsyncCopyOp::getAccessScope() {
  return std::nullopt;
}
Value AsyncCopyOp::getAccessMask() { return getMask(); }
Value AsyncCopyOp::getStoredValue() { return {}; }
Type AsyncCopyOp::getAccessedTile() { return getTileType(); }
SmallVector<Value> AsyncCopyOp::getAddressOperands() {
  SmallVector<Value> operands = {getSource()};
  llvm::append_range(operands, getCoords());
  return operands;
}

void AsyncCopyOp::getStorageEffects(SmallVectorImpl<StorageEffect> &effects) {
  StorageEffect effect;
  effect.buffer = getBuffer();
  effect.isWrite = true;
  effect.opens = AsyncCompletion::CpGroup;
  effects.push_back(effect);
}

AsyncCompletion AsyncCopyOp::getCompletion() {
  return AsyncCompletion::CpGroup;
}
AsyncRole AsyncCopyOp::getAsyncRole() { return AsyncRole::Issue; }

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void AsyncCommitGroupOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

AsyncCompletion AsyncCommitGroupOp::getCompletion() {
  return AsyncCompletion::CpGroup;
}
AsyncRole AsyncCommitGroupOp::getAsyncRole() { return AsyncRole::Commit; }

LogicalResult AsyncWaitGroupOp::verify() {
  if (static_cast<int32_t>(getPending()) < 0) // C1
    return emitOpError("'pending' must not be negative");
  return success();
}

void AsyncWaitGroupOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
  // The awaited copies are in shared memory from this point on.
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
}

AsyncCompletion AsyncWaitGroupOp::getCompletion() {
  return AsyncCompletion::CpGroup;
}
AsyncRole AsyncWaitGroupOp::getAsyncRole() { return AsyncRole::Wait; }
int64_t AsyncWaitGroupOp::getPendingGroups() { return getPending(); }
