// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/WarpDots.h"

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/MmaChoice.h"
#include "passes/tileas/mma/OperandBuffers.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// The copy from a buffer that `tile` is, or null.
static as::CopyOp getBufferCopy(Value tile) {
  auto copy = tile.getDefiningOp<as::CopyOp>();
  return copy && copy.getResult() ? copy : as::CopyOp();
}

static void eraseIfUnused(Operation *op) {
  if (op->use_empty())
    op->erase();
}

namespace {

/// Cuts one dot along K.
class DotSlicer {
public:
  DotSlicer(as::DotOp dot, int64_t step) : dot(dot), step(step), builder(dot) {}

  void run();

private:
  RankedTensorType getPartType(bool isA);
  Value slice(Value tile, int64_t k, bool isA);
  Value read(as::CopyOp copy, int64_t k, bool isA);

  as::DotOp dot;
  int64_t step;
  OpBuilder builder;
};

} // namespace

/// A part of the operand, of `step` steps of K.
RankedTensorType DotSlicer::getPartType(bool isA) {
  Value operand = isA ? dot.getA() : dot.getB();
  auto type = cast<RankedTensorType>(operand.getType());
  const Layout &acc = as::getTileLayout(dot.getC().getType()).getLayout();
  Layout layout = *as::getDotOperandLayout(dot.getAtom(), acc, step, isA);
  SmallVector<int64_t> shape(type.getShape());
  shape[isA ? 1 : 0] = step;
  return RankedTensorType::get(shape, type.getElementType(),
                               as::getLayoutAttr(dot.getContext(), layout));
}

Value DotSlicer::slice(Value tile, int64_t k, bool isA) {
  auto at = [&](int64_t offset) -> Value {
    return arith::ConstantOp::create(builder, dot.getLoc(),
                                     builder.getI32IntegerAttr(offset));
  };
  SmallVector<Value> offsets = {at(isA ? 0 : k), at(isA ? k : 0)};
  return as::ExtractSliceOp::create(builder, dot.getLoc(), getPartType(isA),
                                    tile, offsets);
}

Value DotSlicer::read(as::CopyOp copy, int64_t k, bool isA) {
  RankedTensorType type = getPartType(isA);
  auto buffer = cast<as::BufferType>(copy.getSrc().getType());
  auto part = as::BufferType::get(dot.getContext(), 0, type.getShape(),
                                  buffer.getElementType(), buffer.getLayout());
  SmallVector<int64_t> offsets = {isA ? 0 : k, isA ? k : 0};
  Value view = as::SubviewOp::create(builder, dot.getLoc(), part, copy.getSrc(),
                                     ValueRange(), offsets);
  return as::CopyOp::create(builder, dot.getLoc(), type, view, Value(),
                            as::CopyAtomAttr())
      .getResult();
}

void DotSlicer::run() {
  as::CopyOp a = getBufferCopy(dot.getA()), b = getBufferCopy(dot.getB());
  Value acc = dot.getC();
  for (int64_t k = 0; k < dot.getDepth(); k += step) {
    Value x = a ? read(a, k, true) : slice(dot.getA(), k, true);
    Value y = b ? read(b, k, false) : slice(dot.getB(), k, false);
    acc = dot.createPart(builder, k, x, y, acc).getResult();
  }
  dot.getResult().replaceAllUsesWith(acc);
  dot.erase();
  eraseIfUnused(a ? a : b);
}

//===----------------------------------------------------------------------===//
// Operands that take too many registers
//===----------------------------------------------------------------------===//

bool isLimitedByRegisters(as::DotOp dot) {
  as::MmaKind kind = dot.getAtom().getKind();
  if ((kind != as::MmaKind::MmaSync && kind != as::MmaKind::MmaBs) ||
      dot.hasBuffers() || dot.getUseAcc() ||
      !dot->getParentOfType<nv_tileaa::FuncOp>() ||
      dot.getDepth() <= dot.getAtom().getTileK())
    return false;
  int64_t registers = 0;
  for (Value operand : dot->getOperands())
    registers += getRegisterCount(operand.getType());
  return RegisterBudget::getAround(dot).getLeft(
             registers + heuristics::registersBesideTiles) < 0;
}

/// The tile that `operand` is a layout conversion of.
static Value getUnconverted(Value operand) {
  while (auto convert = operand.getDefiningOp<as::ConvertLayoutOp>())
    operand = convert.getSource();
  return operand;
}

static as::BufferType getOperandType(Value operand) {
  return getStagingType(
      cast<RankedTensorType>(getUnconverted(operand).getType()),
      getContiguousDim(operand));
}

/// Erases the layout conversions of `operand` without readers.
static void eraseConversions(Value operand) {
  for (auto convert = operand.getDefiningOp<as::ConvertLayoutOp>();
       convert && convert->use_empty();) {
    Value source = convert.getSource();
    convert.erase();
    convert = source.getDefiningOp<as::ConvertLayoutOp>();
  }
}

/// Lets `dot` read its operands from shared memory, a few steps of K at a time;
/// returns whether `freeBytes` suffice for them.
static bool stageOperands(as::DotOp dot, int64_t freeBytes) {
  Value operands[] = {dot.getA(), dot.getB()};
  int64_t bytes = 0;
  for (Value operand : operands)
    bytes += getOperandType(operand).getStageStride();
  if (bytes > freeBytes)
    return false;
  OpBuilder builder(dot);
  SmallVector<Value> buffers;
  for (Value operand : operands) {
    buffers.push_back(as::AllocTensorOp::create(
        builder, dot.getLoc(), getOperandType(operand),
        /*alignment=*/IntegerAttr(), /*smem_offset=*/IntegerAttr()));
    as::CopyOp::create(builder, dot.getLoc(), /*result=*/Type(),
                       getUnconverted(operand), buffers.back(),
                       as::CopyAtomAttr());
  }
  dot.getAMutable().assign(buffers[0]);
  dot.getBMutable().assign(buffers[1]);
  builder.setInsertionPointAfter(dot);
  for (Value buffer : buffers)
    as::DeallocOp::create(builder, dot.getLoc(), buffer);
  for (Value operand : operands)
    eraseConversions(operand);
  remark::passed(dot.getLoc(), remarkAbout(dot, "StageProducts", "tileas"))
      << StringRef("operands are staged in shared memory: they need too many "
                   "registers")
      << remark::metric("Bytes", bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Operands that several warps hold in registers
//===----------------------------------------------------------------------===//

/// The outermost loop around `dot`, a dot of single warps, whose iterations all
/// read the same A, if registers run short and several warps hold the same
/// fragments of A; null otherwise.
///
/// Warps that share the columns of few rows hold all of A each: M / 2 * K / 32
/// registers of f16 for any number of warps. Shared memory holds A once, and
/// `ldmatrix` loads a fragment of it for each step of K, beside the fragments
/// of the columns of a warp. A spilled fragment is loaded as often.
static scf::ForOp getLoopOfReplicated(as::DotOp dot) {
  Value a = getUnconverted(dot.getA());
  scf::ForOp outermost;
  auto inner = dyn_cast<scf::ForOp>(dot->getParentOp());
  for (scf::ForOp loop = inner; loop && loop.isDefinedOutsideOfLoop(a);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    outermost = loop;
  auto func = dot->getParentOfType<nv_tileaa::FuncOp>();
  if (!outermost || !func || dot.getAtom().getKind() != as::MmaKind::MmaSync ||
      dot.hasBuffers() || dot.getDepth() <= dot.getAtom().getTileK())
    return {};
  auto type = cast<RankedTensorType>(dot.getA().getType());
  int64_t threads = limits::threadsPerWarp * int64_t(getNumWarps(func));
  int64_t bits =
      type.getNumElements() * as::getStorageBits(type.getElementType());
  bool isReplicated = getRegisterCount(type) * threads * 32 > bits;
  return isReplicated && !leavesRegisters(inner) ? outermost : scf::ForOp();
}

int64_t getReplicatedBytes(as::DotOp dot) {
  return isAssigned(dot, as::MmaKind::MmaSync) && getLoopOfReplicated(dot)
             ? getOperandType(dot.getA()).getStageStride()
             : 0;
}

/// Stores A of `dot`, which several warps would hold in registers, before its
/// loop; B is `b`. Takes the bytes from `freeBytes` and returns whether it did.
/// No other operation writes the buffer, and the tile is loop-invariant.
static bool multiplyReplicated(as::DotOp dot, as::CopyOp b,
                               int64_t &freeBytes) {
  scf::ForOp loop = getLoopOfReplicated(dot);
  Value a = dot.getA();
  as::BufferType type = getOperandType(a);
  if (!loop || type.getStageStride() > freeBytes)
    return false;
  freeBytes -= type.getStageStride();
  OpBuilder builder(loop);
  Value buffer = as::AllocTensorOp::create(builder, dot.getLoc(), type,
                                           /*alignment=*/IntegerAttr(),
                                           /*smem_offset=*/IntegerAttr());
  as::CopyOp::create(builder, dot.getLoc(), /*result=*/Type(),
                     getUnconverted(a), buffer, as::CopyAtomAttr());
  builder.setInsertionPointAfter(loop);
  as::DeallocOp::create(builder, dot.getLoc(), buffer);
  dot.getAMutable().assign(buffer);
  dot.getBMutable().assign(b.getSrc());
  eraseIfUnused(b);
  eraseConversions(a);
  remark::passed(dot.getLoc(), remarkAbout(dot, "StageProducts", "tileas"))
      << StringRef("an operand is staged in shared memory: each warp would "
                   "hold a copy in registers")
      << remark::metric("Bytes", type.getStageStride());
  return true;
}

void multiplyByWarps(as::DotOp dot, int64_t &freeBytes, int64_t scratchBytes) {
  if (multiplyConverted(dot, freeBytes + scratchBytes))
    return;
  as::CopyOp a = getBufferCopy(dot.getA()), b = getBufferCopy(dot.getB());
  if (a && b) {
    dot.getAMutable().assign(a.getSrc());
    dot.getBMutable().assign(b.getSrc());
    eraseIfUnused(a);
    if (b != a)
      eraseIfUnused(b);
  } else if (b && multiplyReplicated(dot, b, freeBytes)) {
    return;
  } else if ((a || b) && dot.getDepth() > dot.getAtom().getTileK() &&
             !dot.getUseAcc()) {
    DotSlicer(dot, dot.getAtom().getTileK()).run();
  } else if (!a && !b && isLimitedByRegisters(dot)) {
    stageOperands(dot, freeBytes + scratchBytes);
  }
}

} // namespace tileir
