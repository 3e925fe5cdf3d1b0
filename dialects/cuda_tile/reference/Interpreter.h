// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle: runs a kernel at tile level and says what it does wrong.

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

/// An operation in its source, as a tile block executes it.
struct Place {
  mlir::Operation *op = nullptr;
  std::string file;
  unsigned line = 0, column = 0; ///< 0 where the source is not known.
  std::array<uint32_t, 3> block{};

  /// `file:line:column`; empty where the source is not known.
  std::string source() const;
};

struct Finding : Place {
  std::string kind;
  std::string message;
  /// The other access of a race.
  std::optional<Place> other;
  /// A race of a tile block with itself, which a token would end.
  bool isWithinBlock = false;
  unsigned count = 1;
};

struct RunOptions {
  std::array<uint32_t, 3> grid{1, 1, 1};
  /// Seeds the order of tile blocks and the values that the dialect leaves
  /// open.
  uint64_t seed = 0;
  /// Run the tile blocks in the order of their numbers.
  bool inOrder = false;
  /// Lets accesses that no token orders happen late.
  std::optional<uint64_t> weakMemory;
  /// Operations that all tile blocks together may execute; 0 is no bound.
  uint64_t maxOps = 0;
  /// Follows how far another right implementation may differ: in the order of
  /// sums, in functions that are only so exact. Not together with `weakMemory`.
  bool tracksErrors = false;
  /// A tile that leaves the tensor where `inbounds` denies it is a fault, no
  /// note.
  bool checksInbounds = false;
  /// Gets a line for each operation with its results.
  llvm::raw_ostream *trace = nullptr;
};

/// One run of a kernel. Memory is set up before and read after.
class Run {
public:
  Run(mlir::cuda_tile::EntryOp entry, const RunOptions &options);

  Memory memory;
  /// Names of the entry's parameters, for messages; may be left out.
  std::vector<std::string> parameterNames;
  std::vector<Finding> findings;
  /// After a run: broken promises that change nothing, tiles that leave their
  /// tensor and false assumptions of values that nothing depends on.
  std::vector<Finding> notes;
  std::string printed;

  /// Runs all tile blocks on arguments that are raw bits of scalars.
  void execute(llvm::ArrayRef<uint64_t> arguments);

  /// Reports a fault at `op`; faults of one kind at one place are counted.
  void report(mlir::Operation *op, const std::array<uint32_t, 3> &block,
              llvm::StringRef kind, const llvm::Twine &message);
  /// Reports that `op`, about to read or write `byte` of an allocation, races
  /// with an earlier event.
  void reportRace(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                  bool isWrite, const Event &earlier, bool earlierWrote,
                  const Allocation &allocation, uint64_t byte);

  /// Notes that a tile leaves the tensor in spite of the program's promise. It
  /// is clipped, as tensor maps do it.
  void reportOverhang(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                      const llvm::Twine &message);

  /// Notes that an assumption is false. It is a fault as soon as an access or a
  /// branch depends on the value. Returns the number of the assumption.
  unsigned doubt(mlir::Operation *op, const std::array<uint32_t, 3> &block,
                 const llvm::Twine &message);
  bool hasDoubts() const { return !doubts.empty(); }
  /// Reports the assumptions of these numbers as faults, once each.
  void reportDoubts(const Doubts &numbers);

  uint64_t random() { return generator(); }

  const RunOptions options;
  mlir::cuda_tile::EntryOp entry;
  /// The kernel has no operation by which tile blocks could synchronise: they
  /// need not take turns.
  bool isFreeOfSync = true;
  /// Per address of an element, what the last release there, and the atomics
  /// after it, pass on to who acquires it.
  std::unordered_map<uint64_t, std::shared_ptr<const Clock>> released;
  /// Of all tile blocks; number 0 is none.
  std::vector<Event> events{1};
  std::vector<Readers> readers{1};
  /// Nothing can go on after a fault of this run.
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
  /// The parameter whose array `op` accesses, which lies in `allocation`.
  std::optional<unsigned> findArray(mlir::Operation *op,
                                    const Allocation &allocation);
  static void add(std::vector<Finding> &findings, Finding finding);

  std::mt19937_64 generator;
  /// Raw bits of the entry's arguments.
  std::vector<uint64_t> arguments;
  std::vector<Doubt> doubts;
  std::unordered_map<mlir::Operation *, unsigned> doubtOf;
};

/// Returns whether the oracle has a meaning for an operation of that name.
bool canExecute(mlir::OperationName name);

} // namespace tileir::reference

#endif // DIALECTS_CUDA_TILE_REFERENCE_INTERPRETER_H
