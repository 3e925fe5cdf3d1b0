// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, calls, barriers and addresses.
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

//===----------------------------------------------------------------------===//
// Barriers of a block
//===----------------------------------------------------------------------===//

void Machine::barrierArrive(Exec &x, const Inst &inst, uint32_t id,
                            uint32_t count, Mask lanes, bool waits) {
  if (id > 15) {
    report("ub", x, inst, __builtin_ctz(lanes),
           "barrier " + std::to_string(id) + " does not exist; use 0 to 15");
    fatal();
    return;
  }
  Barrier &bar = x.block->barriers[id];
  if (bar.arrived == 0) {
    bar.expected = count;
    bar.line = inst.line;
  } else if (bar.expected != count) {
    Place other;
    other.line = bar.line;
    other.block = x.block->id;
    report("protocol", x, inst, __builtin_ctz(lanes),
           "barrier " + std::to_string(id) + " is used with " +
               (count ? std::to_string(count) : "all") +
               " threads, by others in this phase with " +
               (bar.expected ? std::to_string(bar.expected) : "all"),
           {other});
    if (reports("protocol")) {
      fatal();
      return;
    }
  }
  // An aligned form counts whole warps.
  bar.arrived +=
      count && inst.aligned ? 32 : uint32_t(__builtin_popcount(lanes));
  std::vector<ThreadClock *> mine;
  forLanes(lanes, [&](int l) { mine.push_back(&x.clock(l)); });
  if (waits) {
    bar.participants.insert(bar.participants.end(), mine.begin(), mine.end());
    bar.waiting.push_back({x.warp, lanes, &inst});
    x.group->state = Group::Waiting;
    x.group->waitId = id;
    x.group->clusterWait = false;
    x.wait = true;
    waitStarts(*x.group);
  } else {
    bar.released = joinClocks(bar.released, joinThreads(mine));
    for (ThreadClock *t : mine)
      ++t->clock;
  }
  changed();
  checkBarriers(*x.block);
}

void Machine::waitStarts(Group &group) {
  if (group.waitFrom)
    return;
  group.waitFrom = steps;
  ++stats.barrierWaits;
}

void Machine::waitEnds(Group &group) {
  if (group.waitFrom)
    stats.barrierWaitSteps += steps - group.waitFrom;
  group.waitFrom = 0;
}

void Machine::checkBarriers(Block &block) {
  for (Barrier &bar : block.barriers) {
    if (bar.arrived == 0)
      continue;
    uint32_t need = bar.expected ? bar.expected : block.liveThreads;
    if (bar.arrived < need)
      continue;
    if (!bar.participants.empty()) {
      ClockRef joined = joinThreads(bar.participants);
      if (bar.released)
        joined = joinClocks(joined, bar.released);
      for (ThreadClock *t : bar.participants) {
        t->known = joined;
        ++t->clock;
      }
    }
    std::vector<Barrier::Waiter> waiting;
    waiting.swap(bar.waiting);
    uint32_t popc = bar.popc, voters = bar.voters;
    bar = Barrier();
    for (const Barrier::Waiter &w : waiting) {
      for (Group &g : w.warp->groups) {
        if (g.state != Group::Waiting || g.clusterWait ||
            (g.mask & w.lanes) == 0)
          continue;
        g.state = Group::Ready;
        ++g.pc;
        waitEnds(g);
        if (w.inst->a) { // A reduction: popc, and, or.
          Frame &f = *g.frame;
          if (w.inst->a == 1) {
            auto *d = reinterpret_cast<uint32_t *>(f.rows +
                                                   size_t(w.inst->o[0]) * 128);
            forLanes(w.lanes, [&](int l) { d[l] = popc; });
          } else {
            bool all = w.inst->a == 2 ? popc == voters : popc != 0;
            uint32_t &p = f.predicates[w.inst->o[0] >> 1];
            p = all ? p | w.lanes : p & ~w.lanes;
          }
        }
      }
    }
    changed();
  }
}

void Machine::checkClusterBarrier(Cluster &c) {
  if (!c.arrived || c.arrived < c.expected)
    return;
  // Nobody can arrive again before he has waited.
  c.completed = std::move(c.arriving);
  c.arriving.clear();
  c.arrived = 0;
  ++c.phase;
  for (Block *b : c.blocks)
    for (auto &w : b->warps)
      for (Group &g : w->groups)
        if (g.state == Group::Waiting && g.clusterWait)
          g.state = Group::Ready; // Runs the wait again, which now passes.
  changed();
}

namespace {

//===----------------------------------------------------------------------===//
// Branches and calls
//===----------------------------------------------------------------------===//

void branch(Exec &x, const Inst &i, Mask m) {
  if (m == x.group->mask) {
    x.next = i.target;
    return;
  }
  x.m.splitGroup(x, m, i.target);
}

void branchIndexed(Exec &x, const Inst &i, Mask m) {
  const std::vector<int32_t> &targets = i.extra->targets;
  auto *index = x.row<uint32_t>(i.o[1]);
  int first = __builtin_ctz(m);
  uint32_t value = index[first];
  if (value >= targets.size()) {
    x.m.report("ub", x, i, first,
               "branch index " + std::to_string(value) + " of " +
                   std::to_string(targets.size()) + " targets");
    x.m.fatal();
    return;
  }
  Mask same = 0;
  forLanes(m, [&](int l) { same |= Mask(index[l] == value) << l; });
  if (same == x.group->mask) {
    x.next = targets[value];
    return;
  }
  // The others come back for their own targets.
  x.m.splitGroup(x, same, targets[value]);
  if (m != same) {
    Mask rest = m & ~same;
    if (rest == x.group->mask)
      x.next = x.group->pc;
    else
      x.m.splitGroup(x, rest, x.group->pc);
  }
}

uint8_t *paramAt(Frame &f, int lane, int offset) {
  return f.params.data() + size_t(lane) * f.code->paramBytes + offset;
}

void copyRow(Frame &f, int row, int bytes, int lane, uint8_t *to) {
  uint8_t *at = f.rows + size_t(row) * 128;
  std::memcpy(to, at + lane * (bytes <= 4 ? 4 : 8), size_t(bytes));
}
void setRow(Frame &f, int row, int bytes, int lane, const uint8_t *from) {
  uint8_t *at = f.rows + size_t(row) * 128;
  uint64_t value = 0;
  std::memcpy(&value, from, size_t(bytes));
  if (bytes <= 4)
    reinterpret_cast<uint32_t *>(at)[lane] = uint32_t(value);
  else
    reinterpret_cast<uint64_t *>(at)[lane] = value;
}

/// extra v[0]: arguments as (is a register, row or offset, bytes); v[1] the
/// results alike. imm: the function, or -1 with its address in row o[0].
void call(Exec &x, const Inst &i, Mask m) {
  int64_t index = i.imm;
  if (index < 0) {
    auto *target = x.row<uint64_t>(i.o[0]);
    uint64_t first = target[__builtin_ctz(m)];
    Mask same = 0;
    forLanes(m, [&](int l) { same |= Mask(target[l] == first) << l; });
    index = int64_t(first - kCodeBase) / 16;
    if (first < kCodeBase || uint64_t(index) >= x.m.functions.size()) {
      x.m.report("ub", x, i, __builtin_ctz(m),
                 "call through an address that is no function");
      x.m.fatal();
      return;
    }
    if (same != m) {
      x.m.splitGroup(x, m & ~same, x.group->pc);
      m = same;
    }
  }
  const FunctionCode &callee = x.m.functions[size_t(index)];
  const std::vector<int32_t> &args = i.extra->v[0];
  const std::string &name = callee.function->name;
  if (!callee.error.empty()) {
    x.m.failure = x.m.module.path + ": " + callee.error;
    x.m.fatal();
    return;
  }
  if (callee.first < 0) {
    auto argument = [&](int k, int lane) {
      uint64_t value = 0;
      if (size_t(3 * k) >= args.size())
        return value;
      if (args[3 * k])
        copyRow(*x.frame, args[3 * k + 1], args[3 * k + 2], lane,
                reinterpret_cast<uint8_t *>(&value));
      else
        std::memcpy(&value, paramAt(*x.frame, lane, args[3 * k + 1]),
                    size_t(std::min(args[3 * k + 2], 8)));
      return value;
    };
    auto give = [&](int lane, uint64_t value, size_t bytes) {
      const std::vector<int32_t> &results = i.extra->v[1];
      if (results.empty())
        return;
      if (results[0])
        setRow(*x.frame, results[1], results[2], lane,
               reinterpret_cast<uint8_t *>(&value));
      else
        std::memcpy(paramAt(*x.frame, lane, results[1]), &value, bytes);
    };
    if (name == "vprintf") {
      forLanes(m, [&](int l) {
        x.m.print(x, i, l, argument(0, l), argument(1, l));
        give(l, 1, 4);
      });
      return;
    }
    if (name == "malloc") {
      forLanes(m, [&](int l) {
        uint64_t bytes = argument(0, l);
        // The runtime's heap has 8 MiB unless the host asks for more.
        if (bytes == 0 || bytes > (8u << 20))
          return give(l, 0, 8);
        Region &region = x.m.allocate("malloc", bytes, 16);
        region.written.assign(bytes, 0);
        give(l, region.base, 8);
      });
      return;
    }
    if (name == "free") {
      forLanes(m, [&](int l) {
        uint64_t address = argument(0, l);
        if (!address)
          return;
        Region *region = x.m.regionAt(address);
        if (!region || region->base != address || region->name != "malloc") {
          x.m.report("ub", x, i, l,
                     "free of an address that malloc did not give, or twice");
          return x.m.fatal();
        }
        // From now on nobody may go there.
        region->name = "malloc (freed)";
        region->low = region->size;
      });
      return;
    }
    if (name == "__assertfail") {
      int l = __builtin_ctz(m);
      Place p = x.m.placeOf(*x.block, x.warp->index, l, i);
      auto coordinates = [](const std::array<uint32_t, 3> &a) {
        return "[" + std::to_string(a[0]) + "," + std::to_string(a[1]) + "," +
               std::to_string(a[2]) + "]";
      };
      std::string text = x.m.readString(argument(1, l)) + ":" +
                         std::to_string(uint32_t(argument(2, l))) + ": " +
                         x.m.readString(argument(3, l)) +
                         ": block: " + coordinates(p.block) +
                         ", thread: " + coordinates(p.thread) + " Assertion `" +
                         x.m.readString(argument(0, l)) + "` failed.";
      x.m.printed += text + "\n";
      x.m.asserted = true;
      x.m.report("assert", p, text);
      x.m.fatal();
      return;
    }
    if (name == "__nanosleep") {
      x.yield = true;
      return;
    }
    x.m.failure = "line " + std::to_string(i.line) +
                  ": call of external function '" + name +
                  "', which the emulator does not have";
    x.m.fatal();
    return;
  }
  if (x.frame->depth > 1000) {
    x.m.report("bounds", x, i, __builtin_ctz(m), "calls are nested too deeply");
    x.m.fatal();
    return;
  }
  Frame *f = x.m.newFrame(*x.warp, callee, x.frame);
  f->lanes = m;
  f->call = &i;
  if (callee.localBytes)
    forLanes(m, [&](int l) {
      uint64_t at = uint64_t(l) * x.warp->localBytes + f->localBase;
      std::memset(&x.warp->localWritten[at], 0, size_t(callee.localBytes));
    });
  f->returnPc = x.group->pc + 1;
  for (size_t k = 0; k < callee.params.size() && 3 * k < args.size(); ++k) {
    const ParamSlot &slot = callee.params[k];
    forLanes(m, [&](int l) {
      uint8_t *to = slot.inRegister ? nullptr : paramAt(*f, l, slot.offset);
      uint8_t value[8] = {};
      if (args[3 * k]) {
        copyRow(*x.frame, args[3 * k + 1], args[3 * k + 2], l, value);
        if (to)
          std::memcpy(to, value, size_t(std::min(slot.bytes, 8)));
        else
          setRow(*f, slot.row, slot.bytes, l, value);
      } else {
        uint8_t *from = paramAt(*x.frame, l, args[3 * k + 1]);
        if (to)
          std::memcpy(to, from, size_t(std::min(slot.bytes, args[3 * k + 2])));
        else
          setRow(*f, slot.row, slot.bytes, l, from);
      }
    });
  }
  x.m.copyParameters(*x.warp, *f, m);
  if (m == x.group->mask) {
    x.group->frame = f;
    x.next = callee.first;
    x.regroup = true;
    return;
  }
  x.m.splitGroup(x, m, callee.first);
  x.warp->groups.back().frame = f;
}

void ret(Exec &x, const Inst &i, Mask m) {
  Frame *f = x.frame;
  if (!f->parent) {
    x.m.exitLanes(x, m);
    return;
  }
  const std::vector<int32_t> &results = f->call->extra->v[1];
  for (size_t k = 0; k < f->code->results.size() && 3 * k < results.size();
       ++k) {
    const ParamSlot &slot = f->code->results[k];
    forLanes(m, [&](int l) {
      uint8_t value[8] = {};
      const uint8_t *from = value;
      if (slot.inRegister)
        copyRow(*f, slot.row, slot.bytes, l, value);
      else
        from = paramAt(*f, l, slot.offset);
      if (results[3 * k])
        setRow(*f->parent, results[3 * k + 1],
               std::min(slot.bytes, results[3 * k + 2]), l, from);
      else
        std::memcpy(paramAt(*f->parent, l, results[3 * k + 1]), from,
                    size_t(std::min(slot.bytes, results[3 * k + 2])));
    });
  }
  int pc = f->returnPc;
  Frame *parent = f->parent;
  f->lanes &= ~m;
  if (m == x.group->mask) {
    x.group->frame = parent;
    x.next = pc;
    x.regroup = true;
  } else {
    x.m.splitGroup(x, m, pc);
    x.warp->groups.back().frame = parent;
  }
  if (!f->lanes)
    x.m.dropFrame(*x.warp, f);
}

void exitThreads(Exec &x, const Inst &i, Mask m) { x.m.exitLanes(x, m); }

void trap(Exec &x, const Inst &i, Mask m) {
  x.m.report("trap", x, i, __builtin_ctz(m), "trap");
  x.m.fatal();
}

void nothing(Exec &, const Inst &, Mask) {}
void yieldNow(Exec &x, const Inst &, Mask) { x.yield = true; }

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// a: 0 none, 1 popc, 2 and, 3 or; b: 1 arrive only; o[1] id, o[2] count or
/// -1, o[3] predicate of reductions.
void barrier(Exec &x, const Inst &i, Mask m) {
  uint32_t id = x.row<uint32_t>(i.o[1])[__builtin_ctz(m)];
  uint32_t count = i.o[2] < 0 ? 0 : x.row<uint32_t>(i.o[2])[__builtin_ctz(m)];
  // A part of the group may use another barrier.
  auto *ids = x.row<uint32_t>(i.o[1]);
  Mask same = 0;
  forLanes(m, [&](int l) { same |= Mask(ids[l] == id) << l; });
  if (same != m) {
    if (i.aligned) {
      x.m.report("convergence", x, i, __builtin_ctz(m & ~same),
                 "lanes of a warp name different barriers");
      x.m.fatal();
      return;
    }
    x.m.splitGroup(x, m & ~same, x.group->pc);
    x.m.merge(*x.warp);
    x.wait = true;
    return;
  }
  if (m != x.group->mask) { // Predicated off lanes go on.
    x.m.splitGroup(x, x.group->mask & ~m, x.group->pc + 1);
    x.group->mask = m;
  }
  if (count % 32) {
    x.m.report("protocol", x, i, __builtin_ctz(m),
               "thread count " + std::to_string(count) +
                   " of a barrier is no multiple of 32");
    x.m.fatal();
    return;
  }
  if (i.a && id < 16) {
    Barrier &bar = x.block->barriers[id];
    bar.popc += uint32_t(__builtin_popcount(x.predicate(i.o[3]) & m));
    bar.voters += uint32_t(__builtin_popcount(m));
  }
  x.m.barrierArrive(x, i, id, count, m, !i.b);
}

void clusterArrive(Exec &x, const Inst &i, Mask m) {
  Cluster &c = *x.block->cluster;
  if (Mask twice = m & x.warp->clusterArrived) {
    x.m.report("cluster", x, i, __builtin_ctz(twice),
               "barrier.cluster.arrive again, without barrier.cluster.wait in "
               "between");
    x.m.fatal();
    return;
  }
  x.warp->clusterArrived |= m;
  std::vector<ThreadClock *> threads;
  forLanes(m, [&](int l) { threads.push_back(&x.clock(l)); });
  ClockRef joined = joinThreads(threads);
  uint32_t block = x.block->linear % (1u << 20);
  c.arriving.add(block, Scope::Cluster, i.a != 0, joined);
  if (i.a) // Relaxed: what fences have released before.
    for (ThreadClock *t : threads)
      x.m.publish(*t, c.arriving, false, Scope::Cluster);
  forLanes(m, [&](int l) {
    ++c.arrived;
    // What the wait of this phase has to see.
    x.warp->clusterPhase[l] = c.phase;
  });
  x.m.changed();
  x.m.checkClusterBarrier(c);
  forLanes(m, [&](int l) { ++x.clock(l).clock; });
}

void clusterWait(Exec &x, const Inst &i, Mask m) {
  Cluster &c = *x.block->cluster;
  if (Mask never = m & ~x.warp->clusterArrived) {
    x.m.report("cluster", x, i, __builtin_ctz(never),
               "barrier.cluster.wait without barrier.cluster.arrive before it");
    x.m.fatal();
    return;
  }
  bool open = true;
  forLanes(m, [&](int l) { open &= x.warp->clusterPhase[l] < c.phase; });
  if (!open) {
    x.group->state = Group::Waiting;
    x.group->clusterWait = true;
    x.wait = true;
    x.m.waitStarts(*x.group);
    return;
  }
  x.m.waitEnds(*x.group);
  x.warp->clusterArrived &= ~m;
  forLanes(m, [&](int l) {
    x.m.learn(x.clock(l), c.completed, true, Scope::Cluster, true);
  });
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// mapa: a 1 for a generic result.
void mapa(Exec &x, const Inst &i, Mask m) {
  auto *rank = x.row<uint32_t>(i.o[2]);
  forLanes(m, [&](int l) {
    uint64_t a = i.o[1] < 0 ? 0
                 : i.b      ? x.row<uint64_t>(i.o[1])[l]
                            : x.row<uint32_t>(i.o[1])[l];
    a += uint64_t(i.imm);
    if (rank[l] >= x.block->cluster->blocks.size()) {
      x.m.report("cluster", x, i, l,
                 "rank " + std::to_string(rank[l]) + " in a cluster of " +
                     std::to_string(x.block->cluster->blocks.size()));
      x.m.fatal();
      return;
    }
    uint64_t r = (a & 0xFFFFFF) | uint64_t(rank[l]) << 24;
    if (i.a)
      x.row<uint64_t>(i.o[0])[l] = i.c ? r : kSharedWindow + r;
    else
      x.row<uint32_t>(i.o[0])[l] = uint32_t(r);
  });
}

/// a: the space.
void isspacep(Exec &x, const Inst &i, Mask m) {
  auto *a = x.row<uint64_t>(i.o[1]);
  Mask p = 0;
  forLanes(m, [&](int l) {
    uint64_t v = a[l];
    bool inShared = v >= kSharedWindow && v < kSharedWindow + (1ull << 32);
    bool inLocal = v >= kLocalWindow && v < kLocalWindow + (1ull << 32);
    bool r = false;
    switch (Space(i.a)) {
    case Space::Shared:
      r = inShared && (v - kSharedWindow) >> 24 == x.block->clusterRank;
      break;
    case Space::SharedCluster:
      r = inShared;
      break;
    case Space::Local:
      r = inLocal;
      break;
    case Space::Const:
      r = v >= kConstBase && v < kParamBase;
      break;
    case Space::Param:
      r = v >= kParamBase && v < kCodeBase;
      break;
    default:
      r = !inShared && !inLocal && (v < kConstBase || v >= kSharedWindow);
      break;
    }
    p |= Mask(r) << l;
  });
  x.setPredicate(i.o[0], p, m);
}

/// d = a + imm.
void addImmediate(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]);
  if (i.o[1] < 0) {
    lanes(m, [&](int l) { d[l] = uint64_t(i.imm); });
    return;
  }
  if (i.a) { // A 32-bit source.
    auto *a = x.row<uint32_t>(i.o[1]);
    lanes(m, [&](int l) { d[l] = a[l] + uint64_t(i.imm); });
    return;
  }
  auto *a = x.row<uint64_t>(i.o[1]);
  lanes(m, [&](int l) { d[l] = a[l] + uint64_t(i.imm); });
}

/// cvta of .param and .const, whose addresses may have been made in 32 bits:
/// then imm, the base of the space, is still to be added.
void widenAddress(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint64_t>(i.o[0]), *a = x.row<uint64_t>(i.o[1]);
  lanes(m, [&](int l) { d[l] = a[l] >> 32 ? a[l] : a[l] + uint64_t(i.imm); });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeBra(Decoder &d) {
  d.has("uni");
  if (!d.operands(1, 1) || d.operand(0).kind != Operand::Kind::Label)
    return d.fail("expected a label");
  d.extra().text = d.operand(0).name;
  d.emit(branch, Class::Control);
  return true;
}
bool decodeBrx(Decoder &d) {
  if (!d.has("idx"))
    return d.fail("expected '.idx'");
  d.has("uni");
  if (!d.operands(2, 2) || d.operand(1).kind != Operand::Kind::Label)
    return d.fail("expected an index and a list of targets");
  d.extra().text = d.operand(1).name;
  if (!d.source(d.operand(0), Type::U32, d.inst.o[1]))
    return false;
  d.emit(branchIndexed, Class::Control);
  return true;
}

/// One argument or result as (is a register, row or offset, bytes).
bool passed(Decoder &d, const Operand &o, std::vector<int32_t> &out) {
  if (o.isReg()) {
    int bits = d.fn.registers[o.index].bits;
    out.insert(out.end(), {1, d.registerRow(o.index), (bits + 7) / 8});
    return true;
  }
  if (o.isImm()) {
    out.insert(out.end(), {1, d.constantRow(o.bits, 8), 8});
    return true;
  }
  if (o.kind == Operand::Kind::Sink) {
    out.insert(out.end(), {1, d.sinkRow(), 8});
    return true;
  }
  Operand wrapped;
  wrapped.kind = Operand::Kind::Address;
  wrapped.items.push_back(o);
  Decoder::Address a;
  if (!d.address(wrapped, Space::Param, a))
    return false;
  if (!a.frameParam)
    return d.fail("expected a register or a .param variable as argument");
  out.insert(out.end(), {0, int32_t(a.offset), int32_t(a.variable->size)});
  return true;
}

bool decodeCall(Decoder &d) {
  d.has("uni");
  if (!d.operands(1, 4))
    return false;
  size_t at = 0;
  Extra &extra = d.extra();
  if (d.operand(0).kind == Operand::Kind::Vector) {
    for (const Operand &o : d.operand(0).items)
      if (!passed(d, o, extra.v[1]))
        return false;
    at = 1;
  }
  if (at >= d.count())
    return d.fail("expected a function");
  const Operand &target = d.operand(at++);
  if (target.isReg()) {
    d.inst.imm = -1;
    if (!d.source(target, Type::U64, d.inst.o[0]))
      return false;
  } else {
    d.inst.imm = d.m.functionIndex(target.name);
    if (d.inst.imm < 0)
      return d.fail("unknown function '" + target.name + "'");
  }
  if (at < d.count() && d.operand(at).kind == Operand::Kind::Vector)
    for (const Operand &o : d.operand(at).items)
      if (!passed(d, o, extra.v[0]))
        return false;
  d.emit(call, Class::Control);
  return true;
}

bool decodeRet(Decoder &d) {
  d.has("uni");
  d.emit(ret, Class::Control);
  return true;
}
bool decodeExit(Decoder &d) {
  d.emit(exitThreads, Class::Control);
  return true;
}
bool decodeTrap(Decoder &d) {
  d.emit(trap, Class::Control);
  return true;
}
bool decodeNothing(Decoder &d) {
  // Hints: the operands may be anything.
  for (size_t i = 1; i < d.s->words.size(); ++i)
    d.has(d.s->words[i]);
  d.emit(nothing, Class::Other);
  return true;
}
bool decodeNanosleep(Decoder &d) {
  d.type();
  d.emit(yieldNow, Class::Other);
  return true;
}
bool decodeBar(Decoder &d) {
  bool short_ = d.s->words[0] == "bar";
  if (d.has("warp"))
    return decodeTable().at("bar#warp")(d);
  if (d.has("cluster")) {
    bool arrive = d.has("arrive");
    if (!arrive && !d.has("wait"))
      return d.fail("expected '.arrive' or '.wait'");
    d.inst.a = d.has("relaxed");
    for (const char *w : {"release", "acquire"})
      d.has(w);
    d.inst.aligned = d.has("aligned");
    if (!d.operands(0, 0))
      return false;
    d.emit(arrive ? clusterArrive : clusterWait, Class::Barrier);
    return true;
  }
  d.has("cta");
  bool arrive = d.has("arrive"), red = d.has("red");
  if (!arrive && !red && !d.has("sync"))
    return d.fail("expected '.sync', '.arrive' or '.red'");
  d.inst.aligned = d.has("aligned") || short_;
  d.inst.b = arrive;
  d.inst.o[2] = -1;
  size_t at = 0;
  if (red) {
    d.inst.a = d.has("popc") ? 1 : d.has("and") ? 2 : d.has("or") ? 3 : 0;
    d.type();
    if (!d.inst.a || !d.operands(3, 4))
      return d.fail("expected '.popc', '.and' or '.or'");
    at = 1;
    bool ok = d.inst.a == 1
                  ? d.destination(d.operand(0), Type::U32, d.inst.o[0])
                  : d.predicateDestination(d.operand(0), d.inst.o[0]);
    if (!ok || !d.predicateSource(d.operand(d.count() - 1), d.inst.o[3]))
      return false;
  } else if (!d.operands(1, 2)) {
    return false;
  }
  size_t end = d.count() - (red ? 1 : 0);
  if (!d.source(d.operand(at), Type::U32, d.inst.o[1]) ||
      (at + 1 < end && !d.source(d.operand(at + 1), Type::U32, d.inst.o[2])))
    return false;
  if (arrive && d.inst.o[2] < 0)
    return d.fail("'.arrive' needs a thread count");
  d.emit(barrier, Class::Barrier);
  return true;
}

bool decodeMapa(Decoder &d) {
  bool shared = d.has("shared::cluster");
  Type t = d.type();
  d.inst.a = typeBits(t) == 64;
  d.inst.c = shared;
  if (!d.operands(3, 3) || !d.destination(d.operand(0), t, d.inst.o[0]) ||
      !d.source(d.operand(2), Type::U32, d.inst.o[2]))
    return false;
  const Operand &from = d.operand(1);
  if (from.kind == Operand::Kind::Variable) {
    Operand wrapped;
    wrapped.kind = Operand::Kind::Address;
    wrapped.items.push_back(from);
    wrapped.bits = from.bits;
    Decoder::Address a;
    if (!d.address(wrapped, Space::Shared, a))
      return false;
    d.inst.o[1] = -1;
    d.inst.imm = a.offset;
  } else if (!d.source(from, t, d.inst.o[1])) {
    return false;
  }
  d.inst.b = d.inst.a;
  d.emit(mapa, Class::Other);
  return true;
}

bool takeSpace(Decoder &d, Space &s) {
  static const std::pair<const char *, Space> names[] = {
      {"global", Space::Global},      {"shared::cluster", Space::SharedCluster},
      {"shared::cta", Space::Shared}, {"shared", Space::Shared},
      {"local", Space::Local},        {"const", Space::Const},
      {"param::entry", Space::Param}, {"param", Space::Param}};
  for (auto &[name, space] : names)
    if (d.has(name)) {
      s = space;
      return true;
    }
  return false;
}

bool decodeIsspacep(Decoder &d) {
  Space s = Space::Global;
  if (!takeSpace(d, s))
    return d.fail("expected a state space");
  d.inst.a = uint8_t(s);
  return d.operands(2, 2) &&
         d.predicateDestination(d.operand(0), d.inst.o[0]) &&
         d.source(d.operand(1), Type::U64, d.inst.o[1]) &&
         (d.emit(isspacep, Class::Other), true);
}

bool decodeCvta(Decoder &d) {
  bool to = d.has("to");
  Space s = Space::Global;
  if (!takeSpace(d, s))
    return d.fail("expected a state space");
  Type t = d.type();
  if (typeBits(t) != 64 || !d.operands(2, 2) ||
      !d.destination(d.operand(0), t, d.inst.o[0]))
    return d.fail("expected type .u64");
  int64_t window = s == Space::Shared || s == Space::SharedCluster
                       ? int64_t(kSharedWindow)
                   : s == Space::Local ? int64_t(kLocalWindow)
                                       : 0;
  d.inst.imm = to ? -window : window;
  const Operand &from = d.operand(1);
  if (from.kind == Operand::Kind::Variable) {
    Operand wrapped;
    wrapped.kind = Operand::Kind::Address;
    wrapped.items.push_back(from);
    wrapped.bits = from.bits;
    Decoder::Address a;
    if (!d.address(wrapped, s, a))
      return false;
    if (a.frameParam) { // A copy in local memory stands for it.
      int64_t offset;
      if (!d.addressedParam(from.index, offset))
        return d.fail("address of a parameter of a call");
      d.inst.o[1] = d.specialRow("%localbase");
      d.inst.imm =
          (to ? 0 : int64_t(kLocalWindow)) + offset + int64_t(from.bits);
    } else {
      d.inst.o[1] = a.row;
      d.inst.imm += a.offset;
    }
  } else if (!d.source(from, t, d.inst.o[1])) {
    return false;
  } else if (!to && (s == Space::Param || s == Space::Const)) {
    d.inst.imm = int64_t(s == Space::Param ? kParamBase : kConstBase);
    d.emit(widenAddress, Class::Move);
    return true;
  }
  d.emit(addImmediate, Class::Move);
  return true;
}

} // namespace

void registerFlow() {
  RegisterDecoders({
      {"bra", decodeBra},
      {"brx", decodeBrx},
      {"call", decodeCall},
      {"ret", decodeRet},
      {"exit", decodeExit},
      {"trap", decodeTrap},
      {"brkpt", decodeNothing},
      {"pmevent", decodeNothing},
      {"griddepcontrol", decodeNothing},
      {"prefetch", decodeNothing},
      {"prefetchu", decodeNothing},
      {"applypriority", decodeNothing},
      {"nanosleep", decodeNanosleep},
      {"bar", decodeBar},
      {"barrier", decodeBar},
      {"mapa", decodeMapa},
      {"isspacep", decodeIsspacep},
      {"cvta", decodeCvta},
  });
}

} // namespace tileir::emu
