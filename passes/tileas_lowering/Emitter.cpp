// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/async/Elected.h"

using namespace mlir;

namespace tileir::lowering {

std::string freeSymbol(Operation *module, StringRef stem) {
  std::string name = stem.str();
  for (unsigned i = 0; SymbolTable::lookupSymbolIn(module, name); ++i)
    name = (stem + "_" + Twine(i)).str();
  return name;
}

MemRefValues::MemRefValues(ValueRange values, nv_tileaa::TAMemRefType type)
    : base(values[0]), type(type) {
  unsigned next = 1;
  auto take = [&](ArrayRef<int64_t> extents, SmallVector<Value> &out) {
    for (int64_t extent : extents)
      out.push_back(ShapedType::isDynamic(extent) ? values[next++] : Value());
  };
  take(type.getShape(), sizes);
  take(type.getStrides(), strides);
}

Value MemRefValues::size(Emitter &emitter, unsigned dim) const {
  return sizes[dim] ? sizes[dim] : emitter.i64(type.getShape()[dim]);
}

Value MemRefValues::stride(Emitter &emitter, unsigned dim) const {
  return strides[dim] ? strides[dim] : emitter.i64(type.getStrides()[dim]);
}

//===----------------------------------------------------------------------===//
// Emitter: scalars
//===----------------------------------------------------------------------===//

Emitter::Emitter(OpBuilder &builder, Operation *op, const LoweringState &state)
    : builder(builder), loc(op->getLoc()), state(state) {
  ExecScope scope = execScope();
  LLVM::LLVMFuncOp func = getFunction(builder);
  auto it = state.functions.find(func.getName());
  if (it != state.functions.end())
    info = it->second;
  info.numWarps = scope.warps;
  threadId = getThreadId(builder, scope);
}

ExecScope Emitter::execScope() const {
  return getExecScope(builder.getInsertionBlock()->getParent());
}

Value Emitter::constant(unsigned bits, int64_t value) {
  Block *block = builder.getInsertionBlock();
  if (block != constantsBlock) {
    constants.clear();
    constantsBlock = block;
  }
  Value &cached = constants[{bits, value}];
  if (!cached)
    cached = LLVM::ConstantOp::create(
        builder, loc, intType(bits),
        builder.getIntegerAttr(intType(bits), APInt(bits, value, false, true)));
  return cached;
}

Value Emitter::poison(Type type) {
  return LLVM::PoisonOp::create(builder, loc, type);
}

std::optional<int64_t> Emitter::constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

Value Emitter::add(Value a, Value b) {
  std::optional<int64_t> left = constantOf(a), right = constantOf(b);
  if (left == 0)
    return b;
  if (right == 0)
    return a;
  if (left && right)
    return constant(a.getType().getIntOrFloatBitWidth(), *left + *right);
  return LLVM::AddOp::create(builder, loc, a, b);
}

Value Emitter::mul(Value a, Value b) {
  if (std::optional<int64_t> factor = constantOf(b))
    return mulConst(a, *factor);
  if (std::optional<int64_t> factor = constantOf(a))
    return mulConst(b, *factor);
  return LLVM::MulOp::create(builder, loc, a, b);
}

Value Emitter::mulConst(Value a, int64_t factor) {
  unsigned bits = a.getType().getIntOrFloatBitWidth();
  if (factor == 0)
    return constant(bits, 0);
  if (factor == 1)
    return a;
  if (std::optional<int64_t> value = constantOf(a))
    return constant(bits, *value * factor);
  if (factor > 0 && llvm::isPowerOf2_64(factor))
    return shlConst(a, llvm::Log2_64(factor));
  return LLVM::MulOp::create(builder, loc, a, constant(bits, factor));
}

Value Emitter::andConst(Value a, int64_t mask) {
  unsigned bits = a.getType().getIntOrFloatBitWidth();
  return LLVM::AndOp::create(builder, loc, a, constant(bits, mask));
}

Value Emitter::umin(Value a, int64_t limit) {
  if (std::optional<int64_t> value = constantOf(a))
    if (*value >= 0)
      return constant(a.getType().getIntOrFloatBitWidth(),
                      std::min(*value, limit));
  return LLVM::UMinOp::create(
      builder, loc, a, constant(a.getType().getIntOrFloatBitWidth(), limit));
}

Value Emitter::xorValues(Value a, Value b) {
  if (constantOf(a) == 0)
    return b;
  if (constantOf(b) == 0)
    return a;
  return LLVM::XOrOp::create(builder, loc, a, b);
}

Value Emitter::xorConst(Value a, int64_t mask) {
  if (mask == 0)
    return a;
  unsigned bits = a.getType().getIntOrFloatBitWidth();
  if (std::optional<int64_t> value = constantOf(a))
    return constant(bits, *value ^ mask);
  return LLVM::XOrOp::create(builder, loc, a, constant(bits, mask));
}

Value Emitter::shlConst(Value a, unsigned amount) {
  if (!amount)
    return a;
  unsigned bits = a.getType().getIntOrFloatBitWidth();
  return LLVM::ShlOp::create(builder, loc, a, constant(bits, amount));
}

Value Emitter::shrConst(Value a, unsigned amount) {
  if (!amount)
    return a;
  unsigned bits = a.getType().getIntOrFloatBitWidth();
  return LLVM::LShrOp::create(builder, loc, a, constant(bits, amount));
}

Value Emitter::andBits(Value a, Value b) {
  if (!a)
    return b;
  if (!b)
    return a;
  return LLVM::AndOp::create(builder, loc, a, b);
}

Value Emitter::icmp(LLVM::ICmpPredicate predicate, Value a, Value b) {
  return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
}

Value Emitter::select(Value condition, Value a, Value b) {
  if (a == b)
    return a;
  return LLVM::SelectOp::create(builder, loc, condition, a, b);
}

Value Emitter::resize(Value value, unsigned bits, bool isSigned) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  Type type = intType(bits);
  if (std::optional<int64_t> known = constantOf(value)) {
    int64_t extended =
        isSigned || from >= 64 ? *known : *known & ((int64_t(1) << from) - 1);
    return constant(bits, extended);
  }
  if (from == bits)
    return value;
  if (from > bits)
    return LLVM::TruncOp::create(builder, loc, type, value);
  if (isSigned)
    return LLVM::SExtOp::create(builder, loc, type, value);
  return LLVM::ZExtOp::create(builder, loc, type, value);
}

Value Emitter::bitcast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (auto inner = value.getDefiningOp<LLVM::BitcastOp>())
    return bitcast(inner.getArg(), type);
  return LLVM::BitcastOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Emitter: threads
//===----------------------------------------------------------------------===//

Value Emitter::lane() { return andConst(threadId, 31); }

Value Emitter::anyLane(Value predicate) {
  return NVVM::VoteSyncOp::create(builder, loc, intType(1), i32(-1), predicate,
                                  NVVM::VoteSyncKind::any);
}

Value Emitter::linearOfThread(ArrayRef<uint64_t> columns) {
  return linearOf(threadId, columns);
}

Value Emitter::linearOf(Value source, ArrayRef<uint64_t> columns) {
  Value result;
  uint64_t covered = 0;
  auto combine = [&](Value part, uint64_t bits) {
    if (!result)
      result = part;
    else if (covered & bits)
      result = xorValues(result, part);
    else
      result = LLVM::OrOp::create(builder, loc, result, part);
    covered |= bits;
  };
  for (unsigned first = 0; first < columns.size();) {
    uint64_t column = columns[first];
    if (!column) {
      ++first;
      continue;
    }
    if (llvm::isPowerOf2_64(column)) {
      // A run of bits that moves as one field.
      unsigned last = first + 1;
      while (last < columns.size() && columns[last] == column << (last - first))
        ++last;
      unsigned count = last - first, to = llvm::Log2_64(column);
      uint64_t mask = (uint64_t(1) << count) - 1;
      Value field = andConst(source, mask << first);
      field = to >= first ? shlConst(field, to - first)
                          : shrConst(field, first - to);
      combine(field, mask << to);
      first = last;
      continue;
    }
    // One bit with several images: replicate it over all bits and mask.
    Value bit = andConst(shrConst(source, first), 1);
    combine(mulConst(bit, column), column);
    ++first;
  }
  return result ? result : i32(0);
}

Value Emitter::linearOfLane(const LinearMap &map) {
  SmallVector<uint64_t> columns;
  for (unsigned i = 0; i < map.numInputs(); ++i)
    columns.push_back(map.column(i));
  return linearOfThread(columns);
}

Value Emitter::rowMajorOfThread(const Layout &layout) {
  SmallVector<uint64_t> columns;
  for (unsigned space : {kLane, kWarp})
    llvm::append_range(columns, layout.getFlatBases(space));
  return linearOfThread(columns);
}

Value Emitter::threadBitsClear(uint64_t mask) {
  if (!mask)
    return {};
  return icmp(LLVM::ICmpPredicate::eq, andConst(threadId, mask), i32(0));
}

Value Emitter::ownsElements(const Layout &layout) {
  // Only the bits of a thread index within the scope of several warps.
  uint64_t threads = llvm::PowerOf2Ceil(limits::threadsPerWarp * numWarps());
  return threadBitsClear(
      layout.redundantMask() >> layout.getNumBases(kRegister) & (threads - 1));
}

//===----------------------------------------------------------------------===//
// Emitter: tiles
//===----------------------------------------------------------------------===//

Value Emitter::extract(Value vector, unsigned index) {
  // Looks through the insertions that built the vector.
  Value at = vector;
  while (auto insert = at.getDefiningOp<LLVM::InsertElementOp>()) {
    std::optional<int64_t> position = constantOf(insert.getPosition());
    if (!position)
      break;
    if (*position == index)
      return insert.getValue();
    at = insert.getVector();
  }
  return LLVM::ExtractElementOp::create(builder, loc, vector, i32(index));
}

Value Emitter::packVector(ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return elements[0];
  // All elements of one vector, in order.
  auto first = elements[0].getDefiningOp<LLVM::ExtractElementOp>();
  if (first && cast<VectorType>(first.getVector().getType()).getNumElements() ==
                   int64_t(elements.size())) {
    bool same = true;
    for (auto [i, element] : llvm::enumerate(elements)) {
      auto extract = element.getDefiningOp<LLVM::ExtractElementOp>();
      same &= extract && extract.getVector() == first.getVector() &&
              constantOf(extract.getPosition()) == int64_t(i);
    }
    if (same)
      return first.getVector();
  }
  Value vector = poison(
      VectorType::get({int64_t(elements.size())}, elements[0].getType()));
  for (auto [i, element] : llvm::enumerate(elements))
    vector =
        LLVM::InsertElementOp::create(builder, loc, vector, element, i32(i));
  return vector;
}

SmallVector<Value> Emitter::unpack(ValueRange words, RankedTensorType type) {
  Packing packing = getTilePacking(type);
  assert(int64_t(words.size()) == packing.numWords);
  if (packing.perWord == 1)
    return llvm::to_vector(words);
  SmallVector<Value> elements;
  for (Value word : words)
    for (int64_t i = 0; i < packing.perWord; ++i)
      elements.push_back(extract(word, i));
  return elements;
}

SmallVector<Value> Emitter::pack(ArrayRef<Value> elements,
                                 RankedTensorType type) {
  Packing packing = getTilePacking(type);
  assert(int64_t(elements.size()) == packing.numWords * packing.perWord);
  if (packing.perWord == 1)
    return llvm::to_vector(elements);
  SmallVector<Value> words;
  for (int64_t word = 0; word < packing.numWords; ++word)
    words.push_back(
        packVector(elements.slice(word * packing.perWord, packing.perWord)));
  return words;
}

Type Emitter::memoryType(unsigned count, Type element) {
  unsigned bits = getMemoryBits(element);
  unsigned total = bits * count;
  if (total < 32 || total == bits)
    return intType(total);
  unsigned unit = bits == 64 ? 64 : 32;
  if (total == unit)
    return intType(unit);
  return VectorType::get({int64_t(total / unit)}, intType(unit));
}

SmallVector<Value> Emitter::joinNibbles(ArrayRef<Value> halves) {
  SmallVector<Value> bytes;
  for (size_t i = 0; i < halves.size(); i += 2)
    bytes.push_back(LLVM::OrOp::create(builder, loc, halves[i],
                                       shlConst(halves[i + 1], 4)));
  return bytes;
}

SmallVector<Value> Emitter::splitNibbles(ArrayRef<Value> bytes) {
  SmallVector<Value> halves;
  for (Value byte : bytes) {
    halves.push_back(andConst(byte, 0xf));
    halves.push_back(shrConst(byte, 4));
  }
  return halves;
}

Value Emitter::toBits(Value element) {
  Type type = element.getType();
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::PtrToIntOp::create(builder, loc, intType(64), element);
  if (isa<IntegerType>(type))
    return element;
  if (auto vector = dyn_cast<VectorType>(type))
    return bitcast(element, intType(vector.getNumElements() *
                                    vector.getElementTypeBitWidth()));
  return bitcast(element, intType(type.getIntOrFloatBitWidth()));
}

Value Emitter::fromBits(Value bits, Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, bits);
  return bitcast(bits, type);
}

Value Emitter::toMemory(ArrayRef<Value> elements, Type element) {
  unsigned bits = getMemoryBits(element);
  SmallVector<Value> parts;
  if (getRegisterBits(element) == 1) {
    for (Value value : elements)
      parts.push_back(resize(value, 8));
  } else if (bits == 64) {
    for (Value value : elements)
      parts.push_back(toBits(value));
    return packVector(parts);
  } else {
    llvm::append_range(parts, elements);
  }
  unsigned perUnit = std::max<unsigned>(1, 32 / bits);
  SmallVector<Value> units;
  for (unsigned i = 0; i < parts.size(); i += perUnit)
    units.push_back(toBits(packVector(ArrayRef<Value>(parts).slice(
        i, std::min<size_t>(perUnit, parts.size() - i)))));
  return packVector(units);
}

SmallVector<Value> Emitter::fromMemory(Value image, unsigned count,
                                       Type element) {
  SmallVector<Value> parts = {image};
  if (auto vector = dyn_cast<VectorType>(image.getType())) {
    parts.clear();
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      parts.push_back(extract(image, i));
  }
  return fromMemory(parts, count, element);
}

SmallVector<Value> Emitter::fromMemory(ArrayRef<Value> parts, unsigned count,
                                       Type element) {
  unsigned bits = getMemoryBits(element);
  bool isBool = getRegisterBits(element) == 1;
  Type type = isBool ? intType(8) : getRegisterType(element);
  unsigned perUnit =
      std::min<unsigned>(count, std::max<unsigned>(1, 32 / bits));
  SmallVector<Value> elements;
  for (Value unit : parts) {
    if (perUnit == 1) {
      elements.push_back(fromBits(unit, type));
    } else {
      Value vector = bitcast(unit, VectorType::get({perUnit}, type));
      for (unsigned k = 0; k < perUnit; ++k)
        elements.push_back(extract(vector, k));
    }
  }
  if (isBool)
    for (Value &value : elements)
      value = icmp(LLVM::ICmpPredicate::ne, value, constant(8, 0));
  return elements;
}

Value Emitter::shuffle(NVVM::ShflKind kind, Value value, Value lane) {
  Type type = value.getType();
  Value bits = toBits(value);
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  auto one = [&](Value word) -> Value {
    // Clamp is 31; `up` clamps at lane 0 (PTX ISA, shfl.sync).
    int64_t clamp = kind == NVVM::ShflKind::up ? 0 : 31;
    return NVVM::ShflOp::create(builder, loc, intType(32), i32(-1), word, lane,
                                i32(clamp), kind, UnitAttr());
  };
  Value moved;
  if (width <= 32) {
    moved = resize(one(resize(bits, 32)), width);
  } else {
    assert(width == 64);
    Value low = one(resize(bits, 32));
    Value high = one(resize(shrConst(bits, 32), 32));
    moved = LLVM::OrOp::create(builder, loc, resize(low, 64),
                               shlConst(resize(high, 64), 32));
  }
  return fromBits(moved, type);
}

//===----------------------------------------------------------------------===//
// Emitter: memory
//===----------------------------------------------------------------------===//

Value Emitter::smemPtr(int64_t offset) {
  Value base = LLVM::AddressOfOp::create(
      builder, loc, ptrType(nv_tileaa::SharedSpace), info.smemSymbol);
  return gepConst(base, offset);
}

Value Emitter::gep(Value ptr, Value byteOffset) {
  if (constantOf(byteOffset) == 0)
    return ptr;
  return LLVM::GEPOp::create(builder, loc, ptr.getType(), intType(8), ptr,
                             ArrayRef<LLVM::GEPArg>{byteOffset});
}

Value Emitter::gepConst(Value ptr, int64_t byteOffset) {
  if (!byteOffset)
    return ptr;
  return LLVM::GEPOp::create(
      builder, loc, ptr.getType(), intType(8), ptr,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(byteOffset)});
}

Value Emitter::load(Type type, Value ptr, unsigned align) {
  return LLVM::LoadOp::create(builder, loc, type, ptr, align);
}

void Emitter::store(Value value, Value ptr, unsigned align) {
  LLVM::StoreOp::create(builder, loc, value, ptr, align);
}

void Emitter::onlyIf(Value condition, function_ref<void()> body) {
  if (!condition) {
    body();
    return;
  }
  auto ifOp = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  body();
  builder.setInsertionPointAfter(ifOp);
}

void Emitter::barrier() {
  ExecScope scope = execScope();
  if (scope.warps == 1)
    NVVM::SyncWarpOp::create(builder, loc, i32(-1));
  else if (scope.isCta())
    NVVM::Barrier0Op::create(builder, loc);
  else
    NVVM::BarrierOp::create(builder, loc, TypeRange(), i32(scope.barrierId),
                            i32(scope.getThreads()),
                            NVVM::BarrierReductionAttr(), Value());
}

void Emitter::clusterBarrier() {
  NVVM::ClusterArriveOp::create(builder, loc,
                                /*aligned=*/builder.getUnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
}

int64_t Emitter::enterScratch(Operation *op) {
  std::optional<int64_t> offset =
      cast<nv_tileas::ScratchOpInterface>(op).getScratchOffset();
  assert(offset && "storage is assigned before the conversion");
  return *offset;
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

TileCoords::TileCoords(Emitter &emitter, const Layout &layout)
    : emitter(emitter), layout(layout) {
  unsigned rank = layout.getRank();
  threadParts.resize(rank);
  threadMask.assign(rank, 0);
  regMask.assign(rank, 0);
  for (unsigned dim = 0; dim < rank; ++dim) {
    for (unsigned i = 0; i < layout.getNumBases(kRegister); ++i)
      regMask[dim] |= layout.getBasis(kRegister, i)[dim];
    for (unsigned space : {kLane, kWarp})
      for (unsigned i = 0; i < layout.getNumBases(space); ++i)
        threadMask[dim] |= layout.getBasis(space, i)[dim];
  }
}

Value TileCoords::threadPart(unsigned dim) {
  Value &part = threadParts[dim];
  if (!part) {
    SmallVector<uint64_t> columns;
    for (unsigned space : {kLane, kWarp})
      for (unsigned i = 0; i < layout.getNumBases(space); ++i)
        columns.push_back(layout.getBasis(space, i)[dim]);
    part = emitter.linearOfThread(columns);
  }
  return part;
}

int64_t TileCoords::registerPart(unsigned dim, int64_t reg) const {
  return layout.unflatten(layout.applyFlat(reg))[dim];
}

Value TileCoords::get(unsigned dim, int64_t reg) {
  int64_t part = registerPart(dim, reg);
  Value &value = cache[{dim, part}];
  if (!value)
    value = isSum(dim) ? emitter.add(threadPart(dim), emitter.i32(part))
                       : emitter.xorConst(threadPart(dim), part);
  return value;
}

} // namespace tileir::lowering
