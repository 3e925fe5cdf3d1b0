// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile blocks: the one of the launch, and those that a CTA takes over from the
// launch queue (PTX ISA, "clusterlaunchcontrol"). A cluster is a tile block; a
// CTA without one is a cluster of its own, so that both have one id.

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/async/Elected.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace tileir::lowering {

/// Reads one of three special registers, by dimension.
template <typename X, typename Y, typename Z>
static Value readRegister(OpBuilder &builder, Location loc,
                          nv_tileaa::Dim dim) {
  Type type = builder.getI32Type();
  switch (dim) {
  case nv_tileaa::Dim::X:
    return X::create(builder, loc, type);
  case nv_tileaa::Dim::Y:
    return Y::create(builder, loc, type);
  case nv_tileaa::Dim::Z:
    return Z::create(builder, loc, type);
  }
  llvm_unreachable("unknown dimension");
}

/// Returns whether a tile block is a cluster of several CTAs.
static bool isInCluster(Emitter &emitter) {
  return getFunction(emitter.builder)
      ->hasAttr(NVVM::NVVMDialect::getClusterDimAttrName());
}

/// The coordinate `dim` of the tile block in the grid.
static Value getBlockId(Emitter &emitter, nv_tileaa::Dim dim) {
  OpBuilder &builder = emitter.builder;
  if (isInCluster(emitter))
    return readRegister<NVVM::ClusterIdXOp, NVVM::ClusterIdYOp,
                        NVVM::ClusterIdZOp>(builder, emitter.loc, dim);
  return readRegister<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(
      builder, emitter.loc, dim);
}

/// The extent `dim` of the grid, in tile blocks.
static Value getNumBlocks(Emitter &emitter, nv_tileaa::Dim dim) {
  OpBuilder &builder = emitter.builder;
  if (isInCluster(emitter))
    return readRegister<NVVM::ClusterDimXOp, NVVM::ClusterDimYOp,
                        NVVM::ClusterDimZOp>(builder, emitter.loc, dim);
  return readRegister<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(
      builder, emitter.loc, dim);
}

namespace {

struct ProgramIdLowering final : TilePattern<nv_tileas::GetProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GetProgramIdOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getOf()) {
      rewriter.replaceOp(op, adaptor.getOf()[1 + unsigned(op.getDim())]);
      return success();
    }
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOp(op, getBlockId(emitter, op.getDim()));
    return success();
  }
};

struct NumProgramsLowering final : TilePattern<nv_tileas::GetNumProgramsOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GetNumProgramsOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOp(op, getNumBlocks(emitter, op.getDim()));
    return success();
  }
};

struct CtaRankLowering final : TilePattern<gpu::ClusterBlockIdOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(gpu::ClusterBlockIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value id =
        readRegister<NVVM::BlockInClusterIdXOp, NVVM::BlockInClusterIdYOp,
                     NVVM::BlockInClusterIdZOp>(
            rewriter, op.getLoc(), nv_tileaa::Dim(unsigned(op.getDimension())));
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), id);
    return success();
  }
};

struct InitialProgramIdLowering final
    : TilePattern<nv_tileas::InitialProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::InitialProgramIdOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    SmallVector<Value> words = {emitter.constant(1, 1)};
    for (nv_tileaa::Dim dim :
         {nv_tileaa::Dim::X, nv_tileaa::Dim::Y, nv_tileaa::Dim::Z})
      words.push_back(getBlockId(emitter, dim));
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

struct IsValidLowering final : TilePattern<nv_tileas::IsValidProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::IsValidProgramIdOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getProgramId().front());
    return success();
  }
};

/// Reports launch control operations on targets without it.
LogicalResult checkTarget(Operation *op, const Target &target) {
  if (target.has(Feature::ClusterLaunchControl))
    return success();
  return op->emitOpError("needs sm_100 or later, target is '")
         << target.name()
         << "'; compile for one, or without dynamic-persistent";
}

struct TryCancelLowering final : TilePattern<nv_tileas::ClcTryCancelOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ClcTryCancelOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op, state.target)))
      return failure();
    Emitter emitter(rewriter, op, state);
    Value elected = getElectedThread(emitter);
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string answer = ptx.in(
                    getSharedAddress(emitter, adaptor.getBuffer().front())),
                object = ptx.in(
                    getSharedAddress(emitter, adaptor.getSignal().front())),
                guard = ptx.guard(elected);
    ptx.emit(guard +
             "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::"
             "complete_tx::bytes.b128 [" +
             answer + "], [" + object + "];");
    rewriter.eraseOp(op);
    return success();
  }
};

/// Reads the coordinates of a tile block only if there is one: they are
/// undefined otherwise.
struct QueryLowering final : TilePattern<nv_tileas::ClcQueryOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ClcQueryOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op, state.target)))
      return failure();
    Emitter emitter(rewriter, op, state);
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    SmallVector<std::string> words;
    for (int i = 0; i < 4; ++i)
      words.push_back(ptx.out(emitter.intType(32), /*early=*/true));
    std::string answer =
        ptx.in(getSharedAddress(emitter, adaptor.getBuffer().front()));
    std::string text = "{\n\t.reg .b128 answer;\n\t.reg .pred taken;\n\t"
                       "ld.shared.b128 answer, [" +
                       answer +
                       "];\n\tclusterlaunchcontrol.query_cancel.is_canceled."
                       "pred.b128 taken, answer;\n\tselp.b32 " +
                       words[0] + ", 1, 0, taken;";
    StringRef dims = "xyz";
    for (unsigned d = 0; d < dims.size(); ++d) {
      text += "\n\tmov.b32 " + words[1 + d] + ", 0;";
      text += "\n\t@taken clusterlaunchcontrol.query_cancel.get_first_ctaid::";
      text += dims[d];
      text += ".b32.b128 " + words[1 + d] + ", answer;";
    }
    SmallVector<Value> results = ptx.emit(text + "\n\t}");
    // All threads read the same value; the shuffle tells ptxas that it is
    // uniform.
    for (Value &word : results)
      word = emitter.shuffle(NVVM::ShflKind::idx, word, emitter.i32(0));
    results[0] =
        emitter.icmp(LLVM::ICmpPredicate::ne, results[0], emitter.i32(0));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

} // namespace

void populateLaunchControlPatterns(RewritePatternSet &patterns,
                                   const TileTypeConverter &converter,
                                   const LoweringState &state) {
  patterns.add<ProgramIdLowering, NumProgramsLowering, CtaRankLowering,
               InitialProgramIdLowering, IsValidLowering, TryCancelLowering,
               QueryLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
