// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the schedule of a loop to the order of its body.
#ifndef PASSES_TILEAS_SCHEDULE_APPLYSCHEDULE_H
#define PASSES_TILEAS_SCHEDULE_APPLYSCHEDULE_H

#include "passes/tileas_schedule/ScheduleAnalysis.h"

namespace tileir {

/// Work of a loop in one iteration of its pipelined form.
struct LoopOrder {
  /// Nodes in the order of the text.
  llvm::SmallVector<int> nodes;
  /// Iterations that a node runs ahead of the others.
  llvm::SmallVector<int> ahead;
  /// Cycles of an iteration when one stream issues them in this order.
  schedule::Cycles cycles = 0;
  bool isCoarse = true;

  /// One line a node of `region`.
  void print(llvm::raw_ostream &os,
             const ScheduleAnalysis::Region &region) const;
};

/// The order of the body as it stands, copies where they go without a schedule.
LoopOrder getCoarseOrder(const ScheduleAnalysis::Region &region);

/// The order of the schedule. `keepsOrder`: only copies into slots move.
LoopOrder getScheduledOrder(const ScheduleAnalysis::Region &region,
                            bool keepsOrder);

/// The best of the places that what works ahead may have in `order`, by the
/// model of one stream.
LoopOrder placeCopies(const ScheduleAnalysis::Region &region, LoopOrder order);

/// `order` with loads into registers made an iteration early where edges and
/// `mostWords` allow it, at their best places; `order` where that is no faster.
LoopOrder loadEarly(const ScheduleAnalysis::Region &region, LoopOrder order,
                    int64_t mostWords);

/// Moves one operation after the other to where the model of one stream is
/// best, as long as the tiles of a thread take at most `mostWords`.
LoopOrder refineOrder(const ScheduleAnalysis::Region &region, LoopOrder order,
                      int64_t mostWords);

/// Most 32-bit words of tiles that a thread holds at once in this order.
int64_t getPeakWords(const ScheduleAnalysis::Region &region,
                     const LoopOrder &order);

/// Writes stages, places and cycles on the anchors of the loop, and what was
/// found on the loop.
void writeAttributes(const ScheduleAnalysis::Region &region,
                     const LoopOrder &order,
                     std::optional<uint64_t> randomSeed);

/// Puts the body in `order`, copies where they are before anything ran ahead.
/// Glue comes before its first user.
void reorderBody(const ScheduleAnalysis::Region &region,
                 const LoopOrder &order);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_APPLYSCHEDULE_H
