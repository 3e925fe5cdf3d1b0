// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/CtaPairs.h"

#include "passes/analysis/ClusterAttrs.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/TensorMemoryBudget.h"
#include "passes/tileas/accumulators/TensorMemoryChains.h"
#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/mma/MmaChoice.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/layout/TensorMemory.h"

#define DEBUG_TYPE "tileas-assign-mma"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Rows of an MMA of a pair in each CTA.
static constexpr int64_t kRowsPerCta = as::MmaAtomAttr::kPairRows / 2;
/// Columns of an MMA of a pair (PTX ISA, "tcgen05.mma", `.cta_group::2`).
static constexpr int64_t kMinColumns = 32, kMaxColumns = 256;

bool isPaired(as::DotOp dot) {
  return dot.getMma() && dot.getMma()->getCtaGroup() == 2;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The dimension of the operand of `view` that its result has as `dim`, if the
/// two differ by dimensions of extent 1.
static std::optional<unsigned> getViewedDim(as::ViewOp view, unsigned dim) {
  auto getWide = [](Value value) {
    SmallVector<unsigned> dims;
    ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
    for (auto [d, extent] : llvm::enumerate(shape))
      if (extent > 1)
        dims.push_back(d);
    return dims;
  };
  SmallVector<unsigned> from = getWide(view.getSource()),
                        to = getWide(view.getResult());
  auto getExtents = [](Value value, ArrayRef<unsigned> dims) {
    ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
    return llvm::map_to_vector(dims, [&](unsigned d) { return shape[d]; });
  };
  const auto *at = llvm::find(to, dim);
  if (at == to.end() ||
      getExtents(view.getSource(), from) != getExtents(view.getResult(), to))
    return std::nullopt;
  return from[at - to.begin()];
}

/// Follows `operand` of `dot` back to its load, as long as each value has one
/// reader; `dim` becomes the dimension of the load's tile.
static as::TiledLoadOp getOnlyLoad(as::DotOp dot, Value operand,
                                   std::optional<unsigned> &dim) {
  Operation *op = operand.getDefiningOp();
  while (op && dim && op->getNumResults() > 0 && op->getResult(0).hasOneUse()) {
    if (auto load = dyn_cast<as::TiledLoadOp>(op))
      return load->getBlock() == dot->getBlock() ? load : as::TiledLoadOp();
    if (!isRename(op) && !isCopyRounding(op))
      break;
    if (auto permute = dyn_cast<as::PermuteOp>(op))
      dim = permute.getPermutation()[*dim];
    else if (auto view = dyn_cast<as::ViewOp>(op))
      dim = getViewedDim(view, *dim);
    op = op->getOperand(0).getDefiningOp();
  }
  return {};
}

std::optional<HalvedLoad> getHalvedLoad(as::DotOp dot) {
  std::optional<unsigned> dim = 1;
  as::TiledLoadOp load = getOnlyLoad(dot, dot.getB(), dim);
  if (!load || !dim)
    return std::nullopt;
  return HalvedLoad{load, *dim};
}

/// Returns whether the CTAs of a pair, whose ranks differ in the last bit, load
/// the same tile.
static bool isSharedByPair(as::TiledLoadOp load) {
  auto axes = load->getAttrOfType<IntegerAttr>(kSharedAxesAttr);
  return axes && axes.getInt() & 1;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Returns whether `func` uses a value from memory that other threads may
/// change meanwhile: the CTAs of a pair could take different ways.
static bool usesVaryingValues(aa::FuncOp func) {
  return func
      ->walk([](Operation *op) {
        auto access = dyn_cast<as::TileASMemoryOpInterface>(op);
        if (!access || (access.getAccessSemantic() == aa::MemSemantic::Weak &&
                        !op->hasAttr("is_volatile")))
          return WalkResult::advance();
        bool isUsed = llvm::any_of(op->getResults(), [](Value result) {
          return !isa<aa::MemTokenType>(result.getType()) &&
                 !result.use_empty();
        });
        return isUsed ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether nothing but `for` loops is around `dot`: the slots that MMAs
/// have read are counted after them.
static bool isInCountedLoops(as::DotOp dot) {
  Operation *at = dot->getParentOp();
  while (isa<scf::ForOp>(at))
    at = at->getParentOp();
  return isa<aa::FuncOp>(at);
}

//===----------------------------------------------------------------------===//
// The decision
//===----------------------------------------------------------------------===//

/// Returns why no pair of CTAs computes `dot`, of kind `umma`.
static std::string checkPair(as::DotOp dot) {
  as::MmaAttr mma = *dot.getMma();
  RankedTensorType acc = dot.getC().getType();
  if (mma.getScales())
    return "it has scales";
  if (getDotChain(dot))
    return "it is one of a chain";
  if (mma.isRestaged())
    return "threads store an operand";
  if (acc.getDimSize(0) % kRowsPerCta || acc.getDimSize(1) < kMinColumns ||
      acc.getDimSize(1) > kMaxColumns)
    return "no MMA of two CTAs has its extents";
  scf::ForOp loop = getCarryingLoop(dot);
  if (!loop ||
      !isZeroTile(loop.getTiedLoopInit(cast<BlockArgument>(dot.getC()))->get()))
    return "its accumulator does not start with zeros before its loop";
  if (!isInCountedLoops(dot))
    return "other control flow than loops that count is around it";
  std::optional<unsigned> rows = 0;
  if (!getOnlyLoad(dot, dot.getA(), rows))
    return "operand A is no load of its own";
  std::optional<HalvedLoad> half = getHalvedLoad(dot);
  if (!half || !isSharedByPair(half->load))
    return "operand B is no load that both CTAs need, and nothing else";
  return "";
}

/// Returns why no pairs of CTAs compute `dots`, all those of kind `umma`.
static std::string checkPairs(aa::FuncOp func, ArrayRef<as::DotOp> dots,
                              const Target &target) {
  if (usesVaryingValues(func))
    return "the kernel acquires memory that others write while it runs";
  TensorMemoryBudget columns(target);
  for (as::DotOp dot : dots) {
    std::string reason = checkPair(dot);
    int64_t own =
        tensorColumns(*tensorAccLayout(dot.getC().getType().getShape()));
    if (reason.empty())
      reason = columns.check(own);
    if (!reason.empty())
      return reason;
    columns.claim(own);
  }
  return "";
}

static void setCtaGroup(as::DotOp dot, int64_t group) {
  as::MmaAttr mma = *dot.getMma();
  SmallVector<int64_t> shape(mma.getShape());
  shape[0] = shape[0] / mma.getCtaGroup() * group;
  dot.setMmaAttr(as::MmaAttr::get(dot.getContext(), mma.getKind(), shape, group,
                                  mma.getA(), mma.getB(), mma.getScales(),
                                  mma.getAcc(), mma.getPromote()));
}

static void reportAlone(as::DotOp dot, StringRef reason) {
  TILEIR_LOG() << dot.getLoc() << ": each CTA multiplies alone: " << reason;
  remark::missed(dot.getLoc(), remarkAbout(dot, "CtaPair", "tileas"))
      << StringRef("each CTA of the cluster multiplies alone")
      << remark::metric("Reason", reason);
}

static SmallVector<as::DotOp> getUmmaDots(aa::FuncOp func) {
  SmallVector<as::DotOp> dots;
  func->walk([&](as::DotOp dot) {
    if (isAssigned(dot, as::MmaKind::Umma))
      dots.push_back(dot);
  });
  return dots;
}

void assignPairs(aa::FuncOp func, const MmaFacts &facts) {
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  SmallVector<as::DotOp> dots = getUmmaDots(func);
  if (!spec || spec.getNumCtas() % 2 || dots.empty() ||
      !facts.target.has(Feature::TmaCtaGroup2))
    return;
  std::string reason = checkPairs(func, dots, facts.target);
  for (as::DotOp dot : dots) {
    if (!reason.empty()) {
      if (!facts.hasLayouts)
        reportAlone(dot, reason);
      continue;
    }
    setCtaGroup(dot, 2);
    TILEIR_LOG() << dot.getLoc() << ": " << *dot.getMma();
    if (!facts.hasLayouts)
      remark::passed(dot.getLoc(), remarkAbout(dot, "CtaPair", "tileas"))
          << StringRef("two CTAs multiply together, each copies half of B")
          << remark::metric("Rows", dot.getMma()->getShape()[0])
          << remark::metric("Columns", dot.getMma()->getShape()[1]);
  }
}

void dropPairs(aa::FuncOp func, StringRef reason) {
  for (as::DotOp dot : getUmmaDots(func))
    if (isPaired(dot)) {
      setCtaGroup(dot, 1);
      reportAlone(dot, reason);
    }
}

} // namespace tileir
