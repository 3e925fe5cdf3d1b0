// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_LINEARMAP_H
#define DIALECTS_SUPPORT_LAYOUT_LINEARMAP_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tileir {

/// A linear map over the field of two elements, from bit vectors of at most 64
/// bits to bit vectors of at most 64 bits. Column i is the image of bit i.
class LinearMap {
public:
  LinearMap() = default;
  explicit LinearMap(std::vector<uint64_t> columns)
      : columns(std::move(columns)) {}

  static LinearMap identity(unsigned bits);

  unsigned numInputs() const { return columns.size(); }
  uint64_t column(unsigned bit) const { return columns[bit]; }
  uint64_t &column(unsigned bit) { return columns[bit]; }
  void append(uint64_t image) { columns.push_back(image); }

  uint64_t operator()(uint64_t input) const;

  /// The map that applies `inner` first and this map second.
  LinearMap compose(const LinearMap &inner) const;

  unsigned rank() const;

  /// Keeps the rows [begin, begin + count) of every column and shifts them to
  /// bit 0.
  LinearMap rows(unsigned begin, unsigned count) const;

  /// Keeps the columns [begin, begin + count).
  LinearMap inputs(unsigned begin, unsigned count) const;

  /// A right inverse on the image: for every y in the image, map(inverse(y)) =
  /// y. Uses only the earliest independent columns, so that later redundant
  /// inputs stay zero. Rows of `outputBits` outside of the image map to zero.
  LinearMap rightInverse(unsigned outputBits) const;

  bool operator==(const LinearMap &other) const {
    return columns == other.columns;
  }
  bool operator!=(const LinearMap &other) const { return !(*this == other); }

private:
  std::vector<uint64_t> columns;
};

/// A growing set of independent vectors, for span tests and completions.
class Span {
public:
  /// Adds `vector` if it is independent of the span; returns whether it was.
  bool insert(uint64_t vector);
  bool contains(uint64_t vector) const { return reduce(vector) == 0; }
  unsigned dimension() const { return rows.size(); }
  /// The representative of `vector` modulo the span without pivot bits.
  uint64_t reduce(uint64_t vector) const;

private:
  std::vector<uint64_t> rows; // each has a leading bit of its own
};

/// A basis of the intersection of two spans, given by generators.
std::vector<uint64_t> intersectSpans(const std::vector<uint64_t> &left,
                                     const std::vector<uint64_t> &right);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_LINEARMAP_H
