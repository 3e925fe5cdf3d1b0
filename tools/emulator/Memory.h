// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_MEMORY_H
#define TOOLS_EMULATOR_MEMORY_H

#include "tools/emulator/Exec.h"

namespace tileir::emu {

class Machine;

std::string hex(uint64_t value);

/// Regions of memory by address, what may be accessed, and what is written.
class Memory {
public:
  explicit Memory(Machine &machine) : machine(machine) {}

  /// A global allocation; its address is `base`.
  Region &allocate(const std::string &name, uint64_t size, uint64_t align);
  /// Returns whether there are addresses for one more allocation, of the
  /// emulated GPU and of this machine.
  bool hasAddresses(uint64_t size, uint64_t align) const;
  /// Returns whether so many further bytes of emulated memory, with what is
  /// kept of each, fit into the memory of this machine.
  bool fits(uint64_t bytes) const;
  /// The memory of `bytes` at `address`, or null after a finding.
  uint8_t *access(Exec &x, const Inst &inst, int lane, Space space,
                  uint64_t address, uint32_t bytes, AccessKind kind,
                  Region *&region, uint64_t &offset, uint32_t align = 0);
  /// The same of `lanes`, all at once: `places` has their addresses, and then
  /// their offsets in `region`. False where they have to be looked at one by
  /// one: a finding, local memory, mbarriers, several regions.
  bool accessLanes(Exec &x, Space space, Mask lanes, uint64_t *places,
                   uint32_t bytes, uint32_t align, AccessKind kind,
                   Region *&region);
  /// Returns whether all bytes that lanes read are written.
  static bool isWritten(const Region &region, Mask lanes,
                        const uint64_t *offsets, uint32_t bytes);
  void checkWritten(Exec &x, const Inst &inst, int lane, Region &region,
                    uint64_t offset, uint32_t bytes);
  Region *regionAt(uint64_t address);
  const std::vector<std::unique_ptr<Region>> &all() const { return regions; }
  /// Gives every lane of the warp at least `need` bytes of local memory.
  void growLocal(Warp &warp, uint32_t need);
  /// Copies the parameters whose address is taken to local memory.
  void copyParameters(Warp &warp, Frame &frame, Mask lanes);
  /// The copy in flight that may write here, or null.
  const Inst *pendingWrite(Exec &x, const Region &region, uint64_t offset,
                           uint32_t bytes, Place &issue);
  std::string readString(uint64_t address);
  uint64_t readGeneric(Exec &x, int lane, uint64_t address, uint32_t bytes);
  Region &addRegion(const std::string &name, Space space, uint64_t base,
                    uint64_t size);

  /// Where the CTAs' own memory begins, 0 without, and how much each gets.
  uint64_t perCtaBase = 0, perCtaBytes = 0;
  Region *params = nullptr;
  std::vector<uint8_t> sharedGaps; ///< Bytes between variables, by offset.
  uint64_t used = 0;               ///< Bytes that the contents of buffers cost.
  uint64_t heapUsed = 0; ///< Bytes that malloc has given and free not got.

private:
  bool sharedLanes(Exec &x, Space space, Mask lanes, uint64_t *places,
                   uint32_t bytes, Region *&region) const;
  bool globalLanes(Mask lanes, uint64_t *places, uint32_t bytes,
                   AccessKind kind, Region *&region);

  std::vector<std::unique_ptr<Region>> regions; ///< Sorted by base.
  uint64_t nextGlobal = kGlobalBase;
  Region *lastRegion = nullptr;

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_MEMORY_H
