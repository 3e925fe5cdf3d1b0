// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"

#include "dialects/support/RuntimeGates.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::cuda_tile;

#include "dialects/cuda_tile/Dialect.cpp.inc"

namespace {

struct CudaTileAsmInterface final : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<DICompileUnitAttr>(attr))
      os << DICompileUnitAttr::getMnemonic();
    else if (isa<DIFileAttr>(attr))
      os << DIFileAttr::getMnemonic();
    else if (isa<DILexicalBlockAttr>(attr))
      os << DILexicalBlockAttr::getMnemonic();
    else if (isa<DISubprogramAttr>(attr))
      os << DISubprogramAttr::getMnemonic();
    else
      return AliasResult::NoAlias;
    return AliasResult::OverridableAlias;
  }
};

struct CudaTileInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }

  void handleTerminator(Operation *op, ValueRange toReplace) const override {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    for (auto [result, operand] :
         llvm::zip_equal(toReplace, returnOp.getOperands()))
      result.replaceAllUsesWith(operand);
  }

  /// A `return` inside of an `if` cannot leave the caller: the inlined body
  /// becomes a loop, and every `return` becomes a `break`.
  void processInlinedCallBlocks(
      Operation *call,
      iterator_range<Region::iterator> inlinedBlocks) const override {
    Block &block = *inlinedBlocks.begin();
    auto finalReturn = dyn_cast<ReturnOp>(block.getTerminator());
    if (!finalReturn)
      return;
    SmallVector<ReturnOp> nestedReturns;
    block.walk([&](ReturnOp op) {
      if (op != finalReturn)
        nestedReturns.push_back(op);
    });
    if (nestedReturns.empty())
      return;

    OpBuilder builder(call->getContext());
    for (ReturnOp op : nestedReturns) {
      builder.setInsertionPoint(op);
      BreakOp::create(builder, op.getLoc(), op.getOperands());
      op.erase();
    }
    builder.setInsertionPointToStart(&block);
    auto loop = LoopOp::create(builder, call->getLoc(),
                               finalReturn.getOperandTypes(), ValueRange());
    Block *body = builder.createBlock(&loop.getRegion());
    body->getOperations().splice(body->end(), block.getOperations(),
                                 std::next(Block::iterator(loop)),
                                 Block::iterator(finalReturn));
    builder.setInsertionPointToEnd(body);
    BreakOp::create(builder, finalReturn.getLoc(), finalReturn.getOperands());
    finalReturn->setOperands(loop.getResults());
  }
};

} // namespace

void CudaTileDialect::initialize() {
  followsNewestRelease = tileir::gates::newestRules();
  registerTypes();
  registerAttributes();
  registerCudaTileDialectOperations(this);
  addInterfaces<CudaTileAsmInterface, CudaTileInlinerInterface>();
}

std::optional<Dialect::ParseOpHook>
CudaTileDialect::getParseOperationHook(StringRef name) const {
  if (name != "cuda_tile.fpowf")
    return std::nullopt;
  return ParseOpHook([](OpAsmParser &parser, OperationState &result) {
    result.name = OperationName(PowOp::getOperationName(), parser.getContext());
    return PowOp::parse(parser, result);
  });
}

bool cuda_tile::followsNewestRelease(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<CudaTileDialect>();
  return dialect && dialect->getFollowsNewestRelease();
}

cuda_tile::NewestReleaseScope::NewestReleaseScope(MLIRContext *context)
    : dialect(*context->getOrLoadDialect<CudaTileDialect>()),
      before(dialect.getFollowsNewestRelease()) {
  dialect.setFollowsNewestRelease(true);
}

cuda_tile::NewestReleaseScope::~NewestReleaseScope() {
  dialect.setFollowsNewestRelease(before);
}

StringRef cuda_tile::nameNewestFloat(MLIRContext *context) {
  return followsNewestRelease(context) ? " or fnv8E5M3FNU" : "";
}

cuda_tile::ModuleOp cuda_tile::extractCudaTileModuleOp(Operation *op) {
  if (auto module = dyn_cast<cuda_tile::ModuleOp>(op))
    return module;
  auto outer = dyn_cast<mlir::ModuleOp>(op);
  if (!outer || outer.getBody()->empty())
    return {};
  return dyn_cast<cuda_tile::ModuleOp>(outer.getBody()->front());
}

bool IfTerminator::classof(Operation *op) {
  return isa<YieldOp, BreakOp, ContinueOp, ReturnOp>(op);
}

bool LoopTerminator::classof(Operation *op) {
  return isa<BreakOp, ContinueOp, ReturnOp>(op);
}
