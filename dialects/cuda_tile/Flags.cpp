// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/RuntimeGates.h"

#include "llvm/Support/CommandLine.h"

#include <optional>

namespace {
/// A flag of the program that loads the dialect; a dialect has no other
/// options. LLVM aborts a process that registers a name twice. A shared object
/// that is loaded next to another one with the dialect therefore leaves the
/// flag out, and the other one's flag decides.
class Flag {
public:
  Flag(llvm::StringRef name, const char *text) {
    if (!llvm::cl::getRegisteredOptions().contains(name))
      flag.emplace(name, llvm::cl::desc(text), llvm::cl::init(false));
  }
  explicit operator bool() const { return flag && *flag; }

private:
  std::optional<llvm::cl::opt<bool>> flag;
};
} // namespace

static const Flag
    warnUnsupportedHints("Wunsupported-hints",
                         "Warn about optimization hints that no compiler "
                         "reads");
static const Flag errorOnHints("Werr-hints",
                               "Fail after a warning about optimization hints");

void mlir::cuda_tile::registerDialectWithFlags(DialectRegistry &registry) {
  registry.insert<CudaTileDialect>();
  registry.addExtension(+[](MLIRContext *, CudaTileDialect *dialect) {
    dialect->setWarnUnsupportedHints(bool(warnUnsupportedHints) ||
                                     tileir::gates::warnHints());
    dialect->setErrorOnHints(bool(errorOnHints) ||
                             tileir::gates::errorOnHints());
  });
}
