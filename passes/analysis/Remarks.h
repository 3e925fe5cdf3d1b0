// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels by which passes tell what they did: remarks for users; decisions
// (TILEIR_DEBUG) and counts (TILEIR_STATISTICS) for who works on them, in every
// build. docs/develop/debugging.md says how they look.

#ifndef PASSES_ANALYSIS_REMARKS_H
#define PASSES_ANALYSIS_REMARKS_H

#include "dialects/support/RuntimeGates.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Debug.h"

namespace tileir {

/// Categories that the closed compiler has, too; names, kinds and texts in them
/// are its own. Ours have the name of the family that reports.
inline constexpr llvm::StringLiteral kMemoryRemarks = "Memory";
inline constexpr llvm::StringLiteral kTensorCoreRemarks = "Tensor-core";
inline constexpr llvm::StringLiteral kHintRemarks = "Hints";

/// A remark called `name` about `op`, in the function around it.
inline mlir::remark::RemarkOpts remarkAbout(mlir::Operation *op,
                                            llvm::StringRef name,
                                            llvm::StringRef category) {
  auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<mlir::FunctionOpInterface>();
  return mlir::remark::RemarkOpts::name(name).category(category).function(
      function ? function.getName() : llvm::StringRef());
}

/// Returns whether decisions of `type` are to be printed: TILEIR_DEBUG names
/// it, or LLVM's `--debug-only` does, where both builds have assertions.
inline bool isDebugged(const char *type) {
#ifndef NDEBUG
  if (::llvm::DebugFlag && ::llvm::isCurrentDebugType(type))
    return true;
#endif
  return gates::debugs(type);
}

/// Prints the place in a file that `loc` names first, as FILE:LINE:COLUMN; all
/// of it where there is none. Scopes for debuggers are left out.
void printPlace(llvm::raw_ostream &os, mlir::Location loc);

/// A decision as text, printed when it is complete, with the type in front of
/// each line.
class DecisionMessage {
public:
  explicit DecisionMessage(llvm::StringRef type) : type(type), stream(text) {}
  DecisionMessage(const DecisionMessage &) = delete;
  DecisionMessage &operator=(const DecisionMessage &) = delete;
  ~DecisionMessage();

  template <typename T> DecisionMessage &operator<<(const T &value) {
    if constexpr (std::is_convertible_v<T, mlir::Location>)
      printPlace(stream, value);
    else
      stream << value;
    return *this;
  }

private:
  llvm::StringRef type;
  std::string text;
  llvm::raw_string_ostream stream;
};

/// A counter of a pass, as TableGen makes it of a `Statistic`. Counts in every
/// build; MLIR's own counts only where LLVM has assertions. Behind the last
/// pass the sums of all that are not zero go to stderr, if TILEIR_STATISTICS
/// asks for them.
class PassStatistic : public mlir::Pass::Statistic {
public:
  PassStatistic(mlir::Pass *owner, const char *name, const char *description);
  PassStatistic(const PassStatistic &) = delete;
  ~PassStatistic();

  PassStatistic &operator=(uint64_t value);
  PassStatistic &operator+=(uint64_t more) { return *this = count + more; }
  PassStatistic &operator++() { return *this += 1; }
  operator uint64_t() const { return count; }

private:
  llvm::StringRef pass;
  const char *name, *description;
  uint64_t count = 0;
  /// True if LLVM counts: else nothing has initialised the base, which we may
  /// be built to believe.
  bool isCountedByLLVM;
};

} // namespace tileir

/// A stream for one decision: `TILEIR_LOG() << loop.getLoc() << ": kept";`. The
/// source defines DEBUG_TYPE, the argument of its pass or the name of its
/// analysis. What stands behind it is not evaluated unless it is printed.
#define TILEIR_LOG()                                                           \
  for (bool tileirLogs = ::tileir::isDebugged(DEBUG_TYPE); tileirLogs;         \
       tileirLogs = false)                                                     \
  ::tileir::DecisionMessage(DEBUG_TYPE)

#endif // PASSES_ANALYSIS_REMARKS_H
