// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/Umma.h"

#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/layout/LayoutPlan.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/stage/RestagedOperands.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/TensorMemory.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Types and extents
//===----------------------------------------------------------------------===//

as::MmaAtomAttr getTensorMemoryAtom(as::DotOp dot, const Target &target) {
  as::MmaAtomAttr atom = dot.getAtom();
  RankedTensorType acc = dot.getC().getType();
  if (!target.hasTcgen05() || atom.getKind() != as::MmaKind::MmaSync ||
      dot.getUseAcc() || dot.hasBuffers() || acc.getRank() != 2)
    return {};
  DotOperands operands = getDotOperands(dot);
  if (operands.isScaled())
    return getScaledAtom(dot, target);
  Type a = operands.elementA, b = operands.elementB;
  if (a.isInteger(8) && !target.has(Feature::Tcgen05MmaI8))
    return {};
  std::optional<Layout> tmem = tensorAccLayout(acc.getShape());
  if (!tmem || tensorColumns(*tmem) > TensorMemoryBudget(target).getCap())
    return {};
  int64_t m = tensorMemoryDotRows(acc.getDimSize(0)),
          n = std::min<int64_t>(256, acc.getDimSize(1)),
          k = 256 / int64_t(as::getStorageBits(a));
  if (dot.getDepth() % k ||
      !as::MmaAtomAttr::hasUmma(m, n, k, a, b, atom.getCType()))
    return {};
  return as::MmaAtomAttr::get(dot.getContext(), as::MmaKind::Umma, m, n, k, a,
                              b, atom.getCType());
}

//===----------------------------------------------------------------------===//
// Operands and accumulator
//===----------------------------------------------------------------------===//

/// Returns whether a load in the block of `dot` delivers `operand`.
static bool isLoadedBeside(Value operand, as::DotOp dot) {
  Operation *op = operand.getDefiningOp();
  while (op && (isRename(op) || isCopyRounding(op)))
    op = op->getOperand(0).getDefiningOp();
  return op && isa<as::TiledLoadOp, as::LoadOp>(op) &&
         op->getBlock() == dot->getBlock();
}

/// Returns the source of `operand` before it was rounded as copies round.
static Value getUnrounded(Value operand) {
  Operation *op = operand.getDefiningOp();
  while (op && (isa<as::ConvertLayoutOp>(op) || isCopyRounding(op))) {
    operand = op->getOperand(0);
    op = operand.getDefiningOp();
  }
  return operand;
}

bool hasWideRows(Value operand, unsigned kDim) {
  return as::getStorageBits(getElementTypeOrSelf(operand.getType())) == 32 &&
         getContiguousDim(getUnrounded(operand)) != kDim;
}

bool hasUnitLines(Value operand, unsigned kDim) {
  // Wide chunks come in full lines.
  constexpr int64_t kLineElements = 32;
  return !hasWideRows(operand, kDim) ||
         getShape(operand)[1 - kDim] >= kLineElements;
}

/// Reasons of several checks.
static constexpr llvm::StringLiteral
    kOtherControlFlow = "its loop stands in other control flow than loops",
    kTooFewWarps = "four warps read tensor memory, the kernel has fewer",
    kOddForm = "an operand lies in memory in no layout that tcgen05.mma reads";

bool hasTwoResults(DotChain chain, as::DotOp dot,
                   const TensorMemoryBudget &columns) {
  auto getWidth = [](as::DotOp part) {
    return tensorColumns(*tensorAccLayout(part.getC().getType().getShape()));
  };
  int64_t most =
      std::min(columns.getLeft(),
               columns.getShare(dot->getParentOfType<nv_tileaa::FuncOp>()));
  return dot == chain.first &&
         2 * getWidth(dot) + getWidth(chain.second) <= most;
}

/// Returns whether the operands of `dot` reach shared memory in a legal layout.
static bool isLegalShape(const DotOperands &operands) {
  if (!hasUnitLines(operands.a, /*kDim=*/1) ||
      !hasUnitLines(operands.b, /*kDim=*/0))
    return false;
  if (operands.isPacked() &&
      (getContiguousDim(operands.a) != 1 || getContiguousDim(operands.b) != 1))
    return false;
  // Scales must have K contiguous.
  return !operands.isScaled() || (getContiguousDim(operands.scaleA) == 1 &&
                                  getContiguousDim(operands.scaleB) == 0);
}

/// Returns why `tcgen05.mma` cannot compute both dots of `chain`, by the facts
/// known before staging.
static std::string checkChain(DotChain chain, const Target &target) {
  if (!getLoopsAround(chain.loop))
    return kOtherControlFlow.str();
  for (as::DotOp part : {chain.first, chain.second}) {
    DotOperands operands = getDotOperands(part);
    if (operands.isScaled())
      return "it has scales and is one of a chain";
    if (!getTensorMemoryAtom(part, target))
      return kNoUmma.str() + " for both dots of its chain";
    if (!isLoadedBeside(operands.b, part))
      return "operand B of its chain is no load of the loop";
    if (!isLegalShape(operands))
      return kOddForm.str();
  }
  return "";
}

int64_t getInvariantRegisters(FunctionOpInterface func, const Target &target) {
  int64_t registers = 0;
  auto count = [&](Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    registers += type.getNumElements() *
                 int64_t(as::getStorageBits(type.getElementType())) / 32;
  };
  func->walk([&](as::DotOp dot) {
    std::optional<DotChain> chain = getDotChain(dot);
    if (!chain || !checkChain(*chain, target).empty())
      return;
    if (dot == chain->second)
      count(dot.getC());
    else if (chain->loop.isDefinedOutsideOfLoop(dot.getA()))
      count(dot.getA());
  });
  return registers;
}

/// Returns why `tcgen05.mma` cannot read the operands of `dot` from copies, and
/// add to an iter-arg.
static std::string checkCarried(as::DotOp dot) {
  scf::ForOp loop = getCarryingLoop(dot);
  if (!loop)
    return "no loop carries its accumulator alone";
  if (!getLoopsAround(loop))
    return kOtherControlFlow.str();
  DotOperands operands = getDotOperands(dot);
  for (Value operand :
       {operands.a, operands.b, operands.scaleA, operands.scaleB})
    if (operand && !isLoadedBeside(operand, dot))
      return "an operand is no load of the loop";
  return isLegalShape(operands) ? "" : kOddForm.str();
}

/// Returns why `tcgen05.mma` cannot compute `dot`, which has scales, by rules
/// of PTX or of the hardware.
static std::string checkScaled(as::DotOp dot, const MmaFacts &facts) {
  RankedTensorType acc = dot.getC().getType();
  if (!paysScaledDot(facts.target, acc.getDimSize(0), acc.getDimSize(1)))
    return kTooFewToPay.str();
  // 4-bit elements without bytes of pairs.
  DotOperands operands = getDotOperands(dot);
  if (!operands.a || !operands.b)
    return kOddForm.str();
  if (facts.numWarps % 4)
    return kTooFewWarps.str();
  if (getDotChain(dot))
    return "it belongs to a chain of dots";
  if (!getLoopsAround(dot))
    return "it stands in other control flow than loops";
  return "";
}

/// Returns why threads cannot read the accumulator of `dot`.
static std::string checkAcc(as::DotOp dot, const MmaFacts &facts) {
  RankedTensorType acc = dot.getC().getType();
  if (facts.hasLayouts)
    return tensorTransfer(as::getTileLayout(acc).getLayout(),
                          *tensorAccLayout(acc.getShape()))
               ? ""
               : "its accumulator has another layout";
  int64_t registers =
      acc.getNumElements() / limits::threadsPerWarp / int64_t(facts.numWarps);
  if (registers > heuristics::accumulatorRegisters)
    return "a thread would read " + std::to_string(registers) +
           " registers of its accumulator, " +
           std::to_string(heuristics::accumulatorRegisters) + " are possible";
  if (facts.numWarps % 4)
    return kTooFewWarps.str();
  return tensorLoadLayout(acc.getShape(), facts.numWarps)
             ? ""
             : "its accumulator has too few columns for the warps";
}

//===----------------------------------------------------------------------===//
// The kind
//===----------------------------------------------------------------------===//

namespace {

/// `tcgen05.mma`, whose accumulator is in tensor memory.
class UmmaKind final : public MmaKindInterface {
public:
  as::MmaAttr choose(as::DotOp dot, const MmaFacts &facts,
                     std::string &reason) const override;
  Layout getAccLayout(as::DotOp dot, unsigned numWarps,
                      bool rowsFirst) const override {
    // A hand-written attribute may be on a dot whose accumulator too few warps
    // read.
    if (auto acc = tensorLoadLayout(dot.getC().getType().getShape(), numWarps))
      return *acc;
    return getMmaSyncKind().getAccLayout(dot, numWarps, rowsFirst);
  }
  int64_t getRestagedBytes(as::DotOp dot) const override {
    return isFedByThreads(dot) ? getBytesRestagedFor(dot)
                               : getChainRestagedBytes(dot);
  }
};

} // namespace

as::MmaAttr UmmaKind::choose(as::DotOp dot, const MmaFacts &facts,
                             std::string &reason) const {
  const Target &target = facts.target;
  if (!target.hasTcgen05())
    return {};
  bool isScaled = getDotOperands(dot).isScaled();
  if (isScaled)
    reason = checkScaled(dot, facts);
  if (!reason.empty())
    return {};
  as::MmaAttr restaged = chooseRestaged(dot, target);
  if (restaged && isFedByThreads(dot, restaged)) {
    reason = checkAcc(dot, facts);
    return reason.empty() ? restaged : as::MmaAttr();
  }
  as::MmaAtomAttr atom = getTensorMemoryAtom(dot, target);
  if (!atom) {
    reason = kNoUmma.str();
    return {};
  }
  std::optional<DotChain> chain = getDotChain(dot);
  reason = chain ? checkChain(*chain, target) : checkCarried(dot);
  if (reason.empty())
    reason = checkAcc(dot, facts);
  if (!reason.empty())
    return {};
  as::MmaOperand copied = as::MmaOperand::Pipeline;
  std::optional<as::MmaOperand> scales;
  if (isScaled)
    scales = copied;
  bool hasTwo = chain && hasTwoResults(*chain, dot, TensorMemoryBudget(target));
  return as::MmaAttr::get(
      dot.getContext(), as::MmaKind::Umma,
      {atom.getM(), atom.getN(), atom.getK()}, /*cta_group=*/1,
      getChainRestagedBytes(dot) ? as::MmaOperand::Restaged : copied, copied,
      scales,
      /*acc=*/hasTwo ? 2 : 1, /*promote=*/0);
}

const MmaKindInterface &getUmmaKind() {
  static const UmmaKind kind;
  return kind;
}

} // namespace tileir
