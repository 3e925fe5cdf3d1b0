// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_GATES_H
#define TOOLS_DRIVER_GATES_H

#include "serialize/Report.h"
#include "serialize/ptx/Codegen.h"

#include "llvm/Support/CommandLine.h"

#include <memory>
#include <vector>

namespace tileir::driver {

/// The runtime gates: hidden options, the fields of `CodegenGates` under their
/// public names, with the defaults that the fields have. No environment
/// variable reads them; docs/start/tools.md lists them.
class GateOptions {
public:
  GateOptions();
  ~GateOptions();

  /// Takes their values; reports a number that is out of range.
  Status apply(CodegenGates &gates, const Reporter &reporter) const;

private:
  std::vector<std::unique_ptr<llvm::cl::opt<bool>>> flags;
  std::vector<std::unique_ptr<llvm::cl::opt<int>>> numbers;
  std::vector<std::unique_ptr<llvm::cl::opt<std::string>>> texts;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_GATES_H
