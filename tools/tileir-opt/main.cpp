// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with the plugins of this project loaded.

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Nesting.h"
#include "pipelines/Segments.h"
#include "tools/driver/Version.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Does the work of `MlirOptMain` on the two files, but rejects text that would
/// exhaust the stack.
static LogicalResult run(const std::string &inputFile,
                         const std::string &outputFile,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputFile, &error);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input)
    output = openOutputFile(outputFile, &error);
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  llvm::StringRef text = input->getBuffer();
  if (auto place = text.starts_with("ML\xefR")
                       ? std::nullopt
                       : tileir::findDeepNesting(text)) {
    llvm::errs() << input->getBufferIdentifier() << ":" << place->line << ":"
                 << place->column << ": error: " << tileir::deepNestingMessage()
                 << "\n";
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

namespace {

/// Replaces LLVM's `--debug-only` for our passes in a build with assertions
/// that links an LLVM without, which lacks the option.
class DebugOnly {
public:
#ifndef NDEBUG
  DebugOnly() {
    if (!llvm::cl::getRegisteredOptions().contains("debug-only"))
      names.emplace("debug-only", llvm::cl::CommaSeparated,
                    llvm::cl::value_desc("pass,..."),
                    llvm::cl::desc("Print the decisions of these passes"));
  }
  void apply() {
    if (!names || names->empty())
      return;
    SmallVector<const char *> types;
    for (const std::string &name : *names)
      types.push_back(name.c_str());
    llvm::setCurrentDebugTypes(types.data(), types.size());
    llvm::DebugFlag = true;
  }

private:
  std::optional<llvm::cl::list<std::string>> names;
#else
  void apply() {}
#endif
};

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DebugOnly debugOnly;
  registerAllPasses();
  tileir::registerTileIRPasses();
  tileir::registerTileIRPipelines();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  tileir::registerTileIRDialects(registry);
  cuda_tile::registerDialectWithFlags(registry);

  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << tileir::describeVersion("tileir-opt");
  });
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Tile IR optimizer driver\n", registry);
  debugOnly.apply();
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return asMainReturnCode(run(input, output, registry, config));
}
