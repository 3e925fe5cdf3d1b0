// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of small numbers that finds its minimum in constant time.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RANKSET_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RANKSET_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tileir::schedule {

/// A tree of 64-bit words: a bit of one level says that the word below is not
/// zero.
class RankSet {
public:
  /// Inserts all numbers below `count`.
  void fill(int count) {
    levels.clear();
    size_t bits = size_t(count);
    do {
      std::vector<uint64_t> words((bits + 63) / 64, ~0ull);
      if (bits % 64)
        words.back() = (1ull << (bits % 64)) - 1;
      bits = words.size();
      levels.push_back(std::move(words));
    } while (bits > 1);
  }
  bool empty() const { return levels.back()[0] == 0; }
  int least() const {
    size_t at = 0;
    for (size_t level = levels.size(); level-- > 0;)
      at = at * 64 + size_t(__builtin_ctzll(levels[level][at]));
    return int(at);
  }
  void insert(int rank) {
    size_t at = size_t(rank);
    for (std::vector<uint64_t> &words : levels) {
      words[at / 64] |= 1ull << (at % 64);
      at /= 64;
    }
  }
  void erase(int rank) {
    size_t at = size_t(rank);
    for (std::vector<uint64_t> &words : levels) {
      words[at / 64] &= ~(1ull << (at % 64));
      if (words[at / 64])
        return;
      at /= 64;
    }
  }

private:
  std::vector<std::vector<uint64_t>> levels;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RANKSET_H
