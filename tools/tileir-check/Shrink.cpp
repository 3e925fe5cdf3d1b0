// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shrinks a failing module: removes operations, or replaces them by simpler
// ones, as long as the module fails in the same way.

#include "tools/reduce/Steps.h"
#include "tools/tileir-check/Trial.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/BitVector.h"

namespace tileir::check {

using namespace mlir;
using namespace reduce;
namespace ct = mlir::cuda_tile;
using ModuleRef = OwningOpRef<ct::ModuleOp>;

static ct::EntryOp entryOf(ct::ModuleOp module) {
  ct::EntryOp result;
  module->walk([&](ct::EntryOp entry) { result = entry; });
  return result;
}

namespace {

class Shrinker {
public:
  Shrinker(const Options &options, const std::string &folder, uint64_t seed,
           ModuleRef &module, std::string &caseText, TrialResult &result)
      : options(options), folder(folder), seed(seed), module(module),
        caseText(caseText), result(result) {}

  void run();

private:
  /// Applies one change if a copy with it fails alike; returns whether it did.
  bool tryStep(size_t index, Step step);
  bool accept(ModuleRef copy, const std::string &text);
  void dropArguments();

  const Options &options;
  std::string folder;
  uint64_t seed;
  ModuleRef &module;
  std::string &caseText;
  TrialResult &result;
  /// Remaining trials.
  unsigned budget = 400;
};

} // namespace

bool Shrinker::accept(ModuleRef copy, const std::string &text) {
  if (budget == 0)
    return false;
  --budget;
  Trial trial(options, folder, text);
  TrialResult next = trial.judge(*copy, seed, &result);
  if (next.verdict != result.verdict)
    return false;
  module = std::move(copy);
  result = next;
  return true;
}

bool Shrinker::tryStep(size_t index, Step step) {
  ModuleRef copy = module->clone();
  std::vector<Operation *> ops = candidates(*copy);
  IRRewriter rewriter(copy->getContext());
  if (index >= ops.size() || !apply(rewriter, ops[index], step))
    return false;
  removeUnused(*copy);
  // Failures are expected here and are not reported.
  ScopedDiagnosticHandler silence(copy->getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(verify(*copy)))
    return false;
  return accept(std::move(copy), caseText);
}

/// Drops unused arguments of the kernel, here and in the case.
void Shrinker::dropArguments() {
  ModuleRef copy = module->clone();
  ct::EntryOp entry = entryOf(*copy);
  llvm::BitVector unused(entry.getNumArguments());
  for (BlockArgument argument : entry.getBody().getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  cases::Json json;
  std::string error;
  if (unused.none() || !cases::parseJson(caseText, json, error) ||
      failed(entry.eraseArguments(unused)))
    return;
  for (auto &[name, value] : json.members) {
    if (name != "args")
      continue;
    std::vector<cases::Json> kept;
    for (size_t i = 0; i < value.items.size(); ++i)
      if (!unused[i])
        kept.push_back(value.items[i]);
    value.items = kept;
  }
  std::string text = jsonText(json);
  if (accept(std::move(copy), text))
    caseText = text;
}

void Shrinker::run() {
  bool changed = true;
  while (changed && budget > 0) {
    changed = false;
    for (Step step : kSteps)
      for (size_t index = 0; index < candidates(*module).size();) {
        // Operations after the removed one keep their position in the list.
        if (tryStep(index, step))
          changed = true;
        else
          ++index;
        if (budget == 0)
          break;
      }
  }
  budget += 2;
  dropArguments();
}

void shrink(const Options &options, const std::string &folder, uint64_t seed,
            ModuleRef &module, std::string &caseText, TrialResult &result) {
  Shrinker(options, folder, seed, module, caseText, result).run();
}

} // namespace tileir::check
