// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle: an interpreter of kernels at tile level, which reports their
// faults.

#ifndef DIALECTS_CUDA_TILE_REFERENCE_INTERPRETER_H
#define DIALECTS_CUDA_TILE_REFERENCE_INTERPRETER_H

#include "dialects/cuda_tile/reference/Memory.h"
#include "dialects/cuda_tile/reference/Value.h"

#include <array>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace tileir::reference {

/// Source location of an operation, and the tile block that executes it.
struct Place {
  mlir::Operation *op = nullptr;
  std::string file;
  unsigned line = 0, column = 0; ///< 0 where the source is unknown.
  std::array<uint32_t, 3> block{};

  /// Returns `file:line:column`; empty where the source is unknown.
  std::string source() const;
};

struct Finding : Place {
  std::string kind;
  std::string message;
  /// The other access of a race.
  std::optional<Place> other;
  /// True for a race of a tile block with itself; a token would prevent it.
  bool isWithinBlock = false;
  unsigned count = 1;
};

struct RunOptions {
  std::array<uint32_t, 3> grid{1, 1, 1};
  /// Seed of the order of tile blocks and of the values that the dialect leaves
  /// open.
  uint64_t seed = 0;
  /// Runs the tile blocks in the order of their numbers.
  bool inOrder = false;
  /// Seed for delays of accesses that no token orders.
  std::optional<uint64_t> weakMemory;
  /// Maximum number of operations over all tile blocks; 0 is no limit.
  uint64_t maxOps = 0;
  /// Bounds the distance to any other correct implementation, which may sum in
  /// another order and has functions of limited accuracy. Incompatible with
  /// `weakMemory`.
  bool tracksErrors = false;
  /// A tile outside of the tensor in spite of `inbounds` is a fault, not a
  /// note.
  bool checksInbounds = false;
  /// Receives a line for each operation with its results.
  llvm::raw_ostream *trace = nullptr;
};

/// One run of a kernel. The caller initializes memory before and reads it
/// after.
class Run {
public:
  Run(mlir::cuda_tile::EntryOp entry, const RunOptions &options);

  Memory memory;
  /// Names of the entry's parameters, for messages; optional.
  std::vector<std::string> parameterNames;
  std::vector<Finding> findings;
  /// After a run: broken promises without consequences, that is tiles that
  /// leave their tensor and false assumptions about values on which nothing
  /// depends.
  std::vector<Finding> notes;
  std::string printed;

  /// Runs all tile blocks; `arguments` holds the raw bits of scalars.
  void execute(llvm::ArrayRef<uint64_t> arguments);

  /// Reports a fault at `op`; repeated faults of one kind at one location are
  /// counted.
  void report(mlir::Operation *op, const std::array<uint32_t, 3> &block,
              llvm::StringRef kind, const llvm::Twine &message);
  /// Reports a race between `op`, which is about to read or write `byte` of an
  /// allocation, and an earlier event.
  void reportRace(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                  bool isWrite, const Event &earlier, bool earlierWrote,
                  const Allocation &allocation, uint64_t byte);

  /// Notes that a tile leaves the tensor in spite of the program's promise. The
  /// tile is clipped, as by tensor maps.
  void reportOverhang(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                      const llvm::Twine &message);

  /// Notes that an assumption is false. It becomes a fault when an access or a
  /// branch depends on the value. Returns the number of the assumption.
  unsigned doubt(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                 const llvm::Twine &message);
  bool hasDoubts() const { return !doubts.empty(); }
  /// Reports the assumptions with these numbers as faults, once each.
  void reportDoubts(const Doubts &numbers);

  uint64_t random() { return generator(); }

  const RunOptions options;
  mlir::cuda_tile::EntryOp entry;
  /// True if the kernel has no operation by which tile blocks could
  /// synchronize: then they need not interleave.
  bool isFreeOfSync = true;
  /// By address of an element: the clock that the last release there, and later
  /// atomics, pass on to an acquire.
  std::unordered_map<uint64_t, std::shared_ptr<const Clock>> released;
  /// Events of all tile blocks; number 0 is none.
  std::vector<Event> events{1};
  std::vector<Readers> readers{1};
  /// True after a fault that ends the run.
  bool isStopped = false;
  uint64_t numOps = 0;

  /// Addresses of the globals of the module, by name.
  llvm::StringMap<uint64_t> globals;

private:
  struct Doubt {
    mlir::Operation *op;
    std::array<uint32_t, 3> block;
    std::string message;
    bool isReported = false;
  };
  Finding makeFinding(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                      llvm::StringRef kind, const llvm::Twine &message);
  /// The parameter whose array in `allocation` `op` accesses.
  std::optional<unsigned> findArray(mlir::Operation *op,
                                    const Allocation &allocation);
  static void add(std::vector<Finding> &findings, Finding finding);

  std::mt19937_64 generator;
  /// Raw bits of the entry's arguments.
  std::vector<uint64_t> arguments;
  std::vector<Doubt> doubts;
  std::unordered_map<mlir::Operation *, unsigned> doubtOf;
};

/// Returns whether the oracle can execute operations of this name.
bool canExecute(mlir::OperationName name);

} // namespace tileir::reference

#endif // DIALECTS_CUDA_TILE_REFERENCE_INTERPRETER_H
