// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constraints of the loops of functions, and schedules that satisfy them.
// The evidence on the IR are numbers on anchors and a fingerprint on functions;
// whether the analysis still holds is decided by what the IR says, not by which
// passes ran.
#ifndef PASSES_TILEAS_SCHEDULE_SCHEDULEANALYSIS_H
#define PASSES_TILEAS_SCHEDULE_SCHEDULEANALYSIS_H

#include "passes/tileas_schedule/LoopGraph.h"
#include "passes/tileas_schedule/solver/Pressures.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/AnalysisManager.h"

namespace tileir {

/// Options of `tileas-generate-schedule-constraints`.
struct ScheduleOptions {
  schedule::Options solver;
  /// Warps of a function that says nothing; 0: 4.
  unsigned numWarps = 0;
  /// Empty: as the module says.
  std::string computeCapability;
  bool randomDelay = false;
  uint64_t randomDelaySeed = 0;

  /// As they are recorded on functions.
  mlir::DictionaryAttr getDictionary(mlir::MLIRContext *context) const;
};

class ScheduleAnalysis {
public:
  /// Stores nothing; `populate` does.
  explicit ScheduleAnalysis(mlir::Operation *root) : root(root) {}

  /// Operation that was an anchor when the graph was built.
  struct Anchor {
    mlir::OperationName name;
    bool hasEffects;
    /// Anchors of the same iteration that read its results.
    llvm::SmallVector<int> users;
  };

  struct Region {
    /// The number of the first anchor; the others follow.
    int first = 0;
    llvm::SmallVector<Anchor> anchors;
    /// As the IR says.
    schedule::Problem problem;
    /// With random delays and what the search added.
    schedule::Constrained solution;
    unsigned numClamped = 0;
    /// Bound by the last successful `revalidate`.
    mlir::scf::ForOp loop;
    /// By node; null where the operation is gone.
    llvm::SmallVector<mlir::Operation *> ops;

    bool isWhole() const { return !llvm::is_contained(ops, nullptr); }
  };

  struct Function {
    std::string name;
    Target target;
    unsigned numWarps;
    uint64_t fingerprint = 0;
    std::vector<Region> regions;
    /// Bound by the last successful `revalidate`.
    mlir::Operation *op = nullptr;
  };

  /// Builds the graphs of all functions, solves them and marks the IR.
  mlir::LogicalResult populate(const ScheduleOptions &options);
  /// Returns whether the IR still is what the graphs were built from, but for
  /// glue that moved and results that nobody needed. Finds the operations
  /// again.
  bool revalidate();
  /// For the analysis manager.
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &preserved);

  /// One line for each function, one for each of its loops.
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

/// The functions with a body that are `root` or in it, in order.
llvm::SmallVector<mlir::FunctionOpInterface>
getFunctions(mlir::Operation *root);

/// Returns whether something in `root` is marked as scheduled.
bool hasStamps(mlir::Operation *root);

/// Removes the marks from `root` and all in it.
void eraseStamps(mlir::Operation *root);

/// Solves `problem` as `options` say; `symbol` is the function's name.
schedule::Constrained solveLoop(schedule::Problem problem,
                                const ScheduleOptions &options,
                                llvm::StringRef symbol);

} // namespace tileir

MLIR_DECLARE_EXPLICIT_TYPE_ID(tileir::ScheduleAnalysis)

#endif // PASSES_TILEAS_SCHEDULE_SCHEDULEANALYSIS_H
