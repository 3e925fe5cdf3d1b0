// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One tile block of a run: its values, its control state, and one function for
// each operation.

#ifndef DIALECTS_CUDA_TILE_REFERENCE_TILEBLOCK_H
#define DIALECTS_CUDA_TILE_REFERENCE_TILEBLOCK_H

#include "dialects/cuda_tile/reference/Interpreter.h"

namespace tileir::reference {

namespace ct = mlir::cuda_tile;

class TileBlock {
public:
  TileBlock(Run &run, std::array<uint32_t, 3> id, unsigned number);

  void start(llvm::ArrayRef<uint64_t> arguments);
  bool isFinished() const { return frames.empty(); }
  /// Clears the values of a finished block.
  void clear() {
    values.clear();
    pendings.clear();
  }

  /// Runs until the block ends, the run stops, or the next operation is a
  /// switch point for other blocks. Executes at least one operation.
  void runToSwitch();

  /// Memory order of an access.
  struct Order {
    /// True if it races with accesses of other tile blocks to the same memory,
    /// unless they are ordered.
    bool isWeak = true;
    /// The same towards accesses of its own tile block.
    bool isWeakWithin = true;
    bool acquires = false, releases = false;
    /// True for a read-modify-write, which continues a release sequence.
    bool isAtomic = false;
  };

private:
  /// A block of operations in execution.
  struct Frame {
    mlir::Block *block;
    mlir::Block::iterator next;
    /// The parent operation of the block.
    mlir::Operation *owner;
    /// Induction variable of a `for`.
    uint64_t induction = 0;
    std::vector<uint64_t> allocations;
  };

  /// A memory operation in token order.
  struct Step {
    uint32_t chain = 0, position = 0;
    std::shared_ptr<const TokenOrder> before;
    /// Its event, from the first access on.
    uint32_t event = 0;
    /// Cache for the next elements: bytes with this last writer and this list
    /// of readers do not race, and one list of readers becomes another.
    std::optional<std::pair<uint32_t, uint32_t>> harmless;
    llvm::SmallDenseMap<uint32_t, uint32_t, 1> withThis;
  };

  /// A memory operation that is delayed.
  struct Pending {
    mlir::Operation *op = nullptr;
    Step step;
    llvm::DenseMap<mlir::Value, RuntimeValue> operands;
    std::vector<unsigned> after;
    std::shared_ptr<const Tile> result;
    bool isDone = false;
  };

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  const RuntimeValue &value(mlir::Value value);
  const Tile &get(mlir::Value value);
  const View &view(mlir::Value value);
  uint64_t scalar(mlir::Value value) { return get(value).bits.front(); }
  void set(mlir::Value value, Tile tile);
  void set(mlir::Value value, View view);
  void copy(mlir::Value to, mlir::Value from) {
    RuntimeValue known = value(from);
    values[to] = std::move(known);
  }
  /// A tile with unknown elements.
  Tile openTile(mlir::Value value);
  /// The first element of the slice of `whole` at the indices; none, after a
  /// report, when there is no such slice.
  std::optional<int64_t> findPiece(mlir::Operation *op, ct::TileType whole,
                                   ct::TileType piece,
                                   mlir::ValueRange indices);
  void copyAll(mlir::ValueRange to, mlir::ValueRange from);
  Tile makeTile(mlir::Value value) {
    return Tile(mlir::cast<ct::TileType>(value.getType()));
  }

  void report(mlir::Operation *op, llvm::StringRef kind,
              const llvm::Twine &message) {
    run.report(op, id, kind, message);
  }
  /// Reports a fault that ends the run.
  void stop(mlir::Operation *op, llvm::StringRef kind,
            const llvm::Twine &message) {
    report(op, kind, message);
    run.isStopped = true;
  }
  /// Reports undefined behaviour at an element and leaves its value open.
  void undefined(mlir::Operation *op, Tile &result, size_t index,
                 const llvm::Twine &message);
  /// Returns whether an element that decides `what` is open. This is a fault of
  /// kind `init`, or `inexact` where errors leave it open.
  bool isOpen(mlir::Operation *op, const Tile &tile, size_t index,
              const llvm::Twine &what);
  bool decides(mlir::Operation *op, mlir::Value value, llvm::StringRef what);

  //===--------------------------------------------------------------------===//
  // Execution
  //===--------------------------------------------------------------------===//

  using Handler = void (*)(TileBlock &, mlir::Operation *);
  using Handlers = llvm::DenseMap<mlir::TypeID, Handler>;
  friend bool canExecute(mlir::OperationName name);
  static const Handlers &handlers();
  template <typename... Ops> static void addHandlers(Handlers &table) {
    (table.try_emplace(mlir::TypeID::get<Ops>(),
                       [](TileBlock &block, mlir::Operation *op) {
                         block.eval(mlir::cast<Ops>(op));
                       }),
     ...);
  }

  void runNext();
  void execute(mlir::Operation *op);
  /// Passes the doubts of operands to results, or reports them where an access
  /// depends on them.
  void passDoubts(mlir::Operation *op);
  /// Executes operations with regions, and terminators.
  bool executeControl(mlir::Operation *op);
  void enter(mlir::Region &region, mlir::Operation *owner);
  void leave();
  void leaveToLoop();
  void startIteration(ct::ForOp op, Frame &frame);
  bool isBelow(ct::ForOp op, uint64_t a, uint64_t b);
  void trace(mlir::Operation *op);

  /// Runs the pure body of a reduction on scalars.
  void evalBody(mlir::Block &body, llvm::ArrayRef<uint64_t> arguments,
                llvm::ArrayRef<uint8_t> marks, std::vector<uint64_t> &results,
                std::vector<uint8_t> &resultMarks);
  template <typename OpTy>
  void evalAggregate(OpTy op, bool keepsAll, bool isReverse);

  //===--------------------------------------------------------------------===//
  // Errors (ErrorBounds.cpp)
  //===--------------------------------------------------------------------===//

  /// Bounds the errors of the results of an operation on elements.
  void boundErrors(mlir::Operation *op);
  void boundAggregate(mlir::Operation *op, int64_t dim, bool keepsAll,
                      bool isReverse, llvm::ArrayRef<Tile> sources,
                      llvm::MutableArrayRef<Tile> results);
  /// `term(batch, i, j, k)` gives the value and the error of one
  /// multiplication.
  static void
  boundMma(const Tile &lhs, const Tile &acc, Tile &result,
           llvm::function_ref<std::pair<double, double>(int64_t, int64_t,
                                                        int64_t, int64_t)>
               term);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// Delays a weak access, or executes the operations for which its token
  /// waits. Returns whether it was delayed.
  bool defer(mlir::Operation *op, mlir::Value token, mlir::Value resultToken,
             mlir::Value result, bool isWeak);
  /// The position of a memory operation after `token`, and the order of its
  /// result token.
  std::pair<Step, std::shared_ptr<const TokenOrder>>
  placeStep(mlir::Value token);
  void force(unsigned id);
  void forceAll();

  /// State of one element in memory.
  struct Element {
    uint64_t bits = 0;
    bool isMarked = false;
    double error = 0;

    static Element of(const Tile &tile, size_t index) {
      return {tile.bits[index], tile.isMarked(index), tile.errorAt(index)};
    }
    void giveTo(Tile &tile, size_t index) const {
      tile.bits[index] = bits;
      if (isMarked)
        tile.mark(index);
      tile.setError(index, error);
    }
  };
  /// Loads and stores one element, for the tile's element `index`. `nibble`
  /// selects the half of a byte for a 4-bit element. Returns false after a
  /// fault.
  bool loadElement(mlir::Operation *op, mlir::Type type, uint64_t address,
                   unsigned nibble, const Order &order, size_t index,
                   Element &value);
  bool storeElement(mlir::Operation *op, mlir::Type type, uint64_t address,
                    unsigned nibble, const Order &order, size_t index,
                    const Element &value);
  /// Combines the old element with the operand of an atomic.
  static Element combine(ct::AtomicRMWMode mode, mlir::Type type,
                         const Element &old, const Element &arg);
  Allocation *access(mlir::Operation *op, uint64_t address, unsigned size,
                     bool isWrite, const Order &order, size_t index);
  //===--------------------------------------------------------------------===//
  // Order of accesses (Races.cpp)
  //===--------------------------------------------------------------------===//

  void acquire(uint64_t address);
  void release(uint64_t address, const Order &order);
  void checkRace(mlir::Operation *op, Allocation &allocation, uint64_t offset,
                 unsigned size, bool isWrite, const Order &order);
  /// The event of the current operation.
  const Event &noteEvent(mlir::Operation *op, const Order &order);
  bool happenedBefore(const Event &event) const;
  /// Returns the event with which an access of event `self` races, and whether
  /// this event wrote.
  std::optional<std::pair<uint32_t, bool>>
  findRace(const Event &self, uint32_t writer, uint32_t readers) const;
  /// Adds the current event to the list of readers.
  uint32_t addReader(const Event &self, uint32_t readers);

  /// Calls `visit` with each element of the tile at `indices` of a view: its
  /// number, and its number in the tensor if it is inside. `inbounds` are the
  /// dimensions that the program promises not to leave.
  void forEachElement(
      mlir::Operation *op, ct::TileView type, const View &view,
      mlir::ValueRange indices, std::optional<llvm::ArrayRef<bool>> inbounds,
      llvm::function_ref<bool(size_t, std::optional<uint64_t>)> visit);
  template <typename Op>
  void loadThroughView(Op op, mlir::TypedValue<ct::TileType> result);
  template <typename Op>
  void reduceIntoView(Op op, ct::AtomicRMWMode mode, const Tile &tile);
  std::vector<uint64_t> indexSpace(ct::TileView type, const View &view);
  template <typename Op> void storeThroughView(Op op, const Tile &tile);
  void passToken(mlir::Value token, mlir::Value result);

  //===--------------------------------------------------------------------===//
  // One function per operation
  //===--------------------------------------------------------------------===//

  // Functions in FloatEval.cpp.
  void eval(ct::AbsFOp op);
  void eval(ct::NegFOp op);
  void eval(ct::CeilOp op);
  void eval(ct::FloorOp op);
  void eval(ct::AddFOp op);
  void eval(ct::SubFOp op);
  void eval(ct::MulFOp op);
  void eval(ct::DivFOp op);
  void eval(ct::FmaOp op);
  void eval(ct::RemFOp op);
  void eval(ct::MaxFOp op);
  void eval(ct::MinFOp op);
  void eval(ct::CosOp op);
  void eval(ct::CosHOp op);
  void eval(ct::SinOp op);
  void eval(ct::SinHOp op);
  void eval(ct::TanOp op);
  void eval(ct::TanHOp op);
  void eval(ct::ExpOp op);
  void eval(ct::Exp2Op op);
  void eval(ct::LogOp op);
  void eval(ct::Log2Op op);
  void eval(ct::SqrtOp op);
  void eval(ct::RsqrtOp op);
  void eval(ct::PowOp op);
  void eval(ct::FPowIOp op);
  void eval(ct::Atan2Op op);
  void eval(ct::CmpFOp op);
  void eval(ct::MmaFOp op);
  void eval(ct::MmaFScaledOp op);

  // Functions in IntegerEval.cpp.
  void eval(ct::AbsIOp op);
  void eval(ct::NegIOp op);
  void eval(ct::AddIOp op);
  void eval(ct::SubIOp op);
  void eval(ct::MulIOp op);
  void eval(ct::MulhiIOp op);
  void eval(ct::DivIOp op);
  void eval(ct::RemIOp op);
  void eval(ct::ShLIOp op);
  void eval(ct::ShRIOp op);
  void eval(ct::MaxIOp op);
  void eval(ct::MinIOp op);
  void eval(ct::AndIOp op);
  void eval(ct::OrIOp op);
  void eval(ct::XOrIOp op);
  void eval(ct::CmpIOp op);
  void eval(ct::MmaIOp op);
  void eval(ct::ExtIOp op);
  void eval(ct::TruncIOp op);
  void eval(ct::FToFOp op);
  void eval(ct::FToIOp op);
  void eval(ct::IToFOp op);
  void eval(ct::BitcastOp op);
  void eval(ct::IntToPtrOp op);
  void eval(ct::PtrToIntOp op);
  void eval(ct::PtrToPtrOp op);

  // Functions in CoreEval.cpp.
  void eval(ct::ConstantOp op);
  void eval(ct::IotaOp op);
  void eval(ct::BroadcastOp op);
  void eval(ct::ReshapeOp op);
  void eval(ct::PermuteOp op);
  void eval(ct::CatOp op);
  void eval(ct::ExtractOp op);
  void eval(ct::InsertOp op);
  void eval(ct::OffsetOp op);
  void eval(ct::PackOp op);
  void eval(ct::UnpackOp op);
  void eval(ct::SelectOp op);
  void eval(ct::GetTileBlockIdOp op);
  void eval(ct::GetNumTileBlocksOp op);
  void eval(ct::GetGlobalOp op);
  void eval(ct::ReduceOp op);
  void eval(ct::ScanOp op);
  void eval(ct::AssumeOp op);
  void eval(ct::AssertOp op);
  void eval(ct::PrintTkoOp op);

  // Functions in MemoryEval.cpp.
  void eval(ct::MakeTokenOp op);
  void eval(ct::JoinTokensOp op);
  void eval(ct::GdcWaitTkoOp op);
  void eval(ct::GdcLaunchDependentsTkoOp op);
  void eval(ct::MemoryFenceAliasTkoOp op);
  void eval(ct::AllocaOp op);
  void eval(ct::LoadPtrTkoOp op);
  void eval(ct::StorePtrTkoOp op);
  void eval(ct::AtomicRMWTkoOp op);
  void eval(ct::AtomicCASTkoOp op);
  void eval(ct::AtomicRedViewTkoOp op);
  void eval(ct::MakeTensorViewOp op);
  void eval(ct::MakePartitionViewOp op);
  void eval(ct::MakeStridedViewOp op);
  void eval(ct::MakeGatherScatterViewOp op);
  void eval(ct::GetTensorShapeOp op);
  void eval(ct::GetIndexSpaceShapeOp op);
  void eval(ct::LoadViewTkoOp op);
  void eval(ct::StoreViewTkoOp op);
  void eval(ct::MultimemLoadReduceViewTkoOp op);
  void eval(ct::MultimemReduceViewTkoOp op);
  void eval(ct::MultimemStoreViewTkoOp op);

  Run &run;
  std::array<uint32_t, 3> id;
  unsigned number;
  std::vector<Frame> frames;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
  std::vector<Pending> pendings;
  std::mt19937_64 weakGenerator;
  Clock clock;
  /// Number of releases of this block that it has acquired again.
  uint32_t returned = 0;
  /// Lengths of the token chains of this block.
  std::vector<uint32_t> chains;
  /// The current memory operation.
  Step step;
  /// Clock that the current operation has released, if any.
  std::shared_ptr<const Clock> snapshot;
  /// The delayed operation in execution.
  Pending *current = nullptr;
};

} // namespace tileir::reference

#endif // DIALECTS_CUDA_TILE_REFERENCE_TILEBLOCK_H
