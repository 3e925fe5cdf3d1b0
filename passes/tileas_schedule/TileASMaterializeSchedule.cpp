// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"
#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/tileas_schedule/ApplySchedule.h"
#include "passes/tileas_schedule/ScheduleContract.h"
#include "passes/tileas_schedule/TraceSink.h"
#include "passes/tileas_schedule/solver/Check.h"

#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-materialize-schedule"

namespace tileir {

#define GEN_PASS_DECL_TILEASMATERIALIZESCHEDULE
#define GEN_PASS_DEF_TILEASMATERIALIZESCHEDULE
#include "passes/tileas_schedule/TileASMaterializeSchedule.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;
using Region = ScheduleAnalysis::Region;

struct TileASMaterializeSchedule final
    : impl::TileASMaterializeScheduleBase<TileASMaterializeSchedule> {
  using TileASMaterializeScheduleBase::TileASMaterializeScheduleBase;
  TileASMaterializeSchedule(const TileASMaterializeSchedule &other)
      : TileASMaterializeScheduleBase(other), sink(other.sink) {}

  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  LogicalResult solve(ScheduleAnalysis::Function &function, Region &region);
  LogicalResult materialize(ScheduleAnalysis &analysis);
  void count(const Region &region);
  void rewrite(const Region &region);
  void report(const Region &region, const LoopOrder &order,
              schedule::Cycles baseline);

  ScheduleOptions options;
  /// Shared with the clones of this pass that work on other functions.
  std::shared_ptr<TraceSink> sink = std::make_shared<TraceSink>();
};

} // namespace

LogicalResult TileASMaterializeSchedule::checkOptions() {
  if (v2OptLevel < -1 || v2OptLevel > 3)
    return getOperation()->emitError("invalid value '")
           << int(v2OptLevel) << "' for option 'v2-opt-level'; expected 0 to 3";
  return success();
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

static std::string describeBinding(const Region &region) {
  const schedule::Result &result = region.solution.result;
  return result.bounds.binding(region.solution.problem);
}

static void reportInfeasible(Operation *func, const Region &region) {
  const schedule::Result &result = region.solution.result;
  const schedule::Bounds &bounds = result.bounds;
  InFlightDiagnostic error =
      emitError(func->getLoc(), "modulo scheduler returned no feasible II");
  Diagnostic &note = error.attachNote(
      region.loop ? scf::ForOp(region.loop).getLoc() : func->getLoc());
  if (bounds.isInfinite)
    note << "MII = infinite; binding: " << describeBinding(region);
  else
    note << "MII = " << bounds.mii() << " (resource " << bounds.resource
         << ", recurrence " << bounds.recurrence << ", fine " << bounds.fine
         << ", dependence " << bounds.dependence
         << "), II cap = " << result.iiCap
         << "; binding: " << describeBinding(region);
  if (!result.reason.empty())
    note << "; " << result.reason;
}

/// Takes the schedule of the analysis if the loop is unchanged, else solves
/// again. Both give the same schedule: it depends on the graph and on the
/// options alone.
LogicalResult
TileASMaterializeSchedule::solve(ScheduleAnalysis::Function &function,
                                 Region &region) {
  bool isSame =
      options.solver.v2OptLevel == unsigned(v2OptLevel) || v2OptLevel < 0;
  if (!region.isWhole() || !isSame) {
    ScheduleOptions now = options;
    if (v2OptLevel >= 0)
      now.solver.v2OptLevel = unsigned(v2OptLevel);
    FailureOr<LoopGraph> graph =
        buildLoopGraph(region.loop, function.target, function.numWarps);
    if (failed(graph))
      return failure();
    region.ops = std::move(graph->anchors);
    region.problem = std::move(graph->problem);
    region.solution = solveLoop(region.problem, now, function.name);
  }
  const schedule::Result &result = region.solution.result;
  if (!result.isFeasible) {
    reportInfeasible(function.op, region);
    return failure();
  }
  if (result.generator == schedule::Generator::Serial)
    return success();
  std::string wrong =
      schedule::checkSchedule(region.solution.problem, result.schedule);
  if (wrong.empty())
    return success();
  return region.loop->emitError("failed to legalize schedule: ") << wrong;
}

void TileASMaterializeSchedule::count(const Region &region) {
  const schedule::Result &result = region.solution.result;
  numPipelinedLoops += result.schedule.numStages > 1;
  sumII += result.schedule.ii;
  sumMII += result.bounds.mii();
  numIIAttempts += result.attempts.size();
  numEvictions += result.numEvictions();
  for (const schedule::Attempt &attempt : result.attempts) {
    numG1Rejects += attempt.gates[0];
    numG2Rejects += attempt.gates[1];
    numG3Rejects += attempt.gates[2];
    numG4Rejects += attempt.gates[3];
  }
  numQuantized += result.quantum > 1;
  for (const schedule::Value &value : region.solution.problem.values)
    numPipes += value.storage == schedule::Storage::Shared;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// Lists the operations of the loop in `order`.
static std::string describe(const Region &region, const LoopOrder &order) {
  std::string text;
  llvm::raw_string_ostream os(text);
  order.print(os, region);
  return text;
}

/// Reason why iterations do not overlap in a loop without a pipeline.
static constexpr llvm::StringLiteral kNothingAhead =
    "no operation runs ahead: the loop fills no pipeline";

static std::string getReason(const Region &region, const LoopOrder &order) {
  const schedule::Result &result = region.solution.result;
  bool fills = llvm::any_of(region.ops, runsAhead);
  if (!fills && llvm::any_of(order.ahead, [](int steps) { return steps > 0; }))
    return "";
  if (!fills)
    return kNothingAhead.str();
  if (region.solution.budgetExceeded)
    return "no schedule fits";
  if (result.generator == schedule::Generator::Serial)
    return result.reason.empty() ? "the serial generator was asked for"
                                 : result.reason;
  if (result.schedule.numStages < 2)
    return "one stage is as fast";
  return "";
}

void TileASMaterializeSchedule::report(const Region &region,
                                       const LoopOrder &order,
                                       schedule::Cycles baseline) {
  const schedule::Result &result = region.solution.result;
  const schedule::Bounds &bounds = result.bounds;
  std::string reason = getReason(region, order);
  TILEIR_LOG() << region.loop->getLoc() << ": "
               << (reason.empty() ? "iterations overlap"
                                  : "iterations do not overlap: ")
               << reason << "; II " << result.schedule.ii << " (resource "
               << bounds.resource << ", recurrence " << bounds.recurrence
               << ", fine " << bounds.fine << ", dependence "
               << bounds.dependence << "), " << result.schedule.numStages
               << " stages; " << baseline << " cycles as written\n"
               << describe(region, order);
  auto about = remarkAbout(region.loop, "Schedule", "tileas_schedule");
  remark::detail::InFlightRemark out =
      reason.empty() ? remark::passed(region.loop->getLoc(), about)
                     : remark::missed(region.loop->getLoc(), about);
  int64_t depth = 0, bytes = 0;
  for (auto [value, range] : llvm::zip(region.solution.problem.values,
                                       region.solution.usage.lifetimes))
    if (value.storage == schedule::Storage::Shared) {
      depth = std::max<int64_t>(depth, range.depth);
      bytes += value.bytes * range.depth;
    }
  out << StringRef(reason.empty() ? "iterations overlap"
                                  : "iterations do not overlap");
  if (!reason.empty())
    out << remark::metric("Reason", StringRef(reason));
  if (reason == kNothingAhead)
    out << remark::metric(
        "Suggestion",
        StringRef(
            "let dots read loaded tiles without computing them again; remarks "
            "named MaterializeAsync say why a load is not copied"));
  out << remark::metric("II", int64_t(result.schedule.ii))
      << remark::metric("ResMII", int64_t(bounds.resource))
      << remark::metric("FineMII", int64_t(bounds.fine))
      << remark::metric("RecMII", int64_t(bounds.recurrence))
      << remark::metric("DepMII", int64_t(bounds.dependence))
      << remark::metric("Binds", StringRef(describeBinding(region)))
      << remark::metric("Stages", int64_t(result.schedule.numStages))
      << remark::metric("RingDepth", depth)
      << remark::metric("RingBytes", bytes)
      << remark::metric("Registers", getPeakRegisters(region, order))
      << remark::metric("Generator",
                        StringRef(schedule::nameOf(result.generator)))
      << remark::metric("Order",
                        StringRef(order.isBaseline ? "coarse" : "scheduled"))
      << remark::metric("StreamCycles", int64_t(order.cycles))
      << remark::metric("CoarseCycles", int64_t(baseline));
}

/// Reports for each unscheduled loop why it has no schedule.
static void reportUnscheduled(FunctionOpInterface func) {
  func->walk([](LoopLikeOpInterface loop) {
    std::string reason = explainUnscheduled(loop);
    if (reason.empty())
      return;
    TILEIR_LOG() << loop.getLoc() << ": no schedule: " << reason;
    remark::detail::InFlightRemark out = remark::missed(
        loop.getLoc(), remarkAbout(loop, "Schedule", "tileas_schedule"));
    // Pipeline copies run ahead even without a schedule.
    bool isFilling = loop->walk([](Operation *op) {
                           return runsAhead(op) ? WalkResult::interrupt()
                                                : WalkResult::advance();
                         })
                         .wasInterrupted();
    out << StringRef(isFilling ? "operations stay in their order"
                               : "iterations do not overlap")
        << remark::metric("Reason", StringRef(reason));
    if (!isa<scf::ForOp>(loop.getOperation()))
      out << remark::metric("Suggestion",
                            StringRef("write it as 'for' over a range, with "
                                      "the condition as a bound or a mask"));
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Returns the registers of a thread that are left for tiles.
static int64_t getAvailableRegisters(const Region &region) {
  scf::ForOp loop = region.loop;
  if (!loop->getParentOfType<nv_tileaa::FuncOp>())
    return heuristics::ampleTileRegisters;
  return RegisterBudget::getAround(loop).getLeft(
      heuristics::registersBesideScheduledTiles);
}

/// Returns whether the loop has warpgroup MMAs, whose order later passes rely
/// on.
static bool hasOrderedDots(const Region &region) {
  return llvm::any_of(region.ops,
                      [](Operation *op) { return isa<as::AsyncDotOp>(op); });
}

void TileASMaterializeSchedule::rewrite(const Region &region) {
  LoopOrder baseline = getBaselineOrder(region);
  LoopOrder best = baseline;
  bool keepsOrder = light || hasOrderedDots(region);
  // Tiles must not take more registers than before where the kernel may spill.
  int64_t registers = getPeakRegisters(region, baseline);
  int64_t most =
      std::max({registers, heuristics::ampleTileRegisters,
                std::min(registers * heuristics::scheduledTileGrowth / 100,
                         getAvailableRegisters(region))});
  auto consider = [&](LoopOrder order) {
    TILEIR_LOG() << region.loop->getLoc() << ": an order of " << order.cycles
                 << " cycles and " << getPeakRegisters(region, order)
                 << " registers of tiles; best so far " << best.cycles
                 << ", as written " << baseline.cycles << ", registers at most "
                 << most;
    if (order.cycles + baseline.cycles / heuristics::minScheduleGain <
            baseline.cycles &&
        order.cycles < best.cycles && getPeakRegisters(region, order) <= most)
      best = std::move(order);
  };
  if (options.randomDelay) {
    best = getScheduledOrder(region, keepsOrder);
  } else if (region.solution.result.generator != schedule::Generator::Serial) {
    LoopOrder scheduled = getScheduledOrder(region, keepsOrder);
    consider(scheduled);
    if (options.solver.v2OptLevel >= 2) {
      consider(placeCopies(region, baseline));
      consider(placeCopies(region, scheduled));
      if (!keepsOrder) {
        consider(loadEarly(region, baseline, most));
        consider(loadEarly(region, best, most));
      }
    }
    if (options.solver.v2OptLevel >= 3 && !keepsOrder)
      consider(refineOrder(region, best, most));
  }
  report(region, best, baseline.cycles);
  numReordered += !best.isBaseline;
  writeAttributes(region, best,
                  options.randomDelay
                      ? std::optional<uint64_t>(options.randomDelaySeed)
                      : std::nullopt);
  if (useAUS)
    scf::ForOp(region.loop)
        ->setAttr(kUnspecializedAttr, UnitAttr::get(&getContext()));
  if (enableScheduleRewrite && !best.isBaseline)
    reorderBody(region, best);
}

LogicalResult
TileASMaterializeSchedule::materialize(ScheduleAnalysis &analysis) {
  options = analysis.getOptions();
  // Reports all errors before it changes any loop.
  for (ScheduleAnalysis::Function &function : analysis.getFunctions())
    for (Region &region : function.regions)
      if (region.loop && failed(solve(function, region)))
        return failure();
  if (v2OptLevel >= 0)
    options.solver.v2OptLevel = unsigned(v2OptLevel);
  for (ScheduleAnalysis::Function &function : analysis.getFunctions()) {
    if (!scheduleTraceFile.empty() &&
        failed(sink->add(function, options, scheduleTraceFile)))
      return failure();
    for (Region &region : function.regions) {
      if (!region.loop)
        continue;
      count(region);
      rewrite(region);
    }
  }
  for (FunctionOpInterface func : tileir::getFunctions(getOperation()))
    reportUnscheduled(func);
  return success();
}

void TileASMaterializeSchedule::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  auto cached = getCachedAnalysis<ScheduleAnalysis>();
  ScheduleAnalysis onDemand(getOperation());
  ScheduleAnalysis *analysis = &onDemand;
  if (cached) {
    analysis = &cached->get();
    if (!analysis->revalidate()) {
      reportInvalidated(getOperation());
      return signalPassFailure();
    }
  } else if (hasStamps(getOperation())) {
    reportInvalidated(getOperation());
    return signalPassFailure();
  } else {
    ScheduleOptions defaults;
    if (v2OptLevel >= 0)
      defaults.solver.v2OptLevel = unsigned(v2OptLevel);
    if (failed(onDemand.populate(defaults)))
      return signalPassFailure();
    for (FunctionOpInterface func : tileir::getFunctions(getOperation()))
      emitRemark(func->getLoc()) << "schedule constraints built on demand";
  }
  if (failed(materialize(*analysis)))
    return signalPassFailure();
  eraseStamps(getOperation());
}

} // namespace tileir
