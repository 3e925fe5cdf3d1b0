// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server of MLIR with the dialects of this project.

#include "pipelines/Segments.h"
#include "tools/driver/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

/// The parser recurses, and a server must survive what is typed or opened. Only
/// what is used of a stack takes memory.
static constexpr std::optional<unsigned> kStackSize = 1u << 30;

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tileir::registerTileIRDialects(registry);
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << tileir::describeVersion("tileir-lsp-server");
  });
  bool failed = true;
  llvm::thread server(kStackSize, [&] {
    failed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  });
  server.join();
  return failed;
}
