// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/OpConversion.h"

#include "dialects/support/RuntimeGates.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/stage/TensorCopies.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/Clipping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "axis-info"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Larger facts have no use and would overflow multiplications.
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
  aa::MakeMemRefOp memref;
  int64_t base;
  SmallVector<int64_t> sizes, strides;
};

} // namespace

/// Strips assumptions and changes of width from `value`, a bound or a bounded
/// number; a truncation may have changed the number.
static Value peel(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::TruncIOp, arith::ExtUIOp, arith::ExtSIOp, aa::AssumeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Strips the operations that keep the number.
static Value peelExact(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtUIOp, aa::AssumeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns whether `value` is the extent of `memref` along `dim`.
static bool isSize(Value value, aa::MakeMemRefOp memref, unsigned dim) {
  value = peelExact(value);
  if (auto size = value.getDefiningOp<aa::GetDimSizeOp>()) {
    Value source = size.getSource();
    if (auto assume = source.getDefiningOp<aa::AssumeOp>())
      source = assume.getValue();
    return source == memref.getResult() && size.getDim() == dim;
  }
  ArrayRef<int64_t> shape = memref.getType().getShape();
  if (!ShapedType::isDynamic(shape[dim]))
    return false;
  unsigned next = llvm::count_if(shape.take_front(dim), ShapedType::isDynamic);
  return peelExact(memref.getSizes()[next]) == value;
}

/// Returns whether `count` is at most the number of whole tiles of `extent`
/// that `memref` has along `dim`, whose size is a multiple of it.
static bool isTileCount(Value count, aa::MakeMemRefOp memref, unsigned dim,
                        int64_t extent) {
  count = peel(count);
  APInt number;
  int64_t size = memref.getType().getShape()[dim];
  if (matchPattern(count, m_ConstantInt(&number)))
    return !ShapedType::isDynamic(size) && number.isSignedIntN(63) &&
           number.getSExtValue() <= size / extent;
  if (!isa_and_present<arith::CeilDivUIOp, arith::CeilDivSIOp, arith::DivUIOp,
                       arith::DivSIOp>(count.getDefiningOp()))
    return false;
  Operation *division = count.getDefiningOp();
  return matchPattern(division->getOperand(1), m_ConstantInt(&number)) &&
         number == extent && isSize(division->getOperand(0), memref, dim);
}

/// Returns whether the tile of `extent` elements that begins at `coord` times
/// `step` lies inside `memref` along `dim`, whose size is a multiple of
/// `extent`. A launch may have more blocks than tiles: only a bound of a
/// coordinate is a proof.
static bool isWholeTile(Value coord, aa::MakeMemRefOp memref, unsigned dim,
                        int64_t extent, int64_t step) {
  coord = peel(coord);
  APInt number;
  int64_t size = memref.getType().getShape()[dim];
  if (matchPattern(coord, m_ConstantInt(&number)))
    return !ShapedType::isDynamic(size) && size >= extent &&
           number.isNonNegative() && number.isSignedIntN(63) &&
           number.getSExtValue() <= (size - extent) / step;
  if (step != extent)
    return false;
  auto arg = dyn_cast<BlockArgument>(coord);
  auto loop =
      arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()) : nullptr;
  return loop && arg == loop.getInductionVar() &&
         matchPattern(loop.getLowerBound(), m_ConstantInt(&number)) &&
         number.isNonNegative() &&
         isTileCount(loop.getUpperBound(), memref, dim, extent);
}

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
  facts.memref = make;
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

/// Returns why no tensor map can describe the memory of `view`; empty if one
/// can. Tiles may begin anywhere except inside a line.
static StringRef checkTensorMap(aa::TATiledViewType view,
                                const ViewFacts &facts) {
  // PTX ISA, "Tensors": base and strides are multiples of so many bytes, so is
  // a line of a box.
  constexpr int64_t kLineBytes = 16, kMaxDims = 5, kMaxStride = 1ll << 40;
  int64_t bits = aa::getStorageBits(view.getElementType());
  if (view.hasSparseDim())
    return kRowsGathered;
  if (!view.getGroupSizes().empty())
    return "a tile dimension spans several memory dimensions";
  if (view.getRank() > kMaxDims)
    return "it has more than 5 dimensions";
  if (bits % 8)
    return "its elements are parts of bytes";
  if (facts.base < kLineBytes)
    return "base pointer not 16-byte aligned";
  bool hasLine = false;
  for (unsigned d = 0; d < view.getRank(); ++d) {
    unsigned g = view.getMemRefDim(d);
    int64_t stride = view.getSource().getStrides()[g];
    if (stride == 1 && !hasLine) {
      if (view.getTileShape()[d] * bits / 8 % kLineBytes)
        break;
      // An H200 stops at such a copy with an illegal instruction, with maps of
      // any encoder; the manuals do not say so.
      if (view.getSteps()[d] * bits / 8 % kLineBytes)
        return "tiles begin inside of 16 bytes";
      hasLine = true;
      continue;
    }
    if (std::min(kMaxDivisor, facts.strides[g] * bits / 8) % kLineBytes)
      return "stride not 16-byte aligned";
    if (!ShapedType::isDynamic(stride) &&
        (stride < 0 || stride * bits / 8 >= kMaxStride))
      return "a stride does not fit the tensor map";
  }
  return hasLine ? "" : "leading tile dimension not 16-byte aligned";
}

/// Returns whether tiles along dimension `d` of `view` are known to never stick
/// out of the tensor: extents and starts are multiples of the tile.
static bool dividesTensor(aa::TATiledViewType view, const ViewFacts &facts,
                          unsigned d) {
  int64_t extent = view.getTileShape()[d];
  return lowBit(view.getSteps()[d]) % extent == 0 &&
         facts.sizes[view.getMemRefDim(d)] % extent == 0;
}

/// Gives `load` a view whose elements outside of the tensor are zero, as TMA
/// fills them.
static void padWithZero(aa::TiledLoadOp load) {
  aa::TATiledViewType view = load.getView().getType();
  auto tile = load.getView().getDefiningOp<aa::BlockTileOp>();
  if (view.getPadding() || !tile)
    return;
  OpBuilder builder(tile);
  auto padded = aa::TATiledViewType::get(
      view.getTileShape(), view.getSource(), view.getDims(), view.getSteps(),
      view.getSparseDim(),
      aa::PaddingValueAttr::get(builder.getContext(), aa::PaddingValue::Zero));
  load.getViewMutable().assign(aa::BlockTileOp::create(
      builder, tile.getLoc(), padded, tile.getSource()));
}

/// Returns whether a thread could access fewer neighbours at once if tiles were
/// clipped along dimension `d` of `view`.
static bool narrowsAccess(aa::TATiledViewType view, const ViewFacts &facts,
                          unsigned d) {
  constexpr int64_t kVectorBits = 128;
  unsigned g = view.getMemRefDim(d);
  int64_t bits = aa::getStorageBits(view.getElementType());
  return view.getSource().getStrides()[g] == 1 &&
         facts.sizes[g] * bits <
             std::min(kVectorBits, view.getTileShape()[d] * bits);
}

/// Withdraws promises of `op` that the tile lies inside of the tensor where the
/// extents do not say so and a tensor map could describe the access. Other
/// compilers let the map clip such a tile, and programs rely on it although the
/// promise is broken. Legal: a fact may always be dropped (spec of nv_tileaa).
/// Targets without tensor copies clip where predicates leave accesses as wide
/// as they are.
template <typename OpTy>
static void clipOverhang(OpTy op, const ViewFacts &facts) {
  aa::TATiledViewType view = op.getView().getType();
  std::optional<Target> target = getTarget(op);
  if (!op.getInBounds() || !target || !op.getOffsets().empty() ||
      !checkTensorMap(view, facts).empty())
    return;
  if constexpr (!std::is_same_v<OpTy, aa::TiledAtomicRmwOp>)
    if (op.getAllowTma() == false)
      return;
  SmallVector<bool> inBounds(op.getInBounds()->begin(),
                             op.getInBounds()->end());
  SmallVector<bool> clipped(view.getRank(), false);
  SmallVector<unsigned> dims;
  for (unsigned d = 0; d < view.getRank(); ++d) {
    unsigned g = view.getMemRefDim(d);
    Value coord = op.getCoords()[d];
    // Of other coordinates the proof takes for granted that tiles are whole.
    bool isInside = matchPattern(peel(coord), m_Constant()) &&
                    isWholeTile(coord, facts.memref, g, view.getTileShape()[d],
                                view.getSteps()[d]);
    if (!inBounds[d] || isInside || dividesTensor(view, facts, d) ||
        (!target->hasTma() && narrowsAccess(view, facts, d)))
      continue;
    inBounds[d] = false;
    clipped[d] = true;
    dims.push_back(d);
  }
  if (dims.empty())
    return;
  op.setInBounds(inBounds);
  op->setAttr(as::kClippedAttr,
              Builder(op.getContext()).getDenseBoolArrayAttr(clipped));
  if constexpr (std::is_same_v<OpTy, aa::TiledLoadOp>)
    padWithZero(op);
  remark::missed(op.getLoc(), remarkAbout(op, "Overhang", "tileas"))
      << StringRef("tile is clipped at the end of the tensor in spite of "
                   "'inbounds'")
      << remark::metric("Dimensions", llvm::interleaved(dims).str())
      << remark::metric("Reason",
                        StringRef("the extent is not known to be a multiple of "
                                  "the tile"))
      << remark::metric("Suggestion",
                        StringRef("assume that the extent is divisible by the "
                                  "tile, or leave out 'inbounds'"));
}

template <typename OpTy>
static void attachViewFacts(const AxisInfoAnalysis &axes, OpTy op) {
  std::optional<ViewFacts> facts = getViewFacts(axes, op.getView());
  if (!facts)
    return;
  if constexpr (!std::is_same_v<OpTy, aa::GatherLoadOp> &&
                !std::is_same_v<OpTy, aa::ScatterStoreOp>)
    clipOverhang(op, *facts);
  aa::TATiledViewType view = op.getView().getType();
  int64_t bits = aa::getStorageBits(view.getElementType());
  unsigned rank = view.getRank();
  SmallVector<int32_t> runs(rank, 1);
  SmallVector<bool> inBounds(rank, false), whole(rank, false);
  if (op.getInBounds())
    inBounds.assign(op.getInBounds()->begin(), op.getInBounds()->end());
  int64_t alignBits = std::min(kMaxDivisor, facts->base * 8);
  for (unsigned d = 0; d < rank; ++d) {
    unsigned g = view.getMemRefDim(d);
    int64_t extent = view.getTileShape()[d], step = view.getSteps()[d];
    bool sparse = int64_t(d) == view.getSparseDim();
    // Divides every position at which a tile begins.
    int64_t start = lowBit(step);
    if (!sparse && view.hasSparseDim())
      start =
          std::min(kMaxDivisor, start * getDivisor(axes, op.getCoords()[d]));
    // Tiles that cover a multiple of their extent never stick out of it.
    if (!sparse && start % extent == 0 && facts->sizes[g] % extent == 0) {
      whole[d] = !inBounds[d];
      if (isWholeTile(op.getCoords()[d], facts->memref, g, extent, step))
        inBounds[d] = true;
    }
    bool unit = view.getSource().getStrides()[g] == 1;
    int64_t strideBits = std::min(kMaxDivisor, facts->strides[g] * bits);
    if (!unit || sparse) {
      alignBits = std::min(alignBits, strideBits);
      continue;
    }
    alignBits = std::min(alignBits, start * bits);
    int64_t run =
        inBounds[d] ? extent : std::min({extent, start, facts->sizes[g]});
    runs[d] = std::min<int64_t>(run, 1 << 20);
  }
  if (!op.getOffsets().empty()) {
    // Offsets inside the tile may start anywhere.
    alignBits = std::min(alignBits, bits);
    runs.assign(rank, 1);
    whole.assign(rank, false);
    inBounds.assign(rank, false);
    if (op.getInBounds())
      inBounds.assign(op.getInBounds()->begin(), op.getInBounds()->end());
  }
  if (llvm::is_contained(inBounds, true))
    op.setInBounds(inBounds);
  for (unsigned d = 0; d < rank; ++d)
    whole[d] = whole[d] && !inBounds[d];
  if (llvm::is_contained(whole, true))
    op->setAttr(as::TileASDialect::getWholeAttrName(),
                Builder(op->getContext()).getDenseBoolArrayAttr(whole));
  TILEIR_LOG() << op.getLoc() << ": " << op->getName() << " aligned to "
               << std::max<int64_t>(1, alignBits / 8) << " bytes, runs of "
               << llvm::interleaved_array(runs).str() << " elements";
  setFacts(op, std::max<int64_t>(1, alignBits / 8), runs);
  bool mayBeTensorCopy = std::is_same_v<OpTy, aa::TiledLoadOp> ||
                         (std::is_same_v<OpTy, aa::TiledStoreOp> &&
                          gates::preferTmaForLoadStore() != false);
  if (mayBeTensorCopy) {
    StringRef reason = checkTensorMap(view, *facts);
    op->setAttr(as::TileASDialect::getTmaAttrName(),
                StringAttr::get(op->getContext(),
                                reason.empty() ? StringRef("ok") : reason));
  }
}

/// `info`, of a value or of a function, as text.
template <typename Info> static std::string describe(const Info &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  info.print(os);
  return text;
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
  TILEIR_LOG() << op.getLoc() << ": " << op->getName() << " by "
               << describe(axes.get(ptr));
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

/// Says which neighbours a comparison answers alike: a mask that goes along the
/// elements of a row changes only where the row ends.
static void attachCompareFacts(const AxisInfoAnalysis &axes, arith::CmpIOp op) {
  auto tile = dyn_cast<RankedTensorType>(op.getType());
  if (!tile)
    return;
  SmallVector<int32_t> runs;
  for (int64_t d = 0; d < tile.getRank(); ++d)
    runs.push_back(lowBit(
        std::min(axes.get(op.getResult()).getConstancy(d), kMaxDivisor)));
  if (llvm::any_of(runs, [](int32_t run) { return run > 1; }))
    op->setAttr(as::TileASDialect::getContiguousAttrName(),
                Builder(op.getContext()).getDenseI32ArrayAttr(runs));
}

void attachAccessFacts(aa::FuncOp func) {
  AxisInfoAnalysis axes(func);
  TILEIR_LOG() << func.getName() << ":\n" << describe(axes);
  func->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<aa::LoadOp, aa::StoreOp, aa::AtomicRmwOp, aa::AtomicCasOp>(
            [&](auto access) { attachPointerFacts(axes, access); })
        .Case<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRmwOp,
              aa::GatherLoadOp, aa::ScatterStoreOp>(
            [&](auto access) { attachViewFacts(axes, access); })
        .Case(
            [&](arith::CmpIOp compare) { attachCompareFacts(axes, compare); });
  });
}

} // namespace tileir
