// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/SliceDots.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/Target.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Splits one dot along K.
class DotSlicer {
public:
  explicit DotSlicer(as::DotOp dot)
      : dot(dot), step(dot.getAtom().getTileK()), builder(dot) {}

  void run();

private:
  struct Fragments {
    Value a, b;
  };

  Value read(Value buffer, int64_t k, bool isA);
  Fragments readBoth(int64_t k) {
    return {read(dot.getA(), k, true), read(dot.getB(), k, false)};
  }

  as::DotOp dot;
  int64_t step;
  OpBuilder builder;
};

} // namespace

/// Reads the fragments of operand A or B for the step at `k`.
Value DotSlicer::read(Value buffer, int64_t k, bool isA) {
  auto whole = cast<as::BufferType>(buffer.getType());
  const Layout &acc = as::getTileLayout(dot.getC().getType()).getLayout();
  Layout layout = *as::getDotOperandLayout(dot.getAtom(), acc, step, isA);
  SmallVector<int64_t> shape(whole.getShape()), offsets(2, 0);
  shape[isA ? 1 : 0] = step;
  offsets[isA ? 1 : 0] = k;
  MLIRContext *context = dot.getContext();
  auto part = as::BufferType::get(context, 0, shape, whole.getElementType(),
                                  whole.getLayout());
  auto tile = RankedTensorType::get(shape, whole.getElementType(),
                                    as::getLayoutAttr(context, layout));
  Value view = as::SubviewOp::create(builder, dot.getLoc(), part, buffer,
                                     ValueRange(), offsets);
  return as::CopyOp::create(builder, dot.getLoc(), tile, view, Value(),
                            as::CopyAtomAttr())
      .getResult();
}

void DotSlicer::run() {
  Value acc = dot.getC();
  Fragments next = readBoth(0);
  for (int64_t k = 0; k < dot.getDepth(); k += step) {
    Fragments now = next;
    if (k + step < dot.getDepth())
      next = readBoth(k + step);
    as::DotOp part = dot.createPart(builder, k, now.a, now.b, acc);
    // Only the first step may start from a zero accumulator.
    if (k)
      part.getUseAccMutable().clear();
    acc = part.getResult();
  }
  dot.getResult().replaceAllUsesWith(acc);
  dot.erase();
}

/// Returns the registers that a thread needs for the accumulator and for the
/// fragments of two steps.
static int64_t getRegisters(as::DotOp dot) {
  RankedTensorType c = dot.getC().getType();
  const Layout &acc = as::getTileLayout(c).getLayout();
  auto countRegisters = [](const Layout &layout, Type element) {
    return llvm::divideCeil(
        layout.getNumRegisters() * int64_t(as::getStorageBits(element)), 32);
  };
  int64_t registers = countRegisters(acc, c.getElementType());
  as::MmaAtomAttr atom = dot.getAtom();
  for (bool isA : {true, false}) {
    Layout part = *as::getDotOperandLayout(atom, acc, atom.getTileK(), isA);
    registers +=
        2 * countRegisters(part, atom.getTileElement(isA ? atom.getAType()
                                                         : atom.getBType()));
    // The scales of all steps are live at once.
    if (Value scale = isA ? dot.getScaleA() : dot.getScaleB())
      registers += countRegisters(
          as::getTileLayout(scale.getType()).getLayout(), atom.getScaleType());
  }
  return registers;
}

static bool isSliceable(as::DotOp dot, int64_t registers) {
  as::MmaKind kind = dot.getAtom().getKind();
  return dot.hasBuffers() &&
         (kind == as::MmaKind::MmaSync || kind == as::MmaKind::MmaBs) &&
         dot.getDepth() > dot.getAtom().getTileK() &&
         getRegisters(dot) <= registers;
}

/// Returns the registers of a thread that are left for tiles. ptxas schedules
/// an unsplit dot together with the code around it. Where registers are short,
/// operations between the steps of a split dot cause spills.
static int64_t getRegisters(scf::ForOp loop) {
  return RegisterBudget::getAround(loop).getLeft(
      heuristics::registersBesideTiles);
}

unsigned sliceDots(scf::ForOp loop) {
  Block *body = loop.getBody();
  if (body->getOps<as::AsyncCopyOp>().empty())
    return 0;
  SmallVector<as::DotOp> dots;
  for (auto dot : body->getOps<as::DotOp>())
    if (isSliceable(dot, getRegisters(loop)))
      dots.push_back(dot);
  for (as::DotOp dot : dots)
    DotSlicer(dot).run();
  return dots.size();
}

} // namespace tileir
