// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/cuda_tile/bytecode/Disassembly.h"
#include "tools/driver/CommandLine.h"
#include "tools/driver/Input.h"
#include "tools/driver/Place.h"
#include "tools/driver/Version.h"

#include <cerrno>
#include <cstring>

using namespace mlir;
namespace cl = llvm::cl;
namespace driver = tileir::driver;

namespace {

enum ExitCode { kOk = 0, kNoInput = 2, kInvalid = 3 };

/// As in the compiler.
constexpr uint64_t kMaxInputBytes = uint64_t(1) << 30;

struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("<tile bytecode file>")};
  cl::opt<bool> debugInfo{"print-debug-info",
                          cl::desc("Print the locations, too")};
  cl::alias g{"g", cl::desc("Alias for --print-debug-info"), cl::NotHidden,
              cl::aliasopt(debugInfo)};
  cl::opt<bool> module{
      "module",
      cl::desc("Print a module that can be parsed, not its contents")};
  cl::opt<std::string, false, driver::PreviewParser> preview{
      "preview", cl::desc("Accepted, without effect: simt"),
      cl::value_desc("feature[,feature...]")};
};

} // namespace

static int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return code;
}

/// Prints faults of a file as `error: text`; faults of its operations may have
/// a position in the source program.
static void printDiagnostic(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  llvm::errs() << driver::placePrefix(diagnostic.getLocation())
               << "error: " << diagnostic << '\n';
}

static int disassemble(const Options &options) {
  const std::string &path = options.input;
  driver::InputResult input = driver::readInput(path, kMaxInputBytes);
  // A file named `-` takes precedence, as clients expect.
  if (input.error == ENOENT && path == "-")
    input = driver::readStandardInput(kMaxInputBytes);
  if (input.error)
    return fail(kNoInput, "unable to read input file '" + path +
                              "': " + strerror(input.error) + "\n");
  if (input.tooLarge)
    return fail(kInvalid, "input is larger than " +
                              llvm::Twine(kMaxInputBytes) + " bytes");
  if (!tileir::isTileIRBytecode(input.bytes))
    return fail(kInvalid, tileir::notTileIRBytecodeMessage(input.bytes));

  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, printDiagnostic);
  // The printer has no custom form for invalid operations.
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  OwningOpRef<cuda_tile::ModuleOp> module =
      tileir::readBytecode(llvm::MemoryBufferRef(input.bytes, path), &context);
  if (!module)
    return fail(kInvalid, "failed to read provided Tile IR bytecode");
  if (options.module)
    module->getOperation()->print(
        llvm::outs(), OpPrintingFlags().enableDebugInfo(options.debugInfo));
  else
    tileir::printDisassembly(*module, options.debugInfo, llvm::outs());
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    std::string reason = llvm::outs().error().message();
    llvm::outs().clear_error();
    return fail(kNoInput, "cannot write to standard output: " + reason);
  }
  return kOk;
}

int main(int argc, char **argv) {
  driver::forgetLibraryOptions({});
  Options options;
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << tileir::describeVersion("tileirdisasm");
  });
  driver::parseCommandLine(
      argc, argv,
      "Tile IR bytecode to text\n\n"
      "Exit codes: 0 success, 1 usage, 2 no input or unreadable input, 3 input "
      "malformed\n");
  if (options.input.empty()) {
    cl::PrintHelpMessage();
    llvm::outs().flush();
    return fail(kNoInput, "no input file provided\n");
  }
  return disassemble(options);
}
