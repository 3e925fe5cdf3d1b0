// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileir::Layout;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

bool BufferType::isWhole() const {
  return getShape() == ArrayRef<int64_t>(getLayout().getLayout().getShape());
}

int64_t BufferType::getStageBytes() const {
  // Each element of 4 bits takes a byte.
  int64_t bits = std::max(8u, getStorageBits(getElementType()));
  return getLayout().getLayout().getNumElements() * bits / 8;
}

int64_t BufferType::getAlignment() const {
  const Layout &layout = getLayout().getLayout();
  int64_t alignment = 16;
  if (getSpace() != tileir::LayoutSpace::Smem)
    return alignment;
  // An address bit that depends on several coordinate bits is part of an
  // address swizzle: the start must be zero up to this bit.
  int64_t bits = std::max(8u, getStorageBits(getElementType()));
  for (unsigned i = 0; i < layout.getNumBases(tileir::kOffset); ++i)
    if (llvm::popcount(layout.getFlatBasis(tileir::kOffset, i)) > 1)
      alignment = std::max<int64_t>(alignment, (int64_t(2) << i) * bits / 8);
  return alignment;
}

int64_t BufferType::getStageStride() const {
  return llvm::alignTo(getStageBytes(), getAlignment());
}

int64_t BufferType::getTotalBytes() const {
  return getStageStride() * std::max<int64_t>(1, getStages());
}

//===----------------------------------------------------------------------===//
// subview
//===----------------------------------------------------------------------===//

LogicalResult SubviewOp::verify() {
  BufferType from = getSource().getType(), to = getType();
  if (from.isStaged() || to.isStaged() ||
      from.getShape().size() != to.getShape().size() ||
      from.getElementType() != to.getElementType() ||
      from.getLayout() != to.getLayout()) // C1
    return emitOpError(
        "expects unstaged buffers of one rank, element type and layout");
  for (auto [whole, part] : llvm::zip(from.getShape(), to.getShape()))
    if (part > whole) // C2
      return emitOpError("result extent ")
             << part << " exceeds the source extent " << whole;
  ArrayRef<int64_t> offsets = getStaticOffsets();
  if (offsets.size() != from.getShape().size() ||
      size_t(llvm::count(offsets, ShapedType::kDynamic)) !=
          getOffsets().size()) // C3
    return emitOpError("expects one offset for each of ")
           << from.getShape().size() << " dimensions";
  for (auto [d, offset] : llvm::enumerate(offsets)) {
    if (ShapedType::isDynamic(offset))
      continue;
    int64_t extent = to.getShape()[d];
    if (offset < 0 || offset % extent ||
        offset + extent > from.getShape()[d]) // C4
      return emitOpError("offset ")
             << offset << " of dimension " << d
             << " must be a multiple of the result extent " << extent
             << " inside the source";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// dealloc
//===----------------------------------------------------------------------===//

LogicalResult DeallocOp::verify() {
  if (!getBuffer().getDefiningOp<AllocTensorOp>()) // C1
    return emitOpError("expects the result of 'nv_tileas.alloc_tensor'");
  return success();
}

void DeallocOp::getEffects(Effects &effects) {
  SideEffects::Resource *resource = SharedResource::get();
  if (getBuffer().getType().getSpace() == tileir::LayoutSpace::Tmem)
    resource = TensorResource::get();
  effects.emplace_back(MemoryEffects::Free::get(), &getBufferMutable(),
                       resource);
}
