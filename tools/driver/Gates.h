// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_GATES_H
#define TOOLS_DRIVER_GATES_H

#include "serialize/ptx/Codegen.h"

#include "llvm/Support/CommandLine.h"

#include <memory>
#include <vector>

namespace tileir::driver {

/// The runtime gates: hidden options with the defaults of the table in
/// Gates.cpp. No environment variable reads them.
class GateOptions {
public:
  GateOptions();
  ~GateOptions();

  /// Takes the gates that have an effect here.
  void apply(CodegenGates &gates) const;

private:
  std::vector<std::unique_ptr<llvm::cl::opt<bool>>> flags;
  std::vector<std::unique_ptr<llvm::cl::opt<int>>> numbers;
  llvm::cl::opt<bool> unsafeAlgebra;
  llvm::cl::opt<bool> removeBarriers;
  llvm::cl::opt<bool> lowerByValue;
  llvm::cl::opt<bool> dumpBeforeMemorySpace;
  llvm::cl::opt<bool> dumpAfterMemorySpace;
  llvm::cl::opt<bool> lowerPrintf;
  llvm::cl::opt<std::string> kernelList;
  llvm::cl::opt<std::string> kernelRange;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_GATES_H
