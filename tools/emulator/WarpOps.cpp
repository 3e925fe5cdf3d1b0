// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp do together: bar.warp.sync, shfl, vote, match,
// redux, elect, activemask. Lanes may stand at different places of the program
// as long as the operation, its qualifiers and the member mask are the same.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// Who takes part in one operation, each lane with its own instruction and
/// registers. Slots are those of `Inst::o`.
struct Party {
  Mask lanes = 0;
  struct Seat {
    const Inst *inst;
    uint8_t *rows;
    uint32_t *predicates;
  } seats[32];
  Mask others = 0; ///< Groups of the warp, by number, that wait elsewhere.

  template <typename T> T &at(int slot, int lane) const {
    const Seat &s = seats[lane];
    return reinterpret_cast<T *>(s.rows + size_t(s.inst->o[slot]) * 128)[lane];
  }
  bool predicate(int slot, int lane) const {
    const Seat &s = seats[lane];
    uint32_t code = uint32_t(s.inst->o[slot]);
    return ((s.predicates[code >> 1] >> lane) ^ code) & 1;
  }
  void setPredicate(int slot, int lane, bool value) const {
    const Seat &s = seats[lane];
    uint32_t &p = s.predicates[uint32_t(s.inst->o[slot]) >> 1];
    p = (p & ~(1u << lane)) | uint32_t(value) << lane;
  }
};

bool sameOperation(const Inst &p, const Inst &q) {
  return p.fn == q.fn && p.a == q.a && p.b == q.b && p.c == q.c && p.e == q.e;
}

/// Seats the lanes that the member masks (slot `maskSlot`) of `m` name. False
/// when somebody is missing: the group then waits, or stops with a finding.
bool assemble(Exec &x, const Inst &i, Mask m, int maskSlot, Party &party) {
  Warp &w = *x.warp;
  // Lanes that the predicate switches off are not part of it.
  if (Mask off = x.group->mask & ~m) {
    x.m.splitGroup(x, off, x.group->pc + 1);
    x.group->mask = m;
  }
  auto seat = [&](const Inst &inst, Frame &frame, Mask lanes) {
    forLanes(lanes, [&](int l) {
      party.seats[l] = {&inst, frame.rows, frame.predicates.data()};
    });
    party.lanes |= lanes;
  };
  seat(i, *x.frame, m);
  auto *masks = x.row<uint32_t>(i.o[maskSlot]);
  Mask needed = 0;
  int stranger = -1;
  forLanes(m, [&](int l) {
    needed |= masks[l];
    if (!(masks[l] >> l & 1) && stranger < 0)
      stranger = l;
  });
  if (stranger >= 0) {
    x.m.report(FindingKind::MemberMask, x, i, stranger,
               "lane executes without its own bit in the member mask");
    if (x.m.reports(FindingKind::MemberMask)) {
      x.m.fatal();
      return false;
    }
  }
  if (!(needed & w.live & ~m))
    return true;
  // Those who have all they need go ahead; the others stay behind.
  Mask complete = 0;
  forLanes(m, [&](int l) { complete |= Mask(!(masks[l] & w.live & ~m)) << l; });
  forLanes(complete, [&](int l) {
    Mask lost = 0;
    forLanes(masks[l] & m, [&](int k) { lost |= Mask(masks[k] != masks[l]); });
    if (lost)
      complete &= ~(1u << l);
  });
  if (complete) {
    x.m.splitGroup(x, m & ~complete, x.group->pc);
    w.groups.back().state = Group::Parked;
    party.lanes = complete;
    return true;
  }
  // Others may wait at the same operation at another place.
  bool more = true;
  while (more && (needed & w.live & ~party.lanes)) {
    more = false;
    for (size_t k = 0; k < w.groups.size(); ++k) {
      Group &g = w.groups[k];
      if (&g == x.group || g.state != Group::Parked || (party.others >> k & 1))
        continue;
      const Inst &other = x.m.code[size_t(g.pc)];
      if (!sameOperation(other, i) || !(g.mask & needed))
        continue;
      auto *its = reinterpret_cast<uint32_t *>(g.frame->rows +
                                               size_t(other.o[maskSlot]) * 128);
      forLanes(g.mask, [&](int l) { needed |= its[l]; });
      seat(other, *g.frame, g.mask);
      party.others |= 1u << k;
      more = true;
    }
  }
  if (!(needed & w.live & ~party.lanes))
    return true;
  x.group->state = Group::Parked;
  x.wait = true;
  return false;
}

/// The lanes that waited elsewhere go on behind their own instruction.
void dismiss(Exec &x, const Party &party) {
  if (!party.others)
    return;
  for (size_t k = 0; k < x.warp->groups.size(); ++k)
    if (party.others >> k & 1) {
      Group &g = x.warp->groups[k];
      g.state = Group::Ready;
      ++g.pc;
    }
  x.regroup = true;
}

void warpSync(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, 0, party))
    return;
  Mask left = party.lanes;
  while (left) {
    int first = __builtin_ctz(left);
    Mask members = party.at<uint32_t>(0, first) & left;
    left &= ~(members | 1u << first);
    std::vector<ThreadClock *> threads;
    forLanes(members, [&](int l) { threads.push_back(&x.clock(l)); });
    ClockRef joined = joinThreads(threads);
    for (ThreadClock *t : threads) {
      t->known = joined;
      ++t->clock;
    }
  }
  dismiss(x, party);
}

/// a: 0 up, 1 down, 2 bfly, 3 idx; o[4] predicate, o[5] mask.
void shfl(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, 5, party))
    return;
  uint32_t r[32];
  Mask p = 0;
  int undefined = -1;
  forLanes(party.lanes, [&](int l) {
    uint32_t c = party.at<uint32_t>(3, l);
    int s = c >> 8 & 31, k = c & 31, by = party.at<uint32_t>(2, l) & 31;
    int lo = l & s, hi = lo | (k & ~s), j = l;
    bool in = false;
    switch (i.a) {
    case 0:
      j = l - by;
      in = j >= hi;
      break;
    case 1:
      j = l + by;
      in = j <= hi;
      break;
    case 2:
      j = l ^ by;
      in = j <= hi;
      break;
    case 3:
      j = lo | (by & ~s & 31);
      in = j <= hi;
      break;
    }
    if (!in)
      j = l;
    p |= Mask(in) << l;
    if (!(party.at<uint32_t>(5, l) & party.lanes & 1u << j))
      undefined = l;
    r[l] = party.lanes >> j & 1 ? party.at<uint32_t>(1, j) : 0;
  });
  forLanes(party.lanes, [&](int l) {
    party.at<uint32_t>(0, l) = r[l];
    party.setPredicate(4, l, p >> l & 1);
  });
  if (undefined >= 0)
    x.m.report(FindingKind::Undefined, x, *party.seats[undefined].inst,
               undefined,
               "shuffle reads a lane that is not in the member mask or has "
               "exited");
  dismiss(x, party);
}

/// a: 0 all, 1 any, 2 uni, 3 ballot.
void vote(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, 2, party))
    return;
  Mask p = 0;
  forLanes(party.lanes, [&](int l) { p |= Mask(party.predicate(1, l)) << l; });
  uint32_t r[32];
  forLanes(party.lanes, [&](int l) {
    Mask members = party.at<uint32_t>(2, l) & party.lanes, yes = p & members;
    r[l] = i.a == 3   ? yes
           : i.a == 0 ? yes == members
           : i.a == 1 ? yes != 0
                      : yes == members || yes == 0;
  });
  forLanes(party.lanes, [&](int l) {
    if (i.a == 3)
      party.at<uint32_t>(0, l) = r[l];
    else
      party.setPredicate(0, l, r[l]);
  });
  dismiss(x, party);
}

void activemask(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]);
  lanes(m, [&](int l) { d[l] = m; });
}

/// a: 1 all; b: 1 for 64 bits.
void match(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, 2, party))
    return;
  uint64_t value[32];
  forLanes(party.lanes, [&](int l) {
    value[l] = i.b ? party.at<uint64_t>(1, l) : party.at<uint32_t>(1, l);
  });
  uint32_t r[32];
  Mask p = 0;
  forLanes(party.lanes, [&](int l) {
    Mask members = party.at<uint32_t>(2, l) & party.lanes, equal = 0;
    forLanes(members, [&](int k) { equal |= Mask(value[k] == value[l]) << k; });
    bool all = equal == members;
    r[l] = i.a ? (all ? members : 0) : equal;
    p |= Mask(all) << l;
  });
  forLanes(party.lanes, [&](int l) {
    party.at<uint32_t>(0, l) = r[l];
    if (i.a)
      party.setPredicate(4, l, p >> l & 1);
  });
  dismiss(x, party);
}

/// One step of a reduction; a, b, c as in `redux`.
uint32_t reduce(const Inst &i, uint32_t r, uint32_t v) {
  switch (i.a) {
  case 0:
    return r + v;
  case 1:
  case 2:
    if (i.b == 2) {
      float p = asFloat(r), q = asFloat(v);
      bool nan = i.c & 2;
      return asBits(i.a == 1 ? minimum(p, q, nan) : maximum(p, q, nan));
    }
    if (i.b == 1)
      return i.a == 1 ? uint32_t(std::min(int32_t(r), int32_t(v)))
                      : uint32_t(std::max(int32_t(r), int32_t(v)));
    return i.a == 1 ? std::min(r, v) : std::max(r, v);
  case 3:
    return r & v;
  case 4:
    return r | v;
  default:
    return r ^ v;
  }
}

/// a: 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor; b: 0 u32, 1 s32, 2 f32; c: 1
/// abs, 2 NaN.
void redux(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, 2, party))
    return;
  uint32_t value[32], results[32];
  forLanes(party.lanes, [&](int l) {
    value[l] = party.at<uint32_t>(1, l);
    if (i.b == 2 && (i.c & 1))
      value[l] &= 0x7FFFFFFF;
  });
  forLanes(party.lanes, [&](int l) {
    Mask members = (party.at<uint32_t>(2, l) & party.lanes) | 1u << l;
    int first = __builtin_ctz(members);
    uint32_t r = value[first];
    forLanes(members & ~(1u << first),
             [&](int k) { r = reduce(i, r, value[k]); });
    results[l] = i.b == 2 ? asBits(canonical(asFloat(r))) : r;
  });
  forLanes(party.lanes, [&](int l) { party.at<uint32_t>(0, l) = results[l]; });
  dismiss(x, party);
}

void elect(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, 2, party))
    return;
  forLanes(party.lanes, [&](int l) {
    int leader =
        __builtin_ctz((party.at<uint32_t>(2, l) & party.lanes) | 1u << l);
    party.at<uint32_t>(0, l) = uint32_t(leader);
    party.setPredicate(1, l, leader == l);
  });
  dismiss(x, party);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeWarpSync(Decoder &d) {
  d.has("sync");
  if (!d.operands(1, 1) || !d.source(d.operand(0), Type::B32, d.inst.o[0]))
    return false;
  d.emit(warpSync, Class::WarpSync);
  return true;
}

bool decodeShfl(Decoder &d) {
  if (!d.has("sync"))
    return d.fail("only the '.sync' form is supported");
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  bool found = false;
  for (int k = 0; k < 4; ++k)
    if (d.has(modes[k])) {
      d.inst.a = uint8_t(k);
      found = true;
    }
  Type t = d.type();
  if (!found || t != Type::B32)
    return d.fail("expected '.up', '.down', '.bfly' or '.idx' and '.b32'");
  if (!d.operands(5, 5))
    return false;
  const Operand &to = d.operand(0);
  d.inst.o[4] = 2;
  if (to.kind == Operand::Kind::Pair) {
    if (!d.destination(to.items[0], t, d.inst.o[0]) ||
        !d.predicateDestination(to.items[1], d.inst.o[4]))
      return false;
  } else if (!d.destination(to, t, d.inst.o[0])) {
    return false;
  }
  for (int k = 1; k < 4; ++k)
    if (!d.source(d.operand(size_t(k)), Type::B32, d.inst.o[k]))
      return false;
  if (!d.source(d.operand(4), Type::B32, d.inst.o[5]))
    return false;
  d.emit(shfl, Class::WarpSync);
  return true;
}

bool decodeVote(Decoder &d) {
  if (!d.has("sync"))
    return d.fail("only the '.sync' form is supported");
  d.inst.a = d.has("all")      ? 0
             : d.has("any")    ? 1
             : d.has("uni")    ? 2
             : d.has("ballot") ? 3
                               : 9;
  d.type();
  if (d.inst.a == 9)
    return d.fail("expected '.all', '.any', '.uni' or '.ballot'");
  return d.operands(3, 3) &&
         (d.inst.a == 3 ? d.destination(d.operand(0), Type::B32, d.inst.o[0])
                        : d.predicateDestination(d.operand(0), d.inst.o[0])) &&
         d.predicateSource(d.operand(1), d.inst.o[1]) &&
         d.source(d.operand(2), Type::B32, d.inst.o[2]) &&
         (d.emit(vote, Class::WarpSync), true);
}

bool decodeActivemask(Decoder &d) {
  d.type();
  return d.operands(1, 1) &&
         d.destination(d.operand(0), Type::B32, d.inst.o[0]) &&
         (d.emit(activemask, Class::WarpSync), true);
}

bool decodeMatch(Decoder &d) {
  d.inst.a = d.has("all");
  if (!d.inst.a && !d.has("any"))
    return d.fail("expected '.any' or '.all'");
  d.has("sync");
  Type t = d.type();
  d.inst.b = typeBits(t) == 64;
  if (!d.operands(3, 3))
    return false;
  const Operand &to = d.operand(0);
  d.inst.o[4] = 2;
  if (to.kind == Operand::Kind::Pair) {
    if (!d.destination(to.items[0], Type::B32, d.inst.o[0]) ||
        !d.predicateDestination(to.items[1], d.inst.o[4]))
      return false;
  } else if (!d.destination(to, Type::B32, d.inst.o[0])) {
    return false;
  }
  return d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), Type::B32, d.inst.o[2]) &&
         (d.emit(match, Class::WarpSync), true);
}

bool decodeRedux(Decoder &d) {
  d.has("sync");
  static const char *const ops[] = {"add", "min", "max", "and", "or", "xor"};
  bool found = false;
  for (int k = 0; k < 6; ++k)
    if (d.has(ops[k])) {
      d.inst.a = uint8_t(k);
      found = true;
    }
  if (d.has("abs"))
    d.inst.c |= 1;
  if (d.has("NaN"))
    d.inst.c |= 2;
  Type t = d.type();
  d.inst.b = t == Type::S32 ? 1 : t == Type::F32 ? 2 : 0;
  if (!found)
    return d.fail("unknown operation");
  return d.operands(3, 3) && d.destination(d.operand(0), t, d.inst.o[0]) &&
         d.source(d.operand(1), t, d.inst.o[1]) &&
         d.source(d.operand(2), Type::B32, d.inst.o[2]) &&
         (d.emit(redux, Class::WarpSync), true);
}

bool decodeElect(Decoder &d) {
  d.has("sync");
  if (!d.operands(2, 2) || d.operand(0).kind != Operand::Kind::Pair)
    return d.fail("expected 'd|p' as destination");
  return d.destination(d.operand(0).items[0], Type::B32, d.inst.o[0]) &&
         d.predicateDestination(d.operand(0).items[1], d.inst.o[1]) &&
         d.source(d.operand(1), Type::B32, d.inst.o[2]) &&
         (d.emit(elect, Class::WarpSync), true);
}

} // namespace

void registerWarpOps() {
  RegisterDecoders({
      {"bar#warp", decodeWarpSync},
      {"shfl", decodeShfl},
      {"vote", decodeVote},
      {"activemask", decodeActivemask},
      {"match", decodeMatch},
      {"redux", decodeRedux},
      {"elect", decodeElect},
  });
}

} // namespace tileir::emu
