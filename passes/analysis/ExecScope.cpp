// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileir {

static constexpr llvm::StringLiteral kWarpId = "warp_id";
static constexpr llvm::StringLiteral kNumWarps = "num_warps";
static constexpr llvm::StringLiteral kBarrierId = "barrier_id";
static constexpr llvm::StringLiteral kMaxRegs = "max_regs";

bool isAgent(Operation *op) {
  return bool(op->getAttrOfType<DictionaryAttr>(kAgentAttr));
}

/// The number `name` of `agent`; 0 where it is absent.
static unsigned getNumber(DictionaryAttr agent, StringRef name) {
  auto value = agent.getAs<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}

/// The agent of `region`; null for any other region.
static DictionaryAttr getAgent(Region *region) {
  Operation *op = region->getParentOp();
  return region->getRegionNumber() == 0
             ? op->getAttrOfType<DictionaryAttr>(kAgentAttr)
             : DictionaryAttr();
}

/// Warps of the enclosing function of `region`, at any nesting level.
static unsigned getFunctionWarps(Operation *function) {
  if (auto func = dyn_cast<nv_tileaa::FuncOp>(function))
    return getNumWarps(func);
  auto warps = function->getAttrOfType<IntegerAttr>(nv_tileaa::kNumWarpsAttr);
  return warps ? warps.getInt() : ExecScope().warps;
}

bool ExecScope::isCta() const { return !getAgent(region); }

int64_t ExecScope::getThreads() const {
  return int64_t(warps) * limits::threadsPerWarp;
}

ExecScope getExecScope(Region *region) {
  ExecScope scope;
  for (Region *at = region; at; at = at->getParentRegion()) {
    Operation *parent = at->getParentOp();
    if (DictionaryAttr agent = getAgent(at)) {
      scope.firstWarp += getNumber(agent, kWarpId);
      if (!scope.region) {
        scope.region = at;
        scope.warps = getNumber(agent, kNumWarps);
        scope.barrierId = getNumber(agent, kBarrierId);
      }
    } else if (isa<FunctionOpInterface>(parent)) {
      if (!scope.region) {
        scope.region = at;
        scope.warps = getFunctionWarps(parent);
      }
      break;
    }
  }
  assert(scope.region &&
         "no thread executes an operation outside of functions");
  return scope;
}

ExecScope getExecScope(Operation *op) {
  return getExecScope(isa<FunctionOpInterface>(op) ? &op->getRegion(0)
                                                   : op->getParentRegion());
}

unsigned getLaunchedWarps(nv_tileaa::FuncOp func) {
  unsigned warps = getNumWarps(func);
  func->walk([&](scf::IfOp branch) {
    if (!isAgent(branch))
      return;
    ExecScope scope = getExecScope(&branch.getThenRegion());
    warps = std::max(warps, scope.firstWarp + scope.warps);
  });
  return warps;
}

/// Sets the number `name` of the agent, or erases it.
static void setNumber(scf::IfOp branch, StringRef name,
                      std::optional<int64_t> number) {
  NamedAttrList agent(branch->getAttrOfType<DictionaryAttr>(kAgentAttr));
  if (number)
    agent.set(name, Builder(branch.getContext()).getI32IntegerAttr(*number));
  else
    agent.erase(name);
  branch->setDiscardableAttr(kAgentAttr,
                             agent.getDictionary(branch.getContext()));
}

void setAgent(scf::IfOp branch, std::optional<unsigned> warpId,
              unsigned warps) {
  branch->setDiscardableAttr(kAgentAttr,
                             DictionaryAttr::get(branch.getContext()));
  setNumber(branch, kWarpId, warpId);
  setNumber(branch, kNumWarps, warps);
}

bool hasWarpId(scf::IfOp agent) {
  return getAgent(&agent.getThenRegion()).contains(kWarpId);
}

void setWarpId(scf::IfOp agent, unsigned warpId) {
  setNumber(agent, kWarpId, warpId);
}

bool holdsTiles(scf::IfOp agent) {
  return agent.getThenRegion()
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), nv_tileas::isTile)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<int64_t> getAgentRegisters(scf::IfOp agent) {
  auto count = getAgent(&agent.getThenRegion()).getAs<IntegerAttr>(kMaxRegs);
  return count ? std::optional<int64_t>(count.getInt()) : std::nullopt;
}

void setAgentRegisters(scf::IfOp agent, std::optional<int64_t> count) {
  setNumber(agent, kMaxRegs, count);
}

SmallVector<scf::IfOp> getAgents(nv_tileaa::FuncOp func) {
  SmallVector<scf::IfOp> agents;
  func->walk<WalkOrder::PreOrder>([&](scf::IfOp branch) {
    if (!isAgent(branch))
      return WalkResult::advance();
    agents.push_back(branch);
    return WalkResult::skip();
  });
  return agents;
}

void setAgentBarrier(scf::IfOp branch, unsigned barrierId) {
  setNumber(branch, kBarrierId, barrierId);
}

Value isInAgent(OpBuilder &builder, Location loc, Value warp, unsigned warpId,
                unsigned warps) {
  Value first = arith::ConstantIndexOp::create(builder, loc, warpId);
  if (warps == 1)
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, warp,
                                 first);
  // The unsigned comparison also excludes smaller numbers, which wrap around.
  Value inside = arith::SubIOp::create(builder, loc, warp, first),
        count = arith::ConstantIndexOp::create(builder, loc, warps);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, inside,
                               count);
}

} // namespace tileir
