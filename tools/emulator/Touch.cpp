// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races by vector clocks: who touched a place last.
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

namespace {

/// Returns whether `count` lanes from `first` on fill one granule, side by side
/// and at one clock.
bool lieTogether(Exec &x, int first, int count, Mask lanes,
                 const uint64_t *offsets, uint32_t bytes) {
  Mask group = (1u << count) - 1;
  if (offsets[first] % Granule::kBytes || first + count > 32 ||
      (lanes >> first & group) != group)
    return false;
  for (int k = 1; k < count; ++k)
    if (offsets[first + k] != offsets[first] + uint64_t(k) * bytes ||
        x.clock(first + k).clock != x.clock(first).clock)
      return false;
  return true;
}

/// Accesses of one instruction on their way over the memory that they touch.
class Touch {
public:
  Touch(Exec &x, const Inst &inst, Region &region, AccessKind kind,
        uint32_t flags, TouchedCells &cells)
      : m(x.m), code(x.m.image.code.data()), x(x), inst(inst),
        instIndex(uint32_t(&inst - code) | flags), region(region), flags(flags),
        isWrite(kind != AccessKind::Read), viaProxy(flags & Cell::AsyncProxy),
        global(region.space != Space::Shared), cells(cells) {}

  /// Says who accesses: `as` at its clock, of which `who` tells what it knows.
  void begin(int itsLane, const Knowledge &itsWho, Agent itsAs,
             uint32_t itsClock, bool itsSameValue) {
    lane = itsLane;
    who = &itsWho;
    as = itsAs;
    asClock = itsClock;
    sameValue = itsSameValue;
    own = as == who->agent;
    step = Granule::kWhole;
  }

  /// Accesses `bytes` from `from` on.
  void access(uint64_t from, uint32_t bytes) {
    uint64_t end = from + bytes;
    while (from < end) {
      Granule &g = region.granule(from);
      uint64_t next = (from / Granule::kBytes + 1) * Granule::kBytes;
      bool isWhole = from % Granule::kBytes == 0 && next <= end;
      if (!isWhole || g.writer == kSplit || !granule(g)) {
        if (g.writer != kSplit)
          cells.split(g);
        words(g, from, std::min(next, end));
        if (isWhole && isWrite)
          cells.join(g);
      }
      from = next;
    }
  }

  /// Lanes from `first` on each access `1 << byStep` bytes of one granule, side
  /// by side. False, and nothing is changed, where that has to be looked at one
  /// by one.
  bool together(int first, uint64_t at, uint8_t byStep) {
    Granule &g = region.granule(at);
    if (g.writer == kSplit)
      return false;
    const ThreadClock &thread = x.clock(first);
    begin(first, thread, thread.agent, thread.clock, false);
    step = byStep;
    return granule(g);
  }

private:
  /// Returns whether `holds(who, as, agent)` is true for every byte of a
  /// granule that `first` and the agents after it accessed in `itsStep`.
  template <typename F>
  bool everywhere(Agent first, uint8_t itsStep, F holds) const {
    if (step == Granule::kWhole && itsStep == Granule::kWhole)
      return holds(*who, as, first);
    uint32_t piece = 1u << std::min(step, itsStep);
    for (uint32_t byte = 0; byte < Granule::kBytes; byte += piece) {
      uint32_t k = byte >> step;
      const Knowledge &knows = k ? x.clock(lane + int(k)) : *who;
      if (!holds(knows, as + k, first + (byte >> itsStep)))
        return false;
    }
    return true;
  }

  /// A whole granule. False, and nothing is changed, where its words have to be
  /// looked at one by one: they would come to differ, or a race is found.
  bool granule(Granule &g) {
    if (flags & Cell::Strong)
      return false;
    if (g.writer != kNoAgent &&
        (inst.nonCoherent ||
         !everywhere(g.writer, g.writeStep,
                     [&](const Knowledge &knows, Agent me, Agent a) {
                       return follows(knows, me, a, g.writeClock, g.writeInst);
                     })))
      return false;
    return isWrite ? writeGranule(g) : readGranule(g);
  }

  bool writeGranule(Granule &g) {
    if (g.reader == kMany) {
      ReaderSet &set = cells.sets[g.readClock];
      for (const ReaderSet::Entry &e : set.entries)
        if (!isFollowed(e))
          return false;
      set.entries.clear();
    } else if (g.reader != kNoAgent) {
      if (!coherent(g.readInst) ||
          !everywhere(g.reader, g.readStep,
                      [&](const Knowledge &knows, Agent me, Agent a) {
                        return plain(knows, me, a, g.readClock);
                      }))
        return false;
      g.reader = kNoAgent;
    }
    g.writer = as;
    g.writeClock = asClock;
    g.writeInst = instIndex;
    g.writeStep = step;
    g.byBytes |= step < 2 ? 15 : 0;
    return true;
  }

  /// Returns whether this write comes after all of these reads.
  bool isFollowed(const ReaderSet::Entry &e) const {
    if (!coherent(e.inst))
      return false;
    for (Mask left = e.lanes; left; left &= left - 1)
      if (!everywhere(e.first + Agent(__builtin_ctz(left)), Granule::kWhole,
                      [&](const Knowledge &knows, Agent me, Agent a) {
                        return plain(knows, me, a, e.clock);
                      }))
        return false;
    return true;
  }

  bool readGranule(Granule &g) {
    bool replaces =
        g.reader == kNoAgent ||
        (g.reader != kMany &&
         everywhere(g.reader, g.readStep,
                    [&](const Knowledge &knows, Agent me, Agent a) {
                      return a == me ||
                             (!viaProxy && knows.ordered(a, g.readClock));
                    }));
    if (replaces) {
      g.reader = as;
      g.readClock = asClock;
      g.readInst = instIndex;
      g.readStep = step;
      g.byBytes |= step < 2 ? 15 : 0;
      return true;
    }
    // Sets are of single agents.
    if (step != Granule::kWhole ||
        (g.reader != kMany && g.readStep != Granule::kWhole))
      return false;
    addTo(cells.setOf(g), as, asClock, instIndex, false);
    return true;
  }

  /// The words of a granule, from `from` to `end`.
  void words(Granule &g, uint64_t from, uint64_t end) {
    std::array<Cell, 4> &all = cells.words[g.writeClock];
    while (from < end) {
      Cell &cell = all[from % Granule::kBytes / 4];
      bool isWhole = from % 4 == 0 && end - from >= 4;
      offset = from;
      if (isWhole && cell.writer != kSplit) {
        one(cell);
        from += 4;
        continue;
      }
      if (cell.writer != kSplit) {
        cells.splitWord(cell);
        g.byBytes |= uint8_t(1u << (from % Granule::kBytes / 4));
      }
      // Splitting a cell of a byte would move the others.
      uint32_t index = cell.writeClock;
      do {
        offset = from;
        one(cells.bytes[index][from & 3]);
        ++from;
      } while (from < end && (from & 3));
    }
  }

  /// A word or a byte.
  void one(Cell &cell) {
    bool isAfter = true; // The last write.
    if (cell.writer != kNoAgent) {
      isAfter = ordered(cell.writer, cell.writeClock, cell.writeInst);
      if (inst.nonCoherent ||
          (!isAfter && !moral(cell.writer, cell.writeInst) &&
           !checked(cell.writeInst) && !(isWrite && sameValue)))
        race(cell.writer, cell.writeClock, cell.writeInst, true);
    }
    if (cell.reader == kMany && (isWrite || cells.sets[cell.readClock].wrote))
      many(cells.sets[cell.readClock]);
    else if (isWrite && cell.reader != kNoAgent)
      readerRaces(cell.reader, cell.readClock, cell.readInst);
    if (isWrite)
      return noteWrite(cell, isAfter);
    if (cell.reader == as || cell.reader == kNoAgent ||
        (cell.reader != kMany && !viaProxy &&
         who->ordered(cell.reader, cell.readClock))) {
      cell.reader = as;
      cell.readClock = asClock;
      cell.readInst = instIndex;
      return;
    }
    addTo(cells.setOf(cell), as, asClock, instIndex, false);
  }

  const Inst &by(uint32_t itsInst) const {
    return code[itsInst & Cell::InstMask];
  }

  /// Returns whether `me` comes after what `a` did, as `knows` tells.
  bool follows(const Knowledge &knows, Agent me, Agent a, uint32_t c,
               uint32_t itsInst) const {
    if (a == me)
      return true;
    if (viaProxy && !(itsInst & Cell::AsyncProxy))
      return knows.orderedProxy(a, c, global);
    if (!own && a == knows.agent) // Asynchronous work of this thread.
      return c <= knows.clock;
    return knows.ordered(a, c);
  }
  bool ordered(Agent a, uint32_t c, uint32_t itsInst) const {
    return follows(*who, as, a, c, itsInst);
  }

  /// Overwriting what was read before needs no proxy fence, and asynchronous
  /// work not even that the reads are visible.
  bool plain(const Knowledge &knows, Agent me, Agent a, uint32_t c) const {
    if (!own && a == knows.agent)
      return c <= knows.clock;
    return a == me || (viaProxy ? knows.executed(a, c) : knows.ordered(a, c));
  }
  bool plain(Agent a, uint32_t c) const { return plain(*who, as, a, c); }

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
           m.races.scopeBetween(a / kAgentsPerBlock, as / kAgentsPerBlock);
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
      // A reader of the old value finds it after the earlier writes.
      if (!isWrite || (atomic && (inst.blind || !e.wrote)))
        set.entries[kept++] = e;
    }
    set.entries.resize(kept);
    set.wrote = set.wrote && kept;
  }

  void noteWrite(Cell &cell, bool isAfter) {
    bool strong = flags & Cell::Strong;
    // Later weak accesses have to follow these, too. An atomic access whose
    // result no instruction reads may have come before or after another.
    if (strong && cell.reader != kMany && cell.reader != kNoAgent &&
        !plain(cell.reader, cell.readClock))
      cells.setOf(cell);
    if (strong && !isAfter && inst.blind)
      addTo(cells.setOf(cell), cell.writer, cell.writeClock, cell.writeInst,
            true);
    if (cell.reader != kMany)
      cell.reader = kNoAgent;
    cell.writer = as;
    cell.writeClock = asClock;
    cell.writeInst = instIndex;
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
               who->ordered(e.first + Agent(__builtin_ctz(left)), e.clock))
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
  uint32_t instIndex;
  Region &region;
  uint32_t flags;
  bool isWrite, viaProxy, global;
  TouchedCells &cells;

  // Who accesses.
  int lane = 0;
  const Knowledge *who = nullptr;
  Agent as = kNoAgent;
  uint32_t asClock = 0;
  bool own = false, sameValue = false;
  uint8_t step = Granule::kWhole; ///< Of lanes that access a granule together.

  uint64_t offset = 0; ///< Of a word or a byte, for messages.
};

} // namespace

//===--- cells ------------------------------------------------------------===//

/// A free place of `all`, or a new one.
template <typename T>
static uint32_t take(std::vector<T> &all, std::vector<uint32_t> &free) {
  if (free.empty()) {
    all.emplace_back();
    return uint32_t(all.size() - 1);
  }
  uint32_t index = free.back();
  free.pop_back();
  return index;
}

void TouchedCells::clear() {
  sets.clear();
  words.clear();
  bytes.clear();
  for (std::vector<uint32_t> *free : {&freeSets, &freeWords, &freeBytes})
    free->clear();
}

ReaderSet &TouchedCells::setOf(Cell &cell) {
  if (cell.reader != kMany) {
    uint32_t index = take(sets, freeSets);
    sets[index].clear();
    if (cell.reader != kNoAgent)
      sets[index].add(cell.reader, cell.readClock, cell.readInst, false);
    cell.reader = kMany;
    cell.readClock = index;
  }
  return sets[cell.readClock];
}

void TouchedCells::ownSet(Cell &cell) {
  if (cell.reader != kMany)
    return;
  uint32_t index = take(sets, freeSets);
  sets[index] = sets[cell.readClock];
  cell.readClock = index;
}

void TouchedCells::splitWord(Cell &cell) {
  uint32_t index = take(bytes, freeBytes);
  bytes[index].fill(cell);
  for (size_t k = 1; k < 4; ++k)
    ownSet(bytes[index][k]);
  cell.writer = kSplit;
  cell.writeClock = index;
}

void TouchedCells::split(Granule &g) {
  uint32_t index = take(words, freeWords);
  auto cellOf = [&](uint32_t byte) {
    Cell cell = g;
    if (g.writer != kNoAgent)
      cell.writer = g.writerOf(byte);
    if (g.reader != kNoAgent && g.reader != kMany)
      cell.reader = g.readerOf(byte);
    if (byte)
      ownSet(cell);
    return cell;
  };
  for (uint32_t w = 0; w < 4; ++w) {
    Cell cell = cellOf(4 * w);
    if (g.byBytes >> w & 1) {
      splitWord(cell);
      for (uint32_t byte = 1; byte < 4; ++byte) {
        Cell &part = bytes[cell.writeClock][byte];
        if (g.writer != kNoAgent)
          part.writer = g.writerOf(4 * w + byte);
        if (g.reader != kNoAgent && g.reader != kMany)
          part.reader = g.readerOf(4 * w + byte);
      }
    }
    words[index][w] = cell;
  }
  g.writer = kSplit;
  g.writeClock = index;
}

/// Returns whether cells of parts have come to be alike, without readers of
/// their own.
bool TouchedCells::areAlike(const std::array<Cell, 4> &parts) const {
  for (const Cell &part : parts) {
    Cell like = part;
    if (part.reader == kMany)
      like.readClock = parts[0].readClock;
    if (like != parts[0] || part.writer == kSplit ||
        (part.reader == kMany && !sets[part.readClock].entries.empty()))
      return false;
  }
  return true;
}

/// The first of such cells; the sets of the others are free.
Cell TouchedCells::unite(const std::array<Cell, 4> &parts) {
  for (size_t k = 1; k < 4 && parts[0].reader == kMany; ++k)
    freeSets.push_back(parts[k].readClock);
  return parts[0];
}

void TouchedCells::join(Granule &g) {
  uint32_t index = g.writeClock;
  std::array<Cell, 4> parts = words[index];
  for (Cell &word : parts) {
    if (word.writer != kSplit)
      continue;
    if (!areAlike(bytes[word.writeClock]))
      return;
    word = bytes[word.writeClock][0];
  }
  if (!areAlike(parts))
    return;
  for (const Cell &word : words[index])
    if (word.writer == kSplit) {
      unite(bytes[word.writeClock]);
      freeBytes.push_back(word.writeClock);
    }
  static_cast<Cell &>(g) = unite(parts);
  g.writeStep = g.readStep = Granule::kWhole;
  freeWords.push_back(index);
}

Cell RaceDetector::cellAt(Region &region, uint64_t offset) {
  const Granule &g = region.granule(offset);
  uint32_t byte = uint32_t(offset % Granule::kBytes);
  Cell cell = g;
  if (g.writer == kSplit)
    cell = cells.words[g.writeClock][byte / 4];
  else if (g.writer != kNoAgent)
    cell.writer = g.writerOf(byte);
  return cell.writer == kSplit ? cells.bytes[cell.writeClock][byte % 4] : cell;
}

void RaceDetector::giveToProxy(Region &region, uint64_t offset) {
  Granule &g = region.granule(offset);
  if (g.writer != kSplit)
    return;
  Cell &word = cells.words[g.writeClock][offset % Granule::kBytes / 4];
  if (word.writer != kSplit)
    word.writeInst |= Cell::AsyncProxy;
}

//===--- accesses ---------------------------------------------------------===//

void RaceDetector::touchAs(Exec &x, const Inst &inst, int lane,
                           const Knowledge &who, Agent as, uint32_t asClock,
                           Region &region, uint64_t offset, uint32_t bytes,
                           AccessKind kind, uint32_t flags, bool sameValue) {
  Touch touch(x, inst, region, kind, flags, cells);
  touch.begin(lane, who, as, asClock, sameValue);
  touch.access(offset, bytes);
}

void RaceDetector::touchLanes(Exec &x, const Inst &inst, Mask lanes,
                              Region &region, const uint64_t *offsets,
                              uint32_t bytes, AccessKind kind, Mask same) {
  bool isWrite = kind == AccessKind::Write;
  if (isWrite && !region.written.empty())
    forRuns(lanes, offsets, bytes, [&](uint64_t from, uint64_t count) {
      std::memset(&region.written[from], 1, count);
    });
  if (machine.reports(FindingKind::Race)) {
    Touch touch(x, inst, region, kind, 0, cells);
    bool isNarrow = bytes < Granule::kBytes;
    int together = isNarrow ? int(Granule::kBytes / bytes) : 1;
    auto step = uint8_t(__builtin_ctz(bytes));
    for (Mask left = lanes; left;) {
      int lane = __builtin_ctz(left);
      if (isNarrow && lieTogether(x, lane, together, left, offsets, bytes) &&
          touch.together(lane, offsets[lane], step)) {
        left &= ~(((1u << together) - 1) << lane);
        continue;
      }
      left &= left - 1;
      const ThreadClock &who = x.clock(lane);
      touch.begin(lane, who, who.agent, who.clock, same >> lane & 1);
      touch.access(offsets[lane], bytes);
    }
  }
  if (isWrite && (lanes & ~same))
    machine.scheduler.changed();
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
      machine.async.checkMbarrier(x, inst, lane, region, offset, bytes);
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
  cells.clear();
  releases.clear();
  mapReleases.clear();
  mapAcquires.clear();
  fencedOnce = false;
}

} // namespace tileir::emu
