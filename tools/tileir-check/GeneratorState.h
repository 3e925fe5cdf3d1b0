// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of a kernel under construction.

#ifndef TOOLS_TILEIR_CHECK_GENERATORSTATE_H
#define TOOLS_TILEIR_CHECK_GENERATORSTATE_H

#include "tools/tileir-check/Elementwise.h"
#include "tools/tileir-check/Generator.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>

namespace tileir::check {

using Shape = std::vector<int64_t>;

inline int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Returns the strides of a dense tensor in row-major order.
inline Shape stridesOf(const Shape &shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

inline int64_t powerAbove(int64_t count) {
  int64_t power = 1;
  while (power < count)
    power *= 2;
  return power;
}

struct TileType {
  std::string element;
  Shape shape;

  friend bool operator==(const TileType &a, const TileType &b) {
    return a.element == b.element && a.shape == b.shape;
  }
  friend bool operator!=(const TileType &a, const TileType &b) {
    return !(a == b);
  }
  int64_t count() const { return countOf(shape); }
};

/// A value of the kernel and the known properties of its elements.
struct Value {
  mlir::Value ssa;
  TileType type;
  /// Integers: all elements are in [low, high], read as signed.
  std::optional<std::array<int64_t, 2>> range;

  bool isBelow(int64_t limit) const {
    return range && (*range)[0] >= 0 && (*range)[1] < limit;
  }
  operator mlir::Value() const { return ssa; }
};

/// Values as operands.
using Values = std::vector<mlir::Value>;

/// A buffer argument.
struct Buffer {
  std::string name, element;
  int64_t count = 0;
  std::string init;
  uint64_t seed = 0;
  bool isOutput = false;
  mlir::Value base;
};

/// Elements that may be accessed from a pointer on.
struct Place {
  mlir::Value base;
  std::string element;
  int64_t room = 0;
};

class Generator {
public:
  Generator(uint64_t seed, Kind kind, mlir::MLIRContext *context)
      : kind(kind), random(seed ^ 0x7469'6c65'6972ull), builder(context) {}

  RandomKernel run();
  int64_t countElements() const;

private:
  //===--------------------------------------------------------------------===//
  // Chance
  //===--------------------------------------------------------------------===//

  int64_t below(int64_t limit) { return int64_t(random.next() % limit); }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T> T oneOf(std::initializer_list<T> list) {
    return *(list.begin() + below(int64_t(list.size())));
  }
  std::string oneOf(std::initializer_list<const char *> list) {
    return *(list.begin() + below(int64_t(list.size())));
  }
  template <typename T> const T &oneOf(const std::vector<T> &list) {
    return list[below(int64_t(list.size()))];
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// Adds an operation at the end of the innermost region.
  template <typename Op, typename... Args> Op emit(Args &&...args) {
    ++numOps;
    return Op::create(builder, builder.getUnknownLoc(),
                      std::forward<Args>(args)...);
  }
  mlir::Value emit(Elementwise op, llvm::ArrayRef<mlir::Value> operands,
                   const Modifiers &with = {}) {
    ++numOps;
    return op(builder, operands, with);
  }
  /// Like `emit`; later operations may use the result.
  template <typename Op, typename... Args>
  Value define(const TileType &type, Args &&...args) {
    return keep(derive<Op>(type, std::forward<Args>(args)...));
  }
  /// Like `emit`, for values that random operations must not use.
  template <typename Op, typename... Args>
  Value derive(const TileType &type, Args &&...args) {
    Op made = emit<Op>(typeOf(type), std::forward<Args>(args)...);
    return {made->getResult(0), type, std::nullopt};
  }
  Value keep(Value value) {
    pool.push_back(value);
    return value;
  }
  mlir::Type elementType(const std::string &element);
  ct::TileType typeOf(const TileType &type) {
    return ct::TileType::get(type.shape, elementType(type.element));
  }
  ct::TileType pointerTo(const std::string &element, const Shape &shape = {}) {
    return ct::TileType::get(shape, ct::PointerType::get(elementType(element)));
  }
  ct::TokenType tokenType() { return ct::TokenType::get(builder.getContext()); }
  mlir::TypedAttr number(const std::string &element, int64_t value);
  mlir::TypedAttr number(const std::string &element, double value) {
    return builder.getFloatAttr(elementType(element), value);
  }
  /// Returns elements in row-major order, or one for all.
  mlir::DenseIntOrFPElementsAttr
  elementsOf(const TileType &type, llvm::ArrayRef<mlir::Attribute> elements);

  //===--------------------------------------------------------------------===//
  // Values (GenerateValues.cpp)
  //===--------------------------------------------------------------------===//

  /// Returns a value of a type, an existing or a new one.
  Value get(const TileType &type);
  /// Returns an existing value, if any of the element types has one.
  const Value *find(const std::function<bool(const Value &)> &fits);
  Value constant(const TileType &type);
  Value integer(const std::string &element, int64_t value,
                const Shape &shape = {});
  Value convert(const Value &value, const std::string &element);
  Value convertInteger(const Value &value, const std::string &element);
  Value convertFloat(const Value &value, const std::string &element);
  Value floatToInteger(const Value &value, const std::string &element);
  /// Returns the value reduced to [0, limit), by a remainder unless its range
  /// is known.
  Value limited(const Value &value, int64_t limit);
  mlir::Attribute literal(const std::string &element);
  /// Returns a scalar integer below `limit`: an index within bounds.
  Value index(int64_t limit, const std::string &element = "i32");

  Value iota(const std::string &element, int64_t count);
  Value broadcastTo(const Value &value, const Shape &shape);
  Value reshaped(const Value &value, const Shape &shape);
  Value unary(Elementwise op, const Value &a, const Modifiers &with = {});
  Value binary(Elementwise op, const Value &a, const Value &b,
               const Modifiers &with = {});
  Value fma(const Value &a, const Value &b, const Value &c,
            const Modifiers &with = {});
  /// Integers are read as signed; floats compare as ordered.
  Value compare(ct::ComparisonPredicate predicate, const Value &a,
                const Value &b);
  Value chosen(const Value &which, const Value &yes, const Value &no);
  /// Returns a tile of one number.
  Value splat(double value, const TileType &type);

  void floatOp();
  void functionOp();
  void integerOp();
  Value positive(const TileType &type);
  void promisingOp();
  void compareOp();
  void conversionOp();
  void shapeOp();
  void catOp();
  void extractOp();
  void packOp();
  void insertOp();
  /// Returns the indices of a slice of a tile, whose shape is returned in
  /// `part`.
  Values partIndices(const Shape &whole, Shape &part);
  void nibbleOp();
  Value moveNibbles(const Value &narrow);
  void scaledMmaOp();
  void reduceOp();
  void scanOp();
  void affineOp();
  void tupleReduceOp();
  /// A combination of two elements and how it reads them.
  struct Combination {
    Elementwise op;
    Modifiers with;
  };
  void reducePlaces(Value value, size_t dim);
  static std::vector<Combination> combinationsOf(const std::string &element);
  mlir::TypedAttr identityOf(const Combination &combination,
                             const std::string &element);
  /// Returns the minimum of a type; for floats, negative infinity.
  mlir::TypedAttr leastOf(const std::string &element);
  /// Reduces one operand along one dimension by one operation.
  Value reduceBy(const Value &value, size_t dim, Elementwise op,
                 const Modifiers &with = {});
  /// Returns the results of a reduction, or of a scan in the order of
  /// `isReversed`. `body` gets an element and the accumulated value per
  /// operand.
  mlir::ValueRange
  aggregate(const std::vector<Value> &operands, size_t dim,
            std::optional<bool> isReversed,
            llvm::ArrayRef<mlir::Attribute> identities,
            const std::function<Values(mlir::Block::BlockArgListType)> &body);
  void mmaOp();
  Value matmul(const Value &a, const Value &b, const Value &c);
  void matmulLoop();
  void assumeOp();

  Modifiers roundingOf(const std::string &element, bool isDivision);
  Shape someShape();
  std::string someFloat();
  std::string someInteger(bool withBool = true);
  /// Returns any element type of tiles in memory except f4E2M1FN.
  std::string someElement();

  //===--------------------------------------------------------------------===//
  // Memory (GenerateMemory.cpp, GenerateAccesses.cpp)
  //===--------------------------------------------------------------------===//

  Buffer &newBuffer(const std::string &element, int64_t count, bool isOutput);
  Value scalarArgument(const std::string &element, int64_t value);
  /// Returns a scalar argument with some number of any type.
  Value numberArgument(const std::string &element);
  /// Fills an input with bits of all kinds.
  void fillWithBits(Buffer &buffer);
  /// Returns `room` elements of an output that belong to this tile block.
  Place ownPlace(const std::string &element, int64_t room,
                 const std::string &init = "zeros");
  Place shifted(const Place &place, int64_t shift);
  Place readPlace(const std::string &element, int64_t room);
  Place inputPlace(const std::string &element, int64_t room);
  Value load(const TileType &type);
  Value loadByPointers(const Place &place, const TileType &type);
  void store(const Value &value);
  /// Stores and loads again in another order, ordered by tokens.
  void roundTrip();
  void writeAll(const Place &place, const Value &value);
  Value readAll(const Place &place, const TileType &type);
  void sharedAtomic();
  void ownAtomic();
  void loadTable();
  Place allocated(const std::string &element, int64_t room);
  mlir::Value nibbleView(mlir::Value base, int64_t rows, int64_t columns,
                         int64_t parts, bool isTransposed);
  Value loadNibbles(int64_t count);
  void storeNibbles(const Value &value);
  void gridOp();

  /// A view and the indices of one of its tiles.
  struct ViewAccess {
    mlir::Value view;
    Values indices;
    /// Dimensions that may be marked in bounds.
    mlir::DenseBoolArrayAttr inbounds;
  };
  struct ViewRequest {
    TileType tile;
    bool isWritten = false, forReduction = false;
    /// The first index is the tile block's.
    bool byBlock = false;
    /// All elements, in row-major order.
    bool isPlain = false;
  };
  /// Layout of a view's tiles in its tensor, by dimension of the tile, except
  /// for `extents`.
  struct ViewLayout {
    bool isGather = false, isStrided = false;
    /// The dimension along which a gather selects single rows.
    size_t sparse = 0;
    /// The tensor's dimension.
    std::vector<int32_t> dimOf;
    Shape extents, counts, steps;
    /// Number of indices, which may exceed the number of tiles.
    Shape places;
    /// Dimensions in which no tile exceeds the tensor, and whether all are
    /// such.
    std::vector<bool> inside;
    bool isInside = true;
  };
  ViewLayout layoutOf(const ViewRequest &request);
  void layDimension(const ViewRequest &request, ViewLayout &layout, size_t t);
  mlir::Value tensorFor(const ViewRequest &request, const Shape &extents,
                        const std::function<mlir::Value(int64_t)> &base);
  Value gatheredRows(const ViewRequest &request, const ViewLayout &layout);
  mlir::Value viewOf(mlir::Value tensor, const Shape &tile,
                     const ViewLayout &layout,
                     std::optional<ct::PaddingValue> padding);
  /// Calls `base` for the pointer once the span of the tensor is known.
  ViewAccess makeView(const ViewRequest &request,
                      const std::function<mlir::Value(int64_t)> &base);
  /// Returns a tensor view whose extents and strides are partly known at
  /// compile time.
  mlir::Value tensorView(const std::string &element, const Shape &extents,
                         const Shape &strides, mlir::Value base);
  mlir::Value partitionView(mlir::Value tensor, const Shape &tile,
                            std::optional<ct::PaddingValue> padding = {},
                            llvm::ArrayRef<int32_t> dimMap = {});
  static ct::Signedness signOf(bool isSigned) {
    return isSigned ? ct::Signedness::Signed : ct::Signedness::Unsigned;
  }
  ct::PaddingValueAttr padOf(std::optional<ct::PaddingValue> padding) {
    return padding ? ct::PaddingValueAttr::get(builder.getContext(), *padding)
                   : ct::PaddingValueAttr();
  }
  /// Returns `count` i32 types.
  std::vector<mlir::Type> scalars(size_t count);
  void keepSizes(mlir::Operation *op, const Shape &sizes);
  mlir::DenseI32ArrayAttr extentsOf(const Shape &shape) {
    return builder.getDenseI32ArrayAttr(
        llvm::SmallVector<int32_t>(shape.begin(), shape.end()));
  }

  /// Memory ordering of an access.
  struct Ordering {
    ct::MemoryOrderingSemantics semantics = ct::MemoryOrderingSemantics::WEAK;
    ct::MemoryScopeAttr scope;
  };
  /// `strongest` is `acquire` for loads and `release` for stores.
  Ordering order(ct::MemoryOrderingSemantics strongest);
  /// Emits a load without input token whose result token is unused.
  Value loadTile(mlir::Value view, const Values &indices, const TileType &type,
                 ct::OptimizationHintsAttr hints = {});
  Value loadElements(mlir::Value pointers, const TileType &type,
                     mlir::Value mask = {}, mlir::Value padding = {},
                     ct::OptimizationHintsAttr hints = {});
  /// Emits such a store; returns its token.
  mlir::Value storeTile(const Value &value, mlir::Value view,
                        const Values &indices, mlir::Value token = {},
                        ct::OptimizationHintsAttr hints = {});

  /// Returns pointers into a place; to different elements if `isUnique`. `room`
  /// is a power of two.
  mlir::Value pointers(const Place &place, const Shape &shape, bool isUnique);
  mlir::Value offset(mlir::Value pointers, mlir::Value distance) {
    return emit<ct::OffsetOp>(pointers, distance);
  }
  /// Broadcasts a scalar to all elements of a tile.
  mlir::Value spreadScalar(mlir::Value scalar, const Shape &shape);
  Value linearIndex(const Shape &shape, int64_t room, bool isUnique);
  Value mask(const Shape &shape);
  ct::OptimizationHintsAttr hints(bool forView);
  ct::DivByAttr divisibleBy(uint64_t divisor) {
    return ct::DivByAttr::get(builder.getContext(), divisor, std::nullopt,
                              std::nullopt);
  }
  /// Returns whether the pointer is a whole input.
  bool isInput(mlir::Value pointer) const;
  /// Makes the token of the last operation the chain's.
  void chain(mlir::Value next) { token = next; }
  /// Returns whether written memory may be used here: tokens order repeated
  /// execution.
  bool isOrdered() const {
    return !onlyReads && (loopDepth == 0 || tokenFlows);
  }

  //===--------------------------------------------------------------------===//
  // Control (GenerateControl.cpp)
  //===--------------------------------------------------------------------===//

  using Steps = std::vector<std::pair<int, void (Generator::*)()>>;
  /// Picks one of the steps by weight.
  void pickStep(const Steps &steps);
  void someOp();
  void mixedOp();
  void someOps(int64_t count);
  Value condition();
  void ifOp();
  void forOp();
  void loopOp();
  /// `for` over [low, high), and `loop`; `body` gets the region's arguments.
  using LoopBody = std::function<void(mlir::Block::BlockArgListType)>;
  mlir::ValueRange forLoop(const Value &low, const Value &high,
                           const Value &step, const Values &inits,
                           const LoopBody &body, bool isUnsigned = false);
  mlir::ValueRange openLoop(mlir::TypeRange results, const Values &inits,
                            const LoopBody &body);
  /// Emits `if`; its branches end in `yield` or leave.
  mlir::ValueRange branch(const Value &condition, mlir::TypeRange results,
                          const std::function<void()> &yes,
                          const std::function<void()> &no = {});
  void streamLoop();
  void earlyReturn();

  //===--------------------------------------------------------------------===//
  // Carried by control flow (GenerateCarried.cpp)
  //===--------------------------------------------------------------------===//

  /// Rows in memory from a pointer that control flow selects.
  struct Window {
    mlir::Value pointer;
    /// Their number, and its minimum.
    Value rows;
    int64_t minRows = 1;
  };
  std::optional<TileType> windowType();
  mlir::Value windowView(const Window &window, const TileType &tile,
                         bool isPadded);
  Values windowIndices(const Window &window, const TileType &tile);
  Value readWindow(const Window &window, const TileType &tile);
  Window chooseWindow(const TileType &tile, const std::vector<Place> &places,
                      int64_t maxRows, int64_t maxShift, unsigned nesting);
  Value combined(const Value &a, const Value &b);
  void branchPointerOp();
  void windowLoop();
  mlir::ValueRange
  countedLoop(const Value &zero, const Value &limit, const Value &one,
              const Values &carried, int64_t tripCount,
              const std::function<Values(mlir::ValueRange)> &advance);
  void exitNest();
  Value innerLoop(const TileType &type, const Value &limit);

  //===--------------------------------------------------------------------===//
  // Steered by memory (GenerateSteered.cpp)
  //===--------------------------------------------------------------------===//

  /// Rows in memory that a loop processes.
  struct WorkRows {
    TileType tile;
    int64_t count = 0;
    mlir::Value from, to;
  };
  mlir::Value elementAt(const Place &place, int64_t at);
  Value loadScalar(mlir::Value pointer, const std::string &element);
  Ordering atomicOrder();
  Value atomicScalar(
      mlir::Value pointer, ct::AtomicRMWMode mode, const Value &arg,
      std::optional<ct::MemoryOrderingSemantics> semantics = std::nullopt);
  Value hiddenScalar(const std::string &element, int64_t number);
  Value extractedElement(const Value &tile, const Value &at);
  Value flattened(const Value &tile);
  Value steeringScalar(int64_t limit);
  Value steeringCondition();
  WorkRows workRows(int64_t count);
  Value workOn(const WorkRows &rows, const Value &at, bool isStored);
  void queueLoop();
  void chaseLoop();
  void drainLoop();
  void casLoop();
  void lockSection();
  void flagWait();
  void steeredFor();
  void steeredNest();
  void guardedText();
  void printSome();
  void assertSome();
  void chainedDots();
  void steeredOp();
  void drawSteeredShapes();

  //===--------------------------------------------------------------------===//
  // Idioms of producers (GenerateIdioms.cpp)
  //===--------------------------------------------------------------------===//

  void idiomOp();
  void softmaxRows();
  void normRows();
  void onlineSoftmax();
  void gateRows();
  void rotateRows();
  /// Returns the indices of elements that begin at a multiple of `extent`.
  Value placesOf(const Value &tile, int64_t extent);
  /// Returns down[i] + right[j] for every i and j.
  Value outerSum(const Value &down, const Value &right, const Shape &shape);
  Value scaled(const Value &places, const Value &by);
  mlir::Value pointersAt(mlir::Value base, const Value &offsets) {
    return offset(spreadScalar(base, offsets.type.shape), offsets);
  }
  void pointerMatmul();
  void storeInside(const Value &value, const Value &atRow,
                   const Value &atColumn, const Value &numRows,
                   const Value &numColumns, int64_t room);
  void attentionStep();
  void crossEntropy();
  void compactRows();
  void persistentRows();
  Value spread(const Value &reduced, const Shape &shape, size_t dim);
  Value along(const Shape &shape, size_t dim);
  Value below(const Value &places, const Value &limit);
  Value exponential(const Value &value);
  std::optional<Value> someRows(size_t &dim);
  void keepNarrow(const Value &value);
  void assertOp();
  void printOp();
  void drawShapes();
  void readGrid();
  void storeLast();
  void globals();
  std::string caseText() const;
  ct::OptimizationHintsAttr entryHints();

  /// Emits a region; definitions inside go out of scope.
  template <typename Body> void inRegion(mlir::Block *block, Body body) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    size_t values = pool.size();
    mlir::Value outerToken = token;
    bool outerFlows = tokenFlows;
    ++depth;
    body();
    --depth;
    token = outerToken;
    tokenFlows = outerFlows;
    pool.erase(pool.begin() + values, pool.end());
  }

  Kind kind;
  cases::SplitMix64 random;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<ct::ModuleOp> module;
  ct::EntryOp entry;
  unsigned depth = 0, numOps = 0;
  std::vector<Value> pool;
  std::vector<Shape> shapes;
  std::array<int64_t, 3> grid{1, 1, 1};
  /// The same, as read by the kernel.
  std::array<mlir::Value, 3> gridValues;
  int64_t blocks = 1;
  /// The index of this tile block, a scalar.
  Value block;
  /// The last token of the chain that orders prints and written memory.
  mlir::Value token;
  unsigned loopDepth = 0;
  /// All surrounding loops carry the token.
  bool tokenFlows = true;
  /// The tile block that executes this depends on the others: it writes no
  /// memory of its own.
  bool onlyReads = false;

  struct Argument {
    bool isBuffer = false;
    size_t buffer = 0;
    std::string name, element;
    /// As spelled in the case.
    std::string value;
    mlir::Value ssa;
  };
  /// Adds a parameter of the kernel.
  void addArgument(Argument argument, ct::TileType type);
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
  std::vector<std::pair<std::string, cases::NpyArray>> files;

  struct Table {
    std::string name, element;
    int64_t count;
  };
  std::vector<Table> tables;
};

bool isFloat(const std::string &element);
inline bool isInteger(const std::string &element) { return !isFloat(element); }
inline bool isInteger(const Value &value) {
  return isInteger(value.type.element);
}
/// Returns whether the element type supports arithmetic.
bool isBaseFloat(const std::string &element);
int widthOf(const std::string &element);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_GENERATORSTATE_H
