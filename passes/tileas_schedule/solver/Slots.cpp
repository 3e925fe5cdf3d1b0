// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/Slots.h"

namespace tileir::schedule {

static constexpr const char *kSlotNames[kNumSlots] = {
    "issue",        "xu",
    "xu64",         "fp32x2_fp16ultra",
    "alu",          "alu_or_fmaheavy",
    "dual_alu",     "lsu",
    "tmem",         "mma",
    "tc_and_mma",   "tma",
    "tp_gnic_rd",   "tp_gnic_wr",
    "tp_smem_rd",   "tp_smem_wr",
    "tp_tmem_rd",   "tp_tmem_wr",
    "tp_mma",       "unknown",
    "omitted_simt", "test_simt",
    "test_mma",     "test_dma"};

bool isReservable(Row row) {
  if (row >= kNumRows)
    return false;
  if (isAgentRow(row))
    return true;
  switch (Slot(row + 1)) {
  case Slot::Issue:
  case Slot::Alu:
  case Slot::Tmem:
  case Slot::Mma:
  case Slot::OmittedSimt:
    return false;
  default:
    return true;
  }
}

std::string nameOfRow(Row row) {
  if (isAgentRow(row))
    return "agent " + std::to_string(row - kNumSlots);
  return kSlotNames[row];
}

std::optional<Row> rowOfName(std::string_view name) {
  for (unsigned i = 0; i < kNumSlots; ++i)
    if (name == kSlotNames[i])
      return Row(i);
  constexpr std::string_view kAgent = "agent";
  if (name.substr(0, kAgent.size()) != kAgent)
    return std::nullopt;
  std::string_view digits = name.substr(kAgent.size());
  if (digits.empty() || digits.size() > 2)
    return std::nullopt;
  unsigned agent = 0;
  for (char c : digits) {
    if (c < '0' || c > '9')
      return std::nullopt;
    agent = agent * 10 + unsigned(c - '0');
  }
  if (agent >= kMaxAgents)
    return std::nullopt;
  return rowOfAgent(agent);
}

} // namespace tileir::schedule
