// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_WEAKLOADS_H
#define TOOLS_EMULATOR_WEAKLOADS_H

#include "tools/cases/Case.h"
#include "tools/emulator/Exec.h"

#include <map>
#include <set>
#include <unordered_map>

namespace tileir::emu {

class Machine;

/// Strong loads that may be late: what was there before.
class WeakLoads {
public:
  WeakLoads(Machine &machine, uint64_t seed)
      : machine(machine), weakRandom(~seed) {}

  /// By address and thread: a load that was late.
  struct UnseenWrite {
    Place load, write;
    std::string what;
  };
  /// Before a strong write releases.
  void noteStrongWrite(Exec &x, const Inst &inst, int lane, Region &region,
                       uint64_t offset, uint32_t bytes, const uint8_t *old,
                       const uint8_t *now);
  /// The write that a strong load does not see yet; null: it sees the last.
  const StrongWrite *olderValue(Exec &x, const Inst &inst, int lane,
                                Region &region, uint64_t offset,
                                uint32_t bytes);
  /// fence.sc of these lanes.
  void viewFence(Exec &x, Mask lanes);
  /// Of a run whose answers differ: loads that were late and whose thread never
  /// looked again.
  void reportUnseenWrites();

  bool weakLoads = false; ///< There are strong loads; they may be late.

private:
  std::unordered_map<uint64_t, StrongWrite> strongWrites; ///< By address.
  std::map<std::pair<uint64_t, Agent>, UnseenWrite> unseenWrites;
  std::set<int> pollingLines; ///< Of late loads, some looked again.
  ClockRef fencedView;        ///< Of all fence.sc until now.

  Machine &machine;
  cases::SplitMix64 weakRandom;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_WEAKLOADS_H
