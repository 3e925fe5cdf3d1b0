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

bool checkGroup(Exec &x, const Inst &i, int lane) {
  if (!x.m.tensorGroup)
    x.m.tensorGroup = i.b;
  if (x.m.tensorGroup == i.b)
    return true;
  x.m.report(FindingKind::Tcgen05, x, i, lane,
             "cta_group::" + std::to_string(i.b) +
                 " in a kernel that uses cta_group::" +
                 std::to_string(x.m.tensorGroup));
  x.m.fatal();
  return false;
}

namespace {

void alloc(Exec &x, const Inst &i, Mask m) {
  int l = __builtin_ctz(m);
  uint32_t n = x.row<uint32_t>(i.o[0])[l];
  TensorMemory &t = memoryOf(*x.block);
  if (!checkGroup(x, i, l))
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
  uint32_t at = kColumns;
  for (uint32_t c = 0; c + n <= kColumns && at == kColumns; c += n) {
    bool free = true;
    for (const auto &p : t.pieces)
      free &= c + n <= p.column || p.column + p.columns <= c;
    if (free)
      at = c;
  }
  if (at == kColumns) {
    // Somebody has to free columns first.
    x.yield = true;
    x.next = x.group->pc;
    x.warp->polling = true;
    x.warp->sleepVersion = x.m.version;
    return;
  }
  t.pieces.push_back({at, n, x.m.placeOf(*x.block, x.warp->index, l, i)});
  Region *region = nullptr;
  uint64_t offset;
  uint8_t *p = x.m.access(
      x, i, l,
      Space(i.c == uint8_t(Space::Generic) ? uint8_t(Space::Shared) : i.c),
      laneAddress(x, i, i.o[1], l), 4, AccessKind::Write, region, offset);
  if (!p)
    return;
  x.m.touch(x, i, l, *region, offset, 4, AccessKind::Write, Semantics());
  // The tensor core writes the address: no fence between proxies is needed
  // when a copy overwrites it.
  if (Cell &cell = region->cell(offset); cell.writer != kSplit)
    cell.writeInst |= Cell::AsyncProxy;
  std::memcpy(p, &at, 4);
  x.m.changed();
}

void dealloc(Exec &x, const Inst &i, Mask m) {
  int l = __builtin_ctz(m);
  uint32_t address = x.row<uint32_t>(i.o[0])[l], n = x.row<uint32_t>(i.o[1])[l];
  TensorMemory &t = memoryOf(*x.block);
  if (!checkGroup(x, i, l))
    return;
  for (size_t k = 0; k < t.pieces.size(); ++k)
    if (t.pieces[k].column == (address & 0xFFFF) && t.pieces[k].columns == n) {
      x.m.checkTensorFree(x, i, l, t, t.pieces[k].column, n);
      t.freed.push_back(t.pieces[k]);
      t.freed.back().where = x.m.placeOf(*x.block, x.warp->index, l, i);
      t.pieces.erase(t.pieces.begin() + long(k));
      x.m.changed();
      return;
    }
  x.m.report(FindingKind::Tcgen05, x, i, l,
             "tensor memory that is freed was not allocated in this size");
  x.m.fatal();
}

void relinquish(Exec &x, const Inst &i, Mask m) {
  if (checkGroup(x, i, __builtin_ctz(m)))
    memoryOf(*x.block).relinquished = true;
}

void fenceBefore(Exec &x, const Inst &, Mask m) {
  x.m.settleEarlyReads(x);
  x.m.tensorPublish(x, m, true);
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
  TensorUser user = x.m.tensorUser(x, 0);
  user.as = w.agent[store];
  user.clock = w.issued[store];
  return user;
}

/// TMEM row and column offset of register r of a lane, by shape (i.a): 0
/// 32x32b, 1 16x64b, 2 16x128b, 3 16x256b, 4 16x32bx2.
void spot(const Inst &i, int L, int r, uint32_t &row, uint32_t &column) {
  switch (i.a) {
  case 0:
    row = uint32_t(L);
    column = uint32_t(r);
    break;
  case 1:
    row = uint32_t((L >> 2) + 8 * (L & 1));
    column = uint32_t((L >> 1 & 1) + 2 * r);
    break;
  case 2:
    row = uint32_t((L >> 2) + 8 * (r & 1));
    column = uint32_t((L & 3) + 4 * (r >> 1));
    break;
  case 3:
    row = uint32_t((L >> 2) + 8 * (r >> 1 & 1));
    column = uint32_t(2 * (L & 3) + (r & 1) + 8 * (r >> 2));
    break;
  default:
    row = uint32_t(L & 15);
    column = uint32_t(r); // The upper half of the lanes adds i.imm.
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
  uint32_t row, column;
  spot(i, L, r, row, column);
  if (i.b) // Two neighbouring columns to a register.
    column = 2 * column + uint32_t(half);
  if (i.a == 4 && L >= 16)
    column += uint32_t(i.imm);
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
  x.m.touchTensor(x, i, L, t, offset, kind, user, unwritten);
  if (written)
    *written = &t.region.written[offset];
  return reinterpret_cast<uint32_t *>(&t.region.data[offset]);
}

bool checkQuarter(Exec &x, const Inst &i, uint32_t address) {
  uint32_t lane = address >> 16, own = uint32_t(x.warp->index % 4) * 32;
  bool sixteen = i.a != 0;
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

/// min or max of what a lane loaded, of type `t`; i.o[2]: 1 min, 2 max, with 4
/// of magnitudes, with 8 a NaN wins.
uint32_t reduced(const TensorAccess &a, const Inst &i, Type t, size_t count,
                 size_t lane) {
  bool isMax = (i.o[2] & 3) == 2, isAbs = i.o[2] & 4, nan = i.o[2] & 8;
  auto value = [&](size_t r) { return a.values[r * 32 + lane]; };
  uint32_t all = value(0);
  if (t == Type::F32) {
    auto number = [&](size_t r) {
      float f = asFloat(value(r));
      return isAbs ? std::fabs(f) : f;
    };
    float f = number(0);
    for (size_t r = 1; r < count; ++r)
      f = isMax ? maximum(f, number(r), nan) : minimum(f, number(r), nan);
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
  uint32_t address = x.row<uint32_t>(i.o[0])[0] + uint32_t(i.o[1]);
  if (!checkQuarter(x, i, address))
    return;
  const std::vector<int32_t> &to = i.extra->v[0];
  TensorUser user = accessUser(x, false);
  x.m.loadRegisters(x, i);
  TensorAccess a{&i, x.frame, address, std::vector<uint32_t>(to.size() * 32)};
  // The last register of .red has the reduction.
  size_t count = to.size() - (i.o[2] ? 1 : 0);
  // Compilers load before they know whether there is anything: what nobody has
  // written must not reach a store, an address or a branch.
  for (int r = 0; r < int(count); ++r) {
    Mask undefined = 0;
    std::string first;
    for (int l = 0; l < 32; ++l) {
      uint32_t value = 0;
      for (int half = 0; half < (i.b ? 2 : 1); ++half) {
        std::string unwritten;
        uint32_t *c = tensorCell(x, i, address, l, r, half, AccessKind::Read,
                                 user, &unwritten);
        if (!c)
          return;
        value |= i.b ? (*c & 0xFFFF) << (16 * half) : *c;
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
    x.m.undefinedResult(x, i, undefined, to[size_t(r)], 1, first);
    if (i.o[2])
      x.m.undefinedResult(x, i, undefined, to[count], 1, first);
  }
  for (size_t l = 0; l < 32 && i.o[2]; ++l)
    a.values[count * 32 + l] = reduced(a, i, i.extra->types[0], count, l);
  bool now = x.m.options.async == AsyncMode::Early ||
             (x.m.options.async == AsyncMode::Random && x.m.random() % 2);
  x.warp->tensorLoads.push_back(std::move(a));
  if (now)
    x.m.deliverTensorLoads(x);
}

void waitLoads(Exec &x, const Inst &, Mask m) {
  x.m.deliverTensorLoads(x);
  if (x.warp->watch)
    x.warp->watch->early.clear();
  WarpTensor &w = x.warp->tensor;
  w.waited[0] = w.issued[0];
  x.m.tensorPublish(x, m, false);
}

void waitStores(Exec &x, const Inst &, Mask m) {
  WarpTensor &w = x.warp->tensor;
  w.waited[1] = w.issued[1];
  x.m.tensorPublish(x, m, false);
}

void tensorStore(Exec &x, const Inst &i, Mask m) {
  uint32_t address = x.row<uint32_t>(i.o[0])[0] + uint32_t(i.o[1]);
  if (!checkQuarter(x, i, address))
    return;
  const std::vector<int32_t> &from = i.extra->v[0];
  TensorUser user = accessUser(x, true);
  for (int r = 0; r < int(from.size()); ++r)
    for (int l = 0; l < 32; ++l) {
      uint32_t value = x.row<uint32_t>(from[size_t(r)])[l];
      for (int half = 0; half < (i.b ? 2 : 1); ++half) {
        uint8_t *written = nullptr;
        uint32_t *c = tensorCell(x, i, address, l, r, half, AccessKind::Write,
                                 user, nullptr, &written);
        if (!c)
          return;
        *c = i.b ? value >> (16 * half) & 0xFFFF : value;
        if (x.warp->undefined)
          *written = !Machine::isUndefined(x, from[size_t(r)], l);
      }
    }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

} // namespace

void takeGroup(Decoder &d) {
  std::string group;
  d.prefixed("cta_group::", group);
  d.inst.b = uint8_t(group == "2" ? 2 : 1);
}

bool tensorAddress(Decoder &d, const Operand &o, int32_t &row,
                   int32_t &offset) {
  Decoder::Address a;
  if (!d.address(o, Space::Shared, a))
    return false;
  if (a.row < 0) {
    row = d.constantRow(uint64_t(a.offset), 4);
    offset = 0;
    return true;
  }
  if (a.wide)
    return d.fail("expected a 32-bit tensor-memory address");
  row = a.row;
  offset = int32_t(a.offset);
  return true;
}

namespace {

bool decodeAccess(Decoder &d, bool isLoad) {
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
      d.inst.a = uint8_t(k);
      per = shapes[k].second;
    }
  for (const std::string &w : d.s->words)
    if (!times && std::sscanf(w.c_str(), "x%d", &times) == 1)
      d.has(w);
  d.inst.b = d.has("pack::16b") || d.has("unpack::16b");
  if (red) {
    d.inst.o[2] = d.has("min") ? 1 : d.has("max") ? 2 : 0;
    if (!d.inst.o[2] || d.inst.b || times < 2)
      return d.fail("expected '.min' or '.max' of at least two columns");
    d.inst.o[2] |= (d.has("abs") ? 4 : 0) | (d.has("NaN") ? 8 : 0);
  }
  Type t = d.extra().types[0] = d.type();
  if (red && t != Type::F32 &&
      (d.inst.o[2] > 2 || (t != Type::U32 && t != Type::S32)))
    return d.fail("expected .f32, or .u32 or .s32 without '.abs' and '.NaN'");
  size_t at = isLoad ? red ? 2 : 1 : 0; // Of the address.
  size_t n = (d.inst.a == 4 ? 3 : 2) + (red ? 1 : 0);
  if (!per || !times || !d.operands(n, n))
    return d.fail("expected a shape and a count");
  const Operand &regs = d.operand(isLoad ? 0 : n - 1);
  std::vector<int32_t> &rows = d.extra().v[0];
  if (!(isLoad ? d.destinations(regs, Type::B32, rows)
               : d.sources(regs, Type::B32, rows)) ||
      (red && !d.destinations(d.operand(1), Type::B32, rows)) ||
      !tensorAddress(d, d.operand(at), d.inst.o[0], d.inst.o[1]))
    return false;
  if (d.inst.a == 4 && !d.immediate(d.operand(at + 1), d.inst.imm))
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
    d.m.tensorFences = true;
    d.emit(before ? fenceBefore : fenceAfter, Class::Tensor);
    return true;
  }
  bool isAlloc = d.next("alloc"), isFree = !isAlloc && d.next("dealloc");
  if (isAlloc || isFree || d.next("relinquish_alloc_permit")) {
    takeGroup(d);
    d.has("sync");
    d.has("aligned");
    d.inst.aligned = true;
    takeMemorySpace(d, s);
    d.type();
    if (isAlloc) {
      if (!d.operands(2, 2) ||
          !d.memoryOperand(d.operand(0),
                           s == Space::Generic ? Space::Shared : s) ||
          !d.source(d.operand(1), Type::B32, d.inst.o[0]))
        return false;
      d.emit(alloc, Class::Tensor);
    } else if (isFree) {
      if (!d.operands(2, 2) ||
          !d.source(d.operand(0), Type::B32, d.inst.o[0]) ||
          !d.source(d.operand(1), Type::B32, d.inst.o[1]))
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
