// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Compile.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/support/RuntimeGates.h"
#include "passes/frame/Instrumentation.h"
#include "pipelines/Segments.h"
#include "serialize/ptxas/Locate.h"
#include "tools/driver/CrashReport.h"
#include "tools/driver/Diagnostics.h"
#include "tools/driver/Explain.h"
#include "tools/driver/Options.h"
#include "tools/driver/TileText.h"
#include "tools/driver/Timing.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace tileir::driver {

using namespace mlir;

Status checkBytecode(llvm::StringRef bytes, bool seedMode,
                     const Reporter &reporter) {
  if (!isTileIRBytecode(bytes)) {
    if (seedMode && isMLIRBytecode(bytes))
      return reporter.error(Status::BadInput,
                            "failed to parse IR bytecode (it looks like MLIR "
                            "bytecode instead)");
    return reporter.error(Status::BadInput, notTileIRBytecodeMessage(bytes));
  }
  auto byteAt = [&](size_t i) {
    return i < bytes.size() ? uint8_t(bytes[i]) : uint8_t(0);
  };
  BytecodeVersion version;
  version.major = byteAt(8);
  version.minor = byteAt(9);
  if (findBytecodeVersion(version))
    return Status::Success;
  return reporter.error(Status::BadInput,
                        "unsupported Tile IR bytecode version: " +
                            Twine(unsigned(version.major)) + "." +
                            Twine(unsigned(version.minor)));
}

Status checkConfiguration(const CompileRequest &request,
                          const Reporter &reporter) {
  auto refuse = [&](const Twine &text) {
    Status status = reporter.error(Status::Config, text);
    reporter.note("targets are " + Target::tileLoweringNames());
    return status;
  };
  if (request.gpuName.empty())
    return refuse("no target: pass --gpu-name=<arch>");
  std::optional<Target> target = Target::parse(request.gpuName);
  if (!target)
    return refuse("no target is called '" + escaped(request.gpuName) + "'");
  if (!target->supportedForTileLowering())
    return refuse("target '" + request.gpuName + "' has no tile lowering");
  if (request.optLevel < 0 || request.optLevel > 3)
    return reporter.error(Status::Config,
                          request.seedMode ? Twine("invalid optimization level")
                                           : "invalid optimization level: " +
                                                 Twine(request.optLevel));
  if (request.deviceDebug && request.optLevel != 0)
    return reporter.error(
        Status::Config,
        request.seedMode
            ? "optimized debugging is not supported, change optimization level "
              "to 0 or disable full debug info"
            : "optimized debugging is currently not supported, change the "
              "optimization level to 0 or disable full debug info");
  return Status::Success;
}

void followRequest(const CompileRequest &request, SerializeRequest &serialize,
                   SessionOptions &session) {
  bool seed = request.seedMode;
  serialize.product = seed ? Product::Object : Product::Cubin;
  serialize.device.optLevel = unsigned(request.optLevel);
  serialize.device.debug = debugKind(request.deviceDebug, request.lineInfo);
  serialize.forwardWarnings =
      seed || request.deviceDebug || gates::debugVerbose();
  llvm::Triple host(request.hostTriple.empty() ? llvm::sys::getProcessTriple()
                                               : request.hostTriple);
  serialize.hostMachine = host.getArch() == llvm::Triple::aarch64
                              ? HostMachine::AArch64
                              : HostMachine::X86_64;
  session.form = seed ? ArgvForm::Seed : ArgvForm::Driver;
  session.lookup = seed ? LookupStyle::PathOnly : LookupStyle::RootFirst;
  session.timeoutSeconds = seed ? 600 : 0;
  session.fileStatus = seed ? Status::File : Status::Compile;
}

namespace {
/// Records the innermost failed pass, and tells the crash report which pass
/// runs.
struct FailureRecorder final : PassInstrumentation {
  FailureRecorder(std::string &name, CrashReport *crash)
      : name(name), crash(crash) {}

  static bool isAdaptor(Pass *pass) {
    return pass->getName().contains("PassAdaptor");
  }
  static StringRef nameOf(Pass *pass) {
    return pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  }

  void runBeforePass(Pass *pass, Operation *) override {
    if (crash && !isAdaptor(pass))
      crash->enter(nameOf(pass));
  }
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (name.empty() && !isAdaptor(pass))
      name = nameOf(pass).str();
  }

  std::string &name;
  CrashReport *crash;
};
} // namespace

/// Checks flags of the command line against the pipeline text.
static Status checkConflicts(const TileIRPipelineOptions &options,
                             const CompileRequest &request,
                             const DriverFlags &flags,
                             const Reporter &reporter) {
  Status status = Status::Success;
  auto check = [&](const auto &option, bool given, const char *flag,
                   const auto &value) {
    if (!given || !option.getNumOccurrences() || option.getValue() == value)
      return;
    std::string text;
    llvm::raw_string_ostream(text) << option.getValue();
    status = reporter.error(Status::Config,
                            Twine("--") + flag +
                                " conflicts with pipeline option '" +
                                option.ArgStr + "=" + escaped(text) + "'");
  };
  check(options.computeCapability, true, "gpu-name", flags.gpuName);
  check(options.launchAbi, request.launchAbiGiven, "launch-abi",
        flags.launchAbi);
  check(options.archSuffix, request.archSuffixGiven, "arch-suffix",
        flags.archSuffix);
  check(options.debuginfoLevel, request.deviceDebug, "device-debug",
        std::string("full"));
  check(options.debuginfoLevel, request.lineInfo && !request.deviceDebug,
        "lineinfo", std::string("debug-directives"));
  check(options.hostTriple, !request.hostTriple.empty(), "host-arch",
        request.hostTriple);
  check(options.launcherStubs, flags.launcherStubs, "launcher-stubs", true);
  return status;
}

/// Applies the serializer options of the pipeline text.
static Status followPipeline(const TileIRPipelineOptions &options,
                             const CompileRequest &request,
                             const Reporter &reporter,
                             SerializeRequest &serialize) {
  serialize.device.launchAbi =
      options.launchAbi == "tile" ? LaunchAbi::Tile : LaunchAbi::Plain;
  serialize.launcherStubs = options.launcherStubs;
  if (!options.debuginfoLevel.getNumOccurrences() || request.lineInfo ||
      request.deviceDebug)
    return Status::Success;
  serialize.device.debug =
      llvm::StringSwitch<DebugKind>(options.debuginfoLevel)
          .Case("full", DebugKind::Full)
          .Case("line-tables", DebugKind::LineTables)
          .Case("debug-directives", DebugKind::DebugDirectives)
          .Default(DebugKind::None);
  bool unoptimized = serialize.device.debug == DebugKind::Full ||
                     serialize.device.debug == DebugKind::LineTables;
  if (unoptimized && request.optLevel != 0)
    return reporter.error(Status::Config,
                          "pipeline option 'debuginfo-level=" +
                              options.debuginfoLevel.getValue() +
                              "' needs --opt-level=0");
  return Status::Success;
}

/// Returns the pipeline options of the text, completed by the driver's.
static Status pipelineOptions(const CompileRequest &request,
                              SerializeRequest &serialize,
                              const Reporter &reporter,
                              TileIRPipelineOptions &options) {
  DriverFlags flags;
  flags.optLevel = request.optLevel;
  flags.gpuName = request.gpuName;
  flags.lineInfo = request.lineInfo;
  flags.deviceDebug = request.deviceDebug;
  flags.hostTriple = request.hostTriple;
  flags.launcherStubs = serialize.launcherStubs;
  flags.launchAbi = request.launchAbi == LaunchAbi::Tile ? "tile" : "plain";
  flags.archSuffix = request.minimalSuffix ? "minimal" : "accelerated";
  llvm::StringRef text = llvm::StringRef(request.pipelineText).trim();
  if (!text.empty()) {
    if (text.consume_front("builtin.module("))
      text.consume_back(")");
    if (!text.consume_front("tileir") ||
        (!text.empty() && !(text.consume_front("{") && text.consume_back("}"))))
      return reporter.error(Status::Config,
                            "--pass-pipeline expects 'tileir{…}'");
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (failed(options.parseFromString(text, stream))) {
      reporter.forward(problem);
      return reporter.error(Status::Config,
                            "invalid options in --pass-pipeline");
    }
    if (options.optLevel.getNumOccurrences() && options.optLevel != 3)
      return reporter.error(
          Status::Config,
          "pipeline option 'opt-level=" + Twine(options.optLevel) +
              "' stops before code generation; use 3");
    if (Status status = checkConflicts(options, request, flags, reporter);
        status != Status::Success)
      return status;
  }
  applyFrontEndDefaults(options);
  applyPipelineDefaults(options);
  applyDriverDefaults(options, flags);
  bool ok = succeeded(options.validate(
      [&](const Twine &problem) { reporter.error(Status::Config, problem); }));
  return ok ? followPipeline(options, request, reporter, serialize)
            : Status::Config;
}

/// Modules of at most this many operations are verified after every pass,
/// larger ones once at the end: verification takes a third of the passes' time.
static constexpr unsigned kMaxVerifiedOps = 2048;

static bool isVerifiedOften(ModuleOp module) {
  unsigned count = 0;
  return !module
              ->walk([&](Operation *) {
                return ++count > kMaxVerifiedOps ? WalkResult::interrupt()
                                                 : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Analyses with debug output (TILEIR_DEBUG) that are not passes.
static constexpr StringLiteral kTalkingAnalyses[] = {"axis-info", "layout-plan",
                                                     "schedule-analysis"};

/// Warns of names in TILEIR_DEBUG that match nothing in `pipeline`.
static void checkDebugNames(StringRef pipeline, const Reporter &reporter) {
  const char *text = processEnv("TILEIR_DEBUG");
  if (!text)
    return;
  SmallVector<StringRef> known(std::begin(kTalkingAnalyses),
                               std::end(kTalkingAnalyses));
  SmallVector<StringRef> names;
  // Options contain an equals sign.
  for (StringRef rest = pipeline; !rest.empty();) {
    StringRef word =
        rest.take_until([](char c) { return StringRef("(){}, ").contains(c); });
    if (!word.empty() && !word.contains('='))
      known.push_back(word);
    rest = rest.drop_front(std::min(word.size() + 1, rest.size()));
  }
  StringRef(text).split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    if (name == "all" || llvm::is_contained(known, name))
      continue;
    StringRef nearest;
    unsigned best = unsigned(name.size() + 2) / 3 + 1;
    for (StringRef candidate : known)
      if (unsigned d = candidate.edit_distance(name, true, best); d < best) {
        best = d;
        nearest = candidate;
      }
    std::string hint = nearest.empty()
                           ? "; --print-pipeline prints their names"
                           : "; did you mean '" + nearest.str() + "'?";
    reporter.warning("TILEIR_DEBUG: no pass of this compilation is called '" +
                     escaped(name) + "'" + hint);
  }
}

static Status runPipeline(ModuleOp module, const CompileRequest &request,
                          const TileIRPipelineOptions &options,
                          const Reporter &reporter) {
  PassManager manager(module->getContext(), ModuleOp::getOperationName());
  buildTileIRPipeline(manager, options);
  bool verifiesEach = isVerifiedOften(module);
  manager.enableVerifier(verifiesEach);
  std::string text;
  llvm::raw_string_ostream stream(text);
  manager.printAsTextualPipeline(stream);
  if (request.printPipeline)
    reporter.line(text);
  checkDebugNames(text, reporter);
  if (request.crash)
    request.crash->begin(text);
  if (request.timer)
    manager.enableTiming(request.timer->scope());
  addTileIRInstrumentation(manager);
  if (request.explain)
    request.explain->attach(manager);
  std::string failedPass;
  manager.addInstrumentation(
      std::make_unique<FailureRecorder>(failedPass, request.crash));
  // Errors are the user's; a failure without an error, or an invalid result, is
  // the compiler's fault.
  bool isExplained = false;
  ScopedDiagnosticHandler counter(
      module->getContext(), [&](Diagnostic &diagnostic) {
        isExplained |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure();
      });
  if (succeeded(manager.run(module))) {
    if (verifiesEach || succeeded(verify(module)))
      return Status::Success;
    isExplained = false;
  }
  if (!failedPass.empty())
    reporter.error(Status::Compile,
                   "pass '" + escaped(failedPass) + "' failed");
  if (request.crash)
    request.crash->fail(isExplained);
  return Status::Compile;
}

/// Runs pipeline and serializer.
static Status compileModule(ModuleOp module, const CompileRequest &request,
                            const TileIRPipelineOptions &options,
                            const SerializeRequest &serialize,
                            ToolSession &session, const Reporter &reporter,
                            SerializeResult &result) {
  {
    PhaseScope scope(serialize.phase, "CompileNVVM");
    if (Status status = runPipeline(module, request, options, reporter);
        status != Status::Success)
      return status;
  }
  if (request.crash)
    request.crash->enter("LLVM and ptxas");
  Status status = serializeModule(module, serialize, session, reporter, result);
  if (status == Status::Success && request.remarks) {
    request.remarks->addCubin(result.cubin);
    status = request.remarks->write(reporter);
  }
  if (status != Status::Success && request.crash)
    request.crash->fail(/*isExplained=*/true);
  // After the reader, a failure is no longer the input's fault.
  return status == Status::BadInput ? Status::Compile : status;
}

Status compileBytecode(llvm::StringRef bytes, const CompileRequest &request,
                       const SerializeRequest &serialize, ToolSession &session,
                       const Reporter &reporter, SerializeResult &result) {
  DialectRegistry registry;
  registerTileIRDialects(registry);
  registerDeviceDialects(registry);
  auto owned =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  MLIRContext &context = *owned;
  if (request.processEnds)
    (void)owned.release();
  context.printOpOnDiagnostic(false);
  DiagnosticPrinter printer(&context, reporter);
  // Passes verify the module under the rules of the bytecode version that was
  // read.
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  OwningOpRef<cuda_tile::ModuleOp> kernels =
      readBytecode(llvm::MemoryBufferRef(bytes, request.inputName), &context);
  if (!kernels)
    return reporter.error(
        Status::BadInput,
        request.seedMode ? "failed to parse IR bytecode"
                         : "input does not correspond to Tile IR bytecode");
  if (request.remarks) {
    if (Status status = request.remarks->open(reporter);
        status != Status::Success)
      return status;
    request.remarks->attach(context);
  }
  if (request.librariesGiven) {
    reporter.error(Status::Compile,
                   "libraries require the 'simt' preview feature");
    if (request.simtPreview)
      reporter.note("this compiler has no such feature; leave out -l");
    return Status::Compile;
  }
  SerializeRequest serializeRequest = serialize;
  TileIRPipelineOptions options;
  if (Status status =
          pipelineOptions(request, serializeRequest, reporter, options);
      status != Status::Success)
    return status;
  // ptxas takes a few milliseconds to report its version, so it runs while we
  // compile. A module without kernels is the same for every release.
  if (needsPtxas(serialize.product) &&
      serializeRequest.device.launchAbi == LaunchAbi::Tile &&
      !kernels->getOps<cuda_tile::EntryOp>().empty())
    session.startReleaseProbe();
  if (serializeRequest.device.debug != DebugKind::None)
    serializeRequest.tileText = noteTileText(*kernels);
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(kernels->getOperation()->getLoc());
  module->push_back(kernels.release());
  Status status = compileModule(*module, request, options, serializeRequest,
                                session, reporter, result);
  if (request.processEnds)
    (void)module.release();
  if (status == Status::Compile)
    reporter.error(status, "failed to compile Tile IR program");
  return status;
}

} // namespace tileir::driver
