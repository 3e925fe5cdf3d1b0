// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-translate/Translate.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/cuda_tile/bytecode/TextLocations.h"
#include "dialects/support/Nesting.h"
#include "passes/cuda_tile/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/ParseUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tileir {

/// Returns the tile module that `file` is or contains.
static cuda_tile::ModuleOp findModule(Operation *file) {
  Operation *op = file;
  if (auto outer = dyn_cast<mlir::ModuleOp>(file)) {
    if (!llvm::hasSingleElement(*outer.getBody())) {
      outer.emitError(
          "expected a single CUDA Tile IR module in the MLIR module");
      return {};
    }
    op = &outer.getBody()->front();
  }
  auto module = dyn_cast<cuda_tile::ModuleOp>(op);
  if (!module)
    op->emitError("expected a CUDA Tile IR module, but got a ")
        << op->getName();
  return module;
}

/// Rejects text that would exhaust the stack.
static OwningOpRef<Operation *>
parseText(const std::shared_ptr<llvm::SourceMgr> &sources, MLIRContext &context,
          const TranslateOptions &options) {
  const llvm::MemoryBuffer &text =
      *sources->getMemoryBuffer(sources->getMainFileID());
  if (auto place = findDeepNesting(text.getBuffer())) {
    emitError(FileLineColLoc::get(&context, text.getBufferIdentifier(),
                                  place->line, place->column))
        << deepNestingMessage();
    return {};
  }
  return parseSourceFileForTool(sources, ParserConfig(&context),
                                !options.noImplicitModule);
}

static LogicalResult
textToBytecode(const std::shared_ptr<llvm::SourceMgr> &sources,
               MLIRContext &context, const TranslateOptions &options,
               llvm::raw_ostream &os) {
  OwningOpRef<Operation *> file = parseText(sources, context, options);
  if (!file)
    return failure();
  cuda_tile::ModuleOp module = findModule(*file);
  if (!module)
    return failure();
  locateImplicitTerminators(module,
                            sources->getMemoryBuffer(sources->getMainFileID())
                                ->getBufferIdentifier());
  if (options.addDebugScopes) {
    PassManager manager(&context, cuda_tile::ModuleOp::getOperationName());
    manager.addPass(createSynthesizeDebugInfoScopes());
    if (failed(manager.run(module)))
      return failure();
  }
  // A failing module produces no output.
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecode(module, options.version, stream)))
    return failure();
  os << bytes;
  return success();
}

/// Reads Tile IR bytecode; any other input gets one fixed message.
static OwningOpRef<cuda_tile::ModuleOp> readModule(llvm::MemoryBufferRef buffer,
                                                   MLIRContext &context) {
  if (isTileIRBytecode(buffer.getBuffer()))
    return readBytecode(buffer, &context);
  llvm::errs() << "error: " << notTileIRBytecodeMessage(buffer.getBuffer())
               << '\n';
  return {};
}

static void print(cuda_tile::ModuleOp module, const TranslateOptions &options,
                  llvm::raw_ostream &os) {
  OpPrintingFlags flags;
  if (options.genericForm)
    flags.printGenericOpForm();
  module.getOperation()->print(os, flags);
}

static LogicalResult bytecodeToText(llvm::MemoryBufferRef buffer,
                                    MLIRContext &context,
                                    const TranslateOptions &options,
                                    llvm::raw_ostream &os) {
  OwningOpRef<cuda_tile::ModuleOp> module = readModule(buffer, context);
  if (!module)
    return failure();
  print(*module, options, os);
  return success();
}

/// Reads bytecode or text.
static OwningOpRef<Operation *>
readAny(llvm::MemoryBufferRef buffer,
        const std::shared_ptr<llvm::SourceMgr> &sources, MLIRContext &context,
        const TranslateOptions &options) {
  if (isTileIRBytecode(buffer.getBuffer()))
    return OwningOpRef<Operation *>(
        readBytecode(buffer, &context).release().getOperation());
  return parseText(sources, context, options);
}

/// Prints bytecode or text after a round trip through bytecode.
static LogicalResult
printRoundTrip(llvm::MemoryBufferRef buffer,
               const std::shared_ptr<llvm::SourceMgr> &sources,
               MLIRContext &context, const TranslateOptions &options,
               llvm::raw_ostream &os) {
  OwningOpRef<Operation *> file = readAny(buffer, sources, context, options);
  if (!file)
    return failure();
  cuda_tile::ModuleOp module = findModule(*file);
  if (!module)
    return failure();
  std::string first, second;
  llvm::raw_string_ostream firstStream(first), secondStream(second);
  if (failed(writeBytecode(module, options.version, firstStream)))
    return failure();
  OwningOpRef<cuda_tile::ModuleOp> again =
      readBytecode(llvm::MemoryBufferRef(first, "<translated>"), &context);
  if (!again || failed(writeBytecode(*again, options.version, secondStream)))
    return failure();
  if (first != second)
    return (*again)->emitError("differs as bytecode after a round trip");
  print(*again, options, os);
  return success();
}

/// Prints the minimum version of bytecode or text.
static LogicalResult
printMinimumVersion(llvm::MemoryBufferRef buffer,
                    const std::shared_ptr<llvm::SourceMgr> &sources,
                    MLIRContext &context, const TranslateOptions &options,
                    llvm::raw_ostream &os) {
  OwningOpRef<Operation *> file = readAny(buffer, sources, context, options);
  if (!file)
    return failure();
  cuda_tile::ModuleOp module = findModule(*file);
  if (!module)
    return failure();
  FailureOr<BytecodeVersion> version = minimumBytecodeVersion(module);
  if (failed(version))
    return failure();
  os << version->str() << '\n';
  return success();
}

/// Returns the name in the report of `--mlir-timing`.
static StringRef getName(Translation translation) {
  switch (translation) {
  case Translation::TextToBytecode:
    return "mlir-to-cudatilebc";
  case Translation::BytecodeToText:
    return "cudatilebc-to-mlir";
  case Translation::RoundTrip:
    return "test-cudatile-roundtrip";
  case Translation::MinimumVersion:
    return "print-minimum-version";
  }
  llvm_unreachable("every translation has a name");
}

static LogicalResult
runOne(Translation translation, llvm::MemoryBufferRef buffer,
       const std::shared_ptr<llvm::SourceMgr> &sources, MLIRContext &context,
       const TranslateOptions &options, llvm::raw_ostream &os) {
  switch (translation) {
  case Translation::TextToBytecode:
    return textToBytecode(sources, context, options, os);
  case Translation::BytecodeToText:
    return bytecodeToText(buffer, context, options, os);
  case Translation::RoundTrip:
    return printRoundTrip(buffer, sources, context, options, os);
  case Translation::MinimumVersion:
    return printMinimumVersion(buffer, sources, context, options, os);
  }
  llvm_unreachable("every translation has a case");
}

static LogicalResult runAll(const std::shared_ptr<llvm::SourceMgr> &sources,
                            MLIRContext &context,
                            const TranslateOptions &options,
                            TimingScope &timing, llvm::raw_ostream &os) {
  std::shared_ptr<llvm::SourceMgr> current = sources;
  for (auto [i, translation] : llvm::enumerate(options.translations)) {
    TimingScope scope = timing.nest(getName(translation));
    const llvm::MemoryBuffer &input =
        *current->getMemoryBuffer(current->getMainFileID());
    if (i + 1 == options.translations.size())
      return runOne(translation, input, current, context, options, os);
    std::string made;
    llvm::raw_string_ostream stream(made);
    if (failed(runOne(translation, input, current, context, options, stream)))
      return failure();
    current = std::make_shared<llvm::SourceMgr>();
    current->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(made, "<translated>"),
        llvm::SMLoc());
  }
  return success();
}

LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> input,
                        const TranslateOptions &options, TimingScope &timing,
                        llvm::raw_ostream &os) {
  using Level = SourceMgrDiagnosticVerifierHandler::Level;
  // Everything in a file may be printed and parsed again.
  bool isFile = isTileIRBytecode(input->getBuffer());
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  // Modules of a newer version follow the rules of that version.
  auto *dialect = context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  if (isFile ||
      (options.version >= kVersion13_4 && options.version < kVersion250_0))
    dialect->setFollowsNewestRelease(true);
  dialect->setWarnUnsupportedHints(options.warnHints);
  dialect->setErrorOnHints(options.errorOnHints);
  context.allowUnregisteredDialects(options.allowUnregisteredDialects);
  if (options.verifyDiagnostics != Level::None) {
    context.printOpOnDiagnostic(false);
    SourceMgrDiagnosticVerifierHandler handler(*sources, &context,
                                               options.verifyDiagnostics);
    (void)runAll(sources, context, options, timing, os);
    return handler.verify();
  }
  SourceMgrDiagnosticHandler handler(*sources, &context);
  std::optional<ScopedDiagnosticHandler> filter;
  if (options.errorDiagnosticsOnly)
    filter.emplace(&context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
    });
  return runAll(sources, context, options, timing, os);
}

} // namespace tileir
