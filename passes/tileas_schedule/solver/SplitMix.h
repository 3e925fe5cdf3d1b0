// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers and hashes that are the same on every host.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SPLITMIX_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SPLITMIX_H

#include <cstdint>
#include <string_view>

namespace tileir::schedule {

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
class SplitMix {
public:
  explicit SplitMix(uint64_t seed) : state(seed) {}

  uint64_t next() {
    state += 0x9E3779B97F4A7C15ull;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// Returns a number below `bound`, which is positive.
  uint64_t below(uint64_t bound) { return next() % bound; }
  /// Returns a number from `low` to `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + int64_t(below(uint64_t(high - low) + 1));
  }

private:
  uint64_t state;
};

inline uint64_t fnv1a64(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (char c : text) {
    hash ^= uint8_t(c);
    hash *= 0x100000001B3ull;
  }
  return hash;
}

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SPLITMIX_H
