// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-reduce/Reduce.h"

#include "dialects/support/Output.h"
#include "tools/oracle/Oracle.h"
#include "tools/process/Process.h"
#include "tools/reduce/Steps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::reduce {

using namespace mlir;
using llvm::StringRef;

namespace {

/// Applies one step at any removable operation if the module stays interesting.
/// Upstream's reducer applies a pattern to all operations of a region at once,
/// and continues from there.
struct StepPattern final : RewritePattern {
  /// Steps are tried in their order.
  StepPattern(MLIRContext *context, Step step, Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/100 - int(step),
                       context),
        step(step), tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    return success(isCandidate(op) && staysInteresting(op) &&
                   apply(rewriter, op, step));
  }

private:
  /// Tries the step in a copy of the module.
  bool staysInteresting(Operation *op) const {
    auto module = op->getParentOfType<ModuleOp>();
    if (!module)
      return false;
    OwningOpRef<ModuleOp> copy = module.clone();
    // The copy has the same operations in the same order.
    Operation *same = nullptr;
    size_t place = 0, count = 0;
    module.walk([&](Operation *other) {
      ++place;
      return other == op ? WalkResult::interrupt() : WalkResult::advance();
    });
    copy->walk([&](Operation *other) {
      same = other;
      return ++count == place ? WalkResult::interrupt() : WalkResult::advance();
    });
    IRRewriter rewriter(op->getContext());
    return apply(rewriter, same, step) &&
           tester.isInteresting(*copy).first == Tester::Interestingness::True;
  }

  Step step;
  Tester &tester;
};

/// Patterns that upstream's reducer may apply to operations of cuda_tile.
struct ReductionInterface final : DialectReductionPatternInterface {
  ReductionInterface(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    for (Step step : kSteps)
      patterns.add<StepPattern>(patterns.getContext(), step, tester);
  }
};

class Reduction {
public:
  explicit Reduction(const Options &options) : options(options) {}

  int run();

private:
  int fail(const llvm::Twine &message) {
    llvm::errs() << "error: " << message << '\n';
    return 2;
  }

  /// Returns the verdict of tileir-check on `kernel`; `text` gets its output.
  std::string judge(const std::string &kernel, std::string &text) const;
  /// Writes the program that upstream's tester calls: it fails for a module
  /// with the verdict `word`.
  bool writeTest(const std::string &word, std::string &error) const;
  /// Runs upstream's pass once. Returns false if it fails.
  bool reduceOnce(ModuleOp module) const;
  /// Drops unused operations, if the fault remains without them.
  void dropUnused(OwningOpRef<ModuleOp> &module) const;

  const Options &options;
  std::string test;
};

} // namespace

static size_t countOps(ModuleOp module) {
  size_t count = 0;
  module.walk([&](Operation *op) { count += isCandidate(op); });
  // The builtin module is counted, too.
  return count - 1;
}

std::string Reduction::judge(const std::string &kernel,
                             std::string &text) const {
  std::vector<std::string> command = {options.tileirCheck, options.caseFile,
                                      "--verdict", "--kernel=" + kernel};
  command.insert(command.end(), options.checkOptions.begin(),
                 options.checkOptions.end());
  text = runProgram(command, /*seconds=*/600).output;
  return text.substr(0, text.find_first_of(":\n"));
}

bool Reduction::writeTest(const std::string &word, std::string &error) const {
  std::string command = quoteWord(options.tileirCheck) + " " +
                        quoteWord(options.caseFile) +
                        " --verdict --kernel=\"$1\"";
  for (const std::string &option : options.checkOptions)
    command += " " + quoteWord(option);
  // Only ptxas can refuse a kernel.
  if (word != "refused")
    command += " --assemble=0";
  // The reducer tests many modules repeatedly.
  error =
      writeFile(test, "#!/bin/sh\n"
                      "# Fails for a module that is interesting.\n"
                      "known=" +
                          quoteWord(options.scratch) +
                          "/$(sha256sum <\"$1\" | cut -c1-64)\n"
                          "[ -f \"$known\" ] && exit \"$(cat \"$known\")\"\n"
                          "case $(" +
                          command + " 2>/dev/null) in\n" + word +
                          "*) status=1 ;;\n*) status=0 ;;\nesac\n"
                          "echo $status >\"$known\"\nexit $status\n");
  if (error.empty())
    if (std::error_code code = llvm::sys::fs::setPermissions(
            test, llvm::sys::fs::all_read | llvm::sys::fs::all_exe |
                      llvm::sys::fs::owner_write))
      error = code.message();
  return error.empty();
}

bool Reduction::reduceOnce(ModuleOp module) const {
  PassManager manager(module->getContext(), ModuleOp::getOperationName());
  ReductionTreePassOptions tree;
  tree.testerName = test;
  manager.addPass(createReductionTreePass(tree));
  return succeeded(manager.run(module));
}

void Reduction::dropUnused(OwningOpRef<ModuleOp> &module) const {
  OwningOpRef<ModuleOp> copy = module->clone();
  copy->walk([](cuda_tile::ModuleOp kernels) { removeUnused(kernels); });
  if (Tester(test, {}).isInteresting(*copy).first ==
      Tester::Interestingness::True)
    module = std::move(copy);
}

int Reduction::run() {
  std::string error, said;
  cases::Case theCase;
  if (!cases::loadCase(options.caseFile, theCase, error))
    return fail(error);
  DialectRegistry registry;
  registry.insert<cuda_tile::CudaTileDialect>();
  registry.addExtension(
      +[](MLIRContext *, cuda_tile::CudaTileDialect *dialect) {
        dialect->addInterfaces<ReductionInterface>();
      });
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The reducer creates operations without operands, which cannot be printed.
  context.printOpOnDiagnostic(false);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  std::string kernel = theCase.resolve(theCase.kernel);
  OwningOpRef<Operation *> loaded = loadKernel(kernel, &context);
  if (!loaded)
    return fail("cannot load the kernel '" + theCase.kernel + "'");
  std::string word = judge(kernel, said);
  if (word != "mismatch" && word != "finding" && word != "broken" &&
      word != "refused")
    return fail("the compiler is not at fault, tileir-check says: " + said);
  llvm::errs() << "note: " << StringRef(said).trim() << '\n';

  OwningOpRef<ModuleOp> module;
  if (auto builtin = dyn_cast<ModuleOp>(*loaded)) {
    loaded.release();
    module = builtin;
  } else {
    module = ModuleOp::create(UnknownLoc::get(&context));
    module->push_back(loaded.release());
  }
  test = options.scratch + "/interesting";
  if (!writeTest(word, error))
    return fail("cannot write '" + test + "': " + error);
  // Invalid variants are expected.
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  size_t before = countOps(*module);
  for (size_t last = before + 1; countOps(*module) < last;) {
    last = countOps(*module);
    if (!reduceOnce(*module))
      return fail("the fault comes and goes: '" + test +
                  "' does not find it in the whole kernel");
    dropUnused(module);
    llvm::errs() << "note: " << countOps(*module) << " operations\n";
  }

  std::string text;
  llvm::raw_string_ostream os(text);
  module->getBody()->front().print(os);
  os << '\n';
  llvm::errs() << "note: " << word << " in " << countOps(*module)
               << " operations of " << before << "\n";
  if (options.output == "-") {
    llvm::outs() << text;
    return 0;
  }
  error = writeFile(options.output, text);
  return error.empty() ? 0 : fail(error);
}

int run(const Options &options) { return Reduction(options).run(); }

} // namespace tileir::reduce
