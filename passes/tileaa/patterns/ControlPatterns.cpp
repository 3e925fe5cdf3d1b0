// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for branches and loops whose exits are in normal form
// (EarlyExits.cpp).

#include "passes/tileaa/patterns/Lowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

struct IfLowering final : Lowering<cuda_tile::IfOp> {
  LogicalResult lower() {
    SmallVector<Type> types;
    if (failed(converter.convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op,
                                         "a result has no type in nv_tileaa");
    auto result =
        scf::IfOp::create(rewriter, loc, types, adaptor.getCondition(),
                          /*addThenBlock=*/false,
                          /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getThenRegion(), result.getThenRegion(),
                                result.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), result.getElseRegion(),
                                result.getElseRegion().end());
    return replace(result);
  }
};

struct ForLowering final : Lowering<cuda_tile::ForOp> {
  LogicalResult lower() {
    if (failed(rewriter.convertRegionTypes(&op.getRegion(), converter)))
      return rewriter.notifyMatchFailure(
          op, "an argument of the body has no type in nv_tileaa");
    auto loop = scf::ForOp::create(
        rewriter, loc, adaptor.getLowerBound(), adaptor.getUpperBound(),
        adaptor.getStep(), adaptor.getInitValues(),
        /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
    rewriter.eraseBlock(loop.getBody());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(),
                                loop.getRegion().end());
    return replace(loop);
  }
};

/// Lowers a loop in normal form, whose body ends with `if %go { continue } else
/// { break }` and an unreachable terminator.
struct LoopLowering final : Lowering<cuda_tile::LoopOp> {
  LogicalResult lower() {
    Block *body = op.getBody();
    Operation *unreachable = body->getTerminator();
    auto last = dyn_cast_or_null<cuda_tile::IfOp>(unreachable->getPrevNode());
    if (!last || !last.getElseTerminator())
      return rewriter.notifyMatchFailure(op, "not in normal form");
    auto next = dyn_cast<cuda_tile::ContinueOp>(last.getThenTerminator());
    auto leave = dyn_cast<cuda_tile::BreakOp>(last.getElseTerminator());
    if (!next || !leave)
      return rewriter.notifyMatchFailure(op, "not in normal form");

    size_t numCarried = op.getInitValues().size();
    SmallVector<Type> types;
    if (failed(converter.convertTypes(op.getInitValues().getTypes(), types)) ||
        failed(converter.convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(
          op, "a value of the loop has no type in nv_tileaa");
    SmallVector<Value> exitOperands{last.getCondition()};
    llvm::append_range(exitOperands, next.getOperands());
    llvm::append_range(exitOperands, leave.getOperands());

    auto loop =
        scf::WhileOp::create(rewriter, loc, types, adaptor.getInitValues());
    // The operands of the condition still have the types of `cuda_tile`; the
    // pattern of the terminator below converts them.
    rewriter.setInsertionPoint(unreachable);
    cuda_tile::YieldOp::create(rewriter, loc, exitOperands);
    rewriter.eraseOp(unreachable);
    rewriter.eraseOp(last);
    if (failed(rewriter.convertRegionTypes(&op.getRegion(), converter)))
      return rewriter.notifyMatchFailure(
          op, "an argument of the body has no type in nv_tileaa");
    rewriter.inlineRegionBefore(op.getRegion(), loop.getBefore(),
                                loop.getBefore().end());
    SmallVector<Location> locs(types.size(), op.getLoc());
    Block *after = rewriter.createBlock(&loop.getAfter(), {}, types, locs);
    scf::YieldOp::create(rewriter, loc,
                         after->getArguments().take_front(numCarried));
    copyDiscardableAttrs(op, loop);
    rewriter.replaceOp(op, loop.getResults().drop_front(numCarried));
    return success();
  }
};

struct YieldLowering final : Lowering<cuda_tile::YieldOp> {
  LogicalResult lower() {
    Operation *parent = op->getParentOp();
    ValueRange operands = adaptor.getOperands();
    if (isa<scf::WhileOp>(parent))
      rewriter.replaceOpWithNewOp<scf::ConditionOp>(op, operands.front(),
                                                    operands.drop_front());
    else if (isa<aa::ReduceOp, aa::ScanOp>(parent))
      rewriter.replaceOpWithNewOp<aa::YieldOp>(op, operands);
    else if (isa<scf::IfOp>(parent))
      rewriter.replaceOpWithNewOp<scf::YieldOp>(op, operands);
    else
      return rewriter.notifyMatchFailure(op, "the region is not converted yet");
    return success();
  }
};

struct ContinueLowering final : Lowering<cuda_tile::ContinueOp> {
  LogicalResult lower() {
    if (!isa<scf::ForOp>(op->getParentOp()))
      return rewriter.notifyMatchFailure(op, "the loop is not converted yet");
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

struct PoisonLowering final : Lowering<ub::PoisonOp> {
  LogicalResult lower() {
    Type type = converter.convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "the type has none in nv_tileaa");
    rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, type, op.getValue());
    return success();
  }
};

} // namespace

void populateControlPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns,
                             CudaTileConversion &conversion) {
  addLowerings<IfLowering, ForLowering, LoopLowering, YieldLowering,
               ContinueLowering, PoisonLowering>(converter, patterns,
                                                 conversion);
}

} // namespace tileir
