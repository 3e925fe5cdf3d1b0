// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/memory/SharedAccess.h"

#include "passes/tileas_lowering/memory/Access.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir::lowering {

Layout embed(const Layout &reg, const Layout::Shape &shape) {
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  Layout::FlatBases bases = reg.getFlatBases();
  for (std::vector<uint32_t> &space : bases)
    for (uint32_t &basis : space)
      basis = frame.flatten(reg.unflatten(basis));
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

SharedBuffer::SharedBuffer(ValueRange values, nv_tileas::BufferType type)
    : base(values[0]), layout(type.getLayout().getLayout()) {
  if (type.isWhole())
    return;
  APInt known;
  if (matchPattern(values[1], m_ConstantInt(&known))) {
    origin = known.getZExtValue();
    return;
  }
  // Subviews start at multiples of their extents.
  offset = values[1];
  unsigned bytes = getMemoryBits(type.getElementType()) / 8;
  LinearMap offsets = smemOffsets(layout);
  for (auto [d, extent] : llvm::enumerate(type.getShape()))
    for (unsigned bit = llvm::Log2_64(extent); bit < layout.getLog2Extent(d);
         ++bit)
      offsetMask |= offsets(layout.unit(d, bit)) * bytes;
}

SharedAccess::SharedAccess(Emitter &emitter, const SharedBuffer &buffer,
                           const Layout &tile, Type element)
    : emitter(emitter), base(buffer.base), start(buffer.origin),
      reg(embed(tile, buffer.layout.getShape())), element(element),
      bytes(getMemoryBits(element) / 8), offsets(smemOffsets(buffer.layout)) {
  vectors = smemAccess(reg, buffer.layout, bytes * 8);
  // `ldmatrix` gives bytes; an i1 is converted from one.
  if (!element.isInteger(1))
    matrices = matchLdmatrix(reg, buffer.layout, bytes * 8);
  if (bytes == 1 && !element.isInteger(1))
    transpose = matchByteTranspose(reg, buffer.layout);
  if (buffer.offset)
    moveBy(buffer.offset, buffer.offsetMask);
}

void SharedAccess::moveBy(Value amount, uint64_t mask) {
  assert(!thread && "moved before its first use");
  dynamicOffset =
      dynamicOffset ? emitter.xorValues(dynamicOffset, amount) : amount;
  threadMask |= mask;
}

void SharedAccess::setThreadColumns(ArrayRef<uint64_t> images) {
  if (thread)
    return;
  thread = emitter.linearOfThread(images);
  for (uint64_t image : images)
    threadMask |= image;
  if (dynamicOffset)
    thread = emitter.xorValues(thread, dynamicOffset);
}

/// Returns the address at distance `bytes`: bits that the thread's offset may
/// also have are XOR-ed, the others become an immediate.
Value SharedAccess::pointerAt(uint64_t distance) {
  distance ^= start;
  uint64_t shared = distance & threadMask;
  Value &pointer = pointers[shared];
  if (!pointer)
    pointer = emitter.gep(base, emitter.xorConst(thread, shared));
  return emitter.gepConst(pointer, distance & ~threadMask);
}

Packing SharedAccess::packing() const {
  return getPacking(getRegisterBits(element), reg.getNumRegisters());
}

/// Lane i provides the address of row i mod 8 of matrix i div 8.
void SharedAccess::setMatrixColumns() {
  unsigned matrixBits = llvm::Log2_32(matrices->num);
  SmallVector<uint64_t> images;
  for (uint64_t offset : matrices->rowOffsets)
    images.push_back(offset * 2);
  for (unsigned i = 0; i < 2; ++i)
    images.push_back(i < matrixBits
                         ? matrices->registerOffsets[matrices->wordBits + i] * 2
                         : 0);
  for (uint64_t offset : matrices->warpOffsets)
    images.push_back(offset * 2);
  setThreadColumns(images);
}

uint64_t SharedAccess::getMatrixDistance(uint64_t rest) const {
  uint64_t distance = 0;
  unsigned first = matrices->wordBits + llvm::Log2_32(matrices->num);
  for (unsigned i = first; i < reg.getNumBases(kRegister); ++i)
    if ((rest >> (i - first)) & 1)
      distance ^= matrices->registerOffsets[i] * 2;
  return distance;
}

/// Returns the type of a packed register of the tile.
Type SharedAccess::getWordType() const {
  Type type = getRegisterType(element);
  return packing().perWord > 1 ? VectorType::get({packing().perWord}, type)
                               : type;
}

/// Reads packed registers by `ldmatrix`, in register order.
SmallVector<Value> SharedAccess::readMatrices(uint64_t origin) {
  setMatrixColumns();
  Type type = getWordType();
  SmallVector<Value> words;
  int64_t count = reg.getNumRegisters() >> matrices->wordBits;
  for (int64_t at = 0; at < count; at += matrices->num) {
    auto load = nv_tileas::AtomLdmatrixOp::create(
        emitter.builder, emitter.loc,
        SmallVector<Type>(matrices->num, emitter.intType(32)),
        pointerAt(origin ^ getMatrixDistance(at / matrices->num)),
        matrices->num, matrices->transposed);
    for (Value result : load.getResults())
      words.push_back(emitter.bitcast(result, type));
  }
  return words;
}

/// Reads registers of bytes across rows: transposed matrices of byte pairs,
/// whose bytes are sorted afterwards.
SmallVector<Value> SharedAccess::readTransposed(uint64_t origin) {
  setThreadColumns(transpose->threadOffsets);
  // Bytes of the first and the second matrix of a pair: neighbours along the
  // registers are in the two halves, neighbours across are adjacent.
  auto has = [&](unsigned lanes) {
    Value bits = emitter.andConst(emitter.lane(), lanes);
    if (llvm::popcount(lanes) > 1)
      bits = LLVM::CtPopOp::create(emitter.builder, emitter.loc,
                                   emitter.intType(32), bits);
    else
      bits = emitter.shrConst(bits, llvm::Log2_32(lanes));
    return emitter.icmp(LLVM::ICmpPredicate::ne, emitter.andConst(bits, 1),
                        emitter.i32(0));
  };
  Value first = emitter.select(has(ByteTranspose::exchangesMatrices),
                               emitter.i32(0x2064), emitter.i32(0x6420));
  if (transpose->exchangesRegisters)
    first = emitter.select(has(transpose->exchangesRegisters),
                           emitter.xorConst(first, 0x1111), first);
  Value second = emitter.xorConst(first, 0x1111);
  Type type = getWordType(), word = emitter.intType(32);
  SmallVector<Value> words(reg.getNumRegisters() / 4);
  auto sort = [&](size_t at, Value a, Value b, Value selector) {
    Value sorted =
        LLVM::CallIntrinsicOp::create(
            emitter.builder, emitter.loc, word,
            emitter.builder.getStringAttr("llvm.nvvm.prmt"), {a, b, selector})
            .getResult(0);
    words[at] = emitter.bitcast(sorted, type);
  };
  // The register bits above the bits of a byte number the packed registers.
  auto wordOf = [](unsigned bit) { return size_t(1) << (bit - 2); };
  ArrayRef<unsigned> bits = transpose->wordBits;
  size_t pairs[] = {0, transpose->num == 4 ? wordOf(bits[0]) : 0};
  if (transpose->num == 4)
    bits = bits.drop_front();
  for (size_t rest = 0; rest < size_t(1) << bits.size(); ++rest) {
    uint64_t distance = origin;
    size_t at = 0;
    for (auto [i, bit] : llvm::enumerate(bits))
      if ((rest >> i) & 1) {
        distance ^= transpose->registerOffsets[bit];
        at |= wordOf(bit);
      }
    auto load = nv_tileas::AtomLdmatrixOp::create(
        emitter.builder, emitter.loc, SmallVector<Type>(transpose->num, word),
        pointerAt(distance), transpose->num, /*trans=*/true);
    for (unsigned i = 0; i < transpose->num; i += 2) {
      Value x = load.getResult(i), y = load.getResult(i + 1);
      sort(at | pairs[i / 2], x, y, first);
      sort(at | pairs[i / 2] | wordOf(transpose->pairBit), x, y, second);
    }
  }
  return words;
}

/// Reads elements by loads of up to 16 bytes.
SmallVector<Value> SharedAccess::readVectors(uint64_t origin) {
  unsigned regs = reg.getNumBases(kRegister);
  SmallVector<uint64_t> images;
  for (unsigned i = regs; i < vectors.offsets.numInputs(); ++i)
    images.push_back(vectors.offsets.column(i) * bytes);
  setThreadColumns(images);
  int64_t width = int64_t(1) << vectors.vectorBits;
  Type type = emitter.memoryType(width, element);
  SmallVector<Value> elements;
  for (int64_t at = 0; at < int64_t(1) << regs; at += width) {
    Value ptr = pointerAt(origin ^ (vectors.offsets(at) * bytes));
    llvm::append_range(
        elements, emitter.fromMemory(emitter.load(type, ptr, width * bytes),
                                     width, element));
  }
  return elements;
}

SmallVector<Value> SharedAccess::readElements(uint32_t origin) {
  uint64_t start = offsets(origin) * bytes;
  if (!matrices && !transpose)
    return readVectors(start);
  SmallVector<Value> words =
      matrices ? readMatrices(start) : readTransposed(start);
  if (packing().perWord == 1)
    return words;
  SmallVector<Value> elements;
  for (Value word : words)
    for (int64_t i = 0; i < packing().perWord; ++i)
      elements.push_back(emitter.extract(word, i));
  return elements;
}

SmallVector<Value> SharedAccess::readWords(uint32_t origin) {
  uint64_t start = offsets(origin) * bytes;
  if (matrices)
    return readMatrices(start);
  if (transpose)
    return readTransposed(start);
  SmallVector<Value> elements = readVectors(start);
  int64_t perWord = packing().perWord;
  if (perWord == 1)
    return elements;
  SmallVector<Value> words;
  for (size_t i = 0; i < elements.size(); i += perWord)
    words.push_back(
        emitter.packVector(ArrayRef<Value>(elements).slice(i, perWord)));
  return words;
}

/// Writes matrices by `stmatrix`, which takes packed registers in register
/// order.
void SharedAccess::writeMatrices(ArrayRef<Value> elements) {
  setMatrixColumns();
  int64_t perWord = packing().perWord;
  SmallVector<Value> words;
  for (size_t at = 0; at < elements.size(); at += perWord)
    words.push_back(emitter.bitcast(
        perWord > 1 ? emitter.packVector(elements.slice(at, perWord))
                    : elements[at],
        emitter.intType(32)));
  for (size_t at = 0; at < words.size(); at += matrices->num)
    nv_tileas::AtomStmatrixOp::create(
        emitter.builder, emitter.loc,
        pointerAt(getMatrixDistance(at / matrices->num)),
        ArrayRef<Value>(words).slice(at, matrices->num), matrices->transposed);
}

void SharedAccess::write(ArrayRef<Value> elements) {
  // Whole vectors of 16 bytes need as many instructions.
  if (matrices && bytes << vectors.vectorBits < 16 &&
      emitter.state.target.has(Feature::StmatrixB16) &&
      !(reg.redundantMask() >> reg.getNumBases(kRegister)))
    return writeMatrices(elements);
  unsigned regs = reg.getNumBases(kRegister);
  SmallVector<uint64_t> images;
  for (unsigned i = regs; i < vectors.offsets.numInputs(); ++i)
    images.push_back(vectors.offsets.column(i) * bytes);
  setThreadColumns(images);
  int64_t width = int64_t(1) << vectors.vectorBits;
  SmallVector<Value> ptrs;
  for (int64_t at = 0; at < int64_t(1) << regs; at += width)
    ptrs.push_back(pointerAt(vectors.offsets(at) * bytes));
  storeShared(emitter, emitter.ownsElements(reg), ptrs, elements, element,
              width);
}

} // namespace tileir::lowering
