// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-lsp-server/Hints.h"

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Nesting.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace mlir;
using llvm::StringRef;

/// The document's name in its locations.
static constexpr char kDocument[] = "document";

/// Returns the position in the document that a location names: the call site of
/// inlined code.
static FileLineColLoc findPlace(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findPlace(call.getCaller());
  auto place = loc->findInstanceOf<FileLineColLoc>();
  return place && place.getFilename() == kDocument ? place : FileLineColLoc();
}

static void lower(StringRef text, StringRef gpu,
                  const DialectRegistry &registry,
                  std::vector<tileir::Hint> &hints) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool isParsed = false;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    FileLineColLoc place = findPlace(diagnostic.getLocation());
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    if (isParsed && place &&
        (isError || diagnostic.getSeverity() == DiagnosticSeverity::Remark))
      hints.push_back(
          {place.getLine(), place.getColumn(), isError, diagnostic.str()});
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context), kDocument);
  if (!module || module->getOps<cuda_tile::ModuleOp>().empty())
    return;
  isParsed = true;

  auto passes = PassManager::on<ModuleOp>(&context);
  std::string pipeline =
      ("tileir{preset=tileiras compute-capability=" + gpu + "}").str();
  std::string why;
  llvm::raw_string_ostream os(why);
  if (failed(parsePassPipeline(pipeline, passes, os))) {
    hints.push_back({1, 1, /*isError=*/true, StringRef(why).trim().str()});
    return;
  }
  remark::RemarkCategories everything;
  everything.passed = everything.missed = everything.failed =
      everything.analysis = ".*";
  if (succeeded(remark::enableOptimizationRemarks(
          context, /*streamer=*/nullptr,
          std::make_unique<remark::RemarkEmittingPolicyAll>(), everything,
          /*printAsEmitRemarks=*/true)))
    (void)passes.run(*module);
}

std::vector<tileir::Hint> tileir::findHints(StringRef text, StringRef gpu,
                                            const DialectRegistry &registry) {
  std::vector<Hint> hints;
  if (findDeepNesting(text))
    return hints;
  // A crash of the compiler must not end an editor's server.
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] { lower(text, gpu, registry, hints); }))
    hints.push_back({1, 1, /*isError=*/true,
                     "the compiler crashed; tileiras --crash-report=DIR "
                     "writes what it takes to see it again"});
  return hints;
}
