// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of operations on a GPU: functional units, durations and latencies from
// Rates.def.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_MACHINE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_MACHINE_H

#include "dialects/support/Rates.h"
#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

/// Work on one functional unit.
struct SlotWork {
  Slot slot = Slot::Unknown;
  int64_t units = 0;
};

/// Work of an operation, in the units of the cost table.
struct OpWork {
  OpClass cls = OpClass::Other;
  /// Elements of the result; for reductions, of the operand.
  int64_t elements = 0;
  /// Bytes moved by all warps together.
  int64_t bytes = 0;
  /// Multiply-adds of an MMA on this SM.
  int64_t macs = 0;
  Rates::Mma mmaKind = Rates::Mma::F16;
  /// Operand bytes that an MMA reads from shared memory.
  int64_t operandBytes = 0;
  /// TMA boxes.
  int64_t boxes = 0;
  /// CTAs that receive one multicast copy.
  int64_t multicast = 1;
  /// Latency hint of a load, 1 to 10.
  unsigned latencyHint = 5;
  /// For a reduction: elements of the result, and lanes that share a row.
  int64_t resultElements = 0, lanes = 1;
  /// A layout conversion through shared memory.
  bool throughShared = false;
  /// Additional work, as of fused chains: one entry per functional unit.
  std::vector<SlotWork> more;
};

class Machine {
public:
  explicit Machine(const Target &target) : rates(target), target(target) {}

  const Rates &getRates() const { return rates; }
  /// Returns the units of work per cycle; 0 if the target lacks the functional
  /// unit.
  int64_t rate(Slot slot, int agentWarps) const;
  /// Returns the cycles for which `units` of work occupy a functional unit.
  Cycles occupancy(Slot slot, int64_t units, int agentWarps) const;
  /// Returns the work of an operation by functional unit.
  std::vector<SlotWork> workOf(const OpWork &op) const;
  /// Sets class, uses, latency and issue cost of a node executed by
  /// `agentWarps` warps, and reserves its agent's row if it has an agent.
  /// Returns whether the latency was clamped to a ceiling of the model.
  bool price(Node &node, const OpWork &op, int agentWarps,
             bool otherwiseIdleProducer = false) const;
  /// Returns the cycles from the issue of a global load to its first data.
  Cycles globalLatency(unsigned hint, bool tma) const;
  /// Latency of synchronizing two agents.
  Cycles arriveLatency() const {
    return rates.latency(Rates::Latency::Mbarrier);
  }
  /// Returns the bandwidths that several rows share.
  std::vector<Pool> pools() const;

private:
  Cycles baseLatency(const OpWork &op) const;

  Rates rates;
  Target target;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_MACHINE_H
