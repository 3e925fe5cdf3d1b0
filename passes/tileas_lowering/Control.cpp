// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ClusterAttrs.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/Print.h"

using namespace mlir;

namespace tileir::lowering {

Value getString(Emitter &emitter, StringRef text) {
  OpBuilder &builder = emitter.builder;
  Operation *module = builder.getInsertionBlock()->getParentOp();
  while (!module->hasTrait<OpTrait::SymbolTable>())
    module = module->getParentOp();
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module->getRegion(0).front());
    global = LLVM::GlobalOp::create(
        builder, emitter.loc, type, /*isConstant=*/true,
        LLVM::Linkage::Internal, freeSymbol(module, "tile_string"),
        builder.getStringAttr(bytes),
        /*alignment=*/1, unsigned(nv_tileaa::GlobalSpace));
  }
  Value ptr = LLVM::AddressOfOp::create(builder, emitter.loc,
                                        emitter.ptrType(nv_tileaa::GlobalSpace),
                                        global.getSymName());
  return LLVM::AddrSpaceCastOp::create(builder, emitter.loc, emitter.ptrType(0),
                                       ptr);
}

namespace {

struct AssumeLowering final : TilePattern<nv_tileas::AssumeOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AssumeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values = llvm::to_vector(adaptor.getValue());
    Type type = op.getValue().getType();
    if (auto scalar = dyn_cast<IntegerType>(type)) {
      Emitter emitter(rewriter, op, state);
      for (Attribute predicate : op.getPredicates())
        stateFact(emitter, values[0], scalar, predicate);
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

private:
  static void stateFact(Emitter &emitter, Value value, IntegerType type,
                        Attribute predicate) {
    auto assume = [&](Value condition) {
      LLVM::AssumeOp::create(emitter.builder, emitter.loc, condition);
    };
    unsigned bits = type.getWidth();
    if (auto bounded = dyn_cast<nv_tileaa::BoundedAttr>(predicate)) {
      if (bounded.getLb())
        assume(emitter.icmp(LLVM::ICmpPredicate::sge, value,
                            emitter.constant(bits, *bounded.getLb())));
      if (bounded.getUb())
        assume(emitter.icmp(LLVM::ICmpPredicate::sle, value,
                            emitter.constant(bits, *bounded.getUb())));
    } else if (auto divBy = dyn_cast<nv_tileaa::DivByAttr>(predicate)) {
      if (!divBy.getEvery() && divBy.getDivisor() > 1 &&
          llvm::isPowerOf2_64(divBy.getDivisor()) &&
          llvm::Log2_64(divBy.getDivisor()) < bits)
        assume(emitter.icmp(LLVM::ICmpPredicate::eq,
                            emitter.andConst(value, divBy.getDivisor() - 1),
                            emitter.constant(bits, 0)));
    }
  }
};

struct OptimizationBarrierLowering final
    : TilePattern<nv_tileas::OptimizationBarrierOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::OptimizationBarrierOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    SmallVector<SmallVector<Value>> results;
    for (ValueRange range : adaptor.getValues()) {
      results.emplace_back();
      for (Value value : range)
        results.back().push_back(hide(emitter, value));
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  static Value hide(Emitter &emitter, Value value) {
    if (value.getType().isIndex())
      return value;
    Type type = value.getType();
    Value bits = emitter.toBits(value);
    unsigned width = bits.getType().getIntOrFloatBitWidth();
    unsigned wide = std::max(width, 16u);
    Value passed = emitter.resize(bits, wide);
    PtxBuilder ptx = emitter.ptx();
    ptx.out(passed.getType());
    ptx.tie(passed, 0);
    passed = ptx.emit("").front();
    return emitter.fromBits(emitter.resize(passed, width), type);
  }
};

struct BarrierLowering final : TilePattern<nv_tileas::BarrierOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    if (op.getScope() == nv_tileas::BarrierScope::Cluster) {
      emitter.clusterBarrier();
    } else if (op.getBarrierId().value_or(0) != 0) {
      NVVM::BarrierOp::create(rewriter, op.getLoc(), TypeRange(),
                              emitter.i32(*op.getBarrierId()),
                              emitter.i32(32 * int64_t(emitter.numWarps())),
                              NVVM::BarrierReductionAttr(), Value());
    } else {
      emitter.barrier();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct GridDependencyLowering final : TilePattern<nv_tileas::GridDependencyOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GridDependencyOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    if (op->hasAttr(kClusterWaitAttr)) {
      emitClusterWait(emitter);
    } else if (state.target.has(Feature::GridDepControl)) {
      // Older targets complete every grid before the next one starts.
      emitter.ptx(PtxEffects::Memory)
          .emit(op.getKind() == nv_tileaa::GridDependency::Wait
                    ? "griddepcontrol.wait;"
                    : "griddepcontrol.launch_dependents;");
    }
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }

private:
  /// Emits fences in the threads that wrote and in those that go on: what TMA
  /// reads and writes on either side is ordered, too.
  static void emitClusterWait(Emitter &emitter) {
    auto emitFence = [&] {
      nv_tileas::FenceOp::create(emitter.builder, emitter.loc,
                                 nv_tileas::FenceKind::ProxyAsyncGlobal,
                                 nv_tileaa::MemScopeAttr());
    };
    emitFence();
    emitter.clusterBarrier();
    emitFence();
  }
};

struct FenceLowering final : TilePattern<nv_tileas::FenceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::FenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    switch (op.getKind()) {
    case nv_tileas::FenceKind::ProxyAsyncShared:
      NVVM::FenceProxyOp::create(
          rewriter, op.getLoc(),
          NVVM::ProxyKindAttr::get(op.getContext(),
                                   NVVM::ProxyKind::async_shared),
          NVVM::SharedSpaceAttr::get(op.getContext(),
                                     NVVM::SharedSpace::shared_cta));
      break;
    case nv_tileas::FenceKind::ProxyAsyncGlobal:
      NVVM::FenceProxyOp::create(
          rewriter, op.getLoc(),
          NVVM::ProxyKindAttr::get(op.getContext(),
                                   NVVM::ProxyKind::async_global),
          NVVM::SharedSpaceAttr());
      break;
    case nv_tileas::FenceKind::MbarrierInit:
      NVVM::FenceMbarrierInitOp::create(rewriter, op.getLoc());
      break;
    case nv_tileas::FenceKind::ProxyAlias: {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory).emit("fence.proxy.alias;");
      break;
    }
    case nv_tileas::FenceKind::Tcgen05Before: {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory, Feature::Tcgen05)
          .emit("tcgen05.fence::before_thread_sync;");
      break;
    }
    case nv_tileas::FenceKind::Tcgen05After: {
      Emitter emitter(rewriter, op, state);
      emitter.ptx(PtxEffects::Memory, Feature::Tcgen05)
          .emit("tcgen05.fence::after_thread_sync;");
      break;
    }
    case nv_tileas::FenceKind::Scope: {
      StringRef scope = "";
      switch (op.getMemScope().value_or(nv_tileaa::MemScope::Gpu)) {
      case nv_tileaa::MemScope::TlBlk:
        scope = "block";
        break;
      case nv_tileaa::MemScope::Cluster:
        scope = state.target.clusterMax() > 1 ? "cluster" : "block";
        break;
      case nv_tileaa::MemScope::Gpu:
        scope = "device";
        break;
      case nv_tileaa::MemScope::Sys:
        break;
      }
      LLVM::FenceOp::create(rewriter, op.getLoc(),
                            LLVM::AtomicOrdering::acq_rel, scope);
      break;
    }
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Tokens have no value.
template <typename OpTy> struct TokenLowering final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;
  using typename TilePattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

struct AssertLowering final : TilePattern<nv_tileas::AssertOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AssertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value all;
    for (Value word : adaptor.getCondition())
      all = emitter.andBits(all, word);
    Value failed =
        LLVM::XOrOp::create(rewriter, op.getLoc(), all, emitter.constant(1, 1));
    // A call would make ptxas serialize the `wgmma` instructions.
    if (op.getMessage().empty()) {
      emitter.onlyIf(failed,
                     [&] { LLVM::Trap::create(rewriter, op.getLoc()); });
      rewriter.eraseOp(op);
      return success();
    }
    std::string file = "<unknown>", function = "<unknown>";
    unsigned line = 0;
    if (auto found = op.getLoc()->findInstanceOf<FileLineColLoc>()) {
      file = found.getFilename().str();
      line = found.getLine();
    }
    if (auto func = op->getParentOfType<LLVM::LLVMFuncOp>())
      function = func.getName().str();
    auto callee = getRuntimeFunction(
        emitter, "__assertfail", LLVM::LLVMVoidType::get(op.getContext()),
        {emitter.ptrType(0), emitter.ptrType(0), emitter.intType(32),
         emitter.ptrType(0), emitter.intType(64)});
    emitter.onlyIf(failed, [&] {
      LLVM::CallOp::create(
          rewriter, op.getLoc(), callee,
          ValueRange{getString(emitter, op.getMessage()),
                     getString(emitter, file), emitter.i32(line),
                     getString(emitter, function), emitter.i64(1)});
      LLVM::Trap::create(rewriter, op.getLoc());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateControlPatterns(RewritePatternSet &patterns,
                             const TileTypeConverter &converter,
                             const LoweringState &state) {
  patterns.add<AssumeLowering, OptimizationBarrierLowering, BarrierLowering,
               FenceLowering, GridDependencyLowering,
               TokenLowering<nv_tileas::CreateMemTokenOp>,
               TokenLowering<nv_tileas::JoinMemTokenOp>, AssertLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
