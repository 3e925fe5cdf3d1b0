// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of memory, and what the race check remembers of their words.
#ifndef TOOLS_EMULATOR_REGION_H
#define TOOLS_EMULATOR_REGION_H

#include "tools/cases/SparseArray.h"
#include "tools/emulator/Clocks.h"
#include "tools/emulator/Program.h"

#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tileir::emu {

/// Last accesses of a piece of memory, for the race check. `inst` has the
/// instruction in its low 27 bits; above, flags of `Cell`.
struct Cell {
  enum : uint32_t {
    Strong = 1u << 31,
    ScopeShift = 29, ///< Two bits: `Scope` of a strong access.
    Atomic = 1u << 28,
    AsyncProxy = 1u << 27,
    InstMask = (1u << 27) - 1
  };
  Agent writer = kNoAgent;
  uint32_t writeClock = 0, writeInst = 0;
  Agent reader = kNoAgent;
  uint32_t readClock = 0, readInst = 0;

  bool operator==(const Cell &other) const {
    return std::memcmp(this, &other, sizeof *this) == 0;
  }
  bool operator!=(const Cell &other) const { return !(*this == other); }
};
static_assert(std::has_unique_object_representations_v<Cell>);
/// `Cell::writer` of a granule whose words, or of a word whose bytes, have
/// cells of their own; `writeClock` says where.
constexpr Agent kSplit = kNoAgent - 1;
/// `Cell::reader` of what has several readers, `readClock` says where.
constexpr Agent kMany = kNoAgent - 1;

/// 16 bytes that are in one state. Lanes of a warp that lie side by side share
/// a granule: byte b is of agent `writer + (b >> writeStep)`, and so for reads.
struct Granule : Cell {
  static constexpr uint32_t kBytes = 16;
  static constexpr uint8_t kWhole = 4; ///< The step of a single agent.
  uint8_t writeStep = kWhole, readStep = kWhole;
  uint8_t byBytes = 0; ///< Words, by bit, whose bytes were accessed alone.

  Agent writerOf(uint32_t byte) const { return writer + (byte >> writeStep); }
  Agent readerOf(uint32_t byte) const { return reader + (byte >> readStep); }
};

/// Reads that had no order among them, and the atomic writes before the last
/// one that it did not follow.
struct ReaderSet {
  /// So many are kept for certain; of more, any gives way. In shared memory all
  /// warps of a block fit.
  static constexpr size_t kShared = 64, kGlobal = 16;
  /// Lanes of one warp (32 agents in a row) that did it together.
  struct Entry {
    Agent first = 0;
    Mask lanes = 0;
    uint32_t clock = 0, inst = 0;
    bool wrote = false;
  };
  std::vector<Entry> entries;
  bool wrote = false; ///< Some of them may have.
  void clear() {
    entries.clear();
    wrote = false;
  }
  void add(Agent agent, uint32_t clock, uint32_t inst, bool wrote) {
    this->wrote |= wrote;
    entries.push_back({agent & ~31u, 1u << (agent & 31), clock, inst, wrote});
  }
};

/// The last strong write of a place, and what it overwrote.
struct StrongWrite {
  uint8_t bytes = 0;
  static constexpr uint32_t kMax = 32; ///< Wider ones are not remembered.
  uint8_t old[kMax] = {}, now[kMax] = {};
  bool unwritten = false; ///< No thread had written some of `old`.
  Agent writer = kNoAgent;
  uint32_t clock = 0, inst = 0;
  Released before;                              ///< What `old` had released.
  std::vector<std::pair<Agent, uint32_t>> seen; ///< Who has read `now`.
  /// Adds to `seen`; false when that are too many to remember.
  bool witness(const Knowledge &who);
  std::unordered_map<Agent, uint32_t> served; ///< Who has read `old` since.
};

/// Bytes of a region that were touched.
struct Footprint {
  enum : uint8_t { Read = 1, Written = 2 };
  static constexpr uint64_t kPage = 4096;
  cases::SparseArray<uint8_t> marks; ///< By byte.
  cases::SparseArray<uint8_t> seen;  ///< By page: marks of any of its bytes.
  std::vector<uint64_t> pages;       ///< That have marks.

  explicit Footprint(uint64_t size) {
    marks.assign(size, 0);
    seen.assign(size / kPage + 1, 0);
  }
  void mark(uint64_t offset, uint64_t bytes, uint8_t how);
};

/// One piece of memory with its shadow.
struct Region {
  std::string name;
  Space space = Space::Global;
  uint64_t base = 0, size = 0;
  cases::SparseArray<uint8_t> data;
  cases::SparseArray<uint8_t> written; ///< One byte a byte; empty: all written.
  std::unique_ptr<Footprint> footprint; ///< While clusters run apart.
  bool readOnly = false;
  /// An array that a kernel's argument names: it begins at offset `from`.
  struct Array {
    std::string name;
    uint64_t from;
    int elementBits;
  };
  std::vector<Array> arrays;
  uint64_t low = 0;                       ///< Offsets below are reserved.
  cases::SparseArray<Granule *> granules; ///< Pages of kGranulePage.
  std::vector<std::unique_ptr<Granule[]>> granulePages; ///< Those there are.
  std::vector<Granule *> freeGranules; ///< Pages for later use.
  static constexpr uint64_t kGranulePage = 256;
  /// Offsets between which mbarrier objects live.
  uint64_t barriersFrom = ~uint64_t(0), barriersTo = 0;

  Granule &granule(uint64_t offset) {
    uint64_t at = offset / Granule::kBytes, page = at / kGranulePage;
    if (granules.empty() || !granules[page])
      makeGranules(page);
    return granules[page][at % kGranulePage];
  }
  /// Drops the granules of a page.
  void forgetGranules(uint64_t page);
  /// The byte at `offset`, for messages: of each array that it belongs to.
  std::string describe(uint64_t offset) const;

private:
  void makeGranules(uint64_t page);
};

inline uint64_t alignTo(uint64_t value, uint64_t align) {
  return align < 2 ? value : (value + align - 1) / align * align;
}

// Generic windows. Shared addresses carry the rank of their block in the
// cluster in bits 24 and up, as they do on hardware.
// The bases of .const and .param are multiples of 2^32: the lower halves of
// their addresses are addresses in these spaces, too.
constexpr uint64_t kGlobalBase = 0x0000700000000000;
constexpr uint64_t kConstBase = 0x00007a0000000000;
constexpr uint64_t kParamBase = 0x00007b0000000000;
constexpr uint64_t kCodeBase = 0x00007c0000000000;
constexpr uint64_t kLocalWindow = 0x00007d0000000000;
constexpr uint64_t kSharedWindow = 0x00007e0000000000;

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_REGION_H
