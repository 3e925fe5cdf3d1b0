// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers as iter-args and branch results, with views built from them; nested
// loops with early exits.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns the elements of one row of a tile: all but the first dimension.
static int64_t rowOf(const TileType &type) {
  return type.count() / type.shape.front();
}

mlir::Value Generator::windowView(const Window &window, const TileType &tile,
                                  bool isPadded) {
  Shape extents = tile.shape, strides = stridesOf(tile.shape);
  extents[0] = mlir::ShapedType::kDynamic;
  auto type =
      ct::TensorViewType::get(elementType(tile.element), extents, strides);
  mlir::Value tensor = emit<ct::MakeTensorViewOp>(
      type, window.pointer, Values{window.rows}, Values{});
  return partitionView(tensor, tile.shape,
                       isPadded ? std::optional(ct::PaddingValue::zero)
                                : std::nullopt);
}

/// Returns the index of a tile of a window with at least one row in it.
Values Generator::windowIndices(const Window &window, const TileType &tile) {
  int64_t tiles =
      (window.minRows + tile.shape.front() - 1) / tile.shape.front();
  Values indices = {index(std::max<int64_t>(tiles, 1))};
  for (size_t i = 1; i < tile.shape.size(); ++i)
    indices.push_back(integer("i32", 0));
  return indices;
}

Value Generator::readWindow(const Window &window, const TileType &tile) {
  mlir::Value view = windowView(window, tile, /*isPadded=*/true);
  Values indices = windowIndices(window, tile);
  return keep(loadTile(view, indices, tile, hints(true)));
}

/// Returns some rows from a place on; a branch selects address and row count.
Generator::Window Generator::chooseWindow(const TileType &tile,
                                          const std::vector<Place> &places,
                                          int64_t maxRows, int64_t maxShift,
                                          unsigned nesting) {
  auto leaf = [&]() -> Window {
    const Place &place = oneOf(places);
    int64_t rows = between(1, maxRows);
    Window window{
        place.base,
        chance(50) ? scalarArgument("i32", rows) : integer("i32", rows), rows};
    if (maxShift > 0 && chance(70))
      window.pointer = offset(place.base, index(maxShift + 1));
    return window;
  };
  Value chosen = condition();
  int64_t minCount = maxRows;
  auto body = [&] {
    if (loopDepth > 0)
      tokenFlows = false;
    if (chance(20))
      someOps(1);
    Window window =
        nesting > 0 && chance(30)
            ? chooseWindow(tile, places, maxRows, maxShift, nesting - 1)
            : leaf();
    minCount = std::min(minCount, window.minRows);
    emit<ct::YieldOp>(Values{window.pointer, window.rows});
  };
  TileType scalar{"i32", {}};
  mlir::Type types[] = {pointerTo(tile.element), typeOf(scalar)};
  mlir::ValueRange results = branch(chosen, types, body, body);
  return {results[0], {results[1], scalar, std::nullopt}, minCount};
}

/// Returns a type for tiles of views, not too large.
std::optional<TileType> Generator::windowType() {
  TileType type{someElement(), someShape()};
  if (type.shape.empty() || type.count() > 1024)
    return std::nullopt;
  return type;
}

void Generator::branchPointerOp() {
  if (depth >= 2)
    return;
  std::optional<TileType> tile = windowType();
  if (!tile)
    return;
  int64_t maxRows = between(1, 3 * tile->shape.front());
  if (chance(60) || !isOrdered()) {
    int64_t maxShift = below(10), room = maxRows * rowOf(*tile) + maxShift;
    std::vector<Place> places = {readPlace(tile->element, room),
                                 readPlace(tile->element, room)};
    readWindow(chooseWindow(*tile, places, maxRows, maxShift, 1), *tile);
    return;
  }
  // Written, in one section of this tile block's memory.
  int64_t room = maxRows * rowOf(*tile);
  Place own = ownPlace(tile->element, 2 * room);
  mlir::Value second = offset(own.base, integer("i32", room));
  std::vector<Place> places = {{own.base, tile->element, room},
                               {second, tile->element, room}};
  Value value = get(*tile);
  Window window = chooseWindow(*tile, places, maxRows, 0, 1);
  mlir::Value view = windowView(window, *tile, /*isPadded=*/false);
  Values indices = windowIndices(window, *tile);
  chain(storeTile(value, view, indices, token));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value Generator::combined(const Value &a, const Value &b) {
  const std::string &element = a.type.element;
  if (isFloat(element) && !isBaseFloat(element)) {
    Value first = mask(a.type.shape);
    return chosen(first, a, b);
  }
  return isFloat(element)
             ? binary(oneOf({op::addf, op::maxf, op::minf, op::subf}), a, b)
             : binary(oneOf({op::addi, op::xori, op::ori, op::muli, op::subi}),
                      a, b);
}

/// Emits a loop with two pointers as iter-args that it advances, and from which
/// it builds its views; a `loop` passes the last pointers on.
void Generator::windowLoop() {
  if (depth >= 2)
    return;
  std::optional<TileType> found = windowType();
  if (!found)
    return;
  TileType tile = *found;
  bool isFor = chance(50), swaps = chance(50);
  int64_t tripCount = between(0, 4), fewer = below(2), step = between(1, 9);
  int64_t rows = tripCount * fewer + between(1, 2 * tile.shape.front());
  int64_t room = rows * rowOf(tile) + tripCount * step;
  Place first = readPlace(tile.element, room),
        second = readPlace(tile.element, room);
  TileType scalar{"i32", {}};
  Value start = get(tile);
  Value most = chance(50) ? scalarArgument("i32", rows) : integer("i32", rows);
  Value zero = integer("i32", 0), one = integer("i32", 1);
  Value limit =
      chance(50) ? scalarArgument("i32", tripCount) : integer("i32", tripCount);
  Value distance = chance(50) ? scalarArgument("i32", step)
                              : integer(oneOf({"i32", "i64"}), step);
  Value less = integer("i32", fewer);
  int64_t minCount = rows - fewer * std::max<int64_t>(tripCount - 1, 0);
  // The end of an iteration: the values for the next one, after the counter.
  auto advance = [&](mlir::ValueRange carried) -> Values {
    Value read = readWindow(
        {carried[0], {carried[2], scalar, std::nullopt}, minCount}, tile);
    Value sum = combined({carried[3], tile, std::nullopt}, read);
    if (chance(30))
      someOps(1);
    mlir::Value p = offset(carried[0], distance),
                q = offset(carried[1], distance);
    mlir::Value left = emit(op::subi, {carried[2], less});
    if (swaps)
      std::swap(p, q);
    return {p, q, left, sum};
  };
  Values inits = {first.base, second.base, most, start};
  mlir::ValueRange results =
      isFor ? forLoop(zero, limit, one, inits,
                      [&](mlir::Block::BlockArgListType in) {
                        tokenFlows = false;
                        keep({in[0], scalar, {{0, tripCount}}});
                        emit<ct::ContinueOp>(advance(in.drop_front()));
                      })
            : countedLoop(zero, limit, one, inits, tripCount, advance);
  keep({results[3], tile, std::nullopt});
  if (chance(60))
    readWindow({results[chance(50) ? 0 : 1],
                {results[2], scalar, std::nullopt},
                rows - fewer * tripCount},
               tile);
}

/// Emits a `loop` that counts up to `limit` and returns its other iter-args.
mlir::ValueRange
Generator::countedLoop(const Value &zero, const Value &limit, const Value &one,
                       const Values &carried, int64_t tripCount,
                       const std::function<Values(mlir::ValueRange)> &advance) {
  Values inits = {zero};
  inits.insert(inits.end(), carried.begin(), carried.end());
  std::vector<mlir::Type> types;
  for (mlir::Value value : carried)
    types.push_back(value.getType());
  return openLoop(types, inits, [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    Value counter = keep({in[0], {"i32", {}}, {{0, tripCount}}});
    Value done =
        compare(ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL, counter, limit);
    branch(done, {}, [&] { emit<ct::BreakOp>(in.drop_front()); });
    Value again = binary(op::addi, counter, one);
    auto goOn = [&](const Values &values) {
      Values next = {again};
      next.insert(next.end(), values.begin(), values.end());
      emit<ct::ContinueOp>(next);
    };
    // An iteration that changes only the counter.
    if (chance(30)) {
      Value skipped = condition();
      branch(skipped, {},
             [&] { goOn({in.drop_front().begin(), in.drop_front().end()}); });
    }
    goOn(advance(in.drop_front()));
  });
}

/// Emits nested loops with several exits: `break` and `continue` in nested
/// branches, results that only one branch yields.
void Generator::exitNest() {
  if (depth >= 1)
    return;
  TileType scalar{"i32", {}};
  TileType a{chance(50) ? someFloat() : someInteger(), someShape()},
      b{someInteger(), someShape()};
  Value startA = get(a), startB = get(b), zero = integer("i32", 0),
        one = integer("i32", 1);
  int64_t tripCount = between(0, 4), innerTripCount = between(0, 3);
  Value limit =
      chance(50) ? scalarArgument("i32", tripCount) : integer("i32", tripCount);
  Value innerLimit = chance(50) ? scalarArgument("i32", innerTripCount)
                                : integer("i32", innerTripCount);
  mlir::Type types[] = {typeOf(b), typeOf(a), typeOf(scalar)};
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    Value counter = keep({in[0], scalar, {{0, tripCount}}});
    keep({in[1], a, std::nullopt});
    keep({in[2], b, std::nullopt});
    auto leave = [&] {
      Value first = get(b), second = get(a);
      emit<ct::BreakOp>(Values{first, second, counter});
    };
    branch(
        compare(ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL, counter, limit),
        {}, leave);
    Value again = binary(op::addi, counter, one);
    auto goOn = [&] {
      Value first = get(a), second = get(b);
      emit<ct::ContinueOp>(Values{again, first, second});
    };
    Value early = condition();
    std::function<void()> other;
    if (chance(50))
      other = [&] { someOps(1); };
    branch(
        early, {},
        [&] {
          someOps(below(2));
          branch(condition(), {}, leave);
          goOn();
        },
        other);
    Value inner = innerLoop(a, innerLimit);
    // A value that one branch yields; the other branch exits.
    Value chosen = condition();
    mlir::ValueRange selected = branch(
        chosen, {typeOf(b)}, [&] { chance(50) ? leave() : goOn(); },
        [&] { emit<ct::YieldOp>(Values{get(b)}); });
    keep({selected[0], b, std::nullopt});
    emit<ct::ContinueOp>(Values{again, inner, selected[0]});
  };
  mlir::ValueRange results = openLoop(types, {zero, startA, startB}, body);
  keep({results[0], b, std::nullopt});
  keep({results[1], a, std::nullopt});
  keep({results[2], scalar, {{0, tripCount}}});
}

/// Emits a loop that some iterations exit or cut short.
Value Generator::innerLoop(const TileType &type, const Value &limit) {
  Value start = get(type), zero = integer("i32", 0), one = integer("i32", 1);
  bool isFor = chance(50);
  auto body = [&](mlir::Block::BlockArgListType in) {
    Value counter = keep({in[0], {"i32", {}}, {{0, 4}}});
    Value before = keep({in[1], type, std::nullopt});
    Values head;
    if (!isFor) {
      Value done = compare(ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL,
                           counter, limit);
      if (chance(40))
        done = binary(op::ori, done, condition());
      branch(done, {}, [&] { emit<ct::BreakOp>(Values{get(type)}); });
      head.push_back(binary(op::addi, counter, one));
    }
    auto goOn = [&](const Value &value) {
      Values next = head;
      next.push_back(value);
      emit<ct::ContinueOp>(next);
    };
    if (chance(50)) {
      Value chosen = condition();
      branch(chosen, {}, [&] { goOn(get(type)); });
    }
    if (chance(50))
      someOps(1);
    goOn(combined(before, get(type)));
  };
  mlir::ValueRange results =
      isFor ? forLoop(zero, limit, one, {start}, body)
            : openLoop({typeOf(type)}, {zero, start}, body);
  return keep({results[0], type, std::nullopt});
}

} // namespace tileir::check
