// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds instructions that all threads of a warp have to execute together, at
// places that only some of them may reach: where LLVM copies a block that
// synchronizes, hardware waits for ever or reads registers of absent threads.

#ifndef SERIALIZE_PTX_CONVERGENCE_H
#define SERIALIZE_PTX_CONVERGENCE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tileir {

/// One such instruction.
struct DivergentInstruction {
  std::string function, opcode;
  /// Of the instruction in the text, from 1.
  unsigned line;
  /// Of the branch that splits the warp; that of the instruction where its own
  /// predicate does.
  unsigned branchLine;
};

/// The instructions of `ptx` with `.aligned` (`bar.sync` and its kin have it
/// without the word), and those with `.sync` for all lanes, that stand between
/// a branch whose condition may differ in a warp and the place where all paths
/// from there meet.
///
/// A condition is taken for the same in a warp when it is computed from
/// parameters, block numbers, the warp's number, plain loads from addresses
/// that are the same, votes, broadcasts by `shfl.sync.idx`, and butterfly
/// exchanges that are combined alike in both lanes. Everything else that a
/// thread reads is taken for its own.
std::vector<DivergentInstruction> findDivergence(llvm::StringRef ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_CONVERGENCE_H
