// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources of one SM that a schedule reserves cycle by cycle.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SLOTS_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SLOTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tileir::schedule {

/// Bit of a reservation row: functional units 0 to 23 (their id less one), then
/// the issue ports of the agents.
using Row = uint8_t;

enum class Slot : uint8_t {
  Issue = 1,
  Xu,
  Xu64,
  Fp32x2Fp16Ultra,
  Alu,
  AluOrFmaHeavy,
  DualAlu,
  Lsu,
  Tmem,
  Mma,
  TcAndMma,
  Tma,
  TpGnicRd,
  TpGnicWr,
  TpSmemRd,
  TpSmemWr,
  TpTmemRd,
  TpTmemWr,
  TpMma,
  Unknown,
  OmittedSimt,
  TestSimt,
  TestMma,
  TestDma
};

constexpr unsigned kNumSlots = 24;
constexpr unsigned kMaxAgents = 16;
constexpr unsigned kNumRows = kNumSlots + kMaxAgents;

constexpr Row rowOf(Slot slot) { return Row(unsigned(slot) - 1); }
constexpr Row rowOfAgent(unsigned agent) { return Row(kNumSlots + agent); }
constexpr bool isAgentRow(Row row) { return row >= kNumSlots; }

/// Returns whether a node can reserve `row`. The families (`alu`, `mma`,
/// `tmem`), `issue` and `omitted_simt` only name sums.
bool isReservable(Row row);
/// Returns the name: `tc_and_mma`, `agent 3`.
std::string nameOfRow(Row row);
/// Parses the name of problem texts and of the occupancy attribute: as above,
/// but `agent3` for an agent.
std::optional<Row> rowOfName(std::string_view name);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SLOTS_H
