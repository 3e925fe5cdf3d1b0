// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Pipelines.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

/// Changes the type of `value` and of every iterator derived from it.
static void setIteratorDepth(Value value, as::PipelineIteratorType type) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next.getType() == type)
      continue;
    next.setType(type);
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (isa<as::PipelineAdvanceOp, as::PipelineIteratorOp>(user)) {
        worklist.push_back(user->getResult(0));
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        worklist.push_back(loop.getTiedLoopRegionIterArg(&use));
        worklist.push_back(loop.getTiedLoopResult(&use));
      } else if (isa<scf::YieldOp>(user)) {
        worklist.push_back(
            user->getParentOp()->getResult(use.getOperandNumber()));
      }
    }
  }
}

void setDepth(as::PipelineCreateOp create, int64_t depth) {
  MLIRContext *context = create.getContext();
  for (Value buffer : create.getBuffers()) {
    auto type = cast<as::BufferType>(buffer.getType());
    buffer.setType(as::BufferType::get(context, depth, type.getShape(),
                                       type.getElementType(),
                                       type.getLayout()));
  }
  create.getResult().setType(
      as::PipelineType::get(context, depth, create.getType().getPayloads()));
  auto iterator = as::PipelineIteratorType::get(context, depth);
  for (Operation *user : create.getResult().getUsers())
    if (auto start = dyn_cast<as::PipelineIteratorOp>(user))
      setIteratorDepth(start.getResult(), iterator);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static as::PipelineCreateOp getCreate(Value pipeline) {
  return pipeline.getDefiningOp<as::PipelineCreateOp>();
}

bool isReleaseOfCopies(Operation *op) {
  auto release = dyn_cast<as::PipelineReleaseOp>(op);
  if (!release)
    return false;
  as::PipelineCreateOp create = getCreate(release.getPipeline());
  return !create || create.getProducer() != as::PipelineProducer::Umma;
}

RunAheadPlace getRunAheadPlace(scf::ForOp loop) {
  RunAheadPlace place;
  bool isByMbarrier = true, isReleased = true;
  for (Operation &op : *loop.getBody()) {
    if (auto release = dyn_cast<as::PipelineReleaseOp>(op))
      place.busy = std::max<int64_t>(place.busy, release.getPending());
    auto acquire = dyn_cast<as::PipelineAcquireOp>(op);
    as::PipelineCreateOp create;
    if (acquire)
      create = getCreate(acquire.getPipeline());
    if (!create || create.getProducer() == as::PipelineProducer::Umma)
      continue;
    isByMbarrier &= create.getSync() == as::PipelineSync::Mbarrier;
    isReleased &= create.getEmpty() == as::PipelineEmpty::Mbarrier;
  }
  // Copies that one thread issues can wait until an MMA releases their slot. So
  // can all copies into slots that MMA commits release: the MMA is issued
  // before the copy.
  place.isLate = (place.busy && isByMbarrier) || isReleased;
  return place;
}

//===----------------------------------------------------------------------===//
// Operations that must run ahead
//===----------------------------------------------------------------------===//

namespace {

/// Collects a backward slice from its roots.
class SliceBuilder {
public:
  SliceBuilder(scf::ForOp loop, ArrayRef<Operation *> roots)
      : loop(loop), roots(roots.begin(), roots.end()) {}

  bool build(std::string &reason) {
    for (Operation *root : roots)
      visitOperands(root);
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (!visit(value, reason))
        return false;
    }
    return true;
  }

  ProducerSlice take() {
    ProducerSlice slice;
    for (Operation &op : loop.getBody()->without_terminator())
      if (members.contains(&op) || roots.contains(&op))
        slice.ops.push_back(&op);
    slice.carried = std::move(carried);
    return slice;
  }

private:
  void visitOperands(Operation *op) {
    llvm::append_range(worklist, op->getOperands());
  }

  bool visit(Value value, std::string &reason) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (arg.getOwner() != loop.getBody() || arg == loop.getInductionVar() ||
          !carried.insert(arg))
        return true;
      worklist.push_back(loop.getTiedLoopYieldedValue(arg)->get());
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != loop.getBody() || roots.contains(op) ||
        !members.insert(op).second)
      return true;
    if (op->getNumRegions() || !isPure(op)) {
      reason = "its address depends on '" + op->getName().getStringRef().str() +
               "' in the loop";
      return false;
    }
    visitOperands(op);
    return true;
  }

  scf::ForOp loop;
  llvm::SmallPtrSet<Operation *, 8> roots;
  llvm::SmallPtrSet<Operation *, 16> members;
  llvm::SmallSetVector<BlockArgument, 4> carried;
  SmallVector<Value> worklist;
};

} // namespace

std::optional<ProducerSlice> getProducerSlice(scf::ForOp loop,
                                              ArrayRef<Operation *> roots,
                                              std::string &reason) {
  SliceBuilder builder(loop, roots);
  if (!builder.build(reason))
    return std::nullopt;
  return builder.take();
}

} // namespace tileir
