// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/WarpgroupProducts.h"

#include "passes/analysis/Remarks.h"
#include "passes/tileas/StagingLayout.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/layout/MatrixDescriptor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Registers of a thread beside those of the accumulator that the instruction
/// and what stands around it take at least; ptxas 13.5 asks for 26.
static constexpr int64_t kOtherRegisters = 32;

/// Whether a thread of `numWarps` warps can hold the accumulator of one
/// instruction of the function around `dot`.
static bool fitsThread(as::DotOp dot, as::MmaAtomAttr atom, int64_t numWarps) {
  int64_t threads = limits::threadsPerWarp * numWarps;
  int64_t available = std::min<int64_t>(limits::registersPerThread,
                                        limits::registersPerSM / threads);
  if (auto func = dot->getParentOfType<nv_tileaa::FuncOp>())
    available =
        std::min(available, getRegisterCap(func, threads).value_or(available));
  int64_t words = atom.getM() * atom.getN() *
                  int64_t(as::getStorageBits(atom.getCType())) / 32 /
                  (4 * limits::threadsPerWarp);
  return words + kOtherRegisters <= available;
}

/// The `wgmma` of the types and extents of `dot` for `numWarps` warps; null
/// when there is none.
static as::MmaAtomAttr findAtom(as::DotOp dot, int64_t numWarps,
                                const Target &target) {
  as::MmaAtomAttr atom = dot.getAtom();
  RankedTensorType acc = dot.getC().getType();
  if (!target.hasWgmma() || atom.getKind() != as::MmaKind::MmaSync ||
      dot.getUseAcc())
    return {};
  int64_t n = acc.getDimSize(1),
          k = 256 / int64_t(as::getStorageBits(atom.getAType()));
  if (acc.getDimSize(0) % 64 || dot.getDepth() % k ||
      !as::MmaAtomAttr::hasWgmma(64, n, k, atom.getAType(), atom.getBType(),
                                 atom.getCType()))
    return {};
  auto wgmma =
      as::MmaAtomAttr::get(dot.getContext(), as::MmaKind::Wgmma, 64, n, k,
                           atom.getAType(), atom.getBType(), atom.getCType());
  return fitsThread(dot, wgmma, numWarps) ? wgmma : as::MmaAtomAttr();
}

bool prefersWarpgroups(as::DotOp dot, unsigned numWarps, const Target &target) {
  if (numWarps < 4 || !findAtom(dot, numWarps, target) ||
      dot.getC().getType().getDimSize(0) < 16 * int64_t(numWarps))
    return false;
  // Factors of other than 16 bits must have K contiguous.
  return as::getStorageBits(dot.getAtom().getAType()) == 16 ||
         (getContiguousDim(dot.getA()) == 1 &&
          getContiguousDim(dot.getB()) == 0);
}

as::MmaAtomAttr getWarpgroupAtom(as::DotOp dot, const Target &target) {
  const Layout &acc = as::getTileLayout(dot.getC().getType()).getLayout();
  as::MmaAtomAttr atom =
      findAtom(dot, int64_t(1) << acc.getNumBases(kWarp), target);
  return atom && as::isWarpgroupAcc(atom, acc) ? atom : as::MmaAtomAttr();
}

/// What keeps `wgmma` from reading `buffer`; empty when nothing does.
static std::string checkForm(Value buffer, unsigned kDim) {
  auto type = cast<as::BufferType>(buffer.getType());
  unsigned bits = as::getStorageBits(type.getElementType());
  if (type.getRank() != 2 || !type.isWhole())
    return "it is a part of a buffer";
  std::string why;
  std::optional<MatrixDescriptor> form =
      matrixDescriptor(type.getLayout().getLayout(), bits, kDim, &why);
  if (!form)
    return why;
  if (!form->isKMajor && bits != 16)
    return "K is not contiguous";
  return form->holdsStep(32) ? "" : "a step of K crosses a span";
}

static void reportKept(as::DotOp dot, StringRef operand, StringRef reason) {
  remark::missed(dot.getLoc(), remarkAbout(dot, "Wgmma", "tileas"))
      << StringRef("product is not made by warpgroups")
      << remark::metric("Operand", operand) << remark::metric("Reason", reason);
}

bool multiplyByWarpgroups(as::DotOp dot, Value a, Value b,
                          const Target &target) {
  as::MmaAtomAttr atom = getWarpgroupAtom(dot, target);
  if (!atom)
    return false;
  std::string reason = checkForm(b, /*kDim=*/0);
  if (!reason.empty()) {
    reportKept(dot, "B", reason);
    return false;
  }
  if (isa<as::BufferType>(a.getType())) {
    reason = checkForm(a, /*kDim=*/1);
  } else {
    std::optional<Layout> want = as::getDotOperandLayout(
        atom, as::getTileLayout(dot.getC().getType()).getLayout(),
        dot.getDepth(), /*isA=*/true);
    if (!want || *want != as::getTileLayout(a.getType()).getLayout())
      reason = "it is in registers in another form";
  }
  if (!reason.empty()) {
    reportKept(dot, "A", reason);
    return false;
  }
  OpBuilder builder(dot);
  auto type = cast<RankedTensorType>(dot.getType());
  Value future = as::AsyncDotOp::create(
      builder, dot.getLoc(), as::FutureType::get(dot.getContext(), type), a, b,
      dot.getC(), atom, dot.getSignednessAAttr(), dot.getSignednessBAttr());
  Value result = as::DotWaitOp::create(builder, dot.getLoc(), type, future,
                                       /*pending=*/0);
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Products that a loop carries
//===----------------------------------------------------------------------===//

/// The pipeline of the slot that `buffer` is or renames; null when it is none.
static as::PipelineWaitOp getSlotWait(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op))
      return wait;
    if (!isa<as::ViewOp, as::PermuteOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return {};
}

/// Says in the pipelines that feed `dot` that the unit of `wgmma` reads them,
/// and in their releases how many products may still do so.
static void setReader(as::AsyncDotOp dot, int64_t pending) {
  for (Value factor : {dot.getA(), Value(dot.getB())}) {
    as::PipelineWaitOp wait = getSlotWait(factor);
    if (!wait)
      continue;
    auto create = wait.getPipeline().getDefiningOp<as::PipelineCreateOp>();
    create.setConsumersAttr(
        Builder(dot.getContext())
            .getArrayAttr(as::PipelineConsumerAttr::get(
                dot.getContext(), as::PipelineConsumer::Wgmma)));
    for (Operation *user : wait.getPipeline().getUsers())
      if (auto release = dyn_cast<as::PipelineReleaseOp>(user))
        release.setPending(std::max<int64_t>(release.getPending(), pending));
  }
}

/// Whether the slots that `dot` reads are of rings with one to spare. Tensor
/// copies wait until the product lets go of its slot.
static bool hasSpareSlot(as::AsyncDotOp dot) {
  return llvm::all_of(
      ArrayRef<Value>{dot.getA(), dot.getB()}, [](Value factor) {
        as::PipelineWaitOp wait = getSlotWait(factor);
        if (!wait)
          return false;
        auto create = wait.getPipeline().getDefiningOp<as::PipelineCreateOp>();
        bool isGroup = create.getSync() == as::PipelineSync::Group;
        return create.getType().getDepth() >= (isGroup ? 3 : 2);
      });
}

/// Lets the accumulator that `dot` adds to go round the loop as a future.
/// Returns false when something else reads or writes it.
static bool carry(as::AsyncDotOp dot) {
  auto arg = dyn_cast<BlockArgument>(dot.getC());
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!arg || !loop || arg.getOwner() != loop.getBody() || !arg.hasOneUse() ||
      !dot.getResult().hasOneUse())
    return false;
  auto wait = dyn_cast<as::DotWaitOp>(*dot.getResult().user_begin());
  if (!wait || wait->getBlock() != loop.getBody() ||
      !wait.getResult().hasOneUse() || !hasSpareSlot(dot))
    return false;
  OpOperand *yielded = loop.getTiedLoopYieldedValue(arg);
  if (yielded->get() != wait.getResult())
    return false;
  OpBuilder builder(loop);
  as::FutureType future = dot.getType();
  OpOperand *init = loop.getTiedLoopInit(arg);
  init->set(
      as::AsyncToAsyncOp::create(builder, dot.getLoc(), future, init->get()));
  arg.setType(future);
  wait.setPending(1);
  wait.getResult().setType(future);
  OpResult result = loop.getTiedLoopResult(arg);
  Type tile = result.getType();
  result.setType(future);
  builder.setInsertionPointAfter(loop);
  auto last = as::DotWaitOp::create(builder, dot.getLoc(), tile, result,
                                    /*pending=*/0);
  result.replaceAllUsesExcept(last.getResult(), last);
  return true;
}

void carryWarpgroupProducts(nv_tileaa::FuncOp func) {
  SmallVector<as::AsyncDotOp> dots;
  func->walk([&](as::AsyncDotOp dot) { dots.push_back(dot); });
  for (as::AsyncDotOp dot : dots)
    setReader(dot, carry(dot) ? 1 : 0);
}

} // namespace tileir
