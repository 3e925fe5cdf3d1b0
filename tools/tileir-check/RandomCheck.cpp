// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks randomized modules, each in a process of its own, so that a crash ends
// only one of them.

#include "serialize/process/Process.h"
#include "tools/process/Process.h"
#include "tools/tileir-check/Generator.h"
#include "tools/tileir-check/Trial.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

#include <sys/stat.h>

namespace tileir::check {

using namespace mlir;

/// Attempts per seed: kernels that the oracle rejects are replaced by the next
/// one.
static constexpr unsigned kAttempts = 20;

static RandomKernel generateAttempt(const Options &options, uint64_t seed,
                                    unsigned attempt, MLIRContext *context) {
  // The compiler gets the module as bytecode, under the rules of the newest
  // release.
  context->getOrLoadDialect<cuda_tile::CudaTileDialect>()
      ->setFollowsNewestRelease(true);
  return generateKernel(seed + (uint64_t(attempt) << 48), options.kind,
                        context);
}

static bool writeFiles(const RandomKernel &kernel, const std::string &folder,
                       std::string &error) {
  for (const auto &[name, array] : kernel.files)
    if (!cases::writeNpy(folder + "/" + name, array, error))
      return false;
  return true;
}

static std::string print(Operation *module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags());
  return text + "\n";
}

/// Counts operations, in total and by element type, for the report.
static void countOps(cuda_tile::ModuleOp module,
                     std::map<std::string, unsigned> &counts) {
  module->walk([&](Operation *op) {
    std::string name = op->getName().stripDialect().str();
    ++counts[name];
    llvm::SmallDenseSet<Type> elements;
    for (Type type :
         llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                  llvm::to_vector(op->getResultTypes())))
      if (auto tile = dyn_cast<cuda_tile::TileType>(type))
        elements.insert(tile.getElementType());
    for (Type element : elements) {
      if (isa<cuda_tile::PointerType>(element))
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << element;
      ++counts[name + " " + text];
    }
  });
}

//===----------------------------------------------------------------------===//
// Worker
//===----------------------------------------------------------------------===//

/// Returns a worker's report on its module: a line of numbers, a line per
/// count, and after an empty line the text of a failure.
static std::string report(bool failed, unsigned refused,
                          const TrialResult &result,
                          const std::map<std::string, unsigned> &counts,
                          const std::string &text) {
  std::string out = std::string(failed ? "1 " : "0 ") +
                    std::to_string(refused) + " " +
                    std::to_string(result.elements) + " " +
                    std::to_string(result.compared) + "\n";
  for (const auto &[name, count] : counts)
    out += std::to_string(count) + " " + name + "\n";
  return out + "\n" + text;
}

static bool writeText(const std::string &path, const std::string &text) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  os << text;
  return !code;
}

/// Saves a failing module as a self-contained case.
static void keepFailure(const Options &options, uint64_t seed,
                        const RandomKernel &kernel, const std::string &full,
                        const std::string &module,
                        const std::string &caseText) {
  mkdir(options.keepFolder.c_str(), 0777);
  std::string folder =
      makeFolder(options.keepFolder, "seed" + std::to_string(seed));
  std::string error, text = caseText;
  size_t at = text.find("kernel.tileirbc");
  if (at != std::string::npos)
    text.replace(at, 15, "kernel.mlir");
  writeText(folder + "/kernel.mlir", module);
  writeText(folder + "/case.json", text);
  writeText(folder + "/full.mlir", full);
  writeFiles(kernel, folder, error);
}

/// Returns why the oracle rejected a module, without numbers: the key of the
/// report's counts.
static std::string refusalKind(const TrialResult &result) {
  std::string kind = "undefined: ";
  for (char c : firstLines(result.text, 1))
    if (!llvm::isDigit(c))
      kind += c;
    else if (kind.back() != '#')
      kind += '#';
  return kind;
}

static std::string checkModule(const Options &options, uint64_t seed,
                               const std::string &folder) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::map<std::string, unsigned> counts;
  std::string refusals;
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    RandomKernel kernel = generateAttempt(options, seed, attempt, &context);
    std::string error;
    if (failed(verify(*kernel.module)))
      return report(true, attempt, {}, counts,
                    "the generator made a module that is not valid\n" +
                        print(*kernel.module));
    if (!writeFiles(kernel, folder, error))
      return report(true, attempt, {}, counts, error + "\n");
    Trial trial(options, folder, kernel.caseText);
    TrialResult result = trial.judge(*kernel.module, seed);
    if (result.verdict == Verdict::Undefined ||
        result.verdict == Verdict::Open) {
      refusals += firstLines(result.text, 1) + "\n";
      ++counts[refusalKind(result)];
      continue;
    }
    if (result.verdict == Verdict::Unusable)
      return report(true, attempt, result, counts,
                    "the oracle cannot run it: " + result.text + "\n" +
                        print(*kernel.module));
    countOps(*kernel.module, counts);
    if (result.verdict == Verdict::Agrees)
      return report(false, attempt, result, counts, "");
    std::string caseText = kernel.caseText, full = print(*kernel.module);
    if (!options.keepsWhole)
      shrink(options, folder, seed, kernel.module, caseText, result);
    std::string smallest = print(*kernel.module);
    if (!options.keepFolder.empty())
      keepFailure(options, seed, kernel, full, smallest, caseText);
    return report(true, attempt, result, counts,
                  result.arch + " -O" + result.optLevel + ": " + result.text +
                      (StringRef(result.text).ends_with("\n") ? "" : "\n") +
                      smallest + caseText);
  }
  return report(true, kAttempts, {}, counts,
                "the oracle refused every attempt:\n" + refusals);
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static void printCoverage(const std::map<std::string, unsigned> &counts) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  std::string missing;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "cuda_tile")
      continue;
    std::string op = name.stripDialect().str();
    auto found = counts.find(op);
    if (found == counts.end()) {
      missing += (missing.empty() ? "" : ", ") + op;
      continue;
    }
    llvm::outs() << op << ": " << found->second;
    // The element types of this operation follow in the order of names.
    const char *separator = " (";
    for (auto it = counts.lower_bound(op + " ");
         it != counts.end() && StringRef(it->first).starts_with(op + " ");
         ++it) {
      llvm::outs() << separator << it->first.substr(op.size() + 1);
      separator = ", ";
    }
    llvm::outs() << (*separator == ',' ? ")\n" : "\n");
  }
  for (auto it = counts.lower_bound("undefined: ");
       it != counts.end() && StringRef(it->first).starts_with("undefined: ");
       ++it)
    llvm::outs() << it->first << ": " << it->second << "\n";
  llvm::outs() << "not generated: " << (missing.empty() ? "nothing" : missing)
               << "\n";
}

/// Prints the modules, or only their contents.
static int printModules(const Options &options) {
  if (options.showsCoverage) {
    std::map<std::string, unsigned> counts;
    for (unsigned i = 0; i < *options.numRandom; ++i) {
      MLIRContext context(MLIRContext::Threading::DISABLED);
      countOps(*generateAttempt(options, options.seed + i, 0, &context).module,
               counts);
    }
    printCoverage(counts);
    return 0;
  }
  for (unsigned i = 0; i < *options.numRandom; ++i) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    RandomKernel kernel =
        generateAttempt(options, options.seed + i, 0, &context);
    llvm::outs() << "// seed " << options.seed + i << "\n"
                 << print(*kernel.module) << kernel.caseText;
  }
  return 0;
}

int checkRandom(const Options &options) {
  if (options.onlyPrints)
    return printModules(options);
  unsigned failures = 0, checked = 0, refused = 0;
  uint64_t elements = 0, compared = 0;
  std::map<std::string, unsigned> counts;
  // Shrinking takes some hundred runs.
  double seconds = 20 * options.programs.seconds;
  runWorkers(
      *options.numRandom, options.jobs, seconds,
      [&](unsigned index) {
        std::string folder =
            makeFolder(options.scratch, "module" + std::to_string(index));
        std::string text = checkModule(options, options.seed + index, folder);
        removeFolder(folder.c_str());
        return text;
      },
      [&](unsigned index, const WorkResult &result) {
        uint64_t seed = options.seed + index;
        ++checked;
        bool failed = true;
        std::string text = result.timedOut
                               ? "the check took too long\n"
                               : "the check ended with status " +
                                     std::to_string(result.status) + "\n";
        unsigned long long now[4] = {};
        if (result.status == 0 && !result.timedOut &&
            sscanf(result.text.c_str(), "%llu %llu %llu %llu", &now[0], &now[1],
                   &now[2], &now[3]) == 4) {
          failed = now[0];
          refused += now[1];
          elements += now[2];
          compared += now[3];
          auto [head, rest] = StringRef(result.text).split("\n\n");
          text = rest.str();
          SmallVector<StringRef> lines;
          head.split(lines, '\n');
          for (StringRef line : llvm::drop_begin(lines)) {
            auto [count, name] = line.split(' ');
            unsigned number = 0;
            if (!count.getAsInteger(10, number))
              counts[name.str()] += number;
          }
        }
        if (failed) {
          ++failures;
          llvm::outs() << "FAIL seed " << seed << ": " << text
                       << "again: tileir-check --random 1 --seed " << seed
                       << (options.kind == Kind::Steered ? " --kind=steered"
                                                         : "")
                       << "\n";
          llvm::outs().flush();
        }
        return true;
      });
  if (options.showsCoverage)
    printCoverage(counts);
  std::string archs;
  for (const std::string &arch : options.archs)
    archs += (archs.empty() ? "" : ", ") + arch;
  llvm::outs() << (failures ? "FAIL " : "ok   ") << checked
               << " random modules from seed " << options.seed << " on "
               << archs << ": " << failures << " failed; " << refused
               << " others were undefined; "
               << llvm::format("%.1f",
                               elements ? 100.0 * compared / elements : 0.0)
               << " % of " << elements
               << " elements had one answer or a bound\n";
  return failures ? 1 : 0;
}

} // namespace tileir::check
