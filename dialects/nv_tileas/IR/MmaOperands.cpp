// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/ScaledBlocks.h"

#include "dialects/support/layout/MatrixDescriptor.h"

namespace mlir::nv_tileas {

/// Bytes of K in one instruction, for all elements.
static constexpr int64_t kStepBytes = 32;

std::string getOperandProblem(BufferType buffer, unsigned kDim,
                              TransposedBits transposed) {
  unsigned bits = getStorageBits(buffer.getElementType());
  std::string why;
  std::optional<tileir::MatrixDescriptor> descriptor = tileir::matrixDescriptor(
      buffer.getLayout().getLayout(), bits, kDim, &why);
  if (!descriptor)
    return "has no matrix descriptor: " + why;
  if (!descriptor->isKMajor &&
      (bits < transposed.least || bits > transposed.most))
    return "must have K contiguous, because its elements have " +
           std::to_string(bits) + " bits";
  // Rows of wide elements need wide chunks, others narrow ones.
  if (!descriptor->isKMajor &&
      (bits > 16) != (descriptor->swizzle == tileir::Swizzle::B128Wide))
    return "has swizzle chunks of a size that the tensor core does not read";
  return descriptor->holdsStep(kStepBytes)
             ? ""
             : "has a step of K that crosses a span of its swizzle";
}

int64_t getScaledBlock(Type element, Type scale) {
  if (isa<Float8E8M0FNUType>(scale))
    return isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(element) ? 32
                                                                            : 0;
  return isa<Float8E4M3FNType>(scale) && isa<Float4E2M1FNType>(element) ? 16
                                                                        : 0;
}

bool takesScaledBlock(Type element, Type scale, int64_t block) {
  return getScaledBlock(element, scale) == block ||
         (block == 16 && isa<Float4E2M1FNType>(element) &&
          isa<Float8E8M0FNUType>(scale));
}

int64_t getUnitBlock(Type element, int64_t depth, int64_t scales) {
  constexpr int64_t kWide = 32, kWordScales = 4;
  if (getStorageBits(element) < 8)
    return depth % scales ? 0 : depth / scales;
  return scales == std::max(kWordScales, depth / kWide) ? kWide : 0;
}

/// log2 of the scales in a cell, of the rows of tensor memory with scales of
/// their own, and of the operand rows that are side by side.
static constexpr unsigned kWordBits = 2, kRowBits = 5, kBlockBits = 7;

std::optional<tileir::Layout> getScaleLayout(const tileir::Layout::Shape &shape,
                                             unsigned kDim) {
  if (shape.size() != 2)
    return std::nullopt;
  using tileir::Layout;
  Layout frame = Layout::getUnchecked(tileir::LayoutSpace::Tmem, shape, {});
  unsigned rDim = 1 - kDim, rows = frame.getLog2Extent(rDim),
           scales = frame.getLog2Extent(kDim);
  if (rows < kBlockBits || scales < kWordBits)
    return std::nullopt;
  Layout::FlatBases bases(4);
  for (unsigned bit = 0; bit < rows; ++bit)
    bases[bit < kRowBits ? tileir::kRow : tileir::kCol].push_back(
        frame.unit(rDim, bit));
  for (unsigned bit = 0; bit < scales; ++bit)
    bases[bit < kWordBits ? tileir::kSub : tileir::kCol].push_back(
        frame.unit(kDim, bit));
  // The other quarters hold copies.
  bases[tileir::kRow].resize(kBlockBits);
  return Layout::getUnchecked(tileir::LayoutSpace::Tmem, shape, bases);
}

std::optional<tileir::Layout>
getStagedScaleLayout(const tileir::Layout::Shape &shape, unsigned kDim) {
  std::optional<tileir::Layout> scales = getScaleLayout(shape, kDim);
  if (!scales)
    return std::nullopt;
  // Four columns first, then rows, then the next four columns.
  tileir::Layout::FlatBases bases(2);
  std::vector<uint32_t> columns = scales->getFlatBases(tileir::kCol),
                        rows = scales->getFlatBases(tileir::kRow);
  auto add = [&](ArrayRef<uint32_t> more) {
    bases[tileir::kOffset].insert(bases[tileir::kOffset].end(), more.begin(),
                                  more.end());
  };
  add(scales->getFlatBases(tileir::kSub));
  add(ArrayRef(columns).take_front(kBlockBits - kRowBits));
  add(ArrayRef(rows).take_front(kRowBits));
  add(ArrayRef(columns).drop_front(kBlockBits - kRowBits));
  return tileir::Layout::getUnchecked(tileir::LayoutSpace::Smem, shape, bases);
}

std::optional<tileir::Layout> getDotScaleLayout(MmaAtomAttr atom,
                                                const tileir::Layout &acc,
                                                int64_t scales, bool isA) {
  using tileir::Layout;
  if (!getDotOperandLayout(atom, acc, atom.getTileK(), isA) ||
      !llvm::isPowerOf2_64(scales))
    return std::nullopt;
  unsigned kept = isA ? 0 : 1;
  Layout::Shape shape = isA ? Layout::Shape{acc.getExtent(0), scales}
                            : Layout::Shape{scales, acc.getExtent(1)};
  Layout frame = Layout::getUnchecked(tileir::LayoutSpace::Reg, shape, {});
  auto line = [&](int64_t at) {
    Layout::Coord coord(2, 0);
    coord[kept] = at;
    return frame.flatten(coord);
  };
  auto getLine = [&](uint32_t flat) { return acc.unflatten(flat)[kept]; };
  // Rows (columns) of a warp's fragments below (beside) its first one.
  std::vector<uint32_t> registers = acc.getFlatBases(tileir::kRegister);
  unsigned own = llvm::Log2_64(atom.getM() * atom.getN() / 32);
  SmallVector<int64_t> lanes, blocks;
  for (uint32_t flat : ArrayRef(registers).drop_front(own))
    if (int64_t at = getLine(flat))
      blocks.push_back(at);
  // A fragment of A has rows with a distance of 8.
  if (isA)
    lanes.push_back(8);
  ArrayRef<int64_t> rest = blocks;
  constexpr unsigned kQuadBits = 2;
  while (lanes.size() < kQuadBits) {
    lanes.push_back(rest.empty() ? 0 : rest.front());
    rest = rest.drop_front(std::min<size_t>(1, rest.size()));
  }
  // Fragments may interleave columns.
  int64_t step = isA ? 1 : getLine(registers.front());
  lanes.append({step, 2 * step, 4 * step});
  Layout::FlatBases bases(4);
  for (unsigned bit = 0; bit < frame.getLog2Extent(1 - kept); ++bit)
    bases[tileir::kRegister].push_back(frame.unit(1 - kept, bit));
  for (int64_t at : rest)
    bases[tileir::kRegister].push_back(line(at));
  for (int64_t at : lanes)
    bases[tileir::kLane].push_back(line(at));
  for (uint32_t flat : acc.getFlatBases(tileir::kWarp))
    bases[tileir::kWarp].push_back(line(getLine(flat)));
  return Layout::getUnchecked(tileir::LayoutSpace::Reg, shape, bases);
}

} // namespace mlir::nv_tileas
