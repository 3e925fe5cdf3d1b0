// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of tiles, the grid, reductions, assumptions and prints.

#include "dialects/cuda_tile/reference/TileBlock.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace tileir::reference {

using namespace mlir;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Row-major strides.
static SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// The coordinates of element `index`.
static SmallVector<int64_t> coordinates(size_t index, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    result[i] = index % shape[i];
    index /= shape[i];
  }
  return result;
}

/// Each element of the result is the element of `source` at the index that
/// `pick` returns for its coordinates.
static Tile rearrange(Type type, const Tile &source,
                      llvm::function_ref<size_t(ArrayRef<int64_t>)> pick) {
  Tile result(cast<ct::TileType>(type));
  ArrayRef<int64_t> shape = result.type.getShape();
  for (size_t i = 0; i < result.size(); ++i) {
    result.take(i, source, pick(coordinates(i, shape)));
  }
  return result;
}

static int64_t linearize(ArrayRef<int64_t> position,
                         ArrayRef<int64_t> strides) {
  int64_t result = 0;
  for (auto [coordinate, stride] : llvm::zip_equal(position, strides))
    result += coordinate * stride;
  return result;
}

void TileBlock::eval(ct::ConstantOp op) {
  set(op.getResult(), fromAttr(op.getValue()));
}

void TileBlock::eval(ct::IotaOp op) {
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i)
    result.bits[i] = i;
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::BroadcastOp op) {
  const Tile &source = get(op.getSource());
  ArrayRef<int64_t> shape = source.type.getShape();
  SmallVector<int64_t> strides = stridesOf(shape);
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    if (extent == 1)
      stride = 0;
  set(op.getResult(),
      rearrange(op.getType(), source, [&](ArrayRef<int64_t> position) {
        return linearize(position, strides);
      }));
}

void TileBlock::eval(ct::ReshapeOp op) {
  Tile result = get(op.getSource());
  result.type = op.getType();
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::PermuteOp op) {
  const Tile &source = get(op.getSource());
  SmallVector<int64_t> sourceStrides = stridesOf(source.type.getShape());
  SmallVector<int64_t> strides;
  for (int32_t dim : op.getPermutation())
    strides.push_back(sourceStrides[dim]);
  set(op.getResult(),
      rearrange(op.getType(), source, [&](ArrayRef<int64_t> position) {
        return linearize(position, strides);
      }));
}

void TileBlock::eval(ct::CatOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  int64_t dim = op.getDim(), split = lhs.type.getDimSize(dim);
  SmallVector<int64_t> lhsStrides = stridesOf(lhs.type.getShape());
  SmallVector<int64_t> rhsStrides = stridesOf(rhs.type.getShape());
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i) {
    SmallVector<int64_t> position = coordinates(i, result.type.getShape());
    bool isLhs = position[dim] < split;
    if (!isLhs)
      position[dim] -= split;
    const Tile &source = isLhs ? lhs : rhs;
    result.take(i, source,
                linearize(position, isLhs ? lhsStrides : rhsStrides));
  }
  set(op.getResult(), std::move(result));
}

std::optional<int64_t> TileBlock::findPiece(Operation *op, ct::TileType whole,
                                            ct::TileType piece,
                                            ValueRange indices) {
  SmallVector<int64_t> start;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    uint64_t position = scalar(index);
    uint64_t count = whole.getDimSize(dim) / piece.getDimSize(dim);
    if (decides(op, index, "index " + std::to_string(dim)))
      return std::nullopt;
    if (position >= count) {
      report(op, "ub",
             "index " + Twine(dim) + " is " + Twine(position) + " of " +
                 Twine(count));
      return std::nullopt;
    }
    start.push_back(position * piece.getDimSize(dim));
  }
  return linearize(start, stridesOf(whole.getShape()));
}

Tile TileBlock::openTile(Value value) {
  Tile result = makeTile(value);
  for (size_t i = 0; i < result.size(); ++i) {
    result.bits[i] = run.random() & maskOf(bitWidth(result.element()));
    result.mark(i);
  }
  return result;
}

void TileBlock::eval(ct::ExtractOp op) {
  const Tile &source = get(op.getSource());
  auto type = op.getResult().getType();
  std::optional<int64_t> offset =
      findPiece(op, source.type, type, op.getIndices());
  if (!offset)
    return set(op.getResult(), openTile(op.getResult()));
  SmallVector<int64_t> strides = stridesOf(source.type.getShape());
  set(op.getResult(), rearrange(type, source, [&](ArrayRef<int64_t> position) {
        return *offset + linearize(position, strides);
      }));
}

void TileBlock::eval(ct::InsertOp op) {
  const Tile &source = get(op.getSource());
  Tile result = get(op.getDestination());
  std::optional<int64_t> offset =
      findPiece(op, result.type, source.type, op.getIndices());
  if (!offset)
    return set(op.getResult(), openTile(op.getResult()));
  ArrayRef<int64_t> shape = source.type.getShape();
  SmallVector<int64_t> strides = stridesOf(result.type.getShape());
  for (size_t i = 0; i < source.size(); ++i) {
    size_t to = *offset + linearize(coordinates(i, shape), strides);
    if (!result.marks.empty())
      result.marks[to] = 0;
    result.setError(to, 0);
    result.take(to, source, i);
  }
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::OffsetOp op) {
  const Tile &pointers = get(op.getPtr()), &offsets = get(op.getOffset());
  Type pointee = cast<ct::PointerType>(pointers.element()).getPointeeType();
  int64_t bytes = ct::getElementBytes(pointee);
  unsigned width = bitWidth(offsets.element());
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i) {
    if (pointers.isMarked(i) || offsets.isMarked(i)) {
      result.mark(i);
      continue;
    }
    int64_t distance = 0;
    bool wraps = __builtin_mul_overflow(signExtend(offsets.bits[i], width),
                                        bytes, &distance);
    result.bits[i] = pointers.bits[i] + static_cast<uint64_t>(distance);
    wraps |= distance >= 0 ? result.bits[i] < pointers.bits[i]
                           : result.bits[i] > pointers.bits[i];
    if (wraps)
      undefined(op, result, i, "the address wraps");
  }
  set(op.getResult(), std::move(result));
}

/// Reads the elements of `source` as one string of bits, low bits first, and
/// splits it into elements of the result.
static Tile repack(Type type, const Tile &source) {
  auto width = [](Type element) {
    return isa<FloatTF32Type>(element) ? 32u : bitWidth(element);
  };
  // The value of a tf32 is in the high bits of its four bytes.
  auto shift = [](Type element) {
    return isa<FloatTF32Type>(element) ? 13 : 0;
  };
  Tile result(cast<ct::TileType>(type));
  unsigned fromWidth = width(source.element());
  unsigned toWidth = width(result.element());
  for (size_t bit = 0, end = source.size() * fromWidth; bit < end; ++bit) {
    size_t from = bit / fromWidth, to = bit / toWidth;
    uint64_t value =
        (source.bits[from] << shift(source.element())) >> (bit % fromWidth) & 1;
    result.bits[to] |= value << (bit % toWidth);
    if (source.isMarked(from))
      result.mark(to);
    if (source.errorAt(from) != 0)
      result.setError(to, HUGE_VAL);
  }
  for (uint64_t &bits : result.bits)
    bits >>= shift(result.element());
  return result;
}

void TileBlock::eval(ct::PackOp op) {
  set(op.getResult(), repack(op.getType(), get(op.getSource())));
}

void TileBlock::eval(ct::UnpackOp op) {
  set(op.getResult(), repack(op.getType(), get(op.getSource())));
}

void TileBlock::eval(ct::SelectOp op) {
  const Tile &cond = get(op.getCond()), &yes = get(op.getValIfTrue()),
             &no = get(op.getValIfFalse());
  Tile result = makeTile(op.getResult());
  for (size_t i = 0; i < result.size(); ++i) {
    result.take(i, cond.bits[i] ? yes : no, i);
    if (cond.isMarked(i))
      result.mark(i);
  }
  set(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Grid, globals
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::GetTileBlockIdOp op) {
  for (auto [result, coordinate] : llvm::zip_equal(op->getResults(), id)) {
    Tile tile = makeTile(result);
    tile.bits[0] = coordinate;
    set(result, std::move(tile));
  }
}

void TileBlock::eval(ct::GetNumTileBlocksOp op) {
  for (auto [result, extent] :
       llvm::zip_equal(op->getResults(), run.options.grid)) {
    Tile tile = makeTile(result);
    tile.bits[0] = extent;
    set(result, std::move(tile));
  }
}

void TileBlock::eval(ct::GetGlobalOp op) {
  Tile tile = makeTile(op.getResult());
  tile.bits[0] = run.globals.lookup(op.getName());
  set(op.getResult(), std::move(tile));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void TileBlock::evalBody(Block &body, ArrayRef<uint64_t> arguments,
                         ArrayRef<uint8_t> marks,
                         std::vector<uint64_t> &results,
                         std::vector<uint8_t> &resultMarks) {
  for (auto [argument, bits, mark] :
       llvm::zip_equal(body.getArguments(), arguments, marks)) {
    Tile tile = makeTile(argument);
    tile.bits[0] = bits;
    if (mark)
      tile.mark(0);
    set(argument, std::move(tile));
  }
  for (Operation &op : body.without_terminator()) {
    size_t depth = frames.size();
    if (!executeControl(&op))
      execute(&op);
    // A branch or a loop runs to its end.
    while (frames.size() > depth && !run.isStopped)
      runNext();
    if (run.isStopped)
      return;
  }
  for (auto [index, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    results[index] = scalar(yielded);
    resultMarks[index] = get(yielded).isMarked(0);
  }
}

/// Walks each line along the dimension from its first element (its last, if
/// `isReverse`), starting with the identities. The interpreter combines in this
/// order; the dialect leaves the order open.
template <typename OpTy>
void TileBlock::evalAggregate(OpTy op, bool keepsAll, bool isReverse) {
  OperandRange operands = op.getOperands();
  std::vector<Tile> sources, results;
  for (Value operand : operands)
    sources.push_back(get(operand));
  for (Value result : op.getResults())
    results.push_back(makeTile(result));
  ArrayRef<int64_t> shape = sources.front().type.getShape();
  int64_t dim = op.getDim(), extent = shape[dim];
  int64_t stride = stridesOf(shape)[dim];
  int64_t numLines = sources.front().size() / extent;
  size_t count = operands.size();
  std::vector<uint64_t> arguments(2 * count), state(count);
  std::vector<uint8_t> marks(2 * count), stateMarks(count);
  for (int64_t line = 0; line < numLines; ++line) {
    size_t first = line / stride * stride * extent + line % stride;
    for (size_t i = 0; i < count; ++i) {
      // An f16 identity of a bf16 operand is converted by value.
      Attribute identity = op.getIdentities()[i];
      Type element = sources[i].element();
      if (auto number = dyn_cast<FloatAttr>(identity))
        state[i] =
            roundTo(element, number.getValue(), ct::RoundingMode::NEAREST_EVEN);
      else
        state[i] = bitsOf(identity);
      stateMarks[i] = 0;
    }
    for (int64_t step = 0; step < extent; ++step) {
      size_t place = first + (isReverse ? extent - 1 - step : step) * stride;
      for (size_t i = 0; i < count; ++i) {
        // The body of a scan has the accumulator first, the body of a reduction
        // the element.
        size_t element = 2 * i + keepsAll, before = 2 * i + !keepsAll;
        arguments[element] = sources[i].bits[place];
        marks[element] = sources[i].isMarked(place);
        arguments[before] = state[i];
        marks[before] = stateMarks[i];
      }
      evalBody(op.getBody().front(), arguments, marks, state, stateMarks);
      if (!keepsAll)
        continue;
      for (size_t i = 0; i < count; ++i) {
        results[i].bits[place] = state[i];
        if (stateMarks[i])
          results[i].mark(place);
      }
    }
    if (keepsAll)
      continue;
    for (size_t i = 0; i < count; ++i) {
      results[i].bits[line] = state[i];
      if (stateMarks[i])
        results[i].mark(line);
    }
  }
  if (run.options.tracksErrors)
    boundAggregate(op, dim, keepsAll, isReverse, sources, results);
  for (auto [value, tile] : llvm::zip_equal(op.getResults(), results))
    set(value, std::move(tile));
}

void TileBlock::eval(ct::ReduceOp op) {
  evalAggregate(op, /*keepsAll=*/false, /*isReverse=*/false);
}

void TileBlock::eval(ct::ScanOp op) {
  evalAggregate(op, /*keepsAll=*/true, op.getReverse());
}

//===----------------------------------------------------------------------===//
// Facts, assertions, printing
//===----------------------------------------------------------------------===//

/// Returns the first element of `tile` for which `predicate` is false, if any.
static std::optional<size_t> findViolation(ct::DivByAttr predicate,
                                           const Tile &tile) {
  uint64_t mask = predicate.getDivisor() - 1;
  ArrayRef<int64_t> shape = tile.type.getShape();
  int64_t every = predicate.getEvery().value_or(0);
  if (every == 0) {
    for (size_t i = 0; i < tile.size(); ++i)
      if (tile.bits[i] & mask)
        return i;
    return std::nullopt;
  }
  int64_t along = *predicate.getAlong();
  int64_t stride = stridesOf(shape)[along];
  auto pointer = dyn_cast<ct::PointerType>(tile.element());
  uint64_t unit = pointer ? ct::getElementBytes(pointer.getPointeeType()) : 1;
  uint64_t width = maskOf(bitWidth(tile.element()));
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t inGroup = coordinates(i, shape)[along] % every;
    uint64_t head = tile.bits[i - inGroup * stride];
    if ((head & mask) || tile.bits[i] != ((head + inGroup * unit) & width))
      return i;
  }
  return std::nullopt;
}

static std::optional<size_t> findViolation(ct::SameElementsAttr predicate,
                                           const Tile &tile) {
  ArrayRef<int64_t> shape = tile.type.getShape();
  SmallVector<int64_t> strides = stridesOf(shape);
  for (size_t i = 0; i < tile.size(); ++i) {
    SmallVector<int64_t> position = coordinates(i, shape);
    for (auto [coordinate, group] :
         llvm::zip_equal(position, predicate.getValues().asArrayRef()))
      if (group > 0)
        coordinate -= coordinate % group;
    if (tile.bits[i] != tile.bits[linearize(position, strides)])
      return i;
  }
  return std::nullopt;
}

static std::optional<size_t> findViolation(ct::BoundedAttr predicate,
                                           const Tile &tile) {
  unsigned width = bitWidth(tile.element());
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t value = signExtend(tile.bits[i], width);
    if ((predicate.getLb() && value < *predicate.getLb()) ||
        (predicate.getUb() && value > *predicate.getUb()))
      return i;
  }
  return std::nullopt;
}

void TileBlock::eval(ct::AssumeOp op) {
  copy(op.getResult(), op.getValue());
  Attribute predicate = op.getPredicate();
  if (isa<ct::TensorViewType>(op.getValue().getType())) {
    View assumed = view(op.getValue());
    if (assumed.base & (cast<ct::DivByAttr>(predicate).getDivisor() - 1)) {
      assumed.doubts.push_back(
          run.doubt(op, id, "the assumption is false: the base of the tensor"));
      set(op.getResult(), std::move(assumed));
    }
    return;
  }
  const Tile &tile = get(op.getValue());
  if (tile.anyMarked())
    return;
  std::optional<size_t> place;
  if (auto divBy = dyn_cast<ct::DivByAttr>(predicate))
    place = findViolation(divBy, tile);
  else if (auto same = dyn_cast<ct::SameElementsAttr>(predicate))
    place = findViolation(same, tile);
  else if (auto bounded = dyn_cast<ct::BoundedAttr>(predicate))
    place = findViolation(bounded, tile);
  if (place)
    values[op.getResult()].doubts.push_back(
        run.doubt(op, id,
                  "the assumption is false: element " + Twine(*place) + " is " +
                      formatElement(tile.element(), tile.bits[*place])));
}

void TileBlock::eval(ct::AssertOp op) {
  const Tile &condition = get(op.getCondition());
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition.isMarked(i))
      report(op, "init", "the condition of the assertion is not determined");
    if (!condition.bits[i])
      report(op, "assert", Twine(op.getMessage()) + ", at element " + Twine(i));
  }
}

/// Prints one element with a format that has a single conversion.
static std::string formatWith(StringRef format, Type element, uint64_t bits) {
  char conversion = format.back();
  std::string cleaned;
  for (char c : format.drop_back())
    if (!StringRef("hlLqjzt*").contains(c))
      cleaned += c;
  // In C the conversion writes to memory; here it is not supported.
  if (conversion == 'n')
    return "";
  char buffer[512];
  unsigned width = bitWidth(element);
  if (StringRef("eEfFgGaA").contains(conversion)) {
    double number = isa<FloatType>(element) ? toDouble(element, bits)
                    : width > 1 ? static_cast<double>(signExtend(bits, width))
                                : static_cast<double>(bits);
    snprintf(buffer, sizeof(buffer), (cleaned + conversion).c_str(), number);
  } else {
    // Floats printed by integer conversions show their bits.
    bool isSigned = StringRef("di").contains(conversion);
    long long number = isSigned && isa<IntegerType>(element) && width > 1
                           ? signExtend(bits, width)
                           : static_cast<long long>(bits);
    if (conversion == 'c')
      snprintf(buffer, sizeof(buffer), "%c", static_cast<int>(number));
    else if (conversion == 'p' || conversion == 's')
      snprintf(buffer, sizeof(buffer), "0x%llx", number);
    else
      snprintf(buffer, sizeof(buffer), (cleaned + "ll" + conversion).c_str(),
               number);
  }
  return buffer;
}

static void printNested(std::string &out, const Tile &tile, StringRef format,
                        size_t dim, size_t &next) {
  if (dim == static_cast<size_t>(tile.type.getRank())) {
    out += formatWith(format, tile.element(), tile.bits[next++]);
    return;
  }
  out += '[';
  for (int64_t i = 0; i < tile.type.getDimSize(dim); ++i) {
    if (i > 0)
      out += ", ";
    printNested(out, tile, format, dim + 1, next);
  }
  out += ']';
}

void TileBlock::eval(ct::PrintTkoOp op) {
  if (defer(op, op.getToken(), op.getResultToken(), {}, /*isWeak=*/true))
    return;
  StringRef text = op.getStr();
  unsigned argument = 0;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      run.printed += text[at++];
      continue;
    }
    size_t end = text.find_first_of("diuoxXeEfFgGaAcsSpn%", at + 1);
    if (text[end] == '%') {
      run.printed += '%';
    } else {
      const Tile &tile = get(op.getArgs()[argument++]);
      size_t next = 0;
      printNested(run.printed, tile, text.slice(at, end + 1), 0, next);
    }
    at = end + 1;
  }
}

} // namespace tileir::reference
