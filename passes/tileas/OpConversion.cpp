// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/OpConversion.h"

#include "passes/tileas/mma/BlockScales.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/mma/MmaAtoms.h"

#include "dialects/nv_tileaa/ClusterOps.h"

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
  /// The dot of the operands `factors`, A and B, and of their scales, if any,
  /// matrix by matrix, in the type of `c`. With an `atom` the instruction takes
  /// the scales.
  Value convertMatrices(aa::DotOp op, ArrayRef<Value> operands, Value c,
                        as::MmaAtomAttr atom = {});
  /// The dot of `operands`, which have the types of `atom`, in place of `op`.
  as::DotOp createDot(aa::DotOp op, const ScaledOperands &operands,
                      as::MmaAtomAttr atom);
  /// The result of `dot` with the elements of `c`.
  Value narrow(as::DotOp dot, Value c) {
    return convertElements(builder, dot.getLoc(), dot.getResult(),
                           getElementTypeOrSelf(c.getType()), true);
  }
  /// The dot of two matrices.
  Value convertMatrixDot(aa::DotOp op, Value a, Value b, Value c);
  /// The dot of two matrices whose scales its atom does not take.
  Value convertBlockScaledDot(aa::DotOp op, ArrayRef<Value> operands, Value c);
  /// The dot of two matrices by an instruction that takes their scales.
  Value convertScaledDot(aa::DotOp op, ArrayRef<Value> operands, Value c,
                         as::MmaAtomAttr atom);
  /// `tile` with its elements of 4 bits in bytes, two by two along `kDim`.
  Value packAlong(Location loc, Value tile, unsigned kDim);
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
      return op->emitOpError("has offsets; add them to its coordinates");
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
    return op->emitOpError("has offsets; add them to its coordinates");
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

as::DotOp OpConverter::createDot(aa::DotOp op, const ScaledOperands &operands,
                                 as::MmaAtomAttr atom) {
  Value acc =
      convertElements(builder, op.getLoc(), operands.c, atom.getCType(), true);
  return as::DotOp::create(
      builder, op.getLoc(), acc.getType(), operands.a, operands.b, acc,
      /*use_acc=*/Value(), operands.scaleA, operands.scaleB, atom,
      op.getSignednessAAttr(), op.getSignednessBAttr(), op.getFastAccAttr(),
      /*first_scale=*/IntegerAttr(), /*mma=*/as::MmaAttr());
}

Value OpConverter::convertMatrixDot(aa::DotOp op, Value a, Value b, Value c) {
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
  return narrow(createDot(op, {a, b, c, Value(), Value()}, atom), c);
}

Value OpConverter::packAlong(Location loc, Value tile, unsigned kDim) {
  Value bytes = packPairs(builder, loc, tile, kDim);
  if (kDim != 0)
    return bytes;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(bytes.getType()).getShape();
  return as::PermuteOp::create(builder, loc,
                               tensorOf(bytes, {shape[1], shape[0]}), bytes,
                               ArrayRef<int32_t>{1, 0});
}

Value OpConverter::convertScaledDot(aa::DotOp op, ArrayRef<Value> operands,
                                    Value c, as::MmaAtomAttr atom) {
  Location loc = op.getLoc();
  Value a = operands[0], b = operands[1];
  if (atom.isPacked()) {
    a = packAlong(loc, a, 1);
    b = packAlong(loc, b, 0);
  }
  return narrow(createDot(op, {a, b, c, operands[2], operands[3]}, atom), c);
}

/// The instruction for the block-scaled dot `op`; null if threads multiply by
/// the scales.
static as::MmaAtomAttr chooseAtom(aa::DotOp op, const Target &target) {
  auto element = [](Value tile) {
    return getElementTypeOrSelf(tile.getType());
  };
  ArrayRef<int64_t> a = cast<RankedTensorType>(op.getA().getType()).getShape(),
                    b = cast<RankedTensorType>(op.getB().getType()).getShape();
  int64_t m = a[a.size() - 2], k = a.back(), n = b.back();
  auto scales = cast<RankedTensorType>(op.getSfa().getType());
  if (element(op.getSfa()) != element(op.getSfb()))
    return {};
  return chooseScaledMmaAtom(element(op.getA()), element(op.getB()),
                             scales.getElementType(),
                             k / scales.getShape().back(), m, n, k, target);
}

/// Erases the backward slice of `value` without other readers.
static void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->use_empty() || !isMemoryEffectFree(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

Value OpConverter::convertBlockScaledDot(aa::DotOp op, ArrayRef<Value> operands,
                                         Value c) {
  Location loc = op.getLoc();
  ScaledOperands padded = padToLegalShape(
      builder, loc, {operands[0], operands[1], c, operands[2], operands[3]},
      target);
  // The MMA of scaled operands, if none takes the scales.
  Type wide = builder.getBF16Type();
  auto aType = cast<RankedTensorType>(padded.a.getType());
  auto cType = cast<RankedTensorType>(c.getType());
  as::DotOp dot = createDot(
      op, padded,
      chooseMmaAtom(wide, wide, cType.getElementType(), cType.getDimSize(0),
                    cType.getDimSize(1), aType.getDimSize(1), target));
  std::string reason;
  if (!mayTakeScales(dot, target, reason)) {
    if (!reason.empty())
      reportScaledByThreads(dot, reason);
    decomposeScales(dot);
  }
  return narrow(dot, c);
}

LogicalResult OpConverter::convertDot(aa::DotOp op) {
  Location loc = op.getLoc();
  Value a = op.getA(), b = op.getB(), c = op.getC();
  if (op.getSfa()) {
    if (as::MmaAtomAttr atom = chooseAtom(op, target)) {
      replace(op,
              convertMatrices(op, {a, b, op.getSfa(), op.getSfb()}, c, atom));
      eraseUnused(a);
      if (b != a)
        eraseUnused(b);
      return success();
    }
    // No other type has become bf16 on the way here.
    if (getElementTypeOrSelf(op.getSfa().getType()).isBF16() &&
        (target.hasTcgen05() || target.hasMmaBlockScale()))
      reportScaledByThreads(
          op, "no instruction of PTX 9.0 takes scales of fnv8E5M3FNU");
    replace(op, convertMatrices(op, {a, b, op.getSfa(), op.getSfb()}, c));
    return success();
  }
  switch (op.getInputPrecision().value_or(aa::InputPrecision::IEEE)) {
  case aa::InputPrecision::IEEE:
    replace(op, convertMatrices(op, {a, b}, c));
    return success();
  case aa::InputPrecision::TF32:
  case aa::InputPrecision::TF32x3:
    break;
  }
  // The bits that f32 has beyond tf32 form another tf32 number; the product of
  // the two remainders is below the precision of f32.
  Type tf32 = FloatTF32Type::get(op.getContext());
  auto round = [&](Value value) {
    return convertElements(builder, loc, value, tf32, true);
  };
  auto remainder = [&](Value value, Value rounded) {
    Value back =
        convertElements(builder, loc, rounded, builder.getF32Type(), true);
    return round(arith::SubFOp::create(builder, loc, value, back));
  };
  Value highA = round(a), highB = round(b);
  if (op.getInputPrecision() == aa::InputPrecision::TF32x3) {
    c = convertMatrices(op, {remainder(a, highA), highB}, c);
    c = convertMatrices(op, {highA, remainder(b, highB)}, c);
  }
  replace(op, convertMatrices(op, {highA, highB}, c));
  return success();
}

Value OpConverter::convertMatrices(aa::DotOp op, ArrayRef<Value> operands,
                                   Value c, as::MmaAtomAttr atom) {
  Location loc = op.getLoc();
  auto cType = cast<RankedTensorType>(c.getType());
  auto multiply = [&](ArrayRef<Value> parts, Value acc) {
    if (parts.size() == 2)
      return convertMatrixDot(op, parts[0], parts[1], acc);
    return atom ? convertScaledDot(op, parts, acc, atom)
                : convertBlockScaledDot(op, parts, acc);
  };
  if (cType.getRank() == 2)
    return multiply(operands, c);
  // One dot for each matrix of the batch.
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
  Value result = c;
  for (int64_t i = 0; i < batch; ++i) {
    Value index = i ? constant(loc, i) : zero;
    SmallVector<Value> parts;
    for (Value operand : operands)
      parts.push_back(matrix(operand, index));
    Value matrixDot = multiply(parts, matrix(c, index));
    matrixDot = as::ViewOp::create(
        builder, loc,
        tensorOf(matrixDot, {1, cType.getDimSize(1), cType.getDimSize(2)}),
        matrixDot, Value());
    result =
        batch == 1
            ? matrixDot
            : as::InsertSliceOp::create(builder, loc, cType, matrixDot, result,
                                        ValueRange{index, zero, zero})
                  .getResult();
  }
  return result;
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
          aa::ExtractOp, aa::ExtractSliceOp, aa::InsertSliceOp, aa::MakeRangeOp,
          aa::BitcastOp, aa::GridDependencyOp, aa::AddPtrOp, aa::IntToPtrOp,
          aa::PtrToIntOp, aa::BlockTileOp, aa::GetDimSizeOp, aa::GetGlobalOp,
          aa::LoadOp, aa::StoreOp, aa::TiledLoadOp, aa::TiledStoreOp,
          aa::CreateMemTokenOp, aa::AssumeOp, aa::AssertOp, aa::PrintOp,
          aa::OptimizationBarrierOp, aa::YieldOp, aa::GetNumProgramsOp,
          aa::ClusterGatherOp>(op)) {
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
  if (auto fence = dyn_cast<aa::AliasFenceOp>(op)) {
    // A fence of every thread between its accesses by one address and the
    // accesses of all threads by another.
    auto emitFence = [&] {
      as::FenceOp::create(builder, op->getLoc(), as::FenceKind::ProxyAlias,
                          aa::MemScopeAttr());
    };
    emitFence();
    as::BarrierOp::create(builder, op->getLoc(), as::BarrierScope::CTA,
                          IntegerAttr());
    emitFence();
    replace(op, fence.getToken());
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
      return op->emitOpError("asks for another tile block; pass its number as "
                             "an argument");
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
    return op->emitError("plugin has unsupported feature");
  return op->emitOpError(
      "has no equivalent in nv_tileas; replace it by operations "
      "that have one");
}

LogicalResult OpConverter::run() {
  // Bodies of reductions come before the reductions themselves.
  SmallVector<Operation *> ops;
  func->walk([&](Operation *op) {
    if (isa_and_present<aa::TileAADialect>(op->getDialect()) &&
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
