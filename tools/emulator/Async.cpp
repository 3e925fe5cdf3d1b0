// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async with its groups, and the choice of asynchronous work that goes on.
#include "tools/emulator/MemoryOps.h"
#include "tools/emulator/Profile.h"

#include <algorithm>
#include <iterator>

namespace tileir::emu {

namespace {

/// cp.async.mbarrier.arrive.
struct AsyncArrival {
  AddressOperand barrier;
  bool noIncrement = false;
};

/// cp.async.
struct AsyncCopyOperands {
  AddressOperand to, from;
  int32_t sourceBytes = -1; ///< A row; -1: all.
  int32_t ignores = -1;     ///< A predicate; -1: never.
  uint8_t bytes = 0;
};

} // namespace

void AsyncEngine::performAsync(Exec &x, Warp &warp, int lane,
                               const AsyncCopy &copy) {
  AsIssuingWarp scope(x, warp);
  const Inst &inst = *copy.inst;
  const Knowledge &who = copy.issuingThread;
  if (copy.isArrival) {
    Region *region;
    if (Mbarrier *bar =
            mbarrierAt(x, inst, lane, inst.as<AsyncArrival>().barrier.space,
                       copy.destination, MissingBarrier::Finding, region)) {
      // The copies before it are visible to threads that wait.
      ClockRef seen = who.snapshot();
      seen.modify().set(who.asyncAgent, copy.sequence);
      bar->arriving.add(who.agent / kAgentsPerBlock, Scope::Gpu, false, seen);
      mbarrierArrive(x, inst, lane, *bar, 1, who, who.asyncAgent, copy.sequence,
                     copy.ticket);
    }
  } else {
    Region *from = nullptr, *to = nullptr;
    uint64_t fromOffset = 0, toOffset = 0;
    uint8_t *q =
        machine.memory.access(x, inst, lane, Space::Shared, copy.destination,
                              copy.bytes, AccessKind::Write, to, toOffset);
    uint8_t *p = nullptr;
    if (q && copy.sourceBytes)
      p = machine.memory.access(x, inst, lane, Space::Global, copy.source,
                                copy.sourceBytes, AccessKind::Read, from,
                                fromOffset, 1);
    if (q && (p || !copy.sourceBytes)) {
      uint8_t value[16] = {};
      if (p) {
        machine.memory.checkWritten(x, inst, lane, *from, fromOffset,
                                    copy.sourceBytes);
        std::memcpy(value, p, copy.sourceBytes);
      }
      checkMbarrier(x, inst, lane, *to, toOffset, copy.bytes);
      if (machine.reports(FindingKind::Race)) {
        // Several threads may copy the same to one place.
        const uint8_t *there = &to->written[toOffset];
        bool same =
            std::memcmp(q, value, copy.bytes) == 0 &&
            std::find(there, there + copy.bytes, 0) == there + copy.bytes;
        if (p)
          machine.races.touchAs(x, inst, lane, who, who.asyncAgent,
                                copy.sequence, *from, fromOffset,
                                copy.sourceBytes, AccessKind::Read, 0, false);
        machine.races.touchAs(x, inst, lane, who, who.asyncAgent, copy.sequence,
                              *to, toOffset, copy.bytes, AccessKind::Write, 0,
                              same);
      }
      std::memset(&to->written[toOffset], 1, copy.bytes);
      std::memcpy(q, value, copy.bytes);
      machine.scheduler.changed();
    }
  }
}

void AsyncEngine::finishAsync(Exec &x, Warp &warp, int lane, uint32_t upTo) {
  std::vector<AsyncCopy> &pending = (*warp.async)[size_t(lane)].pending;
  // They lie in order, and none is in flight while it is performed.
  auto end =
      std::find_if(pending.begin(), pending.end(),
                   [&](const AsyncCopy &copy) { return copy.sequence > upTo; });
  std::vector<AsyncCopy> done(std::make_move_iterator(pending.begin()),
                              std::make_move_iterator(end));
  pending.erase(pending.begin(), end);
  for (size_t k = 0; k < done.size() && !machine.stopped; ++k)
    performAsync(x, warp, lane, done[k]);
}

bool AsyncEngine::advanceAsync(Exec &x, Block &block) {
  if (block.tmem && !block.tmem->queue.empty() &&
      (machine.scheduler.random() & 1)) {
    TensorOp op = std::move(block.tmem->queue.front());
    block.tmem->queue.pop_front();
    machine.tensor.performTensor(x, block, op);
    return true;
  }
  if (!block.bulk.empty() && (machine.scheduler.random() & 1)) {
    size_t k = size_t(machine.scheduler.random() % block.bulk.size());
    BulkOp op = std::move(block.bulk[k]);
    block.bulk.erase(block.bulk.begin() + long(k));
    performBulk(x, block, op);
    return true;
  }
  size_t n = block.warps.size(), first = size_t(machine.scheduler.random() % n);
  for (size_t k = 0; k < n; ++k) {
    Warp &w = *block.warps[(first + k) % n];
    if (!w.async)
      continue;
    for (int l = 0; l < 32; ++l) {
      std::vector<AsyncCopy> &pending = (*w.async)[size_t(l)].pending;
      if (pending.empty())
        continue;
      finishAsync(x, w, l, pending.front().sequence);
      return true;
    }
  }
  if (block.bulk.empty() && block.tmem && !block.tmem->queue.empty()) {
    TensorOp op = std::move(block.tmem->queue.front());
    block.tmem->queue.pop_front();
    machine.tensor.performTensor(x, block, op);
    return true;
  }
  if (block.bulk.empty())
    return false;
  BulkOp op = std::move(block.bulk.front());
  block.bulk.erase(block.bulk.begin());
  performBulk(x, block, op);
  return true;
}

namespace {

LaneAsync &laneAsync(Exec &x, int lane) {
  if (!x.warp->async)
    x.warp->async = std::make_unique<std::array<LaneAsync, 32>>();
  return (*x.warp->async)[size_t(lane)];
}

void cpAsync(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<AsyncCopyOperands>();
  Mask ignore = in.ignores < 0 ? 0 : x.predicate(uint32_t(in.ignores));
  uint64_t offsets[32];
  Mask reading = 0;
  Region *first = nullptr;
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    AsyncCopy copy;
    copy.inst = &i;
    copy.bytes = in.bytes;
    copy.destination = laneAddress(x, in.to, l);
    if (copy.destination >= kSharedWindow)
      copy.destination -= kSharedWindow;
    copy.source = laneAddress(x, in.from, l);
    copy.sourceBytes = in.bytes;
    if (in.sourceBytes >= 0)
      copy.sourceBytes =
          std::min<uint32_t>(x.row<uint32_t>(in.sourceBytes)[l], in.bytes);
    if (ignore >> l & 1)
      copy.sourceBytes = 0;
    // Addresses are checked where the copy is issued.
    Region *region = nullptr;
    uint64_t offset;
    if (!x.m.memory.access(x, i, l, Space::Shared, copy.destination, copy.bytes,
                           AccessKind::Write, region, offset))
      return;
    if (copy.sourceBytes &&
        (!x.m.memory.access(x, i, l, Space::Global, copy.source,
                            copy.sourceBytes, AccessKind::Read, region, offset,
                            1)))
      return;
    if (copy.source % in.bytes && copy.sourceBytes) {
      x.m.report(FindingKind::Align, x, i, l,
                 "source of a copy of " + std::to_string(in.bytes) +
                     " bytes is not aligned to it");
      x.m.fatal();
      return;
    }
    if (copy.sourceBytes) {
      first = region;
      offsets[l] = offset;
      reading |= 1u << l;
      x.m.stats.asyncBytes += copy.sourceBytes;
    }
    LaneAsync &lane = laneAsync(x, l);
    copy.sequence = ++lane.issued;
    copy.issuingThread = x.clock(l);
    ++x.clock(l).clock;
    bool now = x.m.options.async == AsyncMode::Early ||
               (x.m.options.async == AsyncMode::Random &&
                x.m.scheduler.random() % 3 == 0);
    if (now)
      x.m.async.performAsync(x, *x.warp, l, copy);
    else
      lane.pending.push_back(std::move(copy));
  });
  if (x.m.profile && !x.m.stopped)
    countSectors(x.m, first, offsets, reading, in.bytes);
}

void commitGroup(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    LaneAsync &lane = laneAsync(x, l);
    lane.groups.push_back(lane.issued);
  });
}

void waitGroup(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<GroupWait>();
  forLanes(m, [&](int l) {
    LaneAsync &lane = laneAsync(x, l);
    if (in.commits)
      lane.groups.push_back(lane.issued);
    if (int64_t(lane.groups.size()) <= in.left)
      return;
    uint32_t target = 0;
    while (int64_t(lane.groups.size()) > in.left) {
      target = lane.groups.front();
      lane.groups.pop_front();
    }
    x.m.async.finishAsync(x, *x.warp, l, target);
    ThreadClock &t = x.clock(l);
    t.asyncDone = std::max(t.asyncDone, target);
  });
}

void asyncArrive(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<AsyncArrival>();
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region;
    uint64_t address = laneAddress(x, in.barrier, l);
    Mbarrier *bar = x.m.async.mbarrierAt(x, i, l, in.barrier.space, address,
                                         MissingBarrier::Finding, region);
    if (!bar)
      return;
    if (!in.noIncrement)
      ++bar->pending;
    LaneAsync &lane = laneAsync(x, l);
    AsyncCopy copy;
    copy.isArrival = true;
    if (x.m.profile)
      copy.ticket = x.m.profile->ticket();
    copy.inst = &i;
    copy.destination = address;
    copy.sequence = ++lane.issued;
    copy.issuingThread = x.clock(l);
    ++x.clock(l).clock;
    if (x.m.options.async == AsyncMode::Early) {
      x.m.async.finishAsync(x, *x.warp, l, copy.sequence);
      x.m.async.performAsync(x, *x.warp, l, copy);
    } else {
      lane.pending.push_back(std::move(copy));
    }
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool decodeCopy(Decoder &d) {
  auto &in = d.make<AsyncCopyOperands>();
  bool policy = false;
  for (const std::string &w : d.s->words)
    policy |= w == "L2::cache_hint";
  bool cg = d.peek() == "cg";
  d.hints();
  if (!(d.has("shared") || d.has("shared::cta")) || !d.has("global"))
    return d.fail("expected '.shared.global'");
  if (!d.operands(3, 5) ||
      !d.memoryOperand(d.operand(0), Space::Shared, in.to) ||
      !d.memoryOperand(d.operand(1), Space::Global, in.from))
    return false;
  if (in.from.row >= 0 && !in.from.wide)
    return d.fail("expected a 64-bit source address");
  int64_t size;
  if (!d.immediate(d.operand(2), size))
    return false;
  if (size != 16 && (cg || (size != 4 && size != 8)))
    return d.fail("copy size must be " + std::string(cg ? "16" : "4, 8 or 16"));
  in.bytes = uint8_t(size);
  size_t end = d.count() - (policy ? 1 : 0);
  if (end > 3) {
    const Operand &o = d.operand(3);
    bool isPredicate = o.isReg() && d.fn.registers[size_t(o.index)].bits == 1;
    if (isPredicate ? !d.predicateSource(o, in.ignores)
                    : !d.source(o, Type::U32, in.sourceBytes))
      return false;
  }
  d.emit(cpAsync, Class::Async);
  return true;
}

bool decodeCp(Decoder &d) {
  if (d.s->words.size() > 2 &&
      (d.s->words[2] == "bulk" || d.s->words[1] == "reduce"))
    return decodeTable().at("cp#bulk")(d);
  if (!d.has("async"))
    return d.fail("unknown instruction");
  if (d.has("commit_group")) {
    d.emit(commitGroup, Class::Async);
    return true;
  }
  if (d.has("wait_all")) {
    d.make<GroupWait>().commits = true;
    d.emit(waitGroup, Class::Async);
    return true;
  }
  if (d.has("wait_group")) {
    auto &in = d.make<GroupWait>();
    return d.operands(1, 1) && d.immediate(d.operand(0), in.left) &&
           (d.emit(waitGroup, Class::Async), true);
  }
  if (d.has("mbarrier")) {
    auto &in = d.make<AsyncArrival>();
    Space s;
    d.has("arrive");
    in.noIncrement = d.has("noinc");
    takeMemorySpace(d, s);
    d.type();
    return d.operands(1, 1) && d.memoryOperand(d.operand(0), s, in.barrier) &&
           (d.emit(asyncArrive, Class::Async), true);
  }
  return decodeCopy(d);
}

} // namespace

void registerAsync() { RegisterDecoders({{"cp", decodeCp}}); }

} // namespace tileir::emu
