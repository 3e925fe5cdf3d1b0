// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/Scratch.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/layout/Conversion.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace tileir {

unsigned getRegisterBits(Type element) {
  unsigned bits = element.isInteger(1) ? 1 : getStorageBits(element);
  return bits == 1 ? 1 : std::max(8u, bits);
}

unsigned getMemoryBits(Type element) {
  return std::max(8u, getRegisterBits(element));
}

bool isSeparable(const Layout &layout, unsigned axis) {
  uint32_t mask = layout.dimMask(axis);
  for (unsigned space : {kRegister, kLane, kWarp})
    for (uint32_t basis : layout.getFlatBases(space))
      if ((basis & mask) && (basis & ~mask))
        return false;
  return true;
}

SmallVector<unsigned> getAxisBits(const Layout &layout, unsigned axis,
                                  unsigned space) {
  uint64_t redundant = layout.redundantMask() >> layout.getFirstBit(space);
  SmallVector<unsigned> bits;
  for (unsigned i = 0; i < layout.getNumBases(space); ++i)
    if ((layout.getFlatBasis(space, i) & layout.dimMask(axis)) &&
        !((redundant >> i) & 1))
      bits.push_back(i);
  return bits;
}

int64_t getPartialBytes(TypeRange operands, int64_t elements,
                        SmallVectorImpl<int64_t> &offsets) {
  int64_t end = 0;
  for (Type type : operands) {
    int64_t bytes = getMemoryBits(getElementTypeOrSelf(type)) / 8;
    end = llvm::alignTo(end, bytes);
    offsets.push_back(end);
    end += bytes * elements;
  }
  return llvm::alignTo(end, 16);
}

SliceSource getSliceSource(const Layout &whole, const Layout &part) {
  Layout::Shape shape = part.getShape();
  if (whole.extractReplicated(shape) != part)
    return SliceSource::Memory;
  uint32_t discarded = whole.sliceMask(shape);
  auto discards = [&](unsigned space) {
    return llvm::any_of(whole.getFlatBases(space),
                        [&](uint32_t basis) { return basis & discarded; });
  };
  return discards(kWarp)   ? SliceSource::Warps
         : discards(kLane) ? SliceSource::Lanes
                           : SliceSource::Registers;
}

SliceSource getSliceSource(RankedTensorType whole, RankedTensorType part) {
  return getSliceSource(getTileLayout(whole).getLayout(),
                        getTileLayout(part).getLayout());
}

} // namespace tileir

using namespace tileir;

static Layout getLayout(Type tile) { return getTileLayout(tile).getLayout(); }

/// Bytes of a tile in memory, each element once.
static int64_t getTileBytes(RankedTensorType tile) {
  return getLayout(tile).getNumElements() *
         getMemoryBits(tile.getElementType()) / 8;
}

//===----------------------------------------------------------------------===//
// Exchanges of tiles
//===----------------------------------------------------------------------===//

int64_t ConvertLayoutOp::getScratchBytes() {
  auto from = cast<RankedTensorType>(getSource().getType());
  ConversionChoice choice =
      chooseConversion(getLayout(getType()), getLayout(from),
                       getRegisterBits(from.getElementType()));
  if (choice.kind != ConversionKind::Shared)
    return 0;
  return std::max<int64_t>(128, getTileBytes(from));
}

// A row of `ldmatrix` has 16 bytes; eight rows have the width of all banks.
int64_t ConvertLayoutOp::getScratchAlignment() { return 128; }

Value ConvertLayoutOp::getScratchOperand() { return getScratch(); }

/// Bytes of the partial results of all warps along the axis; an operand that is
/// not separable gets another layout before.
static int64_t getCombineBytes(Operation *op, unsigned axis) {
  Layout layout = getLayout(op->getOperand(0).getType());
  if (!isSeparable(layout, axis))
    return 0;
  size_t warps = getAxisBits(layout, axis, kWarp).size();
  if (!warps)
    return 0;
  SmallVector<int64_t> offsets;
  return getPartialBytes(op->getOperandTypes(),
                         (layout.getNumElements() >> layout.getLog2Extent(axis))
                             << warps,
                         offsets);
}

int64_t ReduceOp::getScratchBytes() {
  return getCombineBytes(*this, getAxis());
}
int64_t ScanOp::getScratchBytes() { return getCombineBytes(*this, getAxis()); }

int64_t ExtractOp::getScratchBytes() {
  Layout layout = getLayout(getSource().getType());
  bool inWarp =
      layout.zeroMask(kWarp) == (uint64_t(1) << layout.getNumBases(kWarp)) - 1;
  return inWarp ? 0 : 16;
}

static int64_t getMovedBytes(RankedTensorType moved) {
  return std::max<int64_t>(16, getTileBytes(moved));
}

int64_t ExtractSliceOp::getScratchBytes() {
  auto whole = cast<RankedTensorType>(getSource().getType());
  auto part = cast<RankedTensorType>(getType());
  switch (getSliceSource(whole, part)) {
  case SliceSource::Registers:
  case SliceSource::Lanes:
    return 0;
  case SliceSource::Warps:
    return getMovedBytes(part);
  case SliceSource::Memory:
    return getMovedBytes(whole);
  }
  llvm_unreachable("unknown source of a slice");
}

int64_t InsertSliceOp::getScratchBytes() {
  auto part = cast<RankedTensorType>(getSource().getType());
  // A thread that holds its slice needs no data of other threads.
  return getSliceSource(cast<RankedTensorType>(getType()), part) ==
                 SliceSource::Memory
             ? getMovedBytes(part)
             : 0;
}

//===----------------------------------------------------------------------===//
// Work that one thread does for all
//===----------------------------------------------------------------------===//

int64_t AllocaOp::getScratchBytes() {
  return getType().getSpace() == nv_tileaa::SharedSpace ? 0 : 16;
}

int64_t LoadOp::getScratchBytes() {
  bool isPlain =
      getMemSemantic() == nv_tileaa::MemSemantic::Weak && !getIsVolatile();
  return isPlain || isa<RankedTensorType>(getValue().getType()) ? 0 : 16;
}

/// Bytes of old values for threads that did not execute the atomic.
static int64_t getOldBytes(Value old) {
  if (!old || old.use_empty())
    return 0;
  auto tile = dyn_cast<RankedTensorType>(old.getType());
  if (!tile)
    return 16;
  if (!getLayout(tile).redundantMask())
    return 0;
  return std::max<int64_t>(16, getTileBytes(tile));
}

int64_t AtomicRmwOp::getScratchBytes() { return getOldBytes(getOld()); }
int64_t AtomicCasOp::getScratchBytes() { return getOldBytes(getOld()); }
int64_t TiledAtomicRmwOp::getScratchBytes() { return getOldBytes(getOld()); }
