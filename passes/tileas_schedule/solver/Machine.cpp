// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Machine.h"

#include "dialects/support/Heuristics.h"
#include "passes/tileas_schedule/solver/Graph.h"

#include <algorithm>

namespace tileir::schedule {

/// Returns whether `slot` is a per-lane unit of a sub-core.
static bool isLaneSlot(Slot slot) {
  switch (slot) {
  case Slot::Xu:
  case Slot::Xu64:
  case Slot::Fp32x2Fp16Ultra:
  case Slot::AluOrFmaHeavy:
  case Slot::DualAlu:
  case Slot::Lsu:
    return true;
  default:
    return false;
  }
}

int64_t Machine::rate(Slot slot, int agentWarps) const {
  auto full = [&]() -> int64_t {
    switch (slot) {
    case Slot::Xu:
      return rates.rate(Rates::Xu);
    case Slot::Xu64:
      return rates.rate(Rates::Xu64);
    case Slot::Fp32x2Fp16Ultra:
      return rates.rate(Rates::Half);
    case Slot::AluOrFmaHeavy:
      return rates.rate(Rates::Fp32);
    case Slot::DualAlu:
      return rates.rate(Rates::Alu);
    case Slot::Lsu:
      return rates.rate(Rates::Lsu);
    case Slot::TpGnicRd:
      return rates.rate(Rates::GlobalRead);
    case Slot::TpGnicWr:
      return rates.rate(Rates::GlobalWrite);
    case Slot::TpSmemRd:
      return rates.rate(Rates::SharedRead);
    case Slot::TpSmemWr:
      return rates.rate(Rates::SharedWrite);
    case Slot::TpTmemRd:
      return rates.rate(Rates::TensorRead);
    case Slot::TpTmemWr:
      return rates.rate(Rates::TensorWrite);
    case Slot::TpMma:
      return rates.rate(Rates::MmaFetch);
    case Slot::TestSimt:
    case Slot::TestMma:
    case Slot::TestDma:
      return 1;
    default:
      return 0;
    }
  }();
  if (full == 0 || !isLaneSlot(slot))
    return full;
  // An SM has four sub-cores; a warp issues to one of them.
  return std::max<int64_t>(1, full * std::min(agentWarps, 4) / 4);
}

/// Returns the minimum occupancy of one instruction: the atom weights of the
/// generation with packed f32 arithmetic.
static Cycles leastOccupancy(const Rates &rates, Slot slot) {
  if (slot == Slot::Tma)
    return rates.latency(Rates::Latency::TmaBox);
  if (rates.rate(Rates::Fp32x2) == 0)
    return 1;
  switch (slot) {
  case Slot::DualAlu:
    return 2;
  case Slot::AluOrFmaHeavy:
  case Slot::Fp32x2Fp16Ultra:
    return 4;
  case Slot::TcAndMma:
    return 8;
  case Slot::TpGnicRd:
  case Slot::TpGnicWr:
  case Slot::TpSmemRd:
  case Slot::TpSmemWr:
  case Slot::TpTmemRd:
  case Slot::TpTmemWr:
  case Slot::TpMma:
    return 7;
  default:
    return 1;
  }
}

Cycles Machine::occupancy(Slot slot, int64_t units, int agentWarps) const {
  if (units <= 0)
    return 0;
  Cycles least = leastOccupancy(rates, slot);
  if (slot == Slot::Tma)
    return units * least;
  int64_t perCycle = rate(slot, agentWarps);
  return perCycle ? std::max(least, ceilDiv(units, perCycle)) : 0;
}

std::vector<SlotWork> Machine::workOf(const OpWork &op) const {
  std::vector<SlotWork> work;
  auto add = [&](Slot slot, int64_t units) {
    if (units > 0)
      work.push_back({slot, units});
  };
  switch (op.cls) {
  case OpClass::Fp32:
    // Packed instructions need an even number of elements per thread.
    add(rates.rate(Rates::Fp32x2) && op.elements % 256 == 0
            ? Slot::Fp32x2Fp16Ultra
            : Slot::AluOrFmaHeavy,
        op.elements);
    break;
  case OpClass::Half:
    add(Slot::Fp32x2Fp16Ultra, op.elements);
    break;
  case OpClass::F64:
  case OpClass::Convert64:
    add(Slot::Xu64, op.elements);
    break;
  case OpClass::IntMul:
    add(Slot::AluOrFmaHeavy, op.elements);
    break;
  case OpClass::Alu:
  case OpClass::Convert:
    add(Slot::DualAlu, op.elements);
    break;
  case OpClass::Xu:
    add(Slot::Xu, op.elements);
    break;
  case OpClass::Reduce: {
    int64_t steps = 0;
    while ((int64_t(1) << steps) < op.lanes)
      ++steps;
    add(Slot::Lsu, 4 * op.resultElements * op.lanes * steps);
    break;
  }
  case OpClass::LayoutConversion:
    add(Slot::Lsu, op.throughShared ? 2 * op.bytes : op.bytes);
    if (op.throughShared) {
      add(Slot::TpSmemRd, op.bytes);
      add(Slot::TpSmemWr, op.bytes);
    }
    break;
  case OpClass::GlobalLoad:
    add(Slot::Lsu, op.bytes);
    add(Slot::TpGnicRd, op.bytes);
    break;
  case OpClass::CpAsync:
    add(Slot::Lsu, op.bytes);
    add(Slot::TpGnicRd, op.bytes);
    add(Slot::TpSmemWr, op.bytes);
    break;
  case OpClass::TmaLoad:
    add(Slot::Tma, std::max<int64_t>(1, op.boxes));
    add(Slot::TpGnicRd, op.bytes / std::max<int64_t>(1, op.multicast));
    add(Slot::TpSmemWr, op.bytes);
    break;
  case OpClass::GlobalStore:
    add(Slot::Lsu, op.bytes);
    add(Slot::TpGnicWr, op.bytes);
    break;
  case OpClass::TmaStore:
    add(Slot::Tma, std::max<int64_t>(1, op.boxes));
    add(Slot::TpSmemRd, op.bytes);
    add(Slot::TpGnicWr, op.bytes);
    break;
  case OpClass::SharedLoad:
    add(Slot::Lsu, op.bytes);
    add(Slot::TpSmemRd, op.bytes);
    break;
  case OpClass::SharedStore:
    add(Slot::Lsu, op.bytes);
    add(Slot::TpSmemWr, op.bytes);
    break;
  case OpClass::MmaSync:
    break;
  case OpClass::Wgmma:
  case OpClass::Tcgen05Mma:
    add(Slot::TpMma, op.operandBytes);
    break;
  case OpClass::Tcgen05Copy:
    add(Slot::TpSmemRd, op.bytes);
    add(Slot::TpTmemWr, op.bytes);
    break;
  case OpClass::Tcgen05Load:
    add(Slot::TpTmemRd, op.bytes);
    break;
  case OpClass::Tcgen05Store:
    add(Slot::TpTmemWr, op.bytes);
    break;
  case OpClass::Atomic:
    add(Slot::Lsu, op.bytes);
    add(Slot::TpGnicWr, op.bytes);
    add(Slot::TpGnicRd, op.bytes);
    break;
  case OpClass::Elementwise:
  case OpClass::Wait:
  case OpClass::Composite:
  case OpClass::Other:
    break;
  }
  work.insert(work.end(), op.more.begin(), op.more.end());
  return work;
}

Cycles Machine::globalLatency(unsigned hint, bool tma) const {
  using Latency = Rates::Latency;
  Cycles near = rates.latency(Latency::GlobalL2);
  Cycles far = rates.latency(Latency::GlobalDram);
  Cycles base = near + (far - near) * Cycles(hint) / 5;
  return tma ? base + rates.latency(Latency::TmaExtra) : base;
}

Cycles Machine::baseLatency(const OpWork &op) const {
  using Latency = Rates::Latency;
  auto at = [&](Latency latency) { return Cycles(rates.latency(latency)); };
  switch (op.cls) {
  case OpClass::Fp32:
  case OpClass::Half:
  case OpClass::IntMul:
    return at(Latency::Fp32);
  case OpClass::Alu:
    return at(Latency::DualAlu);
  case OpClass::Convert:
    return at(Latency::Convert);
  case OpClass::F64:
  case OpClass::Convert64:
    return at(Latency::F64);
  case OpClass::Xu:
    return at(Latency::Xu);
  case OpClass::Reduce:
    return at(Latency::Shuffle);
  case OpClass::LayoutConversion:
    return op.throughShared ? at(Latency::SharedStore) + at(Latency::SharedLoad)
                            : at(Latency::Shuffle);
  case OpClass::GlobalLoad:
  case OpClass::CpAsync:
  case OpClass::Atomic:
    return globalLatency(op.latencyHint, /*tma=*/false);
  case OpClass::TmaLoad:
    return globalLatency(op.latencyHint, /*tma=*/true);
  case OpClass::TmaStore:
    return at(Latency::TmaStore);
  case OpClass::SharedLoad:
    return at(Latency::SharedLoad);
  case OpClass::SharedStore:
    return at(Latency::SharedStore);
  case OpClass::MmaSync:
    return at(Latency::MmaSync);
  case OpClass::Wgmma:
    return at(Latency::Wgmma);
  case OpClass::Tcgen05Mma:
    return at(Latency::Tcgen05Mma);
  case OpClass::Tcgen05Copy:
    return at(Latency::Tcgen05Copy);
  case OpClass::Tcgen05Load:
  case OpClass::Tcgen05Store:
    return at(Latency::Tcgen05Access);
  case OpClass::Elementwise: {
    Cycles longest = at(Latency::DualAlu);
    for (const SlotWork &work : op.more) {
      if (work.slot == Slot::Xu)
        longest = std::max(longest, at(Latency::Xu));
      else if (work.slot == Slot::Xu64)
        longest = std::max(longest, at(Latency::F64));
      else
        longest = std::max(longest, at(Latency::Fp32));
    }
    return longest;
  }
  case OpClass::GlobalStore:
  case OpClass::Wait:
  case OpClass::Composite:
  case OpClass::Other:
    return 0;
  }
  return 0;
}

bool Machine::price(Node &node, const OpWork &op, int agentWarps,
                    bool otherwiseIdleProducer) const {
  node.cls = op.cls;
  node.uses.clear();
  Cycles longest = 0, longestLane = 0;
  auto use = [&](Slot slot, Cycles cycles) {
    if (cycles <= 0)
      return;
    Row row = rowOf(slot);
    longest = std::max(longest, cycles);
    if (isLaneSlot(slot))
      longestLane = std::max(longestLane, cycles);
    for (SlotUse &known : node.uses)
      if (known.row == row) {
        known.duration += cycles;
        longest = std::max(longest, known.duration);
        if (isLaneSlot(slot))
          longestLane = std::max(longestLane, known.duration);
        return;
      }
    node.uses.push_back({row, 0, cycles});
  };
  if (op.macs > 0) {
    int64_t perCycle = rates.rate(op.mmaKind);
    if (perCycle)
      use(Slot::TcAndMma, std::max(leastOccupancy(rates, Slot::TcAndMma),
                                   ceilDiv(op.macs, perCycle)));
  }
  for (const SlotWork &work : workOf(op))
    use(work.slot, occupancy(work.slot, work.units, agentWarps));
  Cycles base = baseLatency(op);
  node.latency = std::min(base, heuristics::maxMemoryLatency) + longest;
  node.issueCost =
      isAsync(op.cls)
          ? (otherwiseIdleProducer ? 1 : heuristics::asyncIssueCycles)
          : std::max<Cycles>(1, longestLane);
  if (node.agent >= 0)
    node.uses.push_back({rowOfAgent(unsigned(node.agent)), 0, node.issueCost});
  return base > heuristics::maxMemoryLatency;
}

std::vector<Pool> Machine::pools() const {
  // Issue units per cycle of a functional unit; a warp instruction of 32 lanes
  // costs two.
  int64_t fp32 = rates.rate(Rates::Fp32) / 16;
  Pool issue{"issue",
             8,
             {{rowOf(Slot::AluOrFmaHeavy), fp32},
              {rowOf(Slot::Fp32x2Fp16Ultra), 8},
              {rowOf(Slot::DualAlu), 4},
              {rowOf(Slot::Xu), 1},
              {rowOf(Slot::Xu64), 1},
              {rowOf(Slot::Lsu), 1}}};
  Pool port{"smem_port",
            1,
            {{rowOf(Slot::TpSmemRd), 1},
             {rowOf(Slot::TpSmemWr), 1},
             {rowOf(Slot::TpMma), 1}}};
  return {issue, port};
}

} // namespace tileir::schedule
