// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"

#include "dialects/launch/KernelAbi.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

std::optional<Target> getTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (std::string name = namedTarget(op); !name.empty())
      return Target::parse(name);
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

std::optional<int64_t> getRegisterCap(aa::FuncOp func, int64_t threads) {
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  if (!spec || (!spec.getMaxRegs() && !spec.getOccupancy()))
    return std::nullopt;
  int64_t cap = limits::registersPerThread;
  if (spec.getMaxRegs())
    cap = spec.getMaxRegs();
  if (spec.getOccupancy()) {
    int64_t budget = limits::registersPerSM / (spec.getOccupancy() * threads);
    // Fewer registers than ptxas gives at least are no bound.
    budget =
        std::clamp<int64_t>(llvm::alignDown(budget, limits::registersGranule),
                            limits::registersMin, limits::registersPerThread);
    cap = spec.getMaxRegs() ? std::min(cap, budget) : budget;
  }
  return cap;
}

int64_t getRegisterLimit(aa::FuncOp func, int64_t threads) {
  int64_t limit = std::min<int64_t>(limits::registersPerThread,
                                    limits::registersPerSM / threads);
  if (std::optional<int64_t> cap =
          func ? getRegisterCap(func, threads) : std::nullopt)
    limit = std::min(limit, *cap);
  return limit;
}

} // namespace tileir
