// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the schedule of a loop into an order of its body.
#ifndef PASSES_TILEAS_SCHEDULE_APPLYSCHEDULE_H
#define PASSES_TILEAS_SCHEDULE_APPLYSCHEDULE_H

#include "passes/tileas_schedule/ScheduleAnalysis.h"

namespace tileir {

/// Order of the body of a software-pipelined loop.
struct LoopOrder {
  /// Nodes in the order of the body.
  llvm::SmallVector<int> nodes;
  /// Iterations by which each node runs ahead.
  llvm::SmallVector<int> ahead;
  /// Cycles per iteration if one instruction stream issues this order.
  schedule::Cycles cycles = 0;
  bool isBaseline = true;

  /// Prints one line per node of `region`.
  void print(llvm::raw_ostream &os,
             const ScheduleAnalysis::Region &region) const;
};

/// Returns the order of the body as it is, with copies at their default places.
LoopOrder getBaselineOrder(const ScheduleAnalysis::Region &region);

/// Returns the order of the schedule. With `keepsOrder` only the copies into
/// slots move.
LoopOrder getScheduledOrder(const ScheduleAnalysis::Region &region,
                            bool keepsOrder);

/// Returns `order` with the nodes that run ahead at the places that cost the
/// fewest cycles in the in-order model.
LoopOrder placeCopies(const ScheduleAnalysis::Region &region, LoopOrder order);

/// Starts loads into registers one iteration early, at their best places, where
/// the dependences hold and a thread needs at most `maxRegisters` registers for
/// tiles. Returns `order` if the result is not faster.
LoopOrder loadEarly(const ScheduleAnalysis::Region &region, LoopOrder order,
                    int64_t maxRegisters);

/// Moves single operations as long as the in-order model gets faster and the
/// tiles of a thread fit into `maxRegisters` registers.
LoopOrder refineOrder(const ScheduleAnalysis::Region &region, LoopOrder order,
                      int64_t maxRegisters);

/// Returns the maximum number of 32-bit registers that the tiles of a thread
/// occupy at once in this order.
int64_t getPeakRegisters(const ScheduleAnalysis::Region &region,
                         const LoopOrder &order);

/// Writes stage, order and cycle onto the anchors of the loop, and the result
/// of the search onto the loop.
void writeAttributes(const ScheduleAnalysis::Region &region,
                     const LoopOrder &order,
                     std::optional<uint64_t> randomSeed);

/// Reorders the body as in `order`, with copies at the start, where they stand
/// before the pipeline is expanded. A non-anchor operation precedes its first
/// user.
void reorderBody(const ScheduleAnalysis::Region &region,
                 const LoopOrder &order);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_APPLYSCHEDULE_H
