// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

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
static cl::opt<bool> mlirToCudatilebc(
    "mlir-to-cudatilebc",
    cl::desc("Read a module as text and write Tile IR bytecode"),
    cl::cat(category));
static cl::opt<std::string>
    bytecodeVersion("bytecode-version",
                    cl::desc("Version of the bytecode to write"),
                    cl::value_desc("major.minor"), cl::cat(category));
static cl::opt<bool> listVersions(
    "list-versions",
    cl::desc("Print the bytecode versions that can be read and written"),
    cl::cat(category));

namespace {
enum ExitCode {
  kOk = 0,
  kUsage = 1,
  kUnreadable = 2,
  kInvalid = 3,
  kUnwritable = 4,
};
} // namespace

static constexpr const char *kOverview =
    "Translates between Tile IR bytecode and cuda_tile text\n\n"
    "exit codes: 0 done, 1 bad options, 2 input missing or unreadable,\n"
    "3 input is not valid, 4 output cannot be written";

static int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return code;
}

static void printDiagnostic(Diagnostic &diagnostic) {
  // In the order of DiagnosticSeverity.
  static constexpr const char *kPrefixes[] = {
      "note: ", "warning: ", "error: ", "remark: "};
  if (!isa<UnknownLoc>(diagnostic.getLocation()))
    llvm::errs() << diagnostic.getLocation() << ": ";
  llvm::errs() << kPrefixes[unsigned(diagnostic.getSeverity())] << diagnostic
               << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

/// Writes to a temporary file first, so that a failure leaves nothing.
static int writeOutput(llvm::function_ref<void(llvm::raw_ostream &)> writeTo) {
  llvm::Error error =
      llvm::writeToOutput(outputFile, [&](llvm::raw_ostream &os) {
        writeTo(os);
        return llvm::Error::success();
      });
  if (error)
    return fail(kUnwritable, "cannot write '" + outputFile +
                                 "': " + llvm::toString(std::move(error)));
  return kOk;
}

static int bytecodeToText(llvm::MemoryBufferRef buffer, MLIRContext &context) {
  if (!tileir::isTileIRBytecode(buffer.getBuffer()))
    return fail(kInvalid, tileir::notTileIRBytecodeMessage(buffer.getBuffer()));
  OwningOpRef<cuda_tile::ModuleOp> module =
      tileir::readBytecode(buffer, &context);
  if (!module)
    return kInvalid;
  return writeOutput(
      [&](llvm::raw_ostream &os) { module->getOperation()->print(os); });
}

static int textToBytecode(std::unique_ptr<llvm::MemoryBuffer> buffer,
                          MLIRContext &context) {
  tileir::BytecodeVersion version =
      tileir::supportedBytecodeVersions().back().version;
  std::string error;
  if (!bytecodeVersion.empty() &&
      !tileir::parseBytecodeVersion(bytecodeVersion, version, error))
    return fail(kUsage, error);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<mlir::ModuleOp> file =
      parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!file)
    return kInvalid;
  if (!llvm::hasSingleElement(*file->getBody()))
    return fail(kInvalid,
                "expected a single CUDA Tile IR module in the MLIR module");
  auto module = dyn_cast<cuda_tile::ModuleOp>(file->getBody()->front());
  if (!module)
    return fail(kInvalid,
                "expected a CUDA Tile IR module, but got a " +
                    file->getBody()->front().getName().getStringRef());
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(tileir::writeBytecode(module, version, stream)))
    return kInvalid;
  return writeOutput([&](llvm::raw_ostream &os) { os << bytes; });
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
  if (cudatilebcToMlir == mlirToCudatilebc)
    return fail(kUsage, "no single translation given; say --cudatilebc-to-mlir "
                        "or --mlir-to-cudatilebc");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!buffer)
    return fail(kUnreadable, "cannot read '" + inputFile +
                                 "': " + buffer.getError().message());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, printDiagnostic);
  return cudatilebcToMlir ? bytecodeToText(**buffer, context)
                          : textToBytecode(std::move(*buffer), context);
}
