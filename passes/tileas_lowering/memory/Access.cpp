// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/memory/Access.h"
#include "passes/tileas_lowering/memory/NarrowViews.h"

#include "dialects/nv_tileas/Clipping.h"
#include "passes/analysis/LayoutRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::lowering {

APInt getPaddingBits(nv_tileaa::PaddingValueAttr padding, Type element) {
  unsigned bits = getMemoryBits(element);
  auto type = dyn_cast<FloatType>(element);
  if (!padding || !type || padding.getValue() == nv_tileaa::PaddingValue::Zero)
    return APInt::getZero(bits);
  const llvm::fltSemantics &semantics = isa<FloatTF32Type>(type)
                                            ? APFloat::IEEEsingle()
                                            : type.getFloatSemantics();
  switch (padding.getValue()) {
  case nv_tileaa::PaddingValue::NegZero:
    // A type without zero uses its smallest value.
    if (!APFloat::semanticsHasZero(semantics))
      break;
    return APFloat::getZero(semantics, /*Negative=*/true).bitcastToAPInt();
  case nv_tileaa::PaddingValue::NaN:
    // A type without NaN uses its largest value, to which conversions map NaN.
    if (!APFloat::semanticsHasNaN(semantics))
      return APFloat::getLargest(semantics).bitcastToAPInt();
    return APFloat::getQNaN(semantics).bitcastToAPInt();
  case nv_tileaa::PaddingValue::PosInf:
  case nv_tileaa::PaddingValue::NegInf: {
    bool isNegative = padding.getValue() == nv_tileaa::PaddingValue::NegInf;
    if (APFloat::semanticsHasInf(semantics))
      return APFloat::getInf(semantics, isNegative).bitcastToAPInt();
    if (isNegative && !APFloat::semanticsHasSignedRepr(semantics))
      break;
    return APFloat::getLargest(semantics, isNegative).bitcastToAPInt();
  }
  case nv_tileaa::PaddingValue::Zero:
    break;
  }
  return APInt::getZero(bits);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Returns the bytes to which every access of `op` is aligned.
static int64_t getAlignFact(Operation *op, int64_t fallback) {
  auto attr = op->getAttrOfType<IntegerAttr>(
      nv_tileas::TileASDialect::getAlignAttrName());
  return attr ? std::max(attr.getInt(), fallback) : fallback;
}

/// Returns the elements along `dim` that are adjacent and share one predicate.
static int64_t getContiguousFact(Operation *op, unsigned dim) {
  auto attr = op->getAttrOfType<DenseI32ArrayAttr>(
      nv_tileas::TileASDialect::getContiguousAttrName());
  return attr && dim < attr.size() ? attr[dim] : 1;
}

/// Returns whether each tile is entirely inside or outside along `dim`.
static bool isWhole(Operation *op, unsigned dim) {
  auto attr = op->getAttrOfType<DenseBoolArrayAttr>(
      nv_tileas::TileASDialect::getWholeAttrName());
  return attr && dim < attr.size() && attr[dim];
}

/// Returns whether the program guarantees that tiles are inside along `dim`.
static bool isClipped(Operation *op, unsigned dim) {
  auto attr = op->getAttrOfType<DenseBoolArrayAttr>(nv_tileas::kClippedAttr);
  return attr && dim < attr.size() && attr[dim];
}

/// Returns the unsigned 32-bit number that `value` extends, or null.
static Value getNarrowSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtUIOp, LLVM::ZExtOp>(op) ||
      !op->getOperand(0).getType().isInteger(32))
    return {};
  return op->getOperand(0);
}

/// Strips the constant addend of a 32-bit `coord` and returns it, if the other
/// addend is a multiple of a larger power of two, so that nothing wraps. Keeps
/// constants of `kNarrowLimit / 2` or more, counted in `step`.
static int64_t takeConstant(Value &coord, int64_t step) {
  auto sum = coord.getDefiningOp<arith::AddIOp>();
  auto multiple =
      sum ? sum.getLhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  APInt constant, factor;
  if (!multiple || !matchPattern(sum.getRhs(), m_ConstantInt(&constant)) ||
      !matchPattern(multiple.getRhs(), m_ConstantInt(&factor)) ||
      constant.getActiveBits() > factor.countr_zero() ||
      constant.uge(kNarrowLimit / 2 / step))
    return 0;
  coord = multiple;
  return constant.getZExtValue();
}

namespace {

/// Addresses and bounds of a view, dimension by dimension.
///
/// A position is the coordinate of an element in the memref. Positions have 32
/// bits if every size fits in 31 bits and every coordinate in 32. A coordinate
/// is then clamped so that its positions exceed every such size and cannot
/// wrap. A position is extended before the multiplication by a stride, so that
/// one wide multiply-add gives an address. The scaling by the element size
/// comes last.
///
/// Straight-line code adds the thread's offset to the start of the tile first,
/// and uses the sum for address and bounds. Positions of two-byte elements,
/// which are below 2^31, are scaled before the multiplication, so that no sum
/// is left to scale. A constant addend of a coordinate becomes an immediate, so
/// that adjacent tiles share one address. A loop keeps start and thread offset
/// apart, because the thread offset is loop-invariant; so does code with 64-bit
/// positions.
class ViewAddressing {
public:
  ViewAddressing(Emitter &emitter, Operation *op,
                 nv_tileaa::TATiledViewType view, const MemRefValues &memref,
                 ArrayRef<ValueRange> coords, ArrayRef<Value> offsets,
                 const Layout &layout, std::optional<ArrayRef<bool>> inBounds,
                 int64_t accessWidth)
      : emitter(emitter), op(op), view(view), memref(memref), coords(coords),
        layout(layout), tileCoords(emitter, layout), inBounds(inBounds),
        bytes(getMemoryBits(view.getElementType()) / 8),
        accessWidth(accessWidth), isNarrow(hasNarrowPositions(offsets)),
        isJoined(isNarrow && !op->getParentOfType<LoopLikeOpInterface>()) {
    Value origin = emitter.i64(0), thread = emitter.i64(0);
    SmallVector<Value> wide;
    for (unsigned d = 0; d < layout.getRank(); ++d)
      strides.push_back(emitter.mulConst(
          memref.stride(emitter, view.getMemRefDim(d)), bytes / unit()));
    scalesPositions =
        isJoined && bytes == 2 && llvm::all_of(strides, [&](Value stride) {
          return getNarrowSource(stride) || emitter.constantOf(stride);
        });
    for (unsigned d = 0; d < layout.getRank(); ++d) {
      starts.push_back({});
      fixedStarts.push_back(0);
      if (isSparse(d)) {
        indexMap = getIndexLayout(layout, d).map(kRegister).rightInverse(
            layout.getLog2Extent(d));
        continue;
      }
      setStart(d, offsets);
      bool isSum = tileCoords.isSum(d);
      if (isJoined) {
        if (!isSum)
          continue;
        Value part = scaled(first(d), d);
        if (scalesPositions && !emitter.constantOf(strides[d]))
          wide.push_back(part);
        else
          origin = emitter.add(origin, part);
        continue;
      }
      Value exact = isNarrow ? emitter.mulConst(extend(coords[d].front()),
                                                view.getSteps()[d])
                             : starts[d];
      origin = emitter.add(origin, emitter.mul(exact, strides[d]));
      if (isSum)
        thread = emitter.add(thread, scaled(tileCoords.threadPart(d), d));
    }
    base =
        emitter.gep(emitter.gep(memref.base, toBytes(origin)), toBytes(thread));
    // Each addition fuses with its multiplication into one instruction.
    for (Value part : wide)
      base = emitter.gep(base, part);
  }

  Value pointer(int64_t reg) {
    Value ptr = base;
    int64_t constant = 0;
    for (unsigned d = 0; d < layout.getRank(); ++d) {
      int64_t part = tileCoords.registerPart(d, reg);
      unsigned dim = view.getMemRefDim(d);
      bool isSum = !isSparse(d) && tileCoords.isSum(d);
      if (isSum)
        part += fixedStarts[d];
      if (isSum && !memref.strides[dim]) {
        constant += part * memref.type.getStrides()[dim] * bytes;
        continue;
      }
      Value &step = steps[{d, part}];
      if (!step) {
        if (isSum)
          step = emitter.mulConst(strides[d], part * unit());
        else if (isSparse(d))
          step = toBytes(isNarrow ? scaled(index(d, part), d)
                                  : emitter.mul(index(d, part), strides[d]));
        else
          step = toBytes(
              scaled(isJoined ? joined(d, reg) : tileCoords.get(d, reg), d));
      }
      ptr = emitter.gep(ptr, step);
    }
    // The immediate offset of a PTX address has 32 bits.
    if (constant == int32_t(constant))
      return emitter.gepConst(ptr, constant);
    return emitter.gep(ptr, emitter.i64(constant));
  }

  Value predicate(int64_t reg) {
    Value result;
    for (unsigned d = 0; d < layout.getRank(); ++d) {
      if (inBounds && (*inBounds)[d])
        continue;
      bool whole = isWhole(op, d);
      int64_t part = whole ? 0 : tileCoords.registerPart(d, reg);
      Value &inside = insides[{d, part}];
      if (!inside) {
        Value position, end = size(d);
        if (whole)
          position = start(d);
        else if (isSparse(d))
          position = index(d, part);
        else if (isJoined && isFixedWithParts(d)) {
          position = emitter.i32(part + fixedStarts[d]);
          end = left(d);
        } else if (isJoined)
          position = joined(d, reg);
        else {
          position = tileCoords.get(d, reg);
          end = remaining(d);
        }
        bool isSigned = end == lefts.lookup(d) ||
                        (end == remainders.lookup(d) && hasSignedRest(d));
        inside = emitter.icmp(isSigned ? LLVM::ICmpPredicate::slt
                                       : LLVM::ICmpPredicate::ult,
                              position, end);
      }
      result = emitter.andBits(result, inside);
    }
    return result;
  }

private:
  bool isSparse(unsigned d) const { return int(d) == view.getSparseDim(); }
  /// Indices are signed: negative ones are out of bounds.
  Value index(unsigned d, int64_t part) {
    return emitter.resize(coords[d][indexMap(part)], isNarrow ? 32 : 64, true);
  }
  Value extend(Value value) { return emitter.resize(value, 64); }
  /// Returns the unit of offsets: elements, or bytes per element in
  /// straight-line code, so that the strides are scaled once.
  int64_t unit() const { return isJoined ? bytes : 1; }
  Value toBytes(Value offset) {
    return scalesPositions ? offset : emitter.mulConst(offset, unit());
  }
  /// Returns the offset of `position`, an unsigned 32-bit number. One
  /// `mul.wide` multiplies two such numbers; LLVM does not form it if the
  /// extensions are in another block.
  Value scaled(Value position, unsigned d) {
    Value stride = isJoined ? getNarrowSource(strides[d]) : Value();
    if (!stride || emitter.constantOf(position))
      return emitter.mul(
          extend(position),
          emitter.mulConst(strides[d], scalesPositions ? bytes : 1));
    if (scalesPositions)
      position = emitter.mulConst(position, bytes);
    PtxBuilder ptx = emitter.ptx(PtxEffects::None);
    std::string result = ptx.out(emitter.intType(64));
    std::string a = ptx.in(position), b = ptx.in(stride);
    return ptx.emit("mul.wide.u32 " + result + ", " + a + ", " + b + ";")[0];
  }

  /// Returns whether positions have 32 bits.
  bool hasNarrowPositions(ArrayRef<Value> offsets) const {
    if (!offsets.empty() || !hasNarrowView(op))
      return false;
    return llvm::all_of(coords, [](ValueRange range) {
      return range.front().getType().getIntOrFloatBitWidth() <= 32;
    });
  }

  /// Computes the start of the tile; coordinates and offsets are unsigned.
  void setStart(unsigned d, ArrayRef<Value> offsets) {
    int64_t step = view.getSteps()[d];
    if (!isNarrow) {
      Value start = emitter.mulConst(extend(coords[d].front()), step);
      starts[d] =
          offsets.empty() ? start : emitter.add(start, extend(offsets[d]));
      return;
    }
    Value coord = emitter.resize(coords[d].front(), 32);
    if (isJoined)
      fixedStarts[d] = takeConstant(coord, step) * step;
    // An index that is known to be in bounds cannot wrap.
    if (!inBounds || !(*inBounds)[d])
      coord = emitter.umin(coord, llvm::divideCeil(kNarrowLimit, step));
    starts[d] = emitter.mulConst(coord, step);
    std::optional<int64_t> constant = emitter.constantOf(starts[d]);
    if (!isJoined || !constant)
      return;
    fixedStarts[d] = *constant;
    starts[d] = {};
  }

  /// Returns the start of the tile, including the immediates.
  Value start(unsigned d) {
    if (!starts[d])
      return emitter.i32(fixedStarts[d]);
    return fixedStarts[d] ? emitter.add(starts[d], emitter.i32(fixedStarts[d]))
                          : starts[d];
  }

  /// Returns the thread's position without the immediates.
  Value first(unsigned d) {
    Value &value = firsts[d];
    if (!value)
      value = starts[d] ? emitter.add(starts[d], tileCoords.threadPart(d))
                        : tileCoords.threadPart(d);
    return value;
  }

  /// Returns the position of `reg`, including the thread's offset.
  Value joined(unsigned d, int64_t reg) {
    if (!tileCoords.isSum(d))
      return emitter.add(start(d), tileCoords.get(d, reg));
    int64_t part = fixedStarts[d] + tileCoords.registerPart(d, reg);
    return emitter.add(first(d), emitter.i32(part));
  }

  /// Returns whether the start of dim `d` is a small constant and the registers
  /// have several positions along it: comparing these constants is then cheaper
  /// than adding them.
  bool isFixedWithParts(unsigned d) {
    int64_t parts = 0;
    for (unsigned i = 0; i < layout.getNumBases(kRegister); ++i)
      parts += layout.getBasis(kRegister, i)[d] >= accessWidth;
    return parts > 1 && tileCoords.isSum(d) && !starts[d] &&
           fixedStarts[d] >= 0 && fixedStarts[d] < kNarrowLimit / 2;
  }

  /// Returns the memref's extent minus the thread's offset, as a signed number.
  Value left(unsigned d) {
    Value &value = lefts[d];
    if (!value)
      value = LLVM::SubOp::create(emitter.builder, emitter.loc, size(d),
                                  tileCoords.threadPart(d));
    return value;
  }

  /// Returns the memref's extent at the width of a position.
  Value size(unsigned d) {
    return emitter.resize(memref.size(emitter, view.getMemRefDim(d)),
                          isNarrow ? 32 : 64);
  }

  /// Returns whether `remaining` is signed, negative if the tile begins after
  /// the end. Holds for sizes below 2^31 and starts clamped to at most 2^31,
  /// which the multiples of other steps are not.
  bool hasSignedRest(unsigned d) const {
    return isNarrow &&
           isa<nv_tileas::TiledLoadOp, nv_tileas::TiledStoreOp>(op) &&
           llvm::isPowerOf2_64(view.getSteps()[d]);
  }

  /// Returns the elements of dim `d` from the start of the tile to the end, as
  /// i32: positions in a tile are below 2^24.
  Value remaining(unsigned d) {
    Value &value = remainders[d];
    if (!value) {
      OpBuilder &builder = emitter.builder;
      Value end = size(d);
      if (!hasSignedRest(d))
        end = LLVM::UMaxOp::create(builder, emitter.loc, end, starts[d]);
      value = LLVM::SubOp::create(builder, emitter.loc, end, starts[d]);
      if (!isNarrow)
        value = emitter.resize(emitter.umin(value, kNarrowLimit), 32);
    }
    return value;
  }

  Emitter &emitter;
  Operation *op;
  nv_tileaa::TATiledViewType view;
  const MemRefValues &memref;
  ArrayRef<ValueRange> coords;
  const Layout &layout;
  TileCoords tileCoords;
  std::optional<ArrayRef<bool>> inBounds;
  int64_t bytes, accessWidth;
  bool isNarrow, isJoined;
  bool scalesPositions = false;
  Value base;
  LinearMap indexMap;
  SmallVector<Value> strides;
  /// Start of the tile per dim: a value, null if zero, and a constant.
  SmallVector<Value> starts;
  SmallVector<int64_t> fixedStarts;
  DenseMap<std::pair<unsigned, int64_t>, Value> steps, insides;
  DenseMap<unsigned, Value> remainders, firsts, lefts;
};

} // namespace

/// Builds the accesses in units of `view`; a unit is `perUnit` elements of the
/// attributes of `op`.
static AccessList accessUnits(Emitter &emitter, Operation *op,
                              nv_tileaa::TATiledViewType view,
                              ValueRange viewValues,
                              ArrayRef<ValueRange> coords,
                              ArrayRef<Value> offsets, RankedTensorType tile,
                              std::optional<ArrayRef<bool>> inBounds,
                              int64_t maxBytes, int64_t perUnit) {
  const Layout &layout = getLayout(tile);
  MemRefValues memref(viewValues, view.getSource());
  int64_t bytes = getMemoryBits(view.getElementType()) / 8;
  AccessList list;
  list.space = view.getSource().getSpace();
  list.align = getAlignFact(op, bytes);
  StringRef limit = "elements of a thread that are not adjacent";
  for (unsigned d = 0; d < layout.getRank(); ++d) {
    unsigned dim = view.getMemRefDim(d);
    if (view.getSource().getStrides()[dim] != 1 || layout.contiguity(d) == 0 ||
        int(d) == view.getSparseDim())
      continue;
    int64_t width = std::min(int64_t(1) << layout.contiguity(d),
                             std::min<int64_t>(maxBytes, list.align) / bytes);
    limit = width * bytes == maxBytes ? ""
            : width < int64_t(1) << layout.contiguity(d)
                ? "the alignment that is known"
                : "the elements in a row that a thread has";
    if (!inBounds || !(*inBounds)[d]) {
      // One predicate covers the vector if the array's end falls between
      // vectors.
      int64_t shared = std::max<int64_t>(1, getContiguousFact(op, d) / perUnit);
      int64_t size = view.getSource().getShape()[dim];
      if (!ShapedType::isDynamic(size) && offsets.empty()) {
        int64_t divisor = size | view.getSteps()[d];
        shared = std::max(shared, divisor & -divisor);
      }
      if (shared < width)
        limit = "an edge of the array that may fall between elements";
      width = std::min(width, shared);
    }
    list.width = std::max<int64_t>(width, 1);
    break;
  }
  list.isPromised =
      llvm::any_of(llvm::seq(layout.getRank()),
                   [&](unsigned d) { return isClipped(op, d); }) &&
      llvm::all_of(llvm::seq(layout.getRank()), [&](unsigned d) {
        return (inBounds && (*inBounds)[d]) || isClipped(op, d);
      });
  ViewAddressing addressing(emitter, op, view, memref, coords, offsets, layout,
                            inBounds, list.width);
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += list.width)
    list.accesses.push_back(
        {reg, addressing.pointer(reg), addressing.predicate(reg)});
  reportWidth(op, list, bytes * 8, limit);
  return list;
}

AccessList accessView(Emitter &emitter, Operation *op,
                      nv_tileaa::TATiledViewType view, ValueRange viewValues,
                      ArrayRef<ValueRange> coords, ArrayRef<Value> offsets,
                      RankedTensorType tile,
                      std::optional<ArrayRef<bool>> inBounds,
                      int64_t maxBytes) {
  return accessUnits(emitter, op, view, viewValues, coords, offsets, tile,
                     inBounds, maxBytes, /*perUnit=*/1);
}

std::optional<unsigned> getPackedDim(nv_tileaa::TATiledViewType view) {
  for (unsigned d = 0; d < view.getTileShape().size(); ++d)
    if (view.getSource().getStrides()[view.getMemRefDim(d)] == 1 &&
        view.getTileShape()[d] > 1 &&
        (view.getSteps()[d] % 2 == 0 || view.hasSparseDim()) &&
        int(d) != view.getSparseDim())
      return d;
  return std::nullopt;
}

Layout getPackableLayout(const Layout &layout, unsigned dim) {
  bool isPaired = layout.contiguity(dim) > 0;
  for (unsigned space = 0; space < layout.getFlatBases().size(); ++space)
    for (auto [bit, basis] : llvm::enumerate(layout.getFlatBases(space)))
      isPaired &=
          (space == kRegister && bit == 0) || !(basis & layout.unit(dim, 0));
  if (isPaired)
    return layout;
  // Each thread gets as many bytes as keep all threads busy, at most one
  // access.
  const Layout::Shape &shape = layout.getShape();
  int64_t warps = int64_t(1) << layout.getNumBases(kWarp);
  size_t rank = shape.size();
  std::vector<int64_t> perThread(rank, 1), lanes(rank, 1), warpsOf(rank, 1);
  perThread[dim] = std::clamp<int64_t>(layout.getNumElements() / (32 * warps),
                                       2, std::min<int64_t>(shape[dim], 32));
  std::vector<unsigned> order = {dim};
  for (unsigned d = rank; d-- > 0;)
    if (d != dim)
      order.push_back(d);
  int64_t freeLanes = 32, freeWarps = warps;
  for (unsigned d : order) {
    int64_t left = shape[d] / perThread[d];
    lanes[d] = std::min(freeLanes, left);
    freeLanes /= lanes[d];
    warpsOf[d] = std::min(freeWarps, left / lanes[d]);
    freeWarps /= warpsOf[d];
  }
  // Surplus lanes replicate elements.
  lanes[dim] *= freeLanes;
  warpsOf[dim] *= freeWarps;
  return Layout::blocked(shape, perThread, lanes, warpsOf, order);
}

/// Returns the layout of the bytes: without the first register basis, the two
/// halves of a byte, and with positions along `dim` in bytes.
static Layout getByteLayout(const Layout &layout, unsigned dim) {
  Layout::Shape shape = layout.getShape();
  shape[dim] /= 2;
  // The row-major index bits above the dropped bit move down by one.
  unsigned at = layout.getFlatShift(dim);
  uint32_t low = (uint32_t(1) << at) - 1;
  Layout::FlatBases bases = layout.getFlatBases();
  bases[kRegister].erase(bases[kRegister].begin());
  for (auto &space : bases)
    for (uint32_t &basis : space)
      basis = (basis & low) | ((basis >> 1) & ~low);
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

AccessList accessPackedView(Emitter &emitter, Operation *op,
                            nv_tileaa::TATiledViewType view,
                            ValueRange viewValues, ArrayRef<ValueRange> coords,
                            RankedTensorType tile,
                            std::optional<ArrayRef<bool>> inBounds) {
  MLIRContext *context = op->getContext();
  unsigned dim = *getPackedDim(view);
  nv_tileaa::TAMemRefType source = view.getSource();
  unsigned packed = view.getMemRefDim(dim);
  Type byte = IntegerType::get(context, 8);
  // The size along the packed dimension and the strides along the others are
  // even.
  SmallVector<int64_t> shape(source.getShape()), strides(source.getStrides());
  SmallVector<Value> values = {viewValues[0]};
  unsigned next = 1;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (!ShapedType::isDynamic(shape[d])) {
      shape[d] /= d == packed ? 2 : 1;
      continue;
    }
    Value size = viewValues[next++];
    values.push_back(d == packed ? emitter.shrConst(size, 1) : size);
  }
  for (unsigned d = 0; d < strides.size(); ++d) {
    if (ShapedType::isDynamic(strides[d]))
      values.push_back(emitter.shrConst(viewValues[next++], 1));
    else if (d != packed)
      strides[d] = std::max<int64_t>(strides[d] / 2, 1);
  }
  SmallVector<int64_t> extents(view.getTileShape()), steps(view.getSteps());
  extents[dim] /= 2;
  // Tiles of a gather begin at even elements (cuda_tile).
  SmallVector<ValueRange> byteCoords(coords);
  Value byteStart;
  if (view.hasSparseDim()) {
    byteStart = emitter.shrConst(coords[dim].front(), 1);
    byteCoords[dim] = byteStart;
  } else {
    steps[dim] /= 2;
  }
  auto bytes = nv_tileaa::TATiledViewType::get(
      extents,
      nv_tileaa::TAMemRefType::get(shape, byte, strides, source.getSpace(),
                                   source.getScope()),
      view.getDims(), steps, view.getSparseDim(),
      nv_tileaa::PaddingValueAttr());
  auto layout =
      nv_tileas::getLayoutAttr(context, getByteLayout(getLayout(tile), dim));
  auto byteTile = RankedTensorType::get(extents, byte, layout);
  return accessUnits(emitter, op, bytes, values, byteCoords, {}, byteTile,
                     inBounds, /*maxBytes=*/16, /*perUnit=*/2);
}

AccessList accessPointers(Emitter &emitter, Operation *op, ArrayRef<Value> ptrs,
                          ArrayRef<Value> mask, RankedTensorType ptrTile,
                          Type element, int64_t maxBytes) {
  const Layout &layout = getLayout(ptrTile);
  int64_t bytes = getMemoryBits(element) / 8;
  AccessList list;
  list.space =
      cast<nv_tileaa::TAPointerType>(ptrTile.getElementType()).getSpace();
  list.align = getAlignFact(op, bytes);
  for (unsigned d = 0; d < layout.getRank(); ++d)
    if (layout.contiguity(d) > 0) {
      list.width = std::max<int64_t>(
          1, std::min({int64_t(1) << layout.contiguity(d),
                       std::min<int64_t>(maxBytes, list.align) / bytes,
                       getContiguousFact(op, d)}));
      break;
    }
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += list.width)
    list.accesses.push_back(
        {reg, ptrs[reg], mask.empty() ? Value() : mask[reg]});
  reportWidth(op, list, bytes * 8,
              list.width * bytes == maxBytes
                  ? ""
                  : "the alignment or the runs of adjacent pointers that are "
                    "known");
  return list;
}

} // namespace tileir::lowering
