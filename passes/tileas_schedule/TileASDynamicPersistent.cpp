// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"
#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"
#include "passes/analysis/PersistentLoops.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tileas-dynamic-persistent"

namespace tileir {

#define GEN_PASS_DEF_TILEASDYNAMICPERSISTENT
#include "passes/tileas_schedule/TileASDynamicPersistent.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASDynamicPersistent final
    : impl::TileASDynamicPersistentBase<TileASDynamicPersistent> {
  using TileASDynamicPersistentBase::TileASDynamicPersistentBase;

  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether a loop of `func` already runs until no tile block is left to
/// cancel.
static bool isPersistent(aa::FuncOp func) {
  return func
      ->walk([](Operation *op) {
        return isPersistentLoop(op) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `value` is computed from an extent of the grid.
static bool isOfGrid(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > heuristics::maxGridExpression || op->getNumRegions())
    return false;
  return isa<as::GetNumProgramsOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isOfGrid(operand, depth + 1);
         });
}

/// Returns whether `func` is a statically persistent kernel: a loop steps by an
/// extent of the grid.
static bool isStaticallyPersistent(aa::FuncOp func) {
  return func
      ->walk([](scf::ForOp loop) {
        return isOfGrid(loop.getStep()) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns why `func` is not changed; empty if it becomes a loop.
static std::string findObstacle(aa::FuncOp func, const Target &target) {
  if (!target.has(Feature::ClusterLaunchControl)) {
    auto abi = func->getParentOp()->getAttrOfType<StringAttr>(launch::abiName);
    std::string sm = "sm_" + std::to_string(target.number());
    if (abi && abi.getValue() == "plain")
      return "dynamic persistent transformation is not there for "
             "launch-abi=plain on " +
             sm;
    return "dynamic persistent transformation needs host launch support on " +
           sm;
  }
  if (aa::KernelSpecAttr spec = func.getKernelSpecAttr();
      spec && spec.getNumCtas() > 1)
    return "dynamic persistent transformation is not there for tile blocks of "
           "several CTAs";
  if (isStaticallyPersistent(func))
    return "a loop over tile blocks by the extent of the grid stays as it is";
  if (!llvm::hasSingleElement(func.getBody()))
    return "dynamic persistent transformation needs a body of one block";
  return "";
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Bytes and 32-bit words of a response (PTX ISA,
/// "clusterlaunchcontrol.try_cancel").
static constexpr int64_t kAnswerBytes = 16;
static constexpr int64_t kResponseWords = 4;

namespace {

/// Wraps the body of a kernel into a loop over tile blocks.
class PersistentLoop {
public:
  explicit PersistentLoop(aa::FuncOp func)
      : func(func), builder(func.getContext()), loc(func.getLoc()) {}

  void build();

private:
  SmallVector<Operation *> getBody();
  void createAnswer();
  void createLoop();
  void emitQuestion();
  void emitAnswer();

  aa::FuncOp func;
  OpBuilder builder;
  Location loc;
  /// The buffer of the response, and the mbarrier that signals its arrival.
  Value answer, object;
  Value zero, one;
  scf::WhileOp loop;
};

} // namespace

void PersistentLoop::createAnswer() {
  MLIRContext *context = func.getContext();
  Layout layout = Layout::linearSmem({kResponseWords}, {0});
  auto type = as::BufferType::get(context, /*stages=*/0, {kResponseWords},
                                  builder.getI32Type(),
                                  as::getLayoutAttr(context, layout));
  answer = as::AllocTensorOp::create(builder, loc, type, IntegerAttr(),
                                     IntegerAttr());
  Value objects = as::MbarrierAllocOp::create(
      builder, loc, as::MbarrierType::get(context, /*stages=*/1),
      IntegerAttr());
  as::MbarrierInitOp::create(builder, loc, objects, /*count=*/1,
                             /*again=*/false);
  for (as::FenceKind kind :
       {as::FenceKind::MbarrierInit, as::FenceKind::ProxyAsyncShared})
    as::FenceOp::create(builder, loc, kind, aa::MemScopeAttr());
  as::BarrierOp::create(builder, loc, as::BarrierScope::CTA, IntegerAttr());
  auto makeConstant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  zero = makeConstant(0);
  one = makeConstant(1);
  object = as::MbarrierSlotOp::create(
      builder, loc, as::MbarrierType::get(context, /*stages=*/0), objects,
      zero);
}

/// Creates the loop. Its iter-args are the tile block and the mbarrier parity
/// of the next response.
void PersistentLoop::createLoop() {
  Value first = as::InitialProgramIdOp::create(
      builder, loc, aa::ProgramIdType::get(func.getContext()));
  SmallVector<Type> types = {first.getType(), zero.getType()};
  SmallVector<Location> locs(types.size(), loc);
  loop = scf::WhileOp::create(builder, loc, types, ValueRange{first, zero});
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locs);
  Value isValid = as::IsValidProgramIdOp::create(
      builder, loc, builder.getI1Type(), before->getArgument(0));
  scf::ConditionOp::create(builder, loc, isValid, before->getArguments());
  builder.createBlock(&loop.getAfter(), {}, types, locs);
}

void PersistentLoop::emitQuestion() {
  as::MbarrierArriveExpectTxOp::create(builder, loc, object, kAnswerBytes,
                                       /*condition=*/Value());
  as::ClcTryCancelOp::create(builder, loc, answer, object);
}

/// Every thread reads the response before the next request overwrites it.
void PersistentLoop::emitAnswer() {
  Value parity = loop.getAfterArguments()[1];
  as::MbarrierWaitOp::create(builder, loc, object, parity,
                             /*condition=*/Value(), /*products=*/false,
                             /*issuer=*/false);
  Value next = as::ClcQueryOp::create(
      builder, loc, aa::ProgramIdType::get(func.getContext()), answer);
  as::FenceOp::create(builder, loc, as::FenceKind::ProxyAsyncShared,
                      aa::MemScopeAttr());
  as::BarrierOp::create(builder, loc, as::BarrierScope::CTA, IntegerAttr());
  Value nextParity = arith::XOrIOp::create(builder, loc, parity, one);
  scf::YieldOp::create(builder, loc, ValueRange{next, nextParity});
}

/// Returns whether `op`, in the entry block, computes the same for all tile
/// blocks and occupies no tile registers: numbers, addresses, memrefs and
/// views. Tensor maps need these at the entry.
static bool isForAllBlocks(Operation *op) {
  auto isHeld = [](Type type) {
    return isa<RankedTensorType, aa::MemTokenType, as::BufferType>(type);
  };
  return isPure(op) && !op->getNumRegions() &&
         !isa<as::GetProgramIdOp, as::InitialProgramIdOp>(op) &&
         llvm::none_of(op->getResultTypes(), isHeld);
}

/// Returns the operations that depend on the tile block, in program order.
SmallVector<Operation *> PersistentLoop::getBody() {
  llvm::SmallSetVector<Operation *, 32> body;
  for (Operation &op : func.getBody().front().without_terminator()) {
    bool needsBody = llvm::any_of(op.getOperands(), [&](Value operand) {
      return body.contains(operand.getDefiningOp());
    });
    if (needsBody || !isForAllBlocks(&op))
      body.insert(&op);
  }
  return body.takeVector();
}

void PersistentLoop::build() {
  Block &entry = func.getBody().front();
  SmallVector<Operation *> body = getBody();
  builder.setInsertionPoint(entry.getTerminator());
  createAnswer();
  createLoop();
  Block *after = loop.getAfterBody();
  builder.setInsertionPointToEnd(after);
  emitQuestion();
  for (Operation *op : body)
    op->moveBefore(after, after->end());
  builder.setInsertionPointToEnd(after);
  emitAnswer();
  Value block = loop.getAfterArguments()[0];
  after->walk([&](as::GetProgramIdOp id) {
    if (!id.getOf())
      id.getOfMutable().assign(block);
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void TileASDynamicPersistent::runOnOperation() {
  aa::FuncOp func = getOperation();
  std::optional<Target> target = getTarget(func);
  if (func.isExternal() || !func.getKernel() || !target ||
      !func->getParentOp()->hasAttr(aa::kDynamicPersistentAttr))
    return markAllAnalysesPreserved();
  if (isPersistent(func)) {
    func.emitWarning("Kernel is already dynamic persistent");
    return markAllAnalysesPreserved();
  }
  auto options = remarkAbout(func, "DynamicPersistent", "tileas_schedule");
  std::string reason = findObstacle(func, *target);
  TILEIR_LOG() << func.getName() << ": "
               << (reason.empty() ? "takes over tile blocks" : reason);
  if (!reason.empty()) {
    remark::missed(func.getLoc(), options) << StringRef(reason);
    return markAllAnalysesPreserved();
  }
  PersistentLoop(func).build();
  remark::passed(func.getLoc(), options)
      << StringRef("a CTA takes over tile blocks that were not launched yet");
  ++numKernels;
}

} // namespace tileir
