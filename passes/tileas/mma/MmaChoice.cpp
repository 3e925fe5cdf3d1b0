// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/MmaChoice.h"

#include "passes/analysis/Remarks.h"
#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/mma/BlockScales.h"
#include "passes/tileas/mma/CtaPairs.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/mma/Umma.h"
#include "passes/tileas/stage/StagedLoads.h"

#include "llvm/ADT/StringExtras.h"

#define DEBUG_TYPE "tileas-assign-mma"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// The best one first.
static constexpr as::MmaKind kKinds[] = {
#define MMA_KIND(Name) as::MmaKind::Name,
#include "passes/tileas/mma/Kinds.def"
};

const MmaKindInterface &getMmaKind(as::MmaKind kind) {
  switch (kind) {
#define MMA_KIND(Name)                                                         \
  case as::MmaKind::Name:                                                      \
    return get##Name##Kind();
#include "passes/tileas/mma/Kinds.def"
  }
  llvm_unreachable("no row of Kinds.def");
}

as::MmaOperand getWarpPlace(as::DotOp dot, Value operand, bool isStaged) {
  // Threads multiply by the scales.
  if (dot.needsDecomposition())
    return as::MmaOperand::Registers;
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  Operation *op = operand.getDefiningOp();
  while (op && isRename(op))
    op = op->getOperand(0).getDefiningOp();
  if (isa_and_present<as::TiledLoadOp, as::LoadOp>(op))
    return loop && !isStaged && op->getBlock() == dot->getBlock()
               ? as::MmaOperand::Pipeline
               : as::MmaOperand::Registers;
  auto copy = dyn_cast_or_null<as::CopyOp>(op);
  Value buffer = copy && copy.getResult() ? copy.getSrc() : operand;
  if (!isa<as::BufferType>(buffer.getType()))
    return as::MmaOperand::Registers;
  if (getSlotWait(buffer))
    return as::MmaOperand::Pipeline;
  return loop && loop.isDefinedOutsideOfLoop(buffer) ? as::MmaOperand::Invariant
                                                     : as::MmaOperand::Restaged;
}

as::MmaAttr getWarpMma(as::DotOp dot, as::MmaKind kind, bool isStaged) {
  as::MmaAtomAttr atom = dot.getAtom();
  if (atom.getKind() != kind)
    return {};
  std::optional<as::MmaOperand> scales;
  if (atom.getScaleType())
    scales = as::MmaOperand::Registers;
  return as::MmaAttr::get(
      dot.getContext(), atom.getKind(), {atom.getM(), atom.getN(), atom.getK()},
      /*cta_group=*/1, getWarpPlace(dot, dot.getA(), isStaged),
      getWarpPlace(dot, dot.getB(), isStaged), scales,
      /*acc=*/0, /*promote=*/0);
}

MmaChoice chooseMma(as::DotOp dot, const MmaFacts &facts) {
  MmaChoice choice;
  ArrayRef<as::MmaKind> kinds = kKinds;
  if (as::MmaAttr before = dot.getMmaAttr())
    kinds = kinds.drop_until(
        [&](as::MmaKind kind) { return kind == before.getKind(); });
  for (as::MmaKind kind : kinds) {
    std::string reason;
    choice.mma = getMmaKind(kind).choose(dot, facts, reason);
    if (choice.mma)
      break;
    if (!reason.empty())
      choice.refused.push_back({kind, reason});
  }
  return choice;
}

static std::string getText(as::MmaOperand place) {
  return place == as::MmaOperand::Registers
             ? "registers"
             : ("shared memory, " + as::stringifyMmaOperand(place)).str();
}

static void report(as::DotOp dot, const MmaChoice &choice) {
  as::MmaAttr mma = choice.mma;
  TILEIR_LOG() << dot.getLoc() << ": " << mma;
  remark::detail::InFlightRemark out =
      remark::passed(dot.getLoc(), remarkAbout(dot, "AssignMma", "tileas"));
  out << StringRef("an MMA is assigned to the dot")
      << remark::metric("Kind", as::stringifyMmaKind(mma.getKind()))
      << remark::metric("Shape", llvm::join(llvm::map_range(
                                                mma.getShape(),
                                                [](int64_t extent) {
                                                  return std::to_string(extent);
                                                }),
                                            "x"))
      << remark::metric("A", getText(mma.getA()))
      << remark::metric("B", getText(mma.getB()));
  if (mma.getAcc())
    out << remark::metric("AccumulatorSlots", mma.getAcc());
  if (mma.getPromote())
    out << remark::metric("Promote", mma.getPromote());
  for (const auto &[kind, reason] : choice.refused) {
    out << remark::metric("Refused",
                          (as::stringifyMmaKind(kind) + ": " + reason).str());
    // No wgmma takes scales; that it is refused is no reason.
    if (dot.needsDecomposition() && kind != as::MmaKind::Wgmma)
      reportScaledByThreads(dot, reason);
    else if (kind == as::MmaKind::Umma && reason != kNoUmma)
      reportNotUmma(dot, reason);
  }
}

void assignMma(aa::FuncOp func, const MmaFacts &facts) {
  func->walk([&](as::DotOp dot) {
    MmaChoice choice = chooseMma(dot, facts);
    as::MmaAttr before = dot.getMmaAttr();
    if (!before || before.getKind() != choice.mma.getKind())
      report(dot, choice);
    dot.setMmaAttr(choice.mma);
  });
  assignPairs(func, facts);
}

void refuseMma(as::DotOp dot) {
  if (dot.needsDecomposition())
    decomposeScales(dot);
  dot.setMmaAttr(getWarpMma(dot, dot.getAtom().getKind(), /*isStaged=*/true));
}

bool isAssigned(as::DotOp dot, as::MmaKind kind) {
  return dot.getMma() && dot.getMma()->getKind() == kind;
}

as::MmaAtomAttr getAssignedAtom(as::DotOp dot, Type a, Type b) {
  as::MmaAttr mma = *dot.getMma();
  ArrayRef<int64_t> shape = mma.getShape();
  return as::MmaAtomAttr::get(dot.getContext(), mma.getKind(), shape[0],
                              shape[1], shape[2], a, b,
                              dot.getAtom().getCType());
}

} // namespace tileir
