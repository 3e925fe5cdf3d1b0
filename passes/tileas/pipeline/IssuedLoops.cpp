// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/IssuedLoops.h"

#include "passes/tileas/pipeline/PipelineIterators.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

namespace tileir {

bool isIssued(scf::ForOp loop, ArrayRef<Value> pipelines) {
  auto isOfPipeline = [&](Value pipeline) {
    return llvm::is_contained(pipelines, pipeline);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isStep =
        llvm::TypeSwitch<Operation *, bool>(&op)
            .Case<as::PipelineAcquireOp, as::PipelineCommitOp,
                  as::PipelineWaitOp, as::PipelineReleaseOp>(
                [&](auto step) { return isOfPipeline(step.getPipeline()); })
            .Case<as::AsyncTmaLoadOp, as::AsyncCopyOp, as::AsyncTmemCopyOp,
                  as::AsyncDotIntoOp>([](auto step) { return true; })
            .Default([](Operation *other) {
              return !other->getNumRegions() && isPure(other);
            });
    if (!isStep)
      return false;
  }
  return llvm::all_of(
             pipelines,
             [](Value pipeline) {
               as::PipelineCreateOp create = getCreate(pipeline);
               return create.getEmpty() == as::PipelineEmpty::Mbarrier &&
                      create.getProducer() == as::PipelineProducer::Tma;
             }) &&
         llvm::all_of(loop.getResults(), [](Value result) {
           return result.use_empty() ||
                  isa<as::PipelineIteratorType, aa::MemTokenType>(
                      result.getType());
         });
}

} // namespace tileir
