// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of passes, in every build: remarks for users, decisions
// (TILEIR_DEBUG) and counts (TILEIR_STATISTICS) for compiler developers.
// docs/develop/debugging.md shows their format.

#ifndef PASSES_ANALYSIS_REMARKS_H
#define PASSES_ANALYSIS_REMARKS_H

#include "dialects/support/RuntimeGates.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Debug.h"

namespace tileir {

/// Categories that the closed compiler has, too; its names, kinds and texts are
/// kept in them. Our own categories are named after the reporting family.
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

/// Returns whether decisions of `type` are printed: TILEIR_DEBUG names it, or
/// LLVM's `--debug-only` does where both builds have assertions.
inline bool isDebugged(const char *type) {
#ifndef NDEBUG
  if (::llvm::DebugFlag && ::llvm::isCurrentDebugType(type))
    return true;
#endif
  return gates::debugs(type);
}

/// Prints the first file position of `loc` as FILE:LINE:COLUMN; the whole
/// location without one. Debug scopes are left out.
void printPlace(llvm::raw_ostream &os, mlir::Location loc);

/// Text of a decision, printed at once when complete, with the type before each
/// line.
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

/// A counter of a pass; TableGen makes it of a `Statistic`. It counts in every
/// build; MLIR's own counters need an LLVM with assertions. After the last pass
/// the totals other than zero go to stderr if TILEIR_STATISTICS asks for them.
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
  /// True if LLVM counts. Otherwise nothing has initialised the base class,
  /// whatever our build assumes.
  bool isCountedByLLVM;
};

} // namespace tileir

/// Stream for one decision: `TILEIR_LOG() << loop.getLoc() << ": kept";`. The
/// source defines DEBUG_TYPE, the argument of its pass or the name of its
/// analysis. The operands are not evaluated unless the decision is printed.
#define TILEIR_LOG()                                                           \
  for (bool tileirLogs = ::tileir::isDebugged(DEBUG_TYPE); tileirLogs;         \
       tileirLogs = false)                                                     \
  ::tileir::DecisionMessage(DEBUG_TYPE)

#endif // PASSES_ANALYSIS_REMARKS_H
