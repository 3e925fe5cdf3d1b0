// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_ASYNCENGINE_H
#define TOOLS_EMULATOR_ASYNCENGINE_H

#include "tools/emulator/Exec.h"

namespace tileir::emu {

class Machine;

/// Behaviour of an instruction where no mbarrier lies.
enum class MissingBarrier : uint8_t { Finding, Nothing };

/// Asynchronous copies and the mbarriers that they signal.
class AsyncEngine {
public:
  explicit AsyncEngine(Machine &machine) : machine(machine) {}

  /// Performs a copy; the group of the warp need not be there any more.
  void performAsync(Exec &x, Warp &warp, int lane, const AsyncCopy &copy);
  /// Performs what a lane issued up to a sequence number.
  void finishAsync(Exec &x, Warp &warp, int lane, uint32_t upTo);
  /// Performs some outstanding work of a block; false when there is none.
  bool advanceAsync(Exec &x, Block &block);
  /// An ordinary access where mbarriers may be.
  void checkMbarrier(Exec &x, const Inst &inst, int lane, Region &region,
                     uint64_t offset, uint32_t bytes);
  /// The mbarrier at an address, or null after a finding; where none
  /// lies, null with or without one.
  Mbarrier *mbarrierAt(Exec &x, const Inst &inst, int lane, Space space,
                       uint64_t address, MissingBarrier missing,
                       Region *&region);
  /// `as` and `clock`: how others will know of the arrival that `who` asks for.
  void mbarrierArrive(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                      uint32_t count, const Knowledge &who, Agent as,
                      uint32_t clock, uint64_t ticket);
  /// `ticket`: of the profile, of the thread that started the work.
  void mbarrierTx(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                  int64_t bytes, uint64_t ticket, bool copied);
  Block *ownerOf(Exec &x, const Region &region);
  void performBulk(Exec &x, Block &block, const BulkOp &op);
  void finishBulk(Exec &x, Block &block, uint32_t thread, uint32_t upTo);

private:
  /// True if the arrival comes after all of the phase before it, whatever the
  /// schedule.
  void checkArrivalOrder(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                         const Knowledge &who, Agent as);
  void mbarrierCheck(Mbarrier &bar);

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_ASYNCENGINE_H
