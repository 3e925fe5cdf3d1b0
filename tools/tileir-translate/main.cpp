// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::OptionCategory category("tileir-translate options");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    outputFile("o", cl::desc("Write to this file, '-' is standard output"),
               cl::value_desc("file"), cl::init("-"), cl::cat(category));
static cl::opt<bool> cudatilebcToMlir(
    "cudatilebc-to-mlir",
    cl::desc("Read Tile IR bytecode and print the verified module"),
    cl::cat(category));
static cl::opt<bool>
    listVersions("list-versions",
                 cl::desc("Print the bytecode versions that can be read"),
                 cl::cat(category));

namespace {
enum ExitCode {
  kOk = 0,
  kUsage = 1,
  kUnreadable = 2,
  kBadBytecode = 3,
  kUnwritable = 4,
};
} // namespace

static constexpr const char *kOverview =
    "Translates Tile IR bytecode to cuda_tile text\n\n"
    "exit codes: 0 done, 1 bad options, 2 input missing or unreadable,\n"
    "3 input is no valid bytecode, 4 output cannot be written";

static int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return code;
}

static void printDiagnostic(Diagnostic &diagnostic) {
  llvm::raw_ostream &os = llvm::errs();
  Location loc = diagnostic.getLocation();
  if (!isa<UnknownLoc>(loc))
    os << loc << ": ";
  os << (diagnostic.getSeverity() == DiagnosticSeverity::Error     ? "error: "
         : diagnostic.getSeverity() == DiagnosticSeverity::Warning ? "warning: "
         : diagnostic.getSeverity() == DiagnosticSeverity::Remark  ? "remark: "
                                                                   : "note: ")
     << diagnostic << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

static int bytecodeToText(llvm::MemoryBufferRef buffer) {
  if (!tileir::isTileIRBytecode(buffer.getBuffer()))
    return fail(kBadBytecode,
                tileir::notTileIRBytecodeMessage(buffer.getBuffer()));
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, printDiagnostic);
  OwningOpRef<cuda_tile::ModuleOp> module =
      tileir::readBytecode(buffer, &context);
  if (!module)
    return kBadBytecode;
  llvm::Error error =
      llvm::writeToOutput(outputFile, [&](llvm::raw_ostream &os) {
        module->getOperation()->print(os);
        os << '\n';
        return llvm::Error::success();
      });
  if (error)
    return fail(kUnwritable, "cannot write '" + outputFile +
                                 "': " + llvm::toString(std::move(error)));
  return kOk;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  if (listVersions) {
    for (const tileir::BytecodeVersionInfo &info :
         tileir::supportedBytecodeVersions())
      llvm::outs() << info.version.str() << '\n';
    return kOk;
  }
  if (!cudatilebcToMlir)
    return fail(kUsage, "no translation given; say --cudatilebc-to-mlir");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!buffer)
    return fail(kUnreadable, "cannot read '" + inputFile +
                                 "': " + buffer.getError().message());
  return bytecodeToText(**buffer);
}
