// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bit vector that finds the first run of clear bits of a length in
// logarithmic time.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RUNTREE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RUNTREE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tileir::schedule {

/// Words of bits, and a binary tree over their clear runs: prefix, suffix,
/// longest.
class RunTree {
public:
  /// Clears `count` bits.
  void reset(int64_t count);
  int64_t size() const { return count; }
  bool test(int64_t bit) const {
    return words[size_t(bit) / 64] >> (size_t(bit) % 64) & 1;
  }
  uint64_t word(size_t index) const { return words[index]; }
  /// Sets or clears `length` bits from `from` on; the range does not wrap.
  void assign(int64_t from, int64_t length, bool value);
  /// Returns the first bit of at least `from` at which `length` clear bits
  /// begin, or -1.
  int64_t findRun(int64_t from, int64_t length) const;
  /// Return the number of clear bits at the start and at the end.
  int64_t clearBegin() const { return nodes[1].prefix; }
  int64_t clearEnd() const { return nodes[1].suffix; }

  /// Steps taken.
  mutable uint64_t work = 0;

private:
  struct Node {
    int32_t prefix = 0, suffix = 0, best = 0, length = 0;
  };

  static Node join(const Node &left, const Node &right);
  /// Returns the runs of a word of `length` bits.
  static Node runsOf(uint64_t busy, int length);
  int lengthOf(size_t word) const {
    int64_t left = count - int64_t(word) * 64;
    return left >= 64 ? 64 : int(left > 0 ? left : 0);
  }
  /// Returns the first run of `length` below `node`, given the clear bits
  /// before it.
  int64_t findBelow(size_t node, int64_t first, int64_t carried,
                    int64_t length) const;

  int64_t count = 0;
  size_t numLeaves = 1;
  std::vector<uint64_t> words;
  /// The root is 1; the leaves begin at `numLeaves`.
  std::vector<Node> nodes;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_RUNTREE_H
