// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One module and its case: what the oracle says and whether the compiled kernel
// does the same. Random modules are judged by it, and again while they shrink.

#ifndef TOOLS_TILEIR_CHECK_TRIAL_H
#define TOOLS_TILEIR_CHECK_TRIAL_H

#include "tools/tileir-check/Options.h"

#include "tools/oracle/Oracle.h"

namespace tileir::check {

/// The end of a trial.
enum class Verdict {
  Agrees,
  /// The oracle found the kernel at fault: nothing can be said of the compiler.
  Undefined,
  /// The results depend on something that the dialect leaves open.
  Open,
  /// The case or the module cannot be run in the oracle.
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
  /// Elements of outputs, and those that had one right value or a bound.
  uint64_t elements = 0, compared = 0;
};

class Trial {
public:
  /// `theCase` lies in `folder`, where the products go, too.
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

/// Makes a failing module smaller while it fails alike. The case loses the
/// arguments that are not needed any more.
void shrink(const Options &options, const std::string &folder, uint64_t seed,
            mlir::OwningOpRef<mlir::cuda_tile::ModuleOp> &module,
            std::string &caseText, TrialResult &result);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_TRIAL_H
