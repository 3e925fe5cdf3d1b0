// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Pipelines.h"
#include "passes/analysis/RegisterDemand.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/ResidentCtas.h"
#include "passes/warp_specialize/AgentRegisters.h"
#include "passes/warp_specialize/ProducerProgram.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"
#include "dialects/support/RuntimeGates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-specialize-agents"

namespace tileir {

#define GEN_PASS_DEF_TILEASSPECIALIZEAGENTS
#include "passes/warp_specialize/TileASSpecializeAgents.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASSpecializeAgents final
    : impl::TileASSpecializeAgentsBase<TileASSpecializeAgents> {
  using TileASSpecializeAgentsBase::TileASSpecializeAgentsBase;

  void runOnOperation() override;
};

/// Makes agents of one kernel.
class Specializer {
public:
  explicit Specializer(nv_tileaa::FuncOp func) : func(func), copies(func) {}

  /// Returns why the kernel stays one stream of instructions; empty where it
  /// need not.
  std::string findObstacle();
  void run();
  bool hasRings() const { return !rings.empty(); }
  size_t getNumRings() const { return rings.size(); }

private:
  std::string checkRing(as::PipelineCreateOp ring);
  bool isBehindRings(Operation *op);
  int64_t getSharedBytes(bool isCopiedFromStart);
  std::string findRegisters(const Target &target, int64_t sharedBytes);
  void createProducer(OpBuilder &builder, Value warp);
  scf::IfOp createAgent(OpBuilder &builder, Value warp, unsigned warpId,
                        unsigned warps);
  void eraseSteps();
  void stopIterators(Region &region);

  nv_tileaa::FuncOp func;
  ProducerProgram copies;
  AgentRegisters registers;
  SmallVector<as::PipelineCreateOp> rings;
  /// Operations that fill slots, in the order of the function.
  SmallVector<Operation *> steps;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether `op` is one of the steps by which slots are filled.
static bool isStep(Operation *op) {
  return isa<as::PipelineAcquireOp, as::PipelineCommitOp, as::AsyncTmaLoadOp>(
      op);
}

std::string Specializer::checkRing(as::PipelineCreateOp ring) {
  if (ring->getBlock() != &func.getBody().front())
    return "a ring belongs to a part of the kernel";
  if (ring.getProducer() == as::PipelineProducer::Umma)
    return "products in tensor memory have warps of their own";
  if (ring.getProducer() != as::PipelineProducer::Tma ||
      ring.getSync() != as::PipelineSync::Mbarrier)
    return "threads copy into a ring";
  if (ring.getEmpty() != as::PipelineEmpty::Barrier)
    return "the copies have a warp of their own";
  for (Operation *user : ring->getUsers()) {
    auto release = dyn_cast<as::PipelineReleaseOp>(user);
    // Whoever runs ahead by all slots but one has waited for these products.
    if (release && (release.getPending() > 1 || release.getCondition()))
      return "products of several iterations read a ring";
  }
  return "";
}

/// Returns whether nothing fills or reads rings any more where `op` runs: it is
/// behind the ends of all, in the block of the function.
bool Specializer::isBehindRings(Operation *op) {
  Block *body = &func.getBody().front();
  Operation *at = body->findAncestorOpInBlock(*op);
  return llvm::all_of(rings, [&](as::PipelineCreateOp ring) {
    return llvm::all_of(ring.getBuffers(), [&](Value buffer) {
      return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
        return isa<as::DeallocOp>(user) && user->getBlock() == body &&
               user->isBeforeInBlock(at);
      });
    });
  });
}

/// Bytes of shared memory that rings take and what lives beside them: with a
/// warp that copies from the start on, all in front of their ends, otherwise
/// what the loops that read them use.
int64_t Specializer::getSharedBytes(bool isCopiedFromStart) {
  int64_t bytes = 0, scratch = 0;
  func->walk([&](Operation *op) {
    auto alloc = dyn_cast<as::AllocTensorOp>(op);
    auto type =
        alloc ? dyn_cast<as::BufferType>(alloc.getType()) : as::BufferType();
    auto user = dyn_cast<as::ScratchOpInterface>(op);
    if (type && type.getSpace() == LayoutSpace::Smem && !isBehindRings(op))
      bytes += llvm::alignTo(type.getTotalBytes(), type.getAlignment());
    if (user && (isCopiedFromStart ? !isBehindRings(op)
                                   : op->getParentOfType<scf::ForOp>()))
      scratch = std::max<int64_t>(scratch, user.getScratchBytes());
    // Two objects for each slot.
    if (auto ring = dyn_cast<as::PipelineCreateOp>(op))
      bytes +=
          2 * as::MbarrierType::getObjectBytes() * ring.getType().getDepth();
  });
  return bytes + llvm::alignTo(scratch, 128);
}

/// Registers of a thread for the factors of one instruction of each of the
/// products that warps make, at most.
static int64_t getFragmentRegisters(nv_tileaa::FuncOp func) {
  int64_t most = 0;
  func->walk([&](as::DotOp dot) {
    as::MmaAtomAttr atom = dot.getAtom();
    if (atom.getKind() != as::MmaKind::MmaSync)
      return;
    const Layout &acc = as::getTileLayout(dot.getC().getType()).getLayout();
    int64_t bits = 0;
    for (bool isA : {true, false})
      if (std::optional<Layout> layout =
              as::getDotOperandLayout(atom, acc, atom.getK(), isA))
        bits += layout->getNumRegisters() *
                getRegisterBits(isA ? atom.getAType() : atom.getBType());
    most = std::max(most, bits / 32);
  });
  return most;
}

/// Shares out registers of a CTA with so many `sharedBytes`. Returns why there
/// are too few.
std::string Specializer::findRegisters(const Target &target,
                                       int64_t sharedBytes) {
  // An equal share has to be this much more than is needed.
  constexpr int64_t kSpare = 24;
  unsigned warps = getNumWarps(func);
  int64_t needed = std::min(
      RegisterDemand::estimateRegisters(getRegisterDemand(func).peak, warps) +
          getFragmentRegisters(func),
      getMostRegisters(warps));
  registers = shareRegisters(target, warps, needed + kSpare);
  // A hint gives the other registers to other CTAs.
  unsigned launched = warps + registers.copyingWarps;
  std::optional<int64_t> cap =
      getRegisterCap(func, int64_t(launched) * limits::threadsPerWarp);
  if (cap && *cap < (registers.computing ? getMostRegisters(launched)
                                         : needed + kSpare))
    return "a hint leaves too few registers for another warp";
  auto getCtas = [&](unsigned warps, int64_t bytes) {
    return getResidentCtas(target, int64_t(warps) * limits::threadsPerWarp,
                           needed, bytes);
  };
  int64_t ctas = getCtas(warps, getSharedBytes(/*isCopiedFromStart=*/false));
  TILEIR_LOG() << func.getName() << ": " << needed << " registers needed, "
               << registers.most << " left, " << ctas << " CTAs on an SM";
  if (needed > registers.most)
    return "another warp would leave too few registers";
  if (!registers.computing && getCtas(warps + 1, sharedBytes) < ctas)
    return "another warp would leave room for fewer CTAs on an SM";
  return "";
}

std::string Specializer::findObstacle() {
  bool hasAgents = false;
  func->walk([&](Operation *op) {
    hasAgents |= isAgent(op);
    if (auto ring = dyn_cast<as::PipelineCreateOp>(op))
      rings.push_back(ring);
    if (isStep(op))
      steps.push_back(op);
  });
  // A ring of one slot is filled once.
  if (llvm::none_of(rings, [](as::PipelineCreateOp ring) {
        return ring.getType().getDepth() > 1;
      }))
    return "no loop reads what tensor copies bring";
  if (hasAgents || !llvm::hasSingleElement(func.getBody()))
    return "the kernel has several parts already";
  constexpr unsigned kMostWarps =
      limits::threadsPerBlock / limits::threadsPerWarp;
  if (getNumWarps(func) + 1 > kMostWarps)
    return "a CTA has no room for another warp";
  for (as::PipelineCreateOp ring : rings)
    if (std::string reason = checkRing(ring); !reason.empty())
      return reason;
  for (Operation *step : steps) {
    // Who reads a slot has waited for it; then what comes behind a copy by its
    // token does, too.
    auto load = dyn_cast<as::AsyncTmaLoadOp>(step);
    if (load && !load.getToken() && !load.getResultToken().use_empty())
      return "something waits for the token of a copy";
    if (isa<as::PipelineAcquireOp>(step) &&
        !llvm::all_of(step->getUsers(), isStep))
      return "threads fill a slot beside the copies";
  }
  std::optional<Target> target = getTarget(func);
  int64_t sharedBytes = getSharedBytes(/*isCopiedFromStart=*/true);
  if (!target || sharedBytes > gates::sharedMemoryCap(*target))
    return "its rings leave no room in shared memory for what lives beside "
           "them";
  if (std::string reason = findRegisters(*target, sharedBytes); !reason.empty())
    return reason;
  return copies.collect(steps);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

scf::IfOp Specializer::createAgent(OpBuilder &builder, Value warp,
                                   unsigned warpId, unsigned warps) {
  Location loc = func.getLoc();
  auto agent = scf::IfOp::create(builder, loc,
                                 isInAgent(builder, loc, warp, warpId, warps),
                                 /*withElseRegion=*/false);
  setAgent(agent, warpId, warps);
  return agent;
}

/// Returns whether threads take turns in the slots of a buffer that is no ring
/// of copies, in the body of a loop.
static bool hasOwnSlots(Block *body) {
  return llvm::any_of(body->getOps<as::ViewOp>(),
                      [](as::ViewOp view) { return view.getRing(); });
}

/// Lets the warps of `body` meet where they would in front of copies: that they
/// are done with slots of their own was known by that.
static void keepMeeting(Block *body) {
  auto acquires = body->getOps<as::PipelineAcquireOp>();
  if (acquires.empty() || !hasOwnSlots(body))
    return;
  OpBuilder builder(*acquires.begin());
  as::BarrierOp::create(builder, (*acquires.begin()).getLoc(),
                        as::BarrierScope::Agent, IntegerAttr());
}

/// Erases what the other agent does.
void Specializer::eraseSteps() {
  llvm::SmallSetVector<Block *, 4> bodies;
  for (Operation *step : steps)
    if (isa<scf::ForOp>(step->getParentOp()))
      bodies.insert(step->getBlock());
  llvm::for_each(bodies, keepMeeting);
  for (Operation *step : llvm::reverse(steps)) {
    if (auto load = dyn_cast<as::AsyncTmaLoadOp>(step))
      load.getResultToken().replaceAllUsesWith(load.getToken());
    step->erase();
  }
}

/// The places that `iterator` goes on from.
static void addSources(Value iterator, SmallVectorImpl<Value> &sources) {
  if (auto arg = dyn_cast<BlockArgument>(iterator)) {
    if (auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()))
      sources.append({loop.getTiedLoopInit(arg)->get(),
                      loop.getTiedLoopYieldedValue(arg)->get()});
    return;
  }
  auto result = cast<OpResult>(iterator);
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    sources.push_back(loop.getRegionIterArg(number));
  else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    sources.append({branch.thenYield().getOperand(number),
                    branch.elseYield().getOperand(number)});
  else
    llvm::copy_if(result.getOwner()->getOperands(), std::back_inserter(sources),
                  [](Value operand) {
                    return isa<as::PipelineIteratorType>(operand.getType());
                  });
}

/// Lets iterators of loops in `region` that only steps moved stand still.
void Specializer::stopIterators(Region &region) {
  llvm::SmallSetVector<Value, 16> used;
  region.walk([&](Operation *op) {
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op))
      used.insert(wait.getIterator());
    if (auto release = dyn_cast<as::PipelineReleaseOp>(op))
      used.insert(release.getIterator());
  });
  for (size_t i = 0; i < used.size(); ++i) {
    SmallVector<Value> sources;
    addSources(used[i], sources);
    used.insert(sources.begin(), sources.end());
  }
  region.walk([&](scf::ForOp loop) {
    for (BlockArgument arg : loop.getRegionIterArgs()) {
      if (!isa<as::PipelineIteratorType>(arg.getType()) || used.contains(arg))
        continue;
      loop.getTiedLoopYieldedValue(arg)->set(arg);
      loop.getTiedLoopResult(arg).replaceAllUsesWith(
          loop.getTiedLoopInit(arg)->get());
    }
  });
}

/// Erases what computed where to copy from and to, for nobody now.
static void eraseUnused(Region &region) {
  SmallVector<Operation *> ops;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Moves numbers that are computed in front of loops of `block` and needed
/// behind them alone to where they are needed: until then they take no register
/// of threads that have none to spare.
static void sinkNumbers(Block *block) {
  SmallVector<Operation *> front;
  Operation *loop = nullptr;
  for (Operation &op : llvm::reverse(*block)) {
    if (loop)
      front.push_back(&op);
    else if (isa<scf::ForOp>(op))
      loop = &op;
  }
  for (Operation *op : front) {
    if (op->getNumRegions() || op->use_empty() || !isPure(op) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *at = block->findAncestorOpInBlock(*user);
      if (!first || at->isBeforeInBlock(first))
        first = at;
    }
    if (loop->isBeforeInBlock(first))
      op->moveBefore(first);
  }
}

/// The warp behind those that compute, which copies. Registers belong to groups
/// of four warps: three idle ones give up theirs with it.
void Specializer::createProducer(OpBuilder &builder, Value warp) {
  unsigned first = getNumWarps(func);
  OpBuilder::InsertionGuard guard(builder);
  scf::IfOp group;
  if (registers.copying) {
    group = createAgent(builder, warp, first, registers.copyingWarps);
    builder.setInsertionPointToStart(group.thenBlock());
    NVVM::SetMaxRegisterOp::create(builder, func.getLoc(), registers.copying,
                                   NVVM::SetMaxRegisterAction::decrease);
  }
  scf::IfOp producer = createAgent(builder, warp, first, 1);
  // The number of a warp counts from the first one of the agent around.
  if (group)
    setAgent(producer, 0, 1);
  builder.setInsertionPointToStart(producer.thenBlock());
  copies.clone(builder);
}

void Specializer::run() {
  Block &body = func.getBody().front();
  unsigned warps = getNumWarps(func);
  SmallVector<Operation *> rest;
  for (Operation &op : body.without_terminator())
    if (!copies.isShared(&op))
      rest.push_back(&op);
  OpBuilder builder(body.getTerminator());
  Value warp =
      gpu::SubgroupIdOp::create(builder, func.getLoc(), builder.getIndexType(),
                                /*upper_bound=*/IntegerAttr());
  createProducer(builder, warp);
  scf::IfOp consumer = createAgent(builder, warp, 0, warps);
  if (registers.computing) {
    auto atStart = OpBuilder::atBlockBegin(consumer.thenBlock());
    NVVM::SetMaxRegisterOp::create(atStart, func.getLoc(), registers.computing,
                                   NVVM::SetMaxRegisterAction::increase);
  }
  for (Operation *op : rest)
    op->moveBefore(consumer.thenBlock()->getTerminator());
  eraseSteps();
  stopIterators(consumer.getThenRegion());
  eraseUnused(consumer.getThenRegion());
  sinkNumbers(consumer.thenBlock());
  consumer->walk([](as::BarrierOp barrier) {
    if (barrier.getScope() == as::BarrierScope::CTA)
      barrier.setScope(as::BarrierScope::Agent);
  });
  for (as::PipelineCreateOp ring : rings)
    ring.setEmpty(as::PipelineEmpty::Mbarrier);
}

void TileASSpecializeAgents::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  if (func.isExternal() || !func.getKernel())
    return markAllAnalysesPreserved();
  Specializer specializer(func);
  std::string reason = specializer.findObstacle();
  auto options = remarkAbout(func, "SpecializeAgents", "tileas");
  TILEIR_LOG() << func.getName() << ": "
               << (reason.empty() ? "copies have a warp of their own" : reason);
  if (!reason.empty()) {
    if (specializer.hasRings())
      remark::missed(func.getLoc(), options)
          << StringRef("Failed to give copies a warp of their own")
          << remark::metric("Reason", StringRef(reason));
    return markAllAnalysesPreserved();
  }
  // Agents may do side by side what runs ahead in one stream.
  if (failed(verifyPipelines(func)))
    return signalPassFailure();
  remark::passed(func.getLoc(), options)
      << StringRef("copies have a warp of their own")
      << remark::metric("Warps", int64_t(getNumWarps(func)))
      << remark::metric("Rings", int64_t(specializer.getNumRings()));
  specializer.run();
  ++numKernels;
}

} // namespace tileir
