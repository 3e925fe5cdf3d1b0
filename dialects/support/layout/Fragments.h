// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H
#define DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H

#include "dialects/support/Target.h"
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
/// Two of `fragment`, of B or the accumulator, in turn: one has the even
/// columns, the other the odd ones. A thread then has both bytes of a pair that
/// lies in a row of B, which `ByteTranspose` sorts.
Fragment interleaveColumns(const Fragment &fragment);
/// Bits of the elements of B for which there is such a form.
constexpr unsigned kInterleavedBits = 8;
/// Accumulator of a warpgroup, 64 x n.
Fragment wgmmaAccFragment(int64_t n);
/// A operand of elements of 8, 16 or 32 bits in registers, 64 x 256 bits.
Fragment wgmmaAFragment(unsigned bits);
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

/// Bytes that lie in shared memory across the direction in which words of
/// registers take them. `ldmatrix` transposes pairs of bytes: a word then has
/// two neighbours of two rows, and a permutation of the bytes of two words
/// makes two words of four rows each.
struct ByteTranspose {
  /// The register bit that tells the words of a pair apart.
  unsigned pairBit;
  /// The other register bits that choose a word.
  std::vector<unsigned> wordBits;
  /// Matrices of an instruction, 2 or 4: two for each pair of words. The first
  /// of `wordBits` chooses among the pairs of an instruction that has two.
  unsigned num;
  /// Bytes that each bit of the number of a lane, and of a warp behind them,
  /// adds to the address that the lane gives: bits 0 to 2 choose the row of a
  /// matrix, bits 3 and 4 the matrix.
  std::vector<uint64_t> threadOffsets;
  /// Offset of each register bit.
  std::vector<uint64_t> registerOffsets;
  /// Bits of the number of a lane whose parity exchanges the words of a pair.
  unsigned exchangesWords;
  /// The bit of the number of a lane that exchanges the two matrices of a pair,
  /// which keeps the rows of a matrix in different banks.
  static constexpr unsigned exchangesMatrices = 1 << 1;
};

/// Returns how to read bytes in `smem` to the registers of `reg`; none where
/// the addresses do not follow the pattern.
std::optional<ByteTranspose> matchByteTranspose(const Layout &reg,
                                                const Layout &smem);

/// Registers for moving a tile of rank 2 from shared memory where dimension
/// `1 - major` is contiguous to where `major` is: a thread has neighbours along
/// `major`, a warp those along the other one.
Layout transposingLayout(const Layout::Shape &shape, unsigned major,
                         unsigned bits, unsigned numWarps);

//===----------------------------------------------------------------------===//
// Fragments of targets
//===----------------------------------------------------------------------===//

/// Returns whether `mma.sync` of 8-bit floats is made of others: where the
/// tensor cores take such floats by wgmma or tcgen05 alone, ptxas makes
/// conversions, products of f16 and sums of each. Converting fragments first is
/// less work.
inline bool emulatesMmaFp8(const Target &target) {
  return target.hasMmaFp8() && (target.hasWgmma() || target.hasTcgen05());
}

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H
