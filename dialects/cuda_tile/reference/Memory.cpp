// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/reference/Memory.h"

#include <algorithm>

namespace tileir::reference {

void Clock::join(const Clock &other) {
  if (other.epochs.size() > epochs.size())
    epochs.resize(other.epochs.size());
  for (size_t i = 0; i < other.epochs.size(); ++i)
    epochs[i] = std::max(epochs[i], other.epochs[i]);
}

Allocation &Memory::allocate(std::string name, uint64_t size,
                             uint64_t alignment, uint64_t offset) {
  // Gap between allocations, so that a slightly wrong index does not reach
  // another one.
  constexpr uint64_t kGap = 4096;
  alignment = alignment > 256 ? alignment : 256;
  uint64_t base = (next + alignment - 1) / alignment * alignment + offset;
  next = base + size + kGap;
  Allocation &allocation = allocations[base];
  allocation.name = std::move(name);
  allocation.base = base;
  allocation.bytes.reset(size);
  allocation.state.reset(size);
  return allocation;
}

void Memory::release(uint64_t base) { allocations.erase(base); }

Allocation *Memory::find(uint64_t address, uint64_t size) {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  Allocation &allocation = std::prev(after)->second;
  uint64_t offset = address - allocation.base;
  if (offset > allocation.bytes.size() ||
      size > allocation.bytes.size() - offset)
    return nullptr;
  return &allocation;
}

} // namespace tileir::reference
