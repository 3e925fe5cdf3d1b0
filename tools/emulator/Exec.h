// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State that a handler of an instruction sees.
#ifndef TOOLS_EMULATOR_EXEC_H
#define TOOLS_EMULATOR_EXEC_H

#include "tools/emulator/Operands.h"
#include "tools/emulator/State.h"

namespace tileir::emu {

class Machine;

/// State that a handler sees: the lanes' registers and the machine around them.
struct Exec {
  Machine &m;
  Block *block = nullptr;
  Warp *warp = nullptr;
  Group *group = nullptr;
  Frame *frame = nullptr;
  uint8_t *rows = nullptr;
  uint32_t *predicates = nullptr;
  int next = 0;
  bool regroup = false; ///< The groups of the warp changed.
  bool wait = false;    ///< The group waits; its pc does not advance.
  bool yield = false;   ///< Let others run.

  explicit Exec(Machine &m) : m(m) {}

  template <typename T> T *row(int32_t at) {
    return reinterpret_cast<T *>(rows + size_t(at) * 128);
  }
  Mask predicate(uint32_t code) const {
    return predicates[code >> 1] ^ (0u - (code & 1));
  }
  void setPredicate(uint32_t code, Mask value, Mask lanes) {
    uint32_t &p = predicates[code >> 1];
    p = (p & ~lanes) | (value & lanes);
  }
  ThreadClock &clock(int lane) { return warp->clocks[lane]; }
};

/// While it lives, `Exec` stands for the warp that issued a piece of
/// asynchronous work: findings name the issuing thread, for every performing
/// unit.
class AsIssuingWarp {
public:
  AsIssuingWarp(Exec &x, Warp &issuingThread)
      : x(x), warp(x.warp), block(x.block) {
    x.warp = &issuingThread;
    x.block = issuingThread.block;
  }
  AsIssuingWarp(const AsIssuingWarp &) = delete;
  AsIssuingWarp &operator=(const AsIssuingWarp &) = delete;
  ~AsIssuingWarp() {
    x.warp = warp;
    x.block = block;
  }

private:
  Exec &x;
  Warp *warp;
  Block *block;
};

/// Calls `body(lane)` for each lane of `mask`.
template <typename F> inline void forLanes(Mask mask, F body) {
  while (mask) {
    int lane = __builtin_ctz(mask);
    mask &= mask - 1;
    body(lane);
  }
}

/// Calls `body(offset, length)` for the memory that lanes access, `bytes` each;
/// consecutive lanes are one call.
template <typename F>
inline void forRuns(Mask lanes, const uint64_t *offsets, uint32_t bytes,
                    F body) {
  while (lanes) {
    uint64_t from = offsets[__builtin_ctz(lanes)], end = from + bytes;
    lanes &= lanes - 1;
    while (lanes && offsets[__builtin_ctz(lanes)] == end) {
      end += bytes;
      lanes &= lanes - 1;
    }
    body(from, end - from);
  }
}

enum class AccessKind : uint8_t { Read, Write, Atomic };

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_EXEC_H
