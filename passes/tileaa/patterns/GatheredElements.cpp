// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over a row that select one of its elements.

#include "passes/tileaa/CudaTileConversion.h"

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Heuristics.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
using namespace mlir::cuda_tile;

static int64_t getNumElements(Value tile) {
  return cast<TileType>(tile.getType()).getNumElements();
}

/// Looks through reshapes of `tile` that keep the number and the order of
/// elements.
static Value getFlat(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!isa<ReshapeOp, BroadcastOp>(op) ||
        getNumElements(op->getOperand(0)) != getNumElements(tile))
      break;
    tile = op->getOperand(0);
  }
  return tile;
}

/// A tile of the one element that all elements of `tile` equal; null where none
/// is known.
static Value getUniform(Value tile) {
  while (isa_and_nonnull<ReshapeOp, BroadcastOp>(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  return getNumElements(tile) == 1 ? tile : Value();
}

/// Returns whether all elements of `tile` are zero, without a sign.
static bool isZero(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto value = cast<DenseElementsAttr>(constant.getValue());
      if (!value.isSplat())
        return false;
      if (isa<FloatType>(value.getElementType()))
        return value.getSplatValue<APFloat>().isPosZero();
      return value.getSplatValue<APInt>().isZero();
    }
    if (!isa<ReshapeOp, BroadcastOp>(op))
      return false;
    tile = op->getOperand(0);
  }
  return false;
}

/// Returns whether `op` is a plain sum.
static bool isSum(ReduceOp op) {
  Block &body = op.getBody().front();
  if (op.getOperands().size() != 1 ||
      !llvm::hasSingleElement(body.without_terminator()))
    return false;
  Operation &add = body.front();
  if (auto floats = dyn_cast<AddFOp>(add)) {
    if (floats.getRoundingMode() != RoundingMode::NEAREST_EVEN ||
        floats.getFlushToZero())
      return false;
  } else if (!isa<AddIOp>(add)) {
    return false;
  }
  return add.getOperand(0) != add.getOperand(1) &&
         llvm::all_of(add.getOperands(), llvm::IsaPred<BlockArgument>) &&
         body.getTerminator()->getOperand(0) == add.getResult(0);
}

namespace {

/// Rewrites a sum over a loaded row in which every element is zero except the
/// one at an index that the program computes: loads this element alone.
class GatheredElement {
public:
  explicit GatheredElement(ReduceOp sum) : sum(sum) {}

  bool match();
  void rewrite();

private:
  bool matchIndex(Value tile, Value other);
  bool matchRow(Value tile);
  bool findPlace();
  Value constant(OpBuilder &builder, TileType type, int64_t number);

  ReduceOp sum;
  int64_t count = 0;
  /// Tile of the selected index.
  Value gathered;
  LoadViewTkoOp load;
  /// Dimension of the row in the loaded tile.
  unsigned along = 0;
  /// Conversions of the elements, last one first.
  SmallVector<FToFOp, 2> conversions;
  Operation *place = nullptr;
};

} // namespace

bool GatheredElement::matchIndex(Value tile, Value other) {
  if (!getFlat(tile).getDefiningOp<IotaOp>())
    return false;
  gathered = getUniform(other);
  return bool(gathered);
}

bool GatheredElement::matchRow(Value tile) {
  while (true) {
    tile = getFlat(tile);
    auto convert = tile.getDefiningOp<FToFOp>();
    if (!convert)
      break;
    conversions.push_back(convert);
    tile = convert.getFrom();
  }
  load = tile.getDefiningOp<LoadViewTkoOp>();
  auto type =
      load ? dyn_cast<PartitionViewType>(load.getView().getType()) : nullptr;
  // An element of less than a byte has no address.
  if (!type || !load.getView().getDefiningOp<MakePartitionViewOp>() ||
      load.getMemoryOrderingSemantics() != MemoryOrderingSemantics::WEAK ||
      type.getElementType().getIntOrFloatBitWidth() < 8)
    return false;
  ArrayRef<int64_t> shape = cast<TileType>(tile.getType()).getShape();
  along = llvm::find_if(shape, [](int64_t extent) { return extent > 1; }) -
          shape.begin();
  // Indices in the tile are indices in the row only for the first tile.
  return shape[along] == count && isZero(load.getIndex()[along]) &&
         load.getIndex()[along].getType() ==
             TileType::get({},
                           cast<TileType>(gathered.getType()).getElementType());
}

/// Finds the insertion point of the new load: after the index, with no memory
/// write before it.
bool GatheredElement::findPlace() {
  place = load;
  Operation *def = gathered.getDefiningOp();
  if (!def || def->getBlock() != load->getBlock())
    return DominanceInfo().properlyDominates(gathered, load);
  if (def->isBeforeInBlock(load))
    return true;
  for (Operation *op = load->getNextNode(); op != def->getNextNode();
       op = op->getNextNode()) {
    auto other = dyn_cast<LoadViewTkoOp>(op);
    if (!isMemoryEffectFree(op) &&
        !(other &&
          other.getMemoryOrderingSemantics() == MemoryOrderingSemantics::WEAK))
      return false;
  }
  place = def;
  return true;
}

bool GatheredElement::match() {
  if (!isSum(sum))
    return false;
  Value row = sum.getOperands().front();
  auto select = row.getDefiningOp<SelectOp>();
  count = getNumElements(row);
  if (!select || count < heuristics::minGatheredRow ||
      cast<TileType>(row.getType()).getShape()[sum.getDim()] != count ||
      !isZero(select.getValIfFalse()))
    return false;
  auto compare = getFlat(select.getCond()).getDefiningOp<CmpIOp>();
  if (!compare ||
      compare.getComparisonPredicate() != ComparisonPredicate::EQUAL)
    return false;
  return (matchIndex(compare.getLhs(), compare.getRhs()) ||
          matchIndex(compare.getRhs(), compare.getLhs())) &&
         matchRow(select.getValIfTrue()) && findPlace();
}

Value GatheredElement::constant(OpBuilder &builder, TileType type,
                                int64_t number) {
  Type element = type.getElementType();
  DenseElementsAttr value =
      isa<FloatType>(element)
          ? DenseElementsAttr::get(
                cast<ShapedType>(type),
                APFloat(cast<FloatType>(element).getFloatSemantics(), number))
          : DenseElementsAttr::get(
                cast<ShapedType>(type),
                APInt(type.getElementTypeBitWidth(), number));
  return ConstantOp::create(builder, sum.getLoc(), type,
                            cast<DenseIntOrFPElementsAttr>(value));
}

void GatheredElement::rewrite() {
  OpBuilder builder(place);
  builder.setInsertionPointAfter(place);
  Location loc = sum.getLoc();
  auto type = cast<PartitionViewType>(load.getView().getType());
  auto scalar = cast<TileType>(load.getIndex()[along].getType());
  Value index = ReshapeOp::create(builder, loc, scalar, gathered);
  auto unsignedLess = [&](Value value, Value end) -> Value {
    return CmpIOp::create(
        builder, loc, TileType::get(scalar.getShape(), builder.getI1Type()),
        ComparisonPredicate::LESS_THAN, value, end, Signedness::Unsigned);
  };
  Value isElement = unsignedLess(index, constant(builder, scalar, count));
  // The load must not leave the row.
  index = SelectOp::create(builder, loc, scalar, isElement, index,
                           constant(builder, scalar, 0));
  SmallVector<int32_t> extents(load.getTile().getType().getShape().size(), 1);
  SmallVector<int64_t> shape(extents.begin(), extents.end());
  auto one = PartitionViewType::get(
      builder.getContext(), builder.getDenseI32ArrayAttr(extents),
      type.getTensorView(), type.getDimMap(), type.getPaddingValue());
  Value view = MakePartitionViewOp::create(
      builder, loc, one,
      load.getView().getDefiningOp<MakePartitionViewOp>().getTensorView());
  SmallVector<Value> indices(load.getIndex());
  indices[along] = index;
  auto loaded = LoadViewTkoOp::create(
      builder, loc, TileType::get(shape, type.getElementType()),
      load.getResultToken().getType(), load.getMemoryOrderingSemanticsAttr(),
      load.getMemoryScopeAttr(), view, indices, load.getToken(),
      /*optimization_hints=*/OptimizationHintsAttr(), load.getInboundsAttr());
  loaded->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  // Readers of the row's token wait for the element, too.
  Value both = JoinTokensOp::create(
      builder, loc, load.getResultToken().getType(),
      ValueRange{load.getResultToken(), loaded.getResultToken()});
  load.getResultToken().replaceUsesWithIf(both, [&](OpOperand &use) {
    Operation *user = load->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return user && both.getDefiningOp()->isBeforeInBlock(user);
  });

  builder.setInsertionPoint(sum);
  Value value = loaded.getTile();
  for (FToFOp convert : llvm::reverse(conversions)) {
    auto wide = cast<TileType>(convert.getTo().getType());
    value = FToFOp::create(builder, convert.getLoc(),
                           TileType::get(shape, wide.getElementType()), value,
                           convert.getRoundingModeAttr());
  }
  auto result = cast<TileType>(sum.getResults().front().getType());
  value = ReshapeOp::create(builder, loc, result, value);
  isElement = ReshapeOp::create(
      builder, loc, TileType::get(result.getShape(), builder.getI1Type()),
      isElement);
  Value zero = constant(builder, result, 0);
  value = SelectOp::create(builder, loc, result, isElement, value, zero);
  // In the sum, the zeros around a negative zero clear its sign.
  if (isa<FloatType>(result.getElementType()))
    value = AddFOp::create(builder, loc, result, value, zero,
                           RoundingMode::NEAREST_EVEN, /*flush_to_zero=*/false);
  sum.getResults().front().replaceAllUsesWith(value);
  sum.erase();
}

void loadGatheredElements(Operation *root) {
  SmallVector<ReduceOp> sums;
  root->walk([&](ReduceOp sum) { sums.push_back(sum); });
  for (ReduceOp sum : sums)
    if (GatheredElement element(sum); element.match())
      element.rewrite();
}

} // namespace tileir
