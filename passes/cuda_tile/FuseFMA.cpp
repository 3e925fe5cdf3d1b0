// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tileir {

#define GEN_PASS_DEF_FUSEFMA
#include "passes/cuda_tile/FuseFMA.h.inc"

namespace {

using namespace mlir;
using namespace mlir::cuda_tile;

struct FuseFMA final : impl::FuseFMABase<FuseFMA> {
  using FuseFMABase::FuseFMABase;

  void runOnOperation() override;
};

/// The multiplication that is the first operand of `sum`, has no other user and
/// rounds as `sum` does; else null.
template <typename SumOp> MulFOp getFusibleProduct(SumOp sum) {
  auto product = sum.getLhs().template getDefiningOp<MulFOp>();
  if (!product || !product->hasOneUse() ||
      product.getRoundingMode() != sum.getRoundingMode() ||
      product.getFlushToZero() != sum.getFlushToZero())
    return {};
  return product;
}

/// Replaces `sum` by an `fma` of the operands of `product` and `acc`, rounded
/// once.
template <typename SumOp>
void fuse(PatternRewriter &rewriter, SumOp sum, MulFOp product, Value acc,
          Pass::Statistic &count) {
  ++count;
  remark::passed(sum.getLoc(),
                 remark::RemarkOpts::name("FuseFMA").category("cuda_tile"))
      << remark::reason("fused a product into the operation that takes it");
  rewriter.replaceOpWithNewOp<FmaOp>(
      sum, sum.getType(), product.getLhs(), product.getRhs(), acc,
      sum.getRoundingModeAttr(), sum.getFlushToZeroAttr());
  rewriter.eraseOp(product);
}

/// `addf (mulf a, b), c` becomes `fma a, b, c`.
struct FuseMulAdd final : OpRewritePattern<AddFOp> {
  FuseMulAdd(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(AddFOp op,
                                PatternRewriter &rewriter) const override {
    MulFOp product = getFusibleProduct(op);
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product that may be fused");
    fuse(rewriter, op, product, op.getRhs(), count);
    return success();
  }

  Pass::Statistic &count;
};

/// `subf (mulf a, b), c` becomes `fma a, b, (negf c)`.
struct FuseMulSub final : OpRewritePattern<SubFOp> {
  FuseMulSub(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(SubFOp op,
                                PatternRewriter &rewriter) const override {
    MulFOp product = getFusibleProduct(op);
    if (!product)
      return rewriter.notifyMatchFailure(op, "no product that may be fused");
    auto negated =
        NegFOp::create(rewriter, op.getLoc(), op.getType(), op.getRhs());
    fuse(rewriter, op, product, negated, count);
    return success();
  }

  Pass::Statistic &count;
};

} // namespace

void FuseFMA::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  // The canonicalization moves the multiplication to the left operand.
  AddFOp::getCanonicalizationPatterns(patterns, &getContext());
  patterns.add<FuseMulAdd, FuseMulSub>(&getContext(), numFused);
  GreedyRewriteConfig config;
  if (failed(
          applyPatternsGreedily(getOperation(), std::move(patterns), config))) {
    getOperation()->emitError(
        "fusing products and sums did not converge after ")
        << config.getMaxIterations() << " iterations";
    signalPassFailure();
  }
}

} // namespace tileir
