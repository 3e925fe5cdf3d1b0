// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of operations on a GPU: slots, durations and latencies from Rates.def.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_MACHINE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_MACHINE_H

#include "dialects/support/Rates.h"
#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

/// Units of work on a slot.
struct SlotWork {
  Slot slot = Slot::Unknown;
  int64_t units = 0;
};

/// Work of an operation, in the units of the table of costs.
struct OpWork {
  OpClass cls = OpClass::Other;
  /// Of the result; of the operand for reductions.
  int64_t elements = 0;
  /// Moved, by all warps together.
  int64_t bytes = 0;
  /// Multiply-adds of a product on this SM.
  int64_t macs = 0;
  Rates::Mma mmaKind = Rates::Mma::F16;
  /// Bytes of operands that a product reads from shared memory.
  int64_t operandBytes = 0;
  /// Boxes of the tensor memory accelerator.
  int64_t boxes = 0;
  /// CTAs that one copy feeds.
  int64_t multicast = 1;
  /// A load's hint, 1 to 10.
  unsigned latencyHint = 5;
  /// Of a reduction: elements of the result, lanes that share a row.
  int64_t resultElements = 0, lanes = 1;
  /// A layout conversion that goes through shared memory.
  bool throughShared = false;
  /// Work on top, as of fused chains: a line a slot.
  std::vector<SlotWork> more;
};

class Machine {
public:
  explicit Machine(const Target &target) : rates(target), target(target) {}

  const Rates &getRates() const { return rates; }
  /// Units a cycle; 0 where there is no such slot.
  int64_t rate(Slot slot, int agentWarps) const;
  /// Cycles that work of `units` reserves a slot.
  Cycles occupancy(Slot slot, int64_t units, int agentWarps) const;
  /// The work of an operation by slot.
  std::vector<SlotWork> workOf(const OpWork &op) const;
  /// Class, uses, latency and issue cost of a node; its agent's row too, when
  /// the node has an agent. `agentWarps` is what executes it. Returns whether
  /// the latency was cut to a ceiling of the model.
  bool price(Node &node, const OpWork &op, int agentWarps,
             bool otherwiseIdleProducer = false) const;
  /// Cycles from a global load's issue until its first data.
  Cycles globalLatency(unsigned hint, bool tma) const;
  /// Of crossing agents.
  Cycles handoff() const { return rates.latency(Rates::Latency::Mbarrier); }
  /// Bandwidths that several rows share.
  std::vector<Pool> pools() const;

private:
  Cycles baseLatency(const OpWork &op) const;

  Rates rates;
  Target target;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_MACHINE_H
