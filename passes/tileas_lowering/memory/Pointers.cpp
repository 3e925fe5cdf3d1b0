// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

struct AddPtrLowering final : TilePattern<nv_tileas::AddPtrOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AddPtrOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Type type = op.getType();
    auto ptr = cast<nv_tileaa::TAPointerType>(getElementTypeOrSelf(type));
    int64_t bytes = getMemoryBits(ptr.getPointee()) / 8;
    SmallVector<Value> offsets = llvm::to_vector(adaptor.getOffset());
    if (auto tile = dyn_cast<RankedTensorType>(op.getOffset().getType()))
      offsets = emitter.unpack(offsets, tile);
    // In elements, so that LLVM finds common subexpressions of offsets: it
    // looks into sums, not into products.
    SmallVector<Value> results;
    for (auto [base, offset] : llvm::zip(adaptor.getBase(), offsets))
      results.push_back(LLVM::GEPOp::create(
          rewriter, op.getLoc(), base.getType(), emitter.intType(8 * bytes),
          base, ArrayRef<LLVM::GEPArg>{emitter.resize(offset, 64, true)}));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct PtrToIntLowering final : TilePattern<nv_tileas::PtrToIntOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::PtrToIntOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (Value ptr : adaptor.getSource())
      results.push_back(LLVM::PtrToIntOp::create(rewriter, op.getLoc(),
                                                 rewriter.getI64Type(), ptr));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct IntToPtrLowering final : TilePattern<nv_tileas::IntToPtrOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::IntToPtrOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getRegisterType(getElementTypeOrSelf(op.getType()));
    SmallVector<Value> results;
    for (Value bits : adaptor.getSource())
      results.push_back(
          LLVM::IntToPtrOp::create(rewriter, op.getLoc(), type, bits));
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct MakeMemRefLowering final : TilePattern<nv_tileas::MakeMemRefOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MakeMemRefOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values = llvm::to_vector(adaptor.getBase());
    for (ValueRange size : adaptor.getSizes())
      values.push_back(size.front());
    for (ValueRange stride : adaptor.getStrides())
      values.push_back(stride.front());
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct BlockTileLowering final : TilePattern<nv_tileas::BlockTileOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::BlockTileOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {llvm::to_vector(adaptor.getSource())});
    return success();
  }
};

struct GetDimSizeLowering final : TilePattern<nv_tileas::GetDimSizeOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GetDimSizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    MemRefValues memref(adaptor.getSource(), op.getSource().getType());
    rewriter.replaceOp(op, memref.size(emitter, op.getDim()));
    return success();
  }
};

struct GetGlobalLowering final : TilePattern<nv_tileas::GetGlobalOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GetGlobalOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(
        op, getRegisterType(op.getType()), op.getName());
    return success();
  }
};

} // namespace

void populatePointerPatterns(RewritePatternSet &patterns,
                             const TileTypeConverter &converter,
                             const LoweringState &state) {
  patterns.add<AddPtrLowering, PtrToIntLowering, IntToPtrLowering,
               MakeMemRefLowering, BlockTileLowering, GetDimSizeLowering,
               GetGlobalLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
