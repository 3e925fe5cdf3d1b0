// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/FixedLaunch.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/Residency.h"
#include "passes/analysis/MmaChain.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/Occupancy.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/cta/AccumulatorSplitter.h"
#include "passes/tileas/cta/BlockSplitter.h"
#include "passes/tileas/cta/OperandSlicer.h"
#include "passes/tileas/cta/PlannedDemand.h"
#include "passes/tileas/layout/LayoutChoice.h"
#include "passes/tileas/mma/Umma.h"
#include "passes/tileas/mma/WarpgroupDots.h"
#include "passes/tileas/stage/RestagedOperands.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-plan-cta"

namespace tileir {

#define GEN_PASS_DEF_TILEASPLANCTA
#include "passes/tileas/cta/TileASPlanCta.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASPlanCta final : impl::TileASPlanCtaBase<TileASPlanCta> {
  using TileASPlanCtaBase::TileASPlanCtaBase;

  void runOnOperation() override;

private:
  LogicalResult plan(aa::FuncOp func, const Target &target);
  LogicalResult apply(aa::FuncOp func, unsigned warps);
};

} // namespace

/// The rule for kernels with dots. `fits` is false if no number of warps holds
/// the tiles; the result then leaves the fewest of them out.
static unsigned chooseForDot(const RegisterDemand &demand, bool &fits) {
  // Fewer warps than the SM has partitions leave tensor cores idle.
  int64_t least = std::min<int64_t>(
      kPartitions, demand.largestDot / heuristics::accumulatorElementsPerWarp);
  unsigned best = heuristics::maxWarps;
  for (unsigned warps = demand.maxWarps; warps >= 1; warps /= 2)
    if (best > demand.maxWarps ||
        RegisterDemand::getExcess(demand.peak, warps) <
            RegisterDemand::getExcess(demand.peak, best))
      best = warps;
  for (unsigned warps = 1; warps <= demand.maxWarps; warps *= 2) {
    int64_t threads = limits::threadsPerWarp * warps;
    TILEIR_LOG() << warps << " warps: " << demand.accumulators / threads
                 << " registers of accumulators a thread, "
                 << demand.peak / threads << " of tiles, "
                 << RegisterDemand::getExcess(demand.peak, warps)
                 << " registers too many; at least " << least << " warps";
    if (warps < least ||
        demand.accumulators > heuristics::accumulatorRegisters * threads ||
        demand.peak > heuristics::tileRegisters * threads ||
        demand.loadedOperands > heuristics::loadedOperandRegisters * threads ||
        RegisterDemand::getExcess(demand.peak, warps) > 0)
      continue;
    fits = true;
    return warps;
  }
  fits = false;
  return best;
}

/// Returns the first of two chained dots of `loop`, which warpgroups start an
/// iteration ahead (tileas-shift-chained-dots), or null.
static as::DotOp getDotAhead(scf::ForOp loop) {
  MmaChain chain(loop);
  return chain.isPair() &&
                 loop.isDefinedOutsideOfLoop(chain.getDots().front().c)
             ? dyn_cast<as::DotOp>(chain.getDots().front().op)
             : as::DotOp();
}

/// The rule for dots whose two results are live at once if that leaves each
/// warp the rows of an instruction.
static unsigned chooseForDotAhead(aa::FuncOp func, RegisterDemand demand,
                                  const Target &target, unsigned warps) {
  as::DotOp ahead;
  if (target.hasWgmma())
    func.walk([&](scf::ForOp loop) {
      if (as::DotOp dot = getDotAhead(loop))
        ahead = dot;
    });
  if (!ahead)
    return warps;
  RankedTensorType result = ahead.getC().getType();
  int64_t registers = result.getNumElements() *
                      int64_t(as::getStorageBits(result.getElementType())) / 32;
  demand.accumulators += registers;
  demand.peak += registers;
  bool fits = false;
  unsigned more = chooseForDot(demand, fits);
  return fits && kWarpRows * int64_t(more) <= result.getDimSize(0) ? more
                                                                   : warps;
}

/// The rule for dots in tensor memory: small block-scaled dots, or chains whose
/// accumulators stay there and whose first results fit one warpgroup. Each row
/// is then in one warp.
static unsigned chooseForTensorMemory(aa::FuncOp func, RegisterDemand demand,
                                      const Target &target, unsigned warps) {
  constexpr unsigned kGroup = 4;
  // Threads read results from tensor memory by warpgroups.
  bool isRead = warps < kGroup &&
                func->walk([&](as::DotOp dot) {
                      as::MmaAttr mma = chooseMma(dot, {kGroup, target}).mma;
                      return mma.getAcc() && isFedByThreads(dot, mma)
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (isRead && demand.maxWarps >= kGroup)
    return kGroup;
  int64_t invariant = getInvariantRegisters(func, target);
  if (!invariant || demand.maxWarps < kGroup)
    return warps;
  demand.accumulators -= invariant;
  demand.peak -= invariant;
  return demand.accumulators <= heuristics::accumulatorRegisters *
                                    limits::threadsPerWarp * kGroup &&
                 RegisterDemand::getExcess(demand.peak, kGroup) <= 0
             ? kGroup
             : warps;
}

/// Warps below which part of an SM idles as long as few CTAs run: one for each
/// of its partitions, but no more than have a vector of 16 bytes a thread.
static unsigned getLeastWarps(const RegisterDemand &demand) {
  int64_t vectors = demand.largestAccess / (16 * limits::threadsPerWarp);
  return std::clamp<int64_t>(llvm::bit_floor(uint64_t(vectors)), 1,
                             kPartitions);
}

/// The rule for reductions and scans: a row is best held by few registers of
/// many threads, as long as several CTAs hide each other's exchanges. A hint
/// for occupancy leaves each element the same registers, however many warps
/// there are, but assemblers have the more values in flight the more elements a
/// thread has.
static unsigned chooseForReduction(aa::FuncOp func,
                                   const RegisterDemand &demand,
                                   const Target &target) {
  auto getWarps = [&](int64_t elements) {
    unsigned warps = 1;
    while (warps < heuristics::maxWarps &&
           demand.largestTile > elements * limits::threadsPerWarp * warps)
      warps *= 2;
    return warps;
  };
  unsigned warps = getWarps(heuristics::reductionElements);
  // One warp needs no exchange, two need as much of it as four.
  if (warps > 1)
    warps = std::max(warps, getLeastWarps(demand));
  int64_t threads = limits::threadsPerWarp * warps,
          ctas = heuristics::reductionCtas;
  bool fits =
      demand.largestTile <= heuristics::reductionElements * threads &&
      ctas * threads <= target.threadsPerSM() &&
      ctas * threads * RegisterDemand::estimateRegisters(demand.peak, warps) <=
          limits::registersPerSM;
  unsigned fewer = getWarps(heuristics::cappedReductionElements);
  bool isCapped =
      RegisterBudget(func, fewer).getLimit() < limits::registersPerThread;
  return fits || isCapped ? warps : fewer;
}

/// The rule for other kernels, as long as it makes enough warps.
static unsigned chooseForAccess(const RegisterDemand &demand) {
  int64_t warps =
      demand.largestAccess / (heuristics::accessBytes * limits::threadsPerWarp);
  return std::clamp<int64_t>(llvm::bit_floor(uint64_t(warps)),
                             getLeastWarps(demand), heuristics::maxAccessWarps);
}

static bool callsFunctions(aa::FuncOp func) {
  return func->walk([](aa::CallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Reports the reasons for `warps`; `why` is the rule.
static void report(aa::FuncOp func, const RegisterDemand &demand,
                   unsigned warps, const Twine &why) {
  TILEIR_LOG() << func.getName() << ": " << warps << " warps, " << why << "\n"
               << demand;
  auto options = remarkAbout(func, "NumWarps", "tileas");
  remark::passed(func.getLoc(), options)
      << why.str() << remark::metric("Warps", warps)
      << remark::metric("Accumulators", demand.accumulators)
      << remark::metric("OtherWords", demand.others)
      << remark::metric("PeakWords", demand.peak)
      << remark::metric("LoadedOperands", demand.loadedOperands)
      << remark::metric("LargestTile", demand.largestTile)
      << remark::metric("LargestAccess", demand.largestAccess)
      << remark::metric("Registers",
                        RegisterDemand::estimateRegisters(demand.peak, warps));
}

LogicalResult TileASPlanCta::plan(aa::FuncOp func, const Target &target) {
  unsigned before = getNumWarps(func);
  if (failed(verifyLayouts(func, before)))
    return failure();
  bool isCut = splitDots(func, target);
  isCut |= sliceOperands(func, target);
  isCut |= splitBlocks(func);
  if (isCut && failed(verifyLayouts(func, before)))
    return failure();
  RegisterDemand demand = getPlannedDemand(func);
  bool isFixed = func->hasAttr(aa::kFixedWarpsAttr);
  if (isFixed && demand.accumulators <= heuristics::maxAccumulatorRegisters *
                                            limits::threadsPerWarp * before) {
    report(func, demand, before, "warps as asked for");
    return success();
  }
  if (callsFunctions(func)) {
    report(func, demand, before, "warps as in the functions that it calls");
    return success();
  }
  unsigned warps = before;
  bool fits = true;
  std::string why;
  if (demand.largestDot) {
    warps = chooseForDot(demand, fits);
    if (fits)
      warps = chooseForDotAhead(func, demand, target, warps);
    warps = chooseForTensorMemory(func, demand, target, warps);
    why = fits ? "warps by accumulators" : "no number of warps holds all tiles";
  } else if (demand.hasReduction) {
    warps = chooseForReduction(func, demand, target);
    why = "warps by elements per thread of a reduction";
  } else {
    warps = chooseForAccess(demand);
    why = "warps by bytes per thread of an access";
  }
  if (isFixed) {
    ++numReplaced;
    func->removeAttr(aa::kFixedWarpsAttr);
    remark::missed(func.getLoc(), remarkAbout(func, "WarpsReplaced", "tileas"))
        << remark::reason(
               "a thread of {0} warps would hold {1} registers of "
               "accumulators, {2} are available",
               before, demand.accumulators / (limits::threadsPerWarp * before),
               heuristics::maxAccumulatorRegisters);
  }
  report(func, demand, warps, why);
  if (warps == before && func.getKernelSpecAttr())
    return success();
  ++numPlanned;
  return apply(func, warps);
}

/// The atoms of dots do not depend on the warps, only their layouts do.
LogicalResult TileASPlanCta::apply(aa::FuncOp func, unsigned warps) {
  aa::KernelSpecAttr old = func.getKernelSpecAttr();
  func.setKernelSpecAttr(
      old ? aa::KernelSpecAttr::get(&getContext(), warps, old.getNumCtas(),
                                    old.getClusterDim(), old.getOccupancy(),
                                    old.getMaxRegs())
          : aa::KernelSpecAttr::get(&getContext(), warps, /*numCtas=*/1u));
  assignDefaultLayouts(func, warps);
  return verifyLayouts(func, warps);
}

/// Lowers launch hints to the resources that the planned CTA leaves of an SM.
static void clampHints(aa::FuncOp func, const Target &target) {
  CtaNeeds needs = {limits::threadsPerWarp * int64_t(getNumWarps(func))};
  RegisterDemand demand = getPlannedDemand(func);
  // Where tensor cores work, tiles may be in shared memory, and accumulators in
  // tensor memory.
  if (!demand.largestDot)
    needs.tileRegisters = llvm::divideCeil(demand.peak, needs.threads) +
                          heuristics::minRegistersBesideTiles;
  else if (!target.hasTcgen05())
    needs.registers = demand.accumulators / needs.threads +
                      heuristics::registersBesideAccumulators;
  clampLaunch(func, target, needs);
}

void TileASPlanCta::runOnOperation() {
  gpu::GPUModuleOp module = getOperation();
  for (aa::FuncOp func : module.getOps<aa::FuncOp>()) {
    if (!func.getKernel() || func.isExternal())
      continue;
    std::optional<Target> target = getTarget(func);
    if (!target) {
      func.emitError("failed to get the target spec");
      return signalPassFailure();
    }
    if (failed(plan(func, *target)))
      return signalPassFailure();
    clampHints(func, *target);
  }
}

} // namespace tileir
