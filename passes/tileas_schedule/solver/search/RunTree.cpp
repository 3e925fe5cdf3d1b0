// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/RunTree.h"

#include <algorithm>

namespace tileir::schedule {

RunTree::Node RunTree::join(const Node &left, const Node &right) {
  Node node;
  node.length = left.length + right.length;
  node.prefix =
      left.prefix == left.length ? left.length + right.prefix : left.prefix;
  node.suffix =
      right.suffix == right.length ? right.length + left.suffix : right.suffix;
  node.best = std::max({left.best, right.best, left.suffix + right.prefix});
  return node;
}

RunTree::Node RunTree::runsOf(uint64_t busy, int length) {
  Node node;
  node.length = length;
  if (busy == 0 || length == 0) {
    node.prefix = node.suffix = node.best = length;
    return node;
  }
  node.prefix = __builtin_ctzll(busy);
  node.suffix = length - 64 + __builtin_clzll(busy);
  uint64_t clear = ~busy;
  if (length < 64)
    clear &= (1ull << length) - 1;
  // Each step shortens every run by one bit.
  for (; clear; clear &= clear << 1)
    ++node.best;
  return node;
}

void RunTree::reset(int64_t newCount) {
  size_t numWords = size_t(newCount + 63) / 64;
  if (newCount != count || words.empty()) {
    count = newCount;
    words.resize(numWords);
    for (numLeaves = 1; numLeaves < numWords;)
      numLeaves *= 2;
    nodes.assign(2 * numLeaves, {});
  }
  std::fill(words.begin(), words.end(), 0);
  for (size_t leaf = 0; leaf < numLeaves; ++leaf)
    nodes[numLeaves + leaf] = runsOf(0, lengthOf(leaf));
  for (size_t i = numLeaves; --i > 0;)
    nodes[i] = join(nodes[2 * i], nodes[2 * i + 1]);
  work += numLeaves / 8 + 1;
}

void RunTree::assign(int64_t from, int64_t length, bool value) {
  size_t first = size_t(from) / 64, last = size_t(from + length - 1) / 64;
  for (size_t w = first; w <= last; ++w) {
    int64_t low = std::max<int64_t>(from - int64_t(w) * 64, 0);
    int64_t high = std::min<int64_t>(from + length - int64_t(w) * 64, 64);
    uint64_t mask = ~0ull << low;
    if (high < 64)
      mask &= (1ull << high) - 1;
    words[w] = value ? words[w] | mask : words[w] & ~mask;
    nodes[numLeaves + w] = runsOf(words[w], lengthOf(w));
    ++work;
  }
  size_t low = (numLeaves + first) / 2, high = (numLeaves + last) / 2;
  for (; low > 0; low /= 2, high /= 2)
    for (size_t i = low; i <= high; ++i) {
      nodes[i] = join(nodes[2 * i], nodes[2 * i + 1]);
      ++work;
    }
}

int64_t RunTree::findBelow(size_t node, int64_t first, int64_t carried,
                           int64_t length) const {
  // `first` is the first bit of `node`.
  while (node < numLeaves) {
    ++work;
    if (carried + nodes[node].prefix >= length)
      return first - carried;
    const Node &left = nodes[2 * node];
    bool inLeft = carried + left.prefix >= length || left.best >= length;
    if (!inLeft) {
      carried =
          left.suffix == left.length ? carried + left.length : left.suffix;
      first += left.length;
    }
    node = 2 * node + (inLeft ? 0 : 1);
  }
  const Node &leaf = nodes[node];
  if (carried + leaf.prefix >= length)
    return first - carried;
  // The run is inside one word: keep only the starts of runs of this length.
  uint64_t clear = ~words[node - numLeaves];
  if (leaf.length < 64)
    clear &= (1ull << leaf.length) - 1;
  for (int64_t i = 1; i < length; ++i)
    clear &= clear >> 1;
  return first + __builtin_ctzll(clear);
}

int64_t RunTree::findRun(int64_t from, int64_t length) const {
  if (from + length > count)
    return -1;
  // The word of `from`, without the bits before it.
  size_t w = size_t(from) / 64;
  uint64_t before = from % 64 ? (1ull << (from % 64)) - 1 : 0;
  Node leaf = runsOf(words[w] | before, lengthOf(w));
  int64_t first = int64_t(w) * 64;
  ++work;
  if (leaf.best >= length) {
    uint64_t clear = ~(words[w] | before);
    if (leaf.length < 64)
      clear &= (1ull << leaf.length) - 1;
    for (int64_t i = 1; i < length; ++i)
      clear &= clear >> 1;
    return first + __builtin_ctzll(clear);
  }
  int64_t carried = leaf.suffix;
  first += leaf.length;
  // Climbs until a right neighbour completes or contains a run, then descends.
  for (size_t node = numLeaves + w; node > 1; node /= 2) {
    ++work;
    if (node & 1)
      continue;
    const Node &right = nodes[node + 1];
    if (carried + right.prefix >= length || right.best >= length)
      return findBelow(node + 1, first, carried, length);
    carried =
        right.suffix == right.length ? carried + right.length : right.suffix;
    first += right.length;
  }
  return -1;
}

} // namespace tileir::schedule
