// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/LinearMap.h"

namespace tileir {

LinearMap LinearMap::identity(unsigned bits) {
  std::vector<uint64_t> columns;
  for (unsigned i = 0; i < bits; ++i)
    columns.push_back(uint64_t(1) << i);
  return LinearMap(std::move(columns));
}

uint64_t LinearMap::operator()(uint64_t input) const {
  uint64_t result = 0;
  for (uint64_t column : columns) {
    if (input & 1)
      result ^= column;
    input >>= 1;
  }
  return result;
}

LinearMap LinearMap::compose(const LinearMap &inner) const {
  LinearMap result;
  for (uint64_t column : inner.columns)
    result.append((*this)(column));
  return result;
}

unsigned LinearMap::rank() const {
  Span span;
  for (uint64_t column : columns)
    span.insert(column);
  return span.dimension();
}

LinearMap LinearMap::rows(unsigned begin, unsigned count) const {
  uint64_t mask = count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
  LinearMap result;
  for (uint64_t column : columns)
    result.append((column >> begin) & mask);
  return result;
}

LinearMap LinearMap::inputs(unsigned begin, unsigned count) const {
  return LinearMap(std::vector<uint64_t>(columns.begin() + begin,
                                         columns.begin() + begin + count));
}

LinearMap LinearMap::rightInverse(unsigned outputBits) const {
  // Gauss-Jordan elimination over the independent columns; `source` records the
  // inputs of each reduced vector.
  struct Row {
    uint64_t image, source, pivot;
  };
  std::vector<Row> rows;
  for (unsigned i = 0; i < columns.size(); ++i) {
    uint64_t image = columns[i], source = uint64_t(1) << i;
    for (const Row &row : rows)
      if (image & row.pivot) {
        image ^= row.image;
        source ^= row.source;
      }
    if (!image)
      continue;
    uint64_t pivot = image & -image;
    for (Row &row : rows)
      if (row.image & pivot) {
        row.image ^= image;
        row.source ^= source;
      }
    rows.push_back({image, source, pivot});
  }
  LinearMap inverse;
  for (unsigned i = 0; i < outputBits; ++i) {
    uint64_t source = 0;
    for (const Row &row : rows)
      if (row.pivot == uint64_t(1) << i)
        source = row.source;
    inverse.append(source);
  }
  return inverse;
}

uint64_t Span::reduce(uint64_t vector) const {
  for (uint64_t row : rows)
    if (vector & (row & -row))
      vector ^= row;
  return vector;
}

bool Span::insert(uint64_t vector) {
  vector = reduce(vector);
  if (!vector)
    return false;
  for (uint64_t &row : rows)
    if (row & (vector & -vector))
      row ^= vector;
  rows.push_back(vector);
  return true;
}

std::vector<uint64_t> intersectSpans(const std::vector<uint64_t> &left,
                                     const std::vector<uint64_t> &right) {
  // Zassenhaus algorithm: reduce (l, l) and (r, 0); remaining vectors with a
  // zero first half have the intersection in their second half.
  struct Pair {
    uint64_t first, second;
  };
  std::vector<Pair> rows;
  std::vector<uint64_t> result;
  Span seen;
  auto add = [&](Pair pair) {
    for (const Pair &row : rows)
      if (pair.first & (row.first & -row.first)) {
        pair.first ^= row.first;
        pair.second ^= row.second;
      }
    if (!pair.first) {
      if (seen.insert(pair.second))
        result.push_back(pair.second);
      return;
    }
    for (Pair &row : rows)
      if (row.first & (pair.first & -pair.first)) {
        row.first ^= pair.first;
        row.second ^= pair.second;
      }
    rows.push_back(pair);
  };
  Span leftSpan, rightSpan;
  for (uint64_t vector : left)
    if (leftSpan.insert(vector))
      add({vector, vector});
  for (uint64_t vector : right)
    if (rightSpan.insert(vector))
      add({vector, 0});
  return result;
}

} // namespace tileir
