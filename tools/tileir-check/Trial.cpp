// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-check/Trial.h"

#include "serialize/process/Process.h"
#include "tools/process/Process.h"

#include "dialects/cuda_tile/bytecode/Bytecode.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tileir::check {

using namespace mlir;

Trial::Trial(const Options &options, const std::string &folder,
             const std::string &caseText)
    : options(options), folder(folder), caseText(caseText) {
  cases::parseCase(caseText, folder + "/case.json", theCase, loadError);
}

Verdict Trial::askOracle(cuda_tile::ModuleOp module, TrialResult &result) {
  cuda_tile::EntryOp entry = findEntry(module, theCase.entry, result.text);
  if (!entry)
    return Verdict::Unusable;
  reference::RunOptions run;
  run.grid = theCase.grid;
  run.maxOps = 2000000;
  run.tracksErrors = true;
  oracle = {};
  if (!runOracle(entry, theCase, run, oracle, result.text))
    return Verdict::Unusable;
  for (const reference::Finding &finding : oracle.findings)
    result.text += finding.kind + ": " + finding.message + "\n";
  if (!oracle.findings.empty())
    return Verdict::Undefined;

  // Another order of tile blocks, and other unspecified values.
  OracleResult again;
  run.seed = 1;
  if (!runOracle(entry, theCase, run, again, result.text))
    return Verdict::Unusable;
  for (auto [first, second] : llvm::zip_equal(oracle.outputs, again.outputs))
    for (size_t i = 0; i < first.bits.size(); ++i) {
      double error = first.errors.empty() ? 0 : first.errors[i];
      if (withinError(*first.spec, second.bits[i], first.bits[i], error))
        continue;
      result.text =
          "'" + first.spec->name + "' depends on the order of tile " + "blocks";
      return Verdict::Open;
    }
  return Verdict::Agrees;
}

/// Returns the first differing elements, or nothing.
static std::string compare(const OracleOutput &oracle,
                           const std::vector<uint64_t> &emulated,
                           TrialResult &result) {
  const cases::BufferSpec &spec = *oracle.spec;
  std::string lines;
  size_t count = 0;
  for (size_t i = 0; i < oracle.bits.size(); ++i) {
    double error = oracle.errors.empty() ? 0 : oracle.errors[i];
    ++result.elements;
    result.compared += !std::isinf(error);
    if (withinError(spec, emulated[i], oracle.bits[i], error))
      continue;
    if (++count > 4)
      continue;
    lines += "  " + spec.name + placeOf(spec, i) + ": emulated " +
             cases::formatElement(spec.dtype, emulated[i]) + ", oracle " +
             cases::formatElement(spec.dtype, oracle.bits[i]);
    if (error != 0)
      lines += ", may differ by " + std::to_string(error);
    lines += "\n";
  }
  if (count == 0)
    return "";
  return "'" + spec.name + "': the kernel and the oracle differ, " +
         std::to_string(count) + " of " + std::to_string(oracle.bits.size()) +
         " elements\n" + lines;
}

Verdict Trial::runCompiled(const std::string &arch, const std::string &optLevel,
                           uint64_t seed, TrialResult &result) {
  CompileRequest compileRequest;
  compileRequest.kernel = folder + "/kernel.tileirbc";
  compileRequest.arch = arch;
  compileRequest.optLevel = optLevel;
  compileRequest.pipeline = options.pipeline;
  compileRequest.isAssembled =
      options.onGpu ||
      (options.assembleEvery != 0 && seed % options.assembleEvery == 0);
  compileRequest.folder = makeFolder(folder, arch + "-O" + optLevel);
  Compiled compiled;
  if (!compile(options.programs, compileRequest, compiled, result.text))
    return Verdict::Refused;
  EmulateRequest request;
  request.theCase = &theCase;
  request.caseText = caseText;
  request.arch = arch;
  request.optLevel = optLevel;
  request.folder = compileRequest.folder;
  auto check = [&]() -> Verdict {
    Emulation run = emulate(options.programs, compiled, request);
    if (run.isBroken) {
      result.text = run.problem;
      return Verdict::Broken;
    }
    for (const std::string &finding : run.findings)
      result.text += finding + "\n";
    if (!run.findings.empty())
      return Verdict::Finding;
    for (auto [known, elements] : llvm::zip_equal(oracle.outputs, run.outputs))
      result.text += compare(known, elements, result);
    if (oracle.printed != run.printed)
      result.text += "printed '" + firstLines(run.printed, 4) +
                     "', the oracle '" + firstLines(oracle.printed, 4) + "'\n";
    return result.text.empty() ? Verdict::Agrees : Verdict::Mismatch;
  };
  for (const std::string &async : options.async)
    for (unsigned i = 0; i < options.numSeeds; ++i) {
      request.async = async;
      request.seed = seed + i;
      if (Verdict verdict = check(); verdict != Verdict::Agrees)
        return verdict;
    }
  if (options.onGpu) {
    request.onGpu = true;
    if (Verdict verdict = check(); verdict != Verdict::Agrees)
      return verdict;
  }
  removeFolder(compileRequest.folder.c_str());
  return Verdict::Agrees;
}

TrialResult Trial::judge(cuda_tile::ModuleOp module, uint64_t seed,
                         const TrialResult *like) {
  TrialResult result;
  if (!loadError.empty()) {
    result.verdict = Verdict::Unusable;
    result.text = loadError;
    return result;
  }
  result.verdict = askOracle(module, result);
  if (result.verdict != Verdict::Agrees)
    return result;
  {
    std::error_code code;
    llvm::raw_fd_ostream os(folder + "/kernel.tileirbc", code);
    if (code || failed(writeBytecode(
                    module, supportedBytecodeVersions().back().version, os))) {
      result.verdict = Verdict::Unusable;
      result.text = "cannot write the module as bytecode";
      return result;
    }
  }
  for (const std::string &arch : options.archs)
    for (const std::string &optLevel : options.optLevels) {
      if (like && (arch != like->arch || optLevel != like->optLevel))
        continue;
      result.verdict = runCompiled(arch, optLevel, seed, result);
      if (result.verdict == Verdict::Agrees)
        continue;
      result.arch = arch;
      result.optLevel = optLevel;
      return result;
    }
  return result;
}

} // namespace tileir::check
