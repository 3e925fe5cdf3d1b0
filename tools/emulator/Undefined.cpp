// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that the ISA leaves undefined, as quotients by zero, and what was in
// tensor memory before anybody wrote it: they may be computed with, but no
// store, address, branch or predicate of one may depend on them. Registers are
// followed only in warps that have such a value, halves of words apart where
// instructions move them or calculate with both.
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
    to.halves[0] |= lanes;
    to.halves[1] |= lanes;
    to.cause = cause;
  }
}

bool RegisterRules::isUndefined(const Exec &x, int32_t row, int lane) {
  const UndefinedValues *u = x.warp->undefined.get();
  if (!u || u->frame != x.frame)
    return false;
  auto it = u->rows.find(row);
  return it != u->rows.end() && (it->second.lanes() >> lane & 1);
}

namespace {

/// One instruction in a warp that has undefined values.
class UndefinedFlow {
public:
  UndefinedFlow(Machine &m, Exec &x, const Inst &inst, const Statement &s,
                Mask lanes)
      : m(m), x(x), inst(inst), s(s), lanes(lanes), u(*x.warp->undefined),
        code(m.image.functions[size_t(inst.function)]), fn(*code.function),
        isControl(inst.cls == Class::Control || inst.cls == Class::Barrier),
        isStore(inst.effect == Effect::Store ||
                inst.effect == Effect::StoreAsync),
        toMemory(isStore || inst.effect == Effect::Reduce ||
                 inst.effect == Effect::Atomic) {}

  void run() {
    Mask guard = 0;
    if (s.guard >= 0)
      guard = maskOf(u.predicates, place(s.guard)) & x.group->mask;
    if (guard && (isControl || toMemory))
      fail(guard, isControl ? "a branch" : "a store");
    if (s.operands.empty())
      return;
    Mask value = useSources() | (guard & lanes);
    if (isStore)
      return;
    value = resultOf(value, guard);
    if (s.operands[0].kind != Operand::Kind::Address && !isControl &&
        !moveHalves(guard) && !calculateHalves(guard))
      set(s.operands[0], value);
  }

private:
  int32_t place(int reg) const { return code.registerRows[size_t(reg)]; }
  int bitsOf(const Operand &o) const {
    return fn.registers[size_t(o.index)].bits;
  }

  Mask maskOf(const std::map<int32_t, UndefinedValues::Row> &map, int32_t key) {
    auto it = map.find(key);
    if (it == map.end())
      return 0;
    cause = it->second.cause;
    return it->second.lanes();
  }

  /// Half of the word `row`; `half` is 0 or 1.
  struct Half {
    int32_t row;
    int half;
  };

  /// The halves that an operand of registers has, lowest first; false for
  /// another one.
  bool collectHalves(const Operand &o, std::vector<Half> &halves) const {
    if (!o.isReg()) {
      for (const Operand &item : o.items)
        if (!collectHalves(item, halves))
          return false;
      return !o.items.empty();
    }
    int bits = bitsOf(o);
    if (bits < 16)
      return false;
    for (int k = 0; k < bits / 16; ++k)
      halves.push_back({place(o.index) + k / 2, k % 2});
    return true;
  }

  Mask ofHalf(Half half) {
    auto it = u.rows.find(half.row);
    if (it == u.rows.end())
      return 0;
    cause = it->second.cause;
    return it->second.halves[half.half];
  }

  /// Writes a half of a word, or both where the register is no longer.
  void putHalf(Half half, bool both, Mask value) {
    UndefinedValues::Row &to = u.rows[half.row];
    for (int k = 0; k < 2; ++k)
      if (both || k == half.half)
        to.halves[k] = (to.halves[k] & ~lanes) | (value & lanes);
    if (value & lanes)
      to.cause = cause;
    if (!to.lanes())
      u.rows.erase(half.row);
  }

  /// Follows each half of what a move packs or unpacks.
  bool moveHalves(Mask guard) {
    std::vector<Half> to, from;
    if (inst.effect != Effect::Move || s.operands.size() != 2 ||
        !collectHalves(s.operands[0], to) ||
        !collectHalves(s.operands[1], from) || to.size() != from.size())
      return false;
    std::vector<Mask> masks;
    std::vector<size_t> causes;
    for (Half half : from) {
      masks.push_back(ofHalf(half) | guard);
      causes.push_back(cause);
    }
    for (size_t k = 0; k < to.size(); ++k) {
      cause = causes[k];
      putHalf(to[k], isShort(s.operands[0], k), masks[k]);
    }
    return true;
  }

  /// Returns whether half `k` of an operand is a register of its own.
  bool isShort(const Operand &o, size_t k) const {
    if (o.isReg())
      return bitsOf(o) == 16;
    for (const Operand &item : o.items) {
      size_t count = size_t(bitsOf(item) / 16);
      if (k < count)
        return count == 1;
      k -= count;
    }
    return false;
  }

  /// Follows both halves of a word through arithmetic that keeps them apart.
  bool calculateHalves(Mask guard) {
    bool isPacked = false;
    for (const char *type : {".s16x2", ".u16x2", ".f16x2", ".bf16x2"})
      isPacked |= s.opcode.find(type) != std::string::npos;
    if (!isPacked || inst.effect != Effect::Compute ||
        s.opcode.compare(0, 4, "cvt.") == 0)
      return false;
    for (const Operand &o : s.operands)
      if (!o.items.empty() || (o.isReg() && bitsOf(o) != 32))
        return false;
    Mask value[2] = {guard, guard};
    for (size_t k = 1; k < s.operands.size(); ++k)
      if (s.operands[k].isReg())
        for (int half = 0; half < 2; ++half)
          value[half] |= ofHalf({place(s.operands[k].index), half});
    for (int half = 0; half < 2; ++half)
      putHalf({place(s.operands[0].index), half}, false, value[half]);
    return true;
  }

  /// Lanes in which an operand is undefined.
  Mask of(const Operand &o) {
    Mask out = 0;
    if (o.isReg()) {
      if (bitsOf(o) == 1)
        return maskOf(u.predicates, place(o.index));
      for (int r = 0; r < std::max(1, bitsOf(o) / 32); ++r)
        out |= maskOf(u.rows, place(o.index) + r);
      return out;
    }
    for (const Operand &item : o.items)
      out |= of(item);
    return out;
  }

  void put(std::map<int32_t, UndefinedValues::Row> &map, int32_t key,
           Mask value) {
    auto it = map.find(key);
    if (it == map.end() && !(value & lanes))
      return;
    UndefinedValues::Row &to = map[key];
    for (Mask &half : to.halves)
      half = (half & ~lanes) | (value & lanes);
    if (value & lanes)
      to.cause = cause;
    if (!to.lanes())
      map.erase(key);
  }

  void set(const Operand &o, Mask value) {
    if (o.isReg()) {
      if (bitsOf(o) == 1)
        return put(u.predicates, place(o.index), value);
      for (int r = 0; r < std::max(1, bitsOf(o) / 32); ++r)
        put(u.rows, place(o.index) + r, value);
      return;
    }
    for (const Operand &item : o.items)
      set(item, value);
  }

  void fail(Mask bad, const char *what) {
    int lane = __builtin_ctz(bad);
    const UndefinedValues::Cause &by = u.causes[cause];
    if (!by.unwritten.empty())
      return m.report(FindingKind::Init, x, *by.inst, lane, by.unwritten,
                      {m.placeOf(*x.block, x.warp->index, lane, inst)});
    m.report(FindingKind::Undefined, x, inst, lane,
             std::string(what) + " depends on the undefined result of line " +
                 std::to_string(by.inst->line),
             {m.placeOf(*x.block, x.warp->index, lane, *by.inst)});
  }

  /// Lanes whose sources, addresses apart, are undefined; a finding where that
  /// must not be.
  Mask useSources() {
    bool firstCounts = isControl && inst.effect != Effect::Call;
    Mask value = 0;
    for (size_t k = 0; k < s.operands.size(); ++k) {
      const Operand &o = s.operands[k];
      bool address = o.kind == Operand::Kind::Address;
      Mask one = k > 0 || address || firstCounts ? of(o) & lanes : 0;
      if (address && one)
        fail(one, "an address");
      else if (one && toMemory)
        fail(one, "a stored value");
      else if (one && inst.effect == Effect::IndexedBranch)
        fail(one, "a branch");
      if (!address)
        value |= one;
    }
    return value;
  }

  /// Lanes in which the result is undefined, of those where sources are.
  Mask resultOf(Mask value, Mask guard) {
    switch (inst.effect) {
    case Effect::Select: {
      // Only the value that is chosen counts.
      Mask p = x.predicate(uint32_t(inst.as<Select>().p));
      return (of(s.operands[1]) & p) | (of(s.operands[2]) & ~p) |
             of(s.operands[3]) | guard;
    }
    case Effect::And:
      return undecided(value, guard, 1, true);
    case Effect::Or:
      return undecided(value, guard, 1, false);
    case Effect::SetPredicate: {
      auto combine = inst.as<SetPredicate>().combine;
      return combine == SetPredicate::And  ? undecided(value, guard, 3, true)
             : combine == SetPredicate::Or ? undecided(value, guard, 3, false)
                                           : value;
    }
    case Effect::Exchange:
    case Effect::Load:
      return 0;
    default:
      return value;
    }
  }

  /// Returns the lanes without those where what another predicate, from operand
  /// `from` on, decides alone is not undefined.
  Mask undecided(Mask value, Mask guard, size_t from, bool isAnd) {
    for (size_t k = from; k < s.operands.size(); ++k) {
      const Operand &o = s.operands[k];
      Mask decides = 0;
      if (o.isReg() && bitsOf(o) == 1) {
        Mask p = x.predicates[place(o.index)] ^ (o.negated ? ~0u : 0);
        decides = (isAnd ? ~p : p) & ~of(o);
      }
      value &= ~decides | guard;
    }
    return value;
  }

  Machine &m;
  Exec &x;
  const Inst &inst;
  const Statement &s;
  Mask lanes;
  UndefinedValues &u;
  const FunctionCode &code;
  const Function &fn;
  bool isControl, isStore, toMemory;
  size_t cause = 0; ///< Of the value that was looked at last.
};

} // namespace

void RegisterRules::followUndefined(Exec &x, const Inst &inst, Mask m) {
  UndefinedValues &u = *x.warp->undefined;
  const Statement *s =
      machine.image.statements[size_t(&inst - machine.image.code.data())];
  if (u.frame != x.frame || !s)
    return;
  UndefinedFlow(machine, x, inst, *s, m).run();
  if (u.rows.empty() && u.predicates.empty())
    x.warp->undefined.reset();
}

} // namespace tileir::emu
