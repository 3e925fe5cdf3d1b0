// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a kernel that is being written.

#ifndef TOOLS_TILEIR_CHECK_GENERATORSTATE_H
#define TOOLS_TILEIR_CHECK_GENERATORSTATE_H

#include "tools/tileir-check/Generator.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>

namespace tileir::check {

using Shape = std::vector<int64_t>;

inline int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
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

/// A value of the kernel and what is known of its elements.
struct Value {
  std::string name;
  TileType type;
  /// Integers: all elements lie in [low, high], read as signed.
  std::optional<std::array<int64_t, 2>> range;

  bool isBelow(int64_t limit) const {
    return range && (*range)[0] >= 0 && (*range)[1] < limit;
  }
};

/// A buffer argument.
struct Buffer {
  std::string name, element;
  int64_t count = 0;
  std::string init;
  uint64_t seed = 0;
  bool isOutput = false;
};

/// Elements that may be used from a pointer on.
struct Place {
  std::string base, element;
  int64_t room = 0;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed ^ 0x7469'6c65'6972ull) {}

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
  // Text
  //===--------------------------------------------------------------------===//

  std::string fresh() { return "%v" + std::to_string(nextValue++); }
  void line(const std::string &text) {
    body += std::string(indent, ' ') + text + "\n";
  }
  /// `%v = text`, a value that later operations may use.
  Value define(const std::string &text, const TileType &type);
  /// The same, for what random operations must not use: pointers.
  Value derive(const std::string &text, const TileType &type) {
    Value value{fresh(), type, std::nullopt};
    line(value.name + " = " + text);
    return value;
  }
  Value keep(Value value) {
    pool.push_back(value);
    return value;
  }
  static std::string text(const TileType &type);
  static std::string text(const Shape &shape, const char *separator = "x");
  static TileType pointerTo(const std::string &element, const Shape &shape) {
    return {"ptr<" + element + ">", shape};
  }

  //===--------------------------------------------------------------------===//
  // Values (GenerateValues.cpp)
  //===--------------------------------------------------------------------===//

  /// A value of a type: one that there is, or a new one.
  Value get(const TileType &type);
  /// One that there is, if any of the element types has one.
  const Value *find(const std::function<bool(const Value &)> &fits);
  Value constant(const TileType &type);
  Value integer(const std::string &element, int64_t value,
                const Shape &shape = {});
  Value convert(const Value &value, const std::string &element);
  /// The value in [0, limit), by a remainder where nothing is known.
  Value limited(const Value &value, int64_t limit);
  std::string literal(const std::string &element);
  /// A scalar integer below `limit`: an index that does not leave its range.
  Value index(int64_t limit, const std::string &element = "i32");

  Value iota(const std::string &element, int64_t count);
  Value broadcastTo(const Value &value, const Shape &shape);
  Value reshaped(const Value &value, const Shape &shape);
  Value binary(const std::string &op, const Value &a, const Value &b,
               const std::string &suffix = "");

  void floatOp();
  void functionOp();
  void integerOp();
  void promisingOp();
  void compareOp();
  void conversionOp();
  void shapeOp();
  void catOp();
  void extractOp();
  void packOp();
  void insertOp();
  /// The number of a part of a tile, whose shape becomes `part`.
  std::string partIndices(const Shape &whole, Shape &part);
  void nibbleOp();
  void scaledMmaOp();
  void reduceOp();
  void scanOp();
  void affineOp();
  void tupleReduceOp();
  /// One operand, one dimension, one operation.
  Value reduceBy(const Value &value, size_t dim, const std::string &op,
                 const std::string &suffix, const std::string &identity);
  void mmaOp();
  Value product(const Value &a, const Value &b, const Value &c);
  void productLoop();
  void assumeOp();

  std::string roundingOf(const std::string &element, bool isDivision);
  Shape someShape();
  std::string someFloat();
  std::string someInteger(bool withBool = true);
  /// Any of the types that tiles in memory have, but f4E2M1FN.
  std::string someElement();

  //===--------------------------------------------------------------------===//
  // Memory (GenerateMemory.cpp, GenerateAccesses.cpp)
  //===--------------------------------------------------------------------===//

  Buffer &newBuffer(const std::string &element, int64_t count, bool isOutput);
  Value scalarArgument(const std::string &element, int64_t value);
  /// A scalar argument with some number of any type.
  Value numberArgument(const std::string &element);
  /// Fills an input with bits of all kinds.
  void fillWithBits(Buffer &buffer);
  /// `room` elements of an output that are this tile block's own.
  Place ownPlace(const std::string &element, int64_t room,
                 const std::string &init = "zeros");
  Place skewed(const Place &place, int64_t skew);
  Place readPlace(const std::string &element, int64_t room);
  Place inputPlace(const std::string &element, int64_t room);
  Value load(const TileType &type);
  Value loadByPointers(const Place &place, const TileType &type);
  void store(const Value &value);
  /// Stores, loads again in another order, in the order of tokens.
  void roundTrip();
  void writeAll(const Place &place, const Value &value);
  Value readAll(const Place &place, const TileType &type);
  void sharedAtomic();
  void ownAtomic();
  void reduceIntoView();
  void loadTable();
  Place allocated(const std::string &element, int64_t room);
  Value loadNibbles(int64_t count);
  void storeNibbles(const Value &value);
  void gridOp();

  /// A view and the indices of one of its tiles.
  struct ViewAccess {
    std::string view, type, indices, indexTypes;
    /// Which dimensions may be promised to be inside.
    std::string inbounds;
  };
  struct ViewRequest {
    TileType tile;
    bool isWritten = false, forReduction = false;
    /// The first index is the number of the tile block.
    bool byBlock = false;
    /// All elements, in row-major order.
    bool isPlain = false;
  };
  /// `base` is asked for the pointer once the span of the tensor is known.
  ViewAccess makeView(const ViewRequest &request,
                      const std::function<std::string(int64_t)> &base);
  std::string tensorView(const ViewRequest &request, const Shape &extents,
                         const Shape &strides, const std::string &base,
                         std::string &type);
  /// "%v0, %v1" of a load, whose token is not kept.
  Value loaded(const std::string &text, const TileType &type) {
    Value result{fresh(), type, std::nullopt};
    line(result.name + ", " + fresh() + " = " + text + " -> " +
         this->text(type) + ", token");
    return result;
  }

  /// Pointers into a place; to different elements if `isUnique`. `room` is a
  /// power of two.
  Value pointers(const Place &place, const Shape &shape, bool isUnique);
  Value linearIndex(const Shape &shape, int64_t room, bool isUnique);
  Value mask(const Shape &shape);
  std::string order(const std::string &strongest);
  std::string hints(bool forView);
  std::string tokenOperand(bool forView);
  /// The token of the operation that was just written is the chain's.
  void chain(const std::string &next) { token = next; }
  /// Memory that is written may be used here: tokens order what runs twice.
  bool isOrdered() const { return loopDepth == 0 || tokenFlows; }

  //===--------------------------------------------------------------------===//
  // Control (GenerateControl.cpp)
  //===--------------------------------------------------------------------===//

  void someOp();
  void someOps(int64_t count);
  Value condition();
  void ifOp();
  void forOp();
  void loopOp();
  void streamLoop();
  void earlyReturn();

  //===--------------------------------------------------------------------===//
  // What control flow carries (GenerateCarried.cpp)
  //===--------------------------------------------------------------------===//

  /// Rows in memory from a pointer on, of which control flow decides.
  struct Window {
    std::string pointer;
    /// How many there are, and how many at least.
    Value rows;
    int64_t fewestRows = 1;
  };
  std::optional<TileType> windowType();
  std::string windowView(const Window &window, const TileType &tile,
                         bool isPadded, std::string &type);
  std::string windowIndices(const Window &window, const TileType &tile);
  Value readWindow(const Window &window, const TileType &tile);
  Window chooseWindow(const TileType &tile, const std::vector<Place> &places,
                      int64_t mostRows, int64_t mostSkew, unsigned nesting);
  Value combined(const Value &a, const Value &b);
  Value moved(const std::string &pointer, const std::string &element,
              const Value &distance);
  void branchPointerOp();
  void windowLoop();
  void exitNest();
  Value innerLoop(const TileType &type, const Value &limit);

  //===--------------------------------------------------------------------===//
  // What producers write (GenerateIdioms.cpp)
  //===--------------------------------------------------------------------===//

  void idiomOp();
  void softmaxRows();
  void normRows();
  void onlineSoftmax();
  void gateRows();
  void rotateRows();
  void pointerProduct();
  void attentionStep();
  void crossEntropy();
  void compactRows();
  void persistentRows();
  Value spread(const Value &reduced, const Shape &shape, size_t dim);
  Value splat(const std::string &number, const TileType &type);
  Value unary(const std::string &op, const Value &a,
              const std::string &suffix = "");
  Value along(const Shape &shape, size_t dim);
  Value below(const Value &places, const Value &limit);
  Value chosen(const Value &which, const Value &yes, const Value &no);
  Value exponential(const Value &value);
  std::optional<Value> someRows(size_t &dim);
  void keepNarrow(const Value &value);
  void assertOp();
  void printOp();
  void globals();
  std::string caseText() const;
  std::string entryHints();

  /// Builds a region; what is defined inside goes out of scope.
  template <typename Body> void inRegion(Body body) {
    size_t values = pool.size();
    std::string outerToken = token;
    bool outerFlows = tokenFlows;
    indent += 2;
    ++depth;
    body();
    --depth;
    indent -= 2;
    token = outerToken;
    tokenFlows = outerFlows;
    pool.erase(pool.begin() + values, pool.end());
  }

  cases::SplitMix64 random;
  std::string body;
  unsigned indent = 4, depth = 0;
  unsigned nextValue = 0;
  std::vector<Value> pool;
  std::vector<Shape> shapes;
  std::array<int64_t, 3> grid{1, 1, 1};
  int64_t blocks = 1;
  /// The number of this tile block, a scalar.
  Value block;
  /// The last token of the chain that orders prints and written memory.
  std::string token;
  unsigned loopDepth = 0;
  /// All loops around carry the token.
  bool tokenFlows = true;

  struct Argument {
    bool isBuffer = false;
    size_t buffer = 0;
    std::string name, element;
    /// As the case has it.
    std::string value;
  };
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
  std::vector<std::pair<std::string, cases::NpyArray>> files;

  struct Table {
    std::string name, element;
    int64_t count;
  };
  std::vector<Table> tables;
  std::string tableText;
};

bool isFloat(const std::string &element);
inline bool isInteger(const std::string &element) { return !isFloat(element); }
inline bool isInteger(const Value &value) {
  return isInteger(value.type.element);
}
/// Types with arithmetic.
bool isBaseFloat(const std::string &element);
int widthOf(const std::string &element);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_GENERATORSTATE_H
