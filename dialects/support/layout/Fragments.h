// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H
#define DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H

#include "dialects/support/layout/Layout.h"

namespace tileir {

/// A is (m, k), B is (k, n), Acc is (m, n).
enum class MmaRole : uint8_t { A, B, Acc };

/// Register fragment of one matrix instruction: bases as (dim 0, dim 1).
struct Fragment {
  using Basis = std::array<int64_t, 2>;
  std::array<int64_t, 2> shape;
  std::vector<Basis> registers;
  std::vector<Basis> lanes;
  std::vector<Basis> warps;
};

/// The fragment of `mma.sync` of shape m x n x k for elements of `bits` bits
/// (of the operand in question); none when the instruction does not exist.
std::optional<Fragment> mmaSyncFragment(MmaRole role, int64_t m, int64_t n,
                                        int64_t k, unsigned bits);
/// Accumulator of a warpgroup, 64 x n.
Fragment wgmmaAccFragment(int64_t n);
/// A operand of 16-bit elements in registers, 64 x 16.
Fragment wgmmaAFragment();
/// `tcgen05.ld/st` of shape 32x32b with `columns` 32-bit columns, M = 128.
Fragment tmem32x32bFragment(int64_t columns);
/// `tcgen05.ld/st` of shape 16x256b with `repeats` repetitions, both halves.
Fragment tmem16x256bFragment(int64_t repeats);

/// Distributes `shape` over warps = [wm, wn] with `fragment` as the innermost
/// part. Operand A is replicated over wn, operand B over wm. None when an
/// extent of `shape` is below the fragment's.
std::optional<Layout> mmaLayout(const Layout::Shape &shape,
                                const Fragment &fragment, MmaRole role,
                                int64_t wm, int64_t wn);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H
