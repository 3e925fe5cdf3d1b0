// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies from global to shared memory (`cp.async`).

#include "passes/tileas_lowering/Loops.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/Access.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Addresses of the elements of each thread in a buffer.
class SlotAddresses {
public:
  SlotAddresses(Emitter &emitter, ValueRange buffer, nv_tileas::BufferType type,
                const Layout &via)
      : emitter(emitter), bytes(getMemoryBits(type.getElementType()) / 8),
        access(smemAccess(via, type.getLayout().getLayout(), bytes * 8)),
        base(buffer.front()) {
    SmallVector<uint64_t> columns;
    for (unsigned i = via.getNumBases(kRegister);
         i < access.offsets.numInputs(); ++i) {
      columns.push_back(access.offsets.column(i) * bytes);
      threadMask |= columns.back();
    }
    thread = emitter.linearOfThread(columns);
    // XOR mask: the position of a subview in the allocation.
    APInt position;
    if (buffer.size() > 1 &&
        !(matchPattern(buffer[1], m_ConstantInt(&position)) &&
          position.isZero())) {
      thread = emitter.xorValues(thread, buffer[1]);
      threadMask = ~uint64_t(0);
    }
  }

  /// Returns the maximum bytes of one copy.
  int64_t maxBytes() const {
    return std::min<int64_t>(16, (int64_t(1) << access.vectorBits) * bytes);
  }

  /// Returns a pointer and a byte offset: position bits that no thread bit
  /// shares become an immediate.
  std::pair<Value, int64_t> pointer(int64_t reg) {
    uint64_t offset = access.offsets(reg) * bytes;
    uint64_t moved = offset & threadMask ? offset : 0;
    Value &start = starts[moved];
    if (!start)
      start = emitter.gep(base, emitter.xorConst(thread, moved));
    return {start, moved ? 0 : offset};
  }

private:
  Emitter &emitter;
  int64_t bytes;
  SmemAccess access;
  Value base, thread;
  uint64_t threadMask = 0;
  DenseMap<uint64_t, Value> starts;
};

} // namespace

/// Emits one copy of `bytes` bytes. If `inside` is false the copy writes zeros,
/// if `condition` is false it writes nothing; null means true. `inside` may
/// occupy a predicate register of its own if the loop `hasFreeRegisters`.
static void emitCopy(Emitter &emitter, std::pair<Value, int64_t> dst, Value src,
                     int64_t bytes, Value inside, Value condition,
                     bool hasFreeRegisters) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  // ptxas rematerializes the predicate from the byte count at the copy: two
  // instructions more, but no predicate register stays live.
  Value size;
  if (inside && !hasFreeRegisters)
    size = emitter.select(inside, emitter.i32(bytes), emitter.i32(0));
  if (!condition && (!inside || size)) {
    auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                             : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(builder, loc,
                            emitter.gepConst(dst.first, dst.second), src, bytes,
                            cache, size);
    return;
  }
  // The NVVM operation has no predicate.
  PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
  std::string to = ptx.in(LLVM::PtrToIntOp::create(
                  builder, loc, emitter.intType(32), dst.first)),
              from = ptx.address(src), guard = ptx.guard(condition), last;
  if (dst.second)
    to += " + " + std::to_string(dst.second);
  if (size)
    last = ", " + ptx.in(size);
  else if (inside)
    last = ", " + ptx.in(LLVM::XOrOp::create(builder, loc, inside,
                                             emitter.constant(1, -1)));
  ptx.emit(guard + "cp.async." + (bytes == 16 ? "cg" : "ca") +
           ".shared.global [" + to + "], [" + from + "], " + Twine(bytes) +
           last + ";");
}

namespace {

struct AsyncCopyLowering final : TilePattern<nv_tileas::AsyncCopyOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncCopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    RankedTensorType tile = op.getTileType();
    const Layout &layout = getLayout(tile);
    SlotAddresses slot(emitter, adaptor.getBuffer(), op.getBuffer().getType(),
                       layout);
    AccessList list = getAccesses(emitter, op, adaptor, tile, slot.maxBytes());
    int64_t bytes = list.width * getMemoryBits(tile.getElementType()) / 8;
    if (bytes < 4)
      return op.emitOpError("needs 4 bytes in a row that are aligned and share "
                            "a predicate, has ")
             << bytes;
    Value condition = emitter.andBits(
        op.getCondition() ? adaptor.getCondition().front() : Value(),
        emitter.ownsElements(layout));
    for (const Access &access : list.accesses)
      emitCopy(emitter, slot.pointer(access.reg), access.ptr, bytes,
               access.predicate, condition, hasFreeRegisters(op));
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }

private:
  static AccessList getAccesses(Emitter &emitter, nv_tileas::AsyncCopyOp op,
                                OneToNOpAdaptor adaptor, RankedTensorType tile,
                                int64_t maxBytes) {
    if (auto view =
            dyn_cast<nv_tileaa::TATiledViewType>(op.getSource().getType())) {
      std::optional<ArrayRef<bool>> inBounds;
      if (op.getInBoundsAttr())
        inBounds = op.getInBoundsAttr().asArrayRef();
      return accessView(emitter, op, view, adaptor.getSource(),
                        adaptor.getCoords(), {}, tile, inBounds, maxBytes);
    }
    auto ptrTile = cast<RankedTensorType>(op.getSource().getType());
    SmallVector<Value> mask;
    if (op.getMask())
      mask = emitter.unpack(adaptor.getMask(),
                            cast<RankedTensorType>(op.getMask().getType()));
    return accessPointers(emitter, op,
                          emitter.unpack(adaptor.getSource(), ptrTile), mask,
                          ptrTile, tile.getElementType(), maxBytes);
  }
};

struct CommitGroupLowering final : TilePattern<nv_tileas::AsyncCommitGroupOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncCommitGroupOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct WaitGroupLowering final : TilePattern<nv_tileas::AsyncWaitGroupOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncWaitGroupOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getPending());
    return success();
  }
};

} // namespace

void populateAsyncPatterns(RewritePatternSet &patterns,
                           const TileTypeConverter &converter,
                           const LoweringState &state) {
  patterns.add<AsyncCopyLowering, CommitGroupLowering, WaitGroupLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
