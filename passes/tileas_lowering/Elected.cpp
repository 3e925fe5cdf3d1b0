// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Elected.h"

using namespace mlir;

namespace tileir::lowering {

/// The number of the warp, which all of its threads take from one of them: so
/// assemblers see that it is the same in all.
static Value getWarp(Emitter &emitter) {
  Value warp = emitter.shrConst(emitter.tid(), 5);
  return emitter.shuffle(NVVM::ShflKind::idx, warp, emitter.i32(0));
}

Value getElectedThread(Emitter &emitter) {
  Operation *func = emitter.tid().getParentBlock()->getParentOp();
  Value &elected = emitter.state.electedThreads[func];
  if (elected)
    return elected;
  OpBuilder builder(func->getContext());
  builder.setInsertionPointAfterValue(emitter.tid());
  Emitter entry(builder, func, emitter.state);
  if (!emitter.state.target.has(Feature::ElectSync)) {
    elected = entry.icmp(LLVM::ICmpPredicate::eq, entry.tid(), entry.i32(0));
    return elected;
  }
  Value first;
  if (entry.numWarps() > 1)
    first = entry.icmp(LLVM::ICmpPredicate::eq, getWarp(entry), entry.i32(0));
  Value lane = NVVM::ElectSyncOp::create(builder, entry.loc,
                                         builder.getI1Type(), Value());
  elected = entry.andBits(first, lane);
  return elected;
}

void emitPredicated(Emitter &emitter, Value condition,
                    const std::string &instruction, ValueRange operands,
                    StringRef letters) {
  std::string text = instruction + ";", constraints;
  for (char letter : letters)
    (constraints += letter) += ",";
  SmallVector<Value> all = llvm::to_vector(operands);
  if (condition) {
    text = "@$" + std::to_string(all.size()) + " " + text;
    constraints += "b,";
    all.push_back(condition);
  }
  LLVM::InlineAsmOp::create(emitter.builder, emitter.loc, TypeRange(), all,
                            text, constraints + "~{memory}",
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}

Value getSharedAddress(Emitter &emitter, Value ptr) {
  return LLVM::PtrToIntOp::create(emitter.builder, emitter.loc,
                                  emitter.intType(32), ptr);
}

} // namespace tileir::lowering
