// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass outside of this tree: a remark at each loop has the bytes that its
// asynchronous copies load in an iteration. README.md builds and loads it.

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {

struct ReportCopies : PassWrapper<ReportCopies, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReportCopies)

  StringRef getArgument() const final { return "report-copies"; }
  StringRef getDescription() const final {
    return "Remark the bytes that asynchronous copies load in an iteration";
  }

  void runOnOperation() final {
    getOperation()->walk([](scf::ForOp loop) {
      int64_t copies = 0, bytes = 0;
      loop.getBody()->walk([&](Operation *op) {
        // Copies by threads, and TMA copies.
        Value slot;
        if (auto copy = dyn_cast<nv_tileas::AsyncCopyOp>(op))
          slot = copy.getBuffer();
        else if (auto copy = dyn_cast<nv_tileas::AsyncTmaLoadOp>(op))
          slot = copy.getBuffer();
        else
          return;
        // A buffer's type has the shape of one slot and its element.
        auto buffer = cast<nv_tileas::BufferType>(slot.getType());
        int64_t elements = 1;
        for (int64_t extent : buffer.getShape())
          elements *= extent;
        ++copies;
        bytes +=
            elements * nv_tileas::getStorageBits(buffer.getElementType()) / 8;
      });
      if (copies)
        loop.emitRemark() << copies << " copies load " << bytes
                          << " bytes an iteration";
    });
    markAllAnalysesPreserved();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ReportCopies", LLVM_VERSION_STRING,
          [] { PassRegistration<ReportCopies>(); }};
}
