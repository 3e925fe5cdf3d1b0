// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_GATES_H
#define TOOLS_DRIVER_GATES_H

#include "serialize/Report.h"
#include "serialize/ptx/Codegen.h"

#include "llvm/Support/CommandLine.h"

#include <memory>
#include <vector>

namespace tileir::driver {

/// The runtime gates: hidden options under public names, one per field of
/// `CodegenGates`, with the defaults of the fields. No environment variable
/// reads them; docs/start/tools.md lists them.
class GateOptions {
public:
  GateOptions();
  ~GateOptions();

  /// Applies the option values; reports numbers out of range.
  Status apply(CodegenGates &gates, const Reporter &reporter) const;

private:
  std::vector<std::unique_ptr<llvm::cl::opt<bool>>> flags;
  std::vector<std::unique_ptr<llvm::cl::opt<int>>> numbers;
  std::vector<std::unique_ptr<llvm::cl::opt<std::string>>> texts;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_GATES_H
