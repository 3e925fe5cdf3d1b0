// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single elements and slices of a tile, at run-time indices.

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/Access.h"

using namespace mlir;

namespace tileir::lowering {

/// Selects `values[index]`, where bit i of `index` is `bits[i]` (null: zero).
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

/// Applies a linear function to a dynamic row-major index.
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

/// Returns the row-major index of dynamic coordinates.
static Value flattenIndex(Emitter &emitter, const Layout &layout,
                          ValueRange coords) {
  Value flat = emitter.i32(0);
  for (unsigned d = 0; d < layout.getRank(); ++d) {
    Value coord = emitter.andConst(coords[d], layout.getExtent(d) - 1);
    flat = emitter.add(flat, emitter.shlConst(coord, layout.getFlatShift(d)));
  }
  return flat;
}

/// Returns the single values of the ranges of a variadic operand.
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
    // Register, lane and warp bits of the element's location.
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

/// A tile in scratch memory in row-major order, readable by all threads.
class RowMajorScratch {
public:
  /// Stores the `values` of a tile in the threads where `owns` holds (null:
  /// all).
  RowMajorScratch(Emitter &emitter, Operation *user, RankedTensorType type,
                  ArrayRef<Value> values, Value owns)
      : emitter(emitter), layout(getLayout(type)),
        element(type.getElementType()), bytes(getMemoryBits(element) / 8),
        base(emitter.smemPtr(emitter.enterScratch(user))) {
    thread = emitter.rowMajorOfThread(layout);
    SmallVector<Value> ptrs;
    for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
      ptrs.push_back(at(getIndex(reg)));
    storeShared(emitter, owns, ptrs, values, element);
    emitter.barrier();
  }

  /// Returns the row-major index of a register of the tile in the executing
  /// thread.
  Value getIndex(int64_t reg) {
    return emitter.xorConst(thread, layout.applyFlat(reg));
  }

  /// Returns the element at a row-major index.
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
  Layout layout;
  Type element;
  unsigned bytes;
  Value base, thread;
};

/// Threads and registers that hold an aligned slice of a tile. Each index bit
/// that distinguishes slices is a single basis of the tile's layout.
class SlicePlaces {
public:
  SlicePlaces(Emitter &emitter, const Layout &whole, const Layout::Shape &part,
              Value offset)
      : emitter(emitter), whole(whole), mask(whole.sliceMask(part)),
        wanted(emitter.andConst(offset, mask)) {
    for (unsigned i = 0; i < whole.getNumBases(kRegister); ++i)
      (whole.getFlatBasis(kRegister, i) & mask ? telling : kept).push_back(i);
    for (unsigned space : {kLane, kWarp})
      for (uint32_t basis : whole.getFlatBases(space))
        columns.push_back(basis & mask);
  }

  /// Returns the registers of the slice among `values` of the tile, if the
  /// slice's lane and warp bits match the thread's.
  SmallVector<Value> select(ArrayRef<Value> values) {
    SmallVector<Value> bits, elements;
    for (unsigned i : telling)
      bits.push_back(emitter.icmp(
          LLVM::ICmpPredicate::ne,
          emitter.andConst(wanted, whole.getFlatBasis(kRegister, i)),
          emitter.i32(0)));
    for (int64_t reg = 0; reg < int64_t(1) << kept.size(); ++reg) {
      SmallVector<Value> candidates;
      for (int64_t pick = 0; pick < int64_t(1) << telling.size(); ++pick)
        candidates.push_back(
            values[deposit(reg, kept) | deposit(pick, telling)]);
      elements.push_back(selectByBits(emitter, candidates, bits));
    }
    return elements;
  }

  /// Returns `dest` with the slice `part` inserted.
  SmallVector<Value> insert(ArrayRef<Value> part, ArrayRef<Value> dest) {
    SmallVector<Value> values(dest);
    Value thread = emitter.linearOfThread(columns);
    for (int64_t pick = 0; pick < int64_t(1) << telling.size(); ++pick) {
      int64_t registers = deposit(pick, telling);
      Value hit =
          emitter.icmp(LLVM::ICmpPredicate::eq, wanted,
                       emitter.xorConst(thread, whole.applyFlat(registers)));
      for (int64_t reg = 0; reg < int64_t(1) << kept.size(); ++reg) {
        Value &value = values[registers | deposit(reg, kept)];
        value = emitter.select(hit, part[reg], value);
      }
    }
    return values;
  }

  /// Returns the lane of the own warp that holds the slice.
  Value getLane() {
    uint64_t others = limits::threadsPerWarp - 1;
    SmallVector<uint64_t> lanes(whole.getTileBits(), 0);
    for (unsigned i = 0; i < whole.getNumBases(kLane); ++i)
      if (uint64_t basis = columns[i]) {
        lanes[llvm::Log2_64(basis)] = uint64_t(1) << i;
        others &= ~lanes[llvm::Log2_64(basis)];
      }
    return emitter.add(emitter.andConst(emitter.tid(), others),
                       emitter.linearOf(wanted, lanes));
  }

  /// Returns whether this thread publishes its elements of the slice.
  Value isOwner() {
    uint64_t bits = 0;
    for (uint64_t column : columns)
      bits |= column;
    return emitter.andBits(emitter.ownsElements(whole),
                           emitter.icmp(LLVM::ICmpPredicate::eq,
                                        emitter.linearOfThread(columns),
                                        emitter.andConst(wanted, bits)));
  }

private:
  /// Returns `value` with bit i at position `bits[i]`.
  static int64_t deposit(int64_t value, ArrayRef<unsigned> bits) {
    int64_t result = 0;
    for (auto [i, bit] : llvm::enumerate(bits))
      result |= ((value >> i) & 1) << bit;
    return result;
  }

  Emitter &emitter;
  const Layout &whole;
  uint32_t mask;
  Value wanted;
  /// Register bits that distinguish slices, and those inside of a slice.
  SmallVector<unsigned> telling, kept;
  /// Contributions of the thread bits to the position of its slice.
  SmallVector<uint64_t> columns;
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
    SliceSource source = getSliceSource(whole, part);
    SmallVector<Value> elements;
    if (source == SliceSource::Memory) {
      RowMajorScratch scratch(emitter, op, whole, values,
                              emitter.ownsElements(from));
      // Positions of the slice inside the whole tile.
      TileCoords coords(emitter, to);
      for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
        Value index = offset;
        for (unsigned d = 0; d < to.getRank(); ++d)
          index = emitter.add(index, emitter.shlConst(coords.get(d, reg),
                                                      from.getFlatShift(d)));
        elements.push_back(scratch.load(index));
      }
    } else {
      SlicePlaces places(emitter, from, to.getShape(), offset);
      elements = places.select(values);
      if (source == SliceSource::Lanes) {
        Value lane = places.getLane();
        for (Value &element : elements)
          element = emitter.shuffle(NVVM::ShflKind::idx, element, lane);
      } else if (source == SliceSource::Warps) {
        RowMajorScratch scratch(emitter, op, part, elements, places.isOwner());
        for (auto [reg, element] : llvm::enumerate(elements))
          element = scratch.load(scratch.getIndex(reg));
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
    if (getSliceSource(whole, part) == SliceSource::Memory) {
      RowMajorScratch scratch(emitter, op, part, small,
                              emitter.ownsElements(from));
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
        // Every thread reads some element; the select drops those outside.
        Value value = scratch.load(index);
        values[reg] =
            inside ? emitter.select(inside, value, values[reg]) : value;
      }
    } else {
      SlicePlaces places(emitter, to, from.getShape(), offset);
      values = places.insert(small, values);
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
