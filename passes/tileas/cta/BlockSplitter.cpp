// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/cta/BlockSplitter.h"

#include "dialects/support/Heuristics.h"

#include "passes/analysis/MmaChain.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/cta/PlannedDemand.h"
#include "passes/tileas/cta/SplitAccesses.h"
#include "passes/tileas/layout/LayoutChoice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tileas-plan-cta"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Both halves of a split.
static constexpr int64_t kParts = 2;

namespace {

/// Makes a loop over halves of the block that a loop with chained dots stands
/// in. A dimension of a tile is cut where the rows of the dots run along it.
class BlockSplitter {
public:
  explicit BlockSplitter(scf::ForOp dots)
      : dots(dots), block(dots->getBlock()) {}

  /// Returns the obstacle; empty if `run` may follow.
  StringRef check();
  void run();

private:
  void cut(Value tile, unsigned d);
  void cut(OpOperand &use, unsigned d);
  void cutAll(Operation *op, unsigned d);
  void keep(OpOperand &use) { kept.push_back(&use); }
  void follow(Value tile, unsigned d);
  void follow(Operation *op, Value tile, unsigned d);
  void followDot(as::DotOp dot, Value tile, unsigned d);
  void followCarried(Operation *op, unsigned number, unsigned d);
  void followAccess(Operation *op, bool isPlain, Value view, unsigned d);
  StringRef checkMemory(Operation *op);
  StringRef checkKept();
  bool isMoved(Operation &op);

  Value emitHalf(OpBuilder &builder, Location loc, Type type);
  void emitLeaf(OpOperand &use, unsigned d);
  void emitAccess(Operation *op, Value view, MutableOperandRange coords,
                  unsigned d);

  scf::ForOp dots;
  Block *block;
  /// The dimension of each tile that is cut.
  llvm::MapVector<Value, unsigned> dims;
  /// Operands without a place of their own: constants, splats and ranges, each
  /// of which may be cut along another dimension for another user.
  llvm::MapVector<OpOperand *, unsigned> leaves;
  SmallVector<OpOperand *> kept;
  SmallVector<Value> open;
  StringRef reason;
  /// The operations of the new loop, in order, and its counter.
  llvm::SetVector<Operation *> moved;
  Value half;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

void BlockSplitter::cut(Value tile, unsigned d) {
  auto [known, isNew] = dims.insert({tile, d});
  if (!isNew) {
    if (known->second != d)
      reason = "a tile would have to be cut along two dimensions";
    return;
  }
  Operation *parent = tile.getParentBlock()->getParentOp();
  if (tile.getParentBlock() == block ? isa<BlockArgument>(tile)
                                     : !block->findAncestorOpInBlock(*parent))
    reason = "a tile comes from outside";
  else if (getShape(tile)[d] < kParts)
    reason = "a tile has one row";
  open.push_back(tile);
}

void BlockSplitter::cut(OpOperand &use, unsigned d) {
  Operation *op = use.get().getDefiningOp();
  SplatElementsAttr splat;
  if (op && (isa<as::SplatOp, as::MakeRangeOp>(op) ||
             matchPattern(op, m_Constant(&splat))))
    leaves.insert({&use, d});
  else
    cut(use.get(), d);
}

/// Cuts all tiles of `op`, which have one shape.
void BlockSplitter::cutAll(Operation *op, unsigned d) {
  for (OpOperand &use : op->getOpOperands())
    if (isTile(use.get()))
      cut(use, d);
  for (Value result : op->getResults())
    cut(result, d);
}

/// The value with number `number` that `op`, a loop or a branch, carries.
void BlockSplitter::followCarried(Operation *op, unsigned number, unsigned d) {
  cut(op->getResult(number), d);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    cut(loop.getRegionIterArg(number), d);
    cut(loop.getInitsMutable()[number], d);
  }
  for (Region &region : op->getRegions())
    cut(region.front().getTerminator()->getOpOperand(number), d);
}

void BlockSplitter::followDot(as::DotOp dot, Value tile, unsigned d) {
  MutableOperandRange scaleA = dot.getScaleAMutable(),
                      scaleB = dot.getScaleBMutable();
  bool isOfA = tile == dot.getA() || tile == dot.getScaleA(),
       isOfB = tile == dot.getB() || tile == dot.getScaleB();
  if (dot.hasBuffers() || dot.getAtom().getScaleType())
    reason = "a dot has operands that have no halves";
  else if ((isOfA && d == 1) || (isOfB && d == 0))
    reason = "a dot adds along the rows";
  if (!reason.empty())
    return;
  cut(dot.getCMutable(), d);
  cut(dot.getResult(), d);
  cut(d == 0 ? dot.getAMutable() : dot.getBMutable(), d);
  keep(d == 0 ? dot.getBMutable() : dot.getAMutable());
  if (dot.getScaleA()) {
    cut((d == 0 ? scaleA : scaleB)[0], d);
    keep((d == 0 ? scaleB : scaleA)[0]);
  }
}

void BlockSplitter::followAccess(Operation *op, bool isPlain, Value view,
                                 unsigned d) {
  if (!isPlain || !canCutView(view, d, kParts))
    reason = "an access has no halves";
}

/// Returns the dimensions of `to`, for each of `from`, that have the same
/// elements; empty where more than dimensions of one element come and go.
static SmallVector<unsigned> matchDims(Value from, Value to) {
  Layout::Shape a = getShape(from), b = getShape(to);
  SmallVector<unsigned> places(a.size());
  unsigned at = 0;
  for (auto [i, size] : llvm::enumerate(a)) {
    if (size == 1)
      continue;
    while (at < b.size() && b[at] == 1)
      ++at;
    if (at == b.size() || b[at] != size)
      return {};
    places[i] = at++;
  }
  return places;
}

/// Cuts the other tiles of `op` as its tile `tile`, along `d`.
void BlockSplitter::follow(Operation *op, Value tile, unsigned d) {
  bool isResult = tile.getDefiningOp() == op;
  auto rename = [&](unsigned ofSource, unsigned ofResult) {
    cut(op->getOpOperand(0), ofSource);
    cut(op->getResult(0), ofResult);
  };
  if (isa_and_present<arith::ArithDialect, math::MathDialect>(
          op->getDialect()) ||
      isa<as::FpToFpOp, as::ElementwiseOp>(op))
    return cutAll(op, d);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](as::ConvertLayoutOp convert) {
        if (convert.getScratch())
          reason = "shared memory is assigned already";
        cutAll(op, d);
      })
      .Case([&](as::DotOp dot) { followDot(dot, tile, d); })
      .Case([&](as::TiledLoadOp load) {
        followAccess(op, isPlainAccess(load), load.getView(), d);
      })
      .Case([&](as::TiledStoreOp store) {
        followAccess(op, isPlainAccess(store), store.getView(), d);
      })
      .Case([&](as::ExpandDimsOp expand) {
        unsigned axis = expand.getAxis();
        if (isResult)
          rename(d > axis ? d - 1 : d, d);
        else
          rename(d, d >= axis ? d + 1 : d);
      })
      .Case([&](as::BroadcastOp broadcast) {
        if (getShape(broadcast.getSource())[d] == 1)
          keep(op->getOpOperand(0));
        else
          rename(d, d);
      })
      .Case([&](as::PermuteOp permute) {
        ArrayRef<int32_t> order = permute.getPermutation();
        unsigned place = isResult ? d : llvm::find(order, d) - order.begin();
        rename(order[place], place);
      })
      .Case([&](as::ViewOp view) {
        SmallVector<unsigned> places =
            matchDims(tile, isResult ? view.getSource() : view.getResult());
        if (places.empty())
          reason = "a tile gets another shape";
        else
          isResult ? rename(places[d], d) : rename(d, places[d]);
      })
      .Case([&](as::ReduceOp reduce) {
        unsigned axis = reduce.getAxis();
        if (!isResult && d == axis) {
          reason = "a reduction runs along the rows";
          return;
        }
        unsigned ofSource = isResult && d >= axis ? d + 1 : d;
        for (OpOperand &use : op->getOpOperands())
          cut(use, ofSource);
        for (Value result : op->getResults())
          cut(result, ofSource > axis ? ofSource - 1 : ofSource);
      })
      .Default([&](Operation *) { reason = "an operation mixes rows"; });
}

void BlockSplitter::follow(Value tile, unsigned d) {
  if (auto arg = dyn_cast<BlockArgument>(tile)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (!loop)
      reason = "a tile is carried in a layout that cannot be halved";
    else
      followCarried(loop, arg.getArgNumber() - 1, d);
  } else if (isa<scf::ForOp, scf::IfOp>(tile.getDefiningOp())) {
    followCarried(tile.getDefiningOp(), cast<OpResult>(tile).getResultNumber(),
                  d);
  } else {
    follow(tile.getDefiningOp(), tile, d);
  }
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(user))
      followCarried(user, loop.getTiedLoopResult(&use).getResultNumber(), d);
    else if (isa<scf::YieldOp>(user) && user->getBlock() != block &&
             isa<scf::ForOp, scf::IfOp>(user->getParentOp()))
      followCarried(user->getParentOp(), use.getOperandNumber(), d);
    else
      follow(user, tile, d);
  }
}

/// Halves follow each other, so that no token may say that an access to one
/// half comes after an access to the other. Whole tiles are loaded twice.
StringRef BlockSplitter::checkMemory(Operation *op) {
  auto isOrdered = [&](Value token, Value made) {
    Operation *from = token ? token.getDefiningOp() : nullptr;
    return !made.use_empty() || (from && block->findAncestorOpInBlock(*from));
  };
  bool isFree = true;
  if (auto load = dyn_cast<as::TiledLoadOp>(op))
    isFree = isPlainAccess(load) &&
             !isOrdered(load.getToken(), load.getResultToken());
  else if (auto store = dyn_cast<as::TiledStoreOp>(op))
    isFree = dims.contains(store.getValue()) &&
             !isOrdered(store.getToken(), store.getResultToken());
  else if (!isa<scf::ForOp, scf::IfOp>(op))
    isFree = isMemoryEffectFree(op);
  return isFree ? "" : "memory is used in an order, or by more than tiles";
}

StringRef BlockSplitter::checkKept() {
  bool isCut = llvm::any_of(
      kept, [&](OpOperand *use) { return dims.contains(use->get()); });
  return isCut ? "a dot adds along the rows" : "";
}

/// Returns whether `op`, of the block, belongs into the loop over halves: all
/// but numbers and views, which are the same for both.
bool BlockSplitter::isMoved(Operation &op) {
  auto isLate = [&](Value value) {
    return moved.contains(value.getDefiningOp());
  };
  return op.getNumRegions() || llvm::any_of(op.getResults(), isTile) ||
         isa<as::TiledStoreOp>(op) || llvm::any_of(op.getOperands(), isLate);
}

StringRef BlockSplitter::check() {
  MmaChain chain(dots);
  cut(chain.getDots().back().result, 0);
  while (!open.empty() && reason.empty()) {
    Value tile = open.pop_back_val();
    follow(tile, dims.lookup(tile));
  }
  if (reason.empty())
    reason = checkKept();
  if (!reason.empty())
    return reason;
  block->walk([&](Operation *op) {
    if (op->getBlock() == block && op == block->getTerminator())
      return;
    if (reason.empty())
      reason = checkMemory(op);
  });
  for (Operation &op : block->without_terminator())
    if (isMoved(op))
      moved.insert(&op);
  if (llvm::any_of(block->getTerminator()->getOperands(), [&](Value value) {
        return moved.contains(value.getDefiningOp());
      }))
    reason = "its result is used in another block";
  return reason;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The type of half a tile, without a layout.
static RankedTensorType getHalfType(Value tile, unsigned d) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[d] /= kParts;
  return RankedTensorType::get(shape, type.getElementType());
}

/// The number of the half, as a number of type `type`.
Value BlockSplitter::emitHalf(OpBuilder &builder, Location loc, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return half;
  if (bits > 32)
    return arith::ExtUIOp::create(builder, loc, type, half);
  return arith::TruncIOp::create(builder, loc, type, half);
}

/// Gives `use` half of the constant, splat or range that it has.
void BlockSplitter::emitLeaf(OpOperand &use, unsigned d) {
  OpBuilder builder(use.getOwner());
  Operation *op = builder.clone(*use.get().getDefiningOp());
  Value tile = op->getResult(0);
  RankedTensorType type = getHalfType(tile, d);
  tile.setType(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    constant.setValueAttr(
        SplatElementsAttr::get(type, splat.getSplatValue<Attribute>()));
  } else if (auto range = dyn_cast<as::MakeRangeOp>(op)) {
    Location loc = op->getLoc();
    int64_t size = type.getDimSize(0);
    range.setEnd(range.getStart() + size);
    Value number = emitHalf(builder, loc, type.getElementType());
    Value length = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(number.getType(), size));
    Value first = arith::MulIOp::create(builder, loc, number, length);
    Value firsts = as::SplatOp::create(builder, loc, type, first);
    tile = arith::AddIOp::create(builder, loc, tile, firsts);
  }
  use.set(tile);
}

/// Makes `op` access the half of its tile.
void BlockSplitter::emitAccess(Operation *op, Value view,
                               MutableOperandRange coords, unsigned d) {
  auto type = cast<aa::TATiledViewType>(view.getType());
  auto whole = view.getDefiningOp<as::BlockTileOp>();
  OpBuilder builder(whole);
  Value halves = tileir::cutView(builder, view, d, kParts, whole.getSource());
  builder.setInsertionPoint(op);
  OpOperand &coord = coords[d];
  Value first = cutCoord(builder, coord.get(), d, kParts, type);
  Value number = emitHalf(builder, op->getLoc(), first.getType());
  coord.set(arith::AddIOp::create(builder, op->getLoc(), first, number));
  op->replaceUsesOfWith(view, halves);
  cutFacts(op, d, kParts, type);
}

void BlockSplitter::run() {
  OpBuilder builder(block->getTerminator());
  Location loc = dots.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  auto loop =
      scf::ForOp::create(builder, loc, number(0), number(kParts), number(1));
  half = loop.getInductionVar();
  for (Operation *op : moved)
    op->moveBefore(loop.getBody()->getTerminator());
  for (auto [use, d] : leaves)
    emitLeaf(*use, d);
  for (auto [tile, d] : dims) {
    if (auto load = tile.getDefiningOp<as::TiledLoadOp>())
      emitAccess(load, load.getView(), load.getCoordsMutable(), d);
    for (Operation *user : tile.getUsers())
      if (auto store = dyn_cast<as::TiledStoreOp>(user))
        emitAccess(store, store.getView(), store.getCoordsMutable(), d);
    tile.setType(getHalfType(tile, d));
  }
}

//===----------------------------------------------------------------------===//
// Which blocks
//===----------------------------------------------------------------------===//

/// Returns whether no number of warps holds the tiles of `func`.
static bool isTooLarge(aa::FuncOp func) {
  RegisterDemand demand = getPlannedDemand(func);
  for (unsigned warps = 1; warps <= heuristics::maxWarps; warps *= 2)
    if (RegisterDemand::getExcess(demand.peak, warps) <= 0)
      return false;
  return true;
}

/// Splits the block of the first loop with chained dots where its tiles are too
/// large, and says so.
static bool splitOne(aa::FuncOp func) {
  scf::ForOp found;
  func->walk([&](scf::ForOp loop) {
    if (!MmaChain(loop).isPair())
      return WalkResult::advance();
    found = loop;
    return WalkResult::interrupt();
  });
  if (!found || !isTooLarge(func))
    return false;
  BlockSplitter splitter(found);
  StringRef reason = splitter.check();
  TILEIR_LOG() << found.getLoc() << ": no number of warps holds the tiles, "
               << (reason.empty() ? "split into halves" : "kept: ") << reason;
  auto about = remarkAbout(found, "SplitBlock", "tileas");
  if (reason.empty()) {
    remark::passed(found.getLoc(), about)
        << StringRef("the rows of the tile block are computed in two halves: "
                     "no number of warps holds all of them");
    splitter.run();
  } else {
    remark::missed(found.getLoc(), about)
        << StringRef("the tiles stay larger than the registers")
        << remark::metric("Reason", reason);
  }
  return reason.empty();
}

bool splitBlocks(aa::FuncOp func) {
  unsigned splits = 0;
  for (; splits < heuristics::maxSplitDots && splitOne(func); ++splits)
    assignDefaultLayouts(func, getNumWarps(func));
  return splits;
}

} // namespace tileir
