// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of 4-bit MMA operands as bytes of two elements.

#include "passes/tileaa/CudaTileConversion.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
using namespace mlir::cuda_tile;

/// The largest assumed divisor of `value`.
static uint64_t getDivisor(Value value) {
  uint64_t divisor = 1;
  for (auto assume = value.getDefiningOp<AssumeOp>(); assume;
       assume = assume.getValue().getDefiningOp<AssumeOp>())
    if (auto divBy = dyn_cast<DivByAttr>(assume.getPredicate()))
      divisor = std::max(divisor, divBy.getDivisor());
  return divisor;
}

/// Returns whether `number` of a view is even. Takes the next of `values` where
/// `number` is dynamic.
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

  /// Returns whether scaled MMAs are the only readers of the tile, and its
  /// lines are whole bytes.
  bool isOfBytes();
  void rewrite();

private:
  Value halve(OpBuilder &builder, Value value);
  Value makeBytes(OpBuilder &builder);
  bool isTransposedLayout() const { return type.getDimMap()[0] == 1; }

  LoadViewTkoOp load;
  MakeTensorViewOp make;
  PartitionViewType type;
};

} // namespace

/// Returns whether only scaled MMAs read `tile`.
static bool isDotOperand(Value tile) {
  return llvm::all_of(tile.getUsers(), [](Operation *user) {
    if (auto permute = dyn_cast<PermuteOp>(user))
      return isDotOperand(permute.getResult());
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
      type.getTileShape()[isTransposedLayout() ? 0 : 1] % 2)
    return false;
  // The sizes and strides of lines must be even; the size across them is free.
  ValueRange sizes = make.getDynamicShape(), strides = make.getDynamicStrides();
  if (view.getShape()[0] == TensorViewType::kDynamic)
    sizes = sizes.drop_front();
  return isEven(view.getShape()[1], sizes) &&
         isEven(view.getStrides()[0], strides) && isDotOperand(load.getTile());
}

/// Half of an even number, with its assumptions.
Value NibbleLoad::halve(OpBuilder &builder, Value value) {
  Location loc = make.getLoc();
  auto scalar = cast<TileType>(value.getType());
  Value two = ConstantOp::create(
      builder, loc, scalar,
      cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(
          scalar, APInt(scalar.getElementTypeBitWidth(), 2))));
  uint64_t divisor = getDivisor(value) / 2;
  // Launchers can evaluate a quotient for tensor maps.
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

/// Builds the view of the bytes of lines before the view of the elements.
Value NibbleLoad::makeBytes(OpBuilder &builder) {
  Location loc = make.getLoc();
  Type byte = builder.getIntegerType(8);
  TensorViewType view = type.getTensorView();
  builder.setInsertionPoint(make);
  // The assumptions on the pointer hold for the byte pointer, too.
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

/// Loads lines in the order of memory and restores the element order of the
/// tile.
void NibbleLoad::rewrite() {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Value bytes = makeBytes(builder);
  auto partition = load.getView().getDefiningOp<MakePartitionViewOp>();
  bool transposes = isTransposedLayout();
  int32_t rows = type.getTileShape()[transposes ? 1 : 0],
          columns = type.getTileShape()[transposes ? 0 : 1];
  auto lines = PartitionViewType::get(
      builder.getContext(), builder.getDenseI32ArrayAttr({rows, columns / 2}),
      cast<TensorViewType>(bytes.getType()), ArrayRef<int32_t>{0, 1},
      type.getPaddingValue());
  builder.setInsertionPoint(partition);
  Value view =
      MakePartitionViewOp::create(builder, partition.getLoc(), lines, bytes);
  builder.setInsertionPoint(load);
  SmallVector<Value> index(load.getIndex());
  if (transposes)
    std::swap(index[0], index[1]);
  auto tileOf = [&](ArrayRef<int64_t> shape, Type element) {
    return TileType::get(shape, element);
  };
  Type byte = builder.getIntegerType(8), nibble = type.getElementType();
  DenseBoolArrayAttr inbounds = load.getInboundsAttr();
  if (inbounds && transposes)
    inbounds = builder.getDenseBoolArrayAttr({inbounds[1], inbounds[0]});
  auto loaded = LoadViewTkoOp::create(
      builder, loc, tileOf({rows, columns / 2}, byte),
      load.getResultToken().getType(), load.getMemoryOrderingSemanticsAttr(),
      load.getMemoryScopeAttr(), view, index, load.getToken(),
      load.getOptimizationHintsAttr(), inbounds);
  loaded->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  // First reader of the tile: all loads of an MMA come before its first reader,
  // so that one pipeline can hold them.
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
  if (transposes)
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
