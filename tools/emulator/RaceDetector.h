// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_RACEDETECTOR_H
#define TOOLS_EMULATOR_RACEDETECTOR_H

#include "tools/emulator/Exec.h"

#include <deque>
#include <unordered_map>

namespace tileir::emu {

class Machine;

/// Cells of what lies in a state of its own within a granule, and readers
/// without order among them.
struct TouchedCells {
  std::vector<ReaderSet> sets;
  std::vector<std::array<Cell, 4>> words, bytes; ///< Of a granule, of a word.
  std::vector<uint32_t> freeSets, freeWords, freeBytes; ///< For later use.

  void clear();
  /// Gives the words of a granule, or the bytes of a word, cells of their own.
  void split(Granule &g);
  void splitWord(Cell &cell);
  /// Makes one of the cells of a granule that are alike.
  void join(Granule &g);
  /// Readers of a cell, as a set.
  ReaderSet &setOf(Cell &cell);

private:
  void ownSet(Cell &cell);
  bool areAlike(const std::array<Cell, 4> &parts) const;
  Cell unite(const std::array<Cell, 4> &parts);
};

/// The race detector: who touched a place last, and what threads know.
class RaceDetector {
public:
  explicit RaceDetector(Machine &machine) : machine(machine) {}

  /// fence.proxy.tensormap of threads: releases, and acquires by address.
  struct MapFence {
    ClockRef known;
    Agent agent;
    uint32_t clock;
    Scope scope;
  };
  /// Checks and marks a read or write for initialisation and races. Who changes
  /// memory by an atomic access says so itself.
  void touch(Exec &x, const Inst &inst, int lane, Region &region,
             uint64_t offset, uint32_t bytes, AccessKind kind,
             const Semantics &semantics, bool sameValue = false,
             bool checkInit = true);
  void touchAs(Exec &x, const Inst &inst, int lane, const Knowledge &who,
               Agent as, uint32_t asClock, Region &region, uint64_t offset,
               uint32_t bytes, AccessKind kind, uint32_t flags, bool sameValue);
  /// The same of lanes of a warp, each at a place of one region that no other
  /// writes. Nothing but a race can be found. `same`: lanes that write what is
  /// there.
  void touchLanes(Exec &x, const Inst &inst, Mask lanes, Region &region,
                  const uint64_t *offsets, uint32_t bytes, AccessKind kind,
                  Mask same = 0);
  /// The last accesses of a byte.
  Cell cellAt(Region &region, uint64_t offset);
  /// The word written last there counts as written by the async proxy.
  void giveToProxy(Region &region, uint64_t offset);
  void acquireAt(ThreadClock &who, const Region &region, uint64_t offset,
                 const Semantics &semantics);
  void releaseAt(ThreadClock &who, const Region &region, uint64_t offset,
                 const Semantics &semantics, bool readModifyWrite);
  /// Rules of a tensor map that the kernel wrote itself.
  void checkMapProxy(Exec &x, const Inst &inst, int lane, Region &region,
                     uint64_t offset);
  /// Publishes what a thread knows into `to`, as a release of a scope does or,
  /// relaxed, as the fences before it do.
  void publish(const ThreadClock &who, Released &to, bool release, Scope scope);
  /// Adds what `who` learns from `from` with an acquire or a relaxed read.
  void learn(ThreadClock &who, const Released &from, bool acquire, Scope scope,
             bool order);

  /// The least scope that includes threads of both blocks.
  Scope scopeBetween(uint32_t a, uint32_t b) const;

  /// No place was touched so far; the granules of all memory are gone.
  void forget();

  bool fencedOnce = false; ///< A fence.sc of the GPU was executed.
  std::unordered_map<uint64_t, Released> releases; ///< By address.
  std::deque<MapFence> mapReleases;
  std::unordered_map<uint64_t, std::deque<MapFence>> mapAcquires;

private:
  TouchedCells cells;

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_RACEDETECTOR_H
