// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_RACEDETECTOR_H
#define TOOLS_EMULATOR_RACEDETECTOR_H

#include "tools/emulator/Exec.h"

#include <deque>
#include <unordered_map>

namespace tileir::emu {

class Machine;

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

  /// No place was touched so far; the cells of all memory are gone.
  void forget();

  bool fencedOnce = false; ///< A fence.sc of the GPU was executed.
  std::unordered_map<uint64_t, Released> releases; ///< By address.
  std::deque<MapFence> mapReleases;
  std::unordered_map<uint64_t, std::deque<MapFence>> mapAcquires;

private:
  /// The least scope that includes threads of both blocks.
  Scope scopeBetween(uint32_t a, uint32_t b) const;

  std::vector<ReaderSet> readerSets;
  std::vector<std::array<Cell, 4>> splitCells;

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_RACEDETECTOR_H
