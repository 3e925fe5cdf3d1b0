// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bit vector whose first run of clear bits of some length is found at once.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_RUNTREE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_RUNTREE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tileir::schedule {

/// Words of bits, and over them a binary tree of the clear runs: at the begin,
/// at the end, the longest.
class RunTree {
public:
  /// Clears `count` bits.
  void reset(int64_t count);
  int64_t size() const { return count; }
  bool test(int64_t bit) const {
    return words[size_t(bit) / 64] >> (size_t(bit) % 64) & 1;
  }
  uint64_t word(size_t index) const { return words[index]; }
  /// Sets or clears the bits from `from` on, which do not wrap.
  void assign(int64_t from, int64_t length, bool value);
  /// The first bit of at least `from` from which `length` bits are clear, or
  /// -1.
  int64_t findRun(int64_t from, int64_t length) const;
  /// Clear bits at the begin and at the end.
  int64_t clearBegin() const { return nodes[1].prefix; }
  int64_t clearEnd() const { return nodes[1].suffix; }

  /// Steps that were taken.
  mutable uint64_t work = 0;

private:
  struct Node {
    int32_t prefix = 0, suffix = 0, best = 0, length = 0;
  };

  static Node join(const Node &left, const Node &right);
  /// The runs of a word of `length` bits.
  static Node runsOf(uint64_t busy, int length);
  int lengthOf(size_t word) const {
    int64_t left = count - int64_t(word) * 64;
    return left >= 64 ? 64 : int(left > 0 ? left : 0);
  }
  /// The first run of `length` below `node`, given the clear bits before it.
  int64_t findBelow(size_t node, int64_t first, int64_t carried,
                    int64_t length) const;

  int64_t count = 0;
  size_t numLeaves = 1;
  std::vector<uint64_t> words;
  /// The root is 1, the leaves begin at `numLeaves`.
  std::vector<Node> nodes;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_RUNTREE_H
