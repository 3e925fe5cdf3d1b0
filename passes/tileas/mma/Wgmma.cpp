// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/Wgmma.h"

#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/WarpgroupDots.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"
#include "passes/analysis/budgets/RegisterBudget.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Returns whether partial accumulators are added in f32 between `wgmma`s,
/// because `wgmma` accumulates with less than the precision of f32.
static bool needsPromotion(as::DotOp dot) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(dot.getAtom().getAType()) &&
         dot.getAtom().getCType().isF32() && !dot.getFastAcc();
}

/// Registers of a thread of `numWarps` warps for tiles of the function around
/// `dot`.
static int64_t getTileRegisters(as::DotOp dot, int64_t numWarps) {
  return RegisterBudget(dot->getParentOfType<nv_tileaa::FuncOp>(), numWarps)
      .getLeft(heuristics::registersBesideAccumulators);
}

/// Registers of a thread of `numWarps` warps for `columns` of the accumulator.
static int64_t getAccumulatorRegisters(as::DotOp dot, int64_t columns,
                                       int64_t numWarps) {
  return dot.getC().getType().getDimSize(0) * columns *
         int64_t(as::getStorageBits(dot.getAtom().getCType())) / 32 /
         (numWarps * limits::threadsPerWarp);
}

int64_t getPromotedColumns(as::DotOp dot, int64_t numWarps) {
  int64_t columns = dot.getC().getType().getDimSize(1);
  int64_t left = getTileRegisters(dot, numWarps) -
                 getAccumulatorRegisters(dot, columns, numWarps);
  while (columns >= heuristics::minPromotedColumns &&
         getAccumulatorRegisters(dot, columns, numWarps) > left)
    columns /= 2;
  return columns >= heuristics::minPromotedColumns ? columns : 0;
}

/// Returns whether a thread of `numWarps` warps can hold the accumulator of one
/// instruction of the function around `dot`.
static bool fitsThread(as::DotOp dot, as::MmaAtomAttr atom, int64_t numWarps) {
  int64_t registers = atom.getM() * atom.getN() *
                      int64_t(as::getStorageBits(atom.getCType())) / 32 /
                      (4 * limits::threadsPerWarp);
  return registers <= getTileRegisters(dot, numWarps) &&
         (!needsPromotion(dot) || getPromotedColumns(dot, numWarps));
}

/// The `wgmma` of the types and extents of `dot`; null when there is none.
static as::MmaAtomAttr findAtom(as::DotOp dot) {
  as::MmaAtomAttr atom = dot.getAtom();
  RankedTensorType acc = dot.getC().getType();
  if (atom.getKind() != as::MmaKind::MmaSync || dot.getUseAcc() ||
      dot.hasBuffers())
    return {};
  int64_t n = acc.getDimSize(1),
          k = 256 / int64_t(as::getStorageBits(atom.getAType()));
  if (acc.getDimSize(0) % 64 || dot.getDepth() % k ||
      !as::MmaAtomAttr::hasWgmma(64, n, k, atom.getAType(), atom.getBType(),
                                 atom.getCType()))
    return {};
  return as::MmaAtomAttr::get(dot.getContext(), as::MmaKind::Wgmma, 64, n, k,
                              atom.getAType(), atom.getBType(),
                              atom.getCType());
}

/// Returns why `wgmma` cannot compute `dot` by `atom`.
static std::string check(as::DotOp dot, as::MmaAtomAttr atom,
                         const MmaFacts &facts) {
  int64_t warps = facts.numWarps;
  if (!atom)
    return "no wgmma has its types and extents";
  if (warps < 4)
    return "a warpgroup has four warps, the kernel has fewer";
  if (dot.getC().getType().getDimSize(0) < kWarpRows * warps)
    return "it has fewer than 16 rows for each warp";
  if (!fitsThread(dot, atom, warps))
    return "a thread has too few registers for its accumulator";
  return facts.hasLayouts &&
                 !as::isWarpgroupAcc(
                     atom, as::getTileLayout(dot.getC().getType()).getLayout())
             ? "its accumulator has another layout"
             : "";
}

/// Where loads lie is not known yet: by the memory that they come from.
static bool isRestaged(as::DotOp dot, bool isA) {
  Value operand = isA ? dot.getA() : dot.getB();
  return as::getStorageBits(dot.getAtom().getAType()) != 16 &&
         getContiguousDim(operand) != (isA ? 1u : 0u);
}

scf::ForOp getInvariantLoop(as::DotOp dot) {
  scf::ForOp outermost;
  if (dot.getA().hasOneUse())
    for (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
         loop && loop.isDefinedOutsideOfLoop(dot.getA());
         loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
      outermost = loop;
  return outermost;
}

/// Returns the place from which `wgmma` reads an operand of `dot`.
static as::MmaOperand getPlace(as::DotOp dot, bool isA) {
  if (isRestaged(dot, isA))
    return as::MmaOperand::Restaged;
  if (getWarpPlace(dot, isA ? dot.getA() : dot.getB(), /*isStaged=*/false) ==
      as::MmaOperand::Pipeline)
    return as::MmaOperand::Pipeline;
  if (!isA)
    return as::MmaOperand::Restaged;
  return getInvariantLoop(dot) ? as::MmaOperand::Invariant
                               : as::MmaOperand::Registers;
}

namespace {

/// `wgmma` of warpgroups.
class WgmmaKind final : public MmaKindInterface {
public:
  as::MmaAttr choose(as::DotOp dot, const MmaFacts &facts,
                     std::string &reason) const override;
  Layout getAccLayout(as::DotOp dot, unsigned numWarps,
                      bool rowsFirst) const override {
    return getFragmentLayout(dot, numWarps, /*rowsFirst=*/true,
                             /*interleaves=*/false);
  }
  int64_t getRestagedBytes(as::DotOp dot) const override {
    // Outside of loops threads would store all that it reads.
    return dot->getParentOfType<scf::ForOp>() ? getRestagedOperandBytes(dot)
                                              : 0;
  }
};

} // namespace

as::MmaAttr WgmmaKind::choose(as::DotOp dot, const MmaFacts &facts,
                              std::string &reason) const {
  if (!facts.target.hasWgmma())
    return {};
  as::MmaAtomAttr atom = findAtom(dot);
  reason = check(dot, atom, facts);
  if (!reason.empty())
    return {};
  return as::MmaAttr::get(
      dot.getContext(), as::MmaKind::Wgmma,
      {atom.getM(), atom.getN(), atom.getK()}, /*cta_group=*/1,
      getPlace(dot, /*isA=*/true), getPlace(dot, /*isA=*/false),
      /*scales=*/std::nullopt, /*acc=*/0,
      needsPromotion(dot) ? heuristics::fp8PromotionDepth : 0);
}

const MmaKindInterface &getWgmmaKind() {
  static const WgmmaKind kind;
  return kind;
}

} // namespace tileir
