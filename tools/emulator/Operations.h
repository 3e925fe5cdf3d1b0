// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of the instructions of a program to a profile: their kind, the
// registers that they read and write, the loops that they stand in.
#ifndef TOOLS_EMULATOR_OPERATIONS_H
#define TOOLS_EMULATOR_OPERATIONS_H

#include "dialects/support/Rates.h"
#include "tools/emulator/Program.h"

namespace tileir::emu {

class Machine;

enum class Op : uint8_t {
  Alu,
  Mul, ///< Integer products, on the lanes of f32.
  Fp32,
  Fp32x2,
  Half,
  F64,
  Xu,
  Convert,
  Convert64,
  Control,
  Shuffle,
  Constant, ///< Loads of parameters and constants.
  Load,     ///< Of any other memory.
  Store,
  Atomic,
  LoadMatrix,
  StoreMatrix,
  CopyAsync,
  CopyCommit,
  CopyWait,
  CopyArrive,
  BulkLoad,
  BulkStore,
  BulkCommit,
  BulkWait,
  BarrierArrive,
  BarrierWait, ///< Arrives, too.
  ClusterArrive,
  ClusterWait,
  MbarrierOther,
  MbarrierArrive,
  MbarrierWait,
  MmaSync,
  Wgmma,
  WgmmaCommit,
  WgmmaWait,
  TensorMma,
  TensorCopy,
  TensorLoad,
  TensorStore,
  TensorWait,
  TensorCommit,
  Fence,
  Pair, ///< Names two registers as a wide one, or back.
  Other
};

/// Returns the name of a wait in the statistics; null for what does not wait.
const char *waitName(Op op);
inline bool isTensorOp(Op op) {
  return op == Op::MmaSync || op == Op::Wgmma || op == Op::TensorMma;
}
inline bool isAsyncIssue(Op op) {
  return op == Op::CopyAsync || op == Op::BulkLoad || op == Op::BulkStore;
}

struct Operation {
  Op op = Op::Other;
  int loop = -1;         ///< The innermost, in `Operations::loops`.
  int backEdge = -1;     ///< Of the loop that this branch goes back in.
  bool polls = false;    ///< Stands in a loop that does nothing but wait.
  uint32_t macs = 0;     ///< Of one warp; 0 when only the operands know.
  uint32_t operands = 0; ///< Bytes that they take from shared memory.
  Rates::Mma mma = Rates::Mma::F16;
  uint32_t reads = 0, writes = 0, end = 0; ///< In `Operations::registers`.
};

/// Instructions between a label and the last branch back to it.
struct Loop {
  int first = 0, last = 0;
  int line = 0; ///< Of that branch.
};

class Operations {
public:
  explicit Operations(const Machine &m);

  const Operation &operator[](size_t code) const { return table[code]; }
  std::vector<Loop> loops;
  /// Rows of registers; ~index of predicates.
  std::vector<int32_t> registers;

private:
  void classify(const Machine &m, size_t at);
  void dependencies(const Machine &m, size_t at);
  void findLoops(const Machine &m);

  std::vector<Operation> table;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_OPERATIONS_H
