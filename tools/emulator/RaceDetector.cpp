// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races by vector clocks: who touched a place last, and what threads release
// and acquire.
#include "tools/emulator/Machine.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

std::string Region::describe(uint64_t offset) const {
  std::string out;
  for (const Array &array : arrays) {
    if (array.from > offset)
      continue;
    uint64_t byte = offset - array.from;
    out += out.empty() ? "" : ", which shares memory with ";
    out += "'" + array.name + "' byte " + std::to_string(byte) + " (element " +
           std::to_string(byte * 8 / uint64_t(array.elementBits)) + ")";
  }
  return out.empty() ? "'" + name + "' byte " + std::to_string(offset) : out;
}

/// The least scope that includes threads of both blocks.
static Scope scopeOf(const Machine &machine, uint32_t a, uint32_t b) {
  if (a == b)
    return Scope::Cta;
  if (machine.scheduler.clusterSize == 1 || a == Released::kManyBlocks ||
      b == Released::kManyBlocks)
    return Scope::Gpu;
  const std::array<uint32_t, 3> &c = machine.config.cluster;
  uint32_t x = machine.scheduler.totalGrid[0],
           y = machine.scheduler.totalGrid[1];
  bool same = a % x / c[0] == b % x / c[0] &&
              a / x % y / c[1] == b / x % y / c[1] &&
              a / x / y / c[2] == b / x / y / c[2];
  return same ? Scope::Cluster : Scope::Gpu;
}

Scope RaceDetector::scopeBetween(uint32_t a, uint32_t b) const {
  return scopeOf(machine, a, b);
}

namespace {

/// One access on its way over the words that it touches.
class Touch {
public:
  Touch(Exec &x, const Inst &inst, int lane, const Knowledge &who, Agent as,
        uint32_t asClock, const Region &region, AccessKind kind, uint32_t flags,
        bool sameValue, std::vector<ReaderSet> &readerSets)
      : m(x.m), code(x.m.image.code.data()), x(x), inst(inst), lane(lane),
        who(who), as(as), asClock(asClock),
        instIndex(uint32_t(&inst - code) | flags), region(region), flags(flags),
        isWrite(kind != AccessKind::Read), viaProxy(flags & Cell::AsyncProxy),
        own(as == who.agent), global(region.space != Space::Shared),
        sameValue(sameValue), readerSets(readerSets) {}

  uint64_t offset = 0; ///< Where it is, for messages.

  /// A word. Those that lie side by side are mostly in one state: what the
  /// access makes of that is found out once.
  void word(Cell &cell) {
    if (isKnown && cell == before) {
      cell = after;
      return;
    }
    before = cell;
    found = false;
    one(cell);
    after = cell;
    isKnown = !found && before.reader != kMany && after.reader != kMany;
  }

  void one(Cell &cell) {
    bool follows = true; // The last write.
    if (cell.writer != kNoAgent) {
      follows = ordered(cell.writer, cell.writeClock, cell.writeInst);
      if (inst.nonCoherent ||
          (!follows && !moral(cell.writer, cell.writeInst) &&
           !checked(cell.writeInst) && !(isWrite && sameValue)))
        race(cell.writer, cell.writeClock, cell.writeInst, true);
    }
    if (cell.reader == kMany && (isWrite || readerSets[cell.readClock].wrote))
      many(readerSets[cell.readClock]);
    else if (isWrite && cell.reader != kNoAgent)
      readerRaces(cell.reader, cell.readClock, cell.readInst);
    if (isWrite)
      return noteWrite(cell, follows);
    if (cell.reader == as || cell.reader == kNoAgent ||
        (cell.reader != kMany && !viaProxy &&
         who.ordered(cell.reader, cell.readClock))) {
      cell.reader = as;
      cell.readClock = asClock;
      cell.readInst = instIndex;
      return;
    }
    addTo(setOf(cell), as, asClock, instIndex, false);
  }

private:
  const Inst &by(uint32_t itsInst) const {
    return code[itsInst & Cell::InstMask];
  }

  bool ordered(Agent a, uint32_t c, uint32_t itsInst) const {
    if (a == as)
      return true;
    if (viaProxy && !(itsInst & Cell::AsyncProxy))
      return who.orderedProxy(a, c, global);
    if (!own && a == who.agent) // Asynchronous work of this thread.
      return c <= who.clock;
    return who.ordered(a, c);
  }

  /// Overwriting what was read before needs no proxy fence, and asynchronous
  /// work not even that the reads are visible.
  bool plain(Agent a, uint32_t c) const {
    if (!own && a == who.agent)
      return c <= who.clock;
    return a == as || (viaProxy ? who.executed(a, c) : who.ordered(a, c));
  }

  /// Strong accesses of one size whose scopes include each other do not race.
  bool moral(Agent a, uint32_t itsInst) const {
    if (!(flags & itsInst & Cell::Strong))
      return false;
    uint8_t width = by(itsInst).width;
    if (width && inst.width && width != inst.width)
      return false;
    Scope mine = Scope(flags >> Cell::ScopeShift & 3),
          its = Scope(itsInst >> Cell::ScopeShift & 3);
    return std::min(mine, its) >=
           scopeOf(m, a / kAgentsPerBlock, as / kAgentsPerBlock);
  }

  bool coherent(uint32_t itsInst) const {
    return !inst.nonCoherent && !by(itsInst).nonCoherent;
  }

  /// Of a load and an atomic access: a swap checks what was loaded.
  bool checked(uint32_t itsInst) const {
    return isWrite ? (flags & Cell::Atomic) && by(itsInst).guesses
                   : inst.guesses && (itsInst & Cell::Atomic);
  }

  void race(Agent a, uint32_t c, uint32_t itsInst, bool itWrote) {
    found = true;
    Place earlier = m.placeOf(a, itsInst);
    std::string message = isWrite ? "write of " : "read of ";
    message += region.space == Space::Shared ? "shared memory at " + hex(offset)
                                             : region.describe(offset);
    message += " races with the ";
    message += itWrote ? "write" : "read";
    message += " at line " + std::to_string(earlier.line);
    if (!earlier.source.empty())
      message += " (" + earlier.source + ")";
    // Its own accesses to arrays are the kernel's; it asks for their order.
    if (!m.options.blockRaceRule.empty() && earlier.block == x.block->id &&
        !region.arrays.empty())
      message += "; " + m.options.blockRaceRule;
    if (viaProxy && itWrote && !(itsInst & Cell::AsyncProxy) && plain(a, c))
      message += "; the async proxy may see it only after a fence.proxy.async";
    else if (!coherent(itsInst))
      message += "; ld.global.nc is for memory that the grid does not write";
    else if (flags & itsInst & Cell::Strong)
      message += inst.width != by(itsInst).width
                     ? "; atomic accesses of different sizes"
                     : "; a scope does not include both threads";
    m.report(FindingKind::Race, x, inst, lane, message, {earlier});
  }

  bool readerRaces(Agent a, uint32_t c, uint32_t itsInst) {
    if (checked(itsInst))
      return false;
    if (coherent(itsInst) && (plain(a, c) || moral(a, itsInst)))
      return false;
    race(a, c, itsInst, false);
    return true;
  }

  /// Looks at readers without order among them, and at writes before the last.
  void many(ReaderSet &set) {
    bool found = false; // Of this set.
    size_t kept = 0;
    for (const ReaderSet::Entry &e : set.entries) {
      bool atomic = e.lanes && coherent(e.inst) && moral(e.first, e.inst);
      for (Mask left = e.lanes; left && !atomic && !found; left &= left - 1) {
        Agent a = e.first + Agent(__builtin_ctz(left));
        if (e.wrote && !ordered(a, e.clock, e.inst)) {
          found = !(isWrite && sameValue) && !checked(e.inst);
          if (found)
            race(a, e.clock, e.inst, true);
        } else if (!e.wrote && isWrite) {
          found = readerRaces(a, e.clock, e.inst);
        }
      }
      // Who looks at the old value has it behind the writes before.
      if (!isWrite || (atomic && (inst.blind || !e.wrote)))
        set.entries[kept++] = e;
    }
    set.entries.resize(kept);
    set.wrote = set.wrote && kept;
  }

  void noteWrite(Cell &cell, bool follows) {
    bool strong = flags & Cell::Strong;
    // Later weak accesses have to follow these, too. An atomic access whose
    // result nobody looks at may have come before or after another.
    if (strong && cell.reader != kMany && cell.reader != kNoAgent &&
        !plain(cell.reader, cell.readClock))
      setOf(cell);
    if (strong && !follows && inst.blind)
      addTo(setOf(cell), cell.writer, cell.writeClock, cell.writeInst, true);
    if (cell.reader != kMany)
      cell.reader = kNoAgent;
    cell.writer = as;
    cell.writeClock = asClock;
    cell.writeInst = instIndex;
  }

  ReaderSet &setOf(Cell &cell) {
    if (cell.reader != kMany) {
      ReaderSet set;
      if (cell.reader != kNoAgent)
        set.add(cell.reader, cell.readClock, cell.readInst, false);
      cell.reader = kMany;
      cell.readClock = uint32_t(readerSets.size());
      readerSets.push_back(std::move(set));
    }
    return readerSets[cell.readClock];
  }

  /// An entry of its lanes for accesses at one time by one instruction.
  void addTo(ReaderSet &set, Agent agent, uint32_t clock, uint32_t by,
             bool wrote) {
    std::vector<ReaderSet::Entry> &entries = set.entries;
    Mask bit = 1u << (agent & 31);
    ReaderSet::Entry *same = nullptr;
    for (ReaderSet::Entry &e : entries) {
      if (e.first != (agent & ~31u) || e.wrote != wrote)
        continue;
      e.lanes &= ~bit;
      if (e.clock == clock && e.inst == by)
        same = &e;
    }
    if (same) {
      same->lanes |= bit;
      return;
    }
    size_t most = global ? ReaderSet::kGlobal : ReaderSet::kShared;
    if (entries.size() >= most || entries.size() % 8 == 0) {
      // Who is ordered after this access is after those before it, too.
      auto old = [&](const ReaderSet::Entry &e) {
        Mask left = e.lanes;
        while (left && !viaProxy &&
               who.ordered(e.first + Agent(__builtin_ctz(left)), e.clock))
          left &= left - 1;
        return !left;
      };
      entries.erase(std::remove_if(entries.begin(), entries.end(), old),
                    entries.end());
    }
    if (entries.size() >= most)
      entries.erase(entries.begin() + long((agent / 32 * 2654435761u) % most));
    set.add(agent, clock, by, wrote);
  }

  Machine &m;
  const Inst *code;
  Exec &x;
  const Inst &inst;
  int lane;
  const Knowledge &who;
  Agent as;
  uint32_t asClock, instIndex;
  const Region &region;
  uint32_t flags;
  bool isWrite, viaProxy, own, global, sameValue;
  std::vector<ReaderSet> &readerSets;
  Cell before, after; ///< Of the last word.
  bool isKnown = false;
  bool found = false; ///< A race of this word.
};

} // namespace

void RaceDetector::touchAs(Exec &x, const Inst &inst, int lane,
                           const Knowledge &who, Agent as, uint32_t asClock,
                           Region &region, uint64_t offset, uint32_t bytes,
                           AccessKind kind, uint32_t flags, bool sameValue) {
  Touch touch(x, inst, lane, who, as, asClock, region, kind, flags, sameValue,
              readerSets);
  uint64_t end = offset + bytes;
  while (offset < end) {
    Cell &cell = region.cell(offset);
    bool whole = (offset & 3) == 0 && end - offset >= 4;
    touch.offset = offset;
    if (whole && cell.writer != kSplit) {
      touch.word(cell);
      offset += 4;
      continue;
    }
    if (cell.writer != kSplit) {
      std::array<Cell, 4> parts;
      parts.fill(cell);
      if (cell.reader == kMany) // Each byte gets a set of its own.
        for (int k = 1; k < 4; ++k) {
          parts[k].readClock = uint32_t(readerSets.size());
          ReaderSet copy = readerSets[cell.readClock];
          readerSets.push_back(copy);
        }
      cell.writer = kSplit;
      cell.writeClock = uint32_t(splitCells.size());
      splitCells.push_back(parts);
    }
    uint32_t index = cell.writeClock;
    do {
      touch.offset = offset;
      touch.one(splitCells[index][offset & 3]);
      ++offset;
    } while (offset < end && (offset & 3));
  }
}

void RaceDetector::touch(Exec &x, const Inst &inst, int lane, Region &region,
                         uint64_t offset, uint32_t bytes, AccessKind kind,
                         const Semantics &semantics, bool sameValue,
                         bool checkInit) {
  if (kind != AccessKind::Write && checkInit)
    machine.memory.checkWritten(x, inst, lane, region, offset, bytes);
  if (kind != AccessKind::Read && !region.written.empty())
    std::memset(&region.written[offset], 1, bytes);
  if (region.space == Space::Const || region.space == Space::Param)
    return;
  if (region.space == Space::Shared) {
    if (offset < region.barriersTo)
      machine.async.checkBarrierObject(x, inst, lane, region, offset, bytes);
    if (&region != &x.block->shared)
      if (Block *owner = machine.async.ownerOf(x, region))
        owner->remoteAccesses[x.clock(lane).agent] = {
            x.clock(lane).clock, uint32_t(&inst - machine.image.code.data())};
  }
  ThreadClock &who = x.clock(lane);
  if (machine.reports(FindingKind::Race)) {
    uint32_t flags = 0;
    if (semantics.strong)
      flags |= Cell::Strong | uint32_t(semantics.scope) << Cell::ScopeShift;
    if (kind == AccessKind::Atomic)
      flags |= Cell::Atomic;
    touchAs(x, inst, lane, who, who.agent, who.clock, region, offset, bytes,
            kind, flags, sameValue);
  }
  if (kind == AccessKind::Write && !sameValue)
    machine.scheduler.changed();
}

void RaceDetector::forget() {
  readerSets.clear();
  splitCells.clear();
  releases.clear();
  mapReleases.clear();
  mapAcquires.clear();
  fencedOnce = false;
}

//===--- releases and acquires --------------------------------------------===//

void RaceDetector::publish(const ThreadClock &who, Released &to, bool release,
                           Scope scope) {
  uint32_t block = who.agent / kAgentsPerBlock;
  if (release)
    return to.add(block, scope, false, who.snapshot());
  for (Scope s : {Scope::Cta, Scope::Cluster, Scope::Gpu})
    to.add(block, std::min(s, scope), false, who.releaseFence[size_t(s)]);
  if (fencedOnce)
    to.add(block, scope, false, who.fenced());
}

void RaceDetector::learn(ThreadClock &who, const Released &from, bool acquire,
                         Scope scope, bool order) {
  uint32_t block = who.agent / kAgentsPerBlock;
  for (const Released::Entry &e : from.entries) {
    Scope need = scopeBetween(e.block, block);
    bool reaches = !e.relaxed && std::min(e.scope, scope) >= need;
    if (reaches && acquire) {
      who.acquire(e.clock);
      continue;
    }
    if (reaches) {
      ClockRef &pending = who.pendingAcquire[size_t(need)];
      pending = joinClocks(pending, e.clock);
      if (fencedOnce && who.lastSeen != e.clock) {
        who.lastSeen = e.clock;
        who.acquireInto(Plane::Seen, e.clock);
      }
    }
    if (reaches && machine.weak.weakLoads && who.lastViewed != e.clock) {
      who.lastViewed = e.clock;
      who.acquireInto(Plane::View, e.clock);
    }
    if (order)
      who.acquireInto(Plane::Order, e.clock);
  }
}

void RaceDetector::acquireAt(ThreadClock &who, const Region &region,
                             uint64_t offset, const Semantics &semantics) {
  auto it = releases.find(region.base + offset);
  if (it != releases.end())
    learn(who, it->second, semantics.acquire, semantics.scope, false);
}

void RaceDetector::releaseAt(ThreadClock &who, const Region &region,
                             uint64_t offset, const Semantics &semantics,
                             bool readModifyWrite) {
  uint64_t key = region.base + offset;
  bool nothing = !semantics.release && !who.releaseFence[0] &&
                 !who.releaseFence[1] && !who.releaseFence[2] &&
                 !(fencedOnce && who.known->has(Plane::Fenced));
  // A plain strong store ends what was released there before, but not what its
  // own thread released: the two together are a release pattern.
  if (!readModifyWrite && !releases.empty()) {
    auto it = releases.find(key);
    if (it != releases.end()) {
      Released::Own own = it->second.own;
      if (own.agent == who.agent) {
        it->second.entries.clear();
        it->second.add(who.agent / kAgentsPerBlock,
                       std::min(own.scope, semantics.scope), false, own.clock);
      } else {
        releases.erase(it);
      }
    }
  }
  if (nothing)
    return;
  Released &to = releases[key];
  publish(who, to, semantics.release, semantics.scope);
  if (semantics.release) {
    to.own = {who.agent, semantics.scope, who.snapshot()};
    ++who.clock;
  }
}

} // namespace tileir::emu
