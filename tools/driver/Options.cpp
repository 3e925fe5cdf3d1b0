// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Options.h"

#include "dialects/support/Output.h"
#include "dialects/support/RuntimeGates.h"
#include "tools/driver/Environment.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir::driver {

using namespace llvm;

std::optional<Product> parseProduct(StringRef name) {
  return StringSwitch<std::optional<Product>>(name)
      .Case("obj", Product::Object)
      .Case("fatbin", Product::Fatbin)
      .Case("cubin", Product::Cubin)
      .Case("ptx", Product::PTX)
      .Case("llvm", Product::LLVM)
      .Case("bc", Product::Bitcode)
      .Default(std::nullopt);
}

DebugKind debugKind(bool deviceDebug, bool lineInfo) {
  if (deviceDebug)
    return DebugKind::Full;
  return lineInfo ? DebugKind::DebugDirectives : DebugKind::None;
}

std::string dumpStem(const std::string &output) {
  struct stat st;
  bool ordinary = !output.empty() && output != "-" &&
                  (::stat(output.c_str(), &st) != 0 || S_ISREG(st.st_mode));
  if (!ordinary) {
    // The folder is shared: choose a name that does not exist yet.
    uint32_t random = 0;
    (void)!::getentropy(&random, sizeof(random));
    return gates::temporaryDirectory() + "/tileir-dump-" +
           utohexstr(random, /*LowerCase=*/true, /*Width=*/8);
  }
  SmallString<256> stem(output);
  sys::path::replace_extension(stem, "");
  return stem.str().str();
}

Status writeText(StringRef path, StringRef text, Status fileStatus,
                 const Reporter &reporter) {
  OutputRequest output;
  output.path = path.str();
  output.bytes = text;
  if (int error = writeOutput(output))
    return reporter.error(fileStatus, "cannot write '" + escaped(output.path) +
                                          "': " + strerror(error));
  return Status::Success;
}

Status writeSidecar(const SharedOptions &options, const SerializeResult &result,
                    Status fileStatus, const Reporter &reporter) {
  if (options.launchSidecar.empty())
    return Status::Success;
  return writeText(options.launchSidecar, result.sidecar, fileStatus, reporter);
}

Status applySharedOptions(const SharedOptions &options,
                          const Reporter &reporter, SerializeRequest &request,
                          SessionOptions &session) {
  auto config = [&](const Twine &text) {
    return reporter.error(Status::Config, text);
  };
  auto badValue = [&](StringRef option, StringRef value, StringRef expected) {
    return config("invalid value '" + escaped(value) + "' for --" + option +
                  "; expected " + expected);
  };
  if (!options.emit.empty()) {
    std::optional<Product> product = parseProduct(options.emit);
    if (!product)
      return badValue("emit", options.emit,
                      "obj, fatbin, cubin, ptx, llvm or bc");
    request.product = *product;
  }
  if (!options.launchAbi.empty()) {
    if (options.launchAbi != "tile" && options.launchAbi != "plain")
      return badValue("launch-abi", options.launchAbi, "tile or plain");
    request.device.launchAbi =
        options.launchAbi == "tile" ? LaunchAbi::Tile : LaunchAbi::Plain;
  }
  if (!options.launchMeta.empty()) {
    if (options.launchMeta == "none")
      request.launchMeta = LaunchMeta::None;
    else if (options.launchMeta == "reserve")
      request.launchMeta = LaunchMeta::Reserve;
    else if (options.launchMeta == "full")
      request.launchMeta = LaunchMeta::Full;
    else
      return badValue("launch-meta", options.launchMeta,
                      "none, reserve or full");
  }
  if (!options.archSuffix.empty()) {
    using Suffix = DeviceRequest::Suffix;
    if (options.archSuffix == "keep")
      request.device.suffix = Suffix::Keep;
    else if (options.archSuffix == "minimal")
      request.device.suffix = Suffix::Minimal;
    else if (options.archSuffix == "accelerated")
      request.device.suffix = Suffix::Accelerated;
    else
      return badValue("arch-suffix", options.archSuffix,
                      "keep, minimal or accelerated");
  }
  if (options.tileLaunch != "reqntid" &&
      options.tileLaunch != "blocksareclusters")
    return badValue("tile-launch", options.tileLaunch,
                    "reqntid or blocksareclusters");
  request.kernels.alwaysBlocksAreClusters =
      options.tileLaunch == "blocksareclusters";
  for (StringRef entry : options.reflectAdd) {
    auto [key, value] = entry.split('=');
    int number;
    if (key.empty() || value.getAsInteger(10, number))
      return badValue("nvvm-reflect-add", entry, "key=int");
    request.reflectOverrides[key] = number;
  }
  request.launcherStubs = options.launcherStubs;
  if (Status status = options.gates.apply(request.gates, reporter);
      status != Status::Success)
    return status;
  request.reflect = options.reflectEnable;
  request.libdevice.explicitFile = options.libdevice;
  request.libdevice.explicitRoot = options.cudaRoot;
  request.libdevice.executable = selfExecutable();
  request.ptxasOptions = options.ptxasOptions;
  request.basePTXOptions = options.basePTXOptions;
  request.nvHostFile = options.nvHost;
  request.moduleId = options.moduleId;
  request.saveTemps = options.saveTemps;
  request.printCommand = options.printCommand;
  request.verbosePtxas = options.printSummary;
  request.strictCubin = options.strictCubin;
  if (options.dumpSassGiven()) {
    if (tokenizeOptions(options.dumpSassCommand).empty())
      return config("Please provide a valid dumpSassCommand. For example, "
                    "`nvdisasm -c`.");
    request.sassCommand = options.dumpSassCommand;
  } else if (options.embedSass) {
    request.sassCommand = "nvdisasm -c";
  }
  if (options.registration != "none" && options.registration != "cudart")
    return badValue("register", options.registration, "none or cudart");
  request.registerKernels = options.registration == "cudart";
  request.embedPTX = options.embedPTX;
  session.ptxasPath = options.ptxasPath;
  if (options.toolTimeout >= 0) {
    session.timeoutSeconds = options.toolTimeout;
  } else if (std::optional<std::string> text = gates::toolTimeout()) {
    double seconds;
    if (StringRef(*text).getAsDouble(seconds) || !(seconds >= 0))
      return config(
          "invalid value '" + escaped(*text) +
          "' of TILEIR_TOOL_TIMEOUT; expected seconds, 0 is no limit");
    session.timeoutSeconds = seconds;
  }
  session.guardChildren = !options.noChildGuard;
  session.verbose = gates::debugVerbose();
  return Status::Success;
}

Status checkProduct(const SharedOptions &options, const Reporter &reporter,
                    const SerializeRequest &request) {
  auto needs = [&](StringRef option, StringRef product) {
    return reporter.error(Status::Config,
                          "option '" + option + "' needs " + product);
  };
  constexpr const char *cubin = "a cubin-producing --emit";
  if (!needsPtxas(request.product)) {
    if (options.embedSass)
      return needs("embed-sass", cubin);
    if (options.dumpSassGiven())
      return needs("dump-sass-command", cubin);
    if (request.embedPTX)
      return needs("embed-ptx", cubin);
    if (request.registerKernels)
      return needs("register", cubin);
  }
  if (request.sassCommand && request.product != Product::Object)
    return needs(options.embedSass ? "embed-sass" : "dump-sass-command",
                 "--emit=obj");
  if (request.embedPTX && request.product == Product::Cubin)
    return needs("embed-ptx", "--emit=fatbin or obj");
  if (request.registerKernels && request.product != Product::Object)
    return needs("register", "--emit=obj");
  if (request.launcherStubs && request.windows)
    return reporter.error(Status::Config,
                          "--launcher-stubs is for --host-os=linux");
  if (request.registerKernels && request.windows)
    return reporter.error(Status::Config,
                          "--register=cudart is for --host-os=linux");
  if (request.registerKernels && request.device.relocatable)
    return reporter.error(Status::Config,
                          "--register=cudart registers whole programs; leave "
                          "out --relocatable-device-code");
  return Status::Success;
}

} // namespace tileir::driver
