// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/budgets/Occupancy.h"

#include "passes/analysis/Remarks.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

/// `registers` of a thread as a cap that ptxas takes.
static int64_t getCap(int64_t registers) {
  return std::clamp<int64_t>(llvm::alignTo(registers, limits::registersGranule),
                             kMinCappedRegisters, limits::registersPerThread);
}

static std::string describeMemory(const CtaNeeds &needs) {
  std::string text;
  if (needs.bytes)
    text = llvm::formatv(", {0} bytes of shared memory", needs.bytes);
  if (needs.columns)
    text += llvm::formatv(", {0} columns of tensor memory", needs.columns);
  return text;
}

bool clampLaunch(aa::FuncOp func, const Target &target, const CtaNeeds &needs) {
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  if (!spec || (!spec.getOccupancy() && !spec.getMaxRegs()))
    return false;
  auto clamp = [&](StringRef hint, int64_t asked, int64_t possible,
                   int64_t registers) {
    if (asked && asked != possible)
      remark::missed(func.getLoc(),
                     remarkAbout(func, "HintClamped", kHintRemarks))
          << StringRef(
                 llvm::formatv("OptimizationHint {0} = {1} becomes {2}: an SM "
                               "holds CTAs of {3} threads with {4} registers "
                               "or more each{5}",
                               hint, asked, possible, needs.threads, registers,
                               describeMemory(needs))
                     .str());
    return asked ? possible : 0;
  };
  int64_t least = getCap(needs.registers);
  int64_t good = std::max(least, getCap(needs.tileRegisters));
  int64_t ctas = getResidentCtas(target, needs.threads, good, needs.bytes);
  if (needs.columns)
    ctas = std::min(ctas, target.tensorMemoryColumns() / needs.columns);
  ctas = std::max<int64_t>(ctas, 1);
  int64_t occupancy = clamp("occupancy", spec.getOccupancy(),
                            std::min<int64_t>(spec.getOccupancy(), ctas), good);
  int64_t maxRegs = clamp("max_regs", spec.getMaxRegs(),
                          std::max<int64_t>(spec.getMaxRegs(), least), least);
  if (occupancy == spec.getOccupancy() && maxRegs == spec.getMaxRegs())
    return false;
  func.setKernelSpecAttr(aa::KernelSpecAttr::get(
      func.getContext(), spec.getNumWarps(), spec.getNumCtas(),
      spec.getClusterDim(), occupancy, maxRegs));
  return true;
}

} // namespace tileir
