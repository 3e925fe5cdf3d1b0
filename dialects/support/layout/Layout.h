// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_LAYOUT_H
#define DIALECTS_SUPPORT_LAYOUT_LAYOUT_H

#include "dialects/support/layout/LinearMap.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileir {

enum class LayoutSpace : uint8_t { Reg, Smem, Tmem };

/// Input dimensions of each space, in bit order (dimension 0 has bit 0).
enum RegDim : unsigned { kRegister = 0, kLane = 1, kWarp = 2, kRegCta = 3 };
enum SmemDim : unsigned { kOffset = 0, kSmemCta = 1 };
enum TmemDim : unsigned { kSub = 0, kCol = 1, kRow = 2, kTmemCta = 3 };

/// A linear layout over F2: maps each location of the hardware (register of a
/// thread, offset in shared memory, cell of tensor memory) to an element of a
/// tile. The coordinate of a location is the XOR of the bases of its set bits.
///
/// A basis is one integer, the row-major index of its coordinate: all extents
/// are powers of two, so XOR of coordinates is XOR of indices. The class is
/// trivially copyable: it can be an attribute parameter.
class Layout {
public:
  static constexpr unsigned kMaxRank = 16;
  static constexpr unsigned kMaxTileBits = 24;
  static constexpr unsigned kMaxDims = 4;
  static constexpr unsigned kMaxBases = 56;

  using Shape = std::vector<int64_t>;
  using Coord = std::vector<int64_t>;
  /// [input dim][bit][tile dim].
  using Bases = std::vector<std::vector<Coord>>;
  /// [input dim][bit], row-major indices.
  using FlatBases = std::vector<std::vector<uint32_t>>;

  Layout() = default;

  /// Builds a layout and checks every invariant; on failure sets `error` to the
  /// diagnostic text. Missing trailing input dims have no bases.
  static std::optional<Layout> get(LayoutSpace space, const Shape &shape,
                                   const Bases &bases, std::string &error);
  /// Builds a layout without checks of surjectivity and independence; see
  /// `verify`.
  static Layout getUnchecked(LayoutSpace space, const Shape &shape,
                             const FlatBases &bases);
  /// Returns the fault of this layout, or the empty string.
  std::string verify() const;

  // Parts.
  LayoutSpace getSpace() const { return space; }
  unsigned getRank() const { return rank; }
  Shape getShape() const;
  unsigned getLog2Extent(unsigned dim) const { return logShape[dim]; }
  int64_t getExtent(unsigned dim) const { return int64_t(1) << logShape[dim]; }
  /// log2 of the number of elements of the tile.
  unsigned getTileBits() const { return tileBits; }
  int64_t getNumElements() const { return int64_t(1) << tileBits; }

  static unsigned getNumDims(LayoutSpace space);
  static const char *getDimName(LayoutSpace space, unsigned inputDim);
  static const char *getSpaceName(LayoutSpace space);
  unsigned getNumDims() const { return getNumDims(space); }
  unsigned getNumBases(unsigned inputDim) const { return numBases[inputDim]; }
  /// First bit of `inputDim` in a packed location.
  unsigned getFirstBit(unsigned inputDim) const;
  unsigned getNumLocationBits() const;
  uint32_t getFlatBasis(unsigned inputDim, unsigned bit) const {
    return bases[getFirstBit(inputDim) + bit];
  }
  Coord getBasis(unsigned inputDim, unsigned bit) const {
    return unflatten(getFlatBasis(inputDim, bit));
  }
  std::vector<uint32_t> getFlatBases(unsigned inputDim) const;
  FlatBases getFlatBases() const;
  Bases getBases() const;

  /// Elements that one thread holds (`reg`).
  int64_t getNumRegisters() const { return int64_t(1) << numBases[kRegister]; }

  // Coordinates.
  /// Position of bit 0 of tile dim `dim` in a row-major index.
  unsigned getFlatShift(unsigned dim) const;
  uint32_t flatten(const Coord &coord) const;
  Coord unflatten(uint32_t flat) const;
  /// e_dim · 2^bit as an index.
  uint32_t unit(unsigned dim, unsigned bit) const {
    return uint32_t(1) << (getFlatShift(dim) + bit);
  }
  /// All index bits of tile dim `dim`.
  uint32_t dimMask(unsigned dim) const {
    return uint32_t(getExtent(dim) - 1) << getFlatShift(dim);
  }

  // The map (spec: layout API).
  LinearMap map() const;
  LinearMap map(unsigned inputDim) const;
  /// Index of the element at a packed location.
  uint32_t applyFlat(uint64_t location) const;
  /// Coordinate of the element at the location (one value per input dim).
  Coord apply(const std::vector<uint64_t> &location) const;
  /// Location bits of each index bit: registers first, then lanes, warps, ctas;
  /// unneeded bits are zero.
  LinearMap leftInverse() const;
  /// Mask over the bits of `inputDim` whose basis is zero.
  uint64_t zeroMask(unsigned inputDim) const;
  /// Mask over the redundant bits of a packed location: their bases depend on
  /// earlier ones, so the value is replicated over them.
  uint64_t redundantMask() const;
  /// Number of leading register (or offset) bases equal to e_d·2^0, e_d·2^1, ….
  unsigned contiguity(unsigned dim) const;

  // Transfer through operations, forward and backward.
  Layout permute(const std::vector<unsigned> &permutation) const;
  Layout inversePermute(const std::vector<unsigned> &permutation) const;
  Layout expandDims(unsigned axis) const;
  /// Deletes a dim of extent 1.
  Layout squeeze(unsigned axis) const;
  Layout reshape(const Shape &shape) const;
  /// Grows dims of extent 1 to `shape`: new register bases, dim 0 last.
  Layout broadcast(const Shape &shape) const;
  /// The layout of the operand of a broadcast whose result has this layout.
  Layout unbroadcast(const Shape &operandShape) const;
  /// Deletes component `axis`, and register bases that become zero or
  /// dependent.
  Layout slice(unsigned axis) const;
  /// Returns a layout P with P.slice(axis) == *this whose axis is in registers.
  Layout unslice(unsigned axis, int64_t extent) const;
  Layout cat(unsigned axis) const;
  /// Operand layout of a `cat`; none when the split bit is not a register.
  std::optional<Layout> uncat(unsigned axis) const;
  /// Bits of the row-major index that distinguish aligned slices of extents
  /// `shape`: the discarded bits.
  uint32_t sliceMask(const Shape &shape) const;
  /// Layout of an aligned slice of extents `shape`; none when a discarded
  /// coordinate bit is no register basis by itself.
  std::optional<Layout> extract(const Shape &shape) const;
  /// Layout of an aligned slice of extents `shape`, replicated over the
  /// discarded coordinate bits of lanes and warps: their bases become zero.
  /// None when a discarded bit is no basis by itself.
  std::optional<Layout> extractReplicated(const Shape &shape) const;
  /// Layout of a larger tile whose aligned slices have this layout.
  Layout unextract(const Shape &shape) const;

  // Sugar (spec: sugar semantics).
  static Layout blocked(const Shape &shape,
                        const std::vector<int64_t> &perThread,
                        const std::vector<int64_t> &lanes,
                        const std::vector<int64_t> &warps,
                        const std::vector<unsigned> &order);
  /// The default layout of a tile of `bits`-bit elements over `numWarps`.
  static Layout defaultBlocked(const Shape &shape, unsigned bits,
                               unsigned numWarps,
                               const std::vector<unsigned> &order);
  /// The same tile in registers only (each thread has all elements).
  static Layout replicated(const Shape &shape, unsigned numWarps);
  static Layout linearSmem(const Shape &shape,
                           const std::vector<unsigned> &order);
  static Layout tmemAcc(const Shape &shape, unsigned m, unsigned bits,
                        unsigned ctaGroup);

  bool operator==(const Layout &other) const;
  bool operator!=(const Layout &other) const { return !(*this == other); }
  bool operator<(const Layout &other) const;
  size_t hash() const;
  /// Canonical text without the `#nv_tileas.layout` prefix:
  /// `<reg, [16, 8], register = [[0, 1]], …>`.
  std::string str() const;

private:
  LayoutSpace space = LayoutSpace::Reg;
  uint8_t rank = 0;
  uint8_t tileBits = 0;
  std::array<uint8_t, kMaxRank> logShape = {};
  std::array<uint8_t, kMaxDims> numBases = {};
  std::array<uint32_t, kMaxBases> bases = {};
};

/// The map from locations of `dst` to locations of `src` with the same element.
/// Prefers the same hardware location; bits over which the source is replicated
/// stay zero otherwise.
LinearMap invertAndCompose(const Layout &dst, const Layout &src);

/// The layout of `inner` followed by the map of `outer`: `inner` gives
/// locations of `outer`.
Layout compose(const Layout &outer, const LinearMap &inner,
               const std::vector<unsigned> &innerDims, LayoutSpace space);

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_LAYOUT_H
