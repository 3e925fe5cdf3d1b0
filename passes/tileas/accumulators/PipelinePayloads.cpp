// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/accumulators/PipelinePayloads.h"

#include "passes/tileas/pipeline/PipelineIterators.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Rebuilds the operations that return slots of `create`, with all of its
/// payloads. Returns the last result of `wait`.
static Value replaceSteps(as::PipelineCreateOp create,
                          as::PipelineWaitOp wait) {
  Value slot;
  for (Operation *user : llvm::to_vector(create.getResult().getUsers())) {
    if (!isa<as::PipelineAcquireOp, as::PipelineWaitOp>(user))
      continue;
    OpBuilder builder(user);
    OperationState state(user->getLoc(), user->getName());
    state.addOperands(user->getOperands());
    state.addAttributes(user->getAttrs());
    state.addTypes(create.getType().getPayloads());
    Operation *more = builder.create(state);
    user->replaceAllUsesWith(more->getResults().drop_back());
    if (user == wait)
      slot = more->getResults().back();
    user->erase();
  }
  return slot;
}

Value addPayload(as::PipelineWaitOp wait, as::BufferType payload) {
  as::PipelineCreateOp create = getCreate(wait.getPipeline());
  as::PipelineType old = create.getType();
  OpBuilder builder(create);
  SmallVector<Value> buffers(create.getBuffers());
  Value like = buffers.front();
  buffers.push_back(as::AllocTensorOp::create(
      builder, create.getLoc(),
      as::BufferType::get(create.getContext(), old.getDepth(),
                          payload.getShape(), payload.getElementType(),
                          payload.getLayout()),
      IntegerAttr(), IntegerAttr()));
  SmallVector<Type> payloads(old.getPayloads());
  payloads.push_back(payload);
  auto wide = as::PipelineCreateOp::create(
      builder, create.getLoc(),
      as::PipelineType::get(create.getContext(), old.getDepth(), payloads),
      buffers, create.getProducer(), create.getConsumers(), create.getSync(),
      create.getEmpty());
  for (Operation *user : like.getUsers())
    if (isa<as::DeallocOp>(user)) {
      builder.setInsertionPointAfter(user);
      as::DeallocOp::create(builder, user->getLoc(), buffers.back());
    }
  create.getResult().replaceAllUsesWith(wide.getResult());
  create.erase();
  return replaceSteps(wide, wait);
}

} // namespace tileir
