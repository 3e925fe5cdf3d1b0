// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas_schedule/ScheduleAnalysis.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-generate-schedule-constraints"

namespace tileir {

#define GEN_PASS_DECL_TILEASGENERATESCHEDULECONSTRAINTS
#define GEN_PASS_DEF_TILEASGENERATESCHEDULECONSTRAINTS
#include "passes/tileas_schedule/TileASGenerateScheduleConstraints.h.inc"

namespace {

using namespace mlir;

struct TileASGenerateScheduleConstraints final
    : impl::TileASGenerateScheduleConstraintsBase<
          TileASGenerateScheduleConstraints> {
  using TileASGenerateScheduleConstraintsBase::
      TileASGenerateScheduleConstraintsBase;

  void runOnOperation() override;

private:
  FailureOr<ScheduleOptions> getOptions();
  void report(const ScheduleAnalysis::Region &region);
};

} // namespace

FailureOr<ScheduleOptions> TileASGenerateScheduleConstraints::getOptions() {
  ScheduleOptions options;
  std::optional<schedule::Generator> generator =
      schedule::generatorOfName(std::string_view(scheduler));
  if (!generator)
    return getOperation()->emitError("invalid value '")
           << scheduler
           << "' for option 'scheduler'; expected one of 'default', 'serial', "
              "'fast', 'cost-based'";
  if (v2OptLevel > 3)
    return getOperation()->emitError("invalid value '")
           << unsigned(v2OptLevel)
           << "' for option 'v2-opt-level'; expected 0 to 3";
  if (!computeCapability.empty() &&
      !Target::parse(StringRef(computeCapability)))
    return getOperation()->emitError("failed to get compute capability");
  options.solver.generator = *generator;
  options.solver.v2OptLevel = v2OptLevel;
  options.solver.rrtSizeThreshold = rrtSizeThreshold;
  options.solver.maxConstraintIterations = maxConstraintIterations;
  options.solver.maxSchedulableOps = maxSchedulableOps;
  options.numWarps = numWarps;
  options.computeCapability = computeCapability;
  options.randomDelay = enableRandomDelay;
  options.randomDelaySeed = randomDelaySeed;
  return options;
}

void TileASGenerateScheduleConstraints::report(
    const ScheduleAnalysis::Region &region) {
  const schedule::Constrained &solution = region.solution;
  ++numRegions;
  numAnchors += region.anchors.size();
  numEdges += region.problem.edges.size();
  numSerialRegions += solution.result.generator == schedule::Generator::Serial;
  numConstraintIterations += solution.iterations;
  numNotConverged += solution.budgetExceeded;
  numConstraintsAdded += solution.mitigations.size();
  numLatencyClamped += region.numClamped;
  scf::ForOp loop = region.loop;
  TILEIR_LOG() << loop.getLoc() << ": " << region.anchors.size() << " anchors, "
               << region.problem.edges.size() << " edges, "
               << solution.mitigations.size() << " mitigations in "
               << solution.iterations << " iterations, "
               << schedule::nameOf(solution.result.generator);
  if (solution.budgetExceeded)
    emitRemark(loop.getLoc())
        << "resource constraints did not converge after "
        << unsigned(maxConstraintIterations)
        << " iterations; falling back to serial execution";
  if (region.anchors.size() > maxSchedulableOps)
    emitRemark(loop.getLoc())
        << "loop has " << region.anchors.size()
        << " anchors, more than max-schedulable-ops = "
        << unsigned(maxSchedulableOps) << "; falling back to serial execution";
}

void TileASGenerateScheduleConstraints::runOnOperation() {
  FailureOr<ScheduleOptions> options = getOptions();
  if (failed(options))
    return signalPassFailure();
  auto &analysis = getAnalysis<ScheduleAnalysis>();
  if (failed(analysis.populate(*options)))
    return signalPassFailure();
  for (ScheduleAnalysis::Function &function : analysis.getFunctions())
    for (const ScheduleAnalysis::Region &region : function.regions)
      report(region);
  markAnalysesPreserved<ScheduleAnalysis, DominanceInfo>();
}

} // namespace tileir
