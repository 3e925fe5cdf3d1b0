// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Maximum arrivals, and bytes, of an mbarrier (PTX ISA, "mbarrier").
static constexpr int64_t kMaxCount = (1 << 20) - 1;

//===----------------------------------------------------------------------===//
// Type
//===----------------------------------------------------------------------===//

LogicalResult
MbarrierType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t stages) {
  if (stages < 0)
    return emitError() << "stages must be positive, got " << stages;
  return success();
}

/// Parses `<[N]>`, or nothing for one mbarrier.
Type MbarrierType::parse(AsmParser &parser) {
  int64_t stages = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLess())) {
    if (parser.parseLSquare() || parser.parseInteger(stages) ||
        parser.parseRSquare() || parser.parseGreater())
      return {};
    if (stages < 1) {
      parser.emitError(loc) << "stages must be positive, got " << stages;
      return {};
    }
  }
  return parser.getChecked<MbarrierType>(loc, parser.getContext(), stages);
}

void MbarrierType::print(AsmPrinter &printer) const {
  if (isStaged())
    printer << "<[" << getStages() << "]>";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static void syncEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

LogicalResult MbarrierAllocOp::verify() {
  std::optional<uint32_t> offset = getSmemOffset();
  if (offset && (static_cast<int32_t>(*offset) < 0 ||
                 *offset % MbarrierType::getObjectBytes())) // C1
    return emitOpError("'smem_offset' must be a multiple of 8, got ")
           << static_cast<int32_t>(*offset);
  return success();
}

void MbarrierAllocOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), SharedResource::get());
}

LogicalResult MbarrierInitOp::verify() {
  int32_t count = getCount();
  if (count < 1 || count > kMaxCount) // C1
    return emitOpError("'count' must be from 1 to ")
           << kMaxCount << ", got " << count;
  return success();
}

void MbarrierInitOp::getEffects(Effects &effects) { syncEffects(effects); }

void MbarrierWaitOp::getEffects(Effects &effects) {
  syncEffects(effects);
  // Data of the awaited copies is in shared memory from this point on.
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
}

AsyncCompletion MbarrierWaitOp::getCompletion() {
  return getProducts() ? AsyncCompletion::Umma : AsyncCompletion::Mbarrier;
}
AsyncRole MbarrierWaitOp::getAsyncRole() { return AsyncRole::Wait; }
/// Copies that signal other mbarriers stay in flight; MMAs do not.
int64_t MbarrierWaitOp::getPendingGroups() { return getProducts() ? 0 : 1; }

LogicalResult MbarrierArriveOp::verify() {
  if (getBy() == ArrivalKind::CpAsync && getCondition()) // C1
    return emitOpError("'cp_async' arrives without a condition");
  return success();
}

void MbarrierArriveOp::getEffects(Effects &effects) {
  syncEffects(effects);
  // Work before the arrival is complete for threads after their wait.
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
}

LogicalResult MbarrierArriveExpectTxOp::verify() {
  int32_t bytes = getBytes();
  if (bytes < 0 || bytes > kMaxCount) // C1
    return emitOpError("'bytes' must be from 0 to ")
           << kMaxCount << ", got " << bytes;
  return success();
}

void MbarrierArriveExpectTxOp::getEffects(Effects &effects) {
  syncEffects(effects);
}
