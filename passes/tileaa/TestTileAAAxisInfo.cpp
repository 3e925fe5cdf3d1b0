// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/AxisInfo.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TESTTILEAAAXISINFO
#define GEN_PASS_DEF_TESTTILEAAAXISINFO
#include "passes/tileaa/TestTileAAAxisInfo.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

struct TestTileAAAxisInfo final
    : impl::TestTileAAAxisInfoBase<TestTileAAAxisInfo> {
  using TestTileAAAxisInfoBase::TestTileAAAxisInfoBase;

  void runOnOperation() override;
};

} // namespace

void TestTileAAAxisInfo::runOnOperation() {
  auto &analysis = getAnalysis<AxisInfoAnalysis>();
  markAllAnalysesPreserved();
  getOperation().walk([&](Operation *op) {
    if (auto access = dyn_cast<aa::TileAAMemoryOpInterface>(op)) {
      Value address = access.getAddress();
      if (aa::isPtrTile(address.getType())) {
        unsigned rank = aa::getTileShape(address.getType()).size();
        op->emitRemark("vector elements = ") << analysis.getVectorElements(
            address, access.getMaskOrNull(), rank ? rank - 1 : 0);
      } else {
        op->emitRemark("base alignment = ")
            << analysis.getBaseAlignment(address);
      }
      return;
    }
    if (op->getNumResults() != 1)
      return;
    Type type = op->getResult(0).getType();
    if (!aa::isIntTile(type) && !aa::isPtrTile(type))
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    analysis.get(op->getResult(0)).print(os);
    op->emitRemark(text);
  });
}

} // namespace tileir
