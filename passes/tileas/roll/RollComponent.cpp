// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/roll/RollComponent.h"

#include "dialects/support/Heuristics.h"

#include "passes/tileas/layout/LayoutPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

static RankedTensorType getTileType(Value tile) {
  return cast<RankedTensorType>(tile.getType());
}

bool isRollLeaf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isTile(value))
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    return elements && elements.isSplat();
  }
  return isa<as::SplatOp, as::MakeRangeOp, ub::PoisonOp>(op);
}

int64_t getRegistersPerThread(RankedTensorType type) {
  Type element = type.getElementType();
  // A predicate is a bit; other narrow elements mostly have half a register.
  int64_t bits =
      element.isInteger(1) ? 1 : std::max(16u, as::getStorageBits(element));
  int64_t registers = as::getTileLayout(type).getLayout().getNumRegisters();
  return llvm::divideCeil(registers * bits, 32);
}

/// `layout` without the index bits that elements of a slice of `shape` lack.
static std::optional<Layout> restrict(const Layout &layout,
                                      const Layout::Shape &shape) {
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  Layout::FlatBases bases(layout.getNumDims());
  for (unsigned space = 0; space < layout.getNumDims(); ++space)
    for (unsigned bit = 0; bit < layout.getNumBases(space); ++bit) {
      Layout::Coord coord = layout.getBasis(space, bit);
      for (unsigned d = 0; d < shape.size(); ++d)
        coord[d] &= shape[d] - 1;
      uint32_t basis = frame.flatten(coord);
      if (basis || space != kRegister)
        bases[space].push_back(basis);
    }
  Layout result = Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
  return result.verify().empty() ? std::optional<Layout>(result) : std::nullopt;
}

RankedTensorType getSliceType(RankedTensorType type, unsigned dim,
                              int64_t slices) {
  SmallVector<int64_t> shape(type.getShape());
  if (shape[dim] % slices)
    return {};
  shape[dim] /= slices;
  const Layout &whole = as::getTileLayout(type).getLayout();
  Layout::Shape extents(shape.begin(), shape.end());
  std::optional<Layout> layout = whole.extract(extents);
  if (!layout && getRegistersPerThread(type) <= heuristics::smallTileRegisters)
    layout = restrict(whole, extents);
  if (!layout)
    return {};
  return RankedTensorType::get(shape, type.getElementType(),
                               as::getLayoutAttr(type.getContext(), *layout));
}

//===----------------------------------------------------------------------===//
// Operations that may be cut
//===----------------------------------------------------------------------===//

/// Operations that work on each element by itself.
static bool isElementwise(Operation *op) {
  if (isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return !isa<arith::ConstantOp>(op);
  if (auto cast = dyn_cast<as::BitcastOp>(op))
    return !isTile(cast.getSource()) ||
           getShape(cast.getSource()) == getShape(cast.getResult());
  return isa<as::AddPtrOp, as::PtrToIntOp, as::IntToPtrOp, as::FpToFpOp,
             as::ElementwiseOp, as::AssumeOp, as::LoadOp, as::StoreOp>(op);
}

/// Returns whether the combiner can work on tiles of results as it does on
/// elements.
static bool isTileCombiner(as::ReduceOp op) {
  return !isTile(op.getResults()[0]) ||
         llvm::all_of(
             op.getBody().front().without_terminator(), [](Operation &inner) {
               return isa_and_present<arith::ArithDialect>(inner.getDialect());
             });
}

/// Returns the reason against slices of `op` along any dimension; empty if
/// there is none.
static StringRef checkKind(Operation *op) {
  if (auto access = dyn_cast<as::TileASMemoryOpInterface>(op)) {
    if (!isa<as::LoadOp, as::StoreOp, as::TiledLoadOp, as::TiledStoreOp>(op))
      return "its accesses are no plain loads and stores";
    if (access.getAccessSemantic() != aa::MemSemantic::Weak ||
        access.isVolatileAccess())
      return "it is not weak";
    if (op->hasAttr(aa::kMultimemAttr))
      return "it combines the memory of several devices";
    auto view = dyn_cast<aa::TATiledViewType>(
        access.getAddressOperands().front().getType());
    if (view && !view.getGroupSizes().empty())
      return "dimensions of its view are grouped";
    if (view &&
        !access.getAddressOperands().front().getDefiningOp<as::BlockTileOp>())
      return "its view is not made here";
    return "";
  }
  if (auto call = dyn_cast<as::ElementwiseOp>(op))
    return call.getPure() ? "" : "it may have effects";
  if (auto convert = dyn_cast<as::ConvertLayoutOp>(op))
    return convert.getScratch() ? "it has storage of its own" : "";
  if (isa<arith::ConstantOp>(op))
    return "its elements differ";
  if (auto reduce = dyn_cast<as::ReduceOp>(op);
      reduce && !isTileCombiner(reduce))
    return "its combiner has operations that tiles lack";
  if (isElementwise(op) ||
      isa<as::ExpandDimsOp, as::BroadcastOp, as::ViewOp, as::PermuteOp,
          as::CatOp, as::ReduceOp, as::ScanOp>(op))
    return "";
  return "it needs the whole tile";
}

bool canRoll(Operation *op) { return checkKind(op).empty(); }

/// The dimension of `to` whose high index bits are those of `dim` in `from`,
/// both row-major.
static std::optional<unsigned> reshapeDim(ArrayRef<int64_t> from, unsigned dim,
                                          ArrayRef<int64_t> to) {
  int64_t before = 1, count = 1;
  for (int64_t extent : from.take_front(dim))
    before *= extent;
  for (unsigned d = 0; d < to.size() && count <= before; count *= to[d++])
    if (count == before && to[d] > 1)
      return d;
  return std::nullopt;
}

/// Returns how `op` is cut when its tile operands are cut along `dim`.
static std::optional<RollCut> cutByOperands(Operation *op, unsigned dim) {
  using Cut = std::optional<RollCut>;
  return llvm::TypeSwitch<Operation *, Cut>(op)
      .Case([&](as::ExpandDimsOp expand) -> Cut {
        return RollCut{dim, dim < expand.getAxis() ? dim : dim + 1};
      })
      .Case([&](as::PermuteOp permute) -> Cut {
        ArrayRef<int32_t> order = permute.getPermutation();
        return RollCut{
            dim, unsigned(llvm::find(order, int32_t(dim)) - order.begin())};
      })
      .Case([&](as::ViewOp view) -> Cut {
        std::optional<unsigned> result =
            reshapeDim(getTileType(view.getSource()).getShape(), dim,
                       getTileType(view.getResult()).getShape());
        return result ? Cut(RollCut{dim, result}) : std::nullopt;
      })
      .Case([&](as::ReduceOp reduce) -> Cut {
        if (dim == reduce.getAxis())
          return RollCut{dim, std::nullopt};
        return RollCut{dim, dim < reduce.getAxis() ? dim : dim - 1};
      })
      .Case<as::ScanOp, as::CatOp>([&](auto along) -> Cut {
        return dim == along.getAxis() ? std::nullopt : Cut(RollCut{dim, dim});
      })
      .Default(Cut(RollCut{dim, dim}));
}

/// Returns how `op` is cut when its results are cut along `dim`.
static std::optional<RollCut> cutByResults(Operation *op, unsigned dim) {
  using Cut = std::optional<RollCut>;
  return llvm::TypeSwitch<Operation *, Cut>(op)
      .Case([&](as::ExpandDimsOp expand) -> Cut {
        return RollCut{dim < expand.getAxis() ? dim : dim - 1, dim};
      })
      .Case([&](as::PermuteOp permute) -> Cut {
        return RollCut{unsigned(permute.getPermutation()[dim]), dim};
      })
      .Case([&](as::ViewOp view) -> Cut {
        std::optional<unsigned> source =
            reshapeDim(getTileType(view.getResult()).getShape(), dim,
                       getTileType(view.getSource()).getShape());
        return source ? Cut(RollCut{source, dim}) : std::nullopt;
      })
      .Case([&](as::BroadcastOp broadcast) -> Cut {
        if (getTileType(broadcast.getSource()).getDimSize(dim) == 1)
          return RollCut{std::nullopt, dim};
        return RollCut{dim, dim};
      })
      .Case([&](as::ReduceOp reduce) -> Cut {
        return RollCut{dim < reduce.getAxis() ? dim : dim + 1, dim};
      })
      .Case<as::ScanOp, as::CatOp>([&](auto along) -> Cut {
        return dim == along.getAxis() ? std::nullopt : Cut(RollCut{dim, dim});
      })
      .Default(Cut(RollCut{dim, dim}));
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

bool RollComponent::fail(Operation *op, StringRef reason) {
  *fault = {op, reason.str()};
  return false;
}

bool RollComponent::cut(Value tile, unsigned dim, Operation *by) {
  if (isRollLeaf(tile))
    return true;
  if (getTileType(tile).getDimSize(dim) < 2)
    return fail(by, "a tile has one element along the dimension");
  auto [it, isNew] = dims.try_emplace(tile, dim);
  if (!isNew)
    return it->second == dim ||
           fail(by, "a tile would be cut along two dimensions");
  Operation *def = tile.getDefiningOp();
  if (!def || def->getBlock() != block)
    return fail(by, "a loop carries a tile, or it comes from outside of one");
  work.push_back(tile);
  return true;
}

bool RollComponent::place(Operation *op, const std::optional<RollCut> &cut) {
  if (StringRef reason = checkKind(op); !reason.empty())
    return fail(op, reason);
  if (!cut)
    return fail(op, "it works along the dimension of the slices");
  auto [it, isNew] = numbers.try_emplace(op, members.size());
  if (!isNew)
    return members[it->second].cut == *cut ||
           fail(op, "its tiles would be cut along two dimensions");
  members.push_back({op, *cut});
  if (cut->operands)
    for (Value operand : op->getOperands())
      if (isTile(operand) && !this->cut(operand, *cut->operands, op))
        return false;
  if (cut->results)
    for (Value result : op->getResults())
      if (isTile(result) && !this->cut(result, *cut->results, op))
        return false;
  return true;
}

bool RollComponent::collect(Operation *seed, unsigned dim, RollFault &into) {
  fault = &into;
  block = seed->getBlock();
  bool byResults = llvm::any_of(seed->getResults(), isTile);
  bool found = place(seed, byResults ? cutByResults(seed, dim)
                                     : cutByOperands(seed, dim));
  while (found && !work.empty()) {
    Value tile = work.pop_back_val();
    unsigned along = dims.lookup(tile);
    Operation *def = tile.getDefiningOp();
    found = place(def, cutByResults(def, along));
    for (Operation *user : tile.getUsers()) {
      if (!found)
        break;
      if (user->getBlock() != block)
        found = fail(user, "it is inside of another region than the tile");
      else
        found = place(user, cutByOperands(user, along));
    }
  }
  // A tile that is the same for every slice must not be cut by others.
  for (const Member &member : members) {
    if (!found)
      break;
    if (!member.cut.operands && dims.contains(member.op->getOperand(0)))
      found = fail(member.op, "its tiles would be cut along two dimensions");
  }
  llvm::sort(members, [](const Member &a, const Member &b) {
    return a.op->isBeforeInBlock(b.op);
  });
  for (auto [i, member] : llvm::enumerate(members))
    numbers[member.op] = i;
  return found;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The type that `tile` has inside of a slice.
static RankedTensorType sliceOf(Value tile, std::optional<unsigned> dim,
                                int64_t slices) {
  return dim ? getSliceType(getTileType(tile), *dim, slices)
             : getTileType(tile);
}

/// Returns whether the layouts of the slices fit the operation as the layouts
/// of the whole tiles do.
static bool isConsistent(Operation *op, const Layout &source,
                         const Layout &result) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](as::ExpandDimsOp expand) {
        return source.expandDims(expand.getAxis()) == result;
      })
      .Case([&](as::PermuteOp permute) {
        ArrayRef<int32_t> order = permute.getPermutation();
        return source.permute({order.begin(), order.end()}) == result;
      })
      .Case([&](as::ViewOp) {
        return source.reshape(result.getShape()) == result;
      })
      .Case([&](as::BroadcastOp) {
        return result.unbroadcast(source.getShape()) == source;
      })
      .Case([&](as::CatOp cat) { return source.cat(cat.getAxis()) == result; })
      .Case([&](as::ReduceOp reduce) {
        return source.slice(reduce.getAxis()) == result;
      })
      .Case<as::ConvertLayoutOp>([](auto) { return true; })
      .Default([&](Operation *) { return source == result; });
}

bool RollComponent::isSliceable(const Member &member, int64_t slices) const {
  std::optional<Layout> source;
  for (Value operand : member.op->getOperands()) {
    if (!isTile(operand))
      continue;
    RankedTensorType type = sliceOf(operand, member.cut.operands, slices);
    if (!type)
      return false;
    source = as::getTileLayout(type).getLayout();
  }
  for (Value result : member.op->getResults()) {
    if (!isTile(result))
      continue;
    RankedTensorType type = sliceOf(result, member.cut.results, slices);
    if (!type || (source && !isConsistent(member.op, *source,
                                          as::getTileLayout(type).getLayout())))
      return false;
  }
  return true;
}

bool RollComponent::admits(int64_t slices) const {
  return llvm::all_of(members, [&](const Member &member) {
    return isSliceable(member, slices);
  });
}

int64_t RollComponent::getLargestTile() const {
  int64_t registers = 0;
  for (const Member &member : members)
    for (ValueRange values : {ValueRange(member.op->getOperands()),
                              ValueRange(member.op->getResults())})
      for (Value value : values)
        if (isTile(value))
          registers =
              std::max(registers, getRegistersPerThread(getTileType(value)));
  return registers;
}

/// Returns whether the result of `op` is in the registers of its operand.
static bool isAlias(Operation *op) {
  return isa<as::ExpandDimsOp, as::BroadcastOp, as::ViewOp, as::PermuteOp,
             as::AssumeOp, as::BitcastOp, as::ConvertLayoutOp>(op);
}

int64_t RollComponent::getLiveRegisters(int64_t slices) const {
  // Where the registers of each tile are, and the last member that reads them.
  DenseMap<Value, Value> roots;
  DenseMap<Value, unsigned> lastUse;
  auto rootOf = [&](Value value) {
    auto it = roots.find(value);
    return it == roots.end() ? value : it->second;
  };
  for (const Member &member : members)
    if (isAlias(member.op) && isTile(member.op->getOperand(0)))
      roots[member.op->getResult(0)] = rootOf(member.op->getOperand(0));
  // Elements that only reductions read, perhaps through further such
  // operations: each reduction takes an element as soon as it is computed.
  SmallVector<bool> onTheFly(members.size(), false);
  for (size_t i = members.size(); i-- > 0;) {
    Operation *op = members[i].op;
    onTheFly[i] = isElementwise(op) && isMemoryEffectFree(op) &&
                  llvm::all_of(op->getUsers(), [&](Operation *user) {
                    return contains(user) && (isa<as::ReduceOp>(user) ||
                                              onTheFly[getNumber(user)]);
                  });
    // Counts the inputs of such elements where they are needed.
    unsigned here = i;
    if (onTheFly[i])
      for (Value result : op->getResults())
        here = std::max(here, lastUse.lookup(rootOf(result)));
    for (Value operand : op->getOperands())
      if (isTile(operand) && !isRollLeaf(operand)) {
        unsigned &last = lastUse[rootOf(operand)];
        last = std::max(last, here);
      }
  }
  int64_t live = 0, most = 0, accumulators = 0;
  SmallVector<int64_t> ends(members.size(), 0);
  for (auto [i, member] : llvm::enumerate(members)) {
    for (Value result : member.op->getResults()) {
      auto last = lastUse.find(result);
      if (!isTile(result) || rootOf(result) != result ||
          last == lastUse.end() || onTheFly[i])
        continue;
      int64_t registers =
          getRegistersPerThread(sliceOf(result, member.cut.results, slices));
      live += registers;
      ends[last->second] += registers;
    }
    // Values that a store makes on the fly.
    int64_t made = 0;
    if (isa<as::StoreOp, as::TiledStoreOp>(member.op))
      for (Value operand : member.op->getOperands())
        if (isRollLeaf(operand))
          made = std::max(made, getRegistersPerThread(sliceOf(
                                    operand, member.cut.operands, slices)));
    if (isReduction(member.op))
      for (Value operand : member.op->getOperands())
        accumulators += getRegistersPerThread(
            sliceOf(operand, member.cut.operands, slices));
    most = std::max(most, live + made);
    live -= ends[i];
  }
  return most + accumulators;
}

int64_t RollComponent::getNumOps(int64_t slices) const {
  int64_t ops = 0;
  for (const Member &member : members) {
    if (isAlias(member.op) && !isa<as::ConvertLayoutOp>(member.op))
      continue;
    int64_t most = 0;
    auto count = [&](ValueRange values, std::optional<unsigned> dim) {
      for (Value value : values)
        if (isTile(value))
          most = std::max(most, as::getTileLayout(sliceOf(value, dim, slices))
                                    .getLayout()
                                    .getNumRegisters());
    };
    count(member.op->getOperands(), member.cut.operands);
    count(member.op->getResults(), member.cut.results);
    ops += most;
  }
  return ops;
}

void RollComponent::print(raw_ostream &os) const {
  os << members.size() << " operations, " << getLargestTile()
     << " registers of a thread in the largest tile, " << getLiveRegisters(1)
     << " live at once, " << getNumOps(1) << " scalar operations";
  auto print = [&](std::optional<unsigned> dim) {
    if (dim)
      os << *dim;
    else
      os << "-";
  };
  for (const Member &member : members) {
    os << "\n  " << member.op->getName() << " cut along ";
    print(member.cut.operands);
    os << " -> ";
    print(member.cut.results);
  }
}

} // namespace tileir
