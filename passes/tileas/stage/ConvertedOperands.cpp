// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/MmaChoice.h"
#include "passes/tileas/mma/WarpDots.h"
#include "passes/tileas/stage/StagedLoads.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Bits of the widest access to shared memory.
static constexpr unsigned kAccessBits = 128;

bool isConversion(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  return isa<as::FpToFpOp>(op) || (isa<arith::ArithDialect>(op->getDialect()) &&
                                   isa<CastOpInterface>(op));
}

namespace {

/// One operand: its source, and the conversions of its elements, the last step
/// first.
struct ConvertedOperand {
  Value tile;
  Operation *source = nullptr;
  SmallVector<Operation *, 2> conversions;

  bool isConverted() const { return !conversions.empty(); }
  RankedTensorType getType() const {
    return cast<RankedTensorType>(tile.getType());
  }
};

/// The operands of one dot, and the steps of K that are converted together.
class ConvertedDot {
public:
  explicit ConvertedDot(as::DotOp dot);

  /// Returns whether there is something that threads convert.
  bool isOne();
  /// Returns whether `load` is the source of an operand.
  bool isFrom(Operation *load) const {
    return operands[0].source == load || operands[1].source == load;
  }
  bool isConverted(bool isA) const {
    return operands[isA ? 0 : 1].isConverted();
  }
  /// Returns whether both operands are in buffers already.
  bool isStaged() const;
  int64_t getBytes();
  void run();

private:
  ConvertedOperand trace(Value tile) const;
  SmallVector<int64_t> getPartShape(bool isA) const;
  as::BufferType getPartType(bool isA);
  Value read(bool isA, int64_t k);
  void fill(bool isA, int64_t k, Value buffer);

  as::DotOp dot;
  ConvertedOperand operands[2];
  int64_t step;
  OpBuilder builder;
};

} // namespace

/// The steps to the elements of `tile` from a load or a copy of a buffer. Other
/// names of a load go over to its slot when it gets one.
ConvertedOperand ConvertedDot::trace(Value tile) const {
  ConvertedOperand operand;
  operand.tile = tile;
  Operation *op = tile.getDefiningOp();
  bool isRenamed = false;
  for (; op; op = op->getOperand(0).getDefiningOp()) {
    if (auto copy = dyn_cast<as::CopyOp>(op)) {
      operand.source = copy.getResult() && !isRenamed ? op : nullptr;
      break;
    }
    if (isa<as::TiledLoadOp, as::LoadOp>(op)) {
      operand.source = op;
      break;
    }
    if (isa<as::ConvertLayoutOp>(op))
      continue;
    isRenamed |= isRename(op);
    if (isConversion(op) && !isRenamed)
      operand.conversions.push_back(op);
    else if (!isRename(op))
      break;
  }
  return operand;
}

ConvertedDot::ConvertedDot(as::DotOp dot)
    : dot(dot), step(dot.getDepth()), builder(dot) {
  if (dot.hasBuffers())
    return;
  operands[0] = trace(dot.getA());
  operands[1] = trace(dot.getB());
  while (isOne() && getBytes() > heuristics::convertedOperandBytes &&
         step > dot.getAtom().getK() && operands[0].isConverted() &&
         operands[1].isConverted() && !dot.getUseAcc())
    step /= 2;
}

bool ConvertedDot::isOne() {
  return dot.getAtom().getKind() == as::MmaKind::MmaSync &&
         operands[0].source && operands[1].source &&
         operands[0].getType().getRank() == 2 &&
         (operands[0].isConverted() || operands[1].isConverted());
}

bool ConvertedDot::isStaged() const {
  return isa_and_present<as::CopyOp>(operands[0].source) &&
         isa_and_present<as::CopyOp>(operands[1].source);
}

SmallVector<int64_t> ConvertedDot::getPartShape(bool isA) const {
  SmallVector<int64_t> shape(operands[isA ? 0 : 1].getType().getShape());
  shape[isA ? 1 : 0] = step;
  return shape;
}

/// The layout of the part that the dot reads. If fragments have registers of
/// rows far apart, lanes of four rows access different banks.
static Layout getStagedLayout(const Layout::Shape &shape, unsigned major,
                              unsigned kDim, as::BufferType staged) {
  constexpr unsigned kSpanBits = 5, kChunkBits = 2;
  const Layout &plain = staged.getLayout().getLayout();
  Layout frame = Layout::getUnchecked(LayoutSpace::Smem, shape, {});
  unsigned majorBits = frame.getLog2Extent(major),
           otherBits = frame.getLog2Extent(1 - major);
  if (as::getStorageBits(staged.getElementType()) != 32 || major == kDim ||
      majorBits < kSpanBits || otherBits < 2)
    return plain;
  Layout::FlatBases bases(2);
  std::vector<uint32_t> &offset = bases[kOffset];
  for (unsigned i = 0; i < kSpanBits; ++i)
    offset.push_back(frame.unit(major, i));
  for (unsigned i = 0; i < otherBits; ++i) {
    uint32_t basis = frame.unit(1 - major, i);
    if (i < 2)
      basis ^= frame.unit(major, kChunkBits + 1 + i);
    offset.push_back(basis);
  }
  for (unsigned i = kSpanBits; i < majorBits; ++i)
    offset.push_back(frame.unit(major, i));
  return Layout::getUnchecked(LayoutSpace::Smem, shape, bases);
}

/// The dimension along which `buffer` has neighbours.
static unsigned getMajor(as::BufferType buffer) {
  const Layout &layout = buffer.getLayout().getLayout();
  LinearMap offsets = smemOffsets(layout);
  for (unsigned d = 0; d < layout.getRank(); ++d)
    if (layout.getLog2Extent(d) && offsets(layout.unit(d, 0)) == 1)
      return d;
  return layout.getRank() - 1;
}

as::BufferType ConvertedDot::getPartType(bool isA) {
  const ConvertedOperand &operand = operands[isA ? 0 : 1];
  auto tile = RankedTensorType::get(getPartShape(isA),
                                    operand.getType().getElementType());
  auto copy = dyn_cast<as::CopyOp>(operand.source);
  unsigned major = copy
                       ? getMajor(cast<as::BufferType>(copy.getSrc().getType()))
                       : getContiguousDim(operand.tile);
  as::BufferType staged = getStagingType(tile, major);
  Layout layout =
      getStagedLayout({tile.getShape().begin(), tile.getShape().end()}, major,
                      isA ? 1 : 0, staged);
  return as::BufferType::get(dot.getContext(), /*stages=*/0, tile.getShape(),
                             tile.getElementType(),
                             as::getLayoutAttr(dot.getContext(), layout));
}

int64_t ConvertedDot::getBytes() {
  int64_t bytes = 0;
  for (bool isA : {true, false})
    if (operands[isA ? 0 : 1].isConverted())
      bytes += getPartType(isA).getStageStride();
  return bytes;
}

/// The part of the source from step `k` of K on, in registers that it goes
/// through without a bank conflict.
Value ConvertedDot::read(bool isA, int64_t k) {
  MLIRContext *context = dot.getContext();
  auto copy = cast<as::CopyOp>(operands[isA ? 0 : 1].source);
  auto buffer = cast<as::BufferType>(copy.getSrc().getType());
  Type element = buffer.getElementType();
  SmallVector<int64_t> shape = getPartShape(isA);
  Value view = copy.getSrc();
  if (step != dot.getDepth()) {
    auto part =
        as::BufferType::get(context, 0, shape, element, buffer.getLayout());
    SmallVector<int64_t> offsets = {isA ? 0 : k, isA ? k : 0};
    view = as::SubviewOp::create(builder, dot.getLoc(), part, view,
                                 ValueRange(), offsets);
  }
  auto getStagedLayout = [](as::BufferType type) {
    return SmemForm{type.getLayout().getLayout(),
                    std::max(8u, as::getStorageBits(type.getElementType()))};
  };
  SmemForm source = getStagedLayout(buffer),
           place = getStagedLayout(getPartType(isA));
  Layout layout = spreadLanes(
      {shape.begin(), shape.end()}, getMajor(buffer), kAccessBits / source.bits,
      getNumWarps(dot->getParentOfType<nv_tileaa::FuncOp>()), {source, place});
  auto type =
      RankedTensorType::get(shape, element, as::getLayoutAttr(context, layout));
  return as::CopyOp::create(builder, dot.getLoc(), type, view, Value(),
                            as::CopyAtomAttr())
      .getResult();
}

/// Converts a part and puts it into `buffer`.
void ConvertedDot::fill(bool isA, int64_t k, Value buffer) {
  Value tile = read(isA, k);
  for (Operation *op : llvm::reverse(operands[isA ? 0 : 1].conversions)) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), tile);
    Operation *clone = builder.clone(*op, mapping);
    auto type = cast<RankedTensorType>(tile.getType());
    tile = clone->getResult(0);
    tile.setType(RankedTensorType::get(type.getShape(),
                                       getElementTypeOrSelf(tile.getType()),
                                       type.getEncoding()));
  }
  as::CopyOp::create(builder, dot.getLoc(), /*result=*/Type(), tile, buffer,
                     as::CopyAtomAttr());
}

/// Erases `op` and its backward slice without other readers.
static void eraseUnused(Operation *op) {
  while (op && op->use_empty() && op->getNumResults() &&
         (isMemoryEffectFree(op) || isa<as::CopyOp>(op))) {
    Operation *before =
        isa<as::CopyOp>(op) ? nullptr : op->getOperand(0).getDefiningOp();
    op->erase();
    op = before;
  }
}

void ConvertedDot::run() {
  Value places[2];
  for (bool isA : {true, false})
    if (operands[isA ? 0 : 1].isConverted())
      places[isA ? 0 : 1] = as::AllocTensorOp::create(
          builder, dot.getLoc(), getPartType(isA), /*alignment=*/IntegerAttr(),
          /*smem_offset=*/IntegerAttr());
  Value acc = dot.getC();
  for (int64_t k = 0; k < dot.getDepth(); k += step) {
    Value partOperands[2];
    for (bool isA : {true, false}) {
      unsigned i = isA ? 0 : 1;
      if (places[i])
        fill(isA, k, places[i]);
      partOperands[i] =
          places[i] ? places[i] : cast<as::CopyOp>(operands[i].source).getSrc();
    }
    auto part = cast<as::DotOp>(builder.clone(*dot));
    part.getAMutable().assign(partOperands[0]);
    part.getBMutable().assign(partOperands[1]);
    part.getCMutable().assign(acc);
    acc = part.getResult();
  }
  for (Value place : places)
    if (place)
      as::DeallocOp::create(builder, dot.getLoc(), place);
  dot.getResult().replaceAllUsesWith(acc);
  Operation *a = dot.getA().getDefiningOp(), *b = dot.getB().getDefiningOp();
  dot.erase();
  eraseUnused(a);
  if (b != a)
    eraseUnused(b);
}

as::MmaAttr restageConverted(as::DotOp dot, as::MmaAttr mma) {
  ConvertedDot converted(dot);
  if (!converted.isOne())
    return mma;
  auto getPlace = [&](bool isA, as::MmaOperand other) {
    return converted.isConverted(isA) ? as::MmaOperand::Restaged : other;
  };
  return as::MmaAttr::get(dot.getContext(), mma.getKind(), mma.getShape(),
                          mma.getCtaGroup(), getPlace(true, mma.getA()),
                          getPlace(false, mma.getB()), mma.getScales(),
                          mma.getAcc(), mma.getPromote());
}

bool isConverted(as::DotOp dot) {
  return isAssigned(dot, as::MmaKind::MmaSync) && dot.getMma()->isRestaged();
}

int64_t getConvertedBytes(as::DotOp dot) {
  if (!isConverted(dot))
    return 0;
  ConvertedDot converted(dot);
  return converted.isOne() ? converted.getBytes() : 0;
}

bool isConvertedOperand(as::DotOp dot, Operation *load) {
  return isConverted(dot) && ConvertedDot(dot).isFrom(load);
}

bool multiplyConverted(as::DotOp dot, int64_t freeBytes) {
  if (!isConverted(dot))
    return false;
  ConvertedDot converted(dot);
  if (!converted.isOne() || !converted.isStaged() ||
      converted.getBytes() > freeBytes)
    return false;
  converted.run();
  return true;
}

} // namespace tileir
