// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-interp/CaseRun.h"

#include "dialects/support/Output.h"
#include "tools/oracle/Oracle.h"
#include "tools/oracle/Signature.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <nlohmann/json.hpp>

namespace tileir {

using namespace mlir;
using llvm::StringRef;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 2;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static std::string describe(const reference::Finding &finding) {
  std::string text = finding.kind + ": ";
  if (finding.line != 0)
    text += finding.file + ":" + std::to_string(finding.line) + ": ";
  text += "block (" + std::to_string(finding.block[0]) + "," +
          std::to_string(finding.block[1]) + "," +
          std::to_string(finding.block[2]) + "): " + finding.message;
  if (finding.count > 1)
    text += " (" + std::to_string(finding.count) + " times)";
  return text;
}

static cases::JsonTree placeJson(const reference::Place &place) {
  cases::JsonTree out = {{"line", place.line}, {"block", place.block}};
  if (place.line != 0)
    out["source"] = place.source();
  return out;
}

static std::string reportJson(ArrayRef<reference::Finding> findings,
                              const std::vector<cases::Mismatch> &mismatches,
                              StringRef outcome, StringRef message) {
  cases::JsonTree out = {{"outcome", outcome.str()}};
  if (!message.empty())
    out["message"] = message.str();
  cases::JsonTree &list = out["findings"] = cases::JsonTree::array();
  for (const reference::Finding &finding : findings) {
    cases::JsonTree entry = {{"kind", finding.kind}};
    entry.update(placeJson(finding));
    entry["message"] = finding.message;
    entry["count"] = finding.count;
    cases::JsonTree &related = entry["related"] = cases::JsonTree::array();
    if (finding.other)
      related.push_back(placeJson(*finding.other));
    list.push_back(std::move(entry));
  }
  out["mismatches"] = mismatchesJson(mismatches);
  return cases::printJson(out);
}

static bool write(const std::string &path, StringRef text) {
  std::string error = writeFile(path, text);
  return error.empty() || (fail(error), false);
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

namespace {

/// The result of comparing the outputs.
struct Comparison {
  std::vector<cases::Mismatch> mismatches;
  std::string error;
};

} // namespace

static bool compareOutputs(const InterpOptions &options,
                           ArrayRef<OracleOutput> outputs, Comparison &result) {
  for (const auto &[specRef, bits, errors] : outputs) {
    const cases::BufferSpec &spec = *specRef;
    if (!options.outDirectory.empty() &&
        !cases::writeOutput(spec, bits, options.outDirectory, result.error))
      return false;
    bool differs = false;
    cases::Mismatch mismatch;
    if (!cases::compareExpected(spec, options.theCase.directory, bits, differs,
                                mismatch, result.error))
      return false;
    if (differs)
      result.mismatches.push_back(mismatch);
  }
  return true;
}

/// Compares the printed text, by lines as a multiset if the case says so.
static bool comparePrinted(const InterpOptions &options, StringRef printed,
                           Comparison &result) {
  const cases::Case &theCase = options.theCase;
  if (theCase.stdoutFile.empty())
    return true;
  std::string expected;
  if (!cases::readText(theCase.resolve(theCase.stdoutFile), expected,
                       result.error))
    return false;
  auto lines = [&](StringRef text) {
    SmallVector<StringRef> split;
    text.split(split, '\n');
    if (theCase.stdoutAnyOrder)
      llvm::sort(split);
    return split;
  };
  if (lines(printed) != lines(expected)) {
    cases::Mismatch mismatch;
    mismatch.name = "stdout";
    mismatch.got = printed.str();
    mismatch.expected = expected;
    mismatch.count = 1;
    result.mismatches.push_back(mismatch);
  }
  return true;
}

/// Reports the findings on standard error and returns the name of the outcome.
static StringRef summarize(ArrayRef<reference::Finding> findings,
                           ArrayRef<cases::Mismatch> mismatches) {
  StringRef outcome = "ok";
  for (const reference::Finding &finding : findings) {
    llvm::errs() << describe(finding) << '\n';
    if (finding.kind != "assert")
      outcome = "fault";
    else if (outcome == "ok")
      outcome = "assert";
  }
  for (const cases::Mismatch &mismatch : mismatches) {
    llvm::errs() << "mismatch: " << mismatch.name << '[';
    llvm::interleaveComma(mismatch.index, llvm::errs());
    llvm::errs() << "]: got " << mismatch.got << ", expected "
                 << mismatch.expected << ", " << mismatch.count
                 << " elements differ\n";
  }
  return outcome;
}

/// Writes the case of a kernel's signature.
static int initCase(const InterpOptions &options, cuda_tile::EntryOp entry) {
  namespace path = llvm::sys::path;
  const std::string &file = options.initFile;
  SmallString<128> kernel(options.theCase.resolve(options.theCase.kernel));
  SmallString<128> folder(file);
  llvm::sys::fs::make_absolute(kernel);
  llvm::sys::fs::make_absolute(folder);
  path::remove_dots(kernel, /*remove_dot_dot=*/true);
  path::remove_dots(folder, /*remove_dot_dot=*/true);
  // File names of a case are relative to its folder.
  StringRef name = path::parent_path(kernel) == path::parent_path(folder)
                       ? path::filename(kernel)
                       : StringRef(kernel);
  std::string text = caseOfSignature(entry, name, options.arch);
  if (file == "-") {
    llvm::outs() << text;
    return 0;
  }
  if (!write(file, text))
    return 2;
  llvm::errs() << "note: wrote '" << file << "'; tileir-run runs it, "
               << "tileir-check compares it with the reference\n";
  return 0;
}

int runCase(const InterpOptions &options) {
  auto refuse = [&](const llvm::Twine &message) {
    if (!options.reportFile.empty())
      write(options.reportFile, reportJson({}, {}, "error", message.str()));
    return fail(message);
  };
  const cases::Case &theCase = options.theCase;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  OwningOpRef<Operation *> module =
      loadKernel(theCase.resolve(theCase.kernel), &context);
  if (!module)
    return refuse("cannot load the kernel '" + theCase.kernel + "'");
  std::string error;
  cuda_tile::EntryOp entry = findEntry(*module, theCase.entry, error);
  if (entry && !options.initFile.empty())
    return initCase(options, entry);
  OracleResult result;
  if (!entry || !runOracle(entry, theCase, options.run, result, error))
    return refuse(error);

  std::vector<reference::Finding> findings;
  for (const reference::Finding &finding : result.findings)
    if (!llvm::is_contained(options.silent, finding.kind))
      findings.push_back(finding);
  Comparison comparison;
  llvm::outs() << result.printed;
  if (!options.outDirectory.empty()) {
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.outDirectory))
      return refuse("cannot create '" + options.outDirectory +
                    "': " + code.message());
    if (!write(options.outDirectory + "/stdout.txt", result.printed))
      return 2;
  }
  if (!compareOutputs(options, result.outputs, comparison) ||
      !comparePrinted(options, result.printed, comparison))
    return refuse(comparison.error);
  for (const reference::Finding &note : result.notes)
    llvm::errs() << describe(note) << '\n';
  StringRef outcome = summarize(findings, comparison.mismatches);
  if (!options.reportFile.empty() &&
      !write(options.reportFile,
             reportJson(findings, comparison.mismatches, outcome, "")))
    return 2;
  return outcome == "ok" && comparison.mismatches.empty() ? 0 : 1;
}

} // namespace tileir
