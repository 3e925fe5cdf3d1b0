// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas/cta/BlockOrder.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tileas-order-blocks"

namespace tileir {

#define GEN_PASS_DECL_TILEASORDERBLOCKS
#define GEN_PASS_DEF_TILEASORDERBLOCKS
#include "passes/tileas/cta/TileASOrderBlocks.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASOrderBlocks final
    : impl::TileASOrderBlocksBase<TileASOrderBlocks> {
  using TileASOrderBlocksBase::TileASOrderBlocksBase;

  void runOnOperation() override;
};

/// Dimensions of the grid, a bit each.
using Dims = unsigned;

} // namespace

static StringRef nameOf(unsigned dim) {
  return StringRef("xyz").substr(dim, 1);
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether other blocks cannot observe when `op` happens. Weak accesses
/// of different blocks never conflict in a correct program.
static bool isOwnBusiness(Operation *op) {
  if (auto access = dyn_cast<as::TileASMemoryOpInterface>(op))
    return access.getAccessSemantic() == aa::MemSemantic::Weak &&
           !access.isVolatileAccess() &&
           (isa<as::LoadOp, as::StoreOp, as::TiledLoadOp, as::TiledStoreOp,
                as::GatherLoadOp, as::ScatterStoreOp>(op));
  if (auto call = dyn_cast<as::ElementwiseOp>(op))
    return call.getPure();
  if (isa<aa::FuncOp, as::AllocaOp, as::AssertOp, as::DotOp,
          as::GridDependencyOp, as::OptimizationBarrierOp, as::PrintOp>(op))
    return true;
  return isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

/// The reason to leave the blocks of `func` in their order; empty without one.
static std::string findObstacle(aa::FuncOp func) {
  std::string reason;
  func->walk([&](Operation *op) {
    if (isOwnBusiness(op))
      return WalkResult::advance();
    reason = ("blocks may wait for each other by '" +
              op->getName().getStringRef() + "'")
                 .str();
    return WalkResult::interrupt();
  });
  return reason;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Appends the sources of `arg`, an argument of a loop. False if they are
/// unknown.
static bool appendSources(BlockArgument arg, SmallVectorImpl<Value> &sources) {
  Operation *parent = arg.getOwner()->getParentOp();
  unsigned number = arg.getArgNumber();
  if (isa<aa::FuncOp>(parent))
    return true;
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (arg == loop.getInductionVar()) {
      sources.append({loop.getLowerBound(), loop.getStep()});
      return true;
    }
    sources.push_back(loop.getTiedLoopInit(arg)->get());
    sources.push_back(loop.getTiedLoopYieldedValue(arg)->get());
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (arg.getOwner() == loop.getBeforeBody()) {
      sources.push_back(loop.getInits()[number]);
      sources.push_back(loop.getYieldOp().getOperand(number));
    } else {
      sources.push_back(loop.getConditionOp().getArgs()[number]);
    }
    return true;
  }
  return false;
}

/// The same of the result of an operation.
static bool appendSources(OpResult result, SmallVectorImpl<Value> &sources) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    sources.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                    loop.getInitArgs()[number],
                    loop.getYieldedValues()[number]});
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    scf::ConditionOp end = loop.getConditionOp();
    sources.append({end.getCondition(), end.getArgs()[number]});
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    sources.append({branch.getCondition(),
                    branch.thenYield().getOperand(number),
                    branch.elseYield().getOperand(number)});
    return true;
  }
  llvm::append_range(sources, op->getOperands());
  return op->getNumRegions() == 0 || isa<as::ReduceOp, as::ScanOp>(op);
}

/// The dimensions of the grid on which the tile `operand` depends, by its
/// backward slice and the addresses of its loads. All dimensions if that is
/// unknown.
static Dims findDims(Value operand) {
  Dims dims = 0;
  llvm::SetVector<Value> seen;
  seen.insert(operand);
  for (size_t i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    if (auto id = value.getDefiningOp<as::GetProgramIdOp>()) {
      dims |= 1u << unsigned(id.getDim());
      continue;
    }
    SmallVector<Value> sources;
    auto arg = dyn_cast<BlockArgument>(value);
    if (!(arg ? appendSources(arg, sources)
              : appendSources(cast<OpResult>(value), sources)))
      return 7;
    // A token orders a load; it does not select the loaded elements.
    for (Value source : sources)
      if (!isa<aa::MemTokenType>(source.getType()))
        seen.insert(source);
  }
  return dims;
}

namespace {

/// Dimensions that move one operand of a dot and not the other.
struct Axes {
  Dims a, b;
  bool areOneEach() const {
    return llvm::popcount(a) == 1 && llvm::popcount(b) == 1;
  }
};

} // namespace

/// The order in which the blocks of `func` share most of the operands of
/// `dots`; without one, reports why.
static std::optional<BlockOrder> chooseOrder(aa::FuncOp func,
                                             ArrayRef<as::DotOp> dots,
                                             unsigned groupBits,
                                             std::string &reason) {
  std::optional<Axes> axes;
  for (as::DotOp dot : dots) {
    Dims a = findDims(dot.getA()), b = findDims(dot.getB());
    Axes found{a & ~b, b & ~a};
    TILEIR_LOG() << dot.getLoc() << ": dimensions " << a << " and " << b;
    if (!found.areOneEach()) {
      reason = "no two dimensions of the grid select one operand each";
      return std::nullopt;
    }
    if (axes && (axes->a | axes->b) != (found.a | found.b)) {
      reason = "dots select their operands by different dimensions of the grid";
      return std::nullopt;
    }
    axes = found;
  }
  Dims used = 0;
  func->walk(
      [&](as::GetProgramIdOp id) { used |= 1u << unsigned(id.getDim()); });
  BlockOrder order;
  order.walked = llvm::countr_zero(axes->a | axes->b);
  order.grouped = llvm::Log2_32(axes->a | axes->b);
  order.groupBits = groupBits;
  // A dimension that moves both operands goes slowest; slower than the group it
  // does so already.
  if (Dims rest = used & ~(axes->a | axes->b))
    if (unsigned dim = llvm::countr_zero(rest); dim < order.grouped)
      order.shared = dim;
  return order;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

namespace {

/// Emits the arithmetic of `orderBlock`.
class ScalarMath {
public:
  using Number = Value;

  ScalarMath(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(uint32_t number) {
    return arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(int32_t(number)));
  }
  Value add(Value a, Value b) { return make<arith::AddIOp>(a, b); }
  Value subtract(Value a, Value b) { return make<arith::SubIOp>(a, b); }
  Value multiply(Value a, Value b) { return make<arith::MulIOp>(a, b); }
  Value divide(Value a, Value b) { return make<arith::DivUIOp>(a, b); }
  Value min(Value a, Value b) { return make<arith::MinUIOp>(a, b); }
  Value bitAnd(Value a, Value b) { return make<arith::AndIOp>(a, b); }
  Value bitOr(Value a, Value b) { return make<arith::OrIOp>(a, b); }
  Value exclusiveOr(Value a, Value b) { return make<arith::XOrIOp>(a, b); }
  Value shiftLeft(Value a, Value b) { return make<arith::ShLIOp>(a, b); }
  Value shiftRight(Value a, Value b) { return make<arith::ShRUIOp>(a, b); }
  Value countLeadingZeros(Value a) {
    return math::CountLeadingZerosOp::create(builder, loc, a);
  }
  Value isDotBelow(Value a, Value b, uint64_t limit) {
    Type wide = builder.getI64Type();
    Value scaled =
        make<arith::MulIOp>(arith::ExtUIOp::create(builder, loc, wide, a),
                            arith::ExtUIOp::create(builder, loc, wide, b));
    Value bound = arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(int64_t(limit)));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                 scaled, bound);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

private:
  template <typename OpTy> Value make(Value a, Value b) {
    return OpTy::create(builder, loc, a, b);
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace

/// Gives the blocks of `func` the places of `order`.
static void apply(aa::FuncOp func, const BlockOrder &order) {
  SmallVector<as::GetProgramIdOp> reads;
  func->walk([&](as::GetProgramIdOp id) { reads.push_back(id); });
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = reads.front().getLoc();
  Type i32 = builder.getI32Type();
  std::array<Value, 3> ids, extents;
  SmallVector<unsigned> dims = {order.grouped, order.walked};
  if (order.shared)
    dims.push_back(*order.shared);
  llvm::sort(dims);
  for (unsigned d : dims) {
    auto dim = aa::DimAttr::get(builder.getContext(), aa::Dim(d));
    ids[d] = as::GetProgramIdOp::create(builder, loc, i32, dim);
    extents[d] = as::GetNumProgramsOp::create(builder, loc, i32, dim);
  }
  ScalarMath math(builder, loc);
  std::array<Value, 3> places = orderBlock(math, order, ids, extents);
  // Bounds that the language gives ids.
  auto bounds = builder.getArrayAttr(aa::BoundedAttr::get(
      builder.getContext(), /*lb=*/0, /*ub=*/(int64_t(1) << 24) - 2));
  for (unsigned d : dims)
    places[d] = as::AssumeOp::create(builder, loc, i32, places[d], bounds);
  for (as::GetProgramIdOp id : reads) {
    if (!llvm::is_contained(dims, unsigned(id.getDim())))
      continue;
    id.replaceAllUsesWith(places[unsigned(id.getDim())]);
    id.erase();
  }
}

void TileASOrderBlocks::runOnOperation() {
  aa::FuncOp func = getOperation();
  SmallVector<as::DotOp> dots;
  func->walk([&](as::DotOp dot) {
    if (dot->getParentOfType<LoopLikeOpInterface>())
      dots.push_back(dot);
  });
  if (!func.getKernel() || dots.empty() || group == 0)
    return markAllAnalysesPreserved();
  std::string reason = findObstacle(func);
  std::optional<BlockOrder> order;
  if (reason.empty())
    order = chooseOrder(
        func, dots,
        llvm::Log2_32(std::min<unsigned>(group, heuristics::maxBlockGroup)),
        reason);
  auto about = remarkAbout(func, "OrderBlocks", "tileas");
  if (!order) {
    TILEIR_LOG() << func.getName() << ": as hardware starts them: " << reason;
    remark::missed(func.getLoc(), about)
        << StringRef("blocks run as the grid numbers them")
        << remark::metric("Reason", StringRef(reason));
    return markAllAnalysesPreserved();
  }
  apply(func, *order);
  ++numOrdered;
  std::string text = std::to_string(1u << order->groupBits) + " of " +
                     nameOf(order->grouped).str() + ", " +
                     nameOf(order->walked).str();
  if (order->shared)
    text += ", " + nameOf(*order->shared).str();
  TILEIR_LOG() << func.getName() << ": " << text;
  remark::passed(func.getLoc(), about)
      << StringRef("blocks run in groups, so that they share tiles in L2")
      << remark::metric("Order", StringRef(text));
}

} // namespace tileir
