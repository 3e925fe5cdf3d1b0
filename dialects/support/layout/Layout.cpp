// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Layout.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace tileir {

static unsigned log2Exact(int64_t value) {
  unsigned bits = 0;
  while ((int64_t(1) << bits) < value)
    ++bits;
  return bits;
}

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

static std::string shapeError(const Layout::Shape &shape) {
  if (shape.size() > Layout::kMaxRank)
    return "layout rank " + std::to_string(shape.size()) +
           " exceeds the maximum of " + std::to_string(Layout::kMaxRank);
  unsigned bits = 0;
  for (int64_t extent : shape) {
    if (!isPowerOfTwo(extent) || extent > (int64_t(1) << Layout::kMaxTileBits))
      return "layout extents must be powers of two, got " +
             std::to_string(extent);
    bits += log2Exact(extent);
  }
  if (bits > Layout::kMaxTileBits)
    return "tile would exceed the maximum of 16777216 elements";
  return "";
}

unsigned Layout::getNumDims(LayoutSpace space) {
  return space == LayoutSpace::Smem ? 2 : 4;
}

const char *Layout::getDimName(LayoutSpace space, unsigned inputDim) {
  static const char *const names[3][4] = {{"register", "lane", "warp", "cta"},
                                          {"offset", "cta", "", ""},
                                          {"sub", "col", "row", "cta"}};
  return names[unsigned(space)][inputDim];
}

const char *Layout::getSpaceName(LayoutSpace space) {
  return space == LayoutSpace::Reg    ? "reg"
         : space == LayoutSpace::Smem ? "smem"
                                      : "tmem";
}

std::optional<Layout> Layout::get(LayoutSpace space, const Shape &shape,
                                  const Bases &bases, std::string &error) {
  error = shapeError(shape);
  if (!error.empty())
    return std::nullopt;
  if (bases.size() > getNumDims(space)) {
    error = "layout has too many input dimensions";
    return std::nullopt;
  }
  size_t total = 0;
  for (const auto &dim : bases) {
    total += dim.size();
    for (const Coord &basis : dim) {
      if (basis.size() != shape.size()) {
        error = "layout basis has " + std::to_string(basis.size()) +
                " components, but the rank is " + std::to_string(shape.size());
        return std::nullopt;
      }
      for (size_t d = 0; d < shape.size(); ++d)
        if (basis[d] < 0 || basis[d] >= shape[d]) {
          error = "layout basis component " + std::to_string(basis[d]) +
                  " out of range for dimension " + std::to_string(d) +
                  " of extent " + std::to_string(shape[d]);
          return std::nullopt;
        }
    }
  }
  if (total > kMaxBases) {
    error = "layout has more than " + std::to_string(kMaxBases) + " bases";
    return std::nullopt;
  }
  Layout frame = getUnchecked(space, shape, {});
  FlatBases flat(bases.size());
  for (size_t i = 0; i < bases.size(); ++i)
    for (const Coord &basis : bases[i])
      flat[i].push_back(frame.flatten(basis));
  Layout layout = getUnchecked(space, shape, flat);
  error = layout.verify();
  if (!error.empty())
    return std::nullopt;
  return layout;
}

Layout Layout::getUnchecked(LayoutSpace space, const Shape &shape,
                            const FlatBases &bases) {
  assert(shape.size() <= kMaxRank && bases.size() <= getNumDims(space));
  Layout layout;
  layout.space = space;
  layout.rank = shape.size();
  for (size_t d = 0; d < shape.size(); ++d) {
    layout.logShape[d] = log2Exact(shape[d]);
    layout.tileBits += layout.logShape[d];
  }
  unsigned next = 0;
  for (size_t i = 0; i < bases.size(); ++i) {
    layout.numBases[i] = bases[i].size();
    for (uint32_t basis : bases[i]) {
      assert(next < kMaxBases && "too many bases");
      layout.bases[next++] = basis;
    }
  }
  return layout;
}

std::string Layout::verify() const {
  if (space == LayoutSpace::Reg && numBases[kLane] != 5)
    return "expects exactly 5 lane bases, but got " +
           std::to_string(numBases[kLane]);
  if (space == LayoutSpace::Tmem && numBases[kRow] != 7)
    return "expects exactly 7 row bases, but got " +
           std::to_string(numBases[kRow]);
  if (space == LayoutSpace::Tmem && numBases[kCol] > 9)
    return "expects at most 9 col bases, but got " +
           std::to_string(numBases[kCol]);
  if (map().rank() != tileBits)
    return "layout is not surjective onto the tile";
  // Dims of which every basis counts: registers, offsets, the parts of a cell
  // row.
  for (unsigned dim = 0; dim < getNumDims(); ++dim) {
    bool dense = space == LayoutSpace::Reg    ? dim == kRegister
                 : space == LayoutSpace::Smem ? dim == kOffset
                                              : dim == kSub || dim == kCol;
    if (dense && map(dim).rank() != numBases[dim])
      return std::string(getDimName(space, dim)) +
             " bases must be linearly independent";
  }
  if (space != LayoutSpace::Reg) {
    unsigned nonZero = 0;
    for (unsigned i = 0; i < getNumLocationBits(); ++i)
      nonZero += bases[i] != 0;
    if (nonZero != tileBits)
      return std::string(getSpaceName(space)) +
             " layout must not place an element twice";
  }
  return "";
}

Layout::Shape Layout::getShape() const {
  Shape shape;
  for (unsigned d = 0; d < rank; ++d)
    shape.push_back(getExtent(d));
  return shape;
}

unsigned Layout::getFirstBit(unsigned inputDim) const {
  unsigned first = 0;
  for (unsigned i = 0; i < inputDim; ++i)
    first += numBases[i];
  return first;
}

unsigned Layout::getNumLocationBits() const { return getFirstBit(kMaxDims); }

std::vector<uint32_t> Layout::getFlatBases(unsigned inputDim) const {
  auto begin = bases.begin() + getFirstBit(inputDim);
  return std::vector<uint32_t>(begin, begin + numBases[inputDim]);
}

Layout::FlatBases Layout::getFlatBases() const {
  FlatBases result;
  for (unsigned dim = 0; dim < getNumDims(); ++dim)
    result.push_back(getFlatBases(dim));
  return result;
}

Layout::Bases Layout::getBases() const {
  Bases result(getNumDims());
  for (unsigned dim = 0; dim < getNumDims(); ++dim)
    for (unsigned bit = 0; bit < numBases[dim]; ++bit)
      result[dim].push_back(getBasis(dim, bit));
  return result;
}

unsigned Layout::getFlatShift(unsigned dim) const {
  unsigned shift = 0;
  for (unsigned d = dim + 1; d < rank; ++d)
    shift += logShape[d];
  return shift;
}

uint32_t Layout::flatten(const Coord &coord) const {
  assert(coord.size() == rank);
  uint32_t flat = 0;
  for (unsigned d = 0; d < rank; ++d)
    flat = (flat << logShape[d]) | uint32_t(coord[d]);
  return flat;
}

Layout::Coord Layout::unflatten(uint32_t flat) const {
  Coord coord(rank);
  for (unsigned d = rank; d-- > 0;) {
    coord[d] = flat & ((uint32_t(1) << logShape[d]) - 1);
    flat >>= logShape[d];
  }
  return coord;
}

LinearMap Layout::map() const {
  return LinearMap(std::vector<uint64_t>(bases.begin(),
                                         bases.begin() + getNumLocationBits()));
}

LinearMap Layout::map(unsigned inputDim) const {
  std::vector<uint32_t> flat = getFlatBases(inputDim);
  return LinearMap(std::vector<uint64_t>(flat.begin(), flat.end()));
}

uint32_t Layout::applyFlat(uint64_t location) const {
  uint32_t result = 0;
  for (unsigned i = 0; location; ++i, location >>= 1)
    if (location & 1)
      result ^= bases[i];
  return result;
}

Layout::Coord Layout::apply(const std::vector<uint64_t> &location) const {
  uint32_t flat = 0;
  for (unsigned dim = 0; dim < location.size(); ++dim)
    for (unsigned bit = 0; bit < numBases[dim]; ++bit)
      if ((location[dim] >> bit) & 1)
        flat ^= getFlatBasis(dim, bit);
  return unflatten(flat);
}

LinearMap Layout::leftInverse() const { return map().rightInverse(tileBits); }

uint64_t Layout::zeroMask(unsigned inputDim) const {
  uint64_t mask = 0;
  for (unsigned bit = 0; bit < numBases[inputDim]; ++bit)
    if (!getFlatBasis(inputDim, bit))
      mask |= uint64_t(1) << bit;
  return mask;
}

uint64_t Layout::redundantMask() const {
  uint64_t mask = 0;
  Span span;
  for (unsigned i = 0; i < getNumLocationBits(); ++i)
    if (!span.insert(bases[i]))
      mask |= uint64_t(1) << i;
  return mask;
}

unsigned Layout::contiguity(unsigned dim) const {
  unsigned run = 0;
  while (run < numBases[0] && run < logShape[dim] &&
         getFlatBasis(0, run) == unit(dim, run))
    ++run;
  return run;
}

bool Layout::operator==(const Layout &other) const {
  return space == other.space && rank == other.rank &&
         logShape == other.logShape && numBases == other.numBases &&
         bases == other.bases;
}

bool Layout::operator<(const Layout &other) const {
  return std::tie(space, rank, logShape, numBases, bases) <
         std::tie(other.space, other.rank, other.logShape, other.numBases,
                  other.bases);
}

size_t Layout::hash() const {
  // FNV-1a hash over the used fields.
  uint64_t hash = 0xcbf29ce484222325u;
  auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3u; };
  mix(unsigned(space));
  mix(rank);
  for (uint8_t extent : logShape)
    mix(extent);
  for (uint8_t count : numBases)
    mix(count);
  for (unsigned i = 0; i < getNumLocationBits(); ++i)
    mix(bases[i]);
  return hash;
}

static std::string join(const Layout::Coord &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

std::string Layout::str() const {
  std::string text =
      std::string("<") + getSpaceName(space) + ", " + join(getShape());
  for (unsigned dim = 0; dim < getNumDims(); ++dim) {
    if (!numBases[dim])
      continue;
    text += std::string(", ") + getDimName(space, dim) + " = [";
    for (unsigned bit = 0; bit < numBases[dim]; ++bit)
      text += (bit ? ", " : "") + join(getBasis(dim, bit));
    text += "]";
  }
  return text + ">";
}

LinearMap invertAndCompose(const Layout &dst, const Layout &src) {
  assert(dst.getTileBits() == src.getTileBits() &&
         dst.getSpace() == src.getSpace());
  LinearMap inverse = src.leftInverse();
  LinearMap result;
  for (unsigned dim = 0; dim < dst.getNumDims(); ++dim)
    for (unsigned bit = 0; bit < dst.getNumBases(dim); ++bit) {
      uint32_t element = dst.getFlatBasis(dim, bit);
      if (bit < src.getNumBases(dim) && src.getFlatBasis(dim, bit) == element)
        result.append(uint64_t(1) << (src.getFirstBit(dim) + bit));
      else
        result.append(inverse(element));
    }
  return result;
}

Layout compose(const Layout &outer, const LinearMap &inner,
               const std::vector<unsigned> &innerDims, LayoutSpace space) {
  Layout::FlatBases bases;
  unsigned next = 0;
  for (unsigned size : innerDims) {
    bases.emplace_back();
    for (unsigned bit = 0; bit < size; ++bit)
      bases.back().push_back(outer.applyFlat(inner.column(next++)));
  }
  return Layout::getUnchecked(space, outer.getShape(), bases);
}

} // namespace tileir
