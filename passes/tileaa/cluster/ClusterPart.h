// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAA_CLUSTER_CLUSTERPART_H
#define PASSES_TILEAA_CLUSTER_CLUSTERPART_H

#include "dialects/nv_tileaa/NVTileAA.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tileir {

/// Which dimensions of a tile the CTAs of a cluster divide among them. The rank
/// of a CTA has one bit for each axis of the cluster; an axis halves one
/// dimension, or none: then the CTAs that differ in its bit hold the same.
class ClusterPart {
public:
  static constexpr unsigned kMaxAxes = 4;

  /// All CTAs hold the whole tile.
  ClusterPart() = default;

  std::optional<unsigned> getDim(unsigned axis) const {
    unsigned code = (bits >> (8 * axis)) & 0xff;
    return code ? std::optional<unsigned>(code - 1) : std::nullopt;
  }
  void setDim(unsigned axis, std::optional<unsigned> dim) {
    bits &= ~(0xffu << (8 * axis));
    bits |= (dim ? *dim + 1 : 0) << (8 * axis);
  }
  bool isWhole() const { return bits == 0; }
  /// Bits of the rank that divide `dim`.
  unsigned getAxesOf(unsigned dim) const;
  /// Bits of the rank that divide nothing, among those of `numAxes` axes.
  unsigned getFreeAxes(unsigned numAxes) const;
  /// Pieces of `dim`.
  int64_t getPieces(unsigned dim) const;
  /// The part with `map` of each dimension; no dimension stays none.
  ClusterPart
  map(llvm::function_ref<std::optional<unsigned>(unsigned)> map) const;

  unsigned getKey() const { return bits; }
  bool operator==(const ClusterPart &other) const { return bits == other.bits; }
  bool operator!=(const ClusterPart &other) const { return bits != other.bits; }

private:
  uint32_t bits = 0;
};

/// Returns the type of a CTA's part of a value of `type`, or null where the
/// extents do not allow it. Scalars, tokens and memory objects are whole.
mlir::Type getPartType(mlir::Type type, ClusterPart part);

/// Returns whether values of `type` can be divided at all.
bool isDivisible(mlir::Type type);

/// The extent of a value that `getPartType` divides, in `dim`.
int64_t getExtent(mlir::Type type, unsigned dim);

/// Returns which part of each operand of `op` gives `part` of its results;
/// nothing where no such parts do.
std::optional<llvm::SmallVector<ClusterPart>>
getOperandParts(mlir::Operation *op, ClusterPart part);

/// Returns which part of the operands of `reduce` its CTAs combine, where those
/// that hold the same `part` of its results divide the combined dimension, too,
/// and exchange what they get; nothing where they cannot.
std::optional<ClusterPart> getExchangedPart(mlir::nv_tileaa::ReduceOp reduce,
                                            ClusterPart part, unsigned numAxes);

} // namespace tileir

#endif // PASSES_TILEAA_CLUSTER_CLUSTERPART_H
