// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/Profile.h"

#include "tools/emulator/Machine.h"

#include <algorithm>

namespace tileir::emu {

Profile::Profile(Machine &m) : operations(m), m(m) {
  counters.executed.resize(m.image.code.size());
  counters.iterations.resize(operations.loops.size());
}

Profile::~Profile() = default;

Profile::BlockState &Profile::stateOf(const Block &block) {
  BlockState &b = blocks[&block];
  if (b.warps.empty())
    b.warps.resize(block.warps.size());
  return b;
}

Profile::Traffic Profile::traffic() const {
  const Stats &s = m.stats;
  return {s.sharedPasses,
          s.globalSectors,
          s.globalRequests,
          s.asyncBytes,
          s.sharedBytesRead + s.sharedBytesWritten,
          s.globalBytesRead + s.globalBytesWritten};
}

void Profile::before(Exec &x, const Inst &inst) {
  current = ++lastTicket;
  waitKey = 0;
  waitFailed = false;
  copied = 0;
  was = traffic();
  const Operation &o = operations[size_t(&inst - m.image.code.data())];
  if (o.op == Op::CopyArrive) {
    // Groups that are open are waited for at the mbarrier.
    WarpState &w = stateOf(*x.block).warps[size_t(x.warp->index)];
    arriveBytes[current] = w.openBytes;
    w.openBytes = 0;
  }
  if (!isTensorOp(o.op))
    return;
  uint64_t bytes = stateOf(*x.block).inFlight;
  counters.atTensorIssue.add(bytes);
  counters.withStageInFlight += bytes > 0;
  if (o.op != Op::Wgmma)
    return;
  size_t older = x.warp->wgmma ? x.warp->wgmma->groups.size() : 0;
  counters.wgmmaGroups.add(older);
  counters.withOlderGroup += older > 0;
}

void Profile::after(Exec &x, const Inst &inst, Mask lanes) {
  size_t at = size_t(&inst - m.image.code.data());
  const Operation &o = operations[at];
  WarpState &w = stateOf(*x.block).warps[size_t(x.warp->index)];
  // Lanes that wait for others run it again.
  if (x.wait && o.op != Op::BarrierWait)
    return;
  if (waitFailed)
    return polled(x, w, at);
  count(x, at, o);
  follow(x, at, o);
  if (timing)
    record(x, at, o, lanes);
}

/// A wait that failed: what lies between two looks is part of it.
void Profile::polled(Exec &x, WarpState &w, size_t at) {
  if (!timing)
    return;
  std::vector<Event> &events = eventsOf(x);
  constexpr size_t kMax = 16;
  bool idle = w.pollAt == int(at) && events.size() >= w.pollFrom &&
              events.size() - w.pollFrom <= kMax;
  for (size_t k = w.pollFrom; idle && k < events.size(); ++k) {
    Op op = operations[events[k].code].op;
    idle = op == Op::Alu || op == Op::Control || op == Op::Other;
  }
  if (idle)
    events.resize(w.pollFrom);
  w.pollFrom = events.size();
  w.pollAt = int(at);
}

void Profile::skipped(Exec &x, const Inst &inst) {
  size_t at = size_t(&inst - m.image.code.data());
  const Operation &o = operations[at];
  if (o.backEdge >= 0)
    count(x, at, o);
  if (!timing)
    return;
  current = ++lastTicket;
  waitKey = 0;
  copied = 0;
  was = traffic();
  record(x, at, o, 0);
}

//===--- counters ---------------------------------------------------------===//

void Profile::count(Exec &x, size_t at, const Operation &o) {
  Counters::WarpWork &warp = counters.byWarp[x.warp->index];
  if (warp.loops.empty())
    warp.loops.resize(operations.loops.size());
  if (o.polls && o.op != Op::MbarrierWait)
    return;
  ++counters.executed[at];
  ++warp.steps;
  warp.tensor += isTensorOp(o.op);
  warp.asyncIssues += isAsyncIssue(o.op);
  if (o.loop >= 0)
    warp.loops[size_t(o.loop)] = true;
  if (o.backEdge >= 0)
    ++counters.iterations[size_t(o.backEdge)];
}

void Profile::trackLoads(WarpState &w, const Operation &o, uint64_t bytes) {
  const std::vector<int32_t> &r = operations.registers;
  for (uint32_t k = o.reads; k < o.end && !w.pendingLoads.empty(); ++k) {
    auto it = w.pendingLoads.find(r[k]);
    if (it == w.pendingLoads.end())
      continue;
    w.loadBytes -= it->second;
    w.pendingLoads.erase(it);
  }
  if (!bytes || o.writes == o.end)
    return;
  uint32_t rows = o.end - o.writes;
  for (uint32_t k = o.writes; k < o.end; ++k) {
    // The first row takes what does not divide.
    uint32_t part = uint32_t(bytes / rows + (k == o.writes ? bytes % rows : 0));
    w.pendingLoads[r[k]] = part;
    w.loadBytes += part;
  }
  w.peakLoads = std::max(w.peakLoads, w.loadBytes);
}

void Profile::follow(Exec &x, size_t at, const Operation &o) {
  BlockState &b = stateOf(*x.block);
  WarpState &w = b.warps[size_t(x.warp->index)];
  Traffic now = traffic();
  bool loads = o.op == Op::Load && now.globalRequests > was.globalRequests;
  if (loads || !w.pendingLoads.empty())
    trackLoads(w, o, loads ? now.globalBytes - was.globalBytes : 0);
  switch (o.op) {
  case Op::CopyAsync:
    w.openBytes += now.asyncBytes - was.asyncBytes;
    b.inFlight += now.asyncBytes - was.asyncBytes;
    break;
  case Op::CopyCommit:
    w.groups.push_back(w.openBytes);
    w.openBytes = 0;
    break;
  case Op::CopyWait: {
    const auto &in = m.image.code[at].as<GroupWait>();
    if (in.commits) {
      w.groups.push_back(w.openBytes);
      w.openBytes = 0;
    }
    while (int64_t(w.groups.size()) > in.left) {
      b.inFlight -= std::min(b.inFlight, w.groups.front());
      w.groups.pop_front();
    }
    break;
  }
  case Op::MbarrierWait:
    if (auto it = phases.find(waitKey); it != phases.end()) {
      if (it->second.block) {
        BlockState &owner = stateOf(*it->second.block);
        owner.inFlight -= std::min(owner.inFlight, it->second.bytes);
      }
      phases.erase(it);
    }
    break;
  default:
    break;
  }
  counters.peakBytes = std::max(counters.peakBytes, b.inFlight);
  if (!waitName(o.op))
    return;
  Counters::Wait &wait = counters.waits[at];
  ++wait.count;
  wait.left.add(b.inFlight);
}

void Profile::waited(const Inst &inst, uint64_t steps) {
  counters.waits[size_t(&inst - m.image.code.data())].steps += steps;
}

void Profile::copies(const Block &block, uint64_t bytes) {
  BlockState &b = stateOf(block);
  b.inFlight += bytes;
  copied += bytes;
  counters.peakBytes = std::max(counters.peakBytes, b.inFlight);
}

void Profile::waits(uint64_t key, bool passed) {
  waitKey = key;
  waitFailed = waitFailed || !passed;
}

void Profile::contributes(const Block &owner, uint64_t key, uint64_t ticket,
                          uint64_t bytes) {
  auto it = arriveBytes.find(ticket);
  if (it != arriveBytes.end()) {
    bytes += it->second;
    arriveBytes.erase(it);
  }
  if (bytes) {
    PhaseState &phase = phases[key];
    phase.bytes += bytes;
    phase.block = &owner;
  }
  if (timing)
    traceOf(*owner.cluster).contributions.push_back({key, ticket});
}

void Profile::tensorWork(const Block &block, uint64_t ticket, uint64_t macs,
                         uint64_t operandBytes) {
  if (timing)
    traceOf(*block.cluster).tensorWork[ticket] = {macs, operandBytes};
}

//===--- the trace --------------------------------------------------------===//

Trace &Profile::traceOf(const Cluster &cluster) {
  std::unique_ptr<Trace> &trace = traces[&cluster];
  if (!trace) {
    trace = std::make_unique<Trace>();
    trace->warpsPerBlock = cluster.blocks[0]->warps.size();
    trace->warps.resize(cluster.blocks.size() * trace->warpsPerBlock);
  }
  return *trace;
}

std::vector<Event> &Profile::eventsOf(const Exec &x) {
  Trace &t = traceOf(*x.block->cluster);
  return t
      .warps[x.block->clusterRank * t.warpsPerBlock + size_t(x.warp->index)];
}

void Profile::record(Exec &x, size_t at, const Operation &o, Mask lanes) {
  Traffic now = traffic();
  Event e;
  e.code = uint32_t(at);
  e.lanes = uint32_t(__builtin_popcount(lanes));
  e.sharedPasses = uint32_t(now.sharedPasses - was.sharedPasses);
  e.sectors = uint32_t(now.sectors - was.sectors);
  e.bytes = o.op == Op::CopyAsync ? now.asyncBytes - was.asyncBytes : copied;
  e.ticket = current;
  e.waitKey = waitKey;
  eventsOf(x).push_back(e);
}

void Profile::finish(const Cluster &cluster) {
  for (const Block *block : cluster.blocks) {
    auto it = blocks.find(block);
    if (it == blocks.end())
      continue;
    uint64_t loads = 0;
    for (const WarpState &w : it->second.warps)
      loads += w.peakLoads;
    counters.peakLoadBytes = std::max(counters.peakLoadBytes, loads);
    blocks.erase(it);
  }
  auto it = traces.find(&cluster);
  if (it == traces.end())
    return;
  timing->add(*it->second);
  traces.erase(it);
}

} // namespace tileir::emu
