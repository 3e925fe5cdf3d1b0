// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_REGISTERCAP_H
#define SERIALIZE_PTX_REGISTERCAP_H

#include "dialects/support/Target.h"

#include "llvm/IR/PassManager.h"

namespace tileir {

/// Returns how many 32-bit registers a thread of `kernel` needs when each value
/// is computed right before it is used first. Parameters and block numbers take
/// none: instructions read them where they want them.
unsigned getRegisterNeed(llvm::Function &kernel);

/// Caps the registers of kernels whose threads meet at barriers, so that as
/// many blocks are on an SM as their need allows: while one waits, the others
/// keep memory busy. Left alone ptxas spends what a single block would have;
/// registers beyond the need slow a block down that writes rows, too, and so
/// its cap is no more. Other kernels have one where all threads fit that an SM
/// holds. Capped kernels are written in an order that needs few registers. Left
/// out are kernels of one warp, those with tensor cores, whose registers are
/// planned, with calls, and those that have a cap already.
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
