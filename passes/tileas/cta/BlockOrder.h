// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order in which the blocks of a grid take its places: arithmetic that a
// compiler emits and a test computes.

#ifndef PASSES_TILEAS_CTA_BLOCKORDER_H
#define PASSES_TILEAS_CTA_BLOCKORDER_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace tileir {

/// Hardware starts blocks with x fastest, then y, then z. This order takes
/// 2^`groupBits` places along `grouped` first, then places along `walked`, then
/// along `shared`, then the next group. The remainder along `grouped` has
/// groups of smaller powers of two. Dimensions not named here keep their
/// coordinates.
struct BlockOrder {
  /// Numbers of dimensions, x is 0. `walked` and `shared` are below `grouped`.
  unsigned grouped = 1, walked = 0;
  std::optional<unsigned> shared;
  unsigned groupBits = 3;
};

/// The place of the block that hardware starts at `ids` of a grid of `extents`:
/// one to one. `Math` computes with numbers of 32 bits without sign.
///
/// The places of a group are as many in a row as blocks are started in a row
/// (that is why the group goes along the slower dimension), so that only the
/// position in this row changes its meaning, and a shift tells most of it. A
/// grid has fewer than 2^24 blocks along a dimension (Tile IR), so that 2^8
/// rows of it fit 32 bits; of two dimensions they may not, and then nothing
/// moves.
template <typename Math>
std::array<typename Math::Number, 3>
orderBlock(Math &math, const BlockOrder &order,
           const std::array<typename Math::Number, 3> &ids,
           const std::array<typename Math::Number, 3> &extents) {
  using Number = typename Math::Number;
  Number id = ids[order.grouped];
  // The largest aligned group around `id` that ends inside of the grid is as
  // large as the first bit, from above, in which the place and the extent
  // differ, and no larger than asked for.
  Number differ = math.exclusiveOr(id, extents[order.grouped]),
         bits = math.min(
             math.subtract(math.constant(31), math.countLeadingZeros(differ)),
             math.constant(order.groupBits));
  Number above = math.shiftLeft(math.constant(~0u), bits),
         below = math.exclusiveOr(above, math.constant(~0u));
  Number row = math.bitAnd(id, below);
  if (order.shared) {
    unsigned fast = std::min(order.walked, *order.shared),
             slow = std::max(order.walked, *order.shared);
    row = math.add(math.multiply(row, extents[slow]), ids[slow]);
    row = math.add(math.multiply(row, extents[fast]), ids[fast]);
  } else {
    row =
        math.add(math.multiply(row, extents[order.walked]), ids[order.walked]);
  }
  std::array<Number, 3> places = ids;
  places[order.grouped] =
      math.bitOr(math.bitAnd(id, above), math.bitAnd(row, below));
  Number rest = math.shiftRight(row, bits);
  if (!order.shared) {
    places[order.walked] = rest;
    return places;
  }
  Number fits = math.isDotBelow(extents[order.walked], extents[*order.shared],
                                uint64_t(1) << (32 - order.groupBits)),
         quotient = math.divide(rest, extents[order.walked]);
  places[*order.shared] = quotient;
  places[order.walked] =
      math.subtract(rest, math.multiply(quotient, extents[order.walked]));
  for (unsigned d : {order.grouped, order.walked, *order.shared})
    places[d] = math.select(fits, places[d], ids[d]);
  return places;
}

} // namespace tileir

#endif // PASSES_TILEAS_CTA_BLOCKORDER_H
