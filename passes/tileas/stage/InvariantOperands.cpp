// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/stage/InvariantOperands.h"

#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/stage/StagedLoads.h"
#include "passes/tileas/stage/TensorCopies.h"

#include "dialects/nv_tileas/MmaOperands.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Dimension of K of A.
static constexpr unsigned kDimOfK = 1;

namespace {

/// An operand that TMA copies.
struct CopiedOperand {
  as::TiledLoadOp load;
  TensorCopy copy;
  /// Operations that give its elements other places, from the load on.
  SmallVector<Operation *> renames;
};

} // namespace

/// The type of the slot that holds A of `copied`.
static as::BufferType getOperandType(const CopiedOperand &copied) {
  as::BufferType type = copied.copy.slot;
  for (Operation *op : copied.renames)
    type = getRenamedSlot(type, op);
  return type;
}

/// Returns whether every wait for `load` is in or after `loop`.
static bool isWaitedForAfter(as::TiledLoadOp load, scf::ForOp loop) {
  Value token = load.getResultToken();
  return !token || llvm::all_of(token.getUsers(), [&](Operation *user) {
    Operation *at = loop->getBlock()->findAncestorOpInBlock(*user);
    return at == loop.getOperation() || (at && loop->isBeforeInBlock(at));
  });
}

/// Finds how TMA can copy A of `dot`.
static std::optional<CopiedOperand> findCopy(as::DotOp dot, scf::ForOp loop,
                                             const Target &target) {
  CopiedOperand copied;
  Operation *op = dot.getA().getDefiningOp();
  for (; op && isa<as::ConvertLayoutOp, as::ViewOp>(op) && isRename(op) &&
         op->hasOneUse();
       op = op->getOperand(0).getDefiningOp())
    if (isa<as::ViewOp>(op))
      copied.renames.insert(copied.renames.begin(), op);
  copied.load = dyn_cast_or_null<as::TiledLoadOp>(op);
  auto func = dot->getParentOfType<aa::FuncOp>();
  Block *body = &func.getBody().front();
  if (!copied.load || !copied.load.getValue().hasOneUse() ||
      copied.load->getBlock() != body || loop->getBlock() != body ||
      !checkCopiedAccess(copied.load).empty() ||
      !isWaitedForAfter(copied.load, loop))
    return std::nullopt;
  std::string reason;
  std::optional<TensorCopy> copy = findTensorCopy(
      copied.load, getElementTypeOrSelf(dot.getA().getType()),
      getOperandSwizzles(/*hasWideChunks=*/false), target, reason);
  if (!copy)
    return std::nullopt;
  copied.copy = *copy;
  if (!as::getOperandProblem(getOperandType(copied), kDimOfK,
                             as::kWarpgroupTransposedBits)
           .empty())
    return std::nullopt;
  return copied;
}

/// Copies the operand through a pipeline of one slot, which `loop` reads.
static Value createCopy(const CopiedOperand &copied, scf::ForOp loop) {
  as::TiledLoadOp load = copied.load;
  Location loc = load.getLoc();
  OpBuilder builder(load);
  as::BufferType slot = copied.copy.slot;
  CopyPipeline made =
      createCopyPipeline(load, copied.copy, as::PipelineConsumer::Wgmma);
  Value pipeline = made.pipeline, consumer = made.consumer,
        buffer = made.buffer;
  builder.setInsertionPoint(loop);
  auto wait =
      as::PipelineWaitOp::create(builder, loc, {slot}, pipeline, consumer,
                                 /*consumer=*/0, /*pending=*/0);
  Value operand = wait.getSlots().front();
  as::BufferType renamed = getOperandType(copied);
  if (renamed != slot)
    operand =
        as::ViewOp::create(builder, loc, renamed, operand, /*stage=*/Value());
  builder.setInsertionPointAfter(loop);
  as::PipelineReleaseOp::create(builder, loc, pipeline, consumer, Value(),
                                /*consumer=*/0);
  as::DeallocOp::create(builder, loc, buffer);
  return operand;
}

/// Lets threads store the operand.
static Value createStore(as::DotOp dot, scf::ForOp loop) {
  Location loc = dot.getLoc();
  OpBuilder builder(loop);
  Value tile = dot.getA();
  Value buffer = as::AllocTensorOp::create(
      builder, loc,
      getStagingType(cast<RankedTensorType>(tile.getType()), kDimOfK),
      IntegerAttr(), IntegerAttr());
  if (auto convert = tile.getDefiningOp<as::ConvertLayoutOp>())
    tile = convert.getSource();
  as::CopyOp::create(builder, loc, Type(), tile, buffer, as::CopyAtomAttr());
  as::FenceOp::create(builder, loc, as::FenceKind::ProxyAsyncShared,
                      aa::MemScopeAttr());
  as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
  builder.setInsertionPointAfter(loop);
  as::DeallocOp::create(builder, loc, buffer);
  return buffer;
}

Value stageInvariantOperand(as::DotOp dot, scf::ForOp loop,
                            const Target &target) {
  std::optional<CopiedOperand> copied = findCopy(dot, loop, target);
  return copied ? createCopy(*copied, loop) : createStore(dot, loop);
}

} // namespace tileir
