// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/LayoutChoice.h"
#include "passes/tileas/OpConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "convert-tileaa-to-tileas"

namespace tileir {

#define GEN_PASS_DECL_CONVERTTILEAATOTILEAS
#define GEN_PASS_DEF_CONVERTTILEAATOTILEAS
#include "passes/tileas/ConvertTileAAToTileAS.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct ConvertTileAAToTileAS final
    : impl::ConvertTileAAToTileASBase<ConvertTileAAToTileAS> {
  using ConvertTileAAToTileASBase::ConvertTileAAToTileASBase;

  void runOnOperation() override;

private:
  LogicalResult convert(aa::FuncOp func);
};

} // namespace

/// Returns whether there is anything to convert, so that the pass can run
/// twice.
static bool isConverted(aa::FuncOp func) {
  WalkResult result = func->walk([](Operation *op) {
    if (isa_and_present<aa::TileAADialect>(op->getDialect()) &&
        !isa<aa::FuncOp, aa::ReturnOp, aa::CallOp, aa::MarkForReuseOp>(op))
      return WalkResult::interrupt();
    for (Value value : op->getResults())
      if (isTile(value) && !as::getTileLayout(value.getType()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// A tile that crosses a call has no layout that both sides know.
static LogicalResult checkCalls(aa::FuncOp func) {
  auto hasTile = [](TypeRange types) {
    return llvm::any_of(types, llvm::IsaPred<RankedTensorType>);
  };
  if (hasTile(func.getArgumentTypes()) || hasTile(func.getResultTypes()))
    return func.emitError("function with tile arguments or results is not "
                          "supported yet; inline it into its callers");
  WalkResult result = func->walk([&](aa::CallOp call) {
    if (!hasTile(call->getOperandTypes()) && !hasTile(call->getResultTypes()))
      return WalkResult::advance();
    call.emitError("call with tiles is not supported yet; inline the callee");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ConvertTileAAToTileAS::convert(aa::FuncOp func) {
  if (failed(checkCalls(func)))
    return failure();
  if (isConverted(func))
    return success();
  if (failed(verifyTiles(func)))
    return failure();
  std::optional<Target> target = computeCapability.empty()
                                     ? getTarget(func)
                                     : Target::parse(computeCapability);
  if (!target)
    return func.emitError("failed to get the target spec");
  unsigned warps = getNumWarps(func, numWarps);
  if (!llvm::isPowerOf2_32(warps) || warps > 32)
    return func.emitError("num-warps must be a power of two up to 32, got ")
           << warps;

  if (aa::KernelSpecAttr spec = func.getKernelSpecAttr();
      spec && spec.getNumCtas() > 1) {
    remark::missed(func.getLoc(), remarkAbout(func, "OneCTA", "tileas"))
        << remark::reason("the tile block runs in one CTA, {0} were asked for",
                          spec.getNumCtas());
    func.setKernelSpecAttr(
        aa::KernelSpecAttr::get(&getContext(), spec.getNumWarps(), 1u,
                                spec.getOccupancy(), spec.getMaxRegs()));
  }

  attachAccessFacts(func);
  if (failed(convertOperations(func, *target)))
    return failure();
  splitFreeLeaves(func);
  TileClasses classes(func);
  applyPlan(func, classes, planDefault(func, classes, warps));
  func->walk([&](as::DotOp dot) {
    TILEIR_LOG() << dot.getLoc() << ": product by " << dot.getAtom();
    if (dot.getAtom().getKind() == as::MmaKind::Fma)
      ++numFma;
    else
      ++numMma;
  });
  func->walk([&](as::ConvertLayoutOp) { ++numConversions; });
  return verifyLayouts(func, warps);
}

void ConvertTileAAToTileAS::runOnOperation() {
  SmallVector<aa::FuncOp> funcs;
  getOperation()->walk([&](aa::FuncOp func) { funcs.push_back(func); });
  for (aa::FuncOp func : funcs)
    if (failed(convert(func))) {
      getOperation()->emitError("failed to convert nv_tileaa to nv_tileas");
      return signalPassFailure();
    }
}

} // namespace tileir
