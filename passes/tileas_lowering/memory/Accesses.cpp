// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/memory/Accesses.h"

#include "passes/analysis/AccessRoots.h"
#include "passes/analysis/ClusterAttrs.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using nv_tileas::TileASMemoryOpInterface;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Returns the buffer of which `buffer` is a view, subview or permutation, or
/// null.
static Value getViewed(Value buffer) {
  Operation *def = buffer.getDefiningOp();
  if (!def || def->getNumOperands() == 0 ||
      !isa<nv_tileas::BufferType>(def->getOperand(0).getType()))
    return {};
  return def->getOperand(0);
}

nv_tileas::AllocTensorOp getAllocation(Value buffer) {
  while (Value viewed = getViewed(buffer))
    buffer = viewed;
  return buffer.getDefiningOp<nv_tileas::AllocTensorOp>();
}

/// Returns the bytes of `buffer`: of one stage if its index is constant.
static std::optional<ByteAccess> getBytes(Value buffer) {
  nv_tileas::AllocTensorOp alloc = getAllocation(buffer);
  if (!alloc || !alloc.getSmemOffset())
    return std::nullopt;
  auto type = cast<nv_tileas::BufferType>(alloc.getType());
  ByteAccess access;
  access.first = *alloc.getSmemOffset();
  access.end = access.first + type.getTotalBytes();
  for (Value at = buffer; at != alloc.getResult(); at = getViewed(at)) {
    auto view = at.getDefiningOp<nv_tileas::ViewOp>();
    if (!view || !view.getStage())
      continue;
    if (view.getRing())
      access.circularBuffer = alloc;
    APInt stage;
    if (matchPattern(view.getStage(), m_ConstantInt(&stage)) &&
        !access.circularBuffer && stage.ult(type.getStages())) {
      access.first += stage.getZExtValue() * type.getStageStride();
      access.end = access.first + type.getStageBytes();
    }
  }
  return access;
}

SmallVector<ByteAccess> getByteAccesses(Operation *op) {
  SmallVector<ByteAccess> accesses;
  auto add = [&](const nv_tileas::StorageEffect &effect) {
    if (std::optional<ByteAccess> access = getBytes(effect.buffer)) {
      access->isWrite = effect.isWrite;
      access->proxy = effect.proxy;
      access->opens = effect.opens;
      accesses.push_back(*access);
    }
  };
  if (auto storage = dyn_cast<nv_tileas::StorageEffectOpInterface>(op)) {
    SmallVector<nv_tileas::StorageEffect> effects;
    storage.getStorageEffects(effects);
    llvm::for_each(effects, add);
    return accesses;
  }
  // Operations with one kind of access to all buffers declare it as effects.
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  if (!memory || llvm::none_of(op->getOperandTypes(),
                               llvm::IsaPred<nv_tileas::BufferType>))
    return accesses;
  SmallVector<MemoryEffects::EffectInstance> effects;
  memory.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
    if (effect.getResource() != nv_tileas::SharedResource::get() ||
        !(isWrite || isa<MemoryEffects::Read>(effect.getEffect())))
      continue;
    for (Value operand : op->getOperands())
      if (isa<nv_tileas::BufferType>(operand.getType()))
        add({operand, isWrite});
  }
  return accesses;
}

bool isSharedAllocation(Operation *op) {
  auto alloca = dyn_cast<nv_tileas::AllocaOp>(op);
  return alloca && alloca.getType().getSpace() == nv_tileaa::SharedSpace;
}

std::optional<ByteAccess> getScratch(Operation *op) {
  auto user = dyn_cast<nv_tileas::ScratchOpInterface>(op);
  if (!user || !user.getScratchOffset() || isSharedAllocation(op))
    return std::nullopt;
  ByteAccess access;
  access.first = *user.getScratchOffset();
  access.end = access.first + user.getScratchBytes();
  access.isWrite = true;
  return access;
}

bool isBarrier(Operation *op) {
  return isa<nv_tileas::BarrierOp>(op) || op->hasAttr(kClusterWaitAttr);
}

bool isAsyncAccess(Operation *op) {
  auto storage = dyn_cast<nv_tileas::StorageEffectOpInterface>(op);
  if (!storage || !isa<TileASMemoryOpInterface>(op))
    return false;
  SmallVector<nv_tileas::StorageEffect> effects;
  storage.getStorageEffects(effects);
  return llvm::any_of(effects, [](const nv_tileas::StorageEffect &effect) {
    return effect.proxy == nv_tileas::Proxy::Async;
  });
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

bool acquires(Operation *op) {
  nv_tileaa::MemSemantic semantic =
      cast<TileASMemoryOpInterface>(op).getAccessSemantic();
  return semantic == nv_tileaa::MemSemantic::Acquire ||
         semantic == nv_tileaa::MemSemantic::AcqRel;
}

bool releases(Operation *op) {
  nv_tileaa::MemSemantic semantic =
      cast<TileASMemoryOpInterface>(op).getAccessSemantic();
  return semantic == nv_tileaa::MemSemantic::Release ||
         semantic == nv_tileaa::MemSemantic::AcqRel;
}

/// Returns whether two elements of one access may have the same address.
static bool mayRepeat(TileASMemoryOpInterface access) {
  auto view = dyn_cast<nv_tileaa::TATiledViewType>(
      access.getAddressOperands().front().getType());
  return view && view.hasSparseDim();
}

/// Returns whether each thread accesses the same bytes in both operations, so
/// that program order suffices. Only for operations of one block in one
/// iteration: across iterations the operands differ.
static bool touchSameBytes(Operation *first, Operation *second) {
  auto a = cast<TileASMemoryOpInterface>(first),
       b = cast<TileASMemoryOpInterface>(second);
  if (first->getBlock() != second->getBlock() ||
      !first->isBeforeInBlock(second))
    return false;
  for (TileASMemoryOpInterface access : {a, b})
    if (access.getMemoryKind() == nv_tileas::MemoryKind::Atomic ||
        isa<nv_tileas::AsyncOpInterface>(access.getOperation()) ||
        mayRepeat(access))
      return false;
  auto tile = dyn_cast_or_null<RankedTensorType>(a.getAccessedTile());
  // Replicated elements are stored by one thread and loaded by all.
  return tile && tile == b.getAccessedTile() &&
         nv_tileas::getTileLayout(tile).getLayout().redundantMask() == 0 &&
         a.getAddressOperands() == b.getAddressOperands() &&
         a.getAccessMask() == b.getAccessMask();
}

bool mustOrder(nv_tileaa::FuncOp func, Operation *first, Operation *second,
               bool samePhase) {
  auto isRead = [](Operation *op) {
    return cast<TileASMemoryOpInterface>(op).getMemoryKind() ==
           nv_tileas::MemoryKind::Load;
  };
  if (isRead(first) && isRead(second) && !acquires(first))
    return false;
  return !cannotAlias(func, first, second) &&
         !(samePhase && touchSameBytes(first, second));
}

} // namespace tileir::lowering
