// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting blocks, and choosing the warp and the group of lanes that runs next.
#include "tools/emulator/Machine.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

Group *Scheduler::select(Warp &w) {
  if (w.groups.size() == 1)
    return w.groups[0].state == Group::Ready ? &w.groups[0] : nullptr;
  Group *best = nullptr;
  int ready = 0;
  for (Group &g : w.groups) {
    if (g.state != Group::Ready)
      continue;
    ++ready;
    if (!best || g.frame->depth > best->frame->depth ||
        (g.frame->depth == best->frame->depth && g.pc < best->pc))
      best = &g;
  }
  // The group that is behind runs first, so that groups meet again; but one
  // that spins must let the others come.
  if (ready > 1 && ++w.spin > 64 && (w.spin & 3) == 0) {
    uint64_t pick = random() % uint64_t(ready);
    for (Group &g : w.groups)
      if (g.state == Group::Ready && pick-- == 0)
        best = &g;
  }
  return best;
}

void Scheduler::giveWay(Exec &x) {
  uint64_t draw = random() % 8;
  x.yield |= draw < 4;
  preempted |= draw < 2;
}

/// Reports an aligned instruction that not all lanes run; false when that ends
/// the run.
static bool goesOn(Exec &x, const Inst &i, int lane, const char *what) {
  x.m.report(FindingKind::Convergence, x, i, lane, what);
  if (!x.m.reports(FindingKind::Convergence))
    return true;
  x.m.fatal();
  return false;
}

/// Rules of an aligned instruction that all live lanes of the warp have
/// reached.
static bool checkAligned(Exec &x, const Inst &i, Mask m) {
  const Warp &w = *x.warp;
  return (w.live == w.initial ||
          goesOn(x, i, __builtin_ctz(w.live),
                 "aligned instruction after lanes of the warp have exited")) &&
         (m == x.group->mask ||
          goesOn(x, i, __builtin_ctz(m),
                 "aligned instruction runs on a part of the warp because of "
                 "its predicate"));
}

static bool anyWaits(const Warp &w) {
  bool waiting = false;
  for (const Group &one : w.groups)
    waiting |= one.state == Group::Waiting;
  return waiting;
}

/// Returns whether another group may have met this one, or should go first.
static bool synchronizesWithOthers(const Warp &w, const Group &g) {
  bool again = false;
  for (const Group &o : w.groups)
    if (&o != &g && o.state != Group::Waiting &&
        o.frame->depth == g.frame->depth && o.pc <= g.pc)
      again |= o.pc == g.pc ? o.frame == g.frame
                            : o.state == Group::Ready && w.spin <= 64;
  return again;
}

void Scheduler::runWarp(Exec &x, Warp &w, unsigned burst) {
  x.warp = &w;
  x.block = w.block;
  while (burst && !machine.stopped) {
    Group *g = select(w);
    if (!g) {
      if (!anyWaits(w) && !w.groups.empty())
        reportStuckWarp(w);
      return;
    }
    x.group = g;
    x.frame = g->frame;
    x.rows = g->frame->rows;
    x.predicates = g->frame->predicates.data();
    x.regroup = x.wait = x.yield = false;
    bool many = w.groups.size() > 1;
    while (burst) {
      --burst;
      const Inst &i = machine.image.code[size_t(g->pc)];
      Mask m = g->mask;
      if (i.guard)
        m &= x.predicate(i.guard);
      if (i.isPromised && m != g->mask)
        machine.report(FindingKind::Inbounds, x, i, __builtin_ctz(g->mask & ~m),
                       "the tile leaves the tensor, which 'inbounds' denies");
      ++steps;
      if (m) {
        if (i.aligned) {
          if (g->mask != w.live) {
            g->state = Group::Parked;
            break;
          }
          if (!checkAligned(x, i, m))
            return;
        }
        if (machine.profile) {
          ++w.counts[size_t(i.cls)];
          machine.stats.laneInstructions += uint64_t(__builtin_popcount(m));
        }
        x.next = g->pc + 1;
        if (i.watch)
          machine.registers.watchRegisters(x, i, m);
        if (w.undefined)
          machine.registers.followUndefined(x, i, m);
        if (w.unwritten)
          machine.registers.followUnwritten(x, i, m);
        if (machine.profile)
          machine.profile->before(x, i);
        i.fn(x, i, m);
        if (machine.stopped)
          return;
        if (machine.profile)
          machine.profile->after(x, i, m);
        if (x.wait)
          break; // The handler left the group where it is.
        g->pc = x.next;
        if (x.regroup) {
          merge(w);
          break;
        }
        if (x.yield) {
          if (many && &machine.image.code[size_t(g->pc)] != &i)
            merge(w); // With lanes that have waited for these.
          return;
        }
      } else {
        if (machine.profile)
          machine.profile->skipped(x, i);
        ++g->pc;
      }
      if (many && synchronizesWithOthers(w, *g)) {
        size_t before = w.groups.size();
        merge(w);
        if (w.groups.size() < before)
          w.spin = 0;
        break;
      }
    }
    if (w.groups.empty() || x.yield)
      return;
  }
}

//===--- blocks -----------------------------------------------------------===//

void Scheduler::startWarp(Block &b, int index) {
  auto w = std::make_unique<Warp>();
  w->block = &b;
  w->index = index;
  w->firstThread = index * 32;
  uint32_t left = b.threads - uint32_t(index) * 32;
  w->initial = w->live = left >= 32 ? kAllLanes : (1u << left) - 1;
  w->groups.reserve(33);
  w->clocks.resize(32);
  b.warps.push_back(std::move(w));
}

void Scheduler::startBlocks(uint32_t first, uint32_t count) {
  auto *zero = new VectorClock();
  std::array<uint32_t, 3> &cs = machine.config.cluster;
  int entry = machine.image.functionIndex(machine.config.entry);
  uint32_t entryRegisters = machine.registers.registersAtEntry(
      *machine.image.functions[size_t(entry)].function);
  for (uint32_t n = first; n < first + count; ++n) {
    std::array<uint32_t, 3> clusters{totalGrid[0] / cs[0], totalGrid[1] / cs[1],
                                     totalGrid[2] / cs[2]};
    std::array<uint32_t, 3> cid{n % clusters[0], n / clusters[0] % clusters[1],
                                n / clusters[0] / clusters[1]};
    auto cluster = std::make_unique<Cluster>();
    if (machine.profile)
      cluster->id = machine.profile->newId();
    for (uint32_t r = 0; r < clusterSize; ++r) {
      auto b = std::make_unique<Block>();
      b->clusterId = cid;
      b->clusterRank = r;
      b->clusterCta = {r % cs[0], r / cs[0] % cs[1], r / cs[0] / cs[1]};
      for (int a = 0; a < 3; ++a)
        b->id[a] = cid[a] * cs[a] + b->clusterCta[a];
      b->linear =
          b->id[0] + totalGrid[0] * (b->id[1] + totalGrid[1] * b->id[2]);
      b->cluster = cluster.get();
      b->threads = machine.config.block[0] * machine.config.block[1] *
                   machine.config.block[2];
      b->liveThreads = b->threads;
      b->nextAgent = b->threads * 2;
      // Unique %warpid on one %smid: each resident block has its own slots.
      int warps = int((b->threads + 31) / 32);
      uint32_t perSm = uint32_t(std::max(1, 64 / warps));
      uint32_t index = uint32_t(n * clusterSize + r);
      b->sm = int(index % machine.config.smCount);
      b->firstWarpSlot = int(index / machine.config.smCount % perSm) * warps;
      b->shared.name = "shared memory";
      b->shared.space = Space::Shared;
      b->shared.size = sharedSize;
      b->shared.low = machine.image.sharedBase;
      b->shared.data.assign(b->shared.size, 0xCD);
      b->shared.written.assign(b->shared.size, 0);
      b->shared.base = uint64_t(1) << 63 | uint64_t(b->linear) << 24;
      machine.stats.peakShared = std::max(machine.stats.peakShared, sharedUsed);
      for (int k = 0; k < warps; ++k)
        startWarp(*b, k);
      auto *clock = new VectorClock(*zero);
      clock->block = b->agentBase() / kAgentsPerBlock;
      clock->refs = 0;
      ClockRef start(clock);
      for (auto &w : b->warps) {
        w->registers = entryRegisters;
        for (int l = 0; l < 32; ++l) {
          ThreadClock &t = w->clocks[l];
          t.agent = b->agentBase() + uint32_t(w->firstThread + l);
          t.asyncAgent = t.agent + b->threads;
          t.known = start;
        }
        Group g;
        g.mask = w->live;
        g.frame = newFrame(*w, machine.image.functions[size_t(entry)], nullptr);
        g.frame->lanes = w->live;
        g.pc = machine.image.functions[size_t(entry)].first;
        w->groups.push_back(g);
      }
      cluster->blocks.push_back(b.get());
      cluster->expected += b->threads;
      blocks.push_back(std::move(b));
    }
    this->clusters.push_back(std::move(cluster));
  }
  delete zero;
}

void Scheduler::finishBlock(Exec &x, Block &b) {
  b.done = true;
  if (RunProgress *progress = machine.options.progress)
    ++progress->ended;
  checkExit(x, b);
  for (auto &w : b.warps) {
    if (machine.profile)
      for (size_t c = 0; c < size_t(Class::Count); ++c)
        machine.stats.byWarp[w->index][c] += w->counts[c];
    w->frames.clear();
    w->local.clear();
    w->localWritten.clear();
  }
}

uint64_t Scheduler::residentBlocks() const {
  uint64_t threads = uint64_t(machine.config.block[0]) *
                     machine.config.block[1] * machine.config.block[2];
  uint64_t warps = (threads + 31) / 32;
  uint64_t shared =
      sharedUsed + uint64_t(machine.target.sharedMemoryReserved());
  uint64_t least = std::min<uint64_t>(
      {machine.target.blocksPerSM(),
       machine.target.threadsPerSM() / (warps * 32),
       uint64_t(machine.target.sharedMemoryPerSM()) / shared});
  int entry = machine.image.functionIndex(machine.config.entry);
  // Of PTX only a bound of the registers is known.
  if (uint32_t n =
          entry < 0
              ? 0
              : machine.image.functions[size_t(entry)].function->maxnreg) {
    uint64_t granule = uint64_t(limits::registersGranule);
    least = std::min<uint64_t>(
        least, uint64_t(limits::registersPerSM) /
                   (warps * 32 * ((n + granule - 1) / granule * granule)));
  }
  return std::max<uint64_t>(1, least);
}

bool Scheduler::countBlocks(std::string &error) {
  const Launch &config = machine.config;
  totalGrid = config.grid;
  clusterSize =
      uint64_t(config.cluster[0]) * config.cluster[1] * config.cluster[2];
  uint64_t total = uint64_t(totalGrid[0]) * totalGrid[1] * totalGrid[2];
  if (total / clusterSize > (1ull << 31)) {
    error = "the grid is too large";
    return false;
  }
  totalBlocks = uint32_t(total / clusterSize);
  return true;
}

/// Steps without any change of memory or barriers after which loops are watched
/// and after which the run is given up.
constexpr uint64_t kSuspicious = 500000, kLongest = 300000000;

namespace {

using Blocks = std::vector<std::unique_ptr<Block>>;
using Clusters = std::vector<std::unique_ptr<Cluster>>;

/// Number of clusters that run together, and since when nothing has changed.
struct Window {
  uint64_t resident; ///< Most that fit on the machine.
  uint64_t size;
  uint64_t lastVersion = ~uint64_t(0), idleSince = 0, forced = 0;

  bool canWiden(bool more) const { return size < resident && more; }
  bool widen(bool more) {
    if (!canWiden(more))
      return false;
    size = std::min(resident, size * 2);
    return true;
  }
  /// Returns whether something has changed since the last look.
  bool changes(uint64_t version, uint64_t steps) {
    if (version == lastVersion)
      return false;
    lastVersion = version;
    idleSince = steps;
    forced = 0;
    return true;
  }
};

/// Clusters that fit on the machine, so that they may be resident together.
uint64_t residentClusters(const Machine &machine) {
  const Launch &c = machine.config;
  uint64_t warps = (uint64_t(c.block[0]) * c.block[1] * c.block[2] + 31) / 32;
  uint64_t shared = machine.image.sharedBase + machine.scheduler.sharedUsed + 1;
  uint64_t perSm = std::max<uint64_t>(
      1, std::min<uint64_t>(
             {machine.target.blocksPerSM(),
              machine.target.threadsPerSM() / (warps * 32),
              uint64_t(machine.target.sharedMemoryPerSM()) / shared}));
  return std::max<uint64_t>(1,
                            perSm * c.smCount / machine.scheduler.clusterSize);
}

void forgetDone(Machine &machine, Blocks &blocks, Clusters &clusters) {
  for (size_t c = 0; c < clusters.size();) {
    bool done = true;
    for (Block *b : clusters[c]->blocks)
      done &= b->done;
    if (!done) {
      ++c;
      continue;
    }
    if (machine.profile)
      machine.profile->finish(*clusters[c]);
    for (Block *b : clusters[c]->blocks)
      for (size_t k = 0; k < blocks.size(); ++k)
        if (blocks[k].get() == b) {
          blocks.erase(blocks.begin() + long(k));
          break;
        }
    clusters.erase(clusters.begin() + long(c));
  }
}

/// Steps of a block's turn: of very different lengths, so that blocks also meet
/// in the middle of what they do with one another; atomic accesses end some of
/// them.
unsigned drawSlice(Machine &machine) {
  uint64_t draw = machine.scheduler.random();
  return machine.weak.weakLoads ? 4096u >> (draw % 13) : 64u << (draw % 7);
}

/// Now and then one warp falls behind the others: buffers fill and drain.
Warp *drawHeld(Scheduler &scheduler, Block &b) {
  size_t n = b.warps.size();
  return n > 1 && (scheduler.random() & 1)
             ? b.warps[scheduler.random() % n].get()
             : nullptr;
}

/// Performs asynchronous work of every block; false when there is none.
bool advanceAll(Exec &x, Blocks &blocks) {
  bool any = false;
  for (auto &b : blocks)
    any |= !b->done && x.m.async.advanceAsync(x, *b);
  return any;
}

/// A warp that can run, `held` only when no other can; null without one.
Warp *pickWarp(Scheduler &scheduler, Block &b, Warp *held) {
  size_t n = b.warps.size(), first = size_t(scheduler.random() % n);
  bool isAfter = false;
  for (size_t tried = 0; tried < n; ++tried) {
    Warp &one = *b.warps[(first + tried) % n];
    if (one.done() || (one.polling && one.sleepVersion == scheduler.version))
      continue;
    bool ready = false;
    for (const Group &g : one.groups)
      ready |= g.state != Group::Waiting;
    if (ready && &one != held)
      return &one;
    isAfter |= ready;
  }
  return isAfter ? held : nullptr;
}

bool isDone(const Block &b) {
  for (auto &w : b.warps)
    if (!w->done())
      return false;
  return true;
}

/// Lets pollers look again, some count their tries; false when there are none.
bool wakePollers(Blocks &blocks) {
  bool woke = false;
  for (auto &b : blocks)
    for (auto &w : b->warps)
      if (!w->done() && w->polling) {
        w->polling = false;
        woke = true;
      }
  return woke;
}

} // namespace

bool Scheduler::scheduleTogether() {
  Exec x(machine);
  uint64_t resident = residentClusters(machine);
  Window window{resident, machine.config.coResident
                              ? resident
                              : std::min<uint64_t>(4, resident)};
  while (!machine.stopped) {
    forgetDone(machine, blocks, clusters);
    while (clusters.size() < window.size && nextBlock < totalBlocks) {
      startBlocks(nextBlock, 1);
      ++nextBlock;
    }
    if (blocks.empty())
      return true;
    uint64_t before = steps;
    bool finished = false;
    size_t start = size_t(random() % blocks.size());
    for (size_t k = 0; k < blocks.size() && !machine.stopped; ++k) {
      Block &b = *blocks[(start + k) % blocks.size()];
      if (b.done)
        continue;
      unsigned slice = drawSlice(machine);
      preempted = false;
      Warp *held = drawHeld(*this, b);
      while (slice && !machine.stopped && !preempted) {
        Warp *w = pickWarp(*this, b, held);
        if (!w)
          break;
        w->polling = false;
        unsigned burst = 1 + unsigned(random() & 63);
        uint64_t from = steps;
        if (watchesSpins)
          watchSpin(*w);
        runWarp(x, *w, burst);
        slice -= std::min(slice, std::max(1u, unsigned(steps - from)));
      }
      if (isDone(b) && !machine.stopped) {
        finishBlock(x, b);
        finished = true;
      }
    }
    if (machine.stopped)
      break;
    if (finished)
      continue;
    if (steps > machine.options.maxSteps) {
      reportDeadlock(FindingKind::Timeout);
      break;
    }
    bool moved = steps != before, more = nextBlock < totalBlocks;
    if (window.changes(version, steps))
      watchesSpins = false;
    if (moved && steps - window.idleSince > kSuspicious &&
        !window.canWiden(more)) {
      // Nothing has changed for a while: are all of them in loops that only
      // memory can end?
      if (watchesSpins && allSpin()) {
        if (advanceAll(x, blocks))
          continue;
        reportDeadlock(FindingKind::Deadlock);
        break;
      }
      watchesSpins = true;
    }
    // Threads may wait for blocks that have not begun.
    if (window.widen(more) || (moved && steps - window.idleSince < kLongest))
      continue;
    if (moved) { // Busy, but nothing has changed for very long.
      reportDeadlock(FindingKind::Timeout);
      break;
    }
    if (!wakePollers(blocks) || ++window.forced > 200) {
      reportDeadlock(FindingKind::Deadlock);
      break;
    }
  }
  return true;
}

} // namespace tileir::emu
