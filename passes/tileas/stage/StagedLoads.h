// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of a loop that may run ahead of it through shared memory.

#ifndef PASSES_TILEAS_STAGE_STAGEDLOADS_H
#define PASSES_TILEAS_STAGE_STAGEDLOADS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"
#include "passes/analysis/budgets/SharedMemoryBudget.h"
#include "passes/tileas/stage/TensorCopies.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// A load of the body of `loop` that becomes an asynchronous copy.
struct StagedLoad {
  mlir::Operation *load = nullptr;
  /// The values of its tile and of its completion. The tile may be the rounded
  /// one if the copy rounds.
  mlir::Value tile, token;
  /// Layout of the registers that the copy goes through, null for TMA; type of
  /// one slot.
  mlir::nv_tileas::LayoutAttr via;
  mlir::nv_tileas::BufferType slot;
  /// The layout in which the MMA reads scales; null for other loads.
  mlir::nv_tileas::LayoutAttr scaleLayout;
  /// True if its rows are stored in chunks of 32 bytes.
  bool hasWideChunks = false;
  /// True if the warp that issues tensor copies copies it, too.
  bool isByOneWarp = false;
  /// The dimension along which each CTA of a pair copies half of the tile.
  std::optional<unsigned> halvedDim;
  /// The map of a tensor copy.
  std::optional<TensorCopy> tensorCopy;

  /// Returns whether a wait for TMA copies covers it.
  bool isIssued() const { return tensorCopy || isByOneWarp; }
};

/// Loads with the same consumers and of the same kind: they fill one slot
/// together.
struct StagedGroup {
  llvm::SmallVector<StagedLoad, 2> loads;
  /// The first operation of the body that reads one of them, and the last.
  mlir::Operation *firstUse = nullptr, *lastUse = nullptr;
  /// Of the MMA that reads them first.
  mlir::nv_tileas::MmaKind kind = mlir::nv_tileas::MmaKind::Fma;
  /// True if several MMAs by single warps read one of the tiles.
  bool isReadByMany = false;

  /// Returns whether tensor copies fill the slot; one warp may copy the scales
  /// in it.
  bool usesTma() const { return loads.front().tensorCopy.has_value(); }
  /// Returns whether the MMA that reads them is in flight while threads go on.
  bool isAsync() const {
    return kind == mlir::nv_tileas::MmaKind::Wgmma ||
           kind == mlir::nv_tileas::MmaKind::Umma;
  }
  int64_t getSlotBytes() const;
  /// The smallest `latency` hint of the loads; 0 without one.
  int64_t getLatency() const;
  void print(llvm::raw_ostream &os) const;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const StagedGroup &group) {
  group.print(os);
  return os;
}

/// Places of loads for which a remark says already why they are no copies.
using ExplainedLoads = llvm::SmallDenseSet<mlir::Location>;

/// The groups of `loop`. A load that feeds a product and stays synchronous gets
/// a remark that says why, and is one of `explained` afterwards.
llvm::SmallVector<StagedGroup> findStagedGroups(mlir::scf::ForOp loop,
                                                unsigned numWarps,
                                                const Target &target,
                                                ExplainedLoads &explained);

/// Returns why tensor copies of two CTAs cannot deliver the operands of `dot`,
/// to which an MMA of a pair is assigned; empty if they can.
std::string checkPairedLoads(mlir::nv_tileas::DotOp dot, const Target &target);

/// Remarks that the loads of `group` stay synchronous for `reason`.
void reportSynchronous(const StagedGroup &group, llvm::StringRef reason,
                       ExplainedLoads &explained);

/// Returns what to change about an access that stays synchronous, or goes by
/// threads, for `reason`; nothing where it is not for the user to change.
llvm::StringRef getSuggestion(llvm::StringRef reason);

/// Remarks why the other loads of tiles in loops of `func` stay synchronous.
void reportOtherLoads(mlir::nv_tileaa::FuncOp func, ExplainedLoads &explained);

/// Shared memory left beside the buffers of `func` and the mbarriers of its
/// pipelines; with a `loop`, beside the buffers that are live while it runs.
SharedMemoryBudget getStagingBudget(mlir::nv_tileaa::FuncOp func,
                                    const Target &target,
                                    mlir::scf::ForOp loop = {});

/// Returns why no thread or unit can copy `load` asynchronously: its memory
/// semantics, padding or addressing; empty if one can.
std::string checkCopiedAccess(mlir::Operation *load);

/// The token from outside of `loop` that a staged load of its body waits for;
/// null without one.
mlir::Value getInputToken(mlir::Operation *load, mlir::scf::ForOp loop);

/// The tile that threads store to `buffer`, if dots are its only readers; null
/// otherwise.
mlir::Value getStoredTile(mlir::Value buffer);

/// Returns whether `op` gives the elements of a tile other places only.
bool isRename(mlir::Operation *op);

/// The type of `slot` after `rename` has renamed the elements of its tile.
mlir::nv_tileas::BufferType getRenamedSlot(mlir::nv_tileas::BufferType slot,
                                           mlir::Operation *rename);

/// Returns whether `op` rounds f32 to tf32 in the way TMA does.
bool isCopyRounding(mlir::Operation *op);

} // namespace tileir

#endif // PASSES_TILEAS_STAGE_STAGEDLOADS_H
