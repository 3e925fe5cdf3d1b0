// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/Access.h"

using namespace mlir;

namespace tileir::lowering {

/// Attributes of a tiled access that several patterns need.
template <typename OpTy>
static std::optional<ArrayRef<bool>> getInBounds(OpTy op) {
  if (auto attr = op.getInBoundsAttr())
    return attr.asArrayRef();
  return std::nullopt;
}

static SmallVector<Value> firsts(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    values.push_back(range.front());
  return values;
}

/// Unpacks the registers of index tiles to one value per element.
static SmallVector<SmallVector<Value>>
unpackCoords(Emitter &emitter, ValueRange coords, ArrayRef<ValueRange> words) {
  SmallVector<SmallVector<Value>> result;
  for (auto [coord, range] : llvm::zip(coords, words)) {
    if (auto tile = dyn_cast<RankedTensorType>(coord.getType()))
      result.push_back(emitter.unpack(range, tile));
    else
      result.push_back(llvm::to_vector(range));
  }
  return result;
}

static SmallVector<ValueRange> asRanges(ArrayRef<SmallVector<Value>> values) {
  SmallVector<ValueRange> ranges;
  for (const SmallVector<Value> &value : values)
    ranges.push_back(value);
  return ranges;
}

/// Returns the padding of `view` as the image of `width` elements; null if it
/// has none.
static Value paddingImage(Emitter &emitter, nv_tileaa::TATiledViewType view,
                          int64_t width) {
  if (!view.getPadding())
    return {};
  Type element = view.getElementType();
  APInt bits = getPaddingBits(view.getPadding(), element);
  unsigned memoryBits = getMemoryBits(element);
  auto type = emitter.memoryType(width, element);
  Type scalar = getElementTypeOrSelf(type);
  unsigned unit = scalar.getIntOrFloatBitWidth();
  APInt pattern = bits.zextOrTrunc(memoryBits);
  if (unit > memoryBits)
    pattern = APInt::getSplat(unit, pattern);
  Value value = emitter.constant(unit, pattern.getSExtValue());
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return value;
  return emitter.packVector(SmallVector<Value>(vector.getNumElements(), value));
}

/// Restricts stores to one of the threads that hold an element.
static void restrictToOwners(Emitter &emitter, AccessList &list,
                             const Layout &layout) {
  Value owns = emitter.ownsElements(layout);
  // A false predicate no longer implies that the tile leaves the array.
  list.isPromised &= !owns;
  for (Access &access : list.accesses)
    access.predicate = emitter.andBits(owns, access.predicate);
}

/// Loads the elements of a tile at `coords` and `offsets` of a view, and
/// replaces `op` by them.
template <typename OpTy, typename Adaptor>
static void loadView(Emitter &emitter, ConversionPatternRewriter &rewriter,
                     OpTy op, Adaptor adaptor, ArrayRef<ValueRange> coords,
                     ArrayRef<Value> offsets = {}) {
  nv_tileaa::TATiledViewType view = op.getView().getType();
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  Type element = tile.getElementType();
  AccessModifiers modifiers = getModifiers(op);
  modifiers.invariant = op.getInvariant();
  SmallVector<Value> elements;
  if (isPackedInViews(element)) {
    // Loads bytes.
    AccessList list = accessPackedView(emitter, op, view, adaptor.getView(),
                                       coords, tile, getInBounds(op));
    Type byte = emitter.intType(8);
    uint64_t nibble =
        getPaddingBits(view.getPadding(), view.getElementType()).getZExtValue();
    auto padding = [&](int64_t) -> Value {
      if (!view.getPadding())
        return {};
      SmallVector<Value> bytes(list.width,
                               emitter.constant(8, int8_t(nibble * 0x11)));
      return emitter.toMemory(bytes, byte);
    };
    elements = emitter.splitNibbles(
        emitLoads(emitter, list, byte, modifiers, padding));
  } else {
    AccessList list =
        accessView(emitter, op, view, adaptor.getView(), coords, offsets, tile,
                   getInBounds(op), getMaxBytes(op, element));
    auto padding = [&](int64_t) {
      return paddingImage(emitter, view, list.width);
    };
    elements = isMultimem(op)
                   ? emitMultimemLoads(emitter, list, element, modifiers,
                                       getMultimemMode(op), padding)
                   : emitLoads(emitter, list, element, modifiers, padding);
  }
  rewriter.replaceOpWithMultiple(
      op, {emitter.pack(elements, tile), SmallVector<Value>()});
}

/// Stores the elements of a tile at `coords` and `offsets` of a view.
template <typename OpTy, typename Adaptor>
static void storeView(Emitter &emitter, ConversionPatternRewriter &rewriter,
                      OpTy op, Adaptor adaptor, ArrayRef<ValueRange> coords,
                      ArrayRef<Value> offsets = {}) {
  nv_tileaa::TATiledViewType view = op.getView().getType();
  auto tile = cast<RankedTensorType>(op.getValue().getType());
  Type element = tile.getElementType();
  AccessModifiers modifiers = getModifiers(op);
  SmallVector<Value> values = emitter.unpack(adaptor.getValue(), tile);
  bool isPacked = isPackedInViews(element);
  AccessList list =
      isPacked
          ? accessPackedView(emitter, op, view, adaptor.getView(), coords, tile,
                             getInBounds(op))
          : accessView(emitter, op, view, adaptor.getView(), coords, offsets,
                       tile, getInBounds(op), getMaxBytes(op, element));
  restrictToOwners(emitter, list, getLayout(tile));
  // A thread holds both elements of its bytes.
  if (isPacked)
    emitStores(emitter, list, emitter.intType(8), modifiers,
               emitter.joinNibbles(values));
  else if (isMultimem(op))
    emitMultimemStores(emitter, list, element, modifiers, std::nullopt, values);
  else
    emitStores(emitter, list, element, modifiers, values);
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
}

namespace {

struct TiledLoadLowering final : TilePattern<nv_tileas::TiledLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::TiledLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    loadView(emitter, rewriter, op, adaptor, adaptor.getCoords(),
             firsts(adaptor.getOffsets()));
    return success();
  }
};

struct TiledStoreLowering final : TilePattern<nv_tileas::TiledStoreOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::TiledStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    storeView(emitter, rewriter, op, adaptor, adaptor.getCoords(),
              firsts(adaptor.getOffsets()));
    return success();
  }
};

struct GatherLoadLowering final : TilePattern<nv_tileas::GatherLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::GatherLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto coords = unpackCoords(emitter, op.getCoords(), adaptor.getCoords());
    loadView(emitter, rewriter, op, adaptor, asRanges(coords));
    return success();
  }
};

struct ScatterStoreLowering final : TilePattern<nv_tileas::ScatterStoreOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ScatterStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto coords = unpackCoords(emitter, op.getCoords(), adaptor.getCoords());
    storeView(emitter, rewriter, op, adaptor, asRanges(coords));
    return success();
  }
};

struct LoadLowering final : TilePattern<nv_tileas::LoadOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    AccessModifiers modifiers = getModifiers(op);
    modifiers.invariant = op.getInvariant();
    auto tile = dyn_cast<RankedTensorType>(op.getValue().getType());
    if (!tile) {
      Value value = loadScalar(emitter, op, adaptor, modifiers);
      rewriter.replaceOpWithMultiple(
          op, {SmallVector<Value>{value}, SmallVector<Value>()});
      return success();
    }
    auto ptrTile = cast<RankedTensorType>(op.getPtr().getType());
    SmallVector<Value> ptrs = emitter.unpack(adaptor.getPtr(), ptrTile);
    SmallVector<Value> mask, other;
    if (op.getMask())
      mask = emitter.unpack(adaptor.getMask(),
                            cast<RankedTensorType>(op.getMask().getType()));
    if (op.getOther())
      other = emitter.unpack(adaptor.getOther(), tile);
    Type element = tile.getElementType();
    AccessList list = accessPointers(emitter, op, ptrs, mask, ptrTile, element);
    SmallVector<Value> elements =
        emitLoads(emitter, list, element, modifiers, [&](int64_t reg) -> Value {
          if (!other.empty())
            return emitter.toMemory(
                ArrayRef<Value>(other).slice(reg, list.width), element);
          return {};
        });
    rewriter.replaceOpWithMultiple(
        op, {emitter.pack(elements, tile), SmallVector<Value>()});
    return success();
  }

private:
  /// Every thread reads a weak scalar. A stronger one may change between two
  /// reads: one thread reads it for all.
  Value loadScalar(Emitter &emitter, nv_tileas::LoadOp op,
                   OneToNOpAdaptor adaptor,
                   const AccessModifiers &modifiers) const {
    Type element = op.getValue().getType();
    int64_t bytes = getMemoryBits(element) / 8;
    AccessList list;
    list.align = bytes;
    list.space =
        cast<nv_tileaa::TAPointerType>(op.getPtr().getType()).getSpace();
    Value mask = op.getMask() ? adaptor.getMask().front() : Value();
    bool shared = !modifiers.isWeak() || modifiers.isVolatile;
    Value first =
        shared ? emitter.threadBitsClear(32 * uint64_t(emitter.numWarps()) - 1)
               : Value();
    list.accesses.push_back(
        {0, adaptor.getPtr().front(), emitter.andBits(mask, first)});
    Value value =
        emitLoads(emitter, list, element, modifiers, [&](int64_t) -> Value {
          if (op.getOther())
            return emitter.toMemory(adaptor.getOther().front(), element);
          return {};
        })[0];
    if (!shared)
      return value;
    int64_t offset = emitter.enterScratch(op);
    Value slot = emitter.smemPtr(offset);
    storeShared(emitter, first, slot, value, element);
    emitter.barrier();
    Value image = emitter.load(emitter.memoryType(1, element), slot, bytes);
    return emitter.fromMemory(image, 1, element)[0];
  }
};

struct StoreLowering final : TilePattern<nv_tileas::StoreOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Type element = getElementTypeOrSelf(op.getValue().getType());
    auto tile = dyn_cast<RankedTensorType>(op.getValue().getType());
    AccessList list;
    SmallVector<Value> values;
    if (!tile) {
      list.align = getMemoryBits(element) / 8;
      list.space =
          cast<nv_tileaa::TAPointerType>(op.getPtr().getType()).getSpace();
      Value first =
          emitter.threadBitsClear(32 * uint64_t(emitter.numWarps()) - 1);
      Value mask = op.getMask() ? adaptor.getMask().front() : Value();
      list.accesses.push_back(
          {0, adaptor.getPtr().front(), emitter.andBits(first, mask)});
      values.push_back(adaptor.getValue().front());
    } else {
      auto ptrTile = cast<RankedTensorType>(op.getPtr().getType());
      SmallVector<Value> ptrs = emitter.unpack(adaptor.getPtr(), ptrTile);
      SmallVector<Value> mask;
      if (op.getMask())
        mask = emitter.unpack(adaptor.getMask(),
                              cast<RankedTensorType>(op.getMask().getType()));
      list = accessPointers(emitter, op, ptrs, mask, ptrTile, element);
      restrictToOwners(emitter, list, getLayout(tile));
      values = emitter.unpack(adaptor.getValue(), tile);
    }
    emitStores(emitter, list, element, getModifiers(op), values);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

} // namespace

void populateMemoryPatterns(RewritePatternSet &patterns,
                            const TileTypeConverter &converter,
                            const LoweringState &state) {
  patterns.add<TiledLoadLowering, GatherLoadLowering, TiledStoreLowering,
               ScatterStoreLowering, LoadLowering, StoreLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
