// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"

#include "dialects/launch/KernelAbi.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

std::optional<Target> getTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (std::string name = namedTarget(op); !name.empty())
      return Target::parse(name);
  return std::nullopt;
}

void noteFeature(Operation *op, const Target &target, Feature feature) {
  if (!target.needsAccelerated(feature))
    return;
  auto module = dyn_cast<gpu::GPUModuleOp>(op);
  if (!module)
    module = op->getParentOfType<gpu::GPUModuleOp>();
  if (module)
    module->setAttr(kNeedsAcceleratedArchAttr, UnitAttr::get(op->getContext()));
}

unsigned getNumWarps(aa::FuncOp func, unsigned fallback) {
  if (aa::KernelSpecAttr spec = func.getKernelSpecAttr())
    return spec.getNumWarps();
  for (Operation *op = func; op; op = op->getParentOp())
    if (auto warps = op->getAttrOfType<IntegerAttr>(aa::kNumWarpsAttr))
      return warps.getInt();
  return fallback;
}

/// Registers that a thread can have where `ctas` CTAs of `threads` share those
/// of an SM.
static int64_t getRegisterShare(int64_t ctas, int64_t threads) {
  return std::min<int64_t>(
      llvm::alignDown(limits::registersPerSM / (ctas * threads),
                      limits::registersGranule),
      limits::registersPerThread);
}

std::optional<int64_t> getRegisterCap(aa::FuncOp func, int64_t threads) {
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  if (!spec || (!spec.getMaxRegs() && !spec.getOccupancy()))
    return std::nullopt;
  int64_t cap = limits::registersPerThread;
  if (spec.getMaxRegs())
    cap = spec.getMaxRegs();
  if (spec.getOccupancy()) {
    // Fewer registers than ptxas gives at least are no bound.
    int64_t budget = std::max<int64_t>(
        getRegisterShare(spec.getOccupancy(), threads), limits::registersMin);
    cap = spec.getMaxRegs() ? std::min(cap, budget) : budget;
  }
  return cap;
}

int64_t getRegisterLimit(aa::FuncOp func, int64_t threads) {
  int64_t limit = getRegisterShare(/*ctas=*/1, threads);
  if (std::optional<int64_t> cap =
          func ? getRegisterCap(func, threads) : std::nullopt)
    limit = std::min(limit, *cap);
  return limit;
}

} // namespace tileir
