// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of the loops of functions, and schedules that satisfy them.
// Numbers on anchors and a fingerprint on functions mark the IR. The IR, not
// the list of passes that ran, decides whether the analysis still holds.
#ifndef PASSES_TILEAS_SCHEDULE_SCHEDULEANALYSIS_H
#define PASSES_TILEAS_SCHEDULE_SCHEDULEANALYSIS_H

#include "passes/tileas_schedule/graph/LoopGraph.h"
#include "passes/tileas_schedule/solver/ResourceUsage.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/AnalysisManager.h"

namespace tileir {

/// Options of `tileas-generate-schedule-constraints`.
struct ScheduleOptions {
  schedule::Options solver;
  /// Warps of a function without an attribute; 0 means 4.
  unsigned numWarps = 0;
  /// Empty: read from the module.
  std::string computeCapability;
  bool randomDelay = false;
  uint64_t randomDelaySeed = 0;

  /// Returns the options as they are recorded on functions.
  mlir::DictionaryAttr getDictionary(mlir::MLIRContext *context) const;
};

class ScheduleAnalysis {
public:
  /// Creates an empty analysis; `populate` fills it.
  explicit ScheduleAnalysis(mlir::Operation *root) : root(root) {}

  /// An operation that was an anchor when the graph was built.
  struct Anchor {
    mlir::OperationName name;
    bool hasEffects;
    /// Anchors that read its results in the same iteration.
    llvm::SmallVector<int> users;
  };

  struct Region {
    /// The number of the first anchor; the other anchors count on from it.
    int first = 0;
    llvm::SmallVector<Anchor> anchors;
    /// The problem as built from the IR.
    schedule::Problem problem;
    /// The solved problem, with random delays and the constraints that the
    /// search added.
    schedule::Constrained solution;
    unsigned numClamped = 0;
    /// Set by the last successful `revalidate`.
    mlir::scf::ForOp loop;
    /// The operation of each node; null if it was erased.
    llvm::SmallVector<mlir::Operation *> ops;

    bool isWhole() const { return !llvm::is_contained(ops, nullptr); }
  };

  struct Function {
    std::string name;
    Target target;
    unsigned numWarps;
    uint64_t fingerprint = 0;
    std::vector<Region> regions;
    /// Set by the last successful `revalidate`.
    mlir::Operation *op = nullptr;
  };

  /// Builds the graphs of all functions, solves them and marks the IR.
  mlir::LogicalResult populate(const ScheduleOptions &options);
  /// Returns whether the IR still matches the graphs; moved non-anchor
  /// operations and erased unused results are allowed. Binds loops and
  /// operations again.
  bool revalidate();
  /// Hook of the analysis manager.
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &preserved);

  /// Prints one line for each function and one for each of its loops.
  void print(llvm::raw_ostream &os) const;
  friend llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                       const ScheduleAnalysis &analysis) {
    analysis.print(os);
    return os;
  }

  const ScheduleOptions &getOptions() const { return options; }
  std::vector<Function> &getFunctions() { return functions; }

private:
  mlir::LogicalResult populate(mlir::FunctionOpInterface func);
  bool revalidate(Function &function, mlir::FunctionOpInterface func);
  void stamp(Function &function);

  mlir::Operation *root;
  ScheduleOptions options;
  std::vector<Function> functions;
};

/// Returns the functions with a body in `root`, `root` included, in order.
llvm::SmallVector<mlir::FunctionOpInterface>
getFunctions(mlir::Operation *root);

/// Returns whether `root` contains marks of a schedule.
bool hasStamps(mlir::Operation *root);

/// Removes the marks from `root` and from all operations in it.
void eraseStamps(mlir::Operation *root);

/// Solves `problem` under `options`; `symbol` is the function's name.
schedule::Constrained solveLoop(schedule::Problem problem,
                                const ScheduleOptions &options,
                                llvm::StringRef symbol);

} // namespace tileir

MLIR_DECLARE_EXPLICIT_TYPE_ID(tileir::ScheduleAnalysis)

#endif // PASSES_TILEAS_SCHEDULE_SCHEDULEANALYSIS_H
