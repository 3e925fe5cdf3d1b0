// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that the lanes of a warp do together: bar.warp.sync, shfl, vote,
// match, redux, elect, activemask. Lanes may stand at different places of the
// program as long as the operation, its qualifiers and the member mask are the
// same.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// Operands of every instruction here.
struct WarpRows {
  int32_t d = 0; ///< A predicate for votes other than ballot.
  int32_t a = 0, b = 0, c = 0;
  int32_t p = 2;       ///< A second destination; predicate 1: unused.
  int32_t members = 0; ///< The member mask.
  enum Shuffle : uint8_t { Up, Down, Butterfly, Index };
  enum Vote : uint8_t { All, Any, Uniform, Ballot };
  enum Reduction : uint8_t { Add, Min, Max, And, Or, Xor };
  uint8_t mode = 0; ///< One of the three; of match: 1 for .all.
  enum Kind : uint8_t { Unsigned, Signed, Float, Wide } kind = Unsigned;
  bool isAbs = false, keepsNaN = false;

  bool sameModes(const WarpRows &o) const {
    return mode == o.mode && kind == o.kind && isAbs == o.isAbs &&
           keepsNaN == o.keepsNaN;
  }
};
using Slot = int32_t WarpRows::*;

/// Who takes part in one operation, each lane with its own instruction and
/// registers.
struct Party {
  Mask lanes = 0;
  struct Seat {
    const Inst *inst;
    const WarpRows *in;
    uint8_t *rows;
    uint32_t *predicates;
  } seats[32];
  Mask others = 0; ///< Groups of the warp, by number, that wait elsewhere.

  template <typename T> T &at(Slot slot, int lane) const {
    const Seat &s = seats[lane];
    return reinterpret_cast<T *>(s.rows + size_t(s.in->*slot) * 128)[lane];
  }
  bool predicate(Slot slot, int lane) const {
    const Seat &s = seats[lane];
    uint32_t code = uint32_t(s.in->*slot);
    return ((s.predicates[code >> 1] >> lane) ^ code) & 1;
  }
  void setPredicate(Slot slot, int lane, bool value) const {
    const Seat &s = seats[lane];
    uint32_t &p = s.predicates[uint32_t(s.in->*slot) >> 1];
    p = (p & ~(1u << lane)) | uint32_t(value) << lane;
  }
};

bool sameOperation(const Inst &p, const Inst &q) {
  return p.fn == q.fn && p.as<WarpRows>().sameModes(q.as<WarpRows>());
}

/// Seats the lanes that the member masks of `m` name. False when a lane is
/// missing: the group then waits, or stops with a finding.
bool assemble(Exec &x, const Inst &i, Mask m, Party &party) {
  Warp &w = *x.warp;
  // Lanes that the predicate switches off are not part of it.
  if (Mask off = x.group->mask & ~m) {
    x.m.scheduler.splitGroup(x, off, x.group->pc + 1);
    x.group->mask = m;
  }
  auto seat = [&](const Inst &inst, Frame &frame, Mask lanes) {
    forLanes(lanes, [&](int l) {
      party.seats[l] = {&inst, &inst.as<WarpRows>(), frame.rows,
                        frame.predicates.data()};
    });
    party.lanes |= lanes;
  };
  seat(i, *x.frame, m);
  auto *masks = x.row<uint32_t>(i.as<WarpRows>().members);
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
  // Lanes whose operands are complete proceed; the others wait.
  Mask complete = 0;
  forLanes(m, [&](int l) { complete |= Mask(!(masks[l] & w.live & ~m)) << l; });
  forLanes(complete, [&](int l) {
    Mask lost = 0;
    forLanes(masks[l] & m, [&](int k) { lost |= Mask(masks[k] != masks[l]); });
    if (lost)
      complete &= ~(1u << l);
  });
  if (complete) {
    x.m.scheduler.splitGroup(x, m & ~complete, x.group->pc);
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
      const Inst &other = x.m.image.code[size_t(g.pc)];
      if (!sameOperation(other, i) || !(g.mask & needed))
        continue;
      auto *its = reinterpret_cast<uint32_t *>(
          g.frame->rows + size_t(other.as<WarpRows>().members) * 128);
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

/// Lanes that waited elsewhere continue after their own instruction.
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
  if (!assemble(x, i, m, party))
    return;
  Mask left = party.lanes;
  while (left) {
    int first = __builtin_ctz(left);
    Mask members = party.at<uint32_t>(&WarpRows::members, first) & left;
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

void shfl(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, party))
    return;
  uint8_t mode = i.as<WarpRows>().mode;
  uint32_t r[32];
  Mask p = 0;
  int undefined = -1;
  forLanes(party.lanes, [&](int l) {
    uint32_t c = party.at<uint32_t>(&WarpRows::c, l);
    int s = c >> 8 & 31, k = c & 31,
        by = party.at<uint32_t>(&WarpRows::b, l) & 31;
    int lo = l & s, hi = lo | (k & ~s), j = l;
    bool in = false;
    switch (mode) {
    case WarpRows::Up:
      j = l - by;
      in = j >= hi;
      break;
    case WarpRows::Down:
      j = l + by;
      in = j <= hi;
      break;
    case WarpRows::Butterfly:
      j = l ^ by;
      in = j <= hi;
      break;
    case WarpRows::Index:
      j = lo | (by & ~s & 31);
      in = j <= hi;
      break;
    }
    if (!in)
      j = l;
    p |= Mask(in) << l;
    if (!(party.at<uint32_t>(&WarpRows::members, l) & party.lanes & 1u << j))
      undefined = l;
    r[l] = party.lanes >> j & 1 ? party.at<uint32_t>(&WarpRows::a, j) : 0;
  });
  forLanes(party.lanes, [&](int l) {
    party.at<uint32_t>(&WarpRows::d, l) = r[l];
    party.setPredicate(&WarpRows::p, l, p >> l & 1);
  });
  if (undefined >= 0)
    x.m.report(FindingKind::Undefined, x, *party.seats[undefined].inst,
               undefined,
               "shuffle reads a lane that is not in the member mask or has "
               "exited");
  dismiss(x, party);
}

void vote(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WarpRows>();
  Party party;
  if (!assemble(x, i, m, party))
    return;
  Mask p = 0;
  forLanes(party.lanes,
           [&](int l) { p |= Mask(party.predicate(&WarpRows::a, l)) << l; });
  uint32_t r[32];
  forLanes(party.lanes, [&](int l) {
    Mask members = party.at<uint32_t>(&WarpRows::members, l) & party.lanes,
         yes = p & members;
    r[l] = in.mode == WarpRows::Ballot ? yes
           : in.mode == WarpRows::All  ? yes == members
           : in.mode == WarpRows::Any  ? yes != 0
                                       : yes == members || yes == 0;
  });
  forLanes(party.lanes, [&](int l) {
    if (in.mode == WarpRows::Ballot)
      party.at<uint32_t>(&WarpRows::d, l) = r[l];
    else
      party.setPredicate(&WarpRows::d, l, r[l]);
  });
  dismiss(x, party);
}

void activemask(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WarpRows>();
  auto *d = x.row<uint32_t>(in.d);
  lanes(m, [&](int l) { d[l] = m; });
}

void match(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WarpRows>();
  Party party;
  if (!assemble(x, i, m, party))
    return;
  uint64_t value[32];
  forLanes(party.lanes, [&](int l) {
    value[l] = in.kind == WarpRows::Wide ? party.at<uint64_t>(&WarpRows::a, l)
                                         : party.at<uint32_t>(&WarpRows::a, l);
  });
  uint32_t r[32];
  Mask p = 0;
  forLanes(party.lanes, [&](int l) {
    Mask members = party.at<uint32_t>(&WarpRows::members, l) & party.lanes,
         equal = 0;
    forLanes(members, [&](int k) { equal |= Mask(value[k] == value[l]) << k; });
    bool all = equal == members;
    r[l] = in.mode ? (all ? members : 0) : equal;
    p |= Mask(all) << l;
  });
  forLanes(party.lanes, [&](int l) {
    party.at<uint32_t>(&WarpRows::d, l) = r[l];
    if (in.mode)
      party.setPredicate(&WarpRows::p, l, p >> l & 1);
  });
  dismiss(x, party);
}

/// One step of a reduction.
uint32_t reduce(const WarpRows &in, uint32_t r, uint32_t v) {
  switch (in.mode) {
  case WarpRows::Add:
    return r + v;
  case WarpRows::Min:
  case WarpRows::Max:
    if (in.kind == WarpRows::Float) {
      float p = asFloat(r), q = asFloat(v);
      bool nan = in.keepsNaN;
      return asBits(in.mode == WarpRows::Min ? minimum(p, q, nan)
                                             : maximum(p, q, nan));
    }
    if (in.kind == WarpRows::Signed)
      return in.mode == WarpRows::Min
                 ? uint32_t(std::min(int32_t(r), int32_t(v)))
                 : uint32_t(std::max(int32_t(r), int32_t(v)));
    return in.mode == WarpRows::Min ? std::min(r, v) : std::max(r, v);
  case WarpRows::And:
    return r & v;
  case WarpRows::Or:
    return r | v;
  default:
    return r ^ v;
  }
}

void redux(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WarpRows>();
  Party party;
  if (!assemble(x, i, m, party))
    return;
  uint32_t value[32], results[32];
  forLanes(party.lanes, [&](int l) {
    value[l] = party.at<uint32_t>(&WarpRows::a, l);
    if (in.kind == WarpRows::Float && in.isAbs)
      value[l] &= 0x7FFFFFFF;
  });
  forLanes(party.lanes, [&](int l) {
    Mask members =
        (party.at<uint32_t>(&WarpRows::members, l) & party.lanes) | 1u << l;
    int first = __builtin_ctz(members);
    uint32_t r = value[first];
    forLanes(members & ~(1u << first),
             [&](int k) { r = reduce(in, r, value[k]); });
    results[l] = in.kind == WarpRows::Float ? asBits(canonical(asFloat(r))) : r;
  });
  forLanes(party.lanes,
           [&](int l) { party.at<uint32_t>(&WarpRows::d, l) = results[l]; });
  dismiss(x, party);
}

/// The lane that `elect` takes among `members`: always the same one of the same
/// lanes, unspecified which. The lowest where the seed is 1, as GPUs do.
int electedLane(uint64_t seed, Mask members) {
  uint64_t mixed = (seed - 1) * 0x9E3779B97F4A7C15u;
  for (uint64_t left = (mixed >> 32) % uint64_t(__builtin_popcount(members));
       left; --left)
    members &= members - 1;
  return __builtin_ctz(members);
}

void elect(Exec &x, const Inst &i, Mask m) {
  Party party;
  if (!assemble(x, i, m, party))
    return;
  forLanes(party.lanes, [&](int l) {
    int leader = electedLane(
        x.m.options.seed,
        (party.at<uint32_t>(&WarpRows::members, l) & party.lanes) | 1u << l);
    party.at<uint32_t>(&WarpRows::d, l) = uint32_t(leader);
    party.setPredicate(&WarpRows::p, l, leader == l);
  });
  dismiss(x, party);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeWarpSync(Decoder &d) {
  auto &in = d.make<WarpRows>();
  d.has("sync");
  if (!d.operands(1, 1) || !d.source(d.operand(0), Type::B32, in.members))
    return false;
  d.emit(warpSync, Class::WarpSync);
  return true;
}

bool decodeShfl(Decoder &d) {
  auto &in = d.make<WarpRows>();
  if (!d.has("sync"))
    return d.fail("expected '.sync'; PTX 6.4 dropped the variant without it");
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  bool found = false;
  for (int k = 0; k < 4; ++k)
    if (d.has(modes[k])) {
      in.mode = uint8_t(k);
      found = true;
    }
  Type t = d.type();
  if (!found || t != Type::B32)
    return d.fail("expected '.up', '.down', '.bfly' or '.idx' and '.b32'");
  if (!d.operands(5, 5))
    return false;
  const Operand &to = d.operand(0);
  if (to.kind == Operand::Kind::Pair) {
    if (!d.destination(to.items[0], t, in.d) ||
        !d.predicateDestination(to.items[1], in.p))
      return false;
  } else if (!d.destination(to, t, in.d)) {
    return false;
  }
  if (!d.source(d.operand(1), Type::B32, in.a) ||
      !d.source(d.operand(2), Type::B32, in.b) ||
      !d.source(d.operand(3), Type::B32, in.c) ||
      !d.source(d.operand(4), Type::B32, in.members))
    return false;
  d.emit(shfl, Class::WarpSync);
  return true;
}

bool decodeVote(Decoder &d) {
  auto &in = d.make<WarpRows>();
  if (!d.has("sync"))
    return d.fail("expected '.sync'; PTX 6.4 dropped the variant without it");
  static const std::pair<const char *, WarpRows::Vote> modes[] = {
      {"all", WarpRows::All},
      {"any", WarpRows::Any},
      {"uni", WarpRows::Uniform},
      {"ballot", WarpRows::Ballot}};
  bool found = false;
  for (auto &[word, mode] : modes)
    if (!found && d.has(word)) {
      in.mode = mode;
      found = true;
    }
  d.type();
  if (!found)
    return d.fail("expected '.all', '.any', '.uni' or '.ballot'");
  return d.operands(3, 3) &&
         (in.mode == WarpRows::Ballot
              ? d.destination(d.operand(0), Type::B32, in.d)
              : d.predicateDestination(d.operand(0), in.d)) &&
         d.predicateSource(d.operand(1), in.a) &&
         d.source(d.operand(2), Type::B32, in.members) &&
         (d.emit(vote, Class::WarpSync), true);
}

bool decodeActivemask(Decoder &d) {
  auto &in = d.make<WarpRows>();
  d.type();
  return d.operands(1, 1) && d.destination(d.operand(0), Type::B32, in.d) &&
         (d.emit(activemask, Class::WarpSync), true);
}

bool decodeMatch(Decoder &d) {
  auto &in = d.make<WarpRows>();
  in.mode = d.has("all");
  if (!in.mode && !d.has("any"))
    return d.fail("expected '.any' or '.all'");
  d.has("sync");
  Type t = d.type();
  in.kind = typeBits(t) == 64 ? WarpRows::Wide : WarpRows::Unsigned;
  if (!d.operands(3, 3))
    return false;
  const Operand &to = d.operand(0);
  if (to.kind == Operand::Kind::Pair) {
    if (!d.destination(to.items[0], Type::B32, in.d) ||
        !d.predicateDestination(to.items[1], in.p))
      return false;
  } else if (!d.destination(to, Type::B32, in.d)) {
    return false;
  }
  return d.source(d.operand(1), t, in.a) &&
         d.source(d.operand(2), Type::B32, in.members) &&
         (d.emit(match, Class::WarpSync), true);
}

bool decodeRedux(Decoder &d) {
  auto &in = d.make<WarpRows>();
  d.has("sync");
  static const char *const ops[] = {"add", "min", "max", "and", "or", "xor"};
  bool found = false;
  for (int k = 0; k < 6; ++k)
    if (d.has(ops[k])) {
      in.mode = uint8_t(k);
      found = true;
    }
  in.isAbs = d.has("abs");
  in.keepsNaN = d.has("NaN");
  Type t = d.type();
  in.kind = t == Type::S32   ? WarpRows::Signed
            : t == Type::F32 ? WarpRows::Float
                             : WarpRows::Unsigned;
  if (!found)
    return d.fail("unknown operation");
  return d.operands(3, 3) && d.destination(d.operand(0), t, in.d) &&
         d.source(d.operand(1), t, in.a) &&
         d.source(d.operand(2), Type::B32, in.members) &&
         (d.emit(redux, Class::WarpSync), true);
}

bool decodeElect(Decoder &d) {
  auto &in = d.make<WarpRows>();
  d.has("sync");
  if (!d.operands(2, 2) || d.operand(0).kind != Operand::Kind::Pair)
    return d.fail("expected 'd|p' as destination");
  return d.destination(d.operand(0).items[0], Type::B32, in.d) &&
         d.predicateDestination(d.operand(0).items[1], in.p) &&
         d.source(d.operand(1), Type::B32, in.members) &&
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
