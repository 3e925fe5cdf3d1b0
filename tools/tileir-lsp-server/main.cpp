// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's language server with the dialects of this project, their
// documentation, and the remarks of the compiler.

#include "pipelines/Segments.h"
#include "tools/driver/Version.h"
#include "tools/tileir-lsp-server/Documentation.h"
#include "tools/tileir-lsp-server/Hints.h"
#include "tools/tileir-lsp-server/Relay.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

using namespace llvm;

static cl::opt<std::string> gpuName(
    "gpu-name",
    cl::desc("Target of the remarks that are hints in documents with kernels; "
             "'none' for no remarks"),
    cl::init("sm_90"));

/// The parser recurses, and a server must survive any input. Only touched pages
/// of a stack take memory.
static constexpr std::optional<unsigned> kStackSize = 1u << 30;

/// Returns the columns of the name or number at `column`, counted from 0.
static size_t measureWord(StringRef text, unsigned line, unsigned column) {
  for (; line > 1 && !text.empty(); --line)
    text = text.split('\n').second;
  StringRef rest = text.split('\n').first.substr(column);
  return std::max<size_t>(1,
                          rest.take_while([](char character) {
                                return isAlnum(character) ||
                                       StringRef("_.$%@").contains(character);
                              })
                              .size());
}

/// Returns the compiler's remarks as diagnostics of the protocol.
static json::Array diagnose(StringRef text,
                            const mlir::DialectRegistry &registry) {
  json::Array list;
  if (gpuName == "none")
    return list;
  for (const tileir::Hint &hint : tileir::findHints(text, gpuName, registry)) {
    int64_t line = hint.line - 1, column = hint.column - 1;
    int64_t end = column + int64_t(measureWord(text, hint.line, column));
    list.push_back(json::Object{
        {"range",
         json::Object{
             {"start", json::Object{{"line", line}, {"character", column}}},
             {"end", json::Object{{"line", line}, {"character", end}}}}},
        // Severities of the protocol: Error and Hint.
        {"severity", hint.isError ? 1 : 4},
        {"source", "tileir " + gpuName},
        {"message", hint.text}});
  }
  return list;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tileir::registerTileIRDialects(registry);
  tileir::registerTileIRPasses();
  tileir::registerTileIRPipelines();
  CrashRecoveryContext::Enable();
  cl::SetVersionPrinter([](raw_ostream &os) {
    os << tileir::describeVersion("tileir-lsp-server");
  });
  outs(); // must outlive exit handlers, also after --help
  static auto &relay = *new tileir::Relay(
      {tileir::findDocumentation,
       // Operations of the dialect's own tests.
       [](StringRef label) { return !label.contains("testing$"); },
       [&](StringRef text) { return diagnose(text, registry); }});
  std::atexit([] { relay.finish(); });

  bool failed = true;
  llvm::thread server(kStackSize, [&] {
    failed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  });
  server.join();
  relay.finish();
  return failed;
}
