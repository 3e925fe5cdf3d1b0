// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/ProductFactors.h"
#include "passes/tileas/StagingLayout.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEASSTAGEPRODUCTS
#define GEN_PASS_DEF_TILEASSTAGEPRODUCTS
#include "passes/tileas/TileASStageProducts.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASStageProducts final
    : impl::TileASStageProductsBase<TileASStageProducts> {
  using TileASStageProductsBase::TileASStageProductsBase;

  void runOnOperation() override;

private:
  bool isWanted(as::DotOp dot) const;
};

} // namespace

bool TileASStageProducts::isWanted(as::DotOp dot) const {
  if (dot.hasBuffers())
    return false;
  if (dot.getAtom().getKind() != as::MmaKind::Fma)
    return mmaSync;
  return getRegisterWords(dot.getA().getType()) +
             getRegisterWords(dot.getB().getType()) >
         maxWords;
}

static Value stage(OpBuilder &builder, Location loc, Value factor) {
  auto tile = cast<RankedTensorType>(factor.getType());
  as::BufferType type = getStagingType(tile, getContiguousDim(factor));
  Value buffer = as::AllocTensorOp::create(builder, loc, type,
                                           /*alignment=*/IntegerAttr(),
                                           /*smem_offset=*/IntegerAttr());
  as::CopyOp::create(builder, loc, /*result=*/Type(), factor, buffer,
                     as::CopyAtomAttr());
  return buffer;
}

void TileASStageProducts::runOnOperation() {
  SmallVector<as::DotOp> dots;
  getOperation()->walk([&](as::DotOp dot) {
    if (isWanted(dot))
      dots.push_back(dot);
  });
  for (as::DotOp dot : dots) {
    OpBuilder builder(dot);
    Value a = stage(builder, dot.getLoc(), dot.getA()),
          b = stage(builder, dot.getLoc(), dot.getB());
    dot.getAMutable().assign(a);
    dot.getBMutable().assign(b);
    builder.setInsertionPointAfter(dot);
    for (Value buffer : {a, b})
      as::DeallocOp::create(builder, dot.getLoc(), buffer);
    ++numStaged;
  }
  if (dots.empty())
    markAllAnalysesPreserved();
}

} // namespace tileir
