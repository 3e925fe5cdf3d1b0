// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of divergence: finds instructions that all threads of a warp have to
// execute together, at places that only some of them may reach. Where LLVM
// copies a block that synchronizes, hardware waits for ever or reads registers
// of absent threads.

#ifndef SERIALIZE_PTX_CONVERGENCE_H
#define SERIALIZE_PTX_CONVERGENCE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tileir {

/// An instruction that all threads of a warp must execute, in divergent code.
struct DivergentInstruction {
  std::string function, opcode;
  /// Line of the instruction in the text, from 1.
  unsigned line;
  /// Line of the divergent branch, or of the instruction itself where its own
  /// predicate diverges.
  unsigned branchLine;
};

/// Finds the divergent instructions of `ptx`: instructions with `.aligned`
/// (`bar.sync` and similar ones imply it) or with `.sync` for all lanes,
/// between a branch whose condition may differ in a warp and the reconvergence
/// point.
///
/// A condition counts as uniform when it is computed from parameters, block
/// numbers, the warp number, plain loads from uniform addresses, votes,
/// broadcasts by `shfl.sync.idx`, and butterfly exchanges that both lanes
/// combine alike. Every other value counts as different in each thread.
std::vector<DivergentInstruction> findDivergence(llvm::StringRef ptx);

} // namespace tileir

#endif // SERIALIZE_PTX_CONVERGENCE_H
