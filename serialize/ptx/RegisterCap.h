// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_REGISTERCAP_H
#define SERIALIZE_PTX_REGISTERCAP_H

#include "dialects/support/Target.h"

#include "llvm/IR/PassManager.h"

namespace tileir {

/// Returns the number of 32-bit registers that a thread of `kernel` needs when
/// each value is computed directly before its first use. Parameters and block
/// numbers take none: instructions read them where they need them.
unsigned getRegisterNeed(llvm::Function &kernel);

/// Caps the registers of kernels whose threads synchronize at barriers, so that
/// an SM holds as many blocks as their need allows: while one block waits, the
/// others keep memory busy. Without a cap ptxas uses what a single block could
/// have. In a kernel that stores rows, registers beyond the need also slow a
/// block down, so its cap is at most the need. Kernels without barriers get a
/// cap only where the SM then holds its maximum of threads. The instructions of
/// capped kernels are reordered for few registers. The pass leaves out kernels
/// of one warp, kernels with tensor cores (whose registers are planned), with
/// calls, and with a cap of their own.
class RegisterCapPass : public llvm::PassInfoMixin<RegisterCapPass> {
public:
  explicit RegisterCapPass(const Target &target) : target(target) {}

  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);

private:
  Target target;
};

} // namespace tileir

#endif // SERIALIZE_PTX_REGISTERCAP_H
