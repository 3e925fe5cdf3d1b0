// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Access.h"

using namespace mlir;

namespace tileir::lowering {

bool AccessModifiers::isPlain() const {
  return isWeak() && !isVolatile &&
         cache.value_or(nv_tileaa::CacheModifier::None) ==
             nv_tileaa::CacheModifier::None &&
         (!eviction || *eviction == nv_tileaa::EvictionPolicy::None ||
          *eviction == nv_tileaa::EvictionPolicy::Normal);
}

StringRef getScopeName(nv_tileaa::MemScope scope, const Target &target) {
  switch (scope) {
  case nv_tileaa::MemScope::TlBlk:
    return "cta";
  case nv_tileaa::MemScope::Cluster:
    return target.clusterMax() > 1 ? "cluster" : "cta";
  case nv_tileaa::MemScope::Gpu:
    return "gpu";
  case nv_tileaa::MemScope::Sys:
    return "sys";
  }
  return "sys";
}

StringRef getSpaceName(unsigned space) {
  switch (space) {
  case nv_tileaa::GlobalSpace:
    return ".global";
  case nv_tileaa::SharedSpace:
    return ".shared";
  case nv_tileaa::ConstantSpace:
    return ".const";
  case nv_tileaa::LocalSpace:
    return ".local";
  default:
    return "";
  }
}

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
    // The least value stands for zero where there is none.
    if (!APFloat::semanticsHasZero(semantics))
      break;
    return APFloat::getZero(semantics, /*Negative=*/true).bitcastToAPInt();
  case nv_tileaa::PaddingValue::NaN:
    // The largest value is what a conversion makes of NaN then.
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

Layout getIndexLayout(const Layout &layout, unsigned dim) {
  Layout result = layout;
  for (unsigned d = layout.getRank(); d-- > 0;)
    if (d != dim)
      result = result.slice(d);
  return result;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Bytes to which every access of `op` is aligned.
static int64_t getAlignFact(Operation *op, int64_t fallback) {
  auto attr = op->getAttrOfType<IntegerAttr>(
      nv_tileas::TileASDialect::getAlignAttrName());
  return attr ? std::max(attr.getInt(), fallback) : fallback;
}

/// Elements along `dim` that are adjacent and share one predicate.
static int64_t getContiguousFact(Operation *op, unsigned dim) {
  auto attr = op->getAttrOfType<DenseI32ArrayAttr>(
      nv_tileas::TileASDialect::getContiguousAttrName());
  return attr && dim < attr.size() ? attr[dim] : 1;
}

/// Whether tiles are inside or outside as a whole along `dim`.
static bool isWhole(Operation *op, unsigned dim) {
  auto attr = op->getAttrOfType<DenseBoolArrayAttr>(
      nv_tileas::TileASDialect::getWholeAttrName());
  return attr && dim < attr.size() && attr[dim];
}

namespace {

/// Addresses of a view, dimension by dimension.
class ViewAddressing {
public:
  ViewAddressing(Emitter &emitter, Operation *op,
                 nv_tileaa::TATiledViewType view, const MemRefValues &memref,
                 ArrayRef<ValueRange> coords, ArrayRef<Value> offsets,
                 const Layout &layout, std::optional<ArrayRef<bool>> inBounds)
      : emitter(emitter), op(op), view(view), memref(memref), coords(coords),
        layout(layout), tileCoords(emitter, layout), inBounds(inBounds),
        bytes(getMemoryBits(view.getElementType()) / 8) {
    Value origin = emitter.i64(0);
    Value thread = emitter.i64(0);
    for (unsigned d = 0; d < layout.getRank(); ++d) {
      unsigned dim = view.getMemRefDim(d);
      strides.push_back(emitter.mulConst(memref.stride(emitter, dim), bytes));
      starts.push_back({});
      if (int(d) == view.getSparseDim()) {
        indexMap = getIndexLayout(layout, d).map(kRegister).rightInverse(
            layout.getLog2Extent(d));
        continue;
      }
      // Coordinates and offsets are unsigned.
      Value start = emitter.mulConst(emitter.resize(coords[d].front(), 64),
                                     view.getSteps()[d]);
      if (!offsets.empty())
        start = emitter.add(start, emitter.resize(offsets[d], 64));
      starts.back() = start;
      origin = emitter.add(origin, emitter.mul(start, strides[d]));
      if (tileCoords.isSum(d))
        thread = emitter.add(
            thread, emitter.mul(emitter.resize(tileCoords.threadPart(d), 64),
                                strides[d]));
    }
    base = emitter.gep(emitter.gep(memref.base, origin), thread);
  }

  Value pointer(int64_t reg) {
    Value ptr = base;
    int64_t constant = 0;
    for (unsigned d = 0; d < layout.getRank(); ++d) {
      int64_t part = tileCoords.registerPart(d, reg);
      unsigned dim = view.getMemRefDim(d);
      bool sparse = int(d) == view.getSparseDim();
      if (!sparse && tileCoords.isSum(d) && !memref.strides[dim]) {
        constant += part * memref.type.getStrides()[dim] * bytes;
        continue;
      }
      Value &step = steps[{d, part}];
      if (!step) {
        if (sparse)
          step =
              emitter.mul(emitter.resize(index(d, part), 64, true), strides[d]);
        else if (tileCoords.isSum(d))
          step = emitter.mulConst(strides[d], part);
        else
          step = emitter.mul(emitter.resize(tileCoords.get(d, reg), 64),
                             strides[d]);
      }
      ptr = emitter.gep(ptr, step);
    }
    // The immediate of a PTX address has 32 bits.
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
        Value size = memref.size(emitter, view.getMemRefDim(d));
        if (whole) // starts are far from the sign
          inside = emitter.icmp(LLVM::ICmpPredicate::slt, starts[d], size);
        else if (int(d) == view.getSparseDim())
          inside = emitter.icmp(LLVM::ICmpPredicate::ult,
                                emitter.resize(index(d, part), 64, true), size);
        else
          inside = emitter.icmp(LLVM::ICmpPredicate::slt,
                                tileCoords.get(d, reg), remaining(d, size));
      }
      result = emitter.andBits(result, inside);
    }
    return result;
  }

private:
  Value index(unsigned d, int64_t part) { return coords[d][indexMap(part)]; }

  /// Elements of dim `d` from the tile's start to the end, as i32: positions in
  /// a tile are below 2^24.
  Value remaining(unsigned d, Value size) {
    Value &value = remainders[d];
    if (!value) {
      OpBuilder &builder = emitter.builder;
      Value left = LLVM::SubOp::create(builder, emitter.loc, size, starts[d]);
      left = LLVM::SMinOp::create(builder, emitter.loc, left,
                                  emitter.i64(1 << 30));
      left = LLVM::SMaxOp::create(builder, emitter.loc, left, emitter.i64(0));
      value = emitter.resize(left, 32);
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
  int64_t bytes;
  Value base;
  LinearMap indexMap;
  SmallVector<Value> strides, starts;
  DenseMap<std::pair<unsigned, int64_t>, Value> steps, insides;
  DenseMap<unsigned, Value> remainders;
};

} // namespace

/// `perUnit` elements of the facts about `op` are one of `view`.
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
      // One predicate serves the vector when the edge of the array falls
      // between vectors.
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
  ViewAddressing addressing(emitter, op, view, memref, coords, offsets, layout,
                            inBounds);
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
  // As many bytes a thread as leave no thread without one, in one access.
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
  // What is left over repeats elements.
  lanes[dim] *= freeLanes;
  warpsOf[dim] *= freeWarps;
  return Layout::blocked(shape, perThread, lanes, warpsOf, order);
}

/// The layout of the bytes: without the first register, which is the half of a
/// byte, and with positions along `dim` that count bytes.
static Layout getByteLayout(const Layout &layout, unsigned dim) {
  Layout::Shape shape = layout.getShape();
  shape[dim] /= 2;
  // Row-major index bits above the dropped one move down.
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
  // Sizes along the packed dimension and strides along the others are even.
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
    byteStart = emitter.shrConst(emitter.resize(coords[dim].front(), 64), 1);
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

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// `.relaxed.gpu.global`, `.volatile.global`, `.global.cg`, … up to the type.
static std::string getInstructionModifiers(const AccessList &list,
                                           const AccessModifiers &modifiers,
                                           const Target &target, bool isStore) {
  std::string text;
  if (!modifiers.isWeak()) {
    text += modifiers.semantic == nv_tileaa::MemSemantic::Relaxed ? ".relaxed"
            : isStore                                             ? ".release"
                                                                  : ".acquire";
    text += ".";
    text += getScopeName(*modifiers.scope, target);
    return text + getSpaceName(list.space).str();
  }
  if (modifiers.isVolatile)
    return ".volatile" + getSpaceName(list.space).str();
  text += getSpaceName(list.space);
  if (list.space != nv_tileaa::GlobalSpace)
    return text;
  switch (modifiers.cache.value_or(nv_tileaa::CacheModifier::None)) {
  case nv_tileaa::CacheModifier::CA:
    return text + (isStore ? ".wb" : ".ca");
  case nv_tileaa::CacheModifier::CG:
    return text + ".cg";
  case nv_tileaa::CacheModifier::CS:
    return text + ".cs";
  case nv_tileaa::CacheModifier::LU:
    return text + (isStore ? ".wb" : ".lu");
  case nv_tileaa::CacheModifier::CV:
    return text + (isStore ? ".wt" : ".cv");
  case nv_tileaa::CacheModifier::None:
    break;
  }
  switch (modifiers.eviction.value_or(nv_tileaa::EvictionPolicy::None)) {
  case nv_tileaa::EvictionPolicy::First:
    return text + ".L1::evict_first";
  case nv_tileaa::EvictionPolicy::Last:
    return text + ".L1::evict_last";
  default:
    return text;
  }
}

namespace {

/// The registers of one access in inline PTX.
struct AsmShape {
  AsmShape(unsigned totalBits, unsigned elementBits) {
    unit = totalBits < 32 ? totalBits : elementBits == 64 ? 64 : 32;
    count = totalBits / unit;
    letter = unit == 64 ? 'l' : unit == 32 ? 'r' : 'h';
    type = (count > 1 ? ".v" + std::to_string(count) : std::string()) + ".b" +
           std::to_string(unit);
  }
  /// A byte travels in a 16-bit register.
  unsigned registerBits() const { return std::max(unit, 16u); }
  std::string braces(unsigned first) const {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return count > 1 ? "{" + text + "}" : text;
  }

  unsigned unit, count;
  char letter;
  std::string type;
};

} // namespace

static SmallVector<Value> splitImage(Emitter &emitter, Value image,
                                     const AsmShape &shape) {
  SmallVector<Value> parts;
  if (isa<VectorType>(image.getType()))
    for (unsigned i = 0; i < shape.count; ++i)
      parts.push_back(emitter.extract(image, i));
  else
    parts.push_back(emitter.resize(image, shape.registerBits()));
  return parts;
}

static Value loadThroughAsm(Emitter &emitter, const AsmShape &shape,
                            const std::string &modifiers, Value ptr,
                            Value predicate, Value fallback) {
  OpBuilder &builder = emitter.builder;
  std::string text, constraints;
  SmallVector<Value> operands = {ptr};
  for (unsigned i = 0; i < shape.count; ++i)
    constraints +=
        std::string(i ? ",=" : "=") + (predicate ? "&" : "") + shape.letter;
  constraints += ",l";
  unsigned next = shape.count + 1;
  if (predicate) {
    operands.push_back(predicate);
    constraints += ",b";
    unsigned predicateAt = next++;
    SmallVector<Value> parts = splitImage(emitter, fallback, shape);
    for (unsigned i = 0; i < shape.count; ++i) {
      text += "mov.b" + std::to_string(shape.registerBits()) + " $" +
              std::to_string(i) + ", ";
      APInt known;
      if (matchPattern(parts[i], m_ConstantInt(&known))) {
        text += std::to_string(known.getZExtValue());
      } else {
        text += "$" + std::to_string(next++);
        operands.push_back(parts[i]);
        constraints += std::string(",") + shape.letter;
      }
      text += ";\n\t";
    }
    text += "@$" + std::to_string(predicateAt) + " ";
  }
  text += "ld" + modifiers + shape.type + " " + shape.braces(0) + ", [$" +
          std::to_string(shape.count) + "];";
  Type unit = emitter.intType(shape.registerBits());
  Type result = unit;
  if (shape.count > 1)
    result = LLVM::LLVMStructType::getLiteral(
        emitter.context(), SmallVector<Type>(shape.count, unit));
  auto asmOp = LLVM::InlineAsmOp::create(
      builder, emitter.loc, result, operands, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> parts;
  for (unsigned i = 0; i < shape.count; ++i)
    parts.push_back(shape.count > 1
                        ? Value(LLVM::ExtractValueOp::create(
                              builder, emitter.loc, asmOp.getRes(), i))
                        : asmOp.getRes());
  if (shape.count == 1)
    return emitter.resize(parts[0], shape.unit);
  return emitter.packVector(parts);
}

SmallVector<Value> emitLoads(Emitter &emitter, const AccessList &list,
                             Type element, const AccessModifiers &modifiers,
                             function_ref<Value(int64_t)> defaults) {
  unsigned bits = getMemoryBits(element);
  Type type = emitter.memoryType(list.width, element);
  AsmShape shape(bits * list.width, bits);
  std::string text =
      getInstructionModifiers(list, modifiers, emitter.state.target, false);
  unsigned align = std::min<int64_t>(list.align, list.width * bits / 8);
  SmallVector<Value> elements;
  for (const Access &access : list.accesses) {
    Value image;
    if (!access.predicate && modifiers.isPlain())
      image = LLVM::LoadOp::create(emitter.builder, emitter.loc, type,
                                   access.ptr, align, /*isVolatile=*/false,
                                   /*isNonTemporal=*/false,
                                   /*isInvariant=*/modifiers.invariant);
    else
      image = loadThroughAsm(emitter, shape, text, access.ptr, access.predicate,
                             access.predicate ? defaults(access.reg) : Value());
    llvm::append_range(elements,
                       emitter.fromMemory(image, list.width, element));
  }
  return elements;
}

void emitStores(Emitter &emitter, const AccessList &list, Type element,
                const AccessModifiers &modifiers, ArrayRef<Value> values) {
  unsigned bits = getMemoryBits(element);
  AsmShape shape(bits * list.width, bits);
  std::string name =
      getInstructionModifiers(list, modifiers, emitter.state.target, true);
  unsigned align = std::min<int64_t>(list.align, list.width * bits / 8);
  for (const Access &access : list.accesses) {
    Value image =
        emitter.toMemory(values.slice(access.reg, list.width), element);
    if (!access.predicate && modifiers.isPlain()) {
      emitter.store(image, access.ptr, align);
      continue;
    }
    SmallVector<Value> operands = {access.ptr};
    std::string constraints = "l";
    llvm::append_range(operands, splitImage(emitter, image, shape));
    for (unsigned i = 0; i < shape.count; ++i)
      constraints += std::string(",") + shape.letter;
    std::string text;
    if (access.predicate) {
      operands.push_back(access.predicate);
      constraints += ",b";
      text = "@$" + std::to_string(shape.count + 1) + " ";
    }
    text += "st" + name + shape.type + " [$0], " + shape.braces(1) + ";";
    LLVM::InlineAsmOp::create(
        emitter.builder, emitter.loc, TypeRange(), operands, text, constraints,
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  }
}

} // namespace tileir::lowering
