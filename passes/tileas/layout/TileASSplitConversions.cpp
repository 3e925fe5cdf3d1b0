// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/layout/LayoutPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-split-conversions"

namespace tileir {

#define GEN_PASS_DECL_TILEASSPLITCONVERSIONS
#define GEN_PASS_DEF_TILEASSPLITCONVERSIONS
#include "dialects/support/RuntimeGates.h"
#include "passes/tileas/layout/TileASSplitConversions.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASSplitConversions final
    : impl::TileASSplitConversionsBase<TileASSplitConversions> {
  using TileASSplitConversionsBase::TileASSplitConversionsBase;

  void runOnOperation() override;

private:
  /// `isPart`: a part of a conversion through a third layout, which is not
  /// split that way again.
  void split(as::ConvertLayoutOp convert, int64_t limit, bool isPart = false);
  bool splitInTwo(as::ConvertLayoutOp convert, unsigned wanted, int64_t limit);
};

/// Index bits of one dimension, `count` from bit `first` on.
struct SlabBits {
  unsigned dim = 0, first = 0, count = 0;
};

} // namespace

/// Returns whether `bit` of the index of `dim` is a register by itself, and
/// nowhere else.
static bool isRegister(const Layout &layout, unsigned dim, unsigned bit) {
  uint32_t unit = layout.unit(dim, bit);
  bool found = false;
  for (unsigned space = 0; space < layout.getNumDims(); ++space)
    for (uint32_t basis : layout.getFlatBases(space)) {
      if (!(basis & unit))
        continue;
      if (space != kRegister || basis != unit)
        return false;
      found = true;
    }
  return found;
}

/// The bits that number 2^`count` slabs, or as many as there are. The highest
/// ones: contiguous elements stay contiguous.
static SlabBits findBits(const Layout &from, const Layout &to, unsigned count) {
  SlabBits best;
  for (unsigned dim = 0; dim < from.getRank(); ++dim) {
    unsigned run = 0;
    for (unsigned bit = from.getLog2Extent(dim); bit-- > 0;) {
      bool both = isRegister(from, dim, bit) && isRegister(to, dim, bit);
      run = both ? run + 1 : 0;
      if (run > best.count && best.count < count)
        best = {dim, bit, run};
    }
  }
  return best;
}

/// Groups of `count` adjacent index bits that are register bits of `layout`,
/// the highest of the first dimension that has some; empty if there are none.
static SmallVector<uint32_t> findRegisters(const Layout &layout,
                                           unsigned count) {
  SlabBits bits = findBits(layout, layout, count);
  SmallVector<uint32_t> units;
  for (unsigned bit = 0; bits.count == count && bit < count; ++bit)
    units.push_back(layout.unit(bits.dim, bits.first + bit));
  return units;
}

/// A layout with registers in common with `source` as with `target`, enough of
/// both to tell 2^`count` slabs apart: the lanes and warps of `target`, but for
/// bits that are registers now.
static std::optional<Layout> findBetween(const Layout &source,
                                         const Layout &target, unsigned count) {
  SmallVector<uint32_t> kept = findRegisters(source, count);
  SmallVector<uint32_t> others = findRegisters(target, count);
  if (kept.empty() || others.empty())
    return std::nullopt;
  kept.append(others);
  SmallVector<uint32_t> free;
  for (uint32_t basis : target.getFlatBases(kRegister))
    if (!llvm::is_contained(kept, basis))
      free.push_back(basis);
  Layout::FlatBases bases(target.getNumDims());
  bases[kRegister].assign(kept.begin(), kept.end());
  for (unsigned space = 0; space < target.getNumDims(); ++space)
    for (uint32_t basis : target.getFlatBases(space)) {
      if (!llvm::isPowerOf2_32(basis))
        return std::nullopt;
      if (space == kRegister)
        continue;
      if (llvm::is_contained(kept, basis)) {
        if (free.empty())
          return std::nullopt;
        basis = free.pop_back_val();
      }
      bases[space].push_back(basis);
    }
  bases[kRegister].insert(bases[kRegister].end(), free.begin(), free.end());
  Layout between =
      Layout::getUnchecked(LayoutSpace::Reg, target.getShape(), bases);
  return between.verify().empty() ? std::optional<Layout>(between)
                                  : std::nullopt;
}

static RankedTensorType withShape(RankedTensorType type, const Layout &layout) {
  Layout::Shape shape = layout.getShape();
  return RankedTensorType::get(shape, type.getElementType(),
                               as::getLayoutAttr(type.getContext(), layout));
}

/// The same conversion of the tile as one long row.
static as::ConvertLayoutOp flatten(as::ConvertLayoutOp convert) {
  auto from = cast<RankedTensorType>(convert.getSource().getType());
  auto to = cast<RankedTensorType>(convert.getType());
  auto rowOf = [&](RankedTensorType type) {
    return withShape(type, as::getTileLayout(type).getLayout().reshape(
                               {type.getNumElements()}));
  };
  OpBuilder builder(convert);
  Location loc = convert.getLoc();
  Value row = as::ViewOp::create(builder, loc, rowOf(from), convert.getSource(),
                                 Value(), false);
  auto result = as::ConvertLayoutOp::create(builder, loc, rowOf(to), row);
  Value whole = as::ViewOp::create(builder, loc, to, result, Value(), false);
  convert.replaceAllUsesWith(whole);
  convert.erase();
  return result;
}

/// By way of a third layout, if there is one that helps.
bool TileASSplitConversions::splitInTwo(as::ConvertLayoutOp convert,
                                        unsigned wanted, int64_t limit) {
  auto from = cast<RankedTensorType>(convert.getSource().getType());
  auto to = cast<RankedTensorType>(convert.getType());
  std::optional<Layout> between =
      findBetween(as::getTileLayout(from).getLayout(),
                  as::getTileLayout(to).getLayout(), wanted);
  if (!between)
    return false;
  OpBuilder builder(convert);
  auto first = as::ConvertLayoutOp::create(
      builder, convert.getLoc(), withShape(to, *between), convert.getSource());
  auto second =
      as::ConvertLayoutOp::create(builder, convert.getLoc(), to, first);
  convert.replaceAllUsesWith(second.getResult());
  convert.erase();
  for (as::ConvertLayoutOp part : {first, second})
    if (part.getScratchBytes() > limit)
      split(part, limit, /*isPart=*/true);
  return true;
}

void TileASSplitConversions::split(as::ConvertLayoutOp convert, int64_t limit,
                                   bool isPart) {
  auto from = cast<RankedTensorType>(convert.getSource().getType());
  auto to = cast<RankedTensorType>(convert.getType());
  Layout source = as::getTileLayout(from).getLayout();
  Layout target = as::getTileLayout(to).getLayout();
  int64_t bytes = convert.getScratchBytes();
  unsigned wanted = llvm::Log2_64_Ceil(llvm::divideCeil(bytes, limit));
  SlabBits bits = findBits(source, target, wanted);
  TILEIR_LOG() << convert.getLoc() << ": " << bytes << " bytes of at most "
               << limit << "; " << bits.count << " of " << wanted
               << " index bits are registers on both sides";
  auto missed = [&](StringRef why) {
    remark::missed(convert.getLoc(),
                   remarkAbout(convert, "SplitConversions", "tileas"))
        << remark::reason("{0} bytes go through shared memory at once, {1}",
                          bytes, why);
  };
  // Two more dimensions.
  if (from.getRank() + 2 > Layout::kMaxRank)
    return split(flatten(convert), limit, isPart);
  if (bits.count < wanted && !isPart && splitInTwo(convert, wanted, limit))
    return;
  if (bits.count < wanted)
    return missed("the layouts have no registers in common that tell slabs "
                  "apart");
  int64_t slabs = int64_t(1) << bits.count;
  Layout::Shape shape = source.getShape();
  int64_t below = int64_t(1) << bits.first;
  int64_t above = shape[bits.dim] / slabs / below;
  shape[bits.dim] = below;
  shape.insert(shape.begin() + bits.dim, {above, slabs});
  Layout splitSource = source.reshape(shape),
         splitTarget = target.reshape(shape);
  Layout::Shape part = shape;
  part[bits.dim + 1] = 1;
  std::optional<Layout> slab = splitSource.extract(part);
  std::optional<Layout> converted = splitTarget.extract(part);
  if (!slab || !converted)
    return missed("slabs have no layout");

  OpBuilder builder(convert);
  Location loc = convert.getLoc();
  Value whole = as::ViewOp::create(builder, loc, withShape(from, splitSource),
                                   convert.getSource(), Value(), false);
  Value result = as::AllocTensorOp::create(
      builder, loc, withShape(to, splitTarget), IntegerAttr(), IntegerAttr());
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  SmallVector<Value> offsets(shape.size(), zero);
  for (int64_t i = 0; i < slabs; ++i) {
    offsets[bits.dim + 1] = arith::ConstantIntOp::create(builder, loc, i, 32);
    Value piece = as::ExtractSliceOp::create(
        builder, loc, withShape(from, *slab), whole, offsets);
    piece = as::ConvertLayoutOp::create(builder, loc, withShape(to, *converted),
                                        piece);
    result = as::InsertSliceOp::create(builder, loc, result.getType(), piece,
                                       result, offsets);
  }
  result = as::ViewOp::create(builder, loc, to, result, Value(), false);
  ++numSplit;
  remark::passed(loc, remarkAbout(convert, "SplitConversions", "tileas"))
      << "through shared memory in slabs" << remark::metric("Slabs", slabs)
      << remark::metric("Bytes", bytes);
  convert.replaceAllUsesWith(result);
  convert.erase();
}

void TileASSplitConversions::runOnOperation() {
  aa::FuncOp func = getOperation();
  std::optional<Target> target = getTarget(func);
  int64_t limit = maxBytes;
  if (!limit && target)
    limit = gates::sharedMemoryCap(*target);
  if (!limit)
    return;
  SmallVector<as::ConvertLayoutOp> large;
  func.walk([&](as::ConvertLayoutOp convert) {
    if (!convert.getScratch() && convert.getScratchBytes() > limit)
      large.push_back(convert);
  });
  for (as::ConvertLayoutOp convert : large)
    split(convert, limit);
}

} // namespace tileir
