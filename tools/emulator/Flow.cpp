// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, exits, traps and hints.
#include "tools/emulator/Decode.h"

namespace tileir::emu {

namespace {

void branch(Exec &x, const Inst &i, Mask m) {
  if (m == x.group->mask) {
    x.next = i.target;
    return;
  }
  x.m.scheduler.splitGroup(x, m, i.target);
}

void branchIndexed(Exec &x, const Inst &i, Mask m) {
  const Branch &in = i.as<Branch>();
  const std::vector<int32_t> &targets = in.targets;
  auto *index = x.row<uint32_t>(in.index);
  int first = __builtin_ctz(m);
  uint32_t value = index[first];
  if (value >= targets.size()) {
    x.m.report(FindingKind::Undefined, x, i, first,
               "branch index " + std::to_string(value) + " of " +
                   std::to_string(targets.size()) + " targets");
    x.m.fatal();
    return;
  }
  Mask same = 0;
  forLanes(m, [&](int l) { same |= Mask(index[l] == value) << l; });
  if (same == x.group->mask) {
    x.next = targets[value];
    return;
  }
  // The others come back for their own targets.
  x.m.scheduler.splitGroup(x, same, targets[value]);
  if (m != same) {
    Mask rest = m & ~same;
    if (rest == x.group->mask)
      x.next = x.group->pc;
    else
      x.m.scheduler.splitGroup(x, rest, x.group->pc);
  }
}

void exitThreads(Exec &x, const Inst &i, Mask m) {
  x.m.scheduler.exitLanes(x, m);
}

void trap(Exec &x, const Inst &i, Mask m) {
  x.m.report(FindingKind::Trap, x, i, __builtin_ctz(m), "trap");
  x.m.fatal();
}

void nothing(Exec &, const Inst &, Mask) {}
void yieldNow(Exec &x, const Inst &, Mask) { x.yield = true; }

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeBra(Decoder &d) {
  d.has("uni");
  if (!d.operands(1, 1) || d.operand(0).kind != Operand::Kind::Label)
    return d.fail("expected a label");
  d.make<Branch>().label = d.operand(0).name;
  d.inst.branches = true;
  d.emit(branch, Class::Control);
  return true;
}
bool decodeBrx(Decoder &d) {
  auto &in = d.make<Branch>();
  if (!d.has("idx"))
    return d.fail("expected '.idx'");
  d.has("uni");
  if (!d.operands(2, 2) || d.operand(1).kind != Operand::Kind::Label)
    return d.fail("expected an index and a list of targets");
  in.label = d.operand(1).name;
  if (!d.source(d.operand(0), Type::U32, in.index))
    return false;
  d.inst.branches = true;
  d.emit(branchIndexed, Class::Control);
  return true;
}

bool decodeExit(Decoder &d) {
  d.emit(exitThreads, Class::Control);
  return true;
}
bool decodeTrap(Decoder &d) {
  d.emit(trap, Class::Control);
  return true;
}
bool decodeNothing(Decoder &d) {
  // Hints: the operands may be anything.
  for (size_t i = 1; i < d.s->words.size(); ++i)
    d.has(d.s->words[i]);
  d.emit(nothing, Class::Other);
  return true;
}
bool decodeNanosleep(Decoder &d) {
  d.type();
  d.emit(yieldNow, Class::Other);
  return true;
}

} // namespace

void registerFlow() {
  RegisterDecoders({
      {"bra", decodeBra},
      {"brx", decodeBrx},
      {"exit", decodeExit},
      {"trap", decodeTrap},
      {"brkpt", decodeNothing},
      {"pmevent", decodeNothing},
      {"griddepcontrol", decodeNothing},
      {"prefetch", decodeNothing},
      {"prefetchu", decodeNothing},
      {"applypriority", decodeNothing},
      {"nanosleep", decodeNanosleep},
  });
}

} // namespace tileir::emu
