// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/MmaChain.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TESTTILEASMMACHAIN
#define GEN_PASS_DEF_TESTTILEASMMACHAIN
#include "passes/tileas/mma/TestTileASMmaChain.h.inc"

namespace {

using namespace mlir;

struct TestTileASMmaChain final
    : impl::TestTileASMmaChainBase<TestTileASMmaChain> {
  using TestTileASMmaChainBase::TestTileASMmaChainBase;

  void runOnOperation() override;
};

} // namespace

void TestTileASMmaChain::runOnOperation() {
  markAllAnalysesPreserved();
  getOperation()->walk([](scf::ForOp loop) {
    MmaChain chain(loop);
    for (auto [number, dot] : llvm::enumerate(chain.getDots())) {
      std::string text;
      llvm::raw_string_ostream os(text);
      chain.print(os, number);
      dot.op->emitRemark(text);
    }
  });
}

} // namespace tileir
