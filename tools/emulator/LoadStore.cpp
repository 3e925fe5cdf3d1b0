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

Semantics takeSemantics(Decoder &d, bool atomic) {
  Semantics s;
  bool relaxed = d.has("volatile") || d.has("mmio") || d.has("relaxed");
  s.acquire = d.has("acquire");
  s.release = d.has("release");
  if (d.has("acq_rel"))
    s.acquire = s.release = true;
  s.strong = atomic || relaxed || s.acquire || s.release;
  d.has("weak");
  bool cta = d.has("cta"), cluster = d.has("cluster");
  s.scope = cta ? Scope::Cta : cluster ? Scope::Cluster : Scope::Gpu;
  for (const char *w : {"gpu", "sys"})
    d.has(w);
  return s;
}

int vectorCount(Decoder &d) {
  return d.has("v2") ? 2 : d.has("v4") ? 4 : d.has("v8") ? 8 : 1;
}

namespace {

void putElement(Exec &x, const MemoryAccess &in, int row, int lane,
                const uint8_t *p) {
  int bytes = in.bytes, bits = in.registerBits;
  uint64_t v = elementOf(p, bytes);
  if (in.isSigned && bytes < 8) {
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
  const StrongWrite *w =
      x.m.weak.weakLoads
          ? x.m.weak.olderValue(x, i, lane, region, offset, bytes)
          : nullptr;
  if (!w) {
    x.m.races.acquireAt(x.clock(lane), region, offset, semantics);
    return p;
  }
  if (w->unwritten)
    x.m.report(FindingKind::Init, x, i, lane,
               "read of '" + region.name + "' byte " + std::to_string(offset) +
                   ", which nothing orders after the first write of it",
               {x.m.placeOf(w->writer, w->inst)});
  x.m.races.learn(x.clock(lane), w->before, semantics.acquire, semantics.scope,
                  false);
  std::memcpy(late, w->old, bytes);
  return late;
}

/// The addresses that lanes give.
void takeAddresses(Exec &x, const AddressOperand &a, Mask m, uint64_t *to) {
  if (a.row >= 0 && a.wide) {
    const auto *base = x.row<uint64_t>(a.row);
    for (int l = 0; l < 32; ++l)
      to[l] = base[l] + uint64_t(a.offset);
    return;
  }
  forLanes(m, [&](int l) { to[l] = laneAddress(x, a, l); });
}

/// Gives rows of slots `S` elements `T` of the lanes, `p` and `offsets` say
/// where.
template <typename S, typename T>
void spread(Exec &x, const MemoryAccess &in, Mask m, const uint8_t *p,
            const uint64_t *offsets) {
  for (int k = 0; k < in.count; ++k) {
    S *row = x.row<S>(in.rows[k]);
    const uint8_t *from = p + size_t(k) * sizeof(T);
    lanes(m, [&](int l) {
      T v;
      std::memcpy(&v, from + offsets[l], sizeof v);
      row[l] = S(v);
    });
  }
}

/// The elements of all lanes.
void putAll(Exec &x, const MemoryAccess &in, Mask m, const uint8_t *p,
            const uint64_t *offsets) {
  if (in.bytes == 4 && in.registerBits == 32)
    return spread<uint32_t, uint32_t>(x, in, m, p, offsets);
  if (in.bytes == 8)
    return spread<uint64_t, uint64_t>(x, in, m, p, offsets);
  if (in.bytes == 2 && in.registerBits <= 32 && !in.isSigned)
    return spread<uint32_t, uint16_t>(x, in, m, p, offsets);
  forLanes(m, [&](int l) {
    for (int k = 0; k < in.count; ++k)
      putElement(x, in, in.rows[k], l, p + offsets[l] + k * in.bytes);
  });
}

/// A weak load of lanes all at once; false, and nothing has happened, where one
/// lane after the other has to be looked at.
bool loadTogether(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MemoryAccess>();
  uint32_t bytes = in.allBytes();
  uint64_t offsets[32];
  Region *region;
  if (in.semantics.strong)
    return false;
  takeAddresses(x, in.address, m, offsets);
  if (!x.m.memory.accessLanes(x, in.address.space, m, offsets, bytes, bytes,
                              AccessKind::Read, region) ||
      !Memory::isWritten(*region, m, offsets, bytes))
    return false;
  x.m.races.touchLanes(x, i, m, *region, offsets, bytes, AccessKind::Read);
  putAll(x, in, m, region->data.data(), offsets);
  if (x.m.profile)
    countRequest(x.m, region, offsets, m, bytes, false);
  return true;
}

void load(Exec &x, const Inst &i, Mask m) {
  if (loadTogether(x, i, m))
    return;
  const auto &in = i.as<MemoryAccess>();
  uint32_t bytes = in.allBytes();
  const Semantics &semantics = in.semantics;
  uint64_t offsets[32];
  Region *first = nullptr;
  std::string what;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint8_t *p = x.m.memory.access(x, i, l, in.address.space,
                                   laneAddress(x, in.address, l), bytes,
                                   AccessKind::Read, region, offsets[l]);
    if (!p)
      return;
    first = region;
    uint8_t late[StrongWrite::kMax];
    if (region) {
      x.m.races.touch(x, i, l, *region, offsets[l], bytes, AccessKind::Read,
                      semantics, false, false);
      if (semantics.strong)
        p = lateOrNot(x, i, l, *region, offsets[l], bytes, p, late, semantics);
    }
    uint64_t unwritten = 0;
    if (!region || !region->written.empty())
      unwritten = x.m.registers.unwrittenBytes(x, i, l, region, offsets[l],
                                               bytes, what);
    bool whole = bytes >= 4 && unwritten == ~uint64_t(0) >> (64 - bytes);
    for (int k = 0; k < in.count; ++k) {
      int32_t row = in.rows[k];
      putElement(x, in, row, l, p + k * in.bytes);
      if (unwritten) {
        uint64_t mask = unwritten >> (k * in.bytes) & ((1u << in.bytes) - 1);
        if (in.isSigned && mask >> (in.bytes - 1))
          mask |= 0xFFull << in.bytes & 0xFF;
        if (mask)
          x.m.registers.loadUnwritten(x, i, l, row, mask, whole, what);
      }
    }
  });
  if (x.m.profile && !x.m.stopped)
    countRequest(x.m, first, offsets, m, bytes, false);
}

/// Elements that lie one after another from `p` on.
void putElements(Exec &x, const MemoryAccess &in, int lane, const uint8_t *p) {
  for (int k = 0; k < in.count; ++k)
    putElement(x, in, in.rows[k], lane, p + k * in.bytes);
}

/// Parameters of the kernel at a constant place.
void loadParam(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MemoryAccess>();
  uint32_t bytes = in.allBytes();
  Region &r = *x.m.memory.params;
  uint64_t offset = uint64_t(in.address.offset) - r.base;
  if (offset + bytes > r.size) {
    x.m.report(FindingKind::Bounds, x, i, __builtin_ctz(m),
               "read beyond the kernel's parameters");
    x.m.fatal();
    return;
  }
  int first = __builtin_ctz(m);
  putElements(x, in, first, r.data.data() + offset);
  auto spreadRow = [&](auto *row) {
    auto value = row[first];
    lanes(m, [&](int l) { row[l] = value; });
  };
  for (int k = 0; k < in.count; ++k) {
    if (in.registerBits < 64) {
      spreadRow(x.row<uint32_t>(in.rows[k]));
      continue;
    }
    spreadRow(x.row<uint64_t>(in.rows[k]));
    if (in.bytes == 16)
      spreadRow(x.row<uint64_t>(in.rows[k] + 2));
  }
}

/// Parameters of calls lie in the frame.
void loadFrame(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MemoryAccess>();
  Frame &f = *x.frame;
  forLanes(m, [&](int l) {
    putElements(x, in, l,
                f.params.data() + size_t(l) * f.code->paramBytes +
                    in.address.offset);
  });
}

void takeElement(Exec &x, const MemoryAccess &in, int row, int lane,
                 uint8_t *p) {
  if (in.bytes == 16) {
    std::memcpy(p, &x.row<uint64_t>(row)[lane], 8);
    std::memcpy(p + 8, &x.row<uint64_t>(row + 2)[lane], 8);
  } else if (in.registerBits >= 64) {
    std::memcpy(p, &x.row<uint64_t>(row)[lane], in.bytes);
  } else {
    uint64_t v = x.row<uint32_t>(row)[lane];
    std::memcpy(p, &v, in.bytes);
  }
}

void takeElements(Exec &x, const MemoryAccess &in, int lane, uint8_t *p) {
  for (int k = 0; k < in.count; ++k)
    takeElement(x, in, in.rows[k], lane, p + k * in.bytes);
}

/// Returns whether floats differ by rounding only. Lanes that hold copies of
/// one result may have added its terms in different orders; whichever of them
/// one store instruction leaves behind is right.
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

/// A weak store of lanes all at once; false, and nothing has happened, where
/// one lane after the other has to be looked at.
bool storeTogether(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MemoryAccess>();
  uint32_t bytes = in.allBytes();
  uint64_t offsets[32];
  Region *region;
  if (in.semantics.strong || x.warp->unwritten || bytes > 32)
    return false;
  takeAddresses(x, in.address, m, offsets);
  if (!x.m.memory.accessLanes(x, in.address.space, m, offsets, bytes, bytes,
                              AccessKind::Write, region) ||
      !lieApart(m, offsets, bytes))
    return false;
  uint8_t *p = region->data.data(), values[32][32];
  Mask same = 0;
  forLanes(m, [&](int l) {
    takeElements(x, in, l, values[l]);
    same |= Mask(std::memcmp(p + offsets[l], values[l], bytes) == 0) << l;
  });
  x.m.races.touchLanes(x, i, m, *region, offsets, bytes, AccessKind::Write,
                       same);
  forLanes(m, [&](int l) { std::memcpy(p + offsets[l], values[l], bytes); });
  if (x.m.profile)
    countRequest(x.m, region, offsets, m, bytes, true);
  return true;
}

void store(Exec &x, const Inst &i, Mask m) {
  if (storeTogether(x, i, m))
    return;
  const auto &in = i.as<MemoryAccess>();
  uint32_t bytes = in.allBytes();
  const Semantics &semantics = in.semantics;
  uint64_t offsets[32];
  Region *first = nullptr;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint8_t *p = x.m.memory.access(x, i, l, in.address.space,
                                   laneAddress(x, in.address, l), bytes,
                                   AccessKind::Write, region, offsets[l]);
    if (!p)
      return;
    first = region;
    uint8_t value[64];
    takeElements(x, in, l, value);
    if (region) {
      if (semantics.strong && x.m.weak.weakLoads)
        x.m.weak.noteStrongWrite(x, i, l, *region, offsets[l], bytes, p, value);
      if (semantics.strong)
        x.m.races.releaseAt(x.clock(l), *region, offsets[l], semantics, false);
      bool same = std::memcmp(p, value, bytes) == 0;
      if (!same && (in.bytes == 4 || in.bytes == 8) &&
          (in.bytes == 4 ? nearly<float>(p, value, bytes)
                         : nearly<double>(p, value, bytes)))
        forLanes(m & ((1u << l) - 1),
                 [&](int k) { same |= offsets[k] == offsets[l]; });
      x.m.races.touch(x, i, l, *region, offsets[l], bytes, AccessKind::Write,
                      semantics, same);
    }
    std::memcpy(p, value, bytes);
    for (int k = 0; x.warp->unwritten && k < in.count; ++k)
      x.m.registers.storeUnwritten(x, l, in.rows[k], in.bytes, region,
                                   offsets[l] + uint64_t(k * in.bytes));
  });
  if (semantics.strong)
    x.m.scheduler.giveWay(x);
  if (x.m.profile && !x.m.stopped)
    countRequest(x.m, first, offsets, m, bytes, true);
}

void storeFrame(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<MemoryAccess>();
  Frame &f = *x.frame;
  forLanes(m, [&](int l) {
    takeElements(x, in, l,
                 f.params.data() + size_t(l) * f.code->paramBytes +
                     in.address.offset);
  });
}

void createPolicy(Exec &x, const Inst &i, Mask m) {
  constexpr uint64_t kAnyPolicy = 0x1000000000000000;
  auto *d = x.row<uint64_t>(i.as<Rows>().d);
  lanes(m, [&](int l) { d[l] = kAnyPolicy; });
}

struct DiscardOperands {
  AddressOperand address;
  uint32_t bytes = 0;
};

void discard(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<DiscardOperands>();
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint64_t offset;
    uint8_t *p = x.m.memory.access(x, i, l, in.address.space,
                                   laneAddress(x, in.address, l), in.bytes,
                                   AccessKind::Write, region, offset, 128);
    if (!p || !region)
      return;
    x.m.races.touch(x, i, l, *region, offset, in.bytes, AccessKind::Write,
                    Semantics());
    if (region->written.empty())
      region->written.assign(region->size, 1);
    std::memset(&region->written[offset], 0, in.bytes);
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
  auto &in = d.make<MemoryAccess>();
  in.semantics = takeSemantics(d, false);
  d.inst.nonCoherent = d.has("nc");
  d.has("unified");
  d.hints();
  int n = vectorCount(d);
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  in.bytes = uint8_t(typeBits(t) / 8);
  in.count = uint8_t(n);
  in.isSigned =
      t == Type::S8 || t == Type::S16 || t == Type::S32 || t == Type::S64;
  if (!d.operands(2, 3)) // The third is a cache policy.
    return false;
  std::vector<Operand> to = Decoder::elements(d.operand(0));
  if (int(to.size()) != n)
    return d.fail("expected " + std::to_string(n) + " destination registers");
  int bits = 0, rows = 0;
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
    in.rows[rows++] = row;
  }
  Decoder::Address a;
  if (!d.address(d.operand(1), s, a))
    return false;
  in.address = a;
  in.address.space = s;
  in.registerBits = uint8_t(bits);
  d.inst.width = in.bytes;
  d.m.weak.weakLoads |= in.semantics.strong;
  Handler h = load;
  if (s == Space::Param && a.frameParam)
    h = loadFrame;
  else if (s == Space::Param && a.row < 0)
    h = loadParam;
  d.emit(h, classOf(s));
  return true;
}

bool decodeStore(Decoder &d) {
  if (d.peek() == "async" || d.peek() == "bulk")
    return decodeTable().at("st#async")(d);
  Space s;
  takeMemorySpace(d, s);
  auto &in = d.make<MemoryAccess>();
  in.semantics = takeSemantics(d, false);
  d.hints();
  int n = vectorCount(d);
  Type t = d.type();
  if (t == Type::None)
    return d.fail("expected a type");
  in.bytes = uint8_t(typeBits(t) / 8);
  in.count = uint8_t(n);
  if (!d.operands(2, 3))
    return false;
  std::vector<Operand> from = Decoder::elements(d.operand(1));
  if (int(from.size()) != n)
    return d.fail("expected " + std::to_string(n) + " source registers");
  int bits = 0, rows = 0;
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
    in.rows[rows++] = row;
  }
  Decoder::Address a;
  if (!d.address(d.operand(0), s, a))
    return false;
  in.address = a;
  in.address.space = s;
  in.registerBits = uint8_t(bits);
  d.inst.width = in.bytes;
  d.emit(a.frameParam ? storeFrame : store, classOf(s));
  return true;
}

bool decodeCreatePolicy(Decoder &d) {
  for (size_t i = 1; i < d.s->words.size(); ++i)
    d.has(d.s->words[i]);
  if (!d.destination(d.operand(0), Type::B64, d.make<Rows>().d))
    return false;
  d.emit(createPolicy, Class::Move);
  return true;
}

bool decodeDiscard(Decoder &d) {
  auto &in = d.make<DiscardOperands>();
  Space s;
  takeMemorySpace(d, s);
  d.has("L2");
  int64_t size;
  if (!d.operands(2, 2) || !d.immediate(d.operand(1), size) ||
      !d.memoryOperand(d.operand(0), s, in.address))
    return false;
  in.bytes = uint32_t(size);
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
