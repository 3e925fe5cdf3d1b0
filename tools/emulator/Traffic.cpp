// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests of warps to memory: what they cost, for the statistics, and whether
// lanes meet.
#include "tools/emulator/MemoryOps.h"

#include <algorithm>
#include <set>

namespace tileir::emu {

bool lieApart(Mask lanes, const uint64_t *offsets, uint32_t bytes) {
  uint64_t low = ~uint64_t(0), high = 0, before = 0;
  bool ascends = true;
  forLanes(lanes, [&](int l) {
    ascends &= high == 0 || offsets[l] > before;
    before = offsets[l];
    low = std::min(low, before);
    high = std::max(high, before + 1);
  });
  if (ascends)
    return true;
  constexpr uint64_t kWords = 64;
  if ((high - low) / bytes >= kWords * 64)
    return false;
  uint64_t seen[kWords] = {};
  bool apart = true;
  forLanes(lanes, [&](int l) {
    uint64_t at = (offsets[l] - low) / bytes;
    apart &= !(seen[at / 64] >> (at % 64) & 1);
    seen[at / 64] |= uint64_t(1) << (at % 64);
  });
  return apart;
}

void countSectors(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes) {
  if (!region || !lanes || region->space != Space::Global)
    return;
  std::set<uint64_t> sectors, words;
  forLanes(lanes, [&](int l) {
    uint64_t address = region->base + offsets[l];
    for (uint64_t a = address / 32; a <= (address + bytes - 1) / 32; ++a)
      sectors.insert(a);
    for (uint64_t a = address; a < address + bytes; ++a)
      words.insert(a);
  });
  ++m.stats.globalRequests;
  m.stats.globalSectors += sectors.size();
  m.stats.globalIdealSectors += (words.size() + 31) / 32;
}

void countRequest(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes, bool isWrite) {
  if (!region || !lanes)
    return;
  Stats &s = m.stats;
  uint64_t total = uint64_t(__builtin_popcount(lanes)) * bytes;
  if (region->space == Space::Global) {
    countSectors(m, region, offsets, lanes, bytes);
    (isWrite ? s.globalBytesWritten : s.globalBytesRead) += total;
    return;
  }
  if (region->space != Space::Shared)
    return;
  ++s.sharedRequests;
  (isWrite ? s.sharedBytesWritten : s.sharedBytesRead) += total;
  // Wide accesses go in phases of 128 bytes. In a phase every bank gives one
  // word a pass.
  int perPhase = bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
  for (int first = 0; first < 32; first += perPhase) {
    std::set<uint64_t> words[32];
    bool any = false;
    for (int l = first; l < first + perPhase; ++l) {
      if (!(lanes >> l & 1))
        continue;
      any = true;
      for (uint64_t w = offsets[l] / 4; w <= (offsets[l] + bytes - 1) / 4; ++w)
        words[w % 32].insert(w);
    }
    if (!any)
      continue;
    size_t most = 1;
    for (auto &bank : words)
      most = std::max(most, bank.size());
    s.sharedPasses += most;
    ++s.sharedIdeal;
  }
}

} // namespace tileir::emu
