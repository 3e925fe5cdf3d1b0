// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/TensorMemory.h"

#include "dialects/support/layout/Fragments.h"

#include <algorithm>
#include <cassert>

namespace tileir {

/// Number of rows of tensor memory.
static constexpr int64_t kRows = 128;
/// Rows of a layout that leaves every other group of 16 free, and rows of such
/// a group.
static constexpr int64_t kHalfRows = 64, kMinRows = 16;
/// Columns of one 16x256b access, and its maximum repetitions.
static constexpr int64_t kAccessColumns = 8, kMaxRepeats = 32;

int64_t tensorMemoryDotRows(int64_t rows) { return std::min(rows, kRows); }

std::optional<Layout> tensorAccLayout(const Layout::Shape &shape) {
  if (shape.size() != 2 || shape[0] < kMinRows)
    return std::nullopt;
  if (shape[0] <= kRows)
    return Layout::tmemAcc(shape, std::max(shape[0], kHalfRows), /*bits=*/32,
                           /*ctaGroup=*/1);
  Layout frame = Layout::getUnchecked(LayoutSpace::Tmem, shape, {});
  Layout::FlatBases bases(4);
  for (unsigned bit = 0; bit < frame.getLog2Extent(1); ++bit)
    bases[kCol].push_back(frame.unit(1, bit));
  for (unsigned bit = 0; bit < frame.getLog2Extent(0); ++bit)
    bases[(int64_t(1) << bit) < kRows ? kRow : kCol].push_back(
        frame.unit(0, bit));
  return Layout::getUnchecked(LayoutSpace::Tmem, shape, bases);
}

int64_t tensorColumns(const Layout &layout) {
  return int64_t(1) << layout.getNumBases(kCol);
}

std::optional<Layout> tensorLoadLayout(const Layout::Shape &shape,
                                       int64_t numWarps) {
  if (numWarps % 4 || !tensorAccLayout(shape))
    return std::nullopt;
  int64_t groups = numWarps / 4, columns = shape[1] / groups;
  if (columns < kAccessColumns)
    return std::nullopt;
  Fragment fragment = shape[0] <= kHalfRows
                          ? wgmmaAccFragment(columns)
                          : tmem16x256bFragment(columns / kAccessColumns);
  // Warps beyond the last row hold the rows again.
  for (Fragment::Basis &basis : fragment.warps)
    if (basis[0] >= shape[0])
      basis = {0, 0};
  fragment.shape[0] = std::min(fragment.shape[0], shape[0]);
  return mmaLayout(shape, fragment, MmaRole::Acc, /*wm=*/1, groups);
}

namespace {

/// Row and column in tensor memory that one bit of a register layout adds.
class CellMap {
public:
  CellMap(const Layout &reg, const Layout &tmem)
      : reg(reg), tmem(tmem), cells(tmem.leftInverse()) {}

  std::array<int64_t, 2> at(unsigned input, unsigned bit) const {
    uint64_t cell = cells(reg.getFlatBasis(input, bit));
    auto part = [&](unsigned dim) {
      return int64_t(cell >> tmem.getFirstBit(dim) &
                     ((uint64_t(1) << tmem.getNumBases(dim)) - 1));
    };
    return {part(kRow), part(kCol)};
  }

private:
  const Layout &reg, &tmem;
  /// Map from elements to cells.
  LinearMap cells;
};

} // namespace

std::optional<TensorTransfer> tensorTransfer(const Layout &reg,
                                             const Layout &tmem) {
  using Cell = std::array<int64_t, 2>;
  if (reg.getShape() != tmem.getShape() || tmem.getNumBases(kSub) ||
      reg.getNumBases(kRegister) < 2 || reg.getNumBases(kWarp) < 2)
    return std::nullopt;
  CellMap cells(reg, tmem);
  static constexpr Cell kLanes[] = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  static constexpr Cell kRegisters[] = {{0, 1}, {8, 0}};
  for (unsigned bit = 0; bit < 5; ++bit)
    if (cells.at(kLane, bit) != kLanes[bit])
      return std::nullopt;
  for (unsigned bit = 0; bit < 2; ++bit)
    if (cells.at(kRegister, bit) != kRegisters[bit])
      return std::nullopt;
  TensorTransfer result;
  for (unsigned bit = 0; bit < reg.getNumBases(kWarp); ++bit) {
    Cell cell = cells.at(kWarp, bit);
    // The two low bits select the quarter of the rows that the warp may access;
    // a quarter may be a copy of another one.
    constexpr unsigned kQuarterBit = 5;
    if (bit < 2 && !reg.getFlatBasis(kWarp, bit) &&
        tmem.getNumBases(kRow) > kQuarterBit + bit &&
        !tmem.getFlatBasis(kRow, kQuarterBit + bit))
      cell = {int64_t(32) << bit, 0};
    if (bit < 2 ? cell != Cell{int64_t(32) << bit, 0} : cell[0] != 0)
      return std::nullopt;
    result.warps.push_back(cell);
  }
  // Consecutive registers share one access.
  unsigned bit = 2;
  TensorAccess access;
  while (bit < reg.getNumBases(kRegister) && access.repeats < kMaxRepeats &&
         cells.at(kRegister, bit) == Cell{0, kAccessColumns * access.repeats}) {
    access.repeats *= 2;
    ++bit;
  }
  result.accesses = {access};
  for (; bit < reg.getNumBases(kRegister); ++bit) {
    Cell cell = cells.at(kRegister, bit);
    if (cell[0] & ~16)
      return std::nullopt;
    for (size_t i = 0, count = result.accesses.size(); i < count; ++i) {
      TensorAccess next = result.accesses[i];
      next.row += cell[0];
      next.column += cell[1];
      next.first += int64_t(1) << bit;
      result.accesses.push_back(next);
    }
  }
  return result;
}

} // namespace tileir
