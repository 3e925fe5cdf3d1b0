// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_SHAREDMEMORY_H
#define DIALECTS_SUPPORT_LAYOUT_SHAREDMEMORY_H

#include "dialects/support/layout/Layout.h"

namespace tileir {

/// Span in bytes within which chunks are permuted. Chunks have 16 bytes, or 32
/// for `B128Wide`.
enum class Swizzle : uint8_t { None, B32, B64, B128, B128Wide };

/// All swizzles, in the order in which a layout is matched with them.
inline constexpr Swizzle kSwizzles[] = {Swizzle::B128, Swizzle::B64,
                                        Swizzle::B32, Swizzle::None,
                                        Swizzle::B128Wide};

/// Bytes of one swizzle span; 16 without swizzle.
unsigned getSpanBytes(Swizzle swizzle);
/// Bytes of a chunk, which a swizzle keeps together.
unsigned getChunkBytes(Swizzle swizzle);
/// Hardware location of the byte with `address` before the swizzle: bits 7 and
/// up of the address are XOR-ed into the chunk number, as many bits as the
/// number has.
uint64_t getSwizzledAddress(uint64_t address, Swizzle swizzle);

/// The canonical layout for TMA and matrix descriptors with the contiguous dim
/// `major` (the last or second-to-last dim). None when the tile is too small.
std::optional<Layout> swizzledSmem(const Layout::Shape &shape, Swizzle swizzle,
                                   unsigned major, unsigned bits);

struct SmemClass {
  Swizzle swizzle;
  unsigned major;
  /// Byte stride between groups of 8 rows.
  int64_t rowGroupStride;
  /// Byte stride between span-wide blocks along `major`.
  int64_t blockStride;
};

/// Matches `layout` with the canonical layouts.
std::optional<SmemClass> classifySmem(const Layout &layout, unsigned bits);

/// CuTe view of a shared-memory layout: coordinate digits with strides, with
/// Swizzle<B, M, S> on top.
struct CuTeLayout {
  struct Digit {
    int64_t shape;
    int64_t stride;
  };
  /// Digits per tile dim, fastest first.
  std::vector<std::vector<Digit>> modes;
  unsigned swizzleBits = 0, swizzleBase = 0, swizzleShift = 0;
};

/// Succeeds iff the layout is a product of non-overlapping strides and one
/// swizzle.
std::optional<CuTeLayout> toCuTe(const Layout &layout);
std::optional<Layout> fromCuTe(const CuTeLayout &cute);

/// Element offset of the element with row-major index bits: the inverse map.
LinearMap smemOffsets(const Layout &layout);

/// Relation of the registers of a thread to shared memory: maps register, lane
/// and warp bits of `reg` to offset bits of `smem`.
struct SmemAccess {
  LinearMap offsets;
  /// log2 of the elements that one access moves.
  unsigned vectorBits;
};
SmemAccess smemAccess(const Layout &reg, const Layout &smem, unsigned bits,
                      unsigned maxVectorBits = 128);

/// Layout of a memory tile that is loaded to or stored from registers, with its
/// element bits.
struct SmemForm {
  Layout layout;
  unsigned bits;
};

/// Register layout of a tile of two dims that moves between `forms`, or of a
/// slice of it: each thread has `perThread` neighbours along `major`, and the
/// lanes of a wavefront access different banks in every form where such lanes
/// exist.
Layout spreadLanes(const Layout::Shape &shape, unsigned major,
                   int64_t perThread, unsigned numWarps,
                   const std::vector<SmemForm> &forms);

/// Matrices of ldmatrix/stmatrix, if `reg` against `smem` has the pattern of
/// the instruction. Offsets count units of 16 bits.
struct MatrixMatch {
  bool transposed;
  /// Register bits inside of a 32-bit register.
  unsigned wordBits;
  /// Matrices per instruction (1, 2 or 4): selected by the register bits
  /// wordBits, wordBits + 1.
  unsigned num;
  /// Offset of each bit of the row number inside a matrix.
  std::array<uint64_t, 3> rowOffsets;
  /// Offset of each register bit (zero below wordBits) and of each warp bit.
  std::vector<uint64_t> registerOffsets;
  std::vector<uint64_t> warpOffsets;
};
std::optional<MatrixMatch> matchLdmatrix(const Layout &reg, const Layout &smem,
                                         unsigned bits);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_SHAREDMEMORY_H
