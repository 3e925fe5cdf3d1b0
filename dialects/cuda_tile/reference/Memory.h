// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_CUDA_TILE_REFERENCE_MEMORY_H
#define DIALECTS_CUDA_TILE_REFERENCE_MEMORY_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace tileir::reference {

/// Vector clock of a tile block: the number of releases of each block that it
/// has seen. Everything before these releases has happened.
struct Clock {
  std::vector<uint32_t> epochs;

  uint32_t of(unsigned block) const {
    return block < epochs.size() ? epochs[block] : 0;
  }
  void advance(unsigned block) {
    if (block >= epochs.size())
      epochs.resize(block + 1);
    ++epochs[block];
  }
  void join(const Clock &other);
};

/// The earlier memory operations of a tile block in token order. A block's
/// operations form chains, each ordered by tokens; for each chain (first), the
/// first `second` operations precede. Sorted by chain.
using TokenOrder = std::vector<std::pair<uint32_t, uint32_t>>;

/// One execution of a memory operation by a tile block.
struct Event {
  mlir::Operation *op = nullptr;
  uint32_t block = 0, epoch = 0;
  /// Position in token order: the chain, and the number in it, from 1.
  uint32_t chain = 0, position = 0;
  /// Weakness towards other tile blocks, and towards its own.
  bool isWeak = false, isWeakWithin = false;
};

/// Readers of one byte since its last write, as a list: each list except the
/// empty one, number 0, adds an event to another list.
struct Readers {
  uint32_t event = 0, rest = 0, size = 0;
};

/// An array that starts as copies of one value and stores only its changed
/// pages.
template <typename T> class Pages {
public:
  void reset(uint64_t size, T fill = T()) {
    pages.clear();
    lastPage = nullptr;
    count = size;
    this->fill = fill;
  }
  bool empty() const { return count == 0; }
  uint64_t size() const { return count; }
  const T &operator[](uint64_t index) const {
    const T *page = find(index / kPage);
    return page ? page[index % kPage] : fill;
  }
  /// A mutable element.
  T &at(uint64_t index) {
    T *page = find(index / kPage);
    if (!page) {
      std::unique_ptr<T[]> made(new T[kPage]);
      page = made.get();
      std::fill(page, page + kPage, fill);
      last = index / kPage;
      lastPage = page;
      pages[last] = std::move(made);
    }
    return page[index % kPage];
  }

private:
  static constexpr uint64_t kPage = 1024;

  T *find(uint64_t page) const {
    if (lastPage && last == page)
      return lastPage;
    auto found = pages.find(page);
    if (found == pages.end())
      return nullptr;
    last = page;
    return lastPage = found->second.get();
  }

  uint64_t count = 0;
  T fill = T();
  std::unordered_map<uint64_t, std::unique_ptr<T[]>> pages;
  /// The page of the last access.
  mutable uint64_t last = 0;
  mutable T *lastPage = nullptr;
};

/// One allocation. Addresses are internal to the oracle.
struct Allocation {
  std::string name;
  uint64_t base = 0;
  Pages<uint8_t> bytes;
  /// For each byte: 0 never written, 1 written, 2 written with a marked value.
  Pages<uint8_t> state;
  /// For each byte, the number of the event of the last write (0: none) and of
  /// the list of readers since. Filled from the first access on.
  Pages<uint32_t> writer, readers;
  /// For each byte, the error of the stored element; empty when all are exact.
  Pages<double> errors;
};

/// Global memory.
class Memory {
public:
  /// Makes an allocation whose base is `offset` bytes after a multiple of
  /// `alignment`. References stay valid.
  Allocation &allocate(std::string name, uint64_t size, uint64_t alignment,
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
