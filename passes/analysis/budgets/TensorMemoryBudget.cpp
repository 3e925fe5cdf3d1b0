// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/budgets/TensorMemoryBudget.h"

#include "dialects/support/layout/TensorMemory.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

int64_t getTensorColumns(as::AllocTensorOp alloc) {
  auto type = dyn_cast<as::BufferType>(alloc.getType());
  if (!type || type.getSpace() != LayoutSpace::Tmem)
    return 0;
  return std::max<int64_t>(1, type.getStages()) *
         tensorColumns(type.getLayout().getLayout());
}

TensorMemoryBudget::TensorMemoryBudget(const Target &target, Operation *func)
    : cap(target.tensorMemoryColumns()) {
  if (func)
    func->walk(
        [&](as::AllocTensorOp alloc) { claim(getTensorColumns(alloc)); });
}

int64_t TensorMemoryBudget::getShare(nv_tileaa::FuncOp func) const {
  nv_tileaa::KernelSpecAttr spec = func.getKernelSpecAttr();
  return spec && spec.getOccupancy() ? cap / spec.getOccupancy() : cap;
}

std::string TensorMemoryBudget::check(int64_t columns) const {
  if (columns <= getLeft())
    return "";
  return std::to_string(columns) + " of " + std::to_string(cap) +
         " columns are wanted and " + std::to_string(claimed) + " are taken";
}

} // namespace tileir
