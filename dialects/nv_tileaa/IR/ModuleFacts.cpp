// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

std::optional<Target> getTarget(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (auto spec = op->getAttrOfType<StringAttr>(aa::kTargetSpecAttr))
      return Target::parse(spec.getValue());
    if (auto number =
            op->getAttrOfType<IntegerAttr>(aa::kComputeCapabilityAttr))
      return Target::fromNumber(number.getInt());
  }
  return std::nullopt;
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
