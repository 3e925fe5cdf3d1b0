// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld and st, and what else looks at memory without a barrier.
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MemoryOps.h"

#include <algorithm>

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

Semantics semanticsOf(uint8_t e) {
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

int vectorCount(Decoder &d) {
  return d.has("v2") ? 2 : d.has("v4") ? 4 : d.has("v8") ? 8 : 1;
}

bool memoryAddress(Decoder &d, const Operand &o, Space s, bool &frameParam,
                   bool &constantAddress) {
  Decoder::Address a;
  if (!d.memoryOperand(o, s, a))
    return false;
  frameParam = a.frameParam;
  constantAddress = a.row < 0;
  return true;
}

namespace {

/// Inst: a bytes of an element, b elements, c space, e flags; o[0] row of a
/// single element, o[1] address, o[2] register bits; v[0] rows of a vector.

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

/// The bytes that a strong load returns, which it acquires what released. All
/// elements of a vector are late together: programs keep a state and its value
/// in two of them.
uint8_t *lateOrNot(Exec &x, const Inst &i, int lane, Region &region,
                   uint64_t offset, uint32_t bytes, uint8_t *p, uint8_t *late,
                   const Semantics &semantics) {
  const StrongWrite *w = x.m.weakLoads
                             ? x.m.olderValue(x, i, lane, region, offset, bytes)
                             : nullptr;
  if (!w) {
    x.m.acquireAt(x.clock(lane), region, offset, semantics);
    return p;
  }
  if (w->unwritten)
    x.m.report(FindingKind::Init, x, i, lane,
               "read of '" + region.name + "' byte " + std::to_string(offset) +
                   ", which nothing orders behind the first write of it",
               {x.m.placeOf(w->writer, w->inst)});
  x.m.learn(x.clock(lane), w->before, semantics.acquire, semantics.scope,
            false);
  std::memcpy(late, w->old, bytes);
  return late;
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
    uint8_t late[StrongWrite::kMost];
    if (region) {
      x.m.touch(x, i, l, *region, offsets[l], bytes, AccessKind::Read,
                semantics, false, false);
      if (semantics.strong)
        p = lateOrNot(x, i, l, *region, offsets[l], bytes, p, late, semantics);
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
  if (x.m.profile && !x.m.stopped)
    countRequest(x.m, first, offsets, m, bytes, false);
}

/// Parameters of the kernel at a constant place.
void loadParam(Exec &x, const Inst &i, Mask m) {
  uint32_t bytes = uint32_t(i.a) * i.b;
  Region &r = *x.m.params;
  uint64_t offset = uint64_t(i.imm) - r.base;
  if (offset + bytes > r.size) {
    x.m.report(FindingKind::Bounds, x, i, __builtin_ctz(m),
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

/// Whether floats differ by rounding only. Lanes that hold copies of one result
/// may have added its terms in different orders; whichever of them one store
/// instruction leaves behind is right.
template <typename T>
bool nearly(const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  for (uint32_t k = 0; k < bytes; k += uint32_t(sizeof(T))) {
    T x, y;
    std::memcpy(&x, a + k, sizeof(T));
    std::memcpy(&y, b + k, sizeof(T));
    if (std::memcmp(&x, &y, sizeof(T)) == 0)
      continue;
    if (!std::isnormal(x) || !std::isnormal(y) ||
        std::fabs(x - y) > std::fabs(x) / 64)
      return false;
  }
  return true;
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
      if (semantics.strong && x.m.weakLoads)
        x.m.noteStrongWrite(x, i, l, *region, offsets[l], bytes, p, value);
      if (semantics.strong)
        x.m.releaseAt(x.clock(l), *region, offsets[l], semantics, false);
      bool same = std::memcmp(p, value, bytes) == 0;
      if (!same && (i.a == 4 || i.a == 8) &&
          (i.a == 4 ? nearly<float>(p, value, bytes)
                    : nearly<double>(p, value, bytes)))
        forLanes(m & ((1u << l) - 1),
                 [&](int k) { same |= offsets[k] == offsets[l]; });
      x.m.touch(x, i, l, *region, offsets[l], bytes, AccessKind::Write,
                semantics, same);
    }
    std::memcpy(p, value, bytes);
    for (int k = 0; x.warp->unwritten && k < i.b; ++k)
      x.m.storeUnwritten(x, l, i.b == 1 ? i.o[0] : i.extra->v[0][size_t(k)],
                         i.a, region, offsets[l] + uint64_t(k * i.a));
  });
  if (semantics.strong)
    x.m.giveWay(x);
  if (x.m.profile && !x.m.stopped)
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
  d.m.weakLoads |= (d.inst.e & Strong) != 0;
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

void registerMemory() {
  RegisterDecoders({
      {"ld", decodeLoad},
      {"ldu", decodeLoad},
      {"st", decodeStore},
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
