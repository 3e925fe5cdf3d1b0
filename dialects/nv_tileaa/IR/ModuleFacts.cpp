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

} // namespace tileir
