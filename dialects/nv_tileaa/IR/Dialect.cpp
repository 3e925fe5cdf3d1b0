// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ClusterOps.h"
#include "dialects/nv_tileaa/FixedLaunch.h"
#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

#include "dialects/nv_tileaa/Dialect.cpp.inc"

#include "dialects/nv_tileaa/NVTileAAInterfaces.cpp.inc"

MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::GlobalMemory)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::HostIO)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::QueueState)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::GridState)

namespace {

struct TileAAInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    return !isa<PluginOp, InjectIROp, ExecuteOp>(op);
  }
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [result, operand] : llvm::zip(results, op->getOperands()))
      result.replaceAllUsesWith(operand);
  }
};

/// T1: drops a token without dependencies, which orders nothing.
struct DropFreshToken final
    : OpInterfaceRewritePattern<TileAAMemoryOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(TileAAMemoryOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value token = op.getInputToken();
    if (!token || !token.getDefiningOp<CreateMemTokenOp>())
      return rewriter.notifyMatchFailure(
          op, "no token, or one that waits for something");
    rewriter.modifyOpInPlace(op, [&] { op.getInputTokenMutable().clear(); });
    return success();
  }
};

/// A token has no value, so a user of a selected token waits for both. Upstream
/// makes such selects from branches that yield tokens.
struct SelectOfTokens final : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<MemTokenType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a choice between tokens");
    rewriter.replaceOpWithNewOp<JoinMemTokenOp>(
        op, op.getType(), ValueRange{op.getTrueValue(), op.getFalseValue()});
    return success();
  }
};

} // namespace

void TileAADialect::initialize() {
  registerTypes();
  registerAttributes();
  registerTileAADialectOperations(this);
  addOperations<ClusterGatherOp>();
  addInterfaces<TileAAInlinerInterface>();
}

void TileAADialect::getCanonicalizationPatterns(
    RewritePatternSet &results) const {
  results.add<DropFreshToken, SelectOfTokens>(getContext());
}

Operation *TileAADialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

namespace {

enum class Payload { I32, Unit, String, Divisor, RmwMode };

} // namespace

static StringRef describe(Payload payload) {
  switch (payload) {
  case Payload::I32:
    return "32-bit integer";
  case Payload::Unit:
    return "unit attribute";
  case Payload::String:
    return "string";
  case Payload::Divisor:
    return "64-bit integer that is a power of two";
  case Payload::RmwMode:
    return "mode of a reduction";
  }
  llvm_unreachable("unknown payload");
}

static bool hasPayload(Attribute value, Payload payload) {
  auto number = dyn_cast<IntegerAttr>(value);
  switch (payload) {
  case Payload::I32:
    return number && number.getType().isSignlessInteger(32);
  case Payload::Unit:
    return isa<UnitAttr>(value);
  case Payload::String:
    return isa<StringAttr>(value);
  case Payload::Divisor:
    return number && number.getType().isSignlessInteger(64) &&
           number.getInt() > 0 && llvm::isPowerOf2_64(number.getInt());
  case Payload::RmwMode:
    return isa<RmwModeAttr>(value);
  }
  llvm_unreachable("unknown payload");
}

static std::optional<Payload> getModulePayload(StringRef name) {
  return llvm::StringSwitch<std::optional<Payload>>(name)
      .Cases({kComputeCapabilityAttr, "nv_tileaa.compute-capability",
              kNumWarpsAttr, kNumCtasAttr},
             Payload::I32)
      .Cases({kApproxAttr, kFtzAttr, kDynamicPersistentAttr,
              kLibnvvmUseNvgpucompAttr},
             Payload::Unit)
      .Cases({kTargetSpecAttr, kProducerAttr}, Payload::String)
      .Default(std::nullopt);
}

static std::optional<Payload> getArgumentPayload(StringRef name) {
  return llvm::StringSwitch<std::optional<Payload>>(name)
      .Cases({kNoAliasAttr, kReadOnlyAttr, kGridConstantAttr}, Payload::Unit)
      .Case(kDivByAttr, Payload::Divisor)
      .Default(std::nullopt);
}

static LogicalResult verifyPayload(Operation *op, NamedAttribute attribute,
                                   std::optional<Payload> payload,
                                   bool carries) {
  if (!payload || !carries)
    return op->emitError("'")
           << attribute.getName().getValue()
           << "' is not a valid attribute of '" << op->getName() << "'";
  if (!hasPayload(attribute.getValue(), *payload))
    return op->emitError("'") << attribute.getName().getValue()
                              << "' expects a " << describe(*payload);
  return success();
}

LogicalResult TileAADialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  // The attribute moves to the accesses of the same names in nv_tileas.
  if (attr.getName() == kMultimemAttr)
    return verifyPayload(
        op, attr, Payload::RmwMode,
        llvm::is_contained({"tiled_load", "tiled_store", "tiled_atomic_rmw"},
                           op->getName().stripDialect()));
  if (attr.getName() == kFixedWarpsAttr || attr.getName() == kFixedCtasAttr)
    return verifyPayload(op, attr, Payload::Unit, isa<FuncOp>(op));
  return verifyPayload(op, attr, getModulePayload(attr.getName()),
                       isa<gpu::GPUModuleOp>(op));
}

LogicalResult TileAADialect::verifyRegionArgAttribute(Operation *op,
                                                      unsigned regionIndex,
                                                      unsigned argIndex,
                                                      NamedAttribute attr) {
  bool carries = isa<FuncOp>(op);
  if (carries &&
      (attr.getName() == kNoAliasAttr || attr.getName() == kReadOnlyAttr)) {
    ArrayRef<Type> types = cast<FuncOp>(op).getArgumentTypes();
    carries = argIndex < types.size() && isa<TAPointerType>(types[argIndex]);
  }
  return verifyPayload(op, attr, getArgumentPayload(attr.getName()), carries);
}
