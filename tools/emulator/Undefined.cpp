// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that the ISA leaves undefined, as quotients by zero, and what was in
// tensor memory before anybody wrote it: they may be computed with, but no
// store, address, branch or predicate of one may depend on them. Registers are
// followed only in warps that have such a value.
#include "tools/emulator/Decode.h"

#include <algorithm>

namespace tileir::emu {

void RegisterRules::undefinedResult(Exec &x, const Inst &inst, Mask lanes,
                                    int32_t row, int rows,
                                    const std::string &unwritten) {
  std::unique_ptr<UndefinedValues> &u = x.warp->undefined;
  if (!u || u->frame != x.frame) {
    u = std::make_unique<UndefinedValues>();
    u->frame = x.frame;
  }
  size_t cause = 0;
  while (cause < u->causes.size() && u->causes[cause].inst != &inst)
    ++cause;
  if (cause == u->causes.size())
    u->causes.push_back({&inst, unwritten});
  for (int r = 0; r < rows; ++r) {
    UndefinedValues::Row &to = u->rows[row + r];
    to.lanes |= lanes;
    to.cause = cause;
  }
}

bool RegisterRules::isUndefined(const Exec &x, int32_t row, int lane) {
  const UndefinedValues *u = x.warp->undefined.get();
  if (!u || u->frame != x.frame)
    return false;
  auto it = u->rows.find(row);
  return it != u->rows.end() && (it->second.lanes >> lane & 1);
}

void RegisterRules::followUndefined(Exec &x, const Inst &inst, Mask m) {
  UndefinedValues &u = *x.warp->undefined;
  if (u.frame != x.frame)
    return;
  const Statement *s =
      machine.image.statements[size_t(&inst - machine.image.code.data())];
  if (!s)
    return;
  const Function &fn = *machine.image.functions[size_t(inst.function)].function;
  const std::vector<int32_t> &place =
      machine.image.functions[size_t(inst.function)].registerRows;
  size_t cause = 0; // Of the value that was looked at last.
  auto maskOf = [&](const std::map<int32_t, UndefinedValues::Row> &map,
                    int32_t key) {
    auto it = map.find(key);
    if (it == map.end())
      return Mask(0);
    cause = it->second.cause;
    return it->second.lanes;
  };
  auto of = [&](auto &&self, const Operand &o) -> Mask {
    Mask out = 0;
    if (o.isReg()) {
      int bits = fn.registers[size_t(o.index)].bits;
      int32_t row = place[size_t(o.index)];
      if (bits == 1)
        return maskOf(u.predicates, row);
      for (int r = 0; r < std::max(1, bits / 32); ++r)
        out |= maskOf(u.rows, row + r);
      return out;
    }
    for (const Operand &item : o.items)
      out |= self(self, item);
    return out;
  };
  auto set = [&](auto &&self, const Operand &o, Mask value) -> void {
    if (o.isReg()) {
      int bits = fn.registers[size_t(o.index)].bits;
      int32_t row = place[size_t(o.index)];
      auto put = [&](std::map<int32_t, UndefinedValues::Row> &map,
                     int32_t key) {
        auto it = map.find(key);
        Mask old = it == map.end() ? 0 : it->second.lanes & ~m;
        if (value & m)
          map[key] = {old | (value & m), cause};
        else if (old)
          it->second.lanes = old;
        else if (it != map.end())
          map.erase(it);
      };
      if (bits == 1)
        return put(u.predicates, row);
      for (int r = 0; r < std::max(1, bits / 32); ++r)
        put(u.rows, row + r);
      return;
    }
    for (const Operand &item : o.items)
      self(self, item, value);
  };
  auto fail = [&](Mask lanes, const char *what) {
    int lane = __builtin_ctz(lanes);
    const UndefinedValues::Cause &by = u.causes[cause];
    if (!by.unwritten.empty())
      return machine.report(
          FindingKind::Init, x, *by.inst, lane, by.unwritten,
          {machine.placeOf(*x.block, x.warp->index, lane, inst)});
    machine.report(FindingKind::Undefined, x, inst, lane,
                   std::string(what) +
                       " depends on the undefined result of line " +
                       std::to_string(by.inst->line),
                   {machine.placeOf(*x.block, x.warp->index, lane, *by.inst)});
  };
  Mask guard = 0;
  if (s->guard >= 0)
    guard = maskOf(u.predicates, place[size_t(s->guard)]) & x.group->mask;
  const std::string &name = s->words[0];
  bool control = inst.cls == Class::Control || inst.cls == Class::Barrier;
  bool toMemory = name == "st" || name == "red" || name == "atom";
  if (guard && (control || toMemory))
    fail(guard, control ? "a branch" : "a store");
  if (s->operands.empty())
    return;
  Mask value = guard & m;
  for (size_t k = 0; k < s->operands.size(); ++k) {
    const Operand &o = s->operands[k];
    bool address = o.kind == Operand::Kind::Address;
    Mask one = (k > 0 || address || (control && name != "call") ? of(of, o)
                                                                : Mask(0)) &
               m;
    if (address && one)
      fail(one, "an address");
    else if (one && toMemory)
      fail(one, "a stored value");
    else if (one && name == "brx")
      fail(one, "a branch");
    if (!address)
      value |= one;
  }
  if (toMemory && name == "st")
    return;
  if (name == "selp" && s->operands.size() == 4) {
    // Only the value that is chosen counts.
    Mask p = x.predicate(uint32_t(inst.as<Select>().p));
    value = (of(of, s->operands[1]) & p) | (of(of, s->operands[2]) & ~p) |
            of(of, s->operands[3]) | guard;
  } else if (name == "and" || name == "or" || name == "setp") {
    // What the other operand decides alone is not undefined.
    auto isWord = [&](const char *w) {
      return std::find(s->words.begin(), s->words.end(), w) != s->words.end();
    };
    bool all = name == "and" || isWord("and"),
         any = name == "or" || isWord("or");
    auto decides = [&](const Operand &o) -> Mask {
      if (!o.isReg() || fn.registers[size_t(o.index)].bits != 1)
        return 0;
      Mask p = x.predicates[place[size_t(o.index)]] ^ (o.negated ? ~0u : 0);
      return (all ? ~p : p) & ~of(of, o);
    };
    size_t from = name == "setp" ? 3 : 1;
    for (size_t k = from; (all || any) && k < s->operands.size(); ++k)
      value &= ~decides(s->operands[k]) | guard;
  } else if (name == "shfl" || name == "vote" || name == "match" ||
             name == "redux" || name == "ld") {
    value = 0;
  }
  if (s->operands[0].kind != Operand::Kind::Address && !control)
    set(set, s->operands[0], value);
  if (u.rows.empty() && u.predicates.empty())
    x.warp->undefined.reset();
}

} // namespace tileir::emu
