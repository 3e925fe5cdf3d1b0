// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Bytes of a response (PTX ISA, "clusterlaunchcontrol.try_cancel").
static constexpr int64_t kAnswerBytes = 16;

template <typename OpTy> static LogicalResult verifyAnswer(OpTy op) {
  BufferType type = op.getBuffer().getType();
  if (type.isStaged() || !type.isWhole() ||
      type.getSpace() != tileir::LayoutSpace::Smem ||
      type.getTotalBytes() != kAnswerBytes) // C1
    return op.emitOpError("expects a whole unstaged buffer of ")
           << kAnswerBytes << " bytes in shared memory, but got " << type;
  return success();
}

LogicalResult ClcTryCancelOp::verify() { return verifyAnswer(*this); }
LogicalResult ClcQueryOp::verify() { return verifyAnswer(*this); }

/// Requests and responses keep their order with all synchronization.
static void syncEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

void ClcTryCancelOp::getEffects(Effects &effects) { syncEffects(effects); }
void ClcQueryOp::getEffects(Effects &effects) { syncEffects(effects); }
