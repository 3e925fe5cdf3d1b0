// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/cta/SplitAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// The size of the array of `view` along its tile dimension `d` is less than
/// 2^32: an index far outside is outside as a signed and as an unsigned number.
static bool isShort(Value view, unsigned d) {
  auto block = view.getDefiningOp<as::BlockTileOp>();
  if (!block)
    return false;
  Value source = block.getSource();
  while (auto assume = source.getDefiningOp<as::AssumeOp>())
    source = assume.getValue();
  auto memref = source.getDefiningOp<as::MakeMemRefOp>();
  if (!memref)
    return false;
  auto type = cast<aa::TATiledViewType>(view.getType());
  unsigned at = type.getMemRefDim(d);
  ArrayRef<int64_t> shape = type.getSource().getShape();
  if (!ShapedType::isDynamic(shape[at]))
    return llvm::isUInt<32>(shape[at]);
  Value size = memref.getSizes()[llvm::count_if(shape.take_front(at),
                                                ShapedType::isDynamic)];
  while (auto assume = size.getDefiningOp<as::AssumeOp>())
    size = assume.getValue();
  APInt number;
  if (matchPattern(size, m_ConstantInt(&number)))
    return number.getActiveBits() <= 32;
  auto extend = size.getDefiningOp<arith::ExtUIOp>();
  return extend && extend.getIn().getType().getIntOrFloatBitWidth() <= 32;
}

bool canCutView(Value view, unsigned d, int64_t parts) {
  auto type = dyn_cast<aa::TATiledViewType>(view.getType());
  if (!type || !type.getGroupSizes().empty() || type.hasSparseDim())
    return false;
  int64_t extent = type.getTileShape()[d] / parts;
  return extent >= 8 && type.getSteps()[d] % extent == 0 && isShort(view, d);
}

Value cutView(OpBuilder &builder, Value view, unsigned d, int64_t parts,
              Value source) {
  auto type = cast<aa::TATiledViewType>(view.getType());
  SmallVector<int64_t> shape(type.getTileShape()), steps(type.getSteps());
  shape[d] /= parts;
  steps[d] = shape[d];
  auto cutType =
      aa::TATiledViewType::get(shape, type.getSource(), type.getDims(), steps,
                               type.getSparseDim(), type.getPadding());
  return as::BlockTileOp::create(builder, view.getLoc(), cutType, source);
}

Value cutCoord(OpBuilder &builder, Value coord, unsigned d, int64_t parts,
               aa::TATiledViewType type) {
  Location loc = coord.getLoc();
  int64_t multiple = type.getSteps()[d] / (type.getTileShape()[d] / parts);
  unsigned bits = coord.getType().getIntOrFloatBitWidth();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(coord.getType(), value));
  };
  int64_t most = (int64_t(1) << (bits - 2)) / multiple;
  Value at = arith::MinSIOp::create(builder, loc, coord, number(most));
  at = arith::MaxSIOp::create(builder, loc, at, number(-most));
  return arith::MulIOp::create(builder, loc, at, number(multiple));
}

void cutFacts(Operation *access, unsigned d, int64_t parts,
              aa::TATiledViewType type) {
  StringRef contiguous = as::TileASDialect::getContiguousAttrName(),
            align = as::TileASDialect::getAlignAttrName();
  int64_t extent = type.getTileShape()[d] / parts;
  if (auto known = access->getAttrOfType<DenseI32ArrayAttr>(contiguous)) {
    SmallVector<int32_t> counts(known.asArrayRef());
    counts[d] = std::min<int64_t>(counts[d], extent);
    access->setAttr(contiguous, OpBuilder(access).getDenseI32ArrayAttr(counts));
  }
  if (auto known = access->getAttrOfType<IntegerAttr>(align))
    if (extent * as::getStorageBits(type.getElementType()) %
        (8 * known.getInt()))
      access->removeAttr(align);
}

} // namespace tileir
