// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/budgets/SharedMemoryBudget.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/RuntimeGates.h"

#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

SharedMemoryBudget::SharedMemoryBudget(Operation *func, const Target &target,
                                       IsLive isLive, int64_t align)
    : func(func), cap(gates::sharedMemoryCap(target)) {
  func->walk([&](Operation *op) {
    if (isLive && !isLive(op))
      return;
    if (auto alloc = dyn_cast<as::AllocTensorOp>(op)) {
      auto type = dyn_cast<as::BufferType>(alloc.getType());
      if (type && type.getSpace() == LayoutSpace::Smem)
        claim(llvm::alignTo(type.getTotalBytes(), align));
    } else if (auto array = dyn_cast<as::AllocaOp>(op)) {
      auto ptr = cast<aa::TAPointerType>(array.getType());
      claim(array.getNumElem() * aa::getStorageBits(ptr.getPointee()) / 8);
    }
  });
}

void SharedMemoryBudget::claimMbarriers(int64_t perSlot, IsLive isLive) {
  func->walk([&](as::PipelineCreateOp op) {
    if (!isLive || isLive(op))
      claim(perSlot * as::MbarrierType::getObjectBytes() *
            op.getType().getDepth());
  });
}

void SharedMemoryBudget::claimScratch(IsLive isLive, int64_t align) {
  int64_t scratch = 0;
  func->walk([&](as::ScratchOpInterface op) {
    if (isLive(op))
      scratch = std::max<int64_t>(scratch, op.getScratchBytes());
  });
  claim(llvm::alignTo(scratch, align));
}

int64_t getHintedSharedBytes(aa::FuncOp func, const Target &target) {
  int64_t cap = gates::sharedMemoryCap(target);
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  if (!spec || !spec.getOccupancy())
    return cap;
  return std::min(cap, target.sharedMemoryPerSM() / spec.getOccupancy() -
                           target.sharedMemoryReserved());
}

bool isLiveIn(Operation *alloc, Operation *loop) {
  if (loop->isProperAncestor(alloc))
    return true;
  Operation *at = loop->getBlock()->findAncestorOpInBlock(*alloc);
  if (!at)
    return true;
  if (at != alloc || loop->isBeforeInBlock(at))
    return false;
  return llvm::none_of(alloc->getUsers(), [&](Operation *user) {
    return isa<as::DeallocOp>(user) && user->getBlock() == loop->getBlock() &&
           user->isBeforeInBlock(loop);
  });
}

} // namespace tileir
