// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/mma/WarpDots.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-stage-register-operands"

namespace tileir {

#define GEN_PASS_DECL_TILEASSTAGEREGISTEROPERANDS
#define GEN_PASS_DEF_TILEASSTAGEREGISTEROPERANDS
#include "dialects/support/RuntimeGates.h"
#include "passes/tileas/stage/TileASStageRegisterOperands.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASStageRegisterOperands final
    : impl::TileASStageRegisterOperandsBase<TileASStageRegisterOperands> {
  using TileASStageRegisterOperandsBase::TileASStageRegisterOperandsBase;

  void runOnOperation() override;

private:
  bool isWanted(as::DotOp dot) const;
};

} // namespace

bool TileASStageRegisterOperands::isWanted(as::DotOp dot) const {
  if (dot.hasBuffers() || dot.needsDecomposition())
    return false;
  // No tensor core besides `mma.sync` multiplies f64. In loops a pipeline may
  // copy the operands; the remaining ones are staged afterwards.
  if (dot.getAtom().getKind() != as::MmaKind::Fma)
    return mmaSync ||
           (dot.getAtom().getCType().isF64() &&
            !dot->getParentOfType<scf::ForOp>() && isLimitedByRegisters(dot));
  int64_t registers = getRegisterCount(dot.getA().getType()) +
                      getRegisterCount(dot.getB().getType());
  int64_t limit = maxWords ? maxWords : maxRegisters;
  TILEIR_LOG() << dot.getLoc() << ": operands take " << registers
               << " registers of a thread, "
               << (registers > limit ? "more than " : "no more than ") << limit;
  return registers > limit;
}

static Value stage(OpBuilder &builder, Location loc, Value operand,
                   unsigned major) {
  auto tile = cast<RankedTensorType>(operand.getType());
  as::BufferType type = getStagingType(tile, major);
  Value buffer = as::AllocTensorOp::create(builder, loc, type,
                                           /*alignment=*/IntegerAttr(),
                                           /*smem_offset=*/IntegerAttr());
  as::CopyOp::create(builder, loc, /*result=*/Type(), operand, buffer,
                     as::CopyAtomAttr());
  return buffer;
}

/// The dot of `a` and `b`, the operands from step `k` of K on, which go through
/// shared memory, added to `c`.
static Value multiply(OpBuilder &builder, as::DotOp dot, int64_t k, Value a,
                      Value b, Value c) {
  Location loc = dot.getLoc();
  Value x = stage(builder, loc, a, getContiguousDim(dot.getA())),
        y = stage(builder, loc, b, getContiguousDim(dot.getB()));
  as::DotOp part = dot.createPart(builder, k, x, y, c);
  for (Value buffer : {x, y})
    as::DeallocOp::create(builder, loc, buffer);
  return part.getResult();
}

/// Returns the number of slabs of K that the dot is cut into; 1 if shared
/// memory holds both operands at once. Slabs leave half of it to others.
static int64_t countSlabs(as::DotOp dot) {
  std::optional<Target> target = getTarget(dot);
  if (!target)
    return 1;
  int64_t limit = gates::sharedMemoryCap(*target), bytes = 0;
  for (Value operand : {dot.getA(), dot.getB()}) {
    auto tile = cast<RankedTensorType>(operand.getType());
    bytes += tile.getNumElements() *
             std::max(8u, as::getStorageBits(tile.getElementType())) / 8;
  }
  if (bytes <= limit)
    return 1;
  int64_t slabs = llvm::PowerOf2Ceil(llvm::divideCeil(bytes, limit / 2));
  auto a = cast<RankedTensorType>(dot.getA().getType());
  return std::min<int64_t>(slabs, a.getDimSize(1));
}

/// `operand` in a layout in which each slab of K is in registers of its own,
/// and the type of a slab.
static std::pair<Value, RankedTensorType> separate(OpBuilder &builder,
                                                   Value operand, unsigned kDim,
                                                   int64_t slabs,
                                                   unsigned numWarps) {
  auto tile = cast<RankedTensorType>(operand.getType());
  MLIRContext *context = tile.getContext();
  Layout::Shape whole(tile.getShape().begin(), tile.getShape().end());
  Layout::Shape part = whole;
  part[kDim] /= slabs;
  unsigned major = getContiguousDim(operand);
  Layout slab =
      Layout::defaultBlocked(part, as::getStorageBits(tile.getElementType()),
                             numWarps, {major, 1 - major});
  auto withLayout = [&](const Layout &layout) {
    return RankedTensorType::get(layout.getShape(), tile.getElementType(),
                                 as::getLayoutAttr(context, layout));
  };
  Value separated = as::ConvertLayoutOp::create(
      builder, operand.getLoc(), withLayout(slab.unextract(whole)), operand);
  return {separated, withLayout(slab)};
}

/// `dot` as a chain of dots over slabs of K, in the order of K.
static Value multiplySlabs(OpBuilder &builder, as::DotOp dot, int64_t slabs) {
  Location loc = dot.getLoc();
  unsigned numWarps = getNumWarps(dot->getParentOfType<nv_tileaa::FuncOp>());
  auto [a, aType] = separate(builder, dot.getA(), 1, slabs, numWarps);
  auto [b, bType] = separate(builder, dot.getB(), 0, slabs, numWarps);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value acc = dot.getC();
  for (int64_t k = 0; k < slabs; ++k) {
    Value at =
        arith::ConstantIntOp::create(builder, loc, k * aType.getDimSize(1), 32);
    Value x = as::ExtractSliceOp::create(builder, loc, aType, a,
                                         ValueRange{zero, at}),
          y = as::ExtractSliceOp::create(builder, loc, bType, b,
                                         ValueRange{at, zero});
    acc = multiply(builder, dot, k * aType.getDimSize(1), x, y, acc);
  }
  return acc;
}

void TileASStageRegisterOperands::runOnOperation() {
  SmallVector<as::DotOp> dots;
  getOperation()->walk([&](as::DotOp dot) {
    if (isWanted(dot))
      dots.push_back(dot);
  });
  for (as::DotOp dot : dots) {
    OpBuilder builder(dot);
    int64_t slabs = countSlabs(dot);
    TILEIR_LOG() << dot.getLoc() << ": operands are staged in shared memory in "
                 << slabs << " slabs of K";
    Value part = slabs > 1 ? multiplySlabs(builder, dot, slabs)
                           : multiply(builder, dot, /*k=*/0, dot.getA(),
                                      dot.getB(), dot.getC());
    dot.getResult().replaceAllUsesWith(part);
    dot.erase();
    ++numStaged;
  }
  if (dots.empty())
    markAllAnalysesPreserved();
}

} // namespace tileir
