// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// setmaxnreg: registers of a block move between its warps.
#include "tools/emulator/Decode.h"

#include <algorithm>

namespace tileir::emu {

uint32_t RegisterRules::registersAtEntry(const Function &entry) const {
  auto count = [](const std::array<uint32_t, 3> &n) {
    return n[0] ? n[0] * std::max(1u, n[1]) * std::max(1u, n[2]) : 0;
  };
  if (entry.maxnreg)
    return (entry.maxnreg + 7) / 8 * 8;
  uint32_t threads =
      entry.reqntidGiven ? count(entry.reqntid) : count(entry.maxntid);
  if (!threads) // setmaxnreg is ignored.
    return 0;
  uint64_t blocks = std::max(1u, entry.minBlocksPerSM);
  constexpr uint64_t kFile = 65536; // Registers of an SM, on every target.
  return uint32_t(std::min<uint64_t>(256, kFile / (threads * blocks) / 8 * 8));
}

namespace {

struct RegisterChange {
  int64_t count = 0; ///< A thread.
  bool increases = false;
};

void setmaxnreg(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<RegisterChange>();
  Warp &w = *x.warp;
  Block &b = *x.block;
  uint32_t now = w.registers, wanted = uint32_t(in.count);
  if (!now)
    return;
  int lane = __builtin_ctz(m);
  if (in.increases ? wanted < now : wanted > now) {
    x.m.report(FindingKind::Registers, x, i, lane,
               std::string("setmaxnreg.") + (in.increases ? "inc" : "dec") +
                   " to " + std::to_string(wanted) + " of a warp that has " +
                   std::to_string(now));
    if (x.m.reports(FindingKind::Registers)) {
      x.m.fatal();
      return;
    }
  }
  if (in.increases && wanted > now + b.freeRegisters) {
    // Others have to give some back first.
    x.yield = true;
    x.next = x.group->pc;
    w.polling = true;
    w.sleepVersion = x.m.scheduler.version;
    return;
  }
  b.freeRegisters = b.freeRegisters + now - wanted;
  w.registers = wanted;
  ++w.registerChanges;
  w.registersAt = &i;
  x.m.scheduler.changed();
}

bool decodeSetmaxnreg(Decoder &d) {
  auto &in = d.make<RegisterChange>();
  in.increases = d.has("inc");
  if (!in.increases && !d.has("dec"))
    return d.fail("expected '.inc' or '.dec'");
  d.has("sync");
  d.has("aligned");
  d.type();
  if (!d.operands(1, 1) || !d.immediate(d.operand(0), in.count))
    return false;
  int64_t n = in.count;
  if (n < 24 || n > 256 || n % 8)
    return d.fail("register count must be a multiple of 8 from 24 to 256");
  d.inst.aligned = true;
  d.emit(setmaxnreg, Class::Other);
  return true;
}

} // namespace

uint32_t RegisterRules::awaitedRegisters(const Inst &inst) const {
  return inst.fn == setmaxnreg ? uint32_t(inst.as<RegisterChange>().count) : 0;
}

void RegisterRules::checkRegisterChanges(Block &b) {
  // All warps of a group change together.
  for (size_t first = 0; first < b.warps.size(); first += 4)
    for (size_t k = first + 1; k < std::min(first + 4, b.warps.size()); ++k) {
      const Warp &one = *b.warps[first], &other = *b.warps[k];
      if (one.registerChanges == other.registerChanges)
        continue;
      const Warp &more =
          one.registerChanges > other.registerChanges ? one : other;
      const Warp &less = &more == &one ? other : one;
      machine.report(FindingKind::Registers,
                     machine.placeOf(b, more.index, 0, *more.registersAt),
                     "warp " + std::to_string(less.index) +
                         " of the group does not execute this setmaxnreg",
                     {b.exit});
      break;
    }
}

void registerRegisters() {
  RegisterDecoders({{"setmaxnreg", decodeSetmaxnreg}});
}

} // namespace tileir::emu
