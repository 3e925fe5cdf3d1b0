// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir {

#define GEN_PASS_DECL_TILEIRSNAPSHOT
#define GEN_PASS_DEF_TILEIRSNAPSHOT
#include "passes/frame/TileIRSnapshot.h.inc"

namespace {

using namespace mlir;

struct TileIRSnapshot final : impl::TileIRSnapshotBase<TileIRSnapshot> {
  using TileIRSnapshotBase::TileIRSnapshotBase;

  void runOnOperation() override;
};

} // namespace

void TileIRSnapshot::runOnOperation() {
  markAllAnalysesPreserved();
  // One write for the whole text: modules of one run may print at the same
  // time.
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// -----// TileIR snapshot: " << tag << " //----- //\n";
  getOperation()->print(os,
                        OpPrintingFlags().useLocalScope().enableDebugInfo());
  os << "\n";
  if (file.empty()) {
    llvm::errs() << text;
    return;
  }
  std::error_code error;
  llvm::raw_fd_ostream out(file, error, llvm::sys::fs::OF_Append);
  if (error) {
    getOperation()->emitError("cannot write snapshot '")
        << file << "': " << error.message();
    return signalPassFailure();
  }
  out << text;
  out.close();
  if (std::error_code full = out.error()) {
    out.clear_error();
    getOperation()->emitError("cannot write snapshot '")
        << file << "': " << full.message();
    signalPassFailure();
  }
}

} // namespace tileir
