// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_CUDA_TILE_REFERENCE_MEMORY_H
#define DIALECTS_CUDA_TILE_REFERENCE_MEMORY_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tileir::reference {

/// One allocation. Addresses are the oracle's own and mean nothing outside.
struct Allocation {
  std::string name;
  uint64_t base = 0;
  std::vector<uint8_t> bytes;
  /// Per byte: 0 never written, 1 written, 2 written with a marked value.
  std::vector<uint8_t> state;
  /// Per byte, the tile block (plus one) of the last weak access of each kind;
  /// `kMany` when several have read.
  std::vector<uint32_t> writer, reader;

  /// Per byte, the error of the element that was stored there; nothing when all
  /// are exact.
  std::vector<double> errors;

  static constexpr uint32_t kMany = ~uint32_t(0);
};

/// Global memory.
class Memory {
public:
  /// Makes an allocation whose base is `offset` bytes behind a multiple of
  /// `alignment`. References stay valid.
  Allocation &allocate(std::string name, size_t size, uint64_t alignment,
                       uint64_t offset = 0);
  void release(uint64_t base);
  /// The allocation that holds all of `[address, address + size)`, or null.
  Allocation *find(uint64_t address, uint64_t size);

private:
  std::map<uint64_t, Allocation> allocations;
  uint64_t next = 0x700000000000;
};

} // namespace tileir::reference

#endif // DIALECTS_CUDA_TILE_REFERENCE_MEMORY_H
