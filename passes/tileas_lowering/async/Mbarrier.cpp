// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mbarriers in shared memory (PTX ISA, "mbarrier").

#include "passes/analysis/ClusterAttrs.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/async/Elected.h"

#include "dialects/support/Heuristics.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

struct AllocLowering final : TilePattern<nv_tileas::MbarrierAllocOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MbarrierAllocOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOp(op, emitter.smemPtr(op.getSmemOffset().value_or(0)));
    return success();
  }
};

struct SlotLowering final : TilePattern<nv_tileas::MbarrierSlotOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MbarrierSlotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value offset = emitter.mulConst(adaptor.getIndex().front(),
                                    nv_tileas::MbarrierType::getObjectBytes());
    rewriter.replaceOp(op, emitter.gep(adaptor.getBarriers().front(), offset));
    return success();
  }
};

struct InitLowering final : TilePattern<nv_tileas::MbarrierInitOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MbarrierInitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    int64_t count = op.getBarriers().getType().getStages();
    if (op.getAgain() && count <= limits::threadsPerWarp)
      startAgain(emitter, op, adaptor.getBarriers().front(), count);
    else
      startByOne(emitter, op, adaptor.getBarriers().front(), count);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static constexpr int64_t kBytes = nv_tileas::MbarrierType::getObjectBytes();

  /// Initializes mbarriers in the threads where `condition` holds.
  static void start(Emitter &emitter, nv_tileas::MbarrierInitOp op,
                    Value object, Value condition) {
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string at = ptx.in(getSharedAddress(emitter, object)),
                guard = ptx.guard(condition), text;
    if (op.getAgain())
      text = guard + "mbarrier.inval.shared.b64 [" + at + "];\n\t";
    ptx.emit(text + guard + "mbarrier.init.shared.b64 [" + at + "], " +
             Twine(op.getCount()) + ";");
  }

  void startByOne(Emitter &emitter, nv_tileas::MbarrierInitOp op, Value first,
                  int64_t count) const {
    Value isFirst =
        emitter.icmp(LLVM::ICmpPredicate::eq, emitter.tid(), emitter.i32(0));
    for (int64_t i = 0; i < count; ++i)
      start(emitter, op, emitter.gepConst(first, i * kBytes), isFirst);
  }

  /// Initializes one mbarrier per thread: in a loop all threads wait for it.
  void startAgain(Emitter &emitter, nv_tileas::MbarrierInitOp op, Value first,
                  int64_t count) const {
    Value hasOne = emitter.icmp(LLVM::ICmpPredicate::ult, emitter.tid(),
                                emitter.i32(count));
    start(emitter, op,
          emitter.gep(first, emitter.mulConst(emitter.tid(), kBytes)), hasOne);
  }
};

struct WaitLowering final : TilePattern<nv_tileas::MbarrierWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MbarrierWaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value condition =
        op.getCondition() ? adaptor.getCondition().front() : Value();
    if (op.getIssuer() && emitter.numWarps() > 1)
      condition = emitter.andBits(condition, isFirstWarp(emitter));
    if (op.getLeader())
      condition = emitter.andBits(condition, isLeader(emitter));
    emitter.onlyIf(condition, [&] {
      emitLoop(emitter, adaptor.getBarrier().front(),
               adaptor.getParity().front(), op->hasAttr(kPeersAttr));
      // No lane is left behind when the issuer goes on.
      if (op.getIssuer())
        NVVM::SyncWarpOp::create(rewriter, op.getLoc(), emitter.i32(-1));
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  void emitLoop(Emitter &emitter, Value barrier, Value parity,
                bool hasPeers) const {
    auto scope =
        hasPeers ? NVVM::MemScopeKind::CLUSTER : NVVM::MemScopeKind::CTA;
    OpBuilder &builder = emitter.builder;
    OpBuilder::InsertionGuard guard(builder);
    bool canSleep = state.target.has(Feature::MbarrierTx);
    auto loop =
        scf::WhileOp::create(builder, emitter.loc, TypeRange(), ValueRange());
    builder.createBlock(&loop.getBefore());
    Emitter before(builder, loop, state);
    Value isDone =
        canSleep
            ? Value(NVVM::MBarrierTryWaitOp::create(
                  builder, emitter.loc, builder.getI1Type(), barrier, parity,
                  Value(), scope))
            : Value(NVVM::MBarrierTestWaitOp::create(
                  builder, emitter.loc, builder.getI1Type(), barrier, parity));
    Value isOpen = LLVM::XOrOp::create(builder, emitter.loc, isDone,
                                       before.constant(1, -1));
    scf::ConditionOp::create(builder, emitter.loc, isOpen, ValueRange());
    builder.createBlock(&loop.getAfter());
    if (!canSleep) {
      Emitter after(builder, loop, state);
      NVVM::NanosleepOp::create(builder, emitter.loc,
                                after.i32(heuristics::pollNanoseconds));
    }
    scf::YieldOp::create(builder, emitter.loc);
  }
};

/// Arrives at the objects of all CTAs that copy for each other: those whose
/// rank differs by one of `peers`.
static void arriveAtPeers(Emitter &emitter, Value barrier, Value condition,
                          ArrayRef<int32_t> peers) {
  Value rank = NVVM::BlockInClusterIdXOp::create(emitter.builder, emitter.loc,
                                                 emitter.builder.getI32Type());
  for (int32_t peer : peers) {
    Value cta = peer ? LLVM::XOrOp::create(emitter.builder, emitter.loc, rank,
                                           emitter.i32(peer))
                           .getResult()
                     : rank;
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string object = ptx.in(getSharedAddress(emitter, barrier)),
                of = ptx.in(cta), guard = ptx.guard(condition);
    ptx.emit("{\n\t.reg .b32 there;\n\tmapa.shared::cluster.u32 there, " +
             object + ", " + of + ";\n\t" + guard +
             "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];"
             "\n\t}");
  }
}

struct ArriveLowering final : TilePattern<nv_tileas::MbarrierArriveOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MbarrierArriveOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using nv_tileas::ArrivalKind;
    Emitter emitter(rewriter, op, state);
    Value barrier = adaptor.getBarrier().front();
    if (op.getBy() == ArrivalKind::CpAsync) {
      NVVM::CpAsyncMBarrierArriveOp::create(rewriter, op.getLoc(), barrier,
                                            /*noinc=*/true);
      rewriter.eraseOp(op);
      return success();
    }
    Value condition =
        op.getCondition() ? adaptor.getCondition().front() : Value();
    if (op.getBy() == ArrivalKind::CpAsyncWarp) {
      if (emitter.numWarps() > 1)
        condition = emitter.andBits(condition, isFirstWarp(emitter));
      // The NVVM operation has no predicate.
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
      std::string object = ptx.in(getSharedAddress(emitter, barrier)),
                  guard = ptx.guard(condition);
      ptx.emit(guard + "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [" +
               object + "];");
      rewriter.eraseOp(op);
      return success();
    }
    if (op.getBy() == ArrivalKind::Warp) {
      // All lanes complete their work before one lane arrives.
      NVVM::SyncWarpOp::create(rewriter, op.getLoc(), emitter.i32(-1));
      condition = emitter.andBits(condition, emitter.threadBitsClear(31));
    } else if (op.getBy() == ArrivalKind::Elected) {
      condition = emitter.andBits(condition, getElectedThread(emitter));
    }
    if (auto peers = op->getAttrOfType<DenseI32ArrayAttr>(kPeersAttr)) {
      arriveAtPeers(emitter, barrier, condition, peers.asArrayRef());
    } else if (state.target.has(Feature::MbarrierTx)) {
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
      std::string object = ptx.in(getSharedAddress(emitter, barrier)),
                  guard = ptx.guard(condition);
      ptx.emit(guard + "mbarrier.arrive.release.cta.shared::cta.b64 _, [" +
               object + "];");
    } else {
      // Older targets have no arrive without a result.
      PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
      std::string object = ptx.in(getSharedAddress(emitter, barrier)),
                  guard = ptx.guard(condition);
      ptx.emit("{\n\t.reg .b64 state;\n\t" + guard +
               "mbarrier.arrive.shared.b64 state, [" + object + "];\n\t}");
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArriveExpectTxLowering final
    : TilePattern<nv_tileas::MbarrierArriveExpectTxOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MbarrierArriveExpectTxOp op,
                  OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!state.target.has(Feature::MbarrierTx))
      return op.emitOpError("needs sm_90 or later, target is '")
             << state.target.name()
             << "'; compile for one, or use pipelines of cp.async";
    Emitter emitter(rewriter, op, state);
    Value condition = emitter.andBits(
        op.getCondition() ? adaptor.getCondition().front() : Value(),
        op.getLeader() ? getElectedLeader(emitter) : getElectedThread(emitter));
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string object = ptx.in(
                    getSharedAddress(emitter, adaptor.getBarrier().front())),
                guard = ptx.guard(condition);
    ptx.emit(guard +
             "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [" +
             object + "], " + Twine(op.getBytes()) + ";");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateMbarrierPatterns(RewritePatternSet &patterns,
                              const TileTypeConverter &converter,
                              const LoweringState &state) {
  patterns.add<AllocLowering, SlotLowering, InitLowering, WaitLowering,
               ArriveLowering, ArriveExpectTxLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
