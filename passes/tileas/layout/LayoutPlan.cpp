// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/layout/LayoutPlan.h"

#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/Remarks.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

Layout::Shape getShape(Value tile) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  return Layout::Shape(shape.begin(), shape.end());
}

unsigned getElementBits(Value tile) {
  return as::getStorageBits(getElementTypeOrSelf(tile.getType()));
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

namespace {

/// Union-find over tile values, which get numbers as they appear.
class Unifier {
public:
  void add(Value value) { number(value); }
  void unite(Value a, Value b) {
    if (!isTile(a) || !isTile(b))
      return;
    unsigned x = find(number(a)), y = find(number(b));
    // The earlier value leads, so that results do not depend on addresses.
    parent[std::max(x, y)] = std::min(x, y);
  }
  void unite(ValueRange values) {
    Value first;
    for (Value value : values) {
      if (!isTile(value))
        continue;
      if (first)
        unite(first, value);
      else
        first = value;
    }
  }
  template <typename Range> void unitePairwise(Range &&a, ValueRange b) {
    for (auto [x, y] : llvm::zip(a, b))
      unite(x, y);
  }
  unsigned find(unsigned i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  }
  ArrayRef<Value> getValues() const { return values; }

private:
  unsigned number(Value value) {
    auto [it, inserted] = numbers.try_emplace(value, values.size());
    if (inserted) {
      values.push_back(value);
      parent.push_back(it->second);
    }
    return it->second;
  }

  DenseMap<Value, unsigned> numbers;
  SmallVector<Value> values;
  SmallVector<unsigned> parent;
};

} // namespace

/// All tile operands and results of `op` have one layout.
static bool isUniform(Operation *op) {
  if (isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return true;
  if (auto cast = dyn_cast<as::BitcastOp>(op))
    return !isTile(cast.getSource()) ||
           getShape(cast.getSource()) == getShape(cast.getResult());
  return isa<as::AddPtrOp, as::PtrToIntOp, as::IntToPtrOp, as::FpToFpOp,
             as::ElementwiseOp, as::AssumeOp, as::LoadOp, as::StoreOp,
             as::AtomicRmwOp, as::AtomicCasOp>(op);
}

static void uniteOp(Operation *op, Unifier &unifier) {
  if (isUniform(op)) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    unifier.unite(values);
    return;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        unifier.unitePairwise(loop.getInits(), loop.getRegionIterArgs());
        unifier.unitePairwise(loop.getInits(), loop.getYieldedValues());
        unifier.unitePairwise(loop.getInits(), loop.getResults());
      })
      .Case([&](scf::IfOp branch) {
        unifier.unitePairwise(branch.getResults(),
                              branch.thenYield().getOperands());
        if (branch.elseBlock())
          unifier.unitePairwise(branch.getResults(),
                                branch.elseYield().getOperands());
      })
      .Case([&](scf::WhileOp loop) {
        unifier.unitePairwise(loop.getInits(), loop.getBeforeArguments());
        unifier.unitePairwise(loop.getInits(), loop.getYieldOp().getOperands());
        unifier.unitePairwise(loop.getResults(),
                              loop.getConditionOp().getArgs());
        unifier.unitePairwise(loop.getResults(), loop.getAfterArguments());
      })
      .Case([&](as::OptimizationBarrierOp barrier) {
        unifier.unitePairwise(barrier.getValues(), barrier.getResults());
      })
      .Case([&](as::DotOp dot) { unifier.unite(dot.getC(), dot.getResult()); })
      .Case([&](as::ReduceOp reduce) {
        unifier.unite(reduce.getOperands());
        unifier.unite(reduce.getResults());
      })
      .Case([&](as::ScanOp scan) {
        unifier.unite(scan.getOperands());
        unifier.unitePairwise(scan.getOperands(), scan.getResults());
      })
      .Case([&](as::CatOp cat) { unifier.unite(cat.getLhs(), cat.getRhs()); })
      .Case([&](as::InsertSliceOp insert) {
        unifier.unite(insert.getDest(), insert.getResult());
      });
}

TileClasses::TileClasses(FunctionOpInterface func) {
  Unifier unifier;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (isTile(result))
        unifier.add(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value arg : block.getArguments())
          if (isTile(arg))
            unifier.add(arg);
  });
  func->walk([&](Operation *op) { uniteOp(op, unifier); });
  DenseMap<unsigned, unsigned> dense;
  for (auto [i, value] : llvm::enumerate(unifier.getValues())) {
    auto [it, inserted] =
        dense.try_emplace(unifier.find(i), unsigned(members.size()));
    if (inserted)
      members.emplace_back();
    members[it->second].push_back(value);
    ids[value] = it->second;
  }
}

Layout getPlannedLayout(as::ReduceOp reduce, const Layout &layout) {
  // `tileas-roll-tiles` combines what no register holds slice by slice, each in
  // its own order.
  return layout.getNumRegisters() > heuristics::rolledTileRegisters
             ? layout
             : getReduceLayout(reduce, layout);
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

bool isPort(Operation *op) {
  return isa<as::TiledLoadOp, as::TiledStoreOp, as::TiledAtomicRmwOp,
             as::GatherLoadOp, as::ScatterStoreOp, as::ScanOp, as::DotOp>(op);
}

Value getPortTile(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<as::TiledLoadOp, as::GatherLoadOp>(
          [](auto load) { return load.getValue(); })
      .Case<as::TiledStoreOp, as::ScatterStoreOp, as::TiledAtomicRmwOp>(
          [](auto store) { return store.getValue(); })
      .Case([](as::ScanOp scan) { return scan.getOperands().front(); })
      .Case([](as::DotOp dot) { return dot.getC(); })
      .Default(Value());
}

static bool isFreeLeaf(Operation *op) {
  return isa<arith::ConstantOp, ub::PoisonOp, as::SplatOp, as::MakeRangeOp>(
             op) &&
         isTile(op->getResult(0));
}

void splitFreeLeaves(FunctionOpInterface func) {
  SmallVector<Operation *> leaves;
  func->walk([&](Operation *op) {
    if (isFreeLeaf(op))
      leaves.push_back(op);
  });
  for (Operation *op : leaves) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    // The operation stays the leaf of the use that comes first, if there is
    // one.
    if (uses.empty())
      continue;
    OpBuilder builder(op);
    for (OpOperand *use : llvm::drop_begin(llvm::reverse(uses)))
      use->set(builder.clone(*op)->getResult(0));
  }
}

void stripConversions(FunctionOpInterface func) {
  func->walk([](as::ConvertLayoutOp convert) {
    if (convert.getScratch())
      return;
    convert.getResult().replaceAllUsesWith(convert.getSource());
    convert.erase();
  });
}

//===----------------------------------------------------------------------===//
// Application
//===----------------------------------------------------------------------===//

namespace {

/// Inserts the conversions of one function. All tiles have the layouts of
/// their classes when it starts.
class PlanApplier {
public:
  PlanApplier(FunctionOpInterface func, const TileClasses &classes,
              const LayoutPlan &plan)
      : func(func), classes(classes), plan(plan), builder(func.getContext()) {}

  void run();

private:
  void setType(Value tile, const Layout &layout) {
    tile.setType(as::withLayout(cast<RankedTensorType>(tile.getType()),
                                as::getLayoutAttr(func.getContext(), layout)));
  }
  static Layout current(Value tile) {
    return as::getTileLayout(tile.getType()).getLayout();
  }
  /// Makes `operand` have `layout`.
  void need(OpOperand &operand, const Layout &layout);
  void need(MutableOperandRange range, const Layout &layout) {
    for (OpOperand &operand : range)
      need(operand, layout);
  }
  /// Lets `result` have `layout`; users see the layout of its class.
  void give(Value result, const Layout &layout);
  void visit(Operation *op);
  void visitShape(Operation *op);
  void visitPort(Operation *op, const Layout &port);

  FunctionOpInterface func;
  const TileClasses &classes;
  const LayoutPlan &plan;
  OpBuilder builder;
};

} // namespace

void PlanApplier::need(OpOperand &operand, const Layout &layout) {
  Value value = operand.get();
  if (current(value) == layout)
    return;
  // A conversion that was just made for the class is passed by.
  if (auto convert = value.getDefiningOp<as::ConvertLayoutOp>())
    if (!convert.getScratch()) {
      value = convert.getSource();
      if (current(value) == layout)
        return operand.set(value);
    }
  builder.setInsertionPoint(operand.getOwner());
  auto type = as::withLayout(cast<RankedTensorType>(value.getType()),
                             as::getLayoutAttr(func.getContext(), layout));
  operand.set(as::ConvertLayoutOp::create(builder, operand.getOwner()->getLoc(),
                                          type, value));
}

void PlanApplier::give(Value result, const Layout &layout) {
  Type wanted = result.getType();
  if (current(result) == layout)
    return;
  setType(result, layout);
  builder.setInsertionPointAfterValue(result);
  auto convert =
      as::ConvertLayoutOp::create(builder, result.getLoc(), wanted, result);
  result.replaceAllUsesExcept(convert, convert);
}

void PlanApplier::visitPort(Operation *op, const Layout &port) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](as::TiledLoadOp load) { give(load.getValue(), port); })
      .Case(
          [&](as::TiledStoreOp store) { need(store.getValueMutable(), port); })
      .Case([&](as::TiledAtomicRmwOp rmw) {
        need(rmw.getValueMutable(), port);
        if (rmw.getOld())
          give(rmw.getOld(), port);
      })
      .Case([&](as::GatherLoadOp load) {
        unsigned dim = load.getView().getType().getSparseDim();
        need(load.getCoordsMutable()[dim], getIndexLayout(port, dim));
        give(load.getValue(), port);
      })
      .Case([&](as::ScatterStoreOp store) {
        unsigned dim = store.getView().getType().getSparseDim();
        need(store.getCoordsMutable()[dim], getIndexLayout(port, dim));
        need(store.getValueMutable(), port);
      })
      .Case([&](as::ScanOp scan) {
        need(scan.getOperandsMutable(), port);
        for (Value result : scan.getResults())
          give(result, port);
      })
      .Case([&](as::DotOp dot) {
        int64_t k = dot.getDepth();
        bool takesAny = dot.needsDecomposition();
        if (!dot.hasBuffers() && !takesAny) {
          need(dot.getAMutable(),
               *as::getDotOperandLayout(dot.getAtom(), port, k, true));
          need(dot.getBMutable(),
               *as::getDotOperandLayout(dot.getAtom(), port, k, false));
        }
        for (bool isA : {true, false})
          if (Value scale = isA ? dot.getScaleA() : dot.getScaleB();
              scale && !takesAny)
            need(isA ? dot.getScaleAMutable() : dot.getScaleBMutable(),
                 *as::getDotScaleLayout(dot.getAtom(), port,
                                        getShape(scale)[isA ? 1 : 0], isA));
        need(dot.getCMutable(), port);
        give(dot.getResult(), port);
      });
}

void PlanApplier::visitShape(Operation *op) {
  Value result = op->getResult(0);
  Layout wanted = current(result);
  // Operations that only rename take the layout of the result where there is
  // an operand layout for it; the conversion is on the smaller side.
  if (std::optional<Layout> source = backward(op, wanted)) {
    Layout given = current(op->getOperand(0));
    if (given == *source && isConsistent(op, given, wanted)) {
      for (OpOperand &operand : op->getOpOperands())
        if (isTile(operand.get()))
          need(operand, given);
      return;
    }
    bool grows = getShape(result).size() &&
                 cast<RankedTensorType>(result.getType()).getNumElements() >
                     cast<RankedTensorType>(op->getOperand(0).getType())
                         .getNumElements();
    std::optional<Layout> produced = forward(op, given);
    if (grows || !produced) {
      for (OpOperand &operand : op->getOpOperands())
        if (isTile(operand.get()))
          need(operand, *source);
      return;
    }
  }
  // Otherwise the result follows from the operand.
  Layout given = current(op->getOperand(0));
  std::optional<Layout> produced = forward(op, given);
  if (!produced) {
    given = getSplittable(op);
    produced = forward(op, given);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()))
      need(operand, given);
  give(result, *produced);
}

void PlanApplier::visit(Operation *op) {
  if (auto port = plan.ports.find(op); port != plan.ports.end())
    return visitPort(op, port->second);
  if (isShapeOp(op))
    return visitShape(op);
  if (auto reduce = dyn_cast<as::ReduceOp>(op)) {
    Layout combined =
        getPlannedLayout(reduce, current(reduce.getOperands().front()));
    need(reduce.getOperandsMutable(), combined);
    Layout sliced = combined.slice(reduce.getAxis());
    for (Value result : reduce.getResults())
      if (isTile(result))
        give(result, sliced);
    return;
  }
  if (auto insert = dyn_cast<as::InsertSliceOp>(op)) {
    Layout whole = current(insert.getDest());
    std::optional<Layout> part =
        whole.extractReplicated(getShape(insert.getSource()));
    if (!part) {
      part = current(insert.getSource());
      whole = part->unextract(getShape(insert.getDest()));
      need(insert.getDestMutable(), whole);
      give(insert.getResult(), whole);
    }
    need(insert.getSourceMutable(), *part);
  }
}

void PlanApplier::run() {
  for (unsigned id = 0; id < classes.size(); ++id)
    for (Value member : classes.getMembers(id))
      setType(member, plan.classes[id]);
  // A constant carries its type a second time.
  func->walk([&](arith::ConstantOp constant) {
    if (auto type = dyn_cast<RankedTensorType>(constant.getType())) {
      auto value = cast<DenseElementsAttr>(constant.getValue());
      constant.setValueAttr(value.reshape(type));
    }
  });
  SmallVector<Operation *> ops;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    visit(op);
  func->walk([](as::ConvertLayoutOp convert) {
    if (convert.use_empty() && !convert.getScratch())
      convert.erase();
  });
}

void LayoutPlan::print(raw_ostream &os, FunctionOpInterface func,
                       const TileClasses &tiles) const {
  for (unsigned id = 0; id < classes.size(); ++id) {
    os << "class " << id << " of " << tiles.getMembers(id).size() << " tiles, ";
    printPlace(os, tiles.getLeader(id).getLoc());
    os << ": " << classes[id].str() << "\n";
  }
  func->walk([&](Operation *op) {
    auto port = ports.find(op);
    if (port == ports.end())
      return;
    unsigned id = tiles.of(getPortTile(op));
    if (port->second == classes[id])
      return;
    os << op->getName() << " of class " << id << ", ";
    printPlace(os, op->getLoc());
    os << ": " << port->second.str() << "\n";
  });
}

void applyPlan(FunctionOpInterface func, const TileClasses &classes,
               const LayoutPlan &plan) {
  PlanApplier(func, classes, plan).run();
}

} // namespace tileir
