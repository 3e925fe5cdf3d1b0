// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/SharedAccess.h"

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
  // Parts start at multiples of their extents.
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
    : emitter(emitter), base(buffer.base),
      reg(embed(tile, buffer.layout.getShape())), element(element),
      bytes(getMemoryBits(element) / 8), offsets(smemOffsets(buffer.layout)) {
  vectors = smemAccess(reg, buffer.layout, bytes * 8);
  // `ldmatrix` gives bytes, an i1 is made of one.
  if (!element.isInteger(1))
    matrices = matchLdmatrix(reg, buffer.layout, bytes * 8);
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

/// The address `bytes` away: bits that the thread's part may have, too, are
/// XOR-ed, the others become an immediate.
Value SharedAccess::pointerAt(uint64_t distance) {
  uint64_t shared = distance & threadMask;
  Value &pointer = pointers[shared];
  if (!pointer)
    pointer = emitter.gep(base, emitter.xorConst(thread, shared));
  return emitter.gepConst(pointer, distance & ~threadMask);
}

Packing SharedAccess::packing() const {
  return getPacking(getRegisterBits(element), reg.getNumRegisters());
}

/// Words by `ldmatrix`, which come in register order.
SmallVector<Value> SharedAccess::readMatrices(uint64_t origin) {
  // Lane i gives the address of row i mod 8 of matrix i div 8.
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
  unsigned regs = reg.getNumBases(kRegister);
  unsigned first = matrices->wordBits + matrixBits;
  Type type = getRegisterType(element);
  if (packing().perWord > 1)
    type = VectorType::get({packing().perWord}, type);
  SmallVector<Value> words;
  for (int64_t rest = 0; rest < int64_t(1) << (regs - first); ++rest) {
    uint64_t distance = origin;
    for (unsigned i = first; i < regs; ++i)
      if ((rest >> (i - first)) & 1)
        distance ^= matrices->registerOffsets[i] * 2;
    auto load = nv_tileas::AtomLdmatrixOp::create(
        emitter.builder, emitter.loc,
        SmallVector<Type>(matrices->num, emitter.intType(32)),
        pointerAt(distance), matrices->num, matrices->transposed);
    for (Value result : load.getResults())
      words.push_back(emitter.bitcast(result, type));
  }
  return words;
}

/// Elements by loads of up to 16 bytes.
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
  if (!matrices)
    return readVectors(start);
  SmallVector<Value> words = readMatrices(start);
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

void SharedAccess::write(ArrayRef<Value> elements) {
  unsigned regs = reg.getNumBases(kRegister);
  SmallVector<uint64_t> images;
  for (unsigned i = regs; i < vectors.offsets.numInputs(); ++i)
    images.push_back(vectors.offsets.column(i) * bytes);
  setThreadColumns(images);
  int64_t width = int64_t(1) << vectors.vectorBits;
  SmallVector<Value> ptrs;
  for (int64_t at = 0; at < int64_t(1) << regs; at += width)
    ptrs.push_back(pointerAt(vectors.offsets(at) * bytes));
  emitter.onlyIf(emitter.ownsElements(reg), [&] {
    for (auto [i, ptr] : llvm::enumerate(ptrs))
      emitter.store(emitter.toMemory(elements.slice(i * width, width), element),
                    ptr, width * bytes);
  });
}

} // namespace tileir::lowering
