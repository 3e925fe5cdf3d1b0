// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_TENSORUNIT_H
#define TOOLS_EMULATOR_TENSORUNIT_H

#include "tools/emulator/Exec.h"

namespace tileir::emu {

class Machine;

/// Tensor instructions in flight, and tensor memory.
class TensorUnit {
public:
  explicit TensorUnit(Machine &machine) : machine(machine) {}

  /// All four warps of a group execute the same.
  void groupWgmma(Exec &x, const Inst &inst, const WgmmaOp &op);
  void performWgmmas(Exec &x, uint32_t upTo);
  void deliverTensorLoads(Exec &x);
  /// Returns what a lane knows about tensor memory; the caller adds who it is.
  TensorUser tensorUser(Exec &x, int lane);
  /// Makes complete loads and stores of the warp known to `lanes`.
  void tensorPublish(Exec &x, Mask lanes, bool fence);
  /// With `unwritten`, a read of unwritten bytes is told there and no
  /// finding yet.
  void touchTensor(Exec &x, const Inst &inst, int lane, TensorMemory &memory,
                   uint64_t offset, AccessKind kind, const TensorUser &user,
                   std::string *unwritten = nullptr);
  /// The same of `count` columns side by side.
  void touchTensors(Exec &x, const Inst &inst, int lane, TensorMemory &memory,
                    uint64_t offset, uint32_t count, AccessKind kind,
                    const TensorUser &user);
  void checkTensorFree(Exec &x, const Inst &inst, int lane,
                       TensorMemory &memory, uint32_t column, uint32_t columns);
  void performTensor(Exec &x, Block &block, const TensorOp &op);

  bool tensorFences = false; ///< The module has a tcgen05.fence.
  int tensorGroup = 0;       ///< The `cta_group` of the first instruction.

  /// Returns whether `user` comes after an access; `fence`: it would with a
  /// fence.
  bool tensorOrdered(const TensorUser &user, Agent agent, uint32_t clock,
                     bool isQueue, bool &fence) const;

private:
  void performWgmma(Exec &x, Warp &warp, const WgmmaOp &op);

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_TENSORUNIT_H
