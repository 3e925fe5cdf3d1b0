// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a failing module smaller: operations go, or something simpler takes
// their place, for as long as the module fails as it did.

#include "tools/tileir-check/Trial.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace tileir::check {

using namespace mlir;
namespace ct = mlir::cuda_tile;
using ModuleRef = OwningOpRef<ct::ModuleOp>;

/// Ways to get rid of one operation, tried in this order.
enum class Step { Erase, ByOperand, ByZero, ByThen, ByElse, ByBody };

static constexpr Step kSteps[] = {Step::Erase,  Step::ByThen,    Step::ByElse,
                                  Step::ByBody, Step::ByOperand, Step::ByZero};

static ct::EntryOp entryOf(ct::ModuleOp module) {
  ct::EntryOp result;
  module->walk([&](ct::EntryOp entry) { result = entry; });
  return result;
}

/// The operations that may go, those that are written last first.
static std::vector<Operation *> candidates(ct::ModuleOp module) {
  std::vector<Operation *> result;
  entryOf(module)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The body of a reduction must stay associative.
    if (isa<ct::ReduceOp, ct::ScanOp>(op->getParentOp()))
      return;
    if (!op->hasTrait<OpTrait::IsTerminator>() && !isa<ct::EntryOp>(op) &&
        !isa<ct::ContinueOp>(op))
      result.push_back(op);
  });
  std::reverse(result.begin(), result.end());
  return result;
}

/// Operations that nobody uses and nobody sees, and the globals they named.
static void removeUnused(ct::ModuleOp module) {
  for (Operation *op : candidates(module))
    if (op->use_empty() && op->getNumRegions() == 0 &&
        !isa<ct::StorePtrTkoOp, ct::StoreViewTkoOp, ct::AtomicRMWTkoOp,
             ct::AtomicCASTkoOp, ct::AtomicRedViewTkoOp, ct::PrintTkoOp,
             ct::AssertOp>(op))
      op->erase();
  llvm::StringSet<> named;
  module->walk([&](ct::GetGlobalOp op) { named.insert(op.getName()); });
  for (auto global :
       llvm::make_early_inc_range(module.getBody().getOps<ct::GlobalOp>()))
    if (!named.contains(global.getSymName()))
      global->erase();
}

static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  if (isa<ct::TokenType>(type))
    return ct::MakeTokenOp::create(builder, loc, type);
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat())
    return {};
  auto zero = DenseElementsAttr::get(
      cast<ShapedType>(type), builder.getZeroAttr(tile.getElementType()));
  return ct::ConstantOp::create(builder, loc, type,
                                cast<DenseIntOrFPElementsAttr>(zero));
}

/// Moves the operations of `body` in front of `op`. The values that its
/// terminator gives up are the results.
static bool inlineBody(Operation *op, Block &body, ValueRange arguments) {
  Operation *terminator = body.getTerminator();
  if (terminator->getNumOperands() != op->getNumResults())
    return false;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), terminator->getOperands())) {
    if (result.getType() != value.getType())
      return false;
    result.replaceAllUsesWith(value);
  }
  terminator->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->erase();
  return true;
}

/// Applies one way; the module may be invalid afterwards.
static bool apply(Operation *op, Step step) {
  OpBuilder builder(op);
  switch (step) {
  case Step::Erase:
    if (!op->use_empty())
      return false;
    op->erase();
    return true;
  case Step::ByThen:
  case Step::ByElse: {
    auto branch = dyn_cast<ct::IfOp>(op);
    if (!branch)
      return false;
    Region &region =
        step == Step::ByThen ? branch.getThenRegion() : branch.getElseRegion();
    return !region.empty() &&
           isa<ct::YieldOp>(region.front().getTerminator()) &&
           inlineBody(op, region.front(), {});
  }
  case Step::ByBody: {
    auto loop = dyn_cast<ct::ForOp>(op);
    if (!loop || !isa<ct::ContinueOp>(loop.getRegion().front().getTerminator()))
      return false;
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitValues());
    return inlineBody(op, loop.getRegion().front(), arguments);
  }
  case Step::ByOperand:
  case Step::ByZero:
    if (op->use_empty() ||
        (step == Step::ByZero && isa<ct::ConstantOp, ct::MakeTokenOp>(op)))
      return false;
    for (Value result : op->getResults()) {
      if (result.use_empty())
        continue;
      Value other;
      if (step == Step::ByZero)
        other = makeZero(builder, op->getLoc(), result.getType());
      else
        for (Value operand : op->getOperands())
          if (operand.getType() == result.getType())
            other = operand;
      if (!other)
        return false;
      result.replaceAllUsesWith(other);
    }
    op->erase();
    return true;
  }
  return false;
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
  /// Returns whether a copy with one change fails alike; it is taken then.
  bool tryStep(size_t index, Step step);
  bool accept(ModuleRef copy, const std::string &text);
  void dropArguments();

  const Options &options;
  std::string folder;
  uint64_t seed;
  ModuleRef &module;
  std::string &caseText;
  TrialResult &result;
  /// Trials that may still be made.
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
  if (index >= ops.size() || !apply(ops[index], step))
    return false;
  removeUnused(*copy);
  // Failures are expected here and say nothing.
  ScopedDiagnosticHandler silence(copy->getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(verify(*copy)))
    return false;
  return accept(std::move(copy), caseText);
}

/// Drops the kernel's arguments that nothing uses, here and in the case.
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
        // Operations behind the one that goes keep their place in the list.
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
