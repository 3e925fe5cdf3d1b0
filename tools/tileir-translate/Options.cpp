// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-translate/Options.h"

#include "dialects/support/RuntimeGates.h"
#include "tools/driver/Version.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace tileir {

namespace {

using VerifyLevel = SourceMgrDiagnosticVerifierHandler::Level;

cl::OptionCategory category("tileir-translate options");
using Flag = cl::opt<bool>;

cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input file>"),
                               cl::init("-"), cl::cat(category));
cl::opt<std::string>
    outputFile("o", cl::desc("Write to this file, '-' is standard output"),
               cl::value_desc("file"), cl::init("-"), cl::cat(category));
Flag toText("cudatilebc-to-mlir",
            cl::desc("Read Tile IR bytecode and print the verified module"),
            cl::cat(category));
Flag toBytecode("mlir-to-cudatilebc",
                cl::desc("Read a module as text and write Tile IR bytecode"),
                cl::cat(category));
Flag roundTrip("test-cudatile-roundtrip",
               cl::desc("Write a module as bytecode, read that and print it; "
                        "fails if writing it again gives other bytes"),
               cl::cat(category));
Flag minimumVersion("print-minimum-version",
                    cl::desc("Print the oldest bytecode version that can hold "
                             "the module, which is text or bytecode"),
                    cl::cat(category));
cl::opt<std::string>
    versionText("bytecode-version",
                cl::desc("Version of the bytecode to write (default 13.3)"),
                cl::value_desc("major.minor"), cl::cat(category));
Flag listVersions(
    "list-versions",
    cl::desc("Print the bytecode versions that can be read and written"),
    cl::cat(category));
Flag testingVersions("testing-versions",
                     cl::desc("List versions 250.0 and 250.1, too"), cl::Hidden,
                     cl::cat(category));
Flag genericForm("generic-form", cl::desc("Print modules in the generic form"),
                 cl::cat(category));
Flag lineInfo("lineinfo",
              cl::desc("Write the lines of functions without debug information "
                       "into the bytecode, those of the text where it names "
                       "none: for errors, remarks and debuggers"),
              cl::cat(category));
Flag warnHints("Wunsupported-hints",
               cl::desc("Warn about optimization hints that no compiler reads"),
               cl::cat(category));
Flag errorOnHints("Werr-hints",
                  cl::desc("Fail after a warning about optimization hints"),
                  cl::cat(category));
Flag noImplicitModule("no-implicit-module",
                      cl::desc("Do not put the input into a builtin.module"),
                      cl::cat(category));
Flag allowUnregistered("allow-unregistered-dialect",
                       cl::desc("Parse operations of unknown dialects"),
                       cl::cat(category));
Flag errorsOnly("error-diagnostics-only",
                cl::desc("Print no other diagnostics than errors"),
                cl::cat(category));
cl::opt<std::string> splitMarker(
    "split-input-file",
    cl::desc("Translate the parts between lines with this marker one by one"),
    cl::value_desc("marker"), cl::ValueOptional,
    cl::callback([](const std::string &marker) {
      if (marker.empty())
        splitMarker.setValue(kDefaultSplitMarker);
    }),
    cl::cat(category));
cl::opt<std::string>
    outputSplitMarker("output-split-marker",
                      cl::desc("Put this between the outputs of the parts"),
                      cl::value_desc("marker"), cl::cat(category));
cl::opt<VerifyLevel> verifyDiagnostics(
    "verify-diagnostics",
    cl::desc("Compare diagnostics with the expected-… comments of the input"),
    cl::ValueOptional,
    cl::values(clEnumValN(VerifyLevel::All, "all", "All of them"),
               clEnumValN(VerifyLevel::All, "", "All of them"),
               clEnumValN(VerifyLevel::OnlyExpected, "only-expected",
                          "Only those that are expected")),
    cl::init(VerifyLevel::None), cl::cat(category));

} // namespace

static constexpr const char *kOverview =
    "Translates between Tile IR bytecode and cuda_tile text\n\n"
    "exit codes: 0 done, 1 bad options, 2 input missing or unreadable,\n"
    "3 input is not valid, 4 output cannot be written";

/// Returns the requested translations in the order of the command line.
static llvm::SmallVector<Translation, 2> askedFor() {
  llvm::SmallVector<std::pair<unsigned, Translation>, 4> asked;
  for (auto [flag, translation] :
       {std::pair(&toText, Translation::BytecodeToText),
        std::pair(&toBytecode, Translation::TextToBytecode),
        std::pair(&roundTrip, Translation::RoundTrip),
        std::pair(&minimumVersion, Translation::MinimumVersion)})
    if (*flag)
      asked.emplace_back(flag->getPosition(), translation);
  llvm::sort(asked, llvm::less_first());
  return llvm::map_to_vector<2>(asked, [](auto entry) { return entry.second; });
}

bool parseCommandLine(int argc, char **argv, CommandLine &line) {
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerDefaultTimingManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << describeVersion("tileir-translate"); });
  // The official tool reads and writes testing versions, too.
  enableTestingVersions();
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  TranslateOptions &options = line.translate;
  std::string error;
  if (versionText.getNumOccurrences() &&
      !parseBytecodeVersion(versionText, options.version, error)) {
    versionText.error(error);
    return false;
  }
  line.input = inputFile;
  line.output = outputFile;
  line.listVersions = listVersions;
  line.listTestingVersions = testingVersions;
  line.inputMarker = splitMarker;
  line.outputMarker = outputSplitMarker;
  options.translations = askedFor();
  options.noImplicitModule = noImplicitModule;
  options.genericForm = genericForm;
  options.addDebugScopes = lineInfo;
  options.warnHints = warnHints || gates::warnHints();
  options.errorOnHints = errorOnHints || gates::errorOnHints();
  options.allowUnregisteredDialects = allowUnregistered;
  options.errorDiagnosticsOnly = errorsOnly;
  options.verifyDiagnostics = verifyDiagnostics;
  return true;
}

} // namespace tileir
