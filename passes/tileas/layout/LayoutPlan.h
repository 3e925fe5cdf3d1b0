// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LAYOUT_LAYOUTPLAN_H
#define PASSES_TILEAS_LAYOUT_LAYOUTPLAN_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace tileir {

inline bool isTile(mlir::Value value) {
  return mlir::nv_tileas::isTile(value.getType());
}

/// The extents of a tile, as the algebra has them.
Layout::Shape getShape(mlir::Value tile);

/// Bits of an element in memory.
unsigned getElementBits(mlir::Value tile);

/// Partition of the tile values of a function: the values of a class have one
/// layout, because elementwise operations and control flow connect them. Memory
/// accesses, dots and shape operations separate classes.
class TileClasses {
public:
  explicit TileClasses(mlir::FunctionOpInterface func);

  unsigned size() const { return members.size(); }
  unsigned of(mlir::Value tile) const { return ids.lookup(tile); }
  llvm::ArrayRef<mlir::Value> getMembers(unsigned id) const {
    return members[id];
  }
  mlir::Value getLeader(unsigned id) const { return members[id].front(); }

private:
  llvm::DenseMap<mlir::Value, unsigned> ids;
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 4>> members;
};

/// A layout for every class, and for the tile of every access whose own layout
/// may differ from its class (tiled and sparse accesses, scans, dots).
struct LayoutPlan {
  llvm::SmallVector<Layout> classes;
  llvm::DenseMap<mlir::Operation *, Layout> ports;

  /// The layout of each class, at the location of its first tile, and of each
  /// port in `func` that differs from its class.
  void print(llvm::raw_ostream &os, mlir::FunctionOpInterface func,
             const TileClasses &tiles) const;
};

/// The operations whose tile is a port of the plan.
bool isPort(mlir::Operation *op);
/// The tile that moves through a port.
mlir::Value getPortTile(mlir::Operation *op);

/// The layout that the operands of `reduce` get where their class has `layout`.
Layout getPlannedLayout(mlir::nv_tileas::ReduceOp reduce, const Layout &layout);

/// Copies constants, splats, ranges and poison for each of their users, so that
/// sharing one does not force a layout upon unrelated tiles.
void splitFreeLeaves(mlir::FunctionOpInterface func);

/// Takes all conversions out. The tiles have no usable layouts until a plan is
/// applied.
void stripConversions(mlir::FunctionOpInterface func);

/// Rewrites the types of all tiles to `plan` and inserts `convert_layout` where
/// an operation needs another layout than its operand has.
void applyPlan(mlir::FunctionOpInterface func, const TileClasses &classes,
               const LayoutPlan &plan);

} // namespace tileir

#endif // PASSES_TILEAS_LAYOUT_LAYOUTPLAN_H
