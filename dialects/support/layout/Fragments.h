// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H
#define DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H

#include "dialects/support/Target.h"
#include "dialects/support/layout/Layout.h"

namespace tileir {

/// A is (m, k), B is (k, n), Acc is (m, n).
enum class MmaRole : uint8_t { A, B, Acc };

/// Register fragment of one MMA instruction: bases as (dim 0, dim 1).
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
/// Interleaves the columns of two fragments of B or of the accumulator: one has
/// the even columns, the other the odd ones. A thread then has both bytes of a
/// pair in a row of B, which `ByteTranspose` separates.
Fragment interleaveColumns(const Fragment &fragment);
/// Element bits of B for which fragments are interleaved.
constexpr unsigned kInterleavedBits = 8;
/// Accumulator of a warpgroup, 64 x n.
Fragment wgmmaAccFragment(int64_t n);
/// Operand A of elements of 8, 16 or 32 bits in registers, 64 x 256 bits.
Fragment wgmmaAFragment(unsigned bits);
/// `tcgen05.ld/st` of shape 32x32b with `columns` 32-bit columns, M = 128.
Fragment tmem32x32bFragment(int64_t columns);
/// `tcgen05.ld/st` of shape 16x256b with `repeats` repetitions, both halves.
Fragment tmem16x256bFragment(int64_t repeats);

/// Distributes `shape` over warps = [wm, wn] with `fragment` as the innermost
/// level. Operand A is replicated over wn, operand B over wm. None when an
/// extent of `shape` is below the fragment's.
std::optional<Layout> mmaLayout(const Layout::Shape &shape,
                                const Fragment &fragment, MmaRole role,
                                int64_t wm, int64_t wn);

/// Load of bytes that are contiguous in shared memory across the direction in
/// which registers hold them. `ldmatrix` transposes pairs of bytes: a register
/// then has two neighbours of two rows, and a byte permutation of two registers
/// gives two registers of four rows each.
struct ByteTranspose {
  /// Register bit that distinguishes the registers of a pair.
  unsigned pairBit;
  /// The other register bits that select a 32-bit register.
  std::vector<unsigned> wordBits;
  /// Number of matrices of an instruction, 2 or 4: two for each pair of
  /// registers. The first of `wordBits` selects between the pairs of an
  /// instruction that has two.
  unsigned num;
  /// Bytes that each bit of the lane number, and of the warp number after it,
  /// adds to the lane's address: bits 0 to 2 select the row of a matrix, bits 3
  /// and 4 the matrix.
  std::vector<uint64_t> threadOffsets;
  /// Offset of each register bit.
  std::vector<uint64_t> registerOffsets;
  /// Bits of the lane number whose parity exchanges the registers of a pair.
  unsigned exchangesRegisters;
  /// Bit of the lane number that exchanges the two matrices of a pair. It keeps
  /// the rows of a matrix in different banks.
  static constexpr unsigned exchangesMatrices = 1 << 1;
};

/// Plans the load of bytes in `smem` to the registers of `reg`; none where the
/// addresses do not follow the pattern.
std::optional<ByteTranspose> matchByteTranspose(const Layout &reg,
                                                const Layout &smem);

/// Register layout for the transposition of a tile of rank 2 from shared memory
/// where dimension `1 - major` is contiguous to one where `major` is: a thread
/// has neighbours along `major`, a warp those along the other dimension.
Layout transposingLayout(const Layout::Shape &shape, unsigned major,
                         unsigned bits, unsigned numWarps);

//===----------------------------------------------------------------------===//
// Fragments of targets
//===----------------------------------------------------------------------===//

/// Returns whether ptxas emulates `mma.sync` of 8-bit floats: where only wgmma
/// or tcgen05 support such floats in tensor cores, it emits conversions, f16
/// MMAs and additions for each. Converting fragments first is less work.
inline bool emulatesMmaFp8(const Target &target) {
  return target.hasMmaFp8() && (target.hasWgmma() || target.hasTcgen05());
}

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_FRAGMENTS_H
