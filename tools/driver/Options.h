// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_OPTIONS_H
#define TOOLS_DRIVER_OPTIONS_H

#include "serialize/Serializer.h"
#include "tools/driver/CommandLine.h"
#include "tools/driver/Gates.h"

#include "llvm/Support/CommandLine.h"

namespace tileir::driver {

/// Options of both `tileir-serialize` and `tileiras`. Members register with the
/// command-line parser on construction.
struct SharedOptions {
  GateOptions gates;
  llvm::cl::opt<std::string> emit{
      "emit",
      llvm::cl::desc("Output: obj, fatbin, cubin, ptx, llvm or bc (of "
                     "tileiras cubin, of tileir-serialize obj)"),
      llvm::cl::value_desc("kind"), llvm::cl::cat(categories::compilation())};
  llvm::cl::opt<std::string> ptxasPath{
      "ptxas-path",
      llvm::cl::desc("Program to use as ptxas (also TILEIR_PTXAS_PATH)"),
      llvm::cl::value_desc("path"), llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<std::string> cudaRoot{
      "cuda-root", llvm::cl::desc("Toolkit folder to take libdevice from"),
      llvm::cl::value_desc("path"), llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<std::string> libdevice{
      "libdevice", llvm::cl::desc("Bitcode file of libdevice"),
      llvm::cl::value_desc("path"), llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<std::string> launchAbi{
      "launch-abi",
      llvm::cl::desc("'tile': hidden parameters are filled by host code inside "
                     "the cubin; 'plain': by the launcher (of tileiras tile)"),
      llvm::cl::value_desc("form"), llvm::cl::cat(categories::launching())};
  llvm::cl::opt<std::string> launchMeta{
      "launch-meta",
      llvm::cl::desc("Launch meta data symbol: none, reserve or full"),
      llvm::cl::value_desc("kind"), llvm::cl::cat(categories::launching())};
  llvm::cl::opt<std::string> archSuffix{
      "arch-suffix",
      llvm::cl::desc("Letter after the chip: keep, minimal or accelerated (of "
                     "tileiras accelerated, of tileir-serialize keep)"),
      llvm::cl::value_desc("rule"), llvm::cl::cat(categories::compilation())};
  llvm::cl::opt<std::string> launchSidecar{
      "launch-sidecar",
      llvm::cl::desc("File for what a launcher that fills hidden parameters "
                     "needs to know, JSON"),
      llvm::cl::value_desc("path"), llvm::cl::cat(categories::launching())};
  llvm::cl::opt<bool> launcherStubs{
      "launcher-stubs",
      llvm::cl::desc(
          "Functions that launch the kernels, in the output of --emit=obj"),
      llvm::cl::cat(categories::launching())};
  llvm::cl::opt<std::string> tileLaunch{
      "tile-launch",
      llvm::cl::desc("Launch without clusters: reqntid or blocksareclusters"),
      llvm::cl::init("reqntid"), llvm::cl::Hidden,
      llvm::cl::cat(categories::launching())};
  llvm::cl::opt<std::string> ptxasOptions{
      "ptxas-options", llvm::cl::desc("Arguments for ptxas, before all others"),
      llvm::cl::value_desc("string"), llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<std::string> basePTXOptions{
      "base-ptx-options",
      llvm::cl::desc("Arguments for ptxas, after all others"),
      llvm::cl::value_desc("string"), llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<std::string> nvHost{
      "nv-host", llvm::cl::desc("File to embed in place of the host object"),
      llvm::cl::value_desc("path"), llvm::cl::cat(categories::launching())};
  llvm::cl::opt<std::string> moduleId{
      "module-id", llvm::cl::desc("Stem of the symbols of the linkable object"),
      llvm::cl::value_desc("identifier"),
      llvm::cl::cat(categories::launching())};
  llvm::cl::opt<double> toolTimeout{
      "tool-timeout",
      llvm::cl::desc(
          "Seconds that ptxas and nvdisasm may take; 0 is no limit (of "
          "tileiras 0, of tileir-serialize and --seed-mode 600)"),
      llvm::cl::value_desc("seconds"), llvm::cl::init(-1),
      llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<bool> embedPTX{"embed-ptx",
                               llvm::cl::desc("Add the PTX to the fatbin"),
                               llvm::cl::cat(categories::compilation())};
  llvm::cl::opt<std::string> registration{
      "register",
      llvm::cl::desc("How the linkable object's kernels become known to the "
                     "CUDA runtime: none (default), or cudart (a constructor)"),
      llvm::cl::value_desc("how"), llvm::cl::init("none"),
      llvm::cl::cat(categories::launching())};
  llvm::cl::opt<bool> embedSass{
      "embed-sass",
      llvm::cl::desc("Add the text of nvdisasm as section .nvdisasm"),
      llvm::cl::cat(categories::compilation())};
  llvm::cl::opt<std::string> dumpSassCommand{
      "dump-sass-command",
      llvm::cl::desc("As --embed-sass, with another command"),
      llvm::cl::value_desc("command"),
      llvm::cl::cat(categories::diagnostics())};
  llvm::cl::opt<std::string> saveTemps{
      "save-temps",
      llvm::cl::desc("Folder to keep LLVM IR, PTX, host object and cubin in"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(categories::diagnostics())};
  llvm::cl::opt<std::string> timeTrace{
      "time-trace",
      llvm::cl::desc("File for a trace of the phases, '-' is standard error"),
      llvm::cl::value_desc("file"), llvm::cl::cat(categories::diagnostics())};
  llvm::cl::opt<bool> timing{
      "mlir-timing",
      llvm::cl::desc(
          "Print how long phases and passes took, to standard error"),
      llvm::cl::Hidden, llvm::cl::cat(categories::diagnostics())};
  llvm::cl::opt<bool> printCommand{
      "###", llvm::cl::desc("Print the ptxas command and stop"),
      llvm::cl::cat(categories::diagnostics())};
  llvm::cl::opt<bool> printSummary{
      "print-summary",
      llvm::cl::desc("Say what was made: sizes, registers, launch attributes"),
      llvm::cl::cat(categories::diagnostics())};
  llvm::cl::opt<bool> noChildGuard{
      "no-child-guard",
      llvm::cl::desc("Start no process that cleans up after a kill"),
      llvm::cl::cat(categories::toolkit())};
  llvm::cl::opt<bool> strictCubin{
      "strict-cubin",
      llvm::cl::desc("Refuse output of ptxas that is no complete ELF file"),
      llvm::cl::cat(categories::compilation())};
  llvm::cl::opt<uint64_t> maxInputBytes{
      "max-input-bytes", llvm::cl::desc("Refuse larger inputs (1 GiB)"),
      llvm::cl::init(uint64_t(1) << 30),
      llvm::cl::cat(categories::compilation())};
  llvm::cl::list<std::string> reflectAdd{
      "nvvm-reflect-add", llvm::cl::desc("Value of a reflection key, key=int"),
      llvm::cl::value_desc("key=int"),
      llvm::cl::cat(categories::compilation())};
  llvm::cl::opt<bool> reflectEnable{"nvvm-reflect-enable",
                                    llvm::cl::desc("Resolve reflection calls"),
                                    llvm::cl::init(true), llvm::cl::Hidden,
                                    llvm::cl::cat(categories::compilation())};

  bool dumpSassGiven() const {
    return dumpSassCommand.getNumOccurrences() != 0;
  }
};

/// Rejects options that do not apply to the product; call it when the product
/// is final.
Status checkProduct(const SharedOptions &options, const Reporter &reporter,
                    const SerializeRequest &request);

/// Returns the product by the name of `--emit`; nothing for an unknown name.
std::optional<Product> parseProduct(llvm::StringRef name);

/// Applies the shared options to `request` and `session`; reports errors.
Status applySharedOptions(const SharedOptions &options,
                          const Reporter &reporter, SerializeRequest &request,
                          SessionOptions &session);

/// Writes `text` to `path`, a file beside the product; returns `fileStatus` on
/// failure.
Status writeText(llvm::StringRef path, llvm::StringRef text, Status fileStatus,
                 const Reporter &reporter);

/// Writes the file of --launch-sidecar.
Status writeSidecar(const SharedOptions &options, const SerializeResult &result,
                    Status fileStatus, const Reporter &reporter);

/// `Full` takes precedence over `DebugDirectives`.
DebugKind debugKind(bool deviceDebug, bool lineInfo);

/// Returns a path without its last suffix, the stem of dump files; in the
/// temporary folder if `output` is not a regular file.
std::string dumpStem(const std::string &output);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_OPTIONS_H
