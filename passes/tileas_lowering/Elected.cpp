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

Value getElectedThread(Emitter &emitter) {
  bool canElect = emitter.state.target.has(Feature::ElectSync);
  // Stands in front of what is made of it.
  Value warp =
      canElect && emitter.numWarps() > 1 ? getUniformWarp(emitter) : Value();
  auto elect = [&](Emitter &entry) {
    if (!canElect)
      return entry.icmp(LLVM::ICmpPredicate::eq, entry.tid(), entry.i32(0));
    Value first;
    if (warp) {
      entry.builder.setInsertionPointAfterValue(warp);
      first = entry.icmp(LLVM::ICmpPredicate::eq, warp, entry.i32(0));
    }
    Value lane = NVVM::ElectSyncOp::create(entry.builder, entry.loc,
                                           entry.builder.getI1Type(), Value());
    return entry.andBits(first, lane);
  };
  return findAtEntry(emitter, emitter.state.electedThreads, elect);
}

Value getSharedAddress(Emitter &emitter, Value ptr) {
  return LLVM::PtrToIntOp::create(emitter.builder, emitter.loc,
                                  emitter.intType(32), ptr);
}

} // namespace tileir::lowering
