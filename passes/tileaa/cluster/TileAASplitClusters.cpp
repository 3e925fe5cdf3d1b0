// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/Rates.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileaa/cluster/ClusterDemand.h"
#include "passes/tileaa/cluster/ClusterEmitter.h"
#include "passes/tileaa/cluster/ClusterOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLExtras.h"

#define DEBUG_TYPE "tileaa-split-clusters"

namespace tileir {

#define GEN_PASS_DECL_TILEAASPLITCLUSTERS
#define GEN_PASS_DEF_TILEAASPLITCLUSTERS
#include "passes/tileaa/cluster/TileAASplitClusters.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

struct TileAASplitClusters final
    : impl::TileAASplitClustersBase<TileAASplitClusters> {
  using TileAASplitClustersBase::TileAASplitClustersBase;

  void runOnOperation() override;
};

/// Chooses the part of each effect of a kernel.
class PartChoice {
public:
  PartChoice(aa::FuncOp func, const Target &target, unsigned numAxes);

  /// Finds parts, or the reason that there are none.
  ClusterObstacle run();
  const ClusterChoice &getChoice() const { return chosen; }
  const ClusterWaits &getWaits() const { return waits; }
  /// The share of the tile block's work that a CTA does.
  double getShare() const { return cost / wholeCost; }

private:
  std::optional<double> price(const ClusterChoice &choice) const;
  std::optional<double> exchange(ClusterChoice &choice) const;
  void choose(Operation *effect, bool isAlone);
  void dropExchanges();
  SmallVector<ClusterPart> getCandidates(Operation *effect) const;
  ClusterObstacle findLargestShared() const;
  bool chooseAlike();
  ClusterObstacle waitForCTAs(const ClusterDemand &demand);

  aa::FuncOp func;
  const Target &target;
  unsigned numAxes;
  int64_t minRows;
  SmallVector<Operation *> exchangeable;
  ClusterChoice chosen;
  ClusterWaits waits;
  double cost = 0, wholeCost = 0;
};

} // namespace

/// Rows of the MMA instruction that asynchronous tensor cores of `target` make
/// a tile of.
static int64_t getMinRows(const Target &target) {
  return target.hasTcgen05() ? 128 : target.hasWgmma() ? 64 : 16;
}

PartChoice::PartChoice(aa::FuncOp func, const Target &target, unsigned numAxes)
    : func(func), target(target), numAxes(numAxes),
      minRows(getMinRows(target)) {
  // No load of a kernel that CTAs divide may read something else in each of
  // them, so that all reach each reduction.
  func->walk([&](aa::ReduceOp reduce) { exchangeable.push_back(reduce); });
  for (Operation *effect : getClusterEffects(func))
    chosen.effects[effect] = ClusterPart();
}

/// The tile of an effect; null without one.
static Type getEffectTile(Operation *effect) {
  if (auto access = dyn_cast<aa::TileAAMemoryOpInterface>(effect))
    return access.getAccessedType();
  if (auto check = dyn_cast<aa::AssertOp>(effect))
    return check.getCondition().getType();
  return {};
}

/// All CTAs divide the tile, along one dimension or along several; or none do.
SmallVector<ClusterPart> PartChoice::getCandidates(Operation *effect) const {
  SmallVector<ClusterPart> candidates = {ClusterPart()};
  auto tile = dyn_cast_if_present<RankedTensorType>(getEffectTile(effect));
  if (!tile)
    return candidates;
  SmallVector<ClusterPart> partial = {ClusterPart()};
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    SmallVector<ClusterPart> longer;
    for (ClusterPart part : partial)
      for (unsigned dim = 0, e = tile.getRank(); dim < e; ++dim) {
        longer.push_back(part);
        longer.back().setDim(axis, dim);
      }
    partial = std::move(longer);
  }
  for (ClusterPart part : partial)
    if (getOperandParts(effect, part))
      candidates.push_back(part);
  return candidates;
}

std::optional<double> PartChoice::price(const ClusterChoice &choice) const {
  ClusterDemand demand(func, choice, numAxes);
  if (demand.getObstacle())
    return std::nullopt;
  return getCost(func, demand, minRows);
}

/// Lets all reductions of `choice` exchange, or none, whichever costs less.
std::optional<double> PartChoice::exchange(ClusterChoice &choice) const {
  choice.exchanged.clear();
  std::optional<double> without = price(choice);
  if (exchangeable.empty())
    return without;
  choice.exchanged.insert_range(exchangeable);
  std::optional<double> with = price(choice);
  if (with && (!without || *with < *without))
    return with;
  choice.exchanged.clear();
  return without;
}

/// Gives `effect` the part that costs least, alone or beside the others.
void PartChoice::choose(Operation *effect, bool isAlone) {
  ClusterPart best = chosen.effects[effect];
  std::optional<double> least;
  for (ClusterPart part : getCandidates(effect)) {
    ClusterChoice choice;
    if (!isAlone)
      choice.effects = chosen.effects;
    choice.effects[effect] = part;
    std::optional<double> price = exchange(choice);
    // The parts of a dimension come before the whole, which is listed first.
    if (price && (!least || *price < *least)) {
      least = price;
      best = part;
    }
  }
  chosen.effects[effect] = best;
}

/// Leaves out exchanges that save less than they cost.
void PartChoice::dropExchanges() {
  std::optional<double> least = exchange(chosen);
  for (Operation *reduce : exchangeable) {
    if (!chosen.exchanged.erase(reduce))
      continue;
    std::optional<double> without = price(chosen);
    if (without && *without <= *least)
      least = without;
    else
      chosen.exchanged.insert(reduce);
  }
}

/// The operation with the most work that CTAs do not divide, or one for whose
/// work they exchange too much.
ClusterObstacle PartChoice::findLargestShared() const {
  for (Operation *reduce : exchangeable)
    if (chosen.exchanged.contains(reduce))
      return {reduce, "an exchange between CTAs takes as long as the work that "
                      "it divides"};
  ClusterDemand demand(func, chosen, numAxes);
  ClusterObstacle obstacle;
  int64_t most = 0;
  func->walk([&](Operation *op) {
    for (ClusterPart part : demand.getParts(op)) {
      auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType());
      if (!tile || !part.getFreeAxes(numAxes) ||
          isa<arith::ConstantOp, aa::SplatOp, aa::BroadcastOp>(op) ||
          tile.getNumElements() <= most)
        continue;
      most = tile.getNumElements();
      obstacle = {op, llvm::formatv("every CTA needs all {0} elements of its "
                                    "result",
                                    most)
                          .str()};
    }
  });
  if (!obstacle)
    obstacle = {func, "no tile of it can be divided"};
  return obstacle;
}

ClusterObstacle PartChoice::run() {
  if (chosen.effects.empty())
    return {func, "it stores nothing"};
  {
    ClusterDemand whole(func, chosen, /*numAxes=*/0);
    if (whole.getObstacle())
      return whole.getObstacle();
    wholeCost = getCost(func, whole, minRows);
  }
  SmallVector<Operation *> effects(llvm::make_first_range(chosen.effects));
  for (Operation *effect : effects)
    choose(effect, /*isAlone=*/true);
  for (Operation *effect : effects)
    choose(effect, /*isAlone=*/false);
  dropExchanges();
  ClusterDemand demand(func, chosen, numAxes);
  if (demand.getObstacle())
    return demand.getObstacle();
  cost = getCost(func, demand, minRows);
  TILEIR_LOG() << func.getName() << ": a CTA does " << cost << " of "
               << wholeCost;
  if (cost * 100 > wholeCost * heuristics::clusterMaxShare)
    return findLargestShared();
  waits = findClusterWaits(func, demand);
  return waits.empty() || chooseAlike() ? ClusterObstacle()
                                        : waitForCTAs(demand);
}

/// Lets CTAs wait for each other, unless that takes most of the time.
ClusterObstacle PartChoice::waitForCTAs(const ClusterDemand &demand) {
  Rates rates(target);
  double work = double(rates.latency(Rates::Latency::ClusterBarrier)) *
                rates.rate(Rates::Fp32); // Elements while they wait.
  for (Operation *access : waits)
    cost += getTrips(access) * work;
  if (cost * 100 <= wholeCost * heuristics::clusterMaxShare)
    return {};
  return {waits.front(), "a token orders it after accesses of other CTAs, and "
                         "waiting for them would take most of the time"};
}

/// Tries to divide all tiles along the same dimensions, so that a CTA finds
/// what it has written itself. Takes the cheapest way that keeps the order of
/// tokens.
bool PartChoice::chooseAlike() {
  std::optional<double> least;
  ClusterChoice best;
  SmallVector<Operation *> effects(llvm::make_first_range(chosen.effects));
  SmallVector<ClusterPart> tried;
  for (Operation *first : effects)
    for (ClusterPart part : getCandidates(first)) {
      if (part.isWhole() || llvm::is_contained(tried, part))
        continue;
      tried.push_back(part);
      ClusterChoice alike;
      for (Operation *effect : effects)
        alike.effects[effect] = llvm::is_contained(getCandidates(effect), part)
                                    ? part
                                    : ClusterPart();
      exchange(alike);
      ClusterDemand demand(func, alike, numAxes);
      if (demand.getObstacle())
        continue;
      double price = getCost(func, demand, minRows);
      if ((least && price >= *least) ||
          price * 100 > wholeCost * heuristics::clusterMaxShare ||
          !findClusterWaits(func, demand).empty())
        continue;
      least = price;
      best = alike;
    }
  if (!least)
    return false;
  chosen = best;
  waits.clear();
  cost = *least;
  return true;
}

static void setNumCtas(aa::FuncOp func, unsigned ctas) {
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  func.setKernelSpecAttr(
      aa::KernelSpecAttr::get(func.getContext(), spec.getNumWarps(), ctas,
                              spec.getOccupancy(), spec.getMaxRegs()));
}

/// Leaves the tile block in one CTA, and says what that costs.
static void refuse(aa::FuncOp func, const ClusterObstacle &obstacle) {
  unsigned ctas = func.getKernelSpecAttr().getNumCtas();
  remark::missed(obstacle.op->getLoc(), remarkAbout(func, "OneCTA", "tileaa"))
      << remark::reason("the tile block runs in one CTA, {0} were asked for: "
                        "{1}",
                        ctas, obstacle.reason);
  InFlightDiagnostic warning = emitWarning(func.getLoc(), "num_ctas = ");
  warning << ctas
          << " (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a "
             "tile block runs in one CTA, and "
          << (ctas - 1) << " of the " << ctas << " SMs of a cluster ("
          << 100 * (ctas - 1) / ctas << " %) stay idle";
  warning.attachNote(obstacle.op->getLoc()) << obstacle.reason;
  setNumCtas(func, 1);
}

static bool readsRank(aa::FuncOp func) {
  return func
      ->walk([](gpu::ClusterBlockIdOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void TileAASplitClusters::runOnOperation() {
  aa::FuncOp func = getOperation();
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  if (!spec || spec.getNumCtas() == 1 || func.isExternal() || readsRank(func))
    return markAllAnalysesPreserved();
  std::optional<Target> target = getTarget(func);
  if (!target) {
    func.emitError("failed to get the target spec");
    return signalPassFailure();
  }
  unsigned ctas = spec.getNumCtas();
  auto stay = [&](const ClusterObstacle &obstacle) {
    ++numRefused;
    refuse(func, obstacle);
  };
  if (!target->hasTmaMulticast())
    return stay({func, "CTAs of a cluster of the target share nothing"});
  if (!llvm::isPowerOf2_32(ctas) || ctas > 1u << ClusterPart::kMaxAxes)
    return stay({func, "a power of two up to 16 is expected"});
  PartChoice choice(func, *target, llvm::Log2_32(ctas));
  if (ClusterObstacle obstacle = choice.run())
    return stay(obstacle);
  ++numSplit;
  remark::passed(func.getLoc(), remarkAbout(func, "Cluster", "tileaa"))
      << StringRef("the CTAs of a cluster divide the tile block")
      << remark::metric("Ctas", ctas)
      << remark::metric("Share", int64_t(100 * choice.getShare() + 0.5))
      << remark::metric("Waits", int64_t(choice.getWaits().size()));
  // The rank counts along x.
  setNumCtas(func, ctas);
  emitClusterBody(func,
                  ClusterDemand(func, choice.getChoice(), llvm::Log2_32(ctas)),
                  choice.getWaits());
}

} // namespace tileir
