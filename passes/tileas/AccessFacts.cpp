// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/OpConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Facts above this are of no use and would overflow products.
static constexpr int64_t kMaxDivisor = int64_t(1) << 30;

static int64_t lowBit(int64_t value) {
  return value ? std::min(value & -value, kMaxDivisor) : kMaxDivisor;
}

/// A power of two that divides an integer, or the address of a pointer.
static int64_t getDivisor(Value value, unsigned depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return lowBit(constant.sextOrTrunc(64).getSExtValue());
  int64_t natural = 1;
  if (auto pointer = dyn_cast<aa::TAPointerType>(value.getType()))
    natural = std::max(1u, aa::getStorageBits(pointer.getPointee()) / 8);
  if (depth > 16)
    return natural;
  auto divisorOf = [&](Value operand) { return getDivisor(operand, depth + 1); };
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto func = dyn_cast<aa::FuncOp>(arg.getOwner()->getParentOp());
    IntegerAttr attr;
    if (func)
      attr = func.getArgAttrOfType<IntegerAttr>(arg.getArgNumber(),
                                                aa::kDivByAttr);
    return attr ? std::max(natural, lowBit(attr.getInt())) : natural;
  }
  Operation *op = value.getDefiningOp();
  if (auto assume = dyn_cast<aa::AssumeOp>(op)) {
    int64_t divisor = divisorOf(assume.getValue());
    for (Attribute predicate : assume.getPredicates())
      if (auto by = dyn_cast<aa::DivByAttr>(predicate); by && !by.getEvery())
        divisor = std::max(
            divisor,
            lowBit(std::min<uint64_t>(by.getDivisor(), uint64_t(kMaxDivisor))));
    return divisor;
  }
  // A truncated or extended multiple of a power of two stays one.
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op))
    return divisorOf(op->getOperand(0));
  if (isa<arith::MulIOp>(op))
    return std::min(kMaxDivisor, divisorOf(op->getOperand(0)) *
                                     divisorOf(op->getOperand(1)));
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::min(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  return natural;
}

namespace {

/// Sizes and strides of a view's memory object, as divisors.
struct ViewFacts {
  int64_t base;
  SmallVector<int64_t> sizes, strides;
};

} // namespace

static std::optional<ViewFacts> getViewFacts(Value view) {
  Value source = view;
  int64_t base = 1;
  while (Operation *op = source.getDefiningOp()) {
    if (auto block = dyn_cast<aa::BlockTileOp>(op)) {
      source = block.getSource();
    } else if (auto assume = dyn_cast<aa::AssumeOp>(op)) {
      for (Attribute predicate : assume.getPredicates())
        if (auto by = dyn_cast<aa::DivByAttr>(predicate))
          base = std::max(base, lowBit(std::min<uint64_t>(
                                    by.getDivisor(), uint64_t(kMaxDivisor))));
      source = assume.getValue();
    } else {
      break;
    }
  }
  auto make = source.getDefiningOp<aa::MakeMemRefOp>();
  if (!make)
    return std::nullopt;
  ViewFacts facts;
  facts.base = std::max(base, getDivisor(make.getBase()));
  auto collect = [](ArrayRef<int64_t> fixed, OperandRange dynamic,
                    SmallVectorImpl<int64_t> &out) {
    unsigned next = 0;
    for (int64_t value : fixed)
      out.push_back(ShapedType::isDynamic(value) ? getDivisor(dynamic[next++])
                                                 : lowBit(value));
  };
  collect(make.getType().getShape(), make.getSizes(), facts.sizes);
  collect(make.getType().getStrides(), make.getStrides(), facts.strides);
  return facts;
}

template <typename OpTy> static void attachViewFacts(OpTy op) {
  aa::TATiledViewType view = op.getView().getType();
  std::optional<ViewFacts> facts = getViewFacts(op.getView());
  if (!facts)
    return;
  MLIRContext *context = op.getContext();
  int64_t bits = aa::getStorageBits(view.getElementType());
  unsigned rank = view.getRank();
  SmallVector<int32_t> runs(rank, 1);
  SmallVector<bool> inBounds(rank, false);
  if (op.getInBounds())
    inBounds.assign(op.getInBounds()->begin(), op.getInBounds()->end());
  int64_t alignBits = std::min(kMaxDivisor, facts->base * 8);
  for (unsigned d = 0; d < rank; ++d) {
    unsigned g = view.getMemRefDim(d);
    int64_t extent = view.getTileShape()[d], step = view.getSteps()[d];
    bool sparse = int64_t(d) == view.getSparseDim();
    // Tiles that cover a multiple of their extent never leave it: coordinates
    // outside the index space are undefined.
    if (!sparse && step == extent && facts->sizes[g] % extent == 0)
      inBounds[d] = true;
    bool unit = view.getSource().getStrides()[g] == 1;
    int64_t strideBits = std::min(kMaxDivisor, facts->strides[g] * bits);
    if (!unit || sparse) {
      alignBits = std::min(alignBits, strideBits);
      continue;
    }
    int64_t start = lowBit(step);
    alignBits = std::min(alignBits, start * bits);
    int64_t run = inBounds[d] ? extent
                              : std::min({extent, start, facts->sizes[g]});
    runs[d] = std::min<int64_t>(run, 1 << 20);
  }
  if (!op.getOffsets().empty()) {
    // Offsets inside the tile may start anywhere.
    alignBits = std::min(alignBits, bits);
    runs.assign(rank, 1);
    inBounds.assign(rank, false);
    if (op.getInBounds())
      inBounds.assign(op.getInBounds()->begin(), op.getInBounds()->end());
  }
  if (llvm::is_contained(inBounds, true))
    op.setInBounds(inBounds);
  Builder builder(context);
  op->setAttr(as::TileASDialect::getAlignAttrName(),
              builder.getI32IntegerAttr(std::max<int64_t>(1, alignBits / 8)));
  op->setAttr(as::TileASDialect::getContiguousAttrName(),
              builder.getDenseI32ArrayAttr(runs));
}

void attachAccessFacts(aa::FuncOp func) {
  func->walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRmwOp,
              aa::GatherLoadOp, aa::ScatterStoreOp>(
            [](auto access) { attachViewFacts(access); });
  });
}

} // namespace tileir
