// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks cases: compares the oracle, the expectation and the compiled kernel.

#include "serialize/process/Process.h"
#include "tools/process/Process.h"
#include "tools/tileir-check/Options.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"
#include "tools/oracle/Oracle.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::check {

using namespace mlir;
using cases::BufferSpec;

namespace {

/// Elements of one output, from one source.
using Elements = std::vector<uint64_t>;

/// Reference data of one output, known without the compiled kernel.
struct Known {
  const BufferSpec *spec;
  Elements oracle;
  std::vector<double> errors;
  /// Empty without an expectation.
  Elements expected, mask;

  bool isCompared(size_t index) const { return mask.empty() || mask[index]; }
  /// Tolerance of the case or, without one, the error bounds of the oracle.
  bool isOracles(size_t index, uint64_t got) const {
    return cases::sameValue(*spec, got, oracle[index]) ||
           (expected.empty() && spec->atol == 0 && spec->rtol == 0 &&
            withinError(*spec, got, oracle[index],
                        errors.empty() ? 0 : errors[index]));
  }
};

/// Checks one case in one process.
class CaseCheck {
public:
  CaseCheck(const Options &options, const std::string &path,
            const std::string &folder)
      : options(options), path(path), folder(folder) {}

  /// Returns lines for all architectures. The first letter is the outcome: 0
  /// all agree, 1 something differs, 2 the case cannot be run.
  std::string run();

private:
  bool prepare(std::string &error);
  bool checkCompiled(const std::string &arch, const std::string &opt);
  bool checkEmulation(const Compiled &compiled, EmulateRequest &request,
                      std::string &problem);
  std::string compareOutput(const Known &known, const Elements &emulated,
                            const std::string &witness) const;

  const Options &options;
  std::string path, folder, caseText, bytecode;
  cases::Case theCase;
  std::vector<Known> outputs;
  std::string printed, expectedText;
  bool hasText = false;
  std::string text;
};

} // namespace

/// Writes the module as bytecode of the newest version.
static bool writeKernel(Operation *module, const std::string &path) {
  cuda_tile::ModuleOp kernels = dyn_cast<cuda_tile::ModuleOp>(module);
  module->walk([&](cuda_tile::ModuleOp op) { kernels = op; });
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  return kernels && !code &&
         succeeded(writeBytecode(
             kernels, supportedBytecodeVersions().back().version, os));
}

bool CaseCheck::prepare(std::string &error) {
  if (!cases::loadCase(path, theCase, error) ||
      !cases::readText(path, caseText, error))
    return false;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  std::string kernel = theCase.resolve(theCase.kernel);
  OwningOpRef<Operation *> module = loadKernel(kernel, &context);
  if (!module) {
    error = "cannot load the kernel '" + theCase.kernel + "'";
    return false;
  }
  cuda_tile::EntryOp entry = findEntry(*module, theCase.entry, error);
  if (!entry)
    return false;
  std::string bytes;
  if (!cases::readText(kernel, bytes, error))
    return false;
  bytecode = kernel;
  if (!isTileIRBytecode(bytes)) {
    bytecode = folder + "/kernel.tileirbc";
    if (!writeKernel(*module, bytecode)) {
      error = "cannot write the kernel as bytecode";
      return false;
    }
  }

  OracleResult oracle;
  reference::RunOptions run;
  run.grid = theCase.grid;
  // Only if the case does not state the precision of an output.
  for (const BufferSpec *spec : outputsOf(theCase))
    run.tracksErrors |=
        spec->expect.empty() && spec->atol == 0 && spec->rtol == 0;
  if (!runOracle(entry, theCase, run, oracle, error))
    return false;
  for (const reference::Finding &finding : oracle.findings)
    text += "FAIL " + path + ": the oracle found " + finding.kind + ", line " +
            std::to_string(finding.line) + ": " + finding.message + "\n";
  printed = oracle.printed;
  for (OracleOutput &output : oracle.outputs) {
    Known known{
        output.spec, std::move(output.bits), std::move(output.errors), {}, {}};
    if (!known.spec->expect.empty() &&
        !cases::readExpected(*known.spec, theCase.directory, known.expected,
                             known.mask, error))
      return false;
    outputs.push_back(std::move(known));
  }
  hasText = !theCase.stdoutFile.empty();
  return !hasText || cases::readText(theCase.resolve(theCase.stdoutFile),
                                     expectedText, error);
}

/// Describes which of the three differ, with the first differing elements.
/// Empty if all agree.
std::string CaseCheck::compareOutput(const Known &known,
                                     const Elements &emulated,
                                     const std::string &witness) const {
  const BufferSpec &spec = *known.spec;
  bool hasExpected = !known.expected.empty();
  size_t count = 0;
  bool kernelOff = false, oracleOff = false, pairOff = false;
  std::string lines;
  for (size_t i = 0; i < known.oracle.size(); ++i) {
    if (!known.isCompared(i))
      continue;
    bool kernelDiffers, oracleDiffers, pairDiffers;
    pairDiffers = !known.isOracles(i, emulated[i]);
    kernelDiffers =
        hasExpected ? !cases::sameValue(spec, emulated[i], known.expected[i])
                    : pairDiffers;
    oracleDiffers = hasExpected &&
                    !cases::sameValue(spec, known.oracle[i], known.expected[i]);
    // Two results that are each within the tolerance of the expectation agree.
    if (!kernelDiffers && !oracleDiffers)
      continue;
    kernelOff |= kernelDiffers;
    oracleOff |= oracleDiffers;
    pairOff |= pairDiffers;
    if (++count > 4)
      continue;
    lines += "  " + spec.name + placeOf(spec, i) + ": " + witness + " " +
             cases::formatElement(spec.dtype, emulated[i]) + ", oracle " +
             cases::formatElement(spec.dtype, known.oracle[i]);
    if (hasExpected)
      lines +=
          ", expected " + cases::formatElement(spec.dtype, known.expected[i]);
    lines += "\n";
  }
  if (count == 0)
    return "";
  std::string who = !hasExpected ? "the kernel and the oracle differ"
                    : kernelOff && !oracleOff ? "the kernel disagrees"
                    : oracleOff && !kernelOff ? "the oracle disagrees"
                    : pairOff                 ? "all three disagree"
                                              : "the expectation disagrees";
  return "'" + spec.name + "': " + who + ", " + std::to_string(count) + " of " +
         std::to_string(known.oracle.size()) + " elements\n" + lines;
}

/// Compares printed text, by lines as a multiset if the case says so.
static bool sameText(StringRef a, StringRef b, bool anyOrder) {
  auto lines = [&](StringRef text) {
    SmallVector<StringRef> split;
    text.split(split, '\n');
    if (anyOrder)
      llvm::sort(split);
    return split;
  };
  return lines(a) == lines(b);
}

bool CaseCheck::checkEmulation(const Compiled &compiled,
                               EmulateRequest &request, std::string &problem) {
  Emulation run = emulate(options.programs, compiled, request);
  std::string witness = request.onGpu ? "GPU" : "emulated";
  if (run.isBroken) {
    problem = run.problem + "\n";
    return false;
  }
  for (const std::string &finding : run.findings)
    problem += finding + "\n";
  for (auto [known, elements] : llvm::zip_equal(outputs, run.outputs))
    problem += compareOutput(known, elements, witness);
  if (hasText) {
    bool kernelOff =
        !sameText(run.printed, expectedText, theCase.stdoutAnyOrder);
    bool oracleOff = !sameText(printed, expectedText, theCase.stdoutAnyOrder);
    if (kernelOff || oracleOff)
      problem += std::string("printed text: ") +
                 (kernelOff && oracleOff ? "the kernel and the oracle disagree"
                  : kernelOff            ? "the kernel disagrees"
                                         : "the oracle disagrees") +
                 "\n";
  }
  return problem.empty();
}

bool CaseCheck::checkCompiled(const std::string &arch, const std::string &opt) {
  std::string label = path + " " + arch + " -O" + opt;
  CompileRequest compileRequest;
  compileRequest.kernel = bytecode;
  compileRequest.arch = arch;
  compileRequest.optLevel = opt;
  compileRequest.pipeline = options.pipeline;
  compileRequest.folder = makeFolder(folder, arch + "-O" + opt);
  Compiled compiled;
  std::string problem;
  if (!compile(options.programs, compileRequest, compiled, problem)) {
    text += "FAIL " + label + ": " + problem + "\n";
    return false;
  }
  EmulateRequest request;
  request.theCase = &theCase;
  request.caseText = caseText;
  request.arch = arch;
  request.optLevel = opt;
  request.folder = compileRequest.folder;
  unsigned runs = 0;
  auto check = [&](const std::string &how) {
    ++runs;
    if (checkEmulation(compiled, request, problem))
      return true;
    text += "FAIL " + label + " (" + how + "): " + problem;
    return false;
  };
  for (const std::string &async : options.async)
    for (unsigned seed = 1; seed <= options.numSeeds; ++seed) {
      request.async = async;
      request.seed = seed;
      if (!check("--async=" + async + " --seed=" + std::to_string(seed)))
        return false;
    }
  if (options.onGpu) {
    request.onGpu = true;
    if (!check("--device=cuda"))
      return false;
  }
  removeFolder(compileRequest.folder.c_str());
  text += "ok   " + label + ": " + std::to_string(runs) +
          (runs == 1 ? " run\n" : " runs\n");
  return true;
}

std::string CaseCheck::run() {
  std::string error;
  if (!prepare(error))
    return "2error: " + (error.rfind(path, 0) == 0 ? "" : path + ": ") + error +
           "\n";
  bool allGood = text.empty();
  for (const std::string &arch : options.archs)
    for (const std::string &opt : options.optLevels)
      allGood &= checkCompiled(arch, opt);
  return (allGood ? "0" : "1") + text;
}

int checkCases(const Options &options) {
  int code = 0;
  // The programs of a worker have their own limits; this limit is for the
  // oracle.
  double seconds = options.programs.seconds *
                   (2 + options.archs.size() * options.optLevels.size() *
                            (1 + options.async.size() * options.numSeeds));
  runWorkers(
      options.cases.size(), options.jobs, seconds,
      [&](unsigned index) {
        std::string folder =
            makeFolder(options.scratch, "case" + std::to_string(index));
        CaseCheck check(options, options.cases[index], folder);
        std::string result = check.run();
        removeFolder(folder.c_str());
        return result;
      },
      [&](unsigned index, const WorkResult &result) {
        int status = 1;
        if (result.status == 0 && !result.text.empty()) {
          status = result.text[0] - '0';
          (status == 2 ? llvm::errs() : llvm::outs())
              << StringRef(result.text).drop_front();
        } else {
          llvm::outs() << "FAIL " << options.cases[index] << ": the check "
                       << (result.timedOut ? "took too long"
                                           : "ended with status " +
                                                 std::to_string(result.status))
                       << "\n";
        }
        llvm::outs().flush();
        code = std::max(code, status);
        return true;
      });
  return code;
}

} // namespace tileir::check
