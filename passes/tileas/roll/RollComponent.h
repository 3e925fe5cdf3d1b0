// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ROLL_ROLLCOMPONENT_H
#define PASSES_TILEAS_ROLL_ROLLCOMPONENT_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace tileir {

/// Why tiles cannot be cut into slices.
struct RollFault {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// The dimension along which an operation's tiles are cut; none where a tile is
/// the same for every slice.
struct RollCut {
  std::optional<unsigned> operands, results;

  bool operator==(const RollCut &other) const {
    return operands == other.operands && results == other.results;
  }
};

/// Returns whether `value` is a tile that each slice recomputes: a splat or a
/// range.
bool isRollLeaf(mlir::Value value);

/// Returns whether there are slices of `op` at all, along some dimension.
bool canRoll(mlir::Operation *op);

/// Registers (32-bit) of a thread that hold its elements of a tile.
int64_t getRegistersPerThread(mlir::RankedTensorType type);

/// The type of a slice of the tile `type`, one of `slices` along `dim`, in the
/// layout of the tile without the bits that number slices. Null if those bits
/// are not register bits of a thread, unless the tile is small; threads and
/// warps then hold the same elements.
mlir::RankedTensorType getSliceType(mlir::RankedTensorType type, unsigned dim,
                                    int64_t slices);

/// The operations of one block that tiles connect, all of which are cut into
/// slices together. Each tile is cut along one dimension; slice i of every one
/// depends on slice i of the others alone.
class RollComponent {
public:
  struct Member {
    mlir::Operation *op;
    RollCut cut;
  };

  /// Collects the operations connected with the tiles of `seed`, which are cut
  /// along `dim`. On failure `fault` has the obstacle; the members found until
  /// then stay.
  bool collect(mlir::Operation *seed, unsigned dim, RollFault &fault);

  /// In the order of the block.
  llvm::ArrayRef<Member> getMembers() const { return members; }
  bool contains(mlir::Operation *op) const {
    return op && numbers.contains(op);
  }
  /// Position of `op` among the members.
  unsigned getNumber(mlir::Operation *op) const { return numbers.lookup(op); }
  const RollCut &getCut(mlir::Operation *op) const {
    return members[getNumber(op)].cut;
  }
  mlir::Block *getBlock() const { return block; }

  /// Returns whether `op` combines the slices to something that has none.
  bool isReduction(mlir::Operation *op) const {
    return llvm::isa<mlir::nv_tileas::ReduceOp>(op) && !getCut(op).results;
  }

  /// Returns whether the layouts of all tiles have `slices` slices.
  bool admits(int64_t slices) const;
  /// The largest number of registers that a thread needs for one tile.
  int64_t getLargestTile() const;
  /// The largest number of live registers of a thread while a pass over the
  /// members computes one of `slices` slices.
  int64_t getLiveRegisters(int64_t slices) const;
  /// Scalar operations of a thread for one of `slices` slices.
  int64_t getNumOps(int64_t slices) const;
  void print(llvm::raw_ostream &os) const;

private:
  bool place(mlir::Operation *op, const std::optional<RollCut> &cut);
  bool cut(mlir::Value tile, unsigned dim, mlir::Operation *by);
  bool fail(mlir::Operation *op, llvm::StringRef reason);
  bool isSliceable(const Member &member, int64_t slices) const;

  mlir::Block *block = nullptr;
  llvm::SmallVector<Member> members;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseMap<mlir::Value, unsigned> dims;
  llvm::SmallVector<mlir::Value> work;
  RollFault *fault = nullptr;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const RollComponent &component) {
  component.print(os);
  return os;
}

} // namespace tileir

#endif // PASSES_TILEAS_ROLL_ROLLCOMPONENT_H
