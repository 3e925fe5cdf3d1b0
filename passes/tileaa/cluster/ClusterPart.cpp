// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/cluster/ClusterPart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

unsigned ClusterPart::getAxesOf(unsigned dim) const {
  unsigned axes = 0;
  for (unsigned axis = 0; axis < kMaxAxes; ++axis)
    if (getDim(axis) == dim)
      axes |= 1u << axis;
  return axes;
}

unsigned ClusterPart::getFreeAxes(unsigned numAxes) const {
  unsigned axes = 0;
  for (unsigned axis = 0; axis < numAxes; ++axis)
    if (!getDim(axis))
      axes |= 1u << axis;
  return axes;
}

int64_t ClusterPart::getPieces(unsigned dim) const {
  return int64_t(1) << llvm::popcount(getAxesOf(dim));
}

ClusterPart ClusterPart::map(
    llvm::function_ref<std::optional<unsigned>(unsigned)> map) const {
  ClusterPart result;
  for (unsigned axis = 0; axis < kMaxAxes; ++axis)
    if (std::optional<unsigned> dim = getDim(axis))
      result.setDim(axis, map(*dim));
  return result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool isDivisible(Type type) {
  return isa<RankedTensorType, aa::TATiledViewType>(type);
}

static ArrayRef<int64_t> getExtents(Type type) {
  if (auto view = dyn_cast<aa::TATiledViewType>(type))
    return view.getTileShape();
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return tile.getShape();
  return {};
}

int64_t getExtent(Type type, unsigned dim) { return getExtents(type)[dim]; }

/// The extents of a part; nothing where a dimension is missing or too short.
static std::optional<SmallVector<int64_t>>
divideExtents(ArrayRef<int64_t> extents, ClusterPart part) {
  SmallVector<int64_t> result(extents);
  for (unsigned axis = 0; axis < ClusterPart::kMaxAxes; ++axis) {
    std::optional<unsigned> dim = part.getDim(axis);
    if (!dim)
      continue;
    if (*dim >= result.size() || result[*dim] % 2)
      return std::nullopt;
    result[*dim] /= 2;
  }
  return result;
}

/// Elements of fewer than 8 bits stay in whole bytes, pairwise along each
/// dimension that may be the contiguous one.
static bool hasWholeBytes(Type element, ArrayRef<int64_t> extents,
                          ClusterPart part) {
  if (!aa::isNumber(element) || aa::getStorageBits(element) >= 8)
    return true;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (part.getAxesOf(dim) && extent * aa::getStorageBits(element) % 8)
      return false;
  return true;
}

/// A tile of the view begins at its coordinate times the step. The part begins
/// at the scaled coordinate plus the CTA's piece, in steps of one piece.
static Type getPartView(aa::TATiledViewType view, ClusterPart part) {
  std::optional<SmallVector<int64_t>> extents =
      divideExtents(view.getTileShape(), part);
  if (!extents || !view.getGroupSizes().empty() ||
      !hasWholeBytes(view.getElementType(), *extents, part))
    return {};
  SmallVector<int64_t> steps(view.getSteps());
  for (auto [dim, step] : llvm::enumerate(steps)) {
    if (!part.getAxesOf(dim) || int32_t(dim) == view.getSparseDim())
      continue;
    if (step % (*extents)[dim])
      return {};
    step = (*extents)[dim];
  }
  return aa::TATiledViewType::get(view.getContext(), *extents, view.getSource(),
                                  view.getDims(), view.getGroupSizes(), steps,
                                  view.getSparseDim(), view.getPadding());
}

Type getPartType(Type type, ClusterPart part) {
  if (part.isWhole())
    return type;
  if (auto view = dyn_cast<aa::TATiledViewType>(type))
    return getPartView(view, part);
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return type;
  std::optional<SmallVector<int64_t>> extents =
      divideExtents(tile.getShape(), part);
  if (!extents || !hasWholeBytes(tile.getElementType(), *extents, part))
    return {};
  return RankedTensorType::get(*extents, tile.getElementType());
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {

/// The rules for one operation: from the part of its results to those of its
/// operands.
class OperandParts {
public:
  OperandParts(Operation *op, ClusterPart part)
      : op(op), part(part), parts(op->getNumOperands()) {}

  /// Nothing where there is no rule, or where extents do not allow it.
  std::optional<SmallVector<ClusterPart>> get();

private:
  bool apply();
  bool applyElementwise();
  bool apply(aa::BroadcastOp broadcast);
  bool apply(aa::ExpandDimsOp expand);
  bool apply(aa::ViewOp view);
  bool apply(aa::DotOp dot);
  bool applyCombine(unsigned numOperands, int64_t axis, bool keepsAxis);
  bool applySlice(aa::ExtractSliceOp slice);
  bool applyInsert(aa::InsertSliceOp insert);
  bool applyBitcast(aa::BitcastOp bitcast);
  template <typename AccessOp> bool applyView(AccessOp access);

  void set(OpOperand &operand, ClusterPart value) {
    parts[operand.getOperandNumber()] = value;
  }
  /// Gives each operand that can be divided the same part.
  void setAll(ClusterPart value) {
    for (OpOperand &operand : op->getOpOperands())
      if (isDivisible(operand.get().getType()))
        set(operand, value);
  }

  Operation *op;
  ClusterPart part;
  SmallVector<ClusterPart> parts;
};

} // namespace

static bool hasAxis(ClusterPart part, unsigned dim) {
  return part.getAxesOf(dim) != 0;
}

/// Element by element: every tile among operands and results has one shape.
bool OperandParts::applyElementwise() {
  if (op->getNumRegions() || !isMemoryEffectFree(op))
    return false;
  bool isKnown = op->hasTrait<OpTrait::Elementwise>() ||
                 isa<aa::IntToPtrOp, aa::PtrToIntOp, aa::FpToFpOp, aa::AddPtrOp,
                     aa::ExternElementwiseOp, aa::ElementwiseInlineAsmOp,
                     aa::CallElementwiseIntrinsicOp, aa::AssumeOp>(op);
  if (!isKnown)
    return false;
  ArrayRef<int64_t> shape = getExtents(op->getResult(0).getType());
  for (Value value : op->getOperands())
    if (isDivisible(value.getType()) && getExtents(value.getType()) != shape)
      return false;
  setAll(part);
  return true;
}

bool OperandParts::apply(aa::BroadcastOp broadcast) {
  Type source = broadcast.getSource().getType();
  parts[0] = part.map([&](unsigned dim) -> std::optional<unsigned> {
    if (getExtent(source, dim) == 1)
      return std::nullopt;
    return dim;
  });
  return true;
}

bool OperandParts::apply(aa::ExpandDimsOp expand) {
  parts[0] = part.map([&](unsigned dim) -> std::optional<unsigned> {
    return dim - llvm::count_if(expand.getAxes(), [&](int32_t axis) {
             return unsigned(axis) < dim;
           });
  });
  return llvm::none_of(expand.getAxes(),
                       [&](int32_t axis) { return hasAxis(part, axis); });
}

/// In row-major order a dimension of the source that begins where `dim` of the
/// result does is divided at the same elements.
static std::optional<unsigned> mapReshaped(ArrayRef<int64_t> source,
                                           ArrayRef<int64_t> result,
                                           unsigned dim, int64_t pieces) {
  int64_t before = 1;
  for (int64_t extent : result.take_front(dim))
    before *= extent;
  int64_t outer = 1;
  for (auto [d, extent] : llvm::enumerate(source)) {
    if (outer == before && extent % pieces == 0 && extent > 1)
      return d;
    outer *= extent;
  }
  return std::nullopt;
}

bool OperandParts::apply(aa::ViewOp view) {
  ArrayRef<int64_t> source = getExtents(view.getSource().getType()),
                    result = getExtents(view.getResult().getType());
  bool isMapped = true;
  parts[0] = part.map([&](unsigned dim) {
    std::optional<unsigned> from =
        mapReshaped(source, result, dim, part.getPieces(dim));
    isMapped &= from.has_value();
    return from;
  });
  return isMapped;
}

/// Rows of the result are rows of A, its columns are columns of B; the matrices
/// of a batch are those of both.
bool OperandParts::apply(aa::DotOp dot) {
  unsigned rank = getExtents(dot.getResult().getType()).size();
  unsigned row = rank - 2, column = rank - 1;
  auto rows = [&](unsigned dim) -> std::optional<unsigned> {
    return dim == column ? std::nullopt : std::optional<unsigned>(dim);
  };
  auto columns = [&](unsigned dim) -> std::optional<unsigned> {
    return dim == row ? std::nullopt : std::optional<unsigned>(dim);
  };
  unsigned next = 0;
  parts[next++] = part.map(rows);
  parts[next++] = part.map(columns);
  parts[next++] = part;
  if (dot.getSfa()) {
    parts[next++] = part.map(rows);
    parts[next++] = part.map(columns);
  }
  return true;
}

bool OperandParts::applyCombine(unsigned numOperands, int64_t axis,
                                bool keepsAxis) {
  if (keepsAxis && hasAxis(part, axis))
    return false;
  setAll(part.map([&](unsigned dim) -> std::optional<unsigned> {
    return keepsAxis || dim < axis ? dim : dim + 1;
  }));
  return true;
}

/// A part of a slice is a slice of the whole source; along dimensions that the
/// slice keeps it is one of the source's part.
bool OperandParts::applySlice(aa::ExtractSliceOp slice) {
  ArrayRef<int64_t> source = getExtents(slice.getSource().getType()),
                    result = getExtents(slice.getResult().getType());
  parts[0] = part.map([&](unsigned dim) -> std::optional<unsigned> {
    if (source[dim] == result[dim])
      return dim;
    return std::nullopt;
  });
  return true;
}

bool OperandParts::applyInsert(aa::InsertSliceOp insert) {
  ArrayRef<int64_t> source = getExtents(insert.getSource().getType()),
                    dest = getExtents(insert.getDest().getType());
  for (auto [dim, extents] : llvm::enumerate(llvm::zip(source, dest)))
    if (hasAxis(part, dim) && std::get<0>(extents) != std::get<1>(extents))
      return false;
  setAll(part);
  return true;
}

bool OperandParts::applyBitcast(aa::BitcastOp bitcast) {
  Type source = bitcast.getSource().getType();
  parts[0] = part;
  Type from = getPartType(source, part),
       to = getPartType(bitcast.getResult().getType(), part);
  if (!from || !to)
    return false;
  // Rank one, or pointers of one shape.
  return getExtents(source).size() == 1 ||
         getExtents(source) == getExtents(bitcast.getResult().getType());
}

/// `part` is that of the tile, and of the view. A sparse dimension has a tile
/// of indices.
template <typename AccessOp> bool OperandParts::applyView(AccessOp access) {
  if (!access.getOffsets().empty())
    return false;
  set(access.getViewMutable(), part);
  int32_t sparse = access.getView().getType().getSparseDim();
  if (sparse < 0)
    return true;
  ClusterPart indices = part.map([&](unsigned dim) -> std::optional<unsigned> {
    return dim == unsigned(sparse) ? std::optional<unsigned>(0) : std::nullopt;
  });
  set(access.getCoordsMutable()[sparse], indices);
  return true;
}

bool OperandParts::apply() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<aa::BroadcastOp, aa::ExpandDimsOp, aa::ViewOp, aa::DotOp>(
          [&](auto typed) { return apply(typed); })
      .Case([&](arith::ConstantOp constant) {
        auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
        return elements && elements.isSplat();
      })
      .Case<aa::SplatOp, aa::MakeRangeOp>([](Operation *) { return true; })
      .Case([&](aa::PermuteOp permute) {
        parts[0] = part.map([&](unsigned dim) -> std::optional<unsigned> {
          return permute.getPermutation()[dim];
        });
        return true;
      })
      .Case([&](aa::CatOp cat) {
        setAll(part);
        return !hasAxis(part, cat.getAxis());
      })
      .Case([&](aa::ReduceOp reduce) {
        return applyCombine(reduce.getNumOperands(), reduce.getAxis(), false);
      })
      .Case([&](aa::ScanOp scan) {
        return applyCombine(scan.getNumOperands(), scan.getAxis(), true);
      })
      .Case([&](aa::ExtractSliceOp slice) { return applySlice(slice); })
      .Case([&](aa::InsertSliceOp insert) { return applyInsert(insert); })
      .Case([&](aa::BitcastOp bitcast) { return applyBitcast(bitcast); })
      .Case<aa::LoadOp, aa::StoreOp, aa::AtomicRmwOp, aa::AtomicCasOp,
            aa::AssertOp, aa::BlockTileOp>([&](Operation *) {
        setAll(part);
        return true;
      })
      .Case<aa::TiledLoadOp, aa::GatherLoadOp>(
          [&](auto access) { return applyView(access); })
      .Case<aa::TiledStoreOp, aa::ScatterStoreOp, aa::TiledAtomicRmwOp>(
          [&](auto access) {
            set(access.getValueMutable(), part);
            return applyView(access);
          })
      .Default([&](Operation *) { return applyElementwise(); });
}

std::optional<SmallVector<ClusterPart>> OperandParts::get() {
  if (part.isWhole())
    return parts;
  if (!apply())
    return std::nullopt;
  for (auto [value, needed] : llvm::zip(op->getOperands(), parts))
    if (!getPartType(value.getType(), needed))
      return std::nullopt;
  for (Value result : op->getResults())
    if (!isa<aa::ReduceOp>(op) && !getPartType(result.getType(), part))
      return std::nullopt;
  return parts;
}

std::optional<SmallVector<ClusterPart>> getOperandParts(Operation *op,
                                                        ClusterPart part) {
  return OperandParts(op, part).get();
}

std::optional<ClusterPart>
getExchangedPart(aa::ReduceOp reduce, ClusterPart part, unsigned numAxes) {
  std::optional<SmallVector<ClusterPart>> parts = getOperandParts(reduce, part);
  if (!parts)
    return std::nullopt;
  ClusterPart divided = parts->front();
  unsigned dim = reduce.getAxis();
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    ClusterPart smaller = divided;
    smaller.setDim(axis, dim);
    if (!divided.getDim(axis) &&
        llvm::all_of(reduce.getOperands(), [&](Value operand) {
          return getPartType(operand.getType(), smaller);
        }))
      divided = smaller;
  }
  return hasAxis(divided, dim) ? std::optional<ClusterPart>(divided)
                               : std::nullopt;
}

} // namespace tileir
