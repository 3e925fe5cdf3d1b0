// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/OpConversion.h"

#include "passes/analysis/AxisInfo.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Facts above this are of no use and would overflow products.
static constexpr int64_t kMaxDivisor = int64_t(1) << 30;
/// No access is wider (PTX ISA, ld with 256 bits).
static constexpr int64_t kMaxRunBytes = 32;

static int64_t lowBit(int64_t value) {
  return value ? std::min(value & -value, kMaxDivisor) : kMaxDivisor;
}

/// A power of two that divides a scalar.
static int64_t getDivisor(const AxisInfoAnalysis &axes, Value scalar) {
  return std::min(kMaxDivisor, axes.get(scalar).getDivisibility(0));
}

namespace {

/// Sizes and strides of a view's memory object, as divisors.
struct ViewFacts {
  int64_t base;
  SmallVector<int64_t> sizes, strides;
};

} // namespace

static std::optional<ViewFacts> getViewFacts(const AxisInfoAnalysis &axes,
                                             Value view) {
  Value source = view;
  while (Operation *op = source.getDefiningOp()) {
    if (!isa<aa::BlockTileOp, aa::AssumeOp>(op))
      break;
    source = op->getOperand(0);
  }
  auto make = source.getDefiningOp<aa::MakeMemRefOp>();
  if (!make)
    return std::nullopt;
  ViewFacts facts;
  facts.base = std::min(kMaxDivisor, axes.getBaseAlignment(view));
  auto collect = [&](ArrayRef<int64_t> fixed, OperandRange dynamic,
                     SmallVectorImpl<int64_t> &out) {
    unsigned next = 0;
    for (int64_t value : fixed)
      out.push_back(ShapedType::isDynamic(value)
                        ? getDivisor(axes, dynamic[next++])
                        : lowBit(value));
  };
  collect(make.getType().getShape(), make.getSizes(), facts.sizes);
  collect(make.getType().getStrides(), make.getStrides(), facts.strides);
  return facts;
}

static void setFacts(Operation *op, int64_t align, ArrayRef<int32_t> runs) {
  Builder builder(op->getContext());
  op->setAttr(as::TileASDialect::getAlignAttrName(),
              builder.getI32IntegerAttr(align));
  op->setAttr(as::TileASDialect::getContiguousAttrName(),
              builder.getDenseI32ArrayAttr(runs));
}

template <typename OpTy>
static void attachViewFacts(const AxisInfoAnalysis &axes, OpTy op) {
  aa::TATiledViewType view = op.getView().getType();
  std::optional<ViewFacts> facts = getViewFacts(axes, op.getView());
  if (!facts)
    return;
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
    int64_t run =
        inBounds[d] ? extent : std::min({extent, start, facts->sizes[g]});
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
  setFacts(op, std::max<int64_t>(1, alignBits / 8), runs);
}

template <typename OpTy>
static void attachPointerFacts(const AxisInfoAnalysis &axes, OpTy op) {
  Value ptr = op.getPtr();
  auto pointer = cast<aa::TAPointerType>(getElementTypeOrSelf(ptr.getType()));
  int64_t bytes =
      std::max<int64_t>(1, aa::getStorageBits(pointer.getPointee()) / 8);
  auto tile = dyn_cast<RankedTensorType>(ptr.getType());
  if (!tile)
    return setFacts(op, std::max(bytes, getDivisor(axes, ptr)), {});
  // Runs are no longer than their alignment allows, so that the longest one
  // tells the alignment.
  SmallVector<int32_t> runs;
  int64_t longest = 1;
  for (int64_t d = 0; d < tile.getRank(); ++d) {
    int64_t run = axes.getVectorElements(ptr, op.getMask(), d, kMaxRunBytes);
    longest = std::max(longest, run);
    runs.push_back(run);
  }
  setFacts(op, longest * bytes, runs);
}

void attachAccessFacts(aa::FuncOp func) {
  AxisInfoAnalysis axes(func);
  func->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<aa::LoadOp, aa::StoreOp, aa::AtomicRmwOp, aa::AtomicCasOp>(
            [&](auto access) { attachPointerFacts(axes, access); })
        .Case<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRmwOp,
              aa::GatherLoadOp, aa::ScatterStoreOp>(
            [&](auto access) { attachViewFacts(axes, access); });
  });
}

} // namespace tileir
