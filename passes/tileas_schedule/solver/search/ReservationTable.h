// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modulo reservation table (MRT): the reserved cycles of each row within an
// initiation interval.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RESERVATIONTABLE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RESERVATIONTABLE_H

#include "passes/tileas_schedule/solver/Problem.h"
#include "passes/tileas_schedule/solver/search/RunTree.h"

namespace tileir::schedule {

/// One bit vector over the cycles of an interval for each row that the problem
/// uses. A table is built once per problem and cleared for each attempt.
class ReservationTable {
public:
  explicit ReservationTable(const Problem &problem);

  /// Empties the table and sets its length.
  void reset(Cycles ii);
  Cycles interval() const { return ii; }

  /// Returns whether the reservations of `node` fit into an empty table.
  bool fitsAlone(int node) const;
  bool isFree(int node, Cycles start) const;
  /// Returns the first start in [from, to] at which `node` fits, or -1.
  Cycles findFree(int node, Cycles from, Cycles to) const;
  /// Like `findFree`, restricted to tight starts: each reservation of a
  /// critical row is adjacent to another one on one side.
  Cycles findTight(int node, Cycles from, Cycles to) const;
  bool isTight(int node, Cycles start) const;
  /// Returns whether `node` uses a row that the problem reserves to at least 90
  /// %.
  bool usesCritical(int node) const;
  /// Collects at most `limit` starts in [from, to] at which `node` begins where
  /// another reservation of its rows ends, or ends where one begins.
  void edgesOfRuns(int node, Cycles from, Cycles to, size_t limit,
                   std::vector<Cycles> &starts) const;
  /// Returns the number of 64-cycle windows of critical rows that `node` would
  /// fill up.
  int numFilledWindows(int node, Cycles start) const;

  /// Reserves the rows of `node`, which must fit.
  void commit(int node, Cycles start);
  void release(int node, Cycles start);
  /// Collects the nodes whose reservations collide with those of `node` at
  /// `start`.
  void findColliding(int node, Cycles start, std::vector<int> &colliding) const;

  /// Returns the steps taken.
  uint64_t steps() const;

private:
  struct RowBits {
    RunTree busy;
    /// Cycles in which a reservation begins.
    std::vector<uint64_t> starts;
    /// The node whose reservation begins in each cycle.
    std::vector<int> owner;
    Cycles total = 0;
    /// Current number of reservations.
    int count = 0;
    bool critical = false;
  };

  Cycles wrap(Cycles cycle) const {
    cycle %= ii;
    return cycle < 0 ? cycle + ii : cycle;
  }
  /// Returns the last reserved cycle of [from, from + length), which does not
  /// wrap, or -1.
  Cycles lastBusy(const RowBits &bits, Cycles from, Cycles length) const;
  Cycles lastBusyCyclic(const RowBits &bits, Cycles from, Cycles length) const;
  /// Returns by how many cycles a reservation at `from` must move to be free: 0
  /// if it is free, more than an interval if it never is.
  Cycles blockedFor(const RowBits &bits, Cycles from, Cycles length) const;
  /// Returns the cycles from `from` to the next reserved cycle or, with `busy`
  /// false, to the next free one; at most the interval.
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
  /// Index in `rows` by row.
  int place[kNumRows];
  /// Nodes with two reservations of one row, which may collide with themselves.
  std::vector<char> repeats;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RESERVATIONTABLE_H
