// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_AXISINFO_H
#define PASSES_ANALYSIS_AXISINFO_H

#include "mlir/IR/Value.h"
#include "mlir/Support/TypeID.h"

#include <memory>
#include <optional>

namespace mlir {
class DataFlowSolver;
} // namespace mlir

namespace tileir {

/// Facts about one dimension of a tile; all numbers are powers of two.
struct AxisFacts {
  /// Largest divisor, in 64 bits with a sign: the divisor of zero.
  static constexpr int64_t kMaxDivisor = int64_t(1) << 62;

  /// Length of aligned runs in which each element is its predecessor plus one,
  /// or plus the pointee's bytes for pointers.
  int64_t contiguity = 1;
  /// Divisor of the first element of each such run (bytes for pointers).
  int64_t divisibility = 1;
  /// Length of aligned runs of equal elements.
  int64_t constancy = 1;

  bool operator==(const AxisFacts &other) const {
    return contiguity == other.contiguity &&
           divisibility == other.divisibility && constancy == other.constancy;
  }
};

/// Facts about the elements of an integer or pointer tile. A scalar has one
/// pseudo-dimension; a memref or view has the facts of its base address.
class AxisInfo {
public:
  /// The bottom of the lattice: nothing is known yet.
  AxisInfo() = default;
  explicit AxisInfo(llvm::ArrayRef<AxisFacts> dims,
                    std::optional<int64_t> constant = std::nullopt)
      : dims(dims.begin(), dims.end()), constant(constant) {}

  /// Returns the facts that hold for every value of `type`.
  static AxisInfo getUnknown(mlir::Type type);
  /// All elements of `type` equal `value`.
  static AxisInfo getConstant(mlir::Type type, int64_t value);
  /// All elements of `type` are multiples of `divisor`.
  static AxisInfo getMultiple(mlir::Type type, int64_t divisor);

  bool isInitialized() const { return !dims.empty(); }
  unsigned getRank() const { return dims.size(); }
  llvm::ArrayRef<AxisFacts> getDims() const { return dims; }
  const AxisFacts &getDim(unsigned d) const { return dims[d]; }
  int64_t getContiguity(unsigned d) const { return dims[d].contiguity; }
  int64_t getDivisibility(unsigned d) const { return dims[d].divisibility; }
  int64_t getConstancy(unsigned d) const { return dims[d].constancy; }
  /// The value that all elements have, when it is known.
  std::optional<int64_t> getConstant() const { return constant; }

  /// Divisor of every element whose position along `d` is a multiple of `run`;
  /// the elements of a run step by `step`.
  int64_t getDivisibilityAt(unsigned d, int64_t run, int64_t step = 1) const;
  bool operator==(const AxisInfo &other) const {
    return dims == other.dims && constant == other.constant;
  }
  bool operator!=(const AxisInfo &other) const { return !(*this == other); }
  void print(llvm::raw_ostream &os) const;

  /// Returns the facts that hold for the values of both; `step` is their run
  /// step.
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs, int64_t step);

private:
  llvm::SmallVector<AxisFacts, 2> dims;
  std::optional<int64_t> constant;
};

/// Distance between two elements of a contiguous run: the pointee's bytes for
/// pointers, 1 for integers.
int64_t getRunStep(mlir::Type type);

/// Divisibility, contiguity and constancy of the integer and pointer tiles of
/// one function in `nv_tileaa`, through loops and branches.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *func);
  ~AxisInfoAnalysis();

  /// Facts of `value`, never weaker than what its type implies.
  AxisInfo get(mlir::Value value) const;

  /// Number of elements along dimension `d` that one vector access through the
  /// pointer tile `ptr` may cover, at most `maxBytes`; `mask` may be null.
  int64_t getVectorElements(mlir::Value ptr, mlir::Value mask, unsigned d,
                            int64_t maxBytes = 16) const;
  /// Alignment in bytes of the base of a memref or view.
  int64_t getBaseAlignment(mlir::Value memref) const;

  /// Prints one line for each integer or pointer tile: its location and its
  /// facts.
  void print(llvm::raw_ostream &os) const;

private:
  mlir::Operation *func;
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace tileir

MLIR_DECLARE_EXPLICIT_TYPE_ID(tileir::AxisInfoAnalysis)

#endif // PASSES_ANALYSIS_AXISINFO_H
