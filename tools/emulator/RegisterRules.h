// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_REGISTERRULES_H
#define TOOLS_EMULATOR_REGISTERRULES_H

#include "tools/emulator/Exec.h"

#include <unordered_map>

namespace tileir::emu {

class Machine;

/// Rules about registers: those that asynchronous instructions use, values that
/// are undefined or that no thread has written, setmaxnreg.
class RegisterRules {
public:
  explicit RegisterRules(Machine &machine) : machine(machine) {}

  struct Copied {
    Place place;
    std::string what;
  };
  /// A register got a value that the ISA does not define.
  void undefinedResult(Exec &x, const Inst &inst, Mask lanes, int32_t row,
                       int rows, const std::string &unwritten = "");
  /// Returns whether `lane` of a register holds such a value.
  static bool isUndefined(const Exec &x, int32_t row, int lane);
  void followUndefined(Exec &x, const Inst &inst, Mask m);
  /// Bytes of a load, one bit each, that no thread has written; a race instead
  /// when a copy in flight will. `region` null: local memory.
  uint64_t unwrittenBytes(Exec &x, const Inst &inst, int lane, Region *region,
                          uint64_t offset, uint32_t bytes, std::string &what);
  void loadUnwritten(Exec &x, const Inst &inst, int lane, int32_t row,
                     uint64_t bytes, bool whole, const std::string &what);
  /// The registers of these lanes end: what was loaded and never looked at.
  void forgetUnwritten(Warp &warp, Mask lanes);
  void storeUnwritten(Exec &x, int lane, int32_t row, uint32_t bytes,
                      Region *region, uint64_t offset);
  void followUnwritten(Exec &x, const Inst &inst, Mask m);
  /// Returns whether an output has bytes (`whole`: consists of bytes) that were
  /// copied from where no thread had written; the load is reported.
  bool reportCopied(const Region &region, uint64_t offset, uint64_t bytes,
                    bool whole);
  /// Registers of a thread when the entry starts; 0: not known.
  uint32_t registersAtEntry(const Function &entry) const;
  /// Registers of a thread that the instruction asks for, 0 when it is none
  /// that does.
  uint32_t awaitedRegisters(const Inst &inst) const;
  void checkRegisterChanges(Block &block);
  /// Reports reads of tcgen05.ld registers that no wait has followed.
  void settleEarlyReads(Exec &x);
  /// Before an instruction with watched registers runs.
  void watchRegisters(Exec &x, const Inst &inst, Mask m);
  void fenceRegisters(Exec &x);
  void wgmmaRegisters(Exec &x, const Inst &inst, uint32_t sequence);
  void loadRegisters(Exec &x, const Inst &inst);

  std::unordered_map<uint64_t, Copied> copied; ///< By address.
  std::vector<Watch> watches{1};

private:
  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_REGISTERRULES_H
