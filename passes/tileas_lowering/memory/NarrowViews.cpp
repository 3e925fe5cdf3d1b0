// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds views in which every position fits in 32 bits.

#include "passes/tileas_lowering/memory/NarrowViews.h"
#include "passes/analysis/AccessRoots.h"
#include "passes/tileas_lowering/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir::lowering {

/// Returns whether the unsigned `size` is below `kNarrowLimit`.
static bool isNarrowSize(Value size) {
  APInt number;
  if (matchPattern(size, m_ConstantInt(&number)))
    return number.ult(kNarrowLimit);
  while (Operation *op = size.getDefiningOp()) {
    if (auto assume = dyn_cast<nv_tileas::AssumeOp>(op)) {
      for (Attribute predicate : assume.getPredicates())
        if (auto bounded = dyn_cast<nv_tileaa::BoundedAttr>(predicate))
          if (bounded.getLb().value_or(-1) >= 0 &&
              (size.getType().getIntOrFloatBitWidth() <= 32 ||
               (bounded.getUb() && *bounded.getUb() < kNarrowLimit)))
            return true;
    } else if (isa<arith::ExtUIOp>(op)) {
      if (op->getOperand(0).getType().getIntOrFloatBitWidth() < 32)
        return true;
    } else if (!isa<arith::TruncIOp>(op)) {
      return false;
    }
    size = op->getOperand(0);
  }
  return false;
}

/// Marks an access for the conversion.
static constexpr llvm::StringLiteral kNarrowAttr = "narrow_view";

bool hasNarrowView(Operation *op) { return op->hasAttr(kNarrowAttr); }

void markNarrowViews(Operation *module) {
  auto narrow = UnitAttr::get(module->getContext());
  module->walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isa<nv_tileaa::TATiledViewType>(operand.getType()))
        continue;
      nv_tileas::MakeMemRefOp make = getMemRef(operand);
      auto isStaticNarrow = [](int64_t size) {
        return ShapedType::isDynamic(size) || size < kNarrowLimit;
      };
      if (make && llvm::all_of(make.getType().getShape(), isStaticNarrow) &&
          llvm::all_of(make.getSizes(), isNarrowSize))
        op->setAttr(kNarrowAttr, narrow);
    }
  });
}

} // namespace tileir::lowering
