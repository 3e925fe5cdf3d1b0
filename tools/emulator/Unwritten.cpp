// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents that loads find in memory that no thread has written. Compilers copy
// the holes of structures along with their members: moving such bytes about is
// no finding, and they stay unwritten where they are stored. Any other use of
// them is, at the load. Registers are followed only in warps that hold such
// bytes.
#include "tools/emulator/Decode.h"

#include <algorithm>

namespace tileir::emu {

uint64_t RegisterRules::unwrittenBytes(Exec &x, const Inst &inst, int lane,
                                       Region *region, uint64_t offset,
                                       uint32_t bytes, std::string &what) {
  const uint8_t *w =
      region ? region->written.data() + offset : &x.warp->localWritten[offset];
  if (!std::memchr(w, 0, bytes))
    return 0;
  uint64_t out = 0;
  for (uint32_t k = 0; k < bytes; ++k)
    out |= uint64_t(!w[k]) << k;
  uint64_t at = offset + uint64_t(__builtin_ctzll(out));
  char hex[24];
  std::snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)at);
  what = !region ? "read of local memory"
         : region->space == Space::Shared
             ? "read of shared memory at " + std::string(hex)
             : "read of '" + region->name + "' byte " + std::to_string(at);
  Place issue;
  if (region && machine.reports(FindingKind::Race) &&
      machine.memory.pendingWrite(x, *region, at, 1, issue)) {
    machine.report(FindingKind::Race, x, inst, lane,
                   what + " races with the copy issued at line " +
                       std::to_string(issue.line) + ", which is in flight",
                   {issue});
    return 0;
  }
  what += ", which was never written";
  return out;
}

void RegisterRules::loadUnwritten(Exec &x, const Inst &inst, int lane,
                                  int32_t row, uint64_t bytes, bool whole,
                                  const std::string &what) {
  std::unique_ptr<UnwrittenValues> &u = x.warp->unwritten;
  if (!u || u->frame != x.frame) {
    u = std::make_unique<UnwrittenValues>();
    u->frame = x.frame;
  }
  UnwrittenValues::Row &r = u->rows[row];
  r.bytes[size_t(lane)] = uint16_t(bytes);
  r.whole = whole;
  r.used = false;
  if (r.from == &inst && r.place.lane < lane)
    return;
  r.from = &inst;
  r.place = machine.placeOf(*x.block, x.warp->index, lane, inst);
  r.what = what;
}

void RegisterRules::storeUnwritten(Exec &x, int lane, int32_t row,
                                   uint32_t bytes, Region *region,
                                   uint64_t offset) {
  UnwrittenValues &u = *x.warp->unwritten;
  auto it = u.rows.find(row);
  if (u.frame != x.frame || it == u.rows.end())
    return;
  it->second.used = true;
  uint16_t mask = it->second.bytes[size_t(lane)];
  for (uint32_t k = 0; k < bytes; ++k) {
    if (!(mask >> k & 1))
      continue;
    if (!region) {
      x.warp->localWritten[offset + k] = 0;
      continue;
    }
    if (region->written.empty())
      region->written.assign(region->size, 1);
    region->written[offset + k] = 0;
    copied[region->base + offset + k] = {it->second.place, it->second.what};
  }
}

void RegisterRules::forgetUnwritten(Warp &warp, Mask lanes) {
  for (auto &entry : warp.unwritten->rows) {
    UnwrittenValues::Row &r = entry.second;
    bool any = false;
    forLanes(lanes, [&](int l) {
      any |= r.bytes[size_t(l)] != 0;
      r.bytes[size_t(l)] = 0;
    });
    if (any && r.whole && !r.used)
      machine.report(FindingKind::Init, r.place, r.what);
  }
}

bool RegisterRules::reportCopied(const Region &region, uint64_t offset,
                                 uint64_t bytes, bool whole) {
  uint64_t count = 0;
  const Copied *first = nullptr;
  for (uint64_t k = offset; k < offset + bytes; ++k) {
    if (region.written[k])
      continue;
    auto it = copied.find(region.base + k);
    if (it == copied.end())
      continue;
    ++count;
    first = first ? first : &it->second;
  }
  if (!first || (whole && count < bytes))
    return false;
  machine.report(FindingKind::Init, first->place,
                 first->what + "; '" + region.name + "' has a copy of it");
  return true;
}

namespace {

/// One instruction in a warp that holds bytes that no thread has written.
class UnwrittenFlow {
public:
  UnwrittenFlow(Machine &m, Exec &x, const Inst &inst, const Statement &s,
                Mask lanes)
      : m(m), x(x), inst(inst), operands(s.operands), lanes(lanes),
        u(*x.warp->unwritten), code(m.image.functions[size_t(inst.function)]) {}

  void run() {
    switch (inst.effect) {
    case Effect::Call: // Arguments are passed on, whatever they are.
      return;
    case Effect::Store:
      return store();
    case Effect::Move:
      return move();
    case Effect::Select:
    case Effect::And:
    case Effect::Or:
    case Effect::Bitwise:
    case Effect::ShiftLeft:
    case Effect::ShiftRight:
    case Effect::Permute:
    case Effect::BitField:
    case Effect::Convert:
      if (operands.size() > 1 && isValue(operands[0]))
        return keepBytes();
      break;
    default:
      break;
    }
    compute();
  }

private:
  using Bytes = std::array<uint16_t, 32>;

  int bitsOf(const Operand &o) const {
    return code.function->registers[size_t(o.index)].bits;
  }
  int32_t rowOf(const Operand &o) const {
    return code.registerRows[size_t(o.index)];
  }
  int bytesIn(const Operand &o) const {
    return o.isReg() ? std::max(1, bitsOf(o) / 8) : 0;
  }
  bool isValue(const Operand &o) const { return o.isReg() && bitsOf(o) > 1; }
  static std::vector<Operand> partsOf(const Operand &o) {
    return o.kind == Operand::Kind::Vector ? o.items : std::vector<Operand>{o};
  }

  bool any(const Bytes &bytes) const {
    bool out = false;
    forLanes(lanes, [&](int l) { out |= bytes[size_t(l)] != 0; });
    return out;
  }

  /// Returns what the lanes hold of it; null when all was written.
  UnwrittenValues::Row *find(const Operand &o) {
    auto it = isValue(o) ? u.rows.find(rowOf(o)) : u.rows.end();
    return it != u.rows.end() && any(it->second.bytes) ? &it->second : nullptr;
  }

  void use(UnwrittenValues::Row &r) {
    m.report(FindingKind::Init, r.place, r.what);
    r.used = true;
    forLanes(lanes, [&](int l) { r.bytes[size_t(l)] = 0; });
  }

  void useAll(const Operand &o) {
    if (UnwrittenValues::Row *r = find(o))
      use(*r);
    for (const Operand &item : o.items)
      useAll(item);
  }

  /// Gives a register such bytes, which lay in `from`.
  void put(const Operand &o, const Bytes &bytes,
           const UnwrittenValues::Row &from) {
    if (!isValue(o))
      return;
    auto it = u.rows.find(rowOf(o));
    bool some = any(bytes);
    if (it == u.rows.end() && !some)
      return;
    if (it != u.rows.end() && it->second.whole && !it->second.used &&
        any(it->second.bytes))
      use(it->second);
    UnwrittenValues::Row &to = u.rows[rowOf(o)];
    forLanes(lanes, [&](int l) { to.bytes[size_t(l)] = bytes[size_t(l)]; });
    if (some) {
      to.place = from.place;
      to.what = from.what;
      to.whole = false;
    }
    if (std::all_of(to.bytes.begin(), to.bytes.end(),
                    [](uint16_t b) { return !b; }))
      u.rows.erase(rowOf(o));
  }

  /// Notes that a value goes on to another register.
  void passOn(UnwrittenValues::Row &r) {
    r.used = true;
    source.place = r.place;
    source.what = r.what;
  }

  void store() {
    useAll(operands[0]);
    if (operands.size() < 2)
      return;
    for (const Operand &o : partsOf(operands[1]))
      if (UnwrittenValues::Row *r = find(o))
        r->used = true;
  }

  /// One register, or the parts of one, from lowest to highest.
  void move() {
    std::vector<Operand> to = partsOf(operands[0]), from = partsOf(operands[1]);
    int total = 0;
    for (const Operand &o : to.size() > 1 ? from : to)
      total += bytesIn(o);
    Bytes all{};
    int at = 0;
    for (const Operand &o : from) {
      int n = bytesIn(o) ? bytesIn(o) : total / int(from.size());
      if (UnwrittenValues::Row *r = find(o)) {
        for (size_t l = 0; l < 32; ++l)
          all[l] = uint16_t(all[l] | r->bytes[l] << at);
        passOn(*r);
      }
      at += n;
    }
    at = 0;
    for (const Operand &o : to) {
      int n = bytesIn(o) ? bytesIn(o) : total / int(to.size());
      Bytes part;
      for (size_t l = 0; l < 32; ++l)
        part[l] = uint16_t(all[l] >> at & ((1u << n) - 1));
      put(o, part, source);
      at += n;
    }
  }

  /// Operations that keep bytes apart.
  void keepBytes() {
    Bytes out{};
    for (size_t k = 1; k < operands.size(); ++k) {
      UnwrittenValues::Row *r = find(operands[k]);
      if (!r)
        continue;
      passOn(*r);
      for (int l = 0; l < 32; ++l)
        out[size_t(l)] =
            uint16_t(out[size_t(l)] | moved(r->bytes[size_t(l)], k, l));
    }
    uint32_t width = (1u << bytesIn(operands[0])) - 1;
    for (uint16_t &b : out)
      b = uint16_t(b & width);
    put(operands[0], out, source);
  }

  /// Where bytes `b` of source `k` lie in the result.
  uint32_t moved(uint32_t b, size_t k, int l) const {
    const Operand *o = operands.data();
    switch (inst.effect) {
    case Effect::And:
      for (const Operand &other : operands)
        for (int n = 0; other.isImm() && n < 8; ++n)
          if (!(other.bits >> (8 * n) & 0xFF))
            b &= ~(1u << n);
      return b;
    case Effect::Select: {
      bool p = x.predicate(uint32_t(inst.as<Select>().p)) >> l & 1;
      return (k == 1) == p ? b : 0;
    }
    case Effect::ShiftLeft:
      return b << (o[2].bits / 8);
    case Effect::ShiftRight:
      return b >> (o[2].bits / 8);
    case Effect::Permute: {
      uint32_t out = 0;
      for (int n = 0; k < 3 && n < 4; ++n) {
        uint32_t pick = uint32_t(o[3].bits >> (4 * n)) & 7;
        if (pick / 4 == k - 1)
          out |= (b >> (pick % 4) & 1) << n;
      }
      return out;
    }
    case Effect::BitField: {
      uint32_t from = uint32_t(o[2].bits & 0xFF),
               count = uint32_t(o[3].bits & 0xFF), hit = 0;
      for (uint32_t n = 0; n < 8; ++n)
        if (8 * n < from + count && 8 * n + 8 > from)
          hit |= b >> n & 1;
      return hit ? 0xFF : 0;
    }
    case Effect::Convert: {
      const auto &in = inst.as<ConvertRows>();
      uint32_t n = uint32_t(std::min(typeBits(in.from), typeBits(in.to))) / 8;
      bool top = b >> (n - 1) & 1;
      b &= (1u << n) - 1;
      bool isSigned = in.from == Type::S8 || in.from == Type::S16 ||
                      in.from == Type::S32 || in.from == Type::S64;
      return top && isSigned ? b | 0xFFFFu << n : b;
    }
    default:
      return b;
    }
  }

  void clear(const Operand &o) {
    if (o.kind == Operand::Kind::Address)
      return;
    put(o, Bytes{}, source);
    for (const Operand &item : o.items)
      clear(item);
  }

  /// Everything else uses its sources, and its result is written.
  void compute() {
    bool noResult = inst.effect == Effect::Reduce ||
                    inst.effect == Effect::Barrier ||
                    inst.effect == Effect::IndexedBranch;
    bool all = noResult || operands[0].kind == Operand::Kind::Address;
    for (size_t k = all ? 0 : 1; k < operands.size(); ++k)
      useAll(operands[k]);
    if (!noResult)
      clear(operands[0]);
  }

  Machine &m;
  Exec &x;
  const Inst &inst;
  const std::vector<Operand> &operands;
  Mask lanes;
  UnwrittenValues &u;
  const FunctionCode &code;
  UnwrittenValues::Row source; ///< Of what the result holds.
};

} // namespace

void RegisterRules::followUnwritten(Exec &x, const Inst &inst, Mask m) {
  UnwrittenValues &u = *x.warp->unwritten;
  const Statement *s =
      machine.image.statements[size_t(&inst - machine.image.code.data())];
  if (u.frame != x.frame || !s || s->operands.empty())
    return;
  UnwrittenFlow(machine, x, inst, *s, m).run();
  if (u.rows.empty())
    x.warp->unwritten.reset();
}

} // namespace tileir::emu
