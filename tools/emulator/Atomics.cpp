// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atom and red.
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MemoryOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

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

struct AtomicOperands {
  AddressOperand address;
  Semantics semantics;
  AtomOp op = AAdd;
  Type type = Type::None;
  int count = 1;                ///< Elements.
  std::vector<int32_t> d, b, c; ///< Rows of each; no d of red.
};

/// Lanes take their turns in a drawn order.
int drawOrder(Exec &x, Mask m, int *order) {
  int n = 0;
  forLanes(m, [&](int l) { order[n++] = l; });
  for (int k = n - 1; k > 0; --k)
    std::swap(order[k], order[x.m.scheduler.random() % uint64_t(k + 1)]);
  return n;
}

void atomic(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<AtomicOperands>();
  Type t = in.type;
  uint32_t bytes = uint32_t(typeBits(t)) / 8;
  const Semantics &semantics = in.semantics;
  const auto &to = in.d, &b = in.b, &c = in.c;
  uint32_t all = bytes * uint32_t(in.count);
  int order[32], n = drawOrder(x, m, order);
  uint64_t offsets[32];
  Region *first = nullptr;
  for (int k = 0; k < n && !x.m.stopped; ++k) {
    int l = order[k];
    Region *region = nullptr;
    uint64_t &offset = offsets[l];
    uint8_t *p = x.m.memory.access(x, i, l, in.address.space,
                                   laneAddress(x, in.address, l), all,
                                   AccessKind::Atomic, region, offset);
    if (!p)
      return;
    first = region;
    bool changes = false;
    uint8_t before[64];
    std::memcpy(before, p, all);
    if (region) {
      x.m.races.touch(x, i, l, *region, offset, all, AccessKind::Atomic,
                      semantics);
      x.m.races.acquireAt(x.clock(l), *region, offset, semantics);
    }
    bool global = !region || region->space == Space::Global, failed = false;
    for (int e = 0; e < in.count; ++e) {
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
          next[h] = in.op == AExch ? get(b, h) : equal ? get(c, h) : old[h];
        failed = in.op == ACas && !equal;
        changes |= std::memcmp(at, next, 16) != 0;
        std::memcpy(at, next, 16);
        if (!to.empty())
          for (int h = 0; h < 2; ++h)
            x.row<uint64_t>(to[size_t(e)] + 2 * h)[l] = old[h];
        continue;
      }
      uint64_t old = elementOf(at, int(bytes));
      uint64_t next = combine(in.op, t, old, get(b, 0), get(c, 0), global);
      failed = in.op == ACas && bytes < 16 &&
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
    if (region && x.m.weak.weakLoads)
      x.m.weak.noteStrongWrite(x, i, l, *region, offset, all, before, p);
    // A compare-and-swap that fails has written nothing.
    if (region && !failed)
      x.m.races.releaseAt(x.clock(l), *region, offset, semantics, true);
    if (changes)
      x.m.scheduler.changed();
  }
  if (!to.empty() && !i.blind)
    x.m.scheduler.giveWay(x);
  if (x.m.profile && !x.m.stopped)
    countRequest(x.m, first, offsets, m, all, true);
}

bool decodeAtomic(Decoder &d) {
  bool isRed = d.s->words[0] != "atom";
  if (d.peek() == "async")
    return decodeTable().at("red#async")(d);
  auto &in = d.make<AtomicOperands>();
  Space s;
  takeMemorySpace(d, s);
  in.semantics = takeSemantics(d, true);
  d.hints();
  d.has("noftz");
  static const char *const ops[] = {"add", "min",  "max", "and", "or",
                                    "xor", "exch", "cas", "inc", "dec"};
  bool found = false;
  for (int k = 0; k < 10 && !found; ++k)
    if (d.has(ops[k])) {
      in.op = AtomOp(k);
      found = true;
    }
  int n = vectorCount(d);
  Type t = d.type();
  if (!found || t == Type::None)
    return d.fail("expected an operation and a type");
  in.count = n;
  d.inst.width = uint8_t(typeBits(t) / 8);
  in.type = t;
  size_t sources = in.op == ACas ? 2 : 1;
  size_t first = isRed ? 0 : 1;
  if (!d.operands(first + 1 + sources, first + 2 + sources))
    return false;
  if (!isRed && !d.destinations(d.operand(0), t, in.d))
    return false;
  d.inst.blind = isRed; // Or the destination is not used, see findWatches.
  if (!d.memoryOperand(d.operand(first), s, in.address))
    return false;
  d.m.scheduler.mayCommunicate |=
      s != Space::Shared && s != Space::SharedCluster;
  for (size_t k = 0; k < sources; ++k) {
    std::vector<int32_t> &rows = k ? in.c : in.b;
    if (!d.sources(d.operand(first + 1 + k), t, rows))
      return false;
    if (int(rows.size()) != n)
      return d.fail("expected " + std::to_string(n) + " source registers");
  }
  d.emit(atomic, Class::Atomic);
  return true;
}

} // namespace

bool takeReduction(Decoder &d, Reduction &out) {
  static const std::pair<const char *, AtomOp> ops[] = {
      {"add", AAdd}, {"min", AMin}, {"max", AMax}, {"inc", AInc},
      {"dec", ADec}, {"and", AAnd}, {"or", AOr},   {"xor", AXor}};
  for (auto &[word, op] : ops)
    if (d.has(word)) {
      out.exists = true;
      out.op = op;
      return true;
    }
  return false;
}

uint64_t reduceElement(AtomOp op, Type t, uint64_t old, uint64_t b) {
  return combine(op, t, old, b, 0, true);
}

void registerAtomics() {
  RegisterDecoders({{"atom", decodeAtomic}, {"red", decodeAtomic}});
}

} // namespace tileir::emu
