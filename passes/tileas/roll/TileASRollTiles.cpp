// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/layout/LayoutPlan.h"
#include "passes/tileas/roll/RollEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-roll-tiles"

namespace tileir {

#define GEN_PASS_DECL_TILEASROLLTILES
#define GEN_PASS_DEF_TILEASROLLTILES
#include "passes/tileas/roll/TileASRollTiles.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASRollTiles final : impl::TileASRollTilesBase<TileASRollTiles> {
  using TileASRollTilesBase::TileASRollTilesBase;

  void runOnOperation() override;

private:
  void rollBlock(Block &block);
  /// Looks for the best dimension along which to cut the operations connected
  /// with `seed`; `slices` gets their number, 1 if the tiles fit as they are.
  /// Records the visited operations.
  std::optional<RollComponent> findComponent(Operation *seed, int64_t &slices,
                                             RollFault &fault);
  bool isTooLarge(const RollComponent &component) const;
  bool fits(const RollComponent &component, int64_t slices) const;
  void reportInvariant(Operation *seed, const RollFault &fault);

  /// Registers of one tile, and of all live tiles, that a thread may hold.
  int64_t tileBudget = 0, liveBudget = 0;
  bool hasDot = false;
  DenseSet<Operation *> seen, reported;
};

} // namespace

static int64_t getRegisters(Operation *op) {
  int64_t registers = 0;
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (isTile(value) && !isRollLeaf(value))
        registers = std::max(
            registers,
            getRegistersPerThread(cast<RankedTensorType>(value.getType())));
  // Nothing but leaves: a store of a constant.
  if (!registers && isa<as::StoreOp, as::TiledStoreOp>(op))
    for (Value value : op->getOperands())
      if (isTile(value))
        registers = std::max(
            registers,
            getRegistersPerThread(cast<RankedTensorType>(value.getType())));
  return registers;
}

/// The tile whose dimensions `collect` counts.
static RankedTensorType getFrame(Operation *op) {
  for (Value result : op->getResults())
    if (isTile(result))
      return cast<RankedTensorType>(result.getType());
  for (Value operand : op->getOperands())
    if (isTile(operand))
      return cast<RankedTensorType>(operand.getType());
  return {};
}

bool TileASRollTiles::isTooLarge(const RollComponent &component) const {
  return component.getLargestTile() > tileBudget ||
         component.getLiveRegisters(1) > 2 * tileBudget ||
         component.getNumOps(1) > maxOps;
}

bool TileASRollTiles::fits(const RollComponent &component,
                           int64_t slices) const {
  return component.getLiveRegisters(slices) <= liveBudget &&
         component.getNumOps(slices) <= maxOps;
}

std::optional<RollComponent> TileASRollTiles::findComponent(Operation *seed,
                                                            int64_t &slices,
                                                            RollFault &fault) {
  RankedTensorType frame = getFrame(seed);
  std::optional<RollComponent> best;
  // Order of preference: it fits, it needs no reduction, the number of slices.
  std::tuple<bool, bool, int64_t> bestRank;
  for (int64_t dim = 0; dim < frame.getRank(); ++dim) {
    if (frame.getDimSize(dim) < 2)
      continue;
    RollComponent component;
    RollFault here;
    bool found = component.collect(seed, dim, here);
    for (const RollComponent::Member &member : component.getMembers())
      seen.insert(member.op);
    if (found && !isTooLarge(component)) {
      TILEIR_LOG() << seed->getLoc() << ": fits as it is\n" << component;
      slices = 1;
      return component;
    }
    // The fewest that fit.
    int64_t count = 1;
    while (found && component.admits(2 * count) && !fits(component, count))
      count *= 2;
    if (found && count == 1) {
      found = false;
      here = {seed, "threads or warps have the high bits of the dimension"};
    }
    if (!found) {
      TILEIR_LOG() << seed->getLoc() << ": not along dimension " << dim << ": "
                   << here.op->getName() << ": " << here.reason;
      if (!fault.op)
        fault = here;
      continue;
    }
    bool isReduced = llvm::any_of(component.getMembers(),
                                  [&](const RollComponent::Member &member) {
                                    return component.isReduction(member.op);
                                  });
    std::tuple<bool, bool, int64_t> rank = {fits(component, count), !isReduced,
                                            count};
    TILEIR_LOG() << seed->getLoc() << ": along dimension " << dim << ", "
                 << count << " slices"
                 << (fits(component, count) ? "" : ", which are too large")
                 << (isReduced ? ", with a reduction" : "") << "\n"
                 << component;
    if (best && rank <= bestRank)
      continue;
    best = std::move(component);
    bestRank = rank;
    slices = count;
  }
  return best;
}

void TileASRollTiles::reportInvariant(Operation *seed, const RollFault &fault) {
  // Dots and their iter-args have their own rules; a reason that keeps several
  // tiles is reported once.
  if (isa<as::DotOp>(fault.op) ||
      (hasDot && isa<scf::ForOp, scf::YieldOp>(fault.op)) ||
      !reported.insert(fault.op).second)
    return;
  ++numKept;
  remark::missed(seed->getLoc(), remarkAbout(seed, "RollTiles", "tileas"))
      << remark::reason(
             "tiles of {0} registers of a thread stay whole: '{1}' cannot "
             "work on slices, {2}",
             getRegisters(seed), fault.op->getName().getStringRef(),
             fault.reason);
}

void TileASRollTiles::rollBlock(Block &block) {
  SmallVector<std::tuple<int64_t, size_t, Operation *>> seeds;
  for (Operation &op : block)
    if (int64_t registers = getRegisters(&op);
        registers > heuristics::smallTileRegisters && canRoll(&op))
      seeds.push_back({-registers, seeds.size(), &op});
  // The largest first; equal ones in program order.
  llvm::sort(seeds);
  seen.clear();
  reported.clear();
  for (auto [size, position, seed] : seeds) {
    if (seen.contains(seed))
      continue;
    RollFault fault;
    seen.insert(seed);
    int64_t slices = 1;
    std::optional<RollComponent> component = findComponent(seed, slices, fault);
    if (!component) {
      if (-size > tileBudget && fault.op)
        reportInvariant(seed, fault);
      continue;
    }
    if (slices == 1)
      continue;
    RollSchedule schedule;
    if (!schedule.build(*component, fault)) {
      reportInvariant(seed, fault);
      continue;
    }
    ++numRolled;
    remark::passed(seed->getLoc(), remarkAbout(seed, "RollTiles", "tileas"))
        << "tiles in slices" << remark::metric("Slices", slices)
        << remark::metric("Loops", int64_t(schedule.getNumPhases()))
        << remark::metric("WordsBefore", component->getLargestTile())
        << remark::metric("LiveWords", component->getLiveRegisters(slices))
        << remark::metric("Operations", component->getNumOps(slices));
    emitRolled(*component, schedule, slices);
  }
}

void TileASRollTiles::runOnOperation() {
  aa::FuncOp func = getOperation();
  if (func.isExternal())
    return;
  unsigned warps = getNumWarps(func);
  if (failed(verifyLayouts(func, warps)))
    return signalPassFailure();
  bool calls = false;
  hasDot = false;
  SmallVector<Block *> blocks;
  func->walk([&](Operation *op) {
    hasDot |= isa<as::DotOp>(op);
    calls |= isa<aa::CallOp>(op);
    if (isa<as::ReduceOp, as::ScanOp>(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
  });
  // A function that is called may have any effect.
  if (calls)
    return;
  // Slices reload the elements of whole tiles: occupancy hints do not count.
  int64_t registers =
      RegisterBudget({}, warps).getLeft(heuristics::registersBesideTiles);
  int64_t given = maxRegisters ? maxRegisters : maxWords;
  tileBudget = given
                   ? given
                   : std::min(hasDot ? heuristics::rolledTileRegistersBesideDots
                                     : heuristics::rolledTileRegisters,
                              registers);
  liveBudget = std::max<int64_t>(1, tileBudget / 2);
  TILEIR_LOG() << func.getName() << ": a thread may hold " << tileBudget
               << " registers of a tile, " << liveBudget << " of slices";
  for (Block *block : blocks)
    rollBlock(*block);
}

} // namespace tileir
