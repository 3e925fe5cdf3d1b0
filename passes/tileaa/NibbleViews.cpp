// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors of four bits that are loaded from memory as the bytes that they
// share.

#include "passes/tileaa/CudaTileConversion.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
using namespace mlir::cuda_tile;

/// The greatest number that `value` is assumed to be a multiple of.
static uint64_t getDivisor(Value value) {
  uint64_t divisor = 1;
  for (auto assume = value.getDefiningOp<AssumeOp>(); assume;
       assume = assume.getValue().getDefiningOp<AssumeOp>())
    if (auto divBy = dyn_cast<DivByAttr>(assume.getPredicate()))
      divisor = std::max(divisor, divBy.getDivisor());
  return divisor;
}

/// Returns whether `number` of a view, the next of `values` where only the
/// program knows it, is even.
static bool isEven(int64_t number, ValueRange &values) {
  if (number != TensorViewType::kDynamic)
    return number % 2 == 0;
  Value value = values.front();
  values = values.drop_front();
  return getDivisor(value) % 2 == 0;
}

namespace {

/// Rewrites one load of a tile whose elements share bytes along K.
class NibbleLoad {
public:
  explicit NibbleLoad(LoadViewTkoOp load) : load(load) {}

  /// Returns whether all that reads the tile are products with scales, and
  /// bytes begin and end with its lines.
  bool isOfBytes();
  void rewrite();

private:
  Value halve(OpBuilder &builder, Value value);
  Value makeBytes(OpBuilder &builder);
  bool isTurned() const { return type.getDimMap()[0] == 1; }

  LoadViewTkoOp load;
  MakeTensorViewOp make;
  PartitionViewType type;
};

} // namespace

/// Returns whether only products with scales read `tile`.
static bool isFactor(Value tile) {
  return llvm::all_of(tile.getUsers(), [](Operation *user) {
    if (auto permute = dyn_cast<PermuteOp>(user))
      return isFactor(permute.getResult());
    return isa<MmaFScaledOp>(user);
  });
}

bool NibbleLoad::isOfBytes() {
  type = dyn_cast<PartitionViewType>(load.getView().getType());
  auto partition = load.getView().getDefiningOp<MakePartitionViewOp>();
  if (!type || !partition || !isa<Float4E2M1FNType>(type.getElementType()) ||
      load.getMemoryOrderingSemantics() != MemoryOrderingSemantics::WEAK)
    return false;
  make = partition.getTensorView().getDefiningOp<MakeTensorViewOp>();
  TensorViewType view = type.getTensorView();
  PaddingValueAttr padding = type.getPaddingValue();
  if (!make || view.getRank() != 2 || view.getStrides()[1] != 1 ||
      (padding && padding.getValue() != PaddingValue::zero) ||
      type.getTileShape()[isTurned() ? 0 : 1] % 2)
    return false;
  // Sizes and strides of lines; the size across them may be any.
  ValueRange sizes = make.getDynamicShape(), strides = make.getDynamicStrides();
  if (view.getShape()[0] == TensorViewType::kDynamic)
    sizes = sizes.drop_front();
  return isEven(view.getShape()[1], sizes) &&
         isEven(view.getStrides()[0], strides) && isFactor(load.getTile());
}

/// Half of an even number, with what is assumed of it.
Value NibbleLoad::halve(OpBuilder &builder, Value value) {
  Location loc = make.getLoc();
  auto scalar = cast<TileType>(value.getType());
  Value two = ConstantOp::create(
      builder, loc, scalar,
      cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(
          scalar, APInt(scalar.getElementTypeBitWidth(), 2))));
  uint64_t divisor = getDivisor(value) / 2;
  // A quotient is something that launchers evaluate for tensor maps.
  value = DivIOp::create(
      builder, loc, value, two,
      SignednessAttr::get(builder.getContext(), Signedness::Unsigned));
  value = AssumeOp::create(
      builder, loc, value,
      BoundedAttr::get(builder.getContext(), /*lb=*/0, /*ub=*/std::nullopt));
  return AssumeOp::create(builder, loc, value,
                          DivByAttr::get(builder.getContext(), divisor,
                                         /*every=*/std::nullopt,
                                         /*along=*/std::nullopt));
}

/// The view of the bytes of lines, made where that of the elements is.
Value NibbleLoad::makeBytes(OpBuilder &builder) {
  Location loc = make.getLoc();
  Type byte = builder.getIntegerType(8);
  TensorViewType view = type.getTensorView();
  builder.setInsertionPoint(make);
  // Repeats what is assumed of the pointer for the other one.
  SmallVector<AssumeOp> assumed;
  Value base = make.getBase();
  while (auto assume = base.getDefiningOp<AssumeOp>()) {
    assumed.push_back(assume);
    base = assume.getValue();
  }
  base = PtrToPtrOp::create(
      builder, loc,
      TileType::get({}, PointerType::get(byte, view.getPtrAttr())), base);
  for (AssumeOp assume : llvm::reverse(assumed))
    base = AssumeOp::create(builder, loc, base, assume.getPredicate());
  SmallVector<Value> sizes(make.getDynamicShape()),
      strides(make.getDynamicStrides());
  SmallVector<int64_t> shape(view.getShape()), steps(view.getStrides());
  auto halveAt = [&](int64_t &number, Value *value) {
    if (number == TensorViewType::kDynamic)
      *value = halve(builder, *value);
    else
      number /= 2;
  };
  halveAt(shape[1], sizes.empty() ? nullptr : &sizes.back());
  halveAt(steps[0], strides.empty() ? nullptr : &strides.front());
  auto bytes = TensorViewType::get(byte, shape, steps, view.getPtrAttr());
  return MakeTensorViewOp::create(builder, loc, bytes, base, sizes, strides);
}

/// Loads lines in the order of memory and gives their elements the order of the
/// tile.
void NibbleLoad::rewrite() {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Value bytes = makeBytes(builder);
  auto partition = load.getView().getDefiningOp<MakePartitionViewOp>();
  bool turns = isTurned();
  int32_t rows = type.getTileShape()[turns ? 1 : 0],
          columns = type.getTileShape()[turns ? 0 : 1];
  auto lines = PartitionViewType::get(
      builder.getContext(), builder.getDenseI32ArrayAttr({rows, columns / 2}),
      cast<TensorViewType>(bytes.getType()), ArrayRef<int32_t>{0, 1},
      type.getPaddingValue());
  builder.setInsertionPoint(partition);
  Value view =
      MakePartitionViewOp::create(builder, partition.getLoc(), lines, bytes);
  builder.setInsertionPoint(load);
  SmallVector<Value> index(load.getIndex());
  if (turns)
    std::swap(index[0], index[1]);
  auto tileOf = [&](ArrayRef<int64_t> shape, Type element) {
    return TileType::get(shape, element);
  };
  Type byte = builder.getIntegerType(8), nibble = type.getElementType();
  DenseBoolArrayAttr inbounds = load.getInboundsAttr();
  if (inbounds && turns)
    inbounds = builder.getDenseBoolArrayAttr({inbounds[1], inbounds[0]});
  auto loaded = LoadViewTkoOp::create(
      builder, loc, tileOf({rows, columns / 2}, byte),
      load.getResultToken().getType(), load.getMemoryOrderingSemanticsAttr(),
      load.getMemoryScopeAttr(), view, index, load.getToken(),
      load.getOptimizationHintsAttr(), inbounds);
  loaded->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  // Where the tile is read first: loads of a product stand before all that
  // reads them, so that one ring may have them all.
  Operation *first = nullptr;
  for (Operation *user : load.getTile().getUsers()) {
    Operation *at = load->getBlock()->findAncestorOpInBlock(*user);
    if (at && (!first || at->isBeforeInBlock(first)))
      first = at;
  }
  if (first)
    builder.setInsertionPoint(first);
  int64_t count = int64_t(rows) * columns;
  Value flat = ReshapeOp::create(builder, loc, tileOf({count / 2}, byte),
                                 loaded.getTile());
  flat = UnpackOp::create(builder, loc, tileOf({count}, nibble), flat);
  Value tile =
      ReshapeOp::create(builder, loc, tileOf({rows, columns}, nibble), flat);
  if (turns)
    tile = PermuteOp::create(builder, loc, load.getTile().getType(), tile,
                             builder.getDenseI32ArrayAttr({1, 0}));
  load.getTile().replaceAllUsesWith(tile);
  load.getResultToken().replaceAllUsesWith(loaded.getResultToken());
  load.erase();
}

void loadNibblesAsBytes(Operation *root) {
  SmallVector<LoadViewTkoOp> loads;
  root->walk([&](LoadViewTkoOp load) { loads.push_back(load); });
  for (LoadViewTkoOp load : loads)
    if (NibbleLoad nibbles(load); nibbles.isOfBytes())
      nibbles.rewrite();
}

} // namespace tileir
