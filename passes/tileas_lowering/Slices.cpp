// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single elements and slices of a tile, at indices known at run time.

#include "passes/tileas_lowering/Access.h"

using namespace mlir;

namespace tileir::lowering {

/// Index bits of `whole` that a slice of extents `part` discards.
static uint32_t discardedBits(const Layout &whole, ArrayRef<int64_t> part) {
  uint32_t mask = 0;
  for (unsigned d = 0; d < whole.getRank(); ++d)
    mask |= uint32_t(whole.getExtent(d) - part[d]) << whole.getFlatShift(d);
  return mask;
}

/// Picks `values[index]`, where bit i of `index` is `bits[i]` (null: zero).
static Value selectByBits(Emitter &emitter, SmallVector<Value> values,
                          ArrayRef<Value> bits) {
  for (unsigned i = 0; values.size() > 1; ++i) {
    SmallVector<Value> next;
    for (unsigned k = 0; k < values.size(); k += 2)
      next.push_back(bits[i] ? emitter.select(bits[i], values[k + 1], values[k])
                             : values[k]);
    values = next;
  }
  return values[0];
}

/// Value of a linear function of a dynamic row-major index.
static Value linearOfIndex(Emitter &emitter, Value flat, const LinearMap &map) {
  Value result = emitter.i32(0);
  for (unsigned i = 0; i < map.numInputs(); ++i) {
    if (!map.column(i))
      continue;
    Value bit = emitter.andConst(emitter.shrConst(flat, i), 1);
    result = emitter.xorValues(result, emitter.mulConst(bit, map.column(i)));
  }
  return result;
}

/// Row-major index of dynamic coordinates.
static Value flattenIndex(Emitter &emitter, const Layout &layout,
                          ValueRange coords) {
  Value flat = emitter.i32(0);
  for (unsigned d = 0; d < layout.getRank(); ++d) {
    Value coord = emitter.andConst(coords[d], layout.getExtent(d) - 1);
    flat = emitter.add(flat, emitter.shlConst(coord, layout.getFlatShift(d)));
  }
  return flat;
}

/// Flat single values out of the ranges of a variadic operand.
static SmallVector<Value> firsts(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    values.push_back(range.front());
  return values;
}

namespace {

struct ExtractLowering final : TilePattern<nv_tileas::ExtractOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ExtractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto type = cast<RankedTensorType>(op.getSource().getType());
    const Layout &layout = getLayout(type);
    SmallVector<Value> values = emitter.unpack(adaptor.getSource(), type);
    Value flat = flattenIndex(emitter, layout, firsts(adaptor.getIndices()));
    // Where the element lives: register, lane and warp bits of its location.
    LinearMap inverse = layout.leftInverse();
    unsigned regs = layout.getNumBases(kRegister);
    Value reg = linearOfIndex(emitter, flat, inverse.rows(0, regs));
    Value thread = linearOfIndex(
        emitter, flat, inverse.rows(regs, 5 + layout.getNumBases(kWarp)));
    SmallVector<Value> bits;
    for (unsigned i = 0; i < regs; ++i)
      bits.push_back(emitter.icmp(LLVM::ICmpPredicate::ne,
                                  emitter.andConst(reg, int64_t(1) << i),
                                  emitter.i32(0)));
    Value mine = selectByBits(emitter, values, bits);
    if (!op.getScratchBytes()) {
      rewriter.replaceOp(op,
                         emitter.shuffle(NVVM::ShflKind::idx, mine, thread));
      return success();
    }
    Type element = type.getElementType();
    Value ptr = emitter.smemPtr(emitter.enterScratch(op));
    unsigned bytes = getMemoryBits(element) / 8;
    Value owner = emitter.icmp(LLVM::ICmpPredicate::eq, emitter.tid(), thread);
    storeShared(emitter, owner, ptr, mine, element);
    emitter.barrier();
    Value image = emitter.load(emitter.memoryType(1, element), ptr, bytes);
    rewriter.replaceOp(op, emitter.fromMemory(image, 1, element)[0]);
    return success();
  }
};

/// A tile in scratch memory in row-major order, for all threads to read.
class RowMajorScratch {
public:
  RowMajorScratch(Emitter &emitter, Operation *user, RankedTensorType type,
                  ArrayRef<Value> values)
      : emitter(emitter), element(type.getElementType()),
        bytes(getMemoryBits(element) / 8),
        base(emitter.smemPtr(emitter.enterScratch(user))) {
    const Layout &layout = getLayout(type);
    Value thread = emitter.rowMajorOfThread(layout);
    Value owns = emitter.ownsElements(layout);
    SmallVector<Value> ptrs;
    for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
      ptrs.push_back(at(emitter.xorConst(thread, layout.applyFlat(reg))));
    storeShared(emitter, owns, ptrs, values, element);
    emitter.barrier();
  }

  /// The element at a row-major index.
  Value load(Value index) {
    Value image =
        emitter.load(emitter.memoryType(1, element), at(index), bytes);
    return emitter.fromMemory(image, 1, element)[0];
  }

private:
  Value at(Value index) {
    return emitter.gep(base, emitter.mulConst(index, bytes));
  }

  Emitter &emitter;
  Type element;
  unsigned bytes;
  Value base;
};

struct ExtractSliceLowering final : TilePattern<nv_tileas::ExtractSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ExtractSliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto whole = cast<RankedTensorType>(op.getSource().getType());
    RankedTensorType part = op.getType();
    const Layout &from = getLayout(whole), &to = getLayout(part);
    SmallVector<Value> values = emitter.unpack(adaptor.getSource(), whole);
    Value offset = flattenIndex(emitter, from, firsts(adaptor.getOffsets()));
    SmallVector<Value> elements;
    if (isSliceOfRegisters(whole, part)) {
      // The discarded bits select among registers.
      uint32_t discarded = discardedBits(from, part.getShape());
      SmallVector<unsigned> kept, dropped;
      SmallVector<Value> bits;
      for (unsigned i = 0; i < from.getNumBases(kRegister); ++i) {
        uint32_t basis = from.getFlatBasis(kRegister, i);
        if (!(basis & discarded)) {
          kept.push_back(i);
          continue;
        }
        dropped.push_back(i);
        bits.push_back(emitter.icmp(LLVM::ICmpPredicate::ne,
                                    emitter.andConst(offset, basis),
                                    emitter.i32(0)));
      }
      for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
        int64_t base = 0;
        for (auto [i, bit] : llvm::enumerate(kept))
          base |= ((reg >> i) & 1) << bit;
        SmallVector<Value> candidates;
        for (int64_t pick = 0; pick < int64_t(1) << dropped.size(); ++pick) {
          int64_t index = base;
          for (auto [i, bit] : llvm::enumerate(dropped))
            index |= ((pick >> i) & 1) << bit;
          candidates.push_back(values[index]);
        }
        elements.push_back(selectByBits(emitter, candidates, bits));
      }
    } else {
      RowMajorScratch scratch(emitter, op, whole, values);
      // Positions of the part inside the whole.
      TileCoords coords(emitter, to);
      for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
        Value index = offset;
        for (unsigned d = 0; d < to.getRank(); ++d)
          index = emitter.add(index, emitter.shlConst(coords.get(d, reg),
                                                      from.getFlatShift(d)));
        elements.push_back(scratch.load(index));
      }
    }
    rewriter.replaceOpWithMultiple(op, {emitter.pack(elements, part)});
    return success();
  }
};

struct InsertSliceLowering final : TilePattern<nv_tileas::InsertSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::InsertSliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    auto part = cast<RankedTensorType>(op.getSource().getType());
    auto whole = cast<RankedTensorType>(op.getType());
    const Layout &from = getLayout(part), &to = getLayout(whole);
    SmallVector<Value> small = emitter.unpack(adaptor.getSource(), part);
    SmallVector<Value> values = emitter.unpack(adaptor.getDest(), whole);
    Value offset = flattenIndex(emitter, to, firsts(adaptor.getOffsets()));
    uint32_t discarded = discardedBits(to, part.getShape());
    if (isSliceOfRegisters(whole, part)) {
      SmallVector<unsigned> kept;
      for (unsigned i = 0; i < to.getNumBases(kRegister); ++i)
        if (!(to.getFlatBasis(kRegister, i) & discarded))
          kept.push_back(i);
      DenseMap<uint32_t, Value> hits;
      for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
        uint32_t where = to.applyFlat(reg) & discarded;
        Value &hit = hits[where];
        if (!hit)
          hit = emitter.icmp(LLVM::ICmpPredicate::eq,
                             emitter.andConst(offset, discarded),
                             emitter.i32(where));
        int64_t source = 0;
        for (auto [i, bit] : llvm::enumerate(kept))
          source |= ((reg >> bit) & 1) << i;
        values[reg] = emitter.select(hit, small[source], values[reg]);
      }
    } else {
      RowMajorScratch scratch(emitter, op, part, small);
      TileCoords coords(emitter, to);
      for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
        Value inside, index = emitter.i32(0);
        for (unsigned d = 0; d < to.getRank(); ++d) {
          int64_t extent = part.getShape()[d];
          Value coord = coords.get(d, reg);
          Value start =
              emitter.andConst(emitter.shrConst(offset, to.getFlatShift(d)),
                               to.getExtent(d) - 1);
          Value upper = emitter.andConst(coord, -extent);
          inside = emitter.andBits(
              inside, emitter.icmp(LLVM::ICmpPredicate::eq, upper, start));
          index = emitter.add(
              index, emitter.shlConst(emitter.andConst(coord, extent - 1),
                                      from.getFlatShift(d)));
        }
        // Every thread reads some element; the select drops what is outside.
        Value value = scratch.load(index);
        values[reg] =
            inside ? emitter.select(inside, value, values[reg]) : value;
      }
    }
    rewriter.replaceOpWithMultiple(op, {emitter.pack(values, whole)});
    return success();
  }
};

} // namespace

void populateSlicePatterns(RewritePatternSet &patterns,
                           const TileTypeConverter &converter,
                           const LoweringState &state) {
  patterns.add<ExtractLowering, ExtractSliceLowering, InsertSliceLowering>(
      converter, patterns.getContext(), state);
}

} // namespace tileir::lowering
