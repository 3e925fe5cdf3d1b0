// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cycles of an initiation interval each row is reserved in.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_RESERVATIONTABLE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_RESERVATIONTABLE_H

#include "passes/tileas_schedule/solver/Problem.h"
#include "passes/tileas_schedule/solver/RunTree.h"

namespace tileir::schedule {

/// A bit vector over the cycles of an interval for each row that the problem
/// uses. Tables are made once for a problem and cleared for each attempt.
class ReservationTable {
public:
  explicit ReservationTable(const Problem &problem);

  /// Empties the table and sets its length.
  void reset(Cycles ii);
  Cycles interval() const { return ii; }

  /// Returns whether the reservations of `node` fit into an empty table.
  bool fitsAlone(int node) const;
  bool isFree(int node, Cycles start) const;
  /// The first start in [from, to] at which `node` fits, or -1.
  Cycles findFree(int node, Cycles from, Cycles to) const;
  /// The same, of starts that leave no gap on one side of each reservation of a
  /// critical row.
  Cycles findSnug(int node, Cycles from, Cycles to) const;
  bool isSnug(int node, Cycles start) const;
  /// Returns whether `node` uses a row of which the problem reserves 9 cycles
  /// in 10.
  bool usesCritical(int node) const;
  /// Starts in [from, to] at which `node` begins where another reservation of
  /// one of its rows ends or ends where one begins, `limit` of them at most.
  void edgesOfRuns(int node, Cycles from, Cycles to, size_t limit,
                   std::vector<Cycles> &starts) const;
  /// Windows of 64 cycles of critical rows that `node` would fill up.
  int numFilledWindows(int node, Cycles start) const;

  /// `node` must fit.
  void commit(int node, Cycles start);
  void release(int node, Cycles start);
  /// The nodes whose reservations collide with those of `node` at `start`.
  void findColliding(int node, Cycles start, std::vector<int> &colliding) const;

  /// Steps that were taken.
  uint64_t steps() const;

private:
  struct RowBits {
    RunTree busy;
    /// Cycles in which a reservation begins.
    std::vector<uint64_t> starts;
    /// Of the reservation that begins in a cycle.
    std::vector<int> owner;
    Cycles total = 0;
    /// Reservations that the table holds now.
    int count = 0;
    bool critical = false;
  };

  Cycles wrap(Cycles cycle) const {
    cycle %= ii;
    return cycle < 0 ? cycle + ii : cycle;
  }
  /// The last reserved cycle of [from, from + length), which does not wrap, or
  /// -1.
  Cycles lastBusy(const RowBits &bits, Cycles from, Cycles length) const;
  Cycles lastBusyCyclic(const RowBits &bits, Cycles from, Cycles length) const;
  /// Returns how far a reservation must move on from `from` to be free: 0 when
  /// it is, more than an interval when it never is.
  Cycles blockedFor(const RowBits &bits, Cycles from, Cycles length) const;
  /// Cycles from `from` to the next one that is reserved or, with `busy` false,
  /// free; at most the interval.
  Cycles distanceTo(const RowBits &bits, Cycles from, bool busy) const;
  void assign(RowBits &bits, Cycles from, Cycles length, bool value);
  bool isBusy(const RowBits &bits, Cycles cycle) const {
    return bits.busy.test(cycle);
  }
  RowBits &bitsOf(const SlotUse &use) { return rows[place[use.row]]; }
  const RowBits &bitsOf(const SlotUse &use) const {
    return rows[place[use.row]];
  }

  const Problem &problem;
  Cycles ii = 0;
  mutable uint64_t work = 0;
  std::vector<RowBits> rows;
  /// Row to its place in `rows`.
  int place[kNumRows];
  /// Nodes with two reservations of one row, which may meet themselves.
  std::vector<char> repeats;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_RESERVATIONTABLE_H
