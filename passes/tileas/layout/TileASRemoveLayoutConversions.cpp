// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/layout/LayoutPlan.h"

#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tileas-remove-layout-conversions"

namespace tileir {

#define GEN_PASS_DEF_TILEASREMOVELAYOUTCONVERSIONS
#include "passes/tileas/layout/TileASRemoveLayoutConversions.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASRemoveLayoutConversions final
    : impl::TileASRemoveLayoutConversionsBase<TileASRemoveLayoutConversions> {
  using TileASRemoveLayoutConversionsBase::TileASRemoveLayoutConversionsBase;

  void runOnOperation() override;

private:
  void removeFrom(nv_tileaa::FuncOp func);
  bool recompute(as::ConvertLayoutOp convert);
  bool hoist(as::ConvertLayoutOp convert);
  void merge(nv_tileaa::FuncOp func);
};

/// The operations that compute a tile, each with the layout that its result
/// shall have.
class Recomputation {
public:
  /// Collects the backward slice of `value` in `layout`; false if a part cannot
  /// be recomputed or the slice becomes too large.
  bool collect(Value value, const Layout &layout);
  /// Issue slots per thread.
  int64_t getCost() const { return cost; }
  Value emit(OpBuilder &builder, Value value, const Layout &layout);

private:
  struct Key {
    Value value;
    Layout layout;
    bool operator<(const Key &other) const {
      return std::make_tuple(value.getAsOpaquePointer(), layout) <
             std::make_tuple(other.value.getAsOpaquePointer(), other.layout);
    }
  };

  std::map<Key, Value> seen;
  int64_t cost = 0;
};

} // namespace

/// Pure work on registers that any layout can do.
static bool isElementwise(Operation *op) {
  if (op->getNumRegions() || op->getNumResults() != 1)
    return false;
  if (isa_and_present<arith::ArithDialect>(op->getDialect()))
    return !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
                arith::RemSIOp, arith::RemUIOp>(op);
  return isa<as::AddPtrOp>(op);
}

static bool isLeaf(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
    return value && value.isSplat();
  }
  return isa<as::SplatOp, as::MakeRangeOp, ub::PoisonOp>(op);
}

bool Recomputation::collect(Value value, const Layout &layout) {
  // A value that already has the layout is free.
  if (as::getTileLayout(value.getType()).getLayout() == layout)
    return true;
  if (!seen.try_emplace({value, layout}, Value()).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || seen.size() > heuristics::maxRecomputedValues)
    return false;
  if (auto inner = dyn_cast<as::ConvertLayoutOp>(op))
    return !inner.getScratch() && collect(inner.getSource(), layout);
  if (isLeaf(op)) {
    // One value in all registers, or an addition of a constant to each.
    if (isa<as::MakeRangeOp>(op))
      cost += layout.getNumRegisters();
    return true;
  }
  cost += layout.getNumRegisters();
  if (isShapeOp(op) && !isa<as::ExtractSliceOp, as::CatOp>(op)) {
    cost -= layout.getNumRegisters(); // names only
    std::optional<Layout> source = backward(op, layout);
    return source && isConsistent(op, *source, layout) &&
           collect(op->getOperand(0), *source);
  }
  if (!isElementwise(op))
    return false;
  for (Value operand : op->getOperands())
    if (isTile(operand) && !collect(operand, layout))
      return false;
  return true;
}

Value Recomputation::emit(OpBuilder &builder, Value value,
                          const Layout &layout) {
  as::LayoutAttr attr = as::getLayoutAttr(value.getContext(), layout);
  auto type = as::withLayout(cast<RankedTensorType>(value.getType()), attr);
  if (value.getType() == type)
    return value;
  Value &made = seen[{value, layout}];
  if (made)
    return made;
  Operation *op = value.getDefiningOp();
  if (auto inner = dyn_cast<as::ConvertLayoutOp>(op))
    return made = emit(builder, inner.getSource(), layout);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isTile(operand))
      mapping.map(operand,
                  emit(builder, operand,
                       isShapeOp(op) ? *backward(op, layout) : layout));
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    constant.setValueAttr(
        cast<DenseElementsAttr>(constant.getValue()).reshape(type));
  return seen[{value, layout}] = copy->getResult(0);
}

bool TileASRemoveLayoutConversions::recompute(as::ConvertLayoutOp convert) {
  Layout from = as::getTileLayout(convert.getSource().getType()).getLayout();
  Layout to = as::getTileLayout(convert.getType()).getLayout();
  Recomputation work;
  if (!work.collect(convert.getSource(), to)) {
    TILEIR_LOG() << convert.getLoc()
                 << ": kept: its source cannot be computed in its layout";
    return false;
  }
  int64_t cost =
      chooseConversion(to, from, getElementBits(convert.getSource())).cost;
  TILEIR_LOG() << convert.getLoc() << ": " << work.getCost()
               << " slots to compute its source in its layout, " << cost
               << " to convert";
  if (work.getCost() > cost)
    return false;
  OpBuilder builder(convert);
  Value value = work.emit(builder, convert.getSource(), to);
  convert.replaceAllUsesWith(value);
  convert.erase();
  ++numRecomputed;
  return true;
}

bool TileASRemoveLayoutConversions::hoist(as::ConvertLayoutOp convert) {
  bool moved = false;
  while (auto loop = dyn_cast<LoopLikeOpInterface>(convert->getParentOp())) {
    if (!loop.isDefinedOutsideOfLoop(convert.getSource()))
      break;
    convert->moveBefore(loop);
    moved = true;
  }
  if (moved) {
    ++numHoisted;
    TILEIR_LOG() << convert.getLoc() << ": moved out of loops";
  }
  return moved;
}

void TileASRemoveLayoutConversions::merge(nv_tileaa::FuncOp func) {
  DominanceInfo dominance(func);
  llvm::MapVector<std::pair<Value, Type>, SmallVector<as::ConvertLayoutOp>>
      groups;
  func->walk<WalkOrder::PreOrder>([&](as::ConvertLayoutOp convert) {
    if (!convert.getScratch())
      groups[{convert.getSource(), convert.getType()}].push_back(convert);
  });
  for (auto &[key, converts] : groups) {
    SmallVector<as::ConvertLayoutOp> kept;
    for (as::ConvertLayoutOp convert : converts) {
      auto earlier = llvm::find_if(kept, [&](as::ConvertLayoutOp other) {
        return dominance.properlyDominates(other.getOperation(), convert);
      });
      if (earlier == kept.end()) {
        kept.push_back(convert);
        continue;
      }
      convert.replaceAllUsesWith(earlier->getResult());
      convert.erase();
      ++numMerged;
    }
  }
}

void TileASRemoveLayoutConversions::removeFrom(nv_tileaa::FuncOp func) {
  auto conversions = [&] {
    SmallVector<as::ConvertLayoutOp> result;
    func->walk([&](as::ConvertLayoutOp convert) {
      if (!convert.getScratch())
        result.push_back(convert);
    });
    return result;
  };
  for (as::ConvertLayoutOp convert : conversions())
    recompute(convert);
  for (as::ConvertLayoutOp convert : conversions())
    hoist(convert);
  merge(func);
}

/// Removes chains of conversions, identities and operations without users.
static LogicalResult cleanUp(nv_tileaa::FuncOp func,
                             const GreedyRewriteConfig &config) {
  RewritePatternSet patterns(func.getContext());
  as::ConvertLayoutOp::getCanonicalizationPatterns(patterns, func.getContext());
  return applyPatternsGreedily(func, std::move(patterns), config);
}

void TileASRemoveLayoutConversions::runOnOperation() {
  SmallVector<nv_tileaa::FuncOp> funcs;
  getOperation()->walk([&](nv_tileaa::FuncOp func) { funcs.push_back(func); });
  GreedyRewriteConfig config;
  for (nv_tileaa::FuncOp func : funcs) {
    if (failed(cleanUp(func, config))) {
      func.emitError("folding layout conversions did not converge after ")
          << config.getMaxIterations() << " iterations";
      return signalPassFailure();
    }
    removeFrom(func);
    (void)cleanUp(func, config);
  }
}

} // namespace tileir
