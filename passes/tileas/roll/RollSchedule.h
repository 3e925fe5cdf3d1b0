// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ROLL_ROLLSCHEDULE_H
#define PASSES_TILEAS_ROLL_ROLLSCHEDULE_H

#include "passes/tileas/roll/RollComponent.h"

#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Order of the loops over the slices of a component, and the work between
/// them. Reductions with later readers come first, each phase in a loop of its
/// own; the stores are in the last loop. A phase recomputes its inputs from the
/// loads.
class RollSchedule {
public:
  /// Accesses that the tokens of a member represent: those of other operations,
  /// and members.
  struct Order {
    llvm::SmallSetVector<mlir::Value, 4> outside;
    llvm::SmallSetVector<mlir::Operation *, 4> members;
  };
  /// A load that a later loop repeats, and a store that follows the whole load
  /// in the program and might write the reloaded memory.
  struct Conflict {
    mlir::Operation *load, *store;
  };

  /// False with `fault` when no order of loops has the effect of the program.
  bool build(const RollComponent &component, RollFault &fault);

  unsigned getNumPhases() const { return phases.size(); }
  /// Members that phase `i` executes, in the order of the block.
  llvm::ArrayRef<mlir::Operation *> getPhase(unsigned i) const {
    return phases[i];
  }
  /// Members whose result phase `i` is there for.
  bool isRoot(mlir::Operation *op, unsigned phase) const;
  /// Operations of the block that read results of phases and precede the last
  /// member: phase `i + 1` or a later one reads their results.
  llvm::ArrayRef<mlir::Operation *> getBetween(unsigned i) const {
    return between[i];
  }
  /// The others, which come after the last phase.
  llvm::ArrayRef<mlir::Operation *> getAfter() const { return after; }
  const Order &getOrder(mlir::Operation *access) const {
    return orders.find(access)->second;
  }
  llvm::ArrayRef<Conflict> getConflicts() const { return conflicts; }

private:
  bool assignLevels(RollFault &fault);
  bool collectDependents(RollFault &fault);
  bool resolveTokens(RollFault &fault);
  bool resolve(mlir::Value token, Order &order, RollFault &fault,
               mlir::Operation *access);
  void collectPhases();
  bool findConflicts(RollFault &fault);

  const RollComponent *component = nullptr;
  /// By members: the phase of reductions, the first possible one of others.
  llvm::SmallVector<unsigned> levels;
  /// Operations that are no members and need some, with the first phase that
  /// they can come before; in the order of the block.
  llvm::MapVector<mlir::Operation *, unsigned> dependents;
  unsigned last = 0;
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> phases;
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> between;
  llvm::SmallVector<mlir::Operation *> after;
  llvm::DenseMap<mlir::Operation *, Order> orders;
  llvm::SmallVector<Conflict> conflicts;
};

/// Returns whether each element of a slice is the business of one thread, the
/// same in both accesses.
bool haveSameThreads(mlir::Operation *first, mlir::Operation *second);

/// Returns whether both are accesses of views at the same coordinates, whose
/// elements are the business of the same threads and as wide, and share no
/// memory: of one memory object they touch the same elements.
bool haveSameTiles(mlir::Operation *first, mlir::Operation *second);

/// Returns whether both view accesses touch the same element of memory for the
/// same element of the tile, and no two elements of it share one.
bool haveSameElements(mlir::Operation *first, mlir::Operation *second);

} // namespace tileir

#endif // PASSES_TILEAS_ROLL_ROLLSCHEDULE_H
