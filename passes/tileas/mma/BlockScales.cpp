// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/BlockScales.h"

#include "passes/analysis/LayoutRules.h"
#include "passes/tileas/OpConversion.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/mma/MmaKind.h"

#include "dialects/nv_tileas/ScaledBlocks.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Bytes of K of an instruction.
static constexpr int64_t kStepBytes = 32;
/// Scales along K of an instruction for blocks of 16 elements.
static constexpr int64_t kFineScales = 4;

namespace {

/// Makes tiles.
class TileBuilder {
public:
  TileBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  static ArrayRef<int64_t> shapeOf(Value tile) {
    return cast<RankedTensorType>(tile.getType()).getShape();
  }
  static RankedTensorType like(Value tile, ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, getElementTypeOrSelf(tile.getType()));
  }
  Value reshape(Value tile, ArrayRef<int64_t> shape) {
    return as::ViewOp::create(builder, loc, like(tile, shape), tile, Value());
  }
  Value transpose(Value tile) {
    ArrayRef<int64_t> shape = shapeOf(tile);
    return as::PermuteOp::create(builder, loc, like(tile, {shape[1], shape[0]}),
                                 tile, ArrayRef<int32_t>{1, 0});
  }
  /// The elements of 4 bits of `bytes`, which are pairs along K.
  Value unpack(Value bytes, Type element, unsigned kDim);
  /// `tile` with each element along `dim`, or the whole sequence (`isCyclic`),
  /// repeated `count` times.
  Value repeat(Value tile, unsigned dim, int64_t count, bool isCyclic);
  /// `bytes`, padded with zeros along their last dimension.
  Value extend(Value bytes, int64_t extent);

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace

Value TileBuilder::unpack(Value bytes, Type element, unsigned kDim) {
  int64_t lines = shapeOf(bytes)[0], pairs = shapeOf(bytes)[1];
  Value tile = reshape(bytes, {lines * pairs});
  tile = as::BitcastOp::create(
      builder, loc, RankedTensorType::get({2 * lines * pairs}, element), tile);
  tile = reshape(tile, {lines, 2 * pairs});
  return kDim == 0 ? transpose(tile) : tile;
}

Value TileBuilder::repeat(Value tile, unsigned dim, int64_t count,
                          bool isCyclic) {
  if (count == 1)
    return tile;
  SmallVector<int64_t> result(shapeOf(tile));
  result[dim] *= count;
  DenseElementsAttr same;
  if (matchPattern(tile, m_Constant(&same)) && same.isSplat())
    return arith::ConstantOp::create(builder, loc,
                                     same.resizeSplat(like(tile, result)));
  unsigned axis = isCyclic ? dim : dim + 1;
  SmallVector<int64_t> shape(shapeOf(tile));
  shape.insert(shape.begin() + axis, 1);
  tile = as::ExpandDimsOp::create(builder, loc, like(tile, shape), tile, axis);
  shape[axis] = count;
  tile = as::BroadcastOp::create(builder, loc, like(tile, shape), tile);
  return reshape(tile, result);
}

Value TileBuilder::extend(Value bytes, int64_t extent) {
  for (int64_t has; (has = shapeOf(bytes)[1]) < extent;) {
    RankedTensorType type = like(bytes, shapeOf(bytes)),
                     twice = like(bytes, {shapeOf(bytes)[0], 2 * has});
    Value zeros =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    bytes = as::CatOp::create(builder, loc, twice, bytes, zeros, /*axis=*/1);
  }
  return bytes;
}

Value packPairs(OpBuilder &builder, Location loc, Value tile, unsigned kDim) {
  TileBuilder tiles(builder, loc);
  int64_t lines = TileBuilder::shapeOf(tile)[1 - kDim],
          pairs = TileBuilder::shapeOf(tile)[kDim] / 2;
  if (Value bytes = getPackedBytes(tile, kDim))
    return TileBuilder::shapeOf(bytes) == ArrayRef<int64_t>{lines, pairs}
               ? bytes
               : tiles.reshape(bytes, {lines, pairs});
  if (kDim == 0)
    tile = tiles.transpose(tile);
  Value bytes = as::BitcastOp::create(
      builder, loc,
      RankedTensorType::get({lines * pairs}, builder.getIntegerType(8)),
      tiles.reshape(tile, {2 * lines * pairs}));
  return tiles.reshape(bytes, {lines, pairs});
}

ScaledOperands padToLegalShape(OpBuilder &builder, Location loc,
                               ScaledOperands operands, const Target &target) {
  auto elementOf = [](Value tile) {
    return getElementTypeOrSelf(tile.getType());
  };
  Type element = elementOf(operands.a), scale = elementOf(operands.scaleA);
  int64_t depth = TileBuilder::shapeOf(operands.a)[1],
          scales = TileBuilder::shapeOf(operands.scaleA)[1];
  ArrayRef<int64_t> shape = TileBuilder::shapeOf(operands.c);
  if (!target.hasTcgen05() || !paysScaledDot(target, shape[0], shape[1]) ||
      scale != elementOf(operands.scaleB) ||
      !as::takesScaledBlock(element, scale, depth / scales))
    return operands;
  TileBuilder tiles(builder, loc);
  bool isPacked = as::getStorageBits(element) < 8;
  // Blocks of 32 are two of 16.
  bool isFine = isPacked && scales < kFineScales;
  for (bool isA : {true, false}) {
    Value &operand = isA ? operands.a : operands.b,
          &own = isA ? operands.scaleA : operands.scaleB;
    unsigned kDim = isA ? 1 : 0;
    if (isFine) {
      own = tiles.repeat(own, kDim, depth / scales / 16, /*inTurn=*/false);
      own =
          tiles.repeat(own, kDim, kFineScales / TileBuilder::shapeOf(own)[kDim],
                       /*inTurn=*/true);
    }
    bool isWhole = depth >= 2 * kStepBytes;
    if (!isPacked || (isWhole && getPackedBytes(operand, kDim)))
      continue;
    Value bytes = packPairs(builder, loc, operand, kDim);
    operand = tiles.unpack(tiles.extend(bytes, kStepBytes), element, kDim);
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// Decomposition
//===----------------------------------------------------------------------===//

bool mayTakeScales(as::DotOp dot, const Target &target, std::string &reason) {
  auto takes = [&](Value tile, Value scales, unsigned kDim) {
    Type element = getElementTypeOrSelf(tile.getType());
    return as::takesScaledBlock(element, getElementTypeOrSelf(scales.getType()),
                                dot.getDepth() /
                                    TileBuilder::shapeOf(scales)[kDim]) &&
           (as::getStorageBits(element) >= 8 || getPackedBytes(tile, kDim));
  };
  if (!dot.getAtom().getAType().isBF16() ||
      !takes(dot.getA(), dot.getScaleA(), /*kDim=*/1) ||
      !takes(dot.getB(), dot.getScaleB(), /*kDim=*/0))
    return false;
  if (target.hasTcgen05())
    return true;
  return bool(getMmaBsKind().choose(dot, {/*numWarps=*/1, target}, reason));
}

/// Gives the shape operations from `scale` on, of which `tile` is the last
/// result, layouts such that `tile` has `layout`.
static Value layOut(OpBuilder &builder, Value tile, Value scale,
                    Layout layout) {
  auto withLayout = [&](Value value) {
    return as::withLayout(cast<RankedTensorType>(value.getType()),
                          as::getLayoutAttr(value.getContext(), layout));
  };
  if (tile == scale && as::getTileLayout(tile.getType()).getLayout() == layout)
    return tile;
  OpBuilder::InsertionGuard guard(builder);
  Value first = tile;
  Operation *last = nullptr;
  while (first != scale) {
    last = first.getDefiningOp();
    first.setType(withLayout(first));
    // A tile of the scales of all blocks has the layout of its elements.
    layout = *backward(last, layout);
    first = last->getOperand(0);
    builder.setInsertionPoint(last);
  }
  Value converted = as::ConvertLayoutOp::create(builder, scale.getLoc(),
                                                withLayout(scale), scale);
  if (!last)
    return converted;
  last->setOperand(0, converted);
  return tile;
}

void decomposeScales(as::DotOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  as::LayoutAttr acc = as::getTileLayout(dot.getC().getType());
  // Elements and scales have so few bits that their products are exact in bf16
  // within its range, which is the range of f32.
  Type wide = builder.getBF16Type();
  auto scaleBlocks = [&](Value tile, Value scale, unsigned kDim) -> Value {
    std::optional<Layout> layout;
    if (acc)
      layout = as::getDotOperandLayout(dot.getAtom(), acc.getLayout(),
                                       dot.getDepth(), /*isA=*/kDim == 1);
    if (layout)
      tile = layOut(builder, tile, tile, *layout);
    tile = convertElements(builder, loc, tile, wide, true);
    scale = convertElements(builder, loc, scale, wide, true);
    Value repeated = TileBuilder(builder, loc)
                         .repeat(scale, kDim,
                                 TileBuilder::shapeOf(tile)[kDim] /
                                     TileBuilder::shapeOf(scale)[kDim],
                                 /*inTurn=*/false);
    if (layout)
      repeated = layOut(builder, repeated, scale, *layout);
    return arith::MulFOp::create(builder, loc, tile, repeated);
  };
  Value a = scaleBlocks(dot.getA(), dot.getScaleA(), /*kDim=*/1),
        b = scaleBlocks(dot.getB(), dot.getScaleB(), /*kDim=*/0);
  as::MmaAtomAttr atom = dot.getAtom();
  dot.getAMutable().assign(
      convertElements(builder, loc, a, atom.getAType(), true));
  dot.getBMutable().assign(
      convertElements(builder, loc, b, atom.getBType(), true));
  dot.getScaleAMutable().clear();
  dot.getScaleBMutable().clear();
}

void decomposeRefused(nv_tileaa::FuncOp func) {
  func->walk([](as::DotOp dot) {
    as::MmaAttr mma = dot.getMmaAttr();
    if (dot.needsDecomposition() && !(mma && mma.getScales()))
      decomposeScales(dot);
  });
}

int64_t getDecomposedBytes(as::DotOp dot) {
  int64_t bytes = 0;
  for (Value tile : {dot.getA(), dot.getB()}) {
    auto type = cast<RankedTensorType>(tile.getType());
    bytes = std::max<int64_t>(
        bytes,
        type.getNumElements() * as::getStorageBits(type.getElementType()) / 8);
  }
  return bytes;
}

} // namespace tileir
