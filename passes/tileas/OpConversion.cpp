// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/OpConversion.h"

#include "passes/tileas/MmaAtoms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

namespace {

/// Rewrites one function in place. Values keep their types; types change when
/// the layout plan is applied.
class OpConverter {
public:
  OpConverter(aa::FuncOp func, const Target &target)
      : func(func), target(target), builder(func.getContext()) {}

  LogicalResult run();

private:
  LogicalResult convert(Operation *op);
  LogicalResult convertDot(aa::DotOp op);
  /// The product of two matrices, in `c`'s type.
  Value convertMatrixProduct(aa::DotOp op, Value a, Value b, Value c);
  LogicalResult convertCombine(Operation *op);
  LogicalResult convertSparse(Operation *op);
  /// The operation of the same name in `nv_tileas`, without `dropped`.
  void rename(Operation *op, ArrayRef<StringRef> dropped = {});
  void replace(Operation *op, ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  }
  RankedTensorType tensorOf(Value like, ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, getElementTypeOrSelf(like.getType()));
  }
  Value constant(Location loc, int32_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }

  aa::FuncOp func;
  Target target;
  OpBuilder builder;
};

} // namespace

void OpConverter::rename(Operation *op, ArrayRef<StringRef> dropped) {
  OperationState state(op->getLoc(),
                       ("nv_tileas." + op->getName().stripDialect()).str());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  for (NamedAttribute attr : op->getAttrs())
    if (!llvm::is_contained(dropped, attr.getName().getValue()))
      state.addAttribute(attr.getName(), attr.getValue());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  replace(op, builder.create(state)->getResults());
}

LogicalResult OpConverter::convertCombine(Operation *op) {
  as::ReduceAtomAttr atom = inferReduceAtom(op->getRegion(0));
  op->setAttr("atom", atom);
  rename(op);
  return success();
}

LogicalResult OpConverter::convertSparse(Operation *op) {
  if (auto load = dyn_cast<aa::GatherLoadOp>(op)) {
    if (!load.getOffsets().empty())
      return op->emitOpError("with offsets is not supported yet");
    auto result = as::GatherLoadOp::create(
        builder, op->getLoc(), load.getValue().getType(),
        load.getResultToken().getType(), load.getView(), load.getCoords(),
        load.getToken(), load.getMemSemanticAttr(), load.getMemScopeAttr(),
        load.getInBoundsAttr(), load.getAllowTmaAttr(), load.getLatencyAttr(),
        load.getIsVolatileAttr(), load.getCacheModifierAttr(),
        load.getEvictionPolicyAttr(), load.getInvariantAttr(),
        as::CopyAtomAttr());
    result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replace(op, result->getResults());
    return success();
  }
  auto store = cast<aa::ScatterStoreOp>(op);
  if (!store.getOffsets().empty())
    return op->emitOpError("with offsets is not supported yet");
  auto result = as::ScatterStoreOp::create(
      builder, op->getLoc(), store.getResultToken().getType(), store.getValue(),
      store.getView(), store.getCoords(), store.getToken(),
      store.getMemSemanticAttr(), store.getMemScopeAttr(),
      store.getInBoundsAttr(), store.getAllowTmaAttr(), store.getLatencyAttr(),
      store.getIsVolatileAttr(), store.getCacheModifierAttr(),
      store.getEvictionPolicyAttr(), as::CopyAtomAttr());
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replace(op, result->getResults());
  return success();
}

Value OpConverter::convertMatrixProduct(aa::DotOp op, Value a, Value b,
                                        Value c) {
  Location loc = op.getLoc();
  auto aType = cast<RankedTensorType>(a.getType());
  auto cType = cast<RankedTensorType>(c.getType());
  as::MmaAtomAttr atom =
      chooseMmaAtom(aType.getElementType(), getElementTypeOrSelf(b.getType()),
                    cType.getElementType(), cType.getDimSize(0),
                    cType.getDimSize(1), aType.getDimSize(1), target);
  auto isSigned = [](std::optional<aa::Signedness> signedness) {
    return signedness != aa::Signedness::Unsigned;
  };
  a = convertElements(builder, loc, a, atom.getAType(),
                      isSigned(op.getSignednessA()));
  b = convertElements(builder, loc, b, atom.getBType(),
                      isSigned(op.getSignednessB()));
  Value acc = convertElements(builder, loc, c, atom.getCType(), true);
  Value result = as::DotOp::create(
      builder, loc, acc.getType(), a, b, acc, atom, op.getSignednessAAttr(),
      op.getSignednessBAttr(), op.getFastAccAttr());
  return convertElements(builder, loc, result, cType.getElementType(), true);
}

LogicalResult OpConverter::convertDot(aa::DotOp op) {
  if (op.getSfa())
    return op.emitOpError("with scale factors is not supported yet; multiply "
                          "the operands by their scales first");
  if (op.getInputPrecision().value_or(aa::InputPrecision::IEEE) !=
      aa::InputPrecision::IEEE)
    return op.emitOpError("with input_precision '")
           << aa::stringifyInputPrecision(*op.getInputPrecision())
           << "' is not supported yet; use 'ieee' or convert the operands to "
              "tf32";
  Location loc = op.getLoc();
  auto cType = cast<RankedTensorType>(op.getC().getType());
  if (cType.getRank() == 2) {
    replace(op, convertMatrixProduct(op, op.getA(), op.getB(), op.getC()));
    return success();
  }
  // One product per matrix of the batch.
  int64_t batch = cType.getDimSize(0);
  Value zero = constant(loc, 0);
  auto matrix = [&](Value tile, Value index) -> Value {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
    if (batch > 1)
      tile = as::ExtractSliceOp::create(builder, loc,
                                        tensorOf(tile, {1, shape[1], shape[2]}),
                                        tile, ValueRange{index, zero, zero});
    return as::ViewOp::create(builder, loc, tensorOf(tile, shape.drop_front()),
                              tile, Value());
  };
  Value result = op.getC();
  for (int64_t i = 0; i < batch; ++i) {
    Value index = i ? constant(loc, i) : zero;
    Value product = convertMatrixProduct(op, matrix(op.getA(), index),
                                         matrix(op.getB(), index),
                                         matrix(op.getC(), index));
    product = as::ViewOp::create(
        builder, loc,
        tensorOf(product, {1, cType.getDimSize(1), cType.getDimSize(2)}),
        product, Value());
    result =
        batch == 1
            ? product
            : as::InsertSliceOp::create(builder, loc, cType, product, result,
                                        ValueRange{index, zero, zero})
                  .getResult();
  }
  replace(op, result);
  return success();
}

LogicalResult OpConverter::convert(Operation *op) {
  static const StringRef hints[] = {"latency", "is_volatile", "cache_modifier",
                                    "eviction_policy"};
  builder.setInsertionPoint(op);
  if (isRoundedMath(op)) {
    FailureOr<Value> value = convertMath(builder, op);
    if (failed(value))
      return failure();
    replace(op, *value);
    return success();
  }
  if (isa<aa::SplatOp, aa::BroadcastOp, aa::ViewOp, aa::PermuteOp, aa::CatOp,
          aa::ExtractOp, aa::ExtractSliceOp, aa::MakeRangeOp, aa::BitcastOp,
          aa::AddPtrOp, aa::IntToPtrOp, aa::PtrToIntOp, aa::BlockTileOp,
          aa::GetDimSizeOp, aa::GetGlobalOp, aa::LoadOp, aa::StoreOp,
          aa::TiledLoadOp, aa::TiledStoreOp, aa::CreateMemTokenOp, aa::AssumeOp,
          aa::AssertOp, aa::PrintOp, aa::OptimizationBarrierOp, aa::YieldOp,
          aa::GetNumProgramsOp>(op)) {
    rename(op);
    return success();
  }
  if (isa<aa::AtomicRmwOp, aa::AtomicCasOp, aa::TiledAtomicRmwOp>(op)) {
    rename(op, hints);
    return success();
  }
  if (isa<aa::MakeMemRefOp>(op)) {
    rename(op, {"alias_scope"});
    return success();
  }
  if (auto join = dyn_cast<aa::JoinMemTokenOp>(op)) {
    if (join.getTokens().size() == 1)
      replace(op, join.getTokens().front());
    else
      rename(op);
    return success();
  }
  if (auto expand = dyn_cast<aa::ExpandDimsOp>(op)) {
    Value value = expand.getSource();
    for (int32_t axis : expand.getAxes()) {
      SmallVector<int64_t> shape(
          cast<RankedTensorType>(value.getType()).getShape());
      shape.insert(shape.begin() + axis, 1);
      value = as::ExpandDimsOp::create(builder, op->getLoc(),
                                       tensorOf(value, shape), value, axis);
    }
    replace(op, value);
    return success();
  }
  if (auto alloca = dyn_cast<aa::AllocaOp>(op)) {
    unsigned bits =
        as::getStorageBits(alloca.getResult().getType().getPointee());
    int64_t align = alloca.getAlignment().value_or(std::max(1u, bits / 8));
    replace(op, as::AllocaOp::create(builder, op->getLoc(), alloca.getType(),
                                     alloca.getNumElem(), align,
                                     alloca.getShareable())
                    .getResult());
    return success();
  }
  if (auto id = dyn_cast<aa::GetProgramIdOp>(op)) {
    if (id.getOf())
      return op->emitOpError("of another tile block is not supported yet");
    rename(op);
    return success();
  }
  if (auto dot = dyn_cast<aa::DotOp>(op))
    return convertDot(dot);
  if (isa<aa::ReduceOp, aa::ScanOp>(op))
    return convertCombine(op);
  if (isa<aa::GatherLoadOp, aa::ScatterStoreOp>(op))
    return convertSparse(op);
  if (isa<aa::PluginOp>(op))
    op->emitError("plugin has unsupported feature");
  return op->emitOpError("is not supported yet");
}

LogicalResult OpConverter::run() {
  // Bodies of reductions come before the reductions themselves.
  SmallVector<Operation *> ops;
  func->walk([&](Operation *op) {
    if (isa<aa::TileAADialect>(op->getDialect()) &&
        !isa<aa::FuncOp, aa::ReturnOp, aa::CallOp, aa::MarkForReuseOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (failed(convert(op)))
      return failure();
  return success();
}

LogicalResult convertOperations(aa::FuncOp func, const Target &target) {
  return OpConverter(func, target).run();
}

} // namespace tileir
