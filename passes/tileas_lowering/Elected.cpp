// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Elected.h"

using namespace mlir;

namespace tileir::lowering {

/// Puts `make`, which has an emitter behind the thread's number, into `cache`.
static Value findAtEntry(Emitter &emitter, DenseMap<Operation *, Value> &cache,
                         function_ref<Value(Emitter &)> make) {
  Operation *func = emitter.tid().getParentBlock()->getParentOp();
  if (Value known = cache.lookup(func))
    return known;
  OpBuilder builder(func->getContext());
  builder.setInsertionPointAfterValue(emitter.tid());
  Emitter entry(builder, func, emitter.state);
  Value made = make(entry);
  cache[func] = made;
  return made;
}

Value getUniformWarp(Emitter &emitter) {
  return findAtEntry(emitter, emitter.state.warps, [](Emitter &entry) {
    Value warp = entry.shrConst(entry.tid(), 5);
    return entry.shuffle(NVVM::ShflKind::idx, warp, entry.i32(0));
  });
}

/// True in one lane of each warp.
static Value getElectedLane(Emitter &emitter) {
  return findAtEntry(emitter, emitter.state.electedLanes, [](Emitter &entry) {
    return NVVM::ElectSyncOp::create(entry.builder, entry.loc,
                                     entry.builder.getI1Type(), Value());
  });
}

Value getElectedThread(Emitter &emitter, Operation *op) {
  bool canElect = emitter.state.target.has(Feature::ElectSync);
  if (!canElect)
    return findAtEntry(
        emitter, emitter.state.electedThreads, [](Emitter &entry) {
          return entry.icmp(LLVM::ICmpPredicate::eq, entry.tid(), entry.i32(0));
        });
  Value lane = getElectedLane(emitter);
  if (op->hasAttr(kInWarpAttr) || emitter.numWarps() == 1)
    return lane;
  Value warp = getUniformWarp(emitter);
  return findAtEntry(
      emitter, emitter.state.electedThreads, [&](Emitter &entry) {
        // Behind what it is made of.
        Operation *last = lane.getDefiningOp();
        if (last->isBeforeInBlock(warp.getDefiningOp()))
          last = warp.getDefiningOp();
        entry.builder.setInsertionPointAfter(last);
        Value first = entry.icmp(LLVM::ICmpPredicate::eq, warp, entry.i32(0));
        return entry.andBits(first, lane);
      });
}

Value getSharedAddress(Emitter &emitter, Value ptr) {
  return LLVM::PtrToIntOp::create(emitter.builder, emitter.loc,
                                  emitter.intType(32), ptr);
}

} // namespace tileir::lowering
