// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld, st, atom, red and the functions of the driver that read memory.
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/FloatOps.h"

#include <algorithm>
#include <set>

namespace tileir::emu {

bool takeMemorySpace(Decoder &d, Space &s) {
  static const std::pair<const char *, Space> names[] = {
      {"global", Space::Global},      {"shared::cluster", Space::SharedCluster},
      {"shared::cta", Space::Shared}, {"shared", Space::Shared},
      {"local", Space::Local},        {"const", Space::Const},
      {"param::entry", Space::Param}, {"param::func", Space::Param},
      {"param", Space::Param}};
  s = Space::Generic;
  for (auto &[name, space] : names)
    if (d.has(name)) {
      s = space;
      return true;
    }
  return false;
}

// Flags of Inst::e.
enum : uint8_t {
  Strong = 1,
  Acquire = 2,
  Release = 4,
  CtaScope = 8,
  Signed = 16,
  // 32 is WideAddress.
  ClusterScope = 64
};

uint8_t takeSemantics(Decoder &d, bool atomic) {
  uint8_t e = atomic ? Strong : 0;
  if (d.has("volatile") || d.has("mmio") || d.has("relaxed"))
    e |= Strong;
  if (d.has("acquire"))
    e |= Strong | Acquire;
  if (d.has("release"))
    e |= Strong | Release;
  if (d.has("acq_rel"))
    e |= Strong | Acquire | Release;
  d.has("weak");
  if (d.has("cta"))
    e |= CtaScope;
  if (d.has("cluster"))
    e |= ClusterScope;
  for (const char *w : {"gpu", "sys"})
    d.has(w);
  return e;
}

static Semantics semanticsOf(uint8_t e) {
  return {(e & Strong) != 0, (e & Acquire) != 0, (e & Release) != 0,
          e & CtaScope       ? Scope::Cta
          : e & ClusterScope ? Scope::Cluster
                             : Scope::Gpu};
}

uint64_t laneAddress(Exec &x, const Inst &i, int32_t row, int lane) {
  if (row < 0)
    return uint64_t(i.imm);
  if (i.e & WideAddress)
    return x.row<uint64_t>(row)[lane] + uint64_t(i.imm);
  return uint32_t(x.row<uint32_t>(row)[lane] + uint32_t(i.imm));
}

/// Counts the 32-byte sectors that a request of a warp touches in global
/// memory, and the fewest that its bytes fit in.
void countSectors(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes) {
  if (!region || !lanes || region->space != Space::Global)
    return;
  std::set<uint64_t> sectors, words;
  forLanes(lanes, [&](int l) {
    uint64_t address = region->base + offsets[l];
    for (uint64_t a = address / 32; a <= (address + bytes - 1) / 32; ++a)
      sectors.insert(a);
    for (uint64_t a = address; a < address + bytes; ++a)
      words.insert(a);
  });
  ++m.stats.globalRequests;
  m.stats.globalSectors += sectors.size();
  m.stats.globalIdealSectors += (words.size() + 31) / 32;
}

/// Counts what a memory request of a warp costs.
void countRequest(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes, bool isWrite) {
  if (!region || !lanes)
    return;
  Stats &s = m.stats;
  uint64_t total = uint64_t(__builtin_popcount(lanes)) * bytes;
  if (region->space == Space::Global) {
    countSectors(m, region, offsets, lanes, bytes);
    (isWrite ? s.globalBytesWritten : s.globalBytesRead) += total;
    return;
  }
  if (region->space != Space::Shared)
    return;
  ++s.sharedRequests;
  (isWrite ? s.sharedBytesWritten : s.sharedBytesRead) += total;
  // Wide accesses go in phases of 128 bytes. In a phase every bank gives one
  // word a pass.
  int perPhase = bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
  for (int first = 0; first < 32; first += perPhase) {
    std::set<uint64_t> words[32];
    bool any = false;
    for (int l = first; l < first + perPhase; ++l) {
      if (!(lanes >> l & 1))
        continue;
      any = true;
      for (uint64_t w = offsets[l] / 4; w <= (offsets[l] + bytes - 1) / 4; ++w)
        words[w % 32].insert(w);
    }
    if (!any)
      continue;
    size_t most = 1;
    for (auto &bank : words)
      most = std::max(most, bank.size());
    s.sharedPasses += most;
    ++s.sharedIdeal;
  }
}

namespace {

/// Inst: a bytes of an element, b elements, c space, e flags; o[0] row of a
/// single element, o[1] address, o[2] register bits; v[0] rows of a vector.

uint64_t elementOf(const uint8_t *p, int bytes) {
  uint64_t v = 0;
  std::memcpy(&v, p, size_t(std::min(bytes, 8)));
  return v;
}

void putElement(Exec &x, const Inst &i, int row, int lane, const uint8_t *p) {
  int bytes = i.a, bits = i.o[2];
  uint64_t v = elementOf(p, bytes);
  if ((i.e & Signed) && bytes < 8) {
    int shift = 64 - 8 * bytes;
    v = uint64_t(int64_t(v << shift) >> shift);
  }
  if (bits >= 64) {
    x.row<uint64_t>(row)[lane] = v;
    if (bytes == 16) {
      uint64_t high;
      std::memcpy(&high, p + 8, 8);
      x.row<uint64_t>(row + 2)[lane] = high;
    }
  } else {
    x.row<uint32_t>(row)[lane] =
        bits == 32 ? uint32_t(v) : uint32_t(v & ((1u << bits) - 1));
  }
}

void load(Exec &x, const Inst &i, Mask m) {
  uint32_t bytes = uint32_t(i.a) * i.b;
  Semantics semantics = semanticsOf(i.e);
  uint64_t offsets[32];
  Region *first = nullptr;
  std::string what;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint8_t *p = x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l),
                            bytes, AccessKind::Read, region, offsets[l]);
    if (!p)
      return;
    first = region;
    if (region) {
      x.m.touch(x, i, l, *region, offsets[l], bytes, AccessKind::Read,
                semantics, false, false);
      if (semantics.strong)
        x.m.acquireAt(x.clock(l), *region, offsets[l], semantics);
    }
    uint64_t unwritten = 0;
    if (!region || !region->written.empty())
      unwritten = x.m.unwrittenBytes(x, i, l, region, offsets[l], bytes, what);
    bool whole = bytes >= 4 && unwritten == ~uint64_t(0) >> (64 - bytes);
    for (int k = 0; k < i.b; ++k) {
      int32_t row = i.b == 1 ? i.o[0] : i.extra->v[0][size_t(k)];
      putElement(x, i, row, l, p + k * i.a);
      if (unwritten) {
        uint64_t mask = unwritten >> (k * i.a) & ((1u << i.a) - 1);
        if ((i.e & Signed) && mask >> (i.a - 1))
          mask |= 0xFFull << i.a & 0xFF;
        if (mask)
          x.m.loadUnwritten(x, i, l, row, mask, whole, what);
      }
    }
  });
  if (x.m.options.stats && !x.m.stopped)
    countRequest(x.m, first, offsets, m, bytes, false);
}

/// Parameters of the kernel at a constant place.
void loadParam(Exec &x, const Inst &i, Mask m) {
  uint32_t bytes = uint32_t(i.a) * i.b;
  Region &r = *x.m.params;
  uint64_t offset = uint64_t(i.imm) - r.base;
  if (offset + bytes > r.size) {
    x.m.report("bounds", x, i, __builtin_ctz(m),
               "read beyond the kernel's parameters");
    x.m.fatal();
    return;
  }
  const uint8_t *p = r.data.data() + offset;
  forLanes(m, [&](int l) {
    if (i.b == 1) {
      putElement(x, i, i.o[0], l, p);
    } else {
      const std::vector<int32_t> &rows = i.extra->v[0];
      for (int k = 0; k < i.b; ++k)
        putElement(x, i, rows[size_t(k)], l, p + k * i.a);
    }
  });
}

/// Parameters of calls lie in the frame.
void loadFrame(Exec &x, const Inst &i, Mask m) {
  Frame &f = *x.frame;
  forLanes(m, [&](int l) {
    const uint8_t *p = f.params.data() + size_t(l) * f.code->paramBytes + i.imm;
    for (int k = 0; k < i.b; ++k)
      putElement(x, i, i.b == 1 ? i.o[0] : i.extra->v[0][size_t(k)], l,
                 p + k * i.a);
  });
}

void takeElement(Exec &x, const Inst &i, int row, int lane, uint8_t *p) {
  if (i.a == 16) {
    std::memcpy(p, &x.row<uint64_t>(row)[lane], 8);
    std::memcpy(p + 8, &x.row<uint64_t>(row + 2)[lane], 8);
  } else if (i.o[2] >= 64) {
    std::memcpy(p, &x.row<uint64_t>(row)[lane], i.a);
  } else {
    uint64_t v = x.row<uint32_t>(row)[lane];
    std::memcpy(p, &v, i.a);
  }
}

void store(Exec &x, const Inst &i, Mask m) {
  uint32_t bytes = uint32_t(i.a) * i.b;
  Semantics semantics = semanticsOf(i.e);
  uint64_t offsets[32];
  Region *first = nullptr;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint8_t *p = x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l),
                            bytes, AccessKind::Write, region, offsets[l]);
    if (!p)
      return;
    first = region;
    uint8_t value[64];
    if (i.b == 1) {
      takeElement(x, i, i.o[0], l, value);
    } else {
      const std::vector<int32_t> &rows = i.extra->v[0];
      for (int k = 0; k < i.b; ++k)
        takeElement(x, i, rows[size_t(k)], l, value + k * i.a);
    }
    if (region) {
      if (semantics.strong)
        x.m.releaseAt(x.clock(l), *region, offsets[l], semantics, false);
      x.m.touch(x, i, l, *region, offsets[l], bytes, AccessKind::Write,
                semantics, std::memcmp(p, value, bytes) == 0);
    }
    std::memcpy(p, value, bytes);
    for (int k = 0; x.warp->unwritten && k < i.b; ++k)
      x.m.storeUnwritten(x, l, i.b == 1 ? i.o[0] : i.extra->v[0][size_t(k)],
                         i.a, region, offsets[l] + uint64_t(k * i.a));
  });
  if (x.m.options.stats && !x.m.stopped)
    countRequest(x.m, first, offsets, m, bytes, true);
}

void storeFrame(Exec &x, const Inst &i, Mask m) {
  Frame &f = *x.frame;
  forLanes(m, [&](int l) {
    uint8_t *p = f.params.data() + size_t(l) * f.code->paramBytes + i.imm;
    for (int k = 0; k < i.b; ++k)
      takeElement(x, i, i.b == 1 ? i.o[0] : i.extra->v[0][size_t(k)], l,
                  p + k * i.a);
  });
}

//===--- atomics ----------------------------------------------------------===//

enum AtomOp : uint8_t {
  AAdd,
  AMin,
  AMax,
  AAnd,
  AOr,
  AXor,
  AExch,
  ACas,
  AInc,
  ADec
};

/// One element of an atomic operation on raw bits.
uint64_t combine(AtomOp op, Type t, uint64_t old, uint64_t b, uint64_t c,
                 bool flushF32) {
  int bits = typeBits(t);
  uint64_t ones = bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  switch (op) {
  case AExch:
    return b & ones;
  case ACas:
    return (old & ones) == (b & ones) ? c & ones : old;
  case AAnd:
    return old & b;
  case AOr:
    return old | b;
  case AXor:
    return old ^ b;
  case AInc:
    return uint32_t(old) >= uint32_t(b) ? 0 : uint32_t(old) + 1;
  case ADec:
    return uint32_t(old) == 0 || uint32_t(old) > uint32_t(b)
               ? uint32_t(b)
               : uint32_t(old) - 1;
  default:
    break;
  }
  auto half = [&](uint64_t o, uint64_t v, bool isBf) -> uint64_t {
    double p = isBf ? bfloatToFloat(uint16_t(o)) : halfToFloat(uint16_t(o));
    double q = isBf ? bfloatToFloat(uint16_t(v)) : halfToFloat(uint16_t(v));
    double r = op == AAdd   ? cases::addRoundOdd(p, q)
               : op == AMin ? minimum(p, q, false)
                            : maximum(p, q, false);
    return isBf ? floatToBfloat(r) : floatToHalf(r);
  };
  switch (t) {
  case Type::F16:
  case Type::BF16:
    return half(old, b, t == Type::BF16);
  case Type::F16x2:
  case Type::BF16x2:
    return half(old & 0xFFFF, b & 0xFFFF, t == Type::BF16x2) |
           half(old >> 16 & 0xFFFF, b >> 16 & 0xFFFF, t == Type::BF16x2) << 16;
  case Type::F32: {
    float p = asFloat(uint32_t(old)), q = asFloat(uint32_t(b)), r;
    if (op == AAdd) {
      if (flushF32) {
        p = flush(p);
        q = flush(q);
      }
      r = p + q;
      if (flushF32)
        r = flush(r);
    } else {
      r = op == AMin ? minimum(p, q, false) : maximum(p, q, false);
    }
    return asBits(canonical(r));
  }
  case Type::F64:
    return asBits(canonical(asDouble(old) + asDouble(b)));
  case Type::S32:
    if (op == AAdd)
      return uint32_t(old + b);
    return uint32_t(op == AMin ? std::min(int32_t(old), int32_t(b))
                               : std::max(int32_t(old), int32_t(b)));
  case Type::S64:
    if (op == AAdd)
      return old + b;
    return uint64_t(op == AMin ? std::min(int64_t(old), int64_t(b))
                               : std::max(int64_t(old), int64_t(b)));
  default:
    if (op == AAdd)
      return (old + b) & ones;
    return op == AMin ? std::min(old & ones, b & ones)
                      : std::max(old & ones, b & ones);
  }
}

/// Inst: a operation, b elements, c space, e flags; types[0]; v[0] destination
/// rows (empty for red), v[1] and v[2] source rows; o[1] address.
void atomic(Exec &x, const Inst &i, Mask m) {
  Type t = i.extra->types[0];
  uint32_t bytes = uint32_t(typeBits(t)) / 8;
  Semantics semantics = semanticsOf(i.e);
  const auto &to = i.extra->v[0], &b = i.extra->v[1], &c = i.extra->v[2];
  // Lanes take their turns in a drawn order.
  int order[32], n = 0;
  forLanes(m, [&](int l) { order[n++] = l; });
  for (int k = n - 1; k > 0; --k)
    std::swap(order[k], order[x.m.random() % uint64_t(k + 1)]);
  uint64_t offsets[32];
  Region *first = nullptr;
  for (int k = 0; k < n && !x.m.stopped; ++k) {
    int l = order[k];
    Region *region = nullptr;
    uint64_t &offset = offsets[l];
    uint8_t *p = x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l),
                            bytes * i.b, AccessKind::Atomic, region, offset);
    if (!p)
      return;
    first = region;
    bool changes = false;
    if (region) {
      x.m.touch(x, i, l, *region, offset, bytes * i.b, AccessKind::Atomic,
                semantics);
      x.m.acquireAt(x.clock(l), *region, offset, semantics);
    }
    bool global = !region || region->space == Space::Global, failed = false;
    for (int e = 0; e < i.b; ++e) {
      auto get = [&](const std::vector<int32_t> &rows, int half) -> uint64_t {
        if (rows.empty())
          return 0;
        return bytes >= 8 ? x.row<uint64_t>(rows[size_t(e)] + 2 * half)[l]
                          : x.row<uint32_t>(rows[size_t(e)])[l];
      };
      uint8_t *at = p + uint32_t(e) * bytes;
      if (bytes == 16) {
        uint64_t old[2], next[2];
        std::memcpy(old, at, 16);
        bool equal = old[0] == get(b, 0) && old[1] == get(b, 1);
        for (int h = 0; h < 2; ++h)
          next[h] = AtomOp(i.a) == AExch ? get(b, h)
                    : equal              ? get(c, h)
                                         : old[h];
        failed = AtomOp(i.a) == ACas && !equal;
        changes |= std::memcmp(at, next, 16) != 0;
        std::memcpy(at, next, 16);
        if (!to.empty())
          for (int h = 0; h < 2; ++h)
            x.row<uint64_t>(to[size_t(e)] + 2 * h)[l] = old[h];
        continue;
      }
      uint64_t old = elementOf(at, int(bytes));
      uint64_t next =
          combine(AtomOp(i.a), t, old, get(b, 0), get(c, 0), global);
      failed = AtomOp(i.a) == ACas && bytes < 16 &&
               ((old ^ get(b, 0)) << (64 - 8 * bytes)) != 0;
      changes |= std::memcmp(at, &next, bytes) != 0;
      std::memcpy(at, &next, bytes);
      if (!to.empty()) {
        if (bytes == 8)
          x.row<uint64_t>(to[size_t(e)])[l] = old;
        else
          x.row<uint32_t>(to[size_t(e)])[l] = uint32_t(old);
      }
    }
    // A compare-and-swap that fails has written nothing.
    if (region && !failed)
      x.m.releaseAt(x.clock(l), *region, offset, semantics, true);
    if (changes)
      x.m.changed();
  }
  if (x.m.options.stats && !x.m.stopped)
    countRequest(x.m, first, offsets, m, bytes * i.b, true);
}

} // namespace

uint64_t reduceElement(const std::string &op, Type t, uint64_t old,
                       uint64_t b) {
  static const char *const ops[] = {"add", "min",  "max", "and", "or",
                                    "xor", "exch", "cas", "inc", "dec"};
  for (int k = 0; k < 10; ++k)
    if (op == ops[k])
      return combine(AtomOp(k), t, old, b, 0, true);
  return old;
}

namespace {

void createPolicy(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]);
  lanes(m, [&](int l) { d[l] = uint64_t(i.imm); });
}

void discard(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint64_t offset;
    uint8_t *p =
        x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l),
                   uint32_t(i.o[2]), AccessKind::Write, region, offset, 128);
    if (!p || !region)
      return;
    x.m.touch(x, i, l, *region, offset, uint32_t(i.o[2]), AccessKind::Write,
              Semantics());
    if (region->written.empty())
      region->written.assign(region->size, 1);
    std::memset(&region->written[offset], 0, size_t(i.o[2]));
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

Class classOf(Space s) {
  switch (s) {
  case Space::Shared:
  case Space::SharedCluster:
    return Class::Shared;
  case Space::Local:
    return Class::Local;
  case Space::Const:
  case Space::Param:
    return Class::Constant;
  default:
    return Class::Global;
  }
}

int vectorCount(Decoder &d) {
  return d.has("v2") ? 2 : d.has("v4") ? 4 : d.has("v8") ? 8 : 1;
}

/// Takes address words and the address operand.
bool memoryAddress(Decoder &d, const Operand &o, Space s, bool &frameParam,
                   bool &constantAddress) {
  Decoder::Address a;
  if (!d.memoryOperand(o, s, a))
    return false;
  frameParam = a.frameParam;
  constantAddress = a.row < 0;
  return true;
}

bool decodeLoad(Decoder &d) {
  Space s;
  takeMemorySpace(d, s);
  d.inst.e = takeSemantics(d, false);
  d.inst.nonCoherent = d.has("nc");
  d.has("unified");
  d.hints();
  int n = vectorCount(d);
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  d.inst.a = uint8_t(typeBits(t) / 8);
  d.inst.b = uint8_t(n);
  if (t == Type::S8 || t == Type::S16 || t == Type::S32 || t == Type::S64)
    d.inst.e |= Signed;
  if (!d.operands(2, 3)) // The third is a cache policy.
    return false;
  std::vector<Operand> to = Decoder::elements(d.operand(0));
  if (int(to.size()) != n)
    return d.fail("expected " + std::to_string(n) + " destination registers");
  int bits = 0;
  for (const Operand &o : to) {
    int32_t row;
    int width;
    if (!d.anyDestination(o, t, row, width))
      return false;
    if (o.kind == Operand::Kind::Sink)
      width = std::max(typeBits(t), 32);
    if (width < typeBits(t))
      return d.fail("destination register is too narrow");
    if (bits && width != bits && o.kind != Operand::Kind::Sink)
      return d.fail("destination registers differ in width");
    if (o.kind != Operand::Kind::Sink || !bits)
      bits = width;
    if (n == 1)
      d.inst.o[0] = row;
    else
      d.extra().v[0].push_back(row);
  }
  bool frameParam, constant;
  if (!memoryAddress(d, d.operand(1), s, frameParam, constant))
    return false;
  d.inst.o[2] = bits;
  d.inst.width = d.inst.a;
  Handler h = load;
  if (s == Space::Param && frameParam)
    h = loadFrame;
  else if (s == Space::Param && constant)
    h = loadParam;
  d.emit(h, classOf(s));
  return true;
}

bool decodeStore(Decoder &d) {
  if (d.peek() == "async" || d.peek() == "bulk")
    return decodeTable().at("st#async")(d);
  Space s;
  takeMemorySpace(d, s);
  d.inst.e = takeSemantics(d, false);
  d.hints();
  int n = vectorCount(d);
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  d.inst.a = uint8_t(typeBits(t) / 8);
  d.inst.b = uint8_t(n);
  if (!d.operands(2, 3))
    return false;
  std::vector<Operand> from = Decoder::elements(d.operand(1));
  if (int(from.size()) != n)
    return d.fail("expected " + std::to_string(n) + " source registers");
  int bits = 0;
  for (const Operand &o : from) {
    int32_t row;
    int width;
    if (!d.anySource(o, t, row, width))
      return false;
    if (width < typeBits(t))
      return d.fail("source register is too narrow");
    // Rows of up to 32 bits are alike.
    width = std::max(width, 32);
    if (bits && width != bits)
      return d.fail("source registers differ in width");
    bits = width;
    if (n == 1)
      d.inst.o[0] = row;
    else
      d.extra().v[0].push_back(row);
  }
  bool frameParam, constant;
  if (!memoryAddress(d, d.operand(0), s, frameParam, constant))
    return false;
  d.inst.o[2] = bits;
  d.inst.width = d.inst.a;
  d.emit(frameParam ? storeFrame : store, classOf(s));
  return true;
}

bool decodeAtomic(Decoder &d) {
  bool isRed = d.s->words[0] != "atom";
  if (d.peek() == "async")
    return decodeTable().at("red#async")(d);
  Space s;
  takeMemorySpace(d, s);
  d.inst.e = takeSemantics(d, true);
  d.hints();
  d.has("noftz");
  static const char *const ops[] = {"add", "min",  "max", "and", "or",
                                    "xor", "exch", "cas", "inc", "dec"};
  bool found = false;
  for (int k = 0; k < 10 && !found; ++k)
    if (d.has(ops[k])) {
      d.inst.a = uint8_t(k);
      found = true;
    }
  int n = vectorCount(d);
  Type t = d.type();
  if (!found || t == Type::None)
    return d.fail("expected an operation and a type");
  d.inst.b = uint8_t(n);
  d.inst.width = uint8_t(typeBits(t) / 8);
  Extra &extra = d.extra();
  extra.types[0] = t;
  size_t sources = d.inst.a == ACas ? 2 : 1;
  size_t first = isRed ? 0 : 1;
  if (!d.operands(first + 1 + sources, first + 2 + sources))
    return false;
  if (!isRed && !d.destinations(d.operand(0), t, extra.v[0]))
    return false;
  d.inst.blind = isRed; // Or the destination is not used, see findWatches.
  bool frameParam, constant;
  if (!memoryAddress(d, d.operand(first), s, frameParam, constant))
    return false;
  for (size_t k = 0; k < sources; ++k) {
    if (!d.sources(d.operand(first + 1 + k), t, extra.v[1 + k]))
      return false;
    if (int(extra.v[1 + k].size()) != n)
      return d.fail("expected " + std::to_string(n) + " source registers");
  }
  d.emit(atomic, Class::Atomic);
  return true;
}

bool decodeCreatePolicy(Decoder &d) {
  for (size_t i = 1; i < d.s->words.size(); ++i)
    d.has(d.s->words[i]);
  if (!d.destination(d.operand(0), Type::B64, d.inst.o[0]))
    return false;
  d.inst.imm = 0x1000000000000000;
  d.emit(createPolicy, Class::Move);
  return true;
}

bool decodeDiscard(Decoder &d) {
  Space s;
  takeMemorySpace(d, s);
  d.has("L2");
  int64_t size;
  bool frameParam, constant;
  if (!d.operands(2, 2) || !d.immediate(d.operand(1), size) ||
      !memoryAddress(d, d.operand(0), s, frameParam, constant))
    return false;
  d.inst.o[2] = int32_t(size);
  d.emit(discard, Class::Global);
  return true;
}

bool decodeTexture(Decoder &d) {
  return d.fail("textures and surfaces are not supported: a case cannot "
                "describe them; read a buffer instead");
}

} // namespace

//===----------------------------------------------------------------------===//
// Functions of the driver
//===----------------------------------------------------------------------===//

std::string Machine::readString(uint64_t address) {
  std::string out;
  while (Region *r = regionAt(address)) {
    uint64_t offset = address - r->base;
    if (offset >= r->size || !r->data[offset])
      break;
    out += char(r->data[offset]);
    ++address;
  }
  return out;
}

uint64_t Machine::readGeneric(Exec &x, int lane, uint64_t address,
                              uint32_t bytes) {
  uint64_t value = 0;
  if (address >= kLocalWindow && address < kLocalWindow + (1ull << 32)) {
    uint64_t offset = address - kLocalWindow;
    if (offset + bytes <= x.warp->localBytes)
      std::memcpy(&value,
                  &x.warp->local[size_t(lane) * x.warp->localBytes + offset],
                  bytes);
    return value;
  }
  Region *r = regionAt(address);
  if (r && address - r->base + bytes <= r->size)
    std::memcpy(&value, &r->data[address - r->base], bytes);
  return value;
}

/// printf with the arguments packed at natural alignment.
void Machine::print(Exec &x, const Inst &inst, int lane, uint64_t format,
                    uint64_t arguments) {
  std::string f = readString(format), out;
  uint64_t at = arguments;
  auto next = [&](uint32_t bytes) {
    at = (at + bytes - 1) / bytes * bytes;
    uint64_t value = readGeneric(x, lane, at, bytes);
    at += bytes;
    return value;
  };
  for (size_t k = 0; k < f.size(); ++k) {
    if (f[k] != '%') {
      out += f[k];
      continue;
    }
    std::string spec = "%";
    ++k;
    int longs = 0;
    while (k < f.size() && std::strchr("-+ #0123456789.*hlLzjt", f[k])) {
      if (f[k] == '*')
        spec += std::to_string(int32_t(next(4)));
      else if (f[k] == 'l' || f[k] == 'z' || f[k] == 'j' || f[k] == 't')
        ++longs;
      else if (f[k] != 'h' && f[k] != 'L')
        spec += f[k];
      ++k;
    }
    if (k >= f.size())
      break;
    char buffer[512];
    char c = f[k];
    if (c == '%') {
      out += '%';
    } else if (std::strchr("diouxXc", c)) {
      if (longs) {
        spec += "ll";
        spec += c;
        std::snprintf(buffer, sizeof buffer, spec.c_str(), (long long)next(8));
      } else {
        spec += c;
        std::snprintf(buffer, sizeof buffer, spec.c_str(), int(next(4)));
      }
      out += buffer;
    } else if (std::strchr("eEfFgGaA", c)) {
      spec += c;
      std::snprintf(buffer, sizeof buffer, spec.c_str(), asDouble(next(8)));
      out += buffer;
    } else if (c == 's') {
      spec += c;
      std::string s = readString(next(8));
      std::snprintf(buffer, sizeof buffer, spec.c_str(), s.c_str());
      out += buffer;
    } else if (c == 'p') {
      std::snprintf(buffer, sizeof buffer, "0x%llx",
                    (unsigned long long)next(8));
      out += buffer;
    } else {
      out += spec + c;
    }
  }
  printed += out;
}

void registerMemory() {
  RegisterDecoders({
      {"ld", decodeLoad},
      {"ldu", decodeLoad},
      {"st", decodeStore},
      {"atom", decodeAtomic},
      {"red", decodeAtomic},
      {"createpolicy", decodeCreatePolicy},
      {"discard", decodeDiscard},
      {"tex", decodeTexture},
      {"tld4", decodeTexture},
      {"txq", decodeTexture},
      {"suld", decodeTexture},
      {"sust", decodeTexture},
      {"sured", decodeTexture},
      {"suq", decodeTexture},
      {"istypep", decodeTexture},
  });
}

} // namespace tileir::emu
