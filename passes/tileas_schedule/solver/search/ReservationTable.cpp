// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/search/ReservationTable.h"

#include <algorithm>
#include <cassert>

namespace tileir::schedule {

/// Returns a mask of the bits `from` to `to` - 1 of a word.
static uint64_t maskOfBits(unsigned from, unsigned to) {
  uint64_t low = from ? ~0ull << from : ~0ull;
  uint64_t high = to >= 64 ? ~0ull : (1ull << to) - 1;
  return low & high;
}

static unsigned lowestBit(uint64_t word) { return __builtin_ctzll(word); }
static unsigned highestBit(uint64_t word) {
  return 63u - unsigned(__builtin_clzll(word));
}

ReservationTable::ReservationTable(const Problem &problem) : problem(problem) {
  std::fill(std::begin(place), std::end(place), -1);
  repeats.assign(problem.nodes.size(), 0);
  for (size_t v = 0; v < problem.nodes.size(); ++v) {
    uint64_t seen = 0;
    for (const SlotUse &use : problem.nodes[v].uses) {
      if (place[use.row] < 0) {
        place[use.row] = int(rows.size());
        rows.emplace_back();
      }
      rows[place[use.row]].total += use.duration;
      if (seen >> use.row & 1)
        repeats[v] = 1;
      seen |= 1ull << use.row;
    }
  }
}

void ReservationTable::reset(Cycles length) {
  ii = length;
  size_t words = size_t(ii + 63) / 64;
  for (RowBits &bits : rows) {
    bits.busy.reset(ii);
    bits.starts.assign(words, 0);
    bits.owner.resize(size_t(ii));
    bits.count = 0;
    bits.critical = 10 * bits.total >= 9 * ii;
    work += words / 8 + 1;
  }
}

Cycles ReservationTable::lastBusy(const RowBits &bits, Cycles from,
                                  Cycles length) const {
  if (length <= 0)
    return -1;
  Cycles last = from + length - 1;
  for (size_t w = size_t(last) / 64, first = size_t(from) / 64;; --w) {
    ++work;
    unsigned low = w == first ? unsigned(from % 64) : 0;
    unsigned high = w == size_t(last) / 64 ? unsigned(last % 64) + 1 : 64;
    if (uint64_t found = bits.busy.word(w) & maskOfBits(low, high))
      return Cycles(w * 64 + highestBit(found));
    if (w == first)
      return -1;
  }
}

Cycles ReservationTable::lastBusyCyclic(const RowBits &bits, Cycles from,
                                        Cycles length) const {
  if (from + length <= ii)
    return lastBusy(bits, from, length);
  Cycles wrapped = lastBusy(bits, 0, from + length - ii);
  return wrapped >= 0 ? wrapped + ii : lastBusy(bits, from, ii - from);
}

Cycles ReservationTable::blockedFor(const RowBits &bits, Cycles from,
                                    Cycles length) const {
  if (bits.count == 0)
    return 0;
  Cycles found = bits.busy.findRun(from, length);
  if (found >= 0)
    return found - from;
  // The run across the end of the interval, if it is long enough.
  Cycles atEnd = ii - bits.busy.clearEnd(), atBegin = bits.busy.clearBegin();
  Cycles crossing = std::max(from, atEnd);
  if (crossing < ii && ii - crossing + atBegin >= length)
    return crossing - from;
  found = bits.busy.findRun(0, length);
  if (found >= 0)
    return ii - from + found;
  if (atEnd < ii && ii - atEnd + atBegin >= length)
    return ii - from + atEnd;
  return 2 * ii;
}

Cycles ReservationTable::distanceTo(const RowBits &bits, Cycles from,
                                    bool busy) const {
  Cycles passed = 0;
  Cycles at = from;
  while (passed < ii) {
    ++work;
    size_t w = size_t(at) / 64;
    Cycles end = std::min<Cycles>(ii, Cycles(w + 1) * 64);
    uint64_t word = busy ? bits.busy.word(w) : ~bits.busy.word(w);
    word &= maskOfBits(unsigned(at % 64), unsigned(end - Cycles(w) * 64));
    if (word)
      return std::min(ii, passed + Cycles(w * 64 + lowestBit(word)) - at);
    passed += end - at;
    at = end == ii ? 0 : end;
  }
  return ii;
}

bool ReservationTable::fitsAlone(int node) const {
  const std::vector<SlotUse> &uses = problem.nodes[node].uses;
  for (const SlotUse &use : uses)
    if (use.duration > ii)
      return false;
  if (!repeats[node])
    return true;
  for (size_t i = 0; i < uses.size(); ++i)
    for (size_t j = i + 1; j < uses.size(); ++j) {
      if (uses[i].row != uses[j].row)
        continue;
      Cycles gap = wrap(uses[j].offset - uses[i].offset);
      if (gap < uses[i].duration || ii - gap < uses[j].duration)
        return false;
    }
  return true;
}

bool ReservationTable::isFree(int node, Cycles start) const {
  for (const SlotUse &use : problem.nodes[node].uses)
    if (bitsOf(use).count != 0 &&
        lastBusyCyclic(bitsOf(use), wrap(start + use.offset), use.duration) >=
            0)
      return false;
  return true;
}

Cycles ReservationTable::findFree(int node, Cycles from, Cycles to) const {
  const std::vector<SlotUse> &uses = problem.nodes[node].uses;
  Cycles start = from;
  // Number of rows that agree on one start.
  size_t agreed = 0;
  for (size_t i = 0; agreed < uses.size() && start <= to;
       i = (i + 1) % uses.size()) {
    const SlotUse &use = uses[i];
    Cycles blocked =
        blockedFor(bitsOf(use), wrap(start + use.offset), use.duration);
    start += blocked;
    agreed = blocked ? 0 : agreed + 1;
  }
  return start <= to ? start : -1;
}

bool ReservationTable::usesCritical(int node) const {
  for (const SlotUse &use : problem.nodes[node].uses)
    if (bitsOf(use).critical)
      return true;
  return false;
}

bool ReservationTable::isTight(int node, Cycles start) const {
  for (const SlotUse &use : problem.nodes[node].uses) {
    const RowBits &bits = bitsOf(use);
    if (!bits.critical || bits.count == 0)
      continue;
    Cycles first = wrap(start + use.offset);
    if (!isBusy(bits, wrap(first - 1)) &&
        !isBusy(bits, wrap(first + use.duration)))
      return false;
  }
  return true;
}

Cycles ReservationTable::findTight(int node, Cycles from, Cycles to) const {
  const SlotUse *lead = nullptr;
  for (const SlotUse &use : problem.nodes[node].uses)
    if (bitsOf(use).critical && bitsOf(use).count > 0 && !lead)
      lead = &use;
  if (!lead)
    return findFree(node, from, to);
  // Only the ends of the free runs of one such row are candidates.
  const RowBits &bits = bitsOf(*lead);
  Cycles start = from;
  while (start <= to) {
    Cycles row = wrap(start + lead->offset);
    if (isBusy(bits, row)) {
      start += distanceTo(bits, row, /*busy=*/false);
      continue;
    }
    Cycles run = distanceTo(bits, row, /*busy=*/true);
    Cycles last = start + run - lead->duration;
    for (Cycles candidate : {start, last})
      if (candidate >= start && candidate <= last && candidate <= to &&
          isTight(node, candidate) && isFree(node, candidate))
        return candidate;
    start += run;
  }
  return -1;
}

void ReservationTable::edgesOfRuns(int node, Cycles from, Cycles to,
                                   size_t limit,
                                   std::vector<Cycles> &starts) const {
  for (const SlotUse &use : problem.nodes[node].uses) {
    const RowBits &bits = bitsOf(use);
    if (bits.count == 0)
      continue;
    Cycles start = from;
    while (start <= to && starts.size() < limit) {
      Cycles row = wrap(start + use.offset);
      if (isBusy(bits, row)) {
        start += distanceTo(bits, row, /*busy=*/false);
        continue;
      }
      Cycles run = distanceTo(bits, row, /*busy=*/true);
      for (Cycles candidate : {start, start + run - use.duration})
        if (candidate >= start && candidate <= to && run >= use.duration &&
            isFree(node, candidate))
          starts.push_back(candidate);
      start += run;
    }
  }
}

int ReservationTable::numFilledWindows(int node, Cycles start) const {
  int filled = 0;
  for (const SlotUse &use : problem.nodes[node].uses) {
    const RowBits &bits = bitsOf(use);
    if (!bits.critical)
      continue;
    Cycles at = wrap(start + use.offset), left = use.duration;
    while (left > 0) {
      size_t w = size_t(at) / 64;
      Cycles windowEnd = std::min<Cycles>(ii, Cycles(w + 1) * 64);
      Cycles end = std::min(windowEnd, at + left);
      unsigned base = unsigned(w * 64);
      uint64_t all = maskOfBits(0, unsigned(windowEnd) - base);
      uint64_t with = bits.busy.word(w) |
                      maskOfBits(unsigned(at) - base, unsigned(end) - base);
      filled += with == all;
      left -= end - at;
      at = end == ii ? 0 : end;
      ++work;
    }
  }
  return filled;
}

void ReservationTable::assign(RowBits &bits, Cycles from, Cycles length,
                              bool value) {
  Cycles before = std::min(length, ii - from);
  bits.busy.assign(from, before, value);
  if (length > before)
    bits.busy.assign(0, length - before, value);
}

uint64_t ReservationTable::steps() const {
  uint64_t sum = work;
  for (const RowBits &bits : rows)
    sum += bits.busy.work;
  return sum;
}

void ReservationTable::commit(int node, Cycles start) {
  assert(isFree(node, start) && "commit of a footprint that was not probed");
  for (const SlotUse &use : problem.nodes[node].uses) {
    RowBits &bits = bitsOf(use);
    Cycles first = wrap(start + use.offset);
    assign(bits, first, use.duration, true);
    bits.starts[size_t(first) / 64] |= 1ull << (first % 64);
    bits.owner[size_t(first)] = node;
    ++bits.count;
  }
}

void ReservationTable::release(int node, Cycles start) {
  for (const SlotUse &use : problem.nodes[node].uses) {
    RowBits &bits = bitsOf(use);
    Cycles first = wrap(start + use.offset);
    assign(bits, first, use.duration, false);
    bits.starts[size_t(first) / 64] &= ~(1ull << (first % 64));
    --bits.count;
  }
}

void ReservationTable::findColliding(int node, Cycles start,
                                     std::vector<int> &colliding) const {
  for (const SlotUse &use : problem.nodes[node].uses) {
    const RowBits &bits = bitsOf(use);
    if (bits.count == 0)
      continue;
    Cycles first = wrap(start + use.offset);
    for (Cycles passed = 0; passed < use.duration;) {
      Cycles at = wrap(first + passed);
      if (!isBusy(bits, at)) {
        passed += distanceTo(bits, at, /*busy=*/true);
        continue;
      }
      // The reservation that covers a cycle is the last one that begins before
      // it.
      Cycles begin = at;
      while (!(bits.starts[size_t(begin) / 64] >> (begin % 64) & 1)) {
        uint64_t before = bits.starts[size_t(begin) / 64] &
                          maskOfBits(0, unsigned(begin % 64));
        ++work;
        if (before)
          begin = begin / 64 * 64 + highestBit(before);
        else
          begin = begin / 64 * 64 == 0 ? ii - 1 : begin / 64 * 64 - 1;
      }
      int other = bits.owner[size_t(begin)];
      colliding.push_back(other);
      // Continues after the reservation; its owner knows the length.
      Cycles length = 1;
      for (const SlotUse &its : problem.nodes[other].uses)
        if (its.row == use.row)
          length = std::max(length, its.duration);
      passed += repeats[other]
                    ? 1
                    : std::max<Cycles>(1, wrap(begin - at) == 0
                                              ? length
                                              : length - wrap(at - begin));
    }
  }
}

} // namespace tileir::schedule
