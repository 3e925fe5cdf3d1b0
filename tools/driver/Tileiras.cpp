// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Tools.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "dialects/support/Output.h"
#include "dialects/support/Products.h"
#include "dialects/support/RuntimeGates.h"
#include "tools/driver/CommandLine.h"
#include "tools/driver/Compile.h"
#include "tools/driver/CrashReport.h"
#include "tools/driver/Environment.h"
#include "tools/driver/Explain.h"
#include "tools/driver/Input.h"
#include "tools/driver/Options.h"
#include "tools/driver/Summary.h"
#include "tools/driver/Timing.h"
#include "tools/driver/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>

namespace tileir::driver {

using namespace llvm;

namespace {

[[noreturn]] void printBytecodeVersions() {
  for (const BytecodeVersionInfo &info : supportedBytecodeVersions())
    outs() << unsigned(info.version.major) << '.'
           << unsigned(info.version.minor) << '\n';
  leave(Status::Success);
}

/// Rejects a value with the words of the closed compiler, which clients search
/// for, followed by the accepted values.
bool refuseName(cl::Option &option, StringRef arg, const Twine &expected) {
  option.error("Cannot find option named '" + arg + "'!");
  errs() << "note: " << expected << '\n';
  return true;
}

/// Accepts the names of the target table; errors are worded like those of an
/// enumeration option.
struct TargetNameParser : cl::parser<std::string> {
  using parser::parser;
  bool parse(cl::Option &option, StringRef, StringRef arg, std::string &value) {
    if (!Target::parse(arg.str())) {
      std::string targets = "targets are " + Target::tileLoweringNames();
      std::string chip = chipOfProduct(arg.str());
      return refuseName(option, arg,
                        chip.empty() ? targets
                                     : "'" + arg + "' is a product of chip " +
                                           chip + "; " + targets);
    }
    value = arg.str();
    return false;
  }
};

/// Accepts a fixed set of names.
struct ChoiceParser : cl::parser<std::string> {
  using parser::parser;
  SmallVector<StringRef, 4> choices;
  bool parse(cl::Option &option, StringRef, StringRef arg, std::string &value) {
    if (!is_contained(choices, arg))
      return refuseName(option, arg, "expected " + join(choices, ", "));
    value = arg.str();
    return false;
  }
};

struct ChoiceOption : cl::opt<std::string, false, ChoiceParser> {
  template <typename... Mods>
  ChoiceOption(StringRef name, ArrayRef<StringRef> choices, const Mods &...mods)
      : opt(name, mods...) {
    getParser().choices.assign(choices.begin(), choices.end());
  }
};

/// Returns `categories are none, all, …`.
StringRef remarkCategories() {
  static const std::string text =
      "categories are " + join(remarkCategoryNames(), ", ");
  return text;
}

StringRef remarksHelp() {
  static const std::string text =
      "Remarks of every kind; " + remarkCategories().str();
  return text;
}

/// `--remarks` sets all kinds, the other options one kind each; the later
/// option wins.
struct RemarkParser : cl::parser<std::string> {
  using parser::parser;
  bool parse(cl::Option &option, StringRef, StringRef arg, std::string &value) {
    if (!is_contained(remarkCategoryNames(), arg))
      return refuseName(option, arg, remarkCategories());
    value = arg.str();
    return false;
  }
};

struct RemarkFlags {
  using Option = cl::list<std::string, bool, RemarkParser>;

  Option all{"remarks", cl::desc(remarksHelp()), cl::value_desc("category"),
             cl::cat(categories::diagnostics())};
  Option passed{"remarks-passed", cl::desc("What was optimized"),
                cl::value_desc("category"), cl::cat(categories::diagnostics())};
  Option missed{"remarks-missed", cl::desc("What could have been"),
                cl::value_desc("category"), cl::cat(categories::diagnostics())};
  Option failed{"remarks-failed", cl::desc("What was tried in vain"),
                cl::value_desc("category"), cl::cat(categories::diagnostics())};
  Option analysis{"remarks-analysis", cl::desc("Facts and numbers"),
                  cl::value_desc("category"),
                  cl::cat(categories::diagnostics())};
  ChoiceOption format{"remark-format",
                      {"command-line", "yaml"},
                      cl::desc("command-line (default) or yaml"),
                      cl::value_desc("form"),
                      cl::init("command-line"),
                      cl::cat(categories::diagnostics())};
  ChoiceOption policy{"remark-policy",
                      {"all", "final"},
                      cl::desc("Accepted, without effect"),
                      cl::value_desc("policy"),
                      cl::Hidden,
                      cl::cat(categories::diagnostics())};
  cl::opt<std::string> file{
      "remarks-output-file",
      cl::desc("File for yaml, '-' is standard output (tileir_remarks.yaml)"),
      cl::value_desc("path"), cl::cat(categories::diagnostics())};

  RemarkOptions resolve(bool productOnStdout) const {
    RemarkOptions options;
    unsigned last[4] = {0, 0, 0, 0};
    auto apply = [&](const Option &option, unsigned kind) {
      for (unsigned i = 0; i < option.size(); ++i)
        if (option.getPosition(i) >= last[kind]) {
          last[kind] = option.getPosition(i);
          options.categories[kind] = option[i];
        }
    };
    for (unsigned kind = 0; kind < 4; ++kind)
      apply(all, kind);
    apply(passed, unsigned(RemarkKind::Passed));
    apply(missed, unsigned(RemarkKind::Missed));
    apply(failed, unsigned(RemarkKind::Failed));
    apply(analysis, unsigned(RemarkKind::Analysis));
    options.yaml = format == "yaml";
    if (!file.empty())
      options.file = file;
    options.toStandardError = productOnStdout;
    return options;
  }
};

StringRef targetsHelp() {
  static const std::string text = "Target: " + Target::tileLoweringNames();
  return text;
}

struct TileirasOptions : SharedOptions {
  RemarkFlags remarks;
  cl::opt<std::string> input{cl::Positional, cl::desc("<tile bytecode file>")};
  cl::opt<std::string> output{
      "output-file", cl::desc("Output file, '-' is standard output (elf.o)"),
      cl::value_desc("path"), cl::init("elf.o"),
      cl::cat(categories::compilation())};
  cl::alias o{"o", cl::desc("Alias for --output-file"), cl::aliasopt(output),
              cl::NotHidden};
  cl::opt<std::string, false, TargetNameParser> gpuName{
      "gpu-name", cl::desc(targetsHelp()), cl::value_desc("arch"),
      cl::cat(categories::compilation())};
  cl::alias arch{"arch", cl::desc("Alias for --gpu-name"),
                 cl::aliasopt(gpuName), cl::NotHidden};
  cl::opt<int> optLevel{"opt-level", cl::desc("Optimization level, 0 to 3 (3)"),
                        cl::value_desc("level"), cl::init(3),
                        cl::cat(categories::compilation())};
  cl::alias O{"O", cl::desc("Alias for --opt-level"), cl::aliasopt(optLevel),
              cl::AlwaysPrefix, cl::NotHidden};
  cl::opt<bool> lineInfo{"lineinfo", cl::desc("Source lines in the cubin"),
                         cl::cat(categories::compilation())};
  cl::opt<bool> deviceDebug{"device-debug",
                            cl::desc("Full debug information, level 0 only"),
                            cl::cat(categories::compilation())};
  cl::alias g{"g", cl::desc("Alias for --device-debug"),
              cl::aliasopt(deviceDebug), cl::NotHidden};
  ChoiceOption hostArch{
      "host-arch",
      {"x86_64", "aarch64", "arm64ec"},
      cl::desc("Machine of the host code in the cubin: x86_64, aarch64, "
               "arm64ec (this one)"),
      cl::value_desc("arch"),
      cl::cat(categories::launching())};
  ChoiceOption hostOS{
      "host-os",
      {"linux", "windows"},
      cl::desc("Calling convention of the host code: linux (default), "
               "windows"),
      cl::value_desc("os"),
      cl::cat(categories::launching())};
  ChoiceOption sanitize{"sanitize",
                        {"memcheck"},
                        cl::desc("Instrument for compute-sanitizer: memcheck"),
                        cl::value_desc("tool"),
                        cl::cat(categories::compilation())};
  // Like help and version: takes effect at once, whatever other options say.
  cl::opt<bool> listVersions{
      "list-versions", cl::desc("Print the bytecode versions that are read"),
      cl::callback([](const bool &asked) {
        if (asked)
          printBytecodeVersions();
      }),
      cl::cat(categories::general())};
  cl::opt<std::string, false, PreviewParser> preview{
      "preview", cl::desc("Accepted, without effect: simt"),
      cl::value_desc("feature"), cl::cat(categories::compilation())};
  cl::list<std::string> libraries{"l", cl::desc("Refused: needs simt"),
                                  cl::value_desc("path"),
                                  cl::cat(categories::compilation())};
  cl::opt<std::string> applyControls{
      "apply-controls", cl::desc("Refused on this platform"),
      cl::value_desc("path"), cl::cat(categories::compilation())};
  cl::opt<std::string> pipeline{
      "pass-pipeline",
      cl::desc("Options as text, tileir{…}; they win over the defaults"),
      cl::value_desc("text"), cl::cat(categories::compilation())};
  cl::opt<bool> printPipeline{"print-pipeline",
                              cl::desc("Print the passes before they run"),
                              cl::cat(categories::diagnostics())};
  cl::opt<bool> printToolkit{
      "print-toolkit",
      cl::desc("Print which ptxas and libdevice are used, and if none is found "
               "the places"),
      cl::cat(categories::diagnostics())};
  cl::opt<std::string> crashReport{
      "crash-report",
      cl::desc("Folder for what it takes to see a failed compilation again: "
               "kernel, options, versions, passes, a command"),
      cl::value_desc("folder"), cl::cat(categories::diagnostics())};
  cl::opt<std::string> explainJson{
      "explain-json",
      cl::desc("File for what was decided about each kernel, JSON: remarks, "
               "registers by pass, storage, kernels, rates (tileir-explain)"),
      cl::value_desc("file"), cl::cat(categories::diagnostics())};
  cl::opt<bool> seedMode{
      "seed-mode",
      cl::desc("Object for linking, ptxas as the first release called it "
               "(docs/design/seed-mode.md; also TILEIR_SEED_MODE=1)"),
      cl::cat(categories::compilation())};
};

/// Differences between the two modes.
struct Behaviour {
  bool seed;

  Status unreadable() const { return seed ? Status::File : Status::Usage; }
  Status unwritable() const { return seed ? Status::File : Status::Config; }
};

} // namespace

/// Returns the triple by `--host-arch` and `--host-os`; empty if neither was
/// given.
static std::string hostTriple(const TileirasOptions &o) {
  if (o.hostArch.empty() && o.hostOS.empty())
    return "";
  std::string arch = o.hostArch;
  if (arch.empty())
    arch = Triple(sys::getProcessTriple()).getArchName().str();
  if (arch == "arm64ec")
    arch = "aarch64";
  return arch +
         (o.hostOS == "windows" ? "-pc-windows-elf" : "-unknown-linux-gnu");
}

/// Names the kind of an input that is not bytecode, and the tool that accepts
/// it; null if unknown.
static const char *describeOther(StringRef bytes) {
  switch (detectInput(bytes, /*name=*/"")) {
  case InputKind::MLIRText:
    return bytes.contains("cuda_tile.module")
               ? "this is MLIR text: tileir-translate --mlir-to-cudatilebc "
                 "makes bytecode of it"
               : nullptr;
  case InputKind::PTX:
    return "this is PTX: tileir-serialize and ptxas take it";
  case InputKind::LLVMBitcode:
  case InputKind::LLVMText:
    return "this is LLVM IR: tileir-serialize takes it";
  case InputKind::Cubin:
    return "this is a cubin: it is compiled already";
  case InputKind::Object:
    return "this is an ELF file";
  case InputKind::TileIRBytecode:
  case InputKind::MLIRBytecode:
    return nullptr;
  }
  return nullptr;
}

/// Reads the input; checks magic number and version.
static Status readBytecodeFile(const TileirasOptions &o,
                               const Behaviour &behaviour,
                               const Reporter &reporter, std::string &bytes) {
  const std::string &path = o.input;
  InputResult input = readInput(path, o.maxInputBytes);
  // A file named `-` takes precedence, as clients expect.
  if (input.error == ENOENT && path == "-")
    input = readStandardInput(o.maxInputBytes);
  if (input.error)
    return reporter.error(
        behaviour.unreadable(),
        (behaviour.seed ? "cannot read '" : "unable to read input file '") +
            escaped(path) + "': " + strerror(input.error));
  if (input.tooLarge)
    return reporter.error(Status::BadInput, "input is larger than " +
                                                Twine(o.maxInputBytes) +
                                                " bytes");
  if (Status status = checkBytecode(input.bytes, behaviour.seed, reporter);
      status != Status::Success) {
    if (!isTileIRBytecode(input.bytes))
      if (const char *what = describeOther(input.bytes))
        reporter.note(what);
    return status;
  }
  bytes = std::move(input.bytes);
  return Status::Success;
}

/// Fills in target and options of the compilation.
static CompileRequest getCompileRequest(const TileirasOptions &o,
                                        const Behaviour &behaviour) {
  CompileRequest compile;
  compile.inputName = o.input;
  compile.optLevel = o.optLevel;
  compile.gpuName = o.gpuName;
  if (behaviour.seed && compile.gpuName.empty())
    compile.gpuName = "sm_100";
  compile.lineInfo = o.lineInfo;
  compile.deviceDebug = o.deviceDebug;
  compile.hostTriple = hostTriple(o);
  compile.launchAbiGiven = !o.launchAbi.empty();
  compile.archSuffixGiven = !o.archSuffix.empty();
  compile.pipelineText = o.pipeline;
  compile.printPipeline = o.printPipeline;
  compile.seedMode = behaviour.seed;
  compile.processEnds = true;
  compile.librariesGiven = !o.libraries.empty();
  compile.simtPreview = !o.preview.empty();
  return compile;
}

static Status setUp(const TileirasOptions &o, const Behaviour &behaviour,
                    const Reporter &reporter, SerializeRequest &request,
                    SessionOptions &session, CompileRequest &compile) {
  followRequest(compile, request, session);
  if (behaviour.seed)
    request.product = StringSwitch<Product>(sys::path::extension(o.output))
                          .Case(".cubin", Product::Cubin)
                          .Case(".fatbin", Product::Fatbin)
                          .Case(".ptx", Product::PTX)
                          .Case(".ll", Product::LLVM)
                          .Case(".bc", Product::Bitcode)
                          .Default(Product::Object);
  if (behaviour.seed && !resolveCudaRootDriver(processEnv, selfExecutable()))
    return reporter.error(Status::Compile, "cannot find CUDA installation");
  if (Status status = applySharedOptions(o, reporter, request, session);
      status != Status::Success)
    return status;
  LaunchAbi abi = request.device.launchAbi.value_or(
      behaviour.seed ? LaunchAbi::Plain : LaunchAbi::Tile);
  request.device.launchAbi = abi;
  using Suffix = DeviceRequest::Suffix;
  bool minimal = o.archSuffix.empty()
                     ? behaviour.seed
                     : request.device.suffix == Suffix::Minimal;
  // The pipeline chooses the suffix; the serializer keeps it.
  request.device.suffix = Suffix::Keep;
  request.sanitizeMemcheck = !o.sanitize.empty();
  request.forwardWarnings |= !o.sanitize.empty() || !o.ptxasOptions.empty();
  request.dumpStem = dumpStem(o.output);
  request.windows = o.hostOS == "windows";
  if (request.windows && o.hostArch == "arm64ec")
    request.hostMachine = HostMachine::Arm64EC;
  if (Status status = checkProduct(o, reporter, request);
      status != Status::Success)
    return status;

  compile.launchAbi = abi;
  compile.minimalSuffix = minimal;
  return Status::Success;
}

static Status
compileAndWrite(const TileirasOptions &o, const Behaviour &behaviour,
                ArrayRef<const char *> arguments, const std::string &bytes,
                SerializeRequest request, const SessionOptions &sessionOptions,
                CompileRequest compile, const Reporter &reporter) {
  ToolSession session(reporter, sessionOptions);
  installFatalErrorHandlers(&session);
  if (needsPtxas(request.product))
    session.startGuard();
  RemarkOptions remarkOptions = o.remarks.resolve(o.output == "-");
  remarkOptions.sourceNames = o.lineInfo || o.deviceDebug;
  ExplainCollector explain;
  if (!o.explainJson.empty()) {
    compile.explain = &explain;
    request.verbosePtxas = true;
    if (!remarkOptions.any()) {
      llvm::fill(remarkOptions.categories, "all");
      remarkOptions.isSilent = true;
    }
  }
  RemarkCollector remarks(remarkOptions);
  if (remarkOptions.any())
    compile.remarks = &remarks;
  PhaseTimer timer(o.timing, o.timeTrace);
  request.phase = timer.callback();
  compile.timer = &timer;
  SerializeResult result;
  Status status = Status::Success;
  CrashReport crash(o.crashReport, arguments, o.input, bytes);
  compile.crash = &crash;
  runOnLargeStack([&] {
    timer.enterThread();
    status =
        compileBytecode(bytes, compile, request, session, reporter, result);
    timer.leaveThread();
  });
  if (status == Status::Success && !o.printCommand)
    status = writeSidecar(o, result, behaviour.unwritable(), reporter);
  if (status == Status::Success && !o.printCommand) {
    // The guard also removes the temporary file beside the output.
    session.startGuard();
    OutputRequest output;
    output.path = o.output;
    output.bytes = result.bytes;
    output.inPlace = !behaviour.seed;
    auto announce = [&](StringRef path) { session.guard().announceFile(path); };
    output.announce = announce;
    if (int error = writeOutput(output))
      status = reporter.error(behaviour.unwritable(),
                              "cannot write '" + escaped(o.output) +
                                  "': " + strerror(error));
    else if (!o.explainJson.empty())
      status = writeText(o.explainJson, explain.json(result, remarks),
                         behaviour.unwritable(), reporter);
    if (status == Status::Success && o.printSummary)
      (o.output == "-" ? errs() : outs()) << summarize(result);
  }
  if (Status timed = timer.finish(reporter);
      timed != Status::Success && status == Status::Success)
    status = behaviour.unwritable();
  installFatalErrorHandlers(nullptr);
  // A requested file beside the product.
  return status == Status::File ? behaviour.unwritable() : status;
}

/// Prints the report of `tileir-config --check`; fails if something is missing.
static Status printToolkit(const TileirasOptions &o, const Reporter &reporter) {
  SessionOptions session;
  session.lookup = LookupStyle::RootFirst;
  session.ptxasPath = o.ptxasPath;
  session.guardChildren = false;
  ToolSession toolkit(reporter, session);
  auto print = [](StringRef name, StringRef path,
                  ArrayRef<std::string> places) {
    outs() << name << ": " << (path.empty() ? "not found" : escaped(path))
           << "\n";
    if (path.empty())
      for (const std::string &place : places)
        outs() << "  looked for " << escaped(place) << "\n";
  };
  PtxasRelease release = toolkit.release();
  ProgramLookup ptxas = toolkit.ptxas();
  std::string name = "ptxas";
  if (release.named)
    name += " " + utostr(release.major) + "." + utostr(release.minor);
  bool runs = release.named;
  print(name, runs ? ptxas.path : "", ptxas.probed);
  if (!runs && !ptxas.path.empty())
    outs() << "  '" << escaped(ptxas.path)
           << "' does not run or names no release\n";
  LibdeviceRequest request;
  request.explicitFile = o.libdevice;
  request.explicitRoot = o.cudaRoot;
  request.ptxas = ptxas.path;
  request.executable = selfExecutable();
  LibdeviceResult libdevice = locateLibdevice(request, processEnv);
  print("libdevice", libdevice.path, libdevice.probed);
  return runs && !libdevice.path.empty() ? Status::Success : Status::Config;
}

static Status run(const TileirasOptions &o, ArrayRef<const char *> arguments,
                  const Reporter &reporter) {
  if (o.printToolkit)
    return printToolkit(o, reporter);
  Behaviour behaviour{o.seedMode || gates::seedMode()};
  std::string bytes;
  SerializeRequest request;
  SessionOptions session;
  CompileRequest compile = getCompileRequest(o, behaviour);
  // Seed mode checks the options first, the current program the input.
  if (behaviour.seed)
    if (Status status = checkConfiguration(compile, reporter);
        status != Status::Success)
      return status;
  if (o.input.empty()) {
    if (!behaviour.seed)
      cl::PrintHelpMessage();
    outs().flush();
    Status status = reporter.error(Status::Usage, "no input file provided");
    if (!behaviour.seed)
      reporter.line("");
    return status;
  }
  if (Status status = readBytecodeFile(o, behaviour, reporter, bytes);
      status != Status::Success)
    return status;
  if (!behaviour.seed)
    if (Status status = checkConfiguration(compile, reporter);
        status != Status::Success)
      return status;
  if (!o.applyControls.empty())
    return reporter.error(Status::Config,
                          "--apply-controls is not supported on this platform");
  if (Status status = setUp(o, behaviour, reporter, request, session, compile);
      status != Status::Success)
    return status;
  return compileAndWrite(o, behaviour, arguments, bytes, request, session,
                         compile, reporter);
}

int runTileiras(int argc, char **argv) {
  prepareProcess(Status::Config);
  installFatalErrorHandlers(nullptr);
  resetCommandLine({});
  TileirasOptions options;
  cl::SetVersionPrinter(
      [](raw_ostream &os) { os << describeVersion("tileiras"); });
  static cl::extrahelp examples(
      "\nEXAMPLES:\n\n"
      "  tileiras kernel.tileirbc -o kernel.cubin --gpu-name sm_90\n"
      "  tileiras kernel.tileirbc -o - --gpu-name sm_90 --emit=ptx\n"
      "  tileiras kernel.tileirbc -o kernel.cubin --gpu-name sm_100 "
      "--lineinfo --remarks=schedule\n"
      "  tileiras kernel.tileirbc -o kernel.cubin --gpu-name sm_120 "
      "--print-summary --save-temps=temps\n");
  parseCommandLine(
      argc, argv,
      "Tile IR bytecode to cubin\n\n"
      "Exit codes: 0 success, 1 usage or unreadable input, 2 configuration "
      "rejected or\nunwritable output, 3 input malformed, 5 compilation "
      "failed\n");
  Reporter reporter;
  leave(run(options, ArrayRef(argv, argc), reporter));
}

} // namespace tileir::driver
