// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05: tensor memory, its loads, stores and fences.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/TensorCore.h"

#include <algorithm>

namespace tileir::emu {

TensorMemory &memoryOf(Block &b) {
  if (!b.tmem) {
    b.tmem = std::make_unique<TensorMemory>();
    Region &r = b.tmem->region;
    r.name = "tensor memory";
    r.space = Space::Global;
    r.size = kColumns * kLanes * 4;
    r.data.assign(r.size, 0xCD);
    r.written.assign(r.size, 0);
    r.base = uint64_t(1) << 62 | uint64_t(b.linear) << 24;
  }
  return *b.tmem;
}

bool checkGroup(Exec &x, const Inst &i, int lane, int group) {
  if (!x.m.tensor.tensorGroup)
    x.m.tensor.tensorGroup = group;
  if (x.m.tensor.tensorGroup == group)
    return true;
  x.m.report(FindingKind::Tcgen05, x, i, lane,
             "cta_group::" + std::to_string(group) +
                 " in a kernel that uses cta_group::" +
                 std::to_string(x.m.tensor.tensorGroup));
  x.m.fatal();
  return false;
}

namespace {

/// tcgen05.alloc, .dealloc and .relinquish_alloc_permit.
struct ColumnsOperands {
  AddressOperand to;                ///< Where alloc writes the address.
  int32_t address = 0, columns = 0; ///< Rows.
  uint8_t group = 1;
};

/// The first of `n` columns that are free; kColumns when there are none.
uint32_t freeColumns(const TensorMemory &t, uint32_t n) {
  for (uint32_t c = 0; c + n <= kColumns; c += n) {
    bool free = true;
    for (const auto &p : t.pieces)
      free &= c + n <= p.column || p.column + p.columns <= c;
    if (free)
      return c;
  }
  return kColumns;
}

void alloc(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ColumnsOperands>();
  int l = __builtin_ctz(m);
  uint32_t n = x.row<uint32_t>(in.columns)[l];
  TensorMemory &t = memoryOf(*x.block);
  if (!checkGroup(x, i, l, in.group))
    return;
  if (t.relinquished) {
    x.m.report(FindingKind::Tcgen05, x, i, l,
               "tcgen05.alloc after tcgen05.relinquish_alloc_permit");
    x.m.fatal();
    return;
  }
  if (n < 32 || n > 512 || (n & (n - 1))) {
    x.m.report(FindingKind::Tcgen05, x, i, l,
               std::to_string(n) +
                   " columns cannot be allocated; use a power of two from 32 "
                   "to 512");
    x.m.fatal();
    return;
  }
  uint32_t at = freeColumns(t, n);
  if (at == kColumns) {
    // Another thread has to free columns first.
    x.yield = true;
    x.next = x.group->pc;
    x.warp->polling = true;
    x.warp->sleepVersion = x.m.scheduler.version;
    return;
  }
  t.pieces.push_back({at, n, x.m.placeOf(*x.block, x.warp->index, l, i)});
  Region *region = nullptr;
  uint64_t offset;
  uint8_t *p = x.m.memory.access(x, i, l, in.to.space, laneAddress(x, in.to, l),
                                 4, AccessKind::Write, region, offset);
  if (!p)
    return;
  x.m.races.touch(x, i, l, *region, offset, 4, AccessKind::Write, Semantics());
  // The tensor core writes the address: no fence between proxies is needed
  // when a copy overwrites it.
  x.m.races.giveToProxy(*region, offset);
  std::memcpy(p, &at, 4);
  x.m.scheduler.changed();
}

void dealloc(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<ColumnsOperands>();
  int l = __builtin_ctz(m);
  uint32_t address = x.row<uint32_t>(in.address)[l],
           n = x.row<uint32_t>(in.columns)[l];
  TensorMemory &t = memoryOf(*x.block);
  if (!checkGroup(x, i, l, in.group))
    return;
  for (size_t k = 0; k < t.pieces.size(); ++k)
    if (t.pieces[k].column == (address & 0xFFFF) && t.pieces[k].columns == n) {
      x.m.tensor.checkTensorFree(x, i, l, t, t.pieces[k].column, n);
      t.freed.push_back(t.pieces[k]);
      t.freed.back().where = x.m.placeOf(*x.block, x.warp->index, l, i);
      t.pieces.erase(t.pieces.begin() + long(k));
      x.m.scheduler.changed();
      return;
    }
  x.m.report(FindingKind::Tcgen05, x, i, l,
             "tensor memory that is freed was not allocated in this size");
  x.m.fatal();
}

void relinquish(Exec &x, const Inst &i, Mask m) {
  if (checkGroup(x, i, __builtin_ctz(m), i.as<ColumnsOperands>().group))
    memoryOf(*x.block).relinquished = true;
}

void fenceBefore(Exec &x, const Inst &, Mask m) {
  x.m.registers.settleEarlyReads(x);
  x.m.tensor.tensorPublish(x, m, true);
}

void fenceAfter(Exec &x, const Inst &, Mask m) {
  forLanes(m, [&](int l) { x.clock(l).tensorKnown = x.clock(l).known; });
}

/// Who the warp is in its loads or stores; numbers the next one.
TensorUser accessUser(Exec &x, bool store) {
  WarpTensor &w = x.warp->tensor;
  if (w.agent[store] == kNoAgent)
    w.agent[store] = x.block->newAgentPair();
  ++w.issued[store];
  TensorUser user = x.m.tensor.tensorUser(x, 0);
  user.as = w.agent[store];
  user.clock = w.issued[store];
  return user;
}

/// TMEM row and column offset of register r of a lane.
void spot(const TensorRows &in, int L, int r, uint32_t &row, uint32_t &column) {
  switch (in.shape) {
  case TensorRows::Lanes32x32b:
    row = uint32_t(L);
    column = uint32_t(r);
    break;
  case TensorRows::Lanes16x64b:
    row = uint32_t((L >> 2) + 8 * (L & 1));
    column = uint32_t((L >> 1 & 1) + 2 * r);
    break;
  case TensorRows::Lanes16x128b:
    row = uint32_t((L >> 2) + 8 * (r & 1));
    column = uint32_t((L & 3) + 4 * (r >> 1));
    break;
  case TensorRows::Lanes16x256b:
    row = uint32_t((L >> 2) + 8 * (r >> 1 & 1));
    column = uint32_t(2 * (L & 3) + (r & 1) + 8 * (r >> 2));
    break;
  case TensorRows::Lanes16x32bx2:
    row = uint32_t(L & 15);
    column = uint32_t(r);

    break;
  }
}

/// Reports columns that were allocated once.
bool wasFreed(Exec &x, const Inst &i, int lane, TensorMemory &t,
              uint32_t column) {
  for (const auto &p : t.freed)
    if (column >= p.column && column < p.column + p.columns) {
      x.m.report(FindingKind::Lifetime, x, i, lane,
                 "tensor memory column " + std::to_string(column) +
                     " was freed at line " + std::to_string(p.where.line),
                 {p.where});
      x.m.fatal();
      return true;
    }
  return false;
}

/// The cell of register r of lane L, or null after a finding.
uint32_t *tensorCell(Exec &x, const Inst &i, uint32_t address, int L, int r,
                     int half, AccessKind kind, const TensorUser &user,
                     std::string *unwritten = nullptr,
                     uint8_t **written = nullptr) {
  const auto &in = i.as<TensorRows>();
  uint32_t row, column;
  spot(in, L, r, row, column);
  if (in.packs) // Two neighbouring columns to a register.
    column = 2 * column + uint32_t(half);
  if (in.shape == TensorRows::Lanes16x32bx2 && L >= 16)
    column += uint32_t(in.halfOffset);
  row += address >> 16;
  column += address & 0xFFFF;
  TensorMemory &t = memoryOf(*x.block);
  bool allocated = false;
  for (const auto &p : t.pieces)
    allocated |= column >= p.column && column < p.column + p.columns;
  if (row < kLanes && !allocated && wasFreed(x, i, L, t, column))
    return nullptr;
  if (row >= kLanes || !allocated) {
    x.m.report(FindingKind::Bounds, x, i, L,
               "tensor memory lane " + std::to_string(row) + ", column " +
                   std::to_string(column) + " is not allocated");
    x.m.fatal();
    return nullptr;
  }
  uint64_t offset = cellOffset(row, column);
  x.m.tensor.touchTensor(x, i, L, t, offset, kind, user, unwritten);
  if (written)
    *written = &t.region.written[offset];
  return reinterpret_cast<uint32_t *>(&t.region.data[offset]);
}

bool checkQuarter(Exec &x, const Inst &i, uint32_t address) {
  uint32_t lane = address >> 16, own = uint32_t(x.warp->index % 4) * 32;
  bool sixteen = i.as<TensorRows>().shape != TensorRows::Lanes32x32b;
  if (lane == own || (sixteen && lane == own + 16))
    return true;
  x.m.report(FindingKind::Tcgen05, x, i, 0,
             "warp " + std::to_string(x.warp->index) +
                 " can only access lanes " + std::to_string(own) + " to " +
                 std::to_string(own + 31) + " of tensor memory, not lane " +
                 std::to_string(lane));
  x.m.fatal();
  return false;
}

/// min or max of what a lane loaded.
uint32_t reduced(const TensorAccess &a, const TensorRows &in, size_t count,
                 size_t lane) {
  bool isMax = in.reduction == TensorRows::Max;
  Type t = in.type;
  auto value = [&](size_t r) { return a.values[r * 32 + lane]; };
  uint32_t all = value(0);
  if (t == Type::F32) {
    auto number = [&](size_t r) {
      float f = asFloat(value(r));
      return in.isAbs ? std::fabs(f) : f;
    };
    float f = number(0);
    for (size_t r = 1; r < count; ++r)
      f = isMax ? maximum(f, number(r), in.keepsNaN)
                : minimum(f, number(r), in.keepsNaN);
    return asBits(canonical(f));
  }
  for (size_t r = 1; r < count; ++r) {
    uint32_t v = value(r);
    bool less = t == Type::S32 ? int32_t(v) < int32_t(all) : v < all;
    if (v != all && less != isMax)
      all = v;
  }
  return all;
}

void tensorLoad(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TensorRows>();
  uint32_t address = tensorAddressOf(x, in.address, 0);
  if (!checkQuarter(x, i, address))
    return;
  const std::vector<int32_t> &to = in.rows;
  TensorUser user = accessUser(x, false);
  x.m.registers.loadRegisters(x, i);
  TensorAccess a{&i, x.frame, address, std::vector<uint32_t>(to.size() * 32)};
  // The last register of .red has the reduction.
  size_t count = to.size() - (in.reduction ? 1 : 0);
  // Compilers load before they know whether there is anything: what no thread
  // has written must not reach a store, an address or a branch.
  for (int r = 0; r < int(count); ++r) {
    Mask undefined = 0;
    std::string first;
    for (int l = 0; l < 32; ++l) {
      uint32_t value = 0;
      for (int half = 0; half < (in.packs ? 2 : 1); ++half) {
        std::string unwritten;
        uint32_t *c = tensorCell(x, i, address, l, r, half, AccessKind::Read,
                                 user, &unwritten);
        if (!c)
          return;
        value |= in.packs ? (*c & 0xFFFF) << (16 * half) : *c;
        if (unwritten.empty())
          continue;
        undefined |= 1u << l;
        if (first.empty())
          first = unwritten;
      }
      a.values[size_t(r) * 32 + size_t(l)] = value;
    }
    if (!undefined)
      continue;
    x.m.registers.undefinedResult(x, i, undefined, to[size_t(r)], 1, first);
    if (in.reduction)
      x.m.registers.undefinedResult(x, i, undefined, to[count], 1, first);
  }
  for (size_t l = 0; l < 32 && in.reduction; ++l)
    a.values[count * 32 + l] = reduced(a, in, count, l);
  bool now =
      x.m.options.async == AsyncMode::Early ||
      (x.m.options.async == AsyncMode::Random && x.m.scheduler.random() % 2);
  x.warp->tensorLoads.push_back(std::move(a));
  if (now)
    x.m.tensor.deliverTensorLoads(x);
}

void waitLoads(Exec &x, const Inst &, Mask m) {
  x.m.tensor.deliverTensorLoads(x);
  if (x.warp->watch)
    x.warp->watch->early.clear();
  WarpTensor &w = x.warp->tensor;
  w.waited[0] = w.issued[0];
  x.m.tensor.tensorPublish(x, m, false);
}

void waitStores(Exec &x, const Inst &, Mask m) {
  WarpTensor &w = x.warp->tensor;
  w.waited[1] = w.issued[1];
  x.m.tensor.tensorPublish(x, m, false);
}

void tensorStore(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<TensorRows>();
  uint32_t address = tensorAddressOf(x, in.address, 0);
  if (!checkQuarter(x, i, address))
    return;
  const std::vector<int32_t> &from = in.rows;
  TensorUser user = accessUser(x, true);
  for (int r = 0; r < int(from.size()); ++r)
    for (int l = 0; l < 32; ++l) {
      uint32_t value = x.row<uint32_t>(from[size_t(r)])[l];
      for (int half = 0; half < (in.packs ? 2 : 1); ++half) {
        uint8_t *written = nullptr;
        uint32_t *c = tensorCell(x, i, address, l, r, half, AccessKind::Write,
                                 user, nullptr, &written);
        if (!c)
          return;
        *c = in.packs ? value >> (16 * half) & 0xFFFF : value;
        if (x.warp->undefined)
          *written = !RegisterRules::isUndefined(x, from[size_t(r)], l);
      }
    }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

} // namespace

uint8_t takeGroup(Decoder &d) {
  std::string group;
  d.prefixed("cta_group::", group);
  return uint8_t(group == "2" ? 2 : 1);
}

bool tensorAddress(Decoder &d, const Operand &o, TensorAddress &out) {
  Decoder::Address a;
  if (!d.address(o, Space::Shared, a))
    return false;
  if (a.row < 0) {
    out = {d.constantRow(uint64_t(a.offset), 4), 0};
    return true;
  }
  if (a.wide)
    return d.fail("expected a 32-bit tensor-memory address");
  out = {a.row, int32_t(a.offset)};
  return true;
}

namespace {

bool decodeAccess(Decoder &d, bool isLoad) {
  auto &in = d.make<TensorRows>();
  bool red = isLoad && d.has("red");
  d.has("sync");
  d.has("aligned");
  d.inst.aligned = true;
  static const std::pair<const char *, int> shapes[] = {{"32x32b", 1},
                                                        {"16x64b", 1},
                                                        {"16x128b", 2},
                                                        {"16x256b", 4},
                                                        {"16x32bx2", 1}};
  int per = 0, times = 0;
  for (int k = 0; k < 5; ++k)
    if (d.has(shapes[k].first)) {
      in.shape = TensorRows::Shape(k);
      per = shapes[k].second;
    }
  for (const std::string &w : d.s->words)
    if (!times && std::sscanf(w.c_str(), "x%d", &times) == 1)
      d.has(w);
  in.packs = d.has("pack::16b") || d.has("unpack::16b");
  if (red) {
    in.reduction = d.has("min")   ? TensorRows::Min
                   : d.has("max") ? TensorRows::Max
                                  : TensorRows::None;
    if (!in.reduction || in.packs || times < 2)
      return d.fail("expected '.min' or '.max' of at least two columns");
    in.isAbs = d.has("abs");
    in.keepsNaN = d.has("NaN");
  }
  Type t = in.type = d.type();
  if (red && t != Type::F32 &&
      (in.isAbs || in.keepsNaN || (t != Type::U32 && t != Type::S32)))
    return d.fail("expected .f32, or .u32 or .s32 without '.abs' and '.NaN'");
  size_t at = isLoad ? red ? 2 : 1 : 0; // Of the address.
  size_t n = (in.shape == TensorRows::Lanes16x32bx2 ? 3 : 2) + (red ? 1 : 0);
  if (!per || !times || !d.operands(n, n))
    return d.fail("expected a shape and a count");
  const Operand &regs = d.operand(isLoad ? 0 : n - 1);
  std::vector<int32_t> &rows = in.rows;
  if (!(isLoad ? d.destinations(regs, Type::B32, rows)
               : d.sources(regs, Type::B32, rows)) ||
      (red && !d.destinations(d.operand(1), Type::B32, rows)) ||
      !tensorAddress(d, d.operand(at), in.address))
    return false;
  if (in.shape == TensorRows::Lanes16x32bx2 &&
      !d.immediate(d.operand(at + 1), in.halfOffset))
    return false;
  size_t expected = size_t(per * times) + (red ? 1 : 0);
  if (rows.size() != expected)
    return d.fail("expected " + std::to_string(expected) + " registers");
  d.inst.registers = isLoad ? Inst::TensorLoad : Inst::Plain;
  d.emit(isLoad ? tensorLoad : tensorStore, Class::Tensor);
  return true;
}

bool decodeTensor(Decoder &d) {
  Space s;
  if (d.next("mma"))
    return decodeTensorMma(d);
  if (d.next("ld"))
    return decodeAccess(d, true);
  if (d.next("st"))
    return decodeAccess(d, false);
  if (d.next("cp"))
    return decodeTensorCopy(d);
  if (d.next("commit"))
    return decodeTensorCommit(d);
  if (d.next("shift"))
    return decodeTensorShift(d);
  bool waitLoad = d.has("wait::ld"), waitStore = d.has("wait::st");
  if (waitLoad || waitStore) {
    d.has("sync");
    d.has("aligned");
    d.inst.aligned = true;
    d.emit(waitLoad ? waitLoads : waitStores, Class::Tensor);
    return true;
  }
  bool before = d.has("fence::before_thread_sync");
  if (before || d.has("fence::after_thread_sync")) {
    d.m.tensor.tensorFences = true;
    d.emit(before ? fenceBefore : fenceAfter, Class::Tensor);
    return true;
  }
  bool isAlloc = d.next("alloc"), isFree = !isAlloc && d.next("dealloc");
  if (isAlloc || isFree || d.next("relinquish_alloc_permit")) {
    auto &in = d.make<ColumnsOperands>();
    in.group = takeGroup(d);
    d.has("sync");
    d.has("aligned");
    d.inst.aligned = true;
    takeMemorySpace(d, s);
    d.type();
    if (isAlloc) {
      if (!d.operands(2, 2) ||
          !d.memoryOperand(d.operand(0),
                           s == Space::Generic ? Space::Shared : s, in.to) ||
          !d.source(d.operand(1), Type::B32, in.columns))
        return false;
      d.emit(alloc, Class::Tensor);
    } else if (isFree) {
      if (!d.operands(2, 2) || !d.source(d.operand(0), Type::B32, in.address) ||
          !d.source(d.operand(1), Type::B32, in.columns))
        return false;
      d.emit(dealloc, Class::Tensor);
    } else {
      d.emit(relinquish, Class::Tensor);
    }
    return true;
  }
  return d.fail("unknown operation");
}

} // namespace

void registerTensor() { RegisterDecoders({{"tcgen05", decodeTensor}}); }

} // namespace tileir::emu
