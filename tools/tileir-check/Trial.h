// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one module with its case in the oracle and as a compiled kernel, and
// compares the results, for randomized modules and while they shrink.

#ifndef TOOLS_TILEIR_CHECK_TRIAL_H
#define TOOLS_TILEIR_CHECK_TRIAL_H

#include "tools/tileir-check/Options.h"

#include "tools/oracle/Oracle.h"

namespace tileir::check {

/// Outcome of a trial.
enum class Verdict {
  Agrees,
  /// The oracle found a fault in the kernel: the compiler is not judged.
  Undefined,
  /// The results depend on unspecified behaviour of the dialect.
  Open,
  /// The oracle cannot run the case or the module.
  Unusable,
  Refused,
  Broken,
  Finding,
  Mismatch,
};

/// Returns whether the compiler is at fault.
inline bool isFailure(Verdict verdict) { return verdict >= Verdict::Refused; }

struct TrialResult {
  Verdict verdict = Verdict::Agrees;
  std::string text;
  std::string arch, optLevel;
  /// Elements of outputs, and elements with one correct value or a bound.
  uint64_t elements = 0, compared = 0;
};

class Trial {
public:
  /// `theCase` is in `folder`, which also receives the products.
  Trial(const Options &options, const std::string &folder,
        const std::string &caseText);

  /// Judges `module` on the architectures and levels of the options; only on
  /// the one of `like`, if given.
  TrialResult judge(mlir::cuda_tile::ModuleOp module, uint64_t seed,
                    const TrialResult *like = nullptr);

private:
  Verdict askOracle(mlir::cuda_tile::ModuleOp module, TrialResult &result);
  Verdict runCompiled(const std::string &arch, const std::string &optLevel,
                      uint64_t seed, TrialResult &result);

  const Options &options;
  std::string folder, caseText, loadError;
  cases::Case theCase;
  OracleResult oracle;
};

/// Shrinks a failing module while it fails alike. The case loses unused
/// arguments.
void shrink(const Options &options, const std::string &folder, uint64_t seed,
            mlir::OwningOpRef<mlir::cuda_tile::ModuleOp> &module,
            std::string &caseText, TrialResult &result);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_TRIAL_H
