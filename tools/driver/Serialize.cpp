// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Tools.h"

#include "dialects/support/Nesting.h"
#include "dialects/support/Output.h"
#include "serialize/ptx/TargetNames.h"
#include "tools/driver/CommandLine.h"
#include "tools/driver/Diagnostics.h"
#include "tools/driver/Environment.h"
#include "tools/driver/Input.h"
#include "tools/driver/Options.h"
#include "tools/driver/Summary.h"
#include "tools/driver/Timing.h"
#include "tools/driver/Version.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>

namespace tileir::driver {

using namespace llvm;

namespace {

struct SerializeOptions : SharedOptions {
  cl::opt<std::string> input{cl::Positional, cl::desc("<input>")};
  cl::opt<std::string> output{"output-file",
                              cl::desc("Output file, '-' is standard output"),
                              cl::value_desc("path"), cl::init("elf.o"),
                              cl::cat(categories::compilation())};
  cl::alias o{"o", cl::desc("Alias for --output-file"), cl::aliasopt(output),
              cl::NotHidden};
  cl::opt<std::string> inputKind{"input-kind",
                                 cl::desc("auto, mlir, mlirbc, llvm or ptx"),
                                 cl::init("auto"), cl::value_desc("kind"),
                                 cl::cat(categories::compilation())};
  cl::opt<std::string> module{
      "module", cl::desc("Which gpu.module, when there are several"),
      cl::value_desc("symbol"), cl::cat(categories::compilation())};
  cl::opt<std::string> gpuName{"gpu-name", cl::desc("Target, sm_NN[a|f]"),
                               cl::value_desc("arch"),
                               cl::cat(categories::compilation())};
  cl::alias arch{"arch", cl::desc("Alias for --gpu-name"),
                 cl::aliasopt(gpuName), cl::NotHidden};
  cl::opt<std::string> ptxVersion{"ptx-version", cl::desc("PTX ISA version"),
                                  cl::value_desc("M.m"),
                                  cl::cat(categories::compilation())};
  cl::opt<int> optLevel{
      "opt-level", cl::desc("Effort of LLVM and of ptxas, 0 to 3"),
      cl::value_desc("level"), cl::init(3), cl::cat(categories::compilation())};
  cl::alias O{"O", cl::desc("Alias for --opt-level"), cl::aliasopt(optLevel),
              cl::AlwaysPrefix, cl::NotHidden};
  cl::opt<bool> lineInfo{"lineinfo", cl::desc("Source lines in the cubin"),
                         cl::cat(categories::compilation())};
  cl::opt<bool> deviceDebug{"device-debug",
                            cl::desc("Full debug information, level 0 only"),
                            cl::cat(categories::compilation())};
  cl::alias g{"g", cl::desc("Alias for --device-debug"),
              cl::aliasopt(deviceDebug), cl::NotHidden};
  cl::opt<std::string> sanitize{"sanitize", cl::desc("memcheck"),
                                cl::value_desc("tool"),
                                cl::cat(categories::compilation())};
  cl::opt<bool> approx{"approx", cl::desc("Approximate f32 functions"),
                       cl::cat(categories::compilation())};
  cl::opt<bool> ftz{"ftz", cl::desc("Flush f32 denormals to zero"),
                    cl::cat(categories::compilation())};
  cl::opt<std::string> hostArch{"host-arch", cl::desc("x86_64 or aarch64"),
                                cl::value_desc("arch"),
                                cl::cat(categories::launching())};
  cl::opt<std::string> hostOS{"host-os", cl::desc("linux or windows"),
                              cl::value_desc("os"),
                              cl::cat(categories::launching())};
  cl::opt<std::string> hostTriple{
      "host-triple",
      cl::desc("Triple of the embedded host object (that of the host module)"),
      cl::value_desc("triple"), cl::init("native"),
      cl::cat(categories::launching())};
  cl::opt<bool> relocatable{"relocatable-device-code",
                            cl::desc("Leave device symbols to nvlink"),
                            cl::cat(categories::compilation())};
};

} // namespace

static std::optional<unsigned> parsePTXVersion(StringRef text) {
  auto [major, minor] = text.split('.');
  unsigned ma, mi;
  if (major.getAsInteger(10, ma) || minor.getAsInteger(10, mi) || mi > 9)
    return std::nullopt;
  return ma * 10 + mi;
}

/// Checks the options in their documented order, before the input is read.
static Status validate(const SerializeOptions &o, const Reporter &reporter,
                       SerializeRequest &request, SessionOptions &session) {
  auto config = [&](const Twine &text, const Twine &note = "") {
    Status status = reporter.error(Status::Config, text);
    if (!note.isTriviallyEmpty())
      reporter.note(note);
    return status;
  };
  if (o.gpuName.getNumOccurrences()) {
    std::optional<Target> target = Target::parse(o.gpuName);
    if (!target)
      return refuseTarget(reporter, "unsupported GPU target");
    request.device.gpuName = o.gpuName;
  }
  if (o.optLevel < 0 || o.optLevel > 3)
    return config("invalid optimization level");
  // Without the option the module's own level applies, but here the default
  // counts.
  if (o.deviceDebug && o.optLevel != 0)
    return config("optimized debugging is not supported, change optimization "
                  "level to 0 or disable full debug info");
  if (o.optLevel.getNumOccurrences())
    request.device.optLevel = unsigned(o.optLevel);
  request.device.debug = debugKind(o.deviceDebug, o.lineInfo);

  std::string hostArch = o.hostArch;
  if (hostArch.empty())
    hostArch = Triple(sys::getProcessTriple()).getArchName().str();
  if (hostArch == "x86_64")
    request.hostMachine = HostMachine::X86_64;
  else if (hostArch == "aarch64" || hostArch == "arm64ec")
    request.hostMachine = HostMachine::AArch64;
  else
    return config("unsupported host architecture",
                  "architectures are x86_64, aarch64, arm64ec");
  request.windows = o.hostOS == "windows";
  if (request.windows && hostArch == "arm64ec")
    request.hostMachine = HostMachine::Arm64EC;
  if (o.hostTriple.getNumOccurrences() && o.hostTriple != "native")
    request.hostTriple = o.hostTriple;
  if (!o.hostOS.empty() && o.hostOS != "linux" && o.hostOS != "windows")
    return config("unsupported host operating system",
                  "systems are linux, windows");
  if (!o.sanitize.empty() && o.sanitize != "memcheck")
    return config("unsupported sanitizer '" + escaped(o.sanitize) +
                  "'; expected memcheck");
  if (o.input.getNumOccurrences() && o.output != "-" &&
      sameFile(o.input, o.output))
    return config("output file would overwrite the input");
  if (Status status = applySharedOptions(o, reporter, request, session);
      status != Status::Success)
    return status;
  if (o.emit.empty())
    request.product = StringSwitch<Product>(sys::path::extension(o.output))
                          .Case(".cubin", Product::Cubin)
                          .Case(".fatbin", Product::Fatbin)
                          .Case(".ptx", Product::PTX)
                          .Case(".ll", Product::LLVM)
                          .Case(".bc", Product::Bitcode)
                          .Default(Product::Object);
  if (Status status = checkProduct(o, reporter, request);
      status != Status::Success)
    return status;
  bool tile = request.device.launchAbi == LaunchAbi::Tile;
  for (const std::string &text : {request.ptxasOptions, request.basePTXOptions})
    if (std::optional<std::string> managed =
            findManagedOption(tokenizeOptions(text), tile))
      return config("ptxas option '" + escaped(*managed) +
                    "' is managed by the serializer");
  if (!o.ptxVersion.empty()) {
    request.device.ptxVersion = parsePTXVersion(o.ptxVersion);
    if (!request.device.ptxVersion)
      return config("invalid PTX version '" + escaped(o.ptxVersion) + "'");
  }
  request.device.moduleName = o.module;
  request.device.approx = o.approx;
  request.device.ftz = o.ftz;
  request.device.relocatable = o.relocatable;
  request.sanitizeMemcheck = !o.sanitize.empty();
  return Status::Success;
}

/// Returns the kind of `--input-kind`, or the detected kind of the bytes.
static Status inputKind(const SerializeOptions &o, StringRef bytes,
                        const Reporter &reporter, InputKind &kind) {
  kind = detectInput(bytes, o.input);
  if (o.inputKind == "mlir")
    kind = InputKind::MLIRText;
  else if (o.inputKind == "mlirbc")
    kind = InputKind::MLIRBytecode;
  else if (o.inputKind == "llvm")
    kind = InputKind::LLVMText;
  else if (o.inputKind == "ptx")
    kind = InputKind::PTX;
  else if (o.inputKind != "auto")
    return reporter.error(Status::Config, "invalid value '" +
                                              escaped(o.inputKind) +
                                              "' for --input-kind; expected "
                                              "auto, mlir, mlirbc, llvm or "
                                              "ptx");
  switch (kind) {
  case InputKind::TileIRBytecode:
    return reporter.error(Status::BadInput,
                          "input is Tile IR bytecode; run it through the "
                          "tileir pipeline or use tileiras");
  case InputKind::Object:
    return reporter.error(
        Status::BadInput,
        "input is an object file, not a program to serialize");
  default:
    return Status::Success;
  }
}

static Status serializeMLIR(const std::string &bytes, const std::string &name,
                            bool binary, const SerializeRequest &request,
                            ToolSession &session, const Reporter &reporter,
                            SerializeResult &result) {
  mlir::DialectRegistry registry;
  registerDeviceDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  // A module may keep attributes of the tile dialects, which are ignored here.
  // Operations of these dialects are rejected by name.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);

  SourceMgr sources;
  sources.AddNewSourceBuffer(
      MemoryBuffer::getMemBuffer(bytes, name == "-" ? "<stdin>" : name),
      SMLoc());
  std::string text;
  raw_string_ostream stream(text);
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> textHandler;
  std::unique_ptr<DiagnosticPrinter> binaryHandler;
  if (binary)
    binaryHandler = std::make_unique<DiagnosticPrinter>(&context, reporter);
  else
    textHandler = std::make_unique<mlir::SourceMgrDiagnosticHandler>(
        sources, &context, stream);
  auto flush = [&] {
    reporter.forward(text);
    text.clear();
  };
  // The parser knows the operations of a partly lowered module only in generic
  // form; its message about other operations would suggest the wrong fix.
  bool isUnlowered = false;
  mlir::ScopedDiagnosticHandler unknown(
      &context, [&](mlir::Diagnostic &diagnostic) {
        std::string message = diagnostic.str();
        auto [dialect, rest] =
            StringRef(message).split("' not found for custom op '");
        if (!textHandler || !dialect.starts_with("Dialect `") || rest.empty())
          return mlir::failure();
        isUnlowered = true;
        textHandler->emitDiagnostic(diagnostic.getLocation(),
                                    "operation '" + rest.split('\'').first +
                                        "' cannot be serialized; run the full "
                                        "tileir pipeline",
                                    mlir::DiagnosticSeverity::Error);
        return mlir::success();
      });
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (auto place = binary ? std::nullopt : findDeepNesting(bytes))
    mlir::emitError(mlir::FileLineColLoc::get(
        &context, sources.getMemoryBuffer(1)->getBufferIdentifier(),
        place->line, place->column))
        << deepNestingMessage();
  else
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  flush();
  if (!module && isUnlowered)
    return Status::BadInput;
  if (!module)
    return reporter.error(Status::BadInput,
                          "cannot parse '" + escaped(name) + "' as MLIR");
  Status status = serializeModule(*module, request, session, reporter, result);
  flush();
  return status;
}

static Status run(const SerializeOptions &o, const Reporter &reporter) {
  SerializeRequest request;
  SessionOptions sessionOptions;
  sessionOptions.form = ArgvForm::Seed;
  sessionOptions.lookup = LookupStyle::PathOnly;
  if (Status status = validate(o, reporter, request, sessionOptions);
      status != Status::Success)
    return status;
  if (!o.input.getNumOccurrences())
    return reporter.error(Status::Usage, "no input file provided");
  request.dumpStem = dumpStem(o.output);

  InputResult input = o.input == "-" ? readStandardInput(o.maxInputBytes)
                                     : readInput(o.input, o.maxInputBytes);
  if (input.error)
    return reporter.error(Status::File, "cannot read '" + escaped(o.input) +
                                            "': " + strerror(input.error));
  if (input.tooLarge)
    return reporter.error(Status::BadInput, "input is larger than " +
                                                Twine(o.maxInputBytes) +
                                                " bytes");
  InputKind kind;
  if (Status status = inputKind(o, input.bytes, reporter, kind);
      status != Status::Success)
    return status;

  ToolSession session(reporter, sessionOptions);
  installFatalErrorHandlers(&session);
  if (needsPtxas(request.product))
    session.startGuard();
  PhaseTimer timer(o.timing, o.timeTrace);
  request.phase = timer.callback();
  SerializeResult result;
  Status status = Status::Success;
  runOnLargeStack([&] {
    timer.enterThread();
    switch (kind) {
    case InputKind::Cubin:
      status = serializeCubin(input.bytes, request, session, reporter, result);
      break;
    case InputKind::PTX:
      status = serializePTX(input.bytes, request, session, reporter, result);
      break;
    case InputKind::LLVMText:
    case InputKind::LLVMBitcode:
      status = serializeLLVM(input.bytes, o.input, request, session, reporter,
                             result);
      break;
    default:
      status =
          serializeMLIR(input.bytes, o.input, kind == InputKind::MLIRBytecode,
                        request, session, reporter, result);
    }
    timer.leaveThread();
  });
  if (status == Status::Success && !o.printCommand)
    status = writeSidecar(o, result, Status::File, reporter);
  if (status == Status::Success && !o.printCommand) {
    // The guard also removes the temporary file beside the output.
    session.startGuard();
    OutputRequest output;
    output.path = o.output;
    output.bytes = result.bytes;
    auto announce = [&](StringRef path) { session.guard().announceFile(path); };
    output.announce = announce;
    if (int error = writeOutput(output))
      status =
          reporter.error(Status::File, "cannot write '" + escaped(o.output) +
                                           "': " + strerror(error));
    else if (o.printSummary)
      (o.output == "-" ? errs() : outs()) << summarize(result);
  }
  if (Status timed = timer.finish(reporter); status == Status::Success)
    status = timed;
  installFatalErrorHandlers(nullptr);
  return status;
}

int runSerialize(int argc, char **argv) {
  prepareProcess(Status::File);
  installFatalErrorHandlers(nullptr);
  // Users may pass options of the back end.
  resetCommandLine({"nvptx-", "disable-nvptx-load-store-vectorizer"});
  SerializeOptions options;
  cl::SetVersionPrinter(
      [](raw_ostream &os) { os << describeVersion("tileir-serialize"); });
  parseCommandLine(
      argc, argv,
      "Lowered Tile IR module, PTX or cubin to PTX, cubin or linkable host "
      "object\n\n"
      "Exit codes: 0 success, 1 usage, 2 configuration rejected, 3 input "
      "malformed,\n4 file trouble, 5 compilation failed\n");
  Reporter reporter;
  leave(run(options, reporter));
}

} // namespace tileir::driver
