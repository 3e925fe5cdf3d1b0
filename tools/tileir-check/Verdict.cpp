// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints one word on a case, for programs that ask repeatedly.

#include "tools/process/Process.h"
#include "tools/tileir-check/Trial.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::check {

using namespace mlir;

static const char *wordOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Agrees:
    return "agrees";
  case Verdict::Undefined:
    return "undefined";
  case Verdict::Open:
    return "open";
  case Verdict::Unusable:
    return "unusable";
  case Verdict::Refused:
    return "refused";
  case Verdict::Broken:
    return "broken";
  case Verdict::Finding:
    return "finding";
  case Verdict::Mismatch:
    return "mismatch";
  }
  return "";
}

static TrialResult judge(const Options &options) {
  TrialResult result;
  result.verdict = Verdict::Unusable;
  const std::string &path = options.cases.front();
  cases::Case theCase;
  std::string text;
  if (!cases::loadCase(path, theCase, result.text) ||
      !cases::readText(path, text, result.text))
    return result;
  text = adaptCase(text, theCase.directory, result.text);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  std::string kernel =
      options.kernel.empty() ? theCase.resolve(theCase.kernel) : options.kernel;
  OwningOpRef<Operation *> module = loadKernel(kernel, &context);
  cuda_tile::ModuleOp kernels;
  if (module)
    (*module)->walk([&](cuda_tile::ModuleOp op) { kernels = op; });
  if (!kernels) {
    result.text = "cannot load the kernel '" + kernel + "'";
    return result;
  }
  Trial trial(options, makeFolder(options.scratch, "trial"), text);
  return trial.judge(kernels, /*seed=*/1);
}

int judgeCase(const Options &options) {
  TrialResult result = judge(options);
  llvm::outs() << wordOf(result.verdict);
  if (result.verdict != Verdict::Agrees)
    llvm::outs() << ": "
                 << (result.arch.empty()
                         ? ""
                         : result.arch + " -O" + result.optLevel + ": ")
                 << firstLines(result.text, 8);
  llvm::outs() << '\n';
  llvm::outs().flush();
  return result.verdict == Verdict::Agrees ? 0
         : isFailure(result.verdict)       ? 1
                                           : 2;
}

} // namespace tileir::check
