// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Fragments.h"

#include <cassert>

namespace tileir {

namespace {

/// One row for each operand width of `mma.sync`: the existing m, n and k (PTX
/// ISA, warp-level matrix instructions).
struct MmaSyncRow {
  unsigned bits;
  int64_t m, n;
  int64_t k[3];
};

} // namespace

static constexpr MmaSyncRow kMmaSyncRows[] = {
    {4, 16, 8, {32, 64, 0}}, {8, 16, 8, {16, 32, 0}}, {16, 16, 8, {8, 16, 0}},
    {32, 16, 8, {4, 8, 0}},  {64, 8, 8, {4, 0, 0}},   {64, 16, 8, {4, 8, 16}},
};

static bool hasMmaSync(int64_t m, int64_t n, int64_t k, unsigned bits) {
  for (const MmaSyncRow &row : kMmaSyncRows)
    if (row.bits == bits && row.m == m && row.n == n)
      for (int64_t rowK : row.k)
        if (rowK == k)
          return true;
  return false;
}

/// Lanes of an accumulator and of A: two bits along the second dim from
/// `step`, three along the first.
static std::vector<Fragment::Basis> rowLanes(int64_t step) {
  return {{0, step}, {0, 2 * step}, {1, 0}, {2, 0}, {4, 0}};
}

std::optional<Fragment> mmaSyncFragment(MmaRole role, int64_t m, int64_t n,
                                        int64_t k, unsigned bits) {
  Fragment fragment;
  if (role == MmaRole::Acc) {
    if (n != 8 || (m != 8 && m != 16))
      return std::nullopt;
    fragment = {{m, n}, {{0, 1}}, rowLanes(2), {}};
    if (m == 16)
      fragment.registers.push_back({8, 0});
    return fragment;
  }
  if (!hasMmaSync(m, n, k, bits))
    return std::nullopt;
  // Elements of one 32-bit register; a wider element takes one register.
  int64_t packed = bits < 32 ? 32 / bits : 1;
  if (role == MmaRole::A) {
    fragment.shape = {m, k};
    for (int64_t i = 1; i < packed; i *= 2)
      fragment.registers.push_back({0, i});
    if (m == 16)
      fragment.registers.push_back({8, 0});
    for (int64_t i = 4 * packed; i < k; i *= 2)
      fragment.registers.push_back({0, i});
    fragment.lanes = rowLanes(packed);
    return fragment;
  }
  fragment.shape = {k, n};
  for (int64_t i = 1; i < packed; i *= 2)
    fragment.registers.push_back({i, 0});
  for (int64_t i = 4 * packed; i < k; i *= 2)
    fragment.registers.push_back({i, 0});
  fragment.lanes = {{packed, 0}, {2 * packed, 0}, {0, 1}, {0, 2}, {0, 4}};
  return fragment;
}

Fragment interleaveColumns(const Fragment &fragment) {
  Fragment both = fragment;
  both.shape[1] *= 2;
  for (std::vector<Fragment::Basis> *bases :
       {&both.registers, &both.lanes, &both.warps})
    for (Fragment::Basis &basis : *bases)
      basis[1] *= 2;
  both.registers.push_back({0, 1});
  return both;
}

Fragment wgmmaAccFragment(int64_t n) {
  Fragment fragment = {{64, n}, {{0, 1}, {8, 0}}, rowLanes(2), {}};
  for (int64_t i = 8; i < n; i *= 2)
    fragment.registers.push_back({0, i});
  fragment.warps = {{16, 0}, {32, 0}};
  return fragment;
}

Fragment wgmmaAFragment(unsigned bits) {
  int64_t k = 256 / bits;
  Fragment fragment = *mmaSyncFragment(MmaRole::A, 16, 8, k, bits);
  fragment.shape = {64, k};
  fragment.warps = {{16, 0}, {32, 0}};
  return fragment;
}

Fragment tmem32x32bFragment(int64_t columns) {
  Fragment fragment;
  fragment.shape = {128, columns};
  for (int64_t i = 1; i < columns; i *= 2)
    fragment.registers.push_back({0, i});
  fragment.lanes = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}};
  fragment.warps = {{32, 0}, {64, 0}};
  return fragment;
}

Fragment tmem16x256bFragment(int64_t repeats) {
  Fragment fragment = {
      {128, 8 * repeats}, {{0, 1}, {8, 0}}, rowLanes(2), {{32, 0}, {64, 0}}};
  for (int64_t i = 1; i < repeats; i *= 2)
    fragment.registers.push_back({0, 8 * i});
  fragment.registers.push_back({16, 0});
  return fragment;
}

std::optional<Layout> mmaLayout(const Layout::Shape &shape,
                                const Fragment &fragment, MmaRole role,
                                int64_t wm, int64_t wn) {
  if (shape.size() != 2 || shape[0] < fragment.shape[0] ||
      shape[1] < fragment.shape[1])
    return std::nullopt;
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  auto flat = [&](const Fragment::Basis &basis) {
    return frame.flatten({basis[0], basis[1]});
  };
  Layout::FlatBases bases(4);
  for (const Fragment::Basis &basis : fragment.registers)
    bases[kRegister].push_back(flat(basis));
  for (const Fragment::Basis &basis : fragment.lanes)
    bases[kLane].push_back(flat(basis));
  for (const Fragment::Basis &basis : fragment.warps)
    bases[kWarp].push_back(flat(basis));

  int64_t next[2] = {fragment.shape[0], fragment.shape[1]};
  // The dim along which the warps of M (or N) advance in this operand; none for
  // the replicated direction.
  auto addWarps = [&](int64_t count, int dim) {
    for (; count > 1; count /= 2) {
      if (dim < 0 || next[dim] >= shape[dim]) {
        bases[kWarp].push_back(0);
        continue;
      }
      Fragment::Basis basis = {0, 0};
      basis[dim] = next[dim];
      bases[kWarp].push_back(flat(basis));
      next[dim] *= 2;
    }
  };
  addWarps(wm, role == MmaRole::B ? -1 : 0);
  addWarps(wn, role == MmaRole::A ? -1 : 1);

  // K or N first, then M; for operand B that is dim 0 before dim 1.
  int order[2] = {1, 0};
  if (role == MmaRole::B)
    order[0] = 0, order[1] = 1;
  for (int dim : order)
    for (; next[dim] < shape[dim]; next[dim] *= 2) {
      Fragment::Basis basis = {0, 0};
      basis[dim] = next[dim];
      bases[kRegister].push_back(flat(basis));
    }
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

} // namespace tileir
