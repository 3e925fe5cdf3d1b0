// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loads find in memory that nobody has written. Compilers copy the holes
// of structures along with their members: moving such bytes about is no
// finding, and they stay unwritten where they are stored. Any other use of them
// is, at the load. Registers are followed only in warps that hold such bytes.
#include "tools/emulator/Decode.h"

#include <algorithm>

namespace tileir::emu {

uint64_t RegisterRules::unwrittenBytes(Exec &x, const Inst &inst, int lane,
                                       Region *region, uint64_t offset,
                                       uint32_t bytes, std::string &what) {
  const uint8_t *w =
      region ? region->written.data() + offset : &x.warp->localWritten[offset];
  uint64_t out = 0;
  for (uint32_t k = 0; k < bytes; ++k)
    out |= uint64_t(!w[k]) << k;
  if (!out)
    return 0;
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
                       std::to_string(issue.line) + ", which is under way",
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

void RegisterRules::followUnwritten(Exec &x, const Inst &inst, Mask m) {
  UnwrittenValues &u = *x.warp->unwritten;
  if (u.frame != x.frame)
    return;
  const Statement *s =
      machine.image.statements[size_t(&inst - machine.image.code.data())];
  if (!s || s->operands.empty())
    return;
  const FunctionCode &fc = machine.image.functions[size_t(inst.function)];
  const Function &fn = *fc.function;
  using Bytes = std::array<uint16_t, 32>;
  auto rowOf = [&](const Operand &o) {
    return fc.registerRows[size_t(o.index)];
  };
  auto bytesIn = [&](const Operand &o) {
    return o.isReg() ? std::max(1, fn.registers[size_t(o.index)].bits / 8) : 0;
  };
  auto isValue = [&](const Operand &o) {
    return o.isReg() && fn.registers[size_t(o.index)].bits > 1;
  };
  /// What lanes of `m` hold of it; null when all was written.
  auto find = [&](const Operand &o) -> UnwrittenValues::Row * {
    auto it = isValue(o) ? u.rows.find(rowOf(o)) : u.rows.end();
    if (it == u.rows.end())
      return nullptr;
    bool any = false;
    forLanes(m, [&](int l) { any |= it->second.bytes[size_t(l)] != 0; });
    return any ? &it->second : nullptr;
  };
  auto used = [&](UnwrittenValues::Row &r) {
    machine.report(FindingKind::Init, r.place, r.what);
    r.used = true;
    forLanes(m, [&](int l) { r.bytes[size_t(l)] = 0; });
  };
  auto useAll = [&](auto &&self, const Operand &o) -> void {
    if (UnwrittenValues::Row *r = find(o))
      used(*r);
    for (const Operand &item : o.items)
      self(self, item);
  };
  auto put = [&](const Operand &o, const Bytes &bytes,
                 const UnwrittenValues::Row *from) {
    if (!isValue(o))
      return;
    auto it = u.rows.find(rowOf(o));
    bool any = false;
    forLanes(m, [&](int l) { any |= bytes[size_t(l)] != 0; });
    if (it == u.rows.end() && !any)
      return;
    if (it != u.rows.end() && it->second.whole && !it->second.used) {
      bool lost = false;
      forLanes(m, [&](int l) { lost |= it->second.bytes[size_t(l)] != 0; });
      if (lost)
        used(it->second);
    }
    UnwrittenValues::Row place = from ? *from : UnwrittenValues::Row();
    UnwrittenValues::Row &to = u.rows[rowOf(o)];
    forLanes(m, [&](int l) { to.bytes[size_t(l)] = bytes[size_t(l)]; });
    if (any) {
      to.place = place.place;
      to.what = place.what;
      to.whole = false;
    }
    if (std::all_of(to.bytes.begin(), to.bytes.end(),
                    [](uint16_t b) { return !b; }))
      u.rows.erase(rowOf(o));
  };
  const std::string &name = s->words[0];
  const std::vector<Operand> &ops = s->operands;
  auto word = [&](size_t k) {
    return s->words.size() > k ? s->words[k] : std::string();
  };
  bool store = name == "st" && word(1) != "async" && word(1) != "bulk";
  bool noResult = store || name == "red" || name == "bar" ||
                  name == "barrier" || name == "brx";
  if (store) {
    useAll(useAll, ops[0]);
    if (ops.size() > 1)
      for (const Operand &o : ops[1].kind == Operand::Kind::Vector
                                  ? ops[1].items
                                  : std::vector<Operand>{ops[1]})
        if (UnwrittenValues::Row *r = find(o))
          r->used = true;
  } else if (name == "call") {
    // Arguments are passed on, whatever they are.
  } else if (name == "mov" && ops.size() == 2) {
    // One register, or the parts of one, from lowest to highest.
    auto partsOf = [](const Operand &o) {
      return o.kind == Operand::Kind::Vector ? o.items
                                             : std::vector<Operand>{o};
    };
    std::vector<Operand> to = partsOf(ops[0]), from = partsOf(ops[1]);
    int total = 0;
    for (const Operand &o : to.size() > 1 ? from : to)
      total += bytesIn(o);
    Bytes all{};
    UnwrittenValues::Row source;
    int at = 0;
    for (const Operand &o : from) {
      int n = bytesIn(o) ? bytesIn(o) : total / int(from.size());
      if (UnwrittenValues::Row *r = find(o)) {
        for (size_t l = 0; l < 32; ++l)
          all[l] = uint16_t(all[l] | r->bytes[l] << at);
        r->used = true;
        source.place = r->place;
        source.what = r->what;
      }
      at += n;
    }
    at = 0;
    for (const Operand &o : to) {
      int n = bytesIn(o) ? bytesIn(o) : total / int(to.size());
      Bytes part;
      for (size_t l = 0; l < 32; ++l)
        part[l] = uint16_t(all[l] >> at & ((1u << n) - 1));
      put(o, part, &source);
      at += n;
    }
    if (u.rows.empty())
      x.warp->unwritten.reset();
    return;
  } else if (ops.size() > 1 && isValue(ops[0])) {
    // Operations that keep bytes apart.
    bool bitwise = name == "and" || name == "or" || name == "xor" ||
                   name == "not" || name == "lop3" || name == "selp";
    bool shift = (name == "shl" || name == "shr") && ops[2].isImm() &&
                 ops[2].bits % 8 == 0 && ops[2].bits < 64 && word(1)[0] != 's';
    bool permute = name == "prmt" && word(1) == "b32" && ops[3].isImm();
    bool field = name == "bfe" && ops[2].isImm() && ops[3].isImm();
    bool convert = name == "cvt" && s->words.size() == 3 &&
                   word(1).find('f') > 1 && word(2).find('f') > 1 &&
                   word(2)[0] != 'e' && word(1)[0] != 'e';
    if (bitwise || shift || permute || field || convert) {
      Bytes out{};
      UnwrittenValues::Row source;
      for (size_t k = 1; k < ops.size(); ++k) {
        UnwrittenValues::Row *r = find(ops[k]);
        if (!r)
          continue;
        r->used = true;
        source.place = r->place;
        source.what = r->what;
        for (int l = 0; l < 32; ++l) {
          uint32_t b = r->bytes[size_t(l)];
          if (name == "and")
            for (size_t o = 1; o < ops.size(); ++o)
              for (int n = 0; ops[o].isImm() && n < 8; ++n)
                if (!(ops[o].bits >> (8 * n) & 0xFF))
                  b &= ~(1u << n);
          if (name == "selp") {
            bool p = x.predicate(uint32_t(inst.as<Select>().p)) >> l & 1;
            b = (k == 1) == p ? b : 0;
          }
          if (shift)
            b = name == "shl" ? b << (ops[2].bits / 8) : b >> (ops[2].bits / 8);
          if (permute) {
            uint32_t moved = 0;
            for (int n = 0; k < 3 && n < 4; ++n) {
              uint32_t pick = uint32_t(ops[3].bits >> (4 * n)) & 7;
              if (pick / 4 == k - 1)
                moved |= (b >> (pick % 4) & 1) << n;
            }
            b = moved;
          }
          if (field) {
            uint32_t from = uint32_t(ops[2].bits & 0xFF),
                     count = uint32_t(ops[3].bits & 0xFF);
            uint32_t hit = 0;
            for (uint32_t n = 0; n < 8; ++n)
              if (8 * n < from + count && 8 * n + 8 > from)
                hit |= b >> n & 1;
            b = hit ? 0xFF : 0;
          }
          if (convert) {
            uint32_t bits = uint32_t(std::atoi(word(2).c_str() + 1));
            uint32_t to = uint32_t(std::atoi(word(1).c_str() + 1));
            uint32_t n = std::max(1u, std::min(bits, to) / 8);
            bool top = b >> (n - 1) & 1;
            b &= (1u << n) - 1;
            if (top && word(2)[0] == 's')
              b |= 0xFFFFu << n;
          }
          out[size_t(l)] = uint16_t(out[size_t(l)] | b);
        }
      }
      uint32_t width = (1u << bytesIn(ops[0])) - 1;
      for (uint16_t &b : out)
        b = uint16_t(b & width);
      put(ops[0], out, &source);
      if (u.rows.empty())
        x.warp->unwritten.reset();
      return;
    }
  }
  if (!store && name != "call")
    for (size_t k = noResult || ops[0].kind == Operand::Kind::Address ? 0 : 1;
         k < ops.size(); ++k)
      useAll(useAll, ops[k]);
  if (!noResult && name != "call") {
    auto clear = [&](auto &&self, const Operand &o) -> void {
      if (o.kind != Operand::Kind::Address) {
        put(o, Bytes{}, nullptr);
        for (const Operand &item : o.items)
          self(self, item);
      }
    };
    clear(clear, ops[0]);
  }
  if (u.rows.empty())
    x.warp->unwritten.reset();
}

} // namespace tileir::emu
