// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/layout/StagingLayout.h"

#include "dialects/support/layout/SharedMemory.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// The tile dimension along which `load` reads adjacent elements.
static std::optional<unsigned> getUnitStrideDim(as::TiledLoadOp load) {
  nv_tileaa::TATiledViewType view = load.getView().getType();
  if (!view.getGroupSizes().empty())
    return std::nullopt;
  ArrayRef<int64_t> strides = view.getSource().getStrides();
  for (unsigned d = view.getRank(); d-- > 0;)
    if (view.getTileShape()[d] > 1 && strides[view.getMemRefDim(d)] == 1)
      return d;
  return std::nullopt;
}

unsigned getContiguousDim(Value tile) {
  unsigned rank = cast<RankedTensorType>(tile.getType()).getRank();
  // Counted from the end, past reshapes by unit dimensions.
  unsigned last = 0;
  for (Operation *op = tile.getDefiningOp(); op;
       op = op->getOperand(0).getDefiningOp()) {
    if (auto load = dyn_cast<as::TiledLoadOp>(op)) {
      std::optional<unsigned> dim = getUnitStrideDim(load);
      unsigned fromEnd =
          dim ? load.getView().getType().getRank() - 1 - *dim : 0;
      return fromEnd < 2 ? rank - 1 - (fromEnd ^ last) : rank - 1;
    }
    if (auto permute = dyn_cast<as::PermuteOp>(op)) {
      ArrayRef<int32_t> permutation = permute.getPermutation();
      last ^= permutation.size() >= 2 &&
              permutation.back() != int32_t(permutation.size()) - 1;
      continue;
    }
    auto reshape = dyn_cast<as::ViewOp>(op);
    bool passes =
        isa<as::ConvertLayoutOp>(op) || reshape ||
        (op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() == 1);
    if (!passes)
      break;
  }
  return rank - 1;
}

as::BufferType getStagingType(RankedTensorType tile, unsigned major) {
  Layout::Shape shape(tile.getShape().begin(), tile.getShape().end());
  unsigned bits = std::max(8u, as::getStorageBits(tile.getElementType()));
  std::optional<Layout> layout;
  for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32})
    if (!layout)
      layout = swizzledSmem(shape, swizzle, major, bits);
  if (!layout) {
    std::vector<unsigned> order = {major};
    for (unsigned d = shape.size(); d-- > 0;)
      if (d != major)
        order.push_back(d);
    layout = Layout::linearSmem(shape, order);
  }
  return as::BufferType::get(tile.getContext(), /*stages=*/0, tile.getShape(),
                             tile.getElementType(),
                             as::getLayoutAttr(tile.getContext(), *layout));
}

} // namespace tileir
