// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that branches and loops carry, and the views made of them; nests of
// loops that end early.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Elements of one row of a tile: all but the first dimension.
static int64_t rowOf(const TileType &type) {
  return type.count() / type.shape.front();
}

std::string Generator::windowView(const Window &window, const TileType &tile,
                                  bool isPadded, std::string &type) {
  size_t rank = tile.shape.size();
  std::string extents = window.rows.name, extentTypes = "?", strides, lead;
  int64_t stride = rowOf(tile);
  for (size_t i = 0; i < rank; ++i) {
    if (i > 0) {
      stride /= tile.shape[i];
      extents += ", " + std::to_string(tile.shape[i]);
      extentTypes += "x" + std::to_string(tile.shape[i]);
    }
    strides += (i ? ", " : "") + std::to_string(stride);
    lead += (i ? "," : "") + std::to_string(stride);
  }
  std::string tensor = fresh(), view = fresh();
  std::string tensorType = "tensor_view<" + extentTypes + "x" + tile.element +
                           ", strides=[" + lead + "]>";
  line(tensor + " = make_tensor_view " + window.pointer + ", shape = [" +
       extents + "], strides = [" + strides + "] : tile<i32> -> " + tensorType);
  type = "partition_view<tile=(" + text(tile.shape) + "), " +
         (isPadded ? "padding_value = zero, " : "") + tensorType + ">";
  line(view + " = make_partition_view " + tensor + " : " + type);
  return view;
}

/// Index of a tile of a window that has at least one row in it.
std::string Generator::windowIndices(const Window &window,
                                     const TileType &tile) {
  int64_t tiles =
      (window.fewestRows + tile.shape.front() - 1) / tile.shape.front();
  std::string indices = index(std::max<int64_t>(tiles, 1)).name;
  for (size_t i = 1; i < tile.shape.size(); ++i)
    indices += ", " + integer("i32", 0).name;
  return indices;
}

Value Generator::readWindow(const Window &window, const TileType &tile) {
  std::string type;
  std::string view = windowView(window, tile, /*isPadded=*/true, type);
  std::string indices = windowIndices(window, tile);
  return keep(loaded("load_view_tko weak " + view + "[" + indices + "]" +
                         hints(true) + " : " + type + ", tile<i32>",
                     tile));
}

/// Some rows from a place on, whose address and number a branch decides.
Generator::Window Generator::chooseWindow(const TileType &tile,
                                          const std::vector<Place> &places,
                                          int64_t mostRows, int64_t mostSkew,
                                          unsigned nesting) {
  TileType pointer = pointerTo(tile.element, {});
  auto leaf = [&]() -> Window {
    const Place &place = oneOf(places);
    int64_t rows = between(1, mostRows);
    Window window{
        place.base,
        chance(50) ? scalarArgument("i32", rows) : integer("i32", rows), rows};
    if (mostSkew > 0 && chance(70)) {
      Value skew = index(mostSkew + 1);
      window.pointer = derive("offset " + place.base + ", " + skew.name +
                                  " : " + text(pointer) + ", " +
                                  text(skew.type) + " -> " + text(pointer),
                              pointer)
                           .name;
    }
    return window;
  };
  Value chosen = condition();
  std::string name = fresh();
  line(name + ":2 = if " + chosen.name + " -> (" + text(pointer) +
       ", tile<i32>) {");
  int64_t fewest = mostRows;
  auto branch = [&] {
    inRegion([&] {
      if (loopDepth > 0)
        tokenFlows = false;
      if (chance(20))
        someOps(1);
      Window window =
          nesting > 0 && chance(30)
              ? chooseWindow(tile, places, mostRows, mostSkew, nesting - 1)
              : leaf();
      fewest = std::min(fewest, window.fewestRows);
      line("yield " + window.pointer + ", " + window.rows.name + " : " +
           text(pointer) + ", tile<i32>");
    });
  };
  branch();
  line("} else {");
  branch();
  line("}");
  return {name + "#0", {name + "#1", {"i32", {}}, std::nullopt}, fewest};
}

/// A type whose tiles are views of memory, not too large.
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
  int64_t mostRows = between(1, 3 * tile->shape.front());
  if (chance(60) || !isOrdered()) {
    int64_t mostSkew = below(10), room = mostRows * rowOf(*tile) + mostSkew;
    std::vector<Place> places = {readPlace(tile->element, room),
                                 readPlace(tile->element, room)};
    readWindow(chooseWindow(*tile, places, mostRows, mostSkew, 1), *tile);
    return;
  }
  // Written, in one of the parts of this tile block's memory.
  int64_t room = mostRows * rowOf(*tile);
  Place own = ownPlace(tile->element, 2 * room);
  TileType pointer = pointerTo(tile->element, {});
  Value half = integer("i32", room);
  Value second = derive("offset " + own.base + ", " + half.name + " : " +
                            text(pointer) + ", tile<i32> -> " + text(pointer),
                        pointer);
  std::vector<Place> places = {{own.base, tile->element, room},
                               {second.name, tile->element, room}};
  Value value = get(*tile);
  Window window = chooseWindow(*tile, places, mostRows, 0, 1);
  std::string type, next = fresh();
  std::string view = windowView(window, *tile, /*isPadded=*/false, type);
  std::string indices = windowIndices(window, *tile);
  line(next + " = store_view_tko weak " + value.name + ", " + view + "[" +
       indices + "]" + tokenOperand(true) + " : " + text(*tile) + ", " + type +
       ", tile<i32> -> token");
  chain(next);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value Generator::combined(const Value &a, const Value &b) {
  const std::string &element = a.type.element;
  if (isFloat(element) && !isBaseFloat(element)) {
    Value chosen = mask(a.type.shape);
    return define("select " + chosen.name + ", " + a.name + ", " + b.name +
                      " : " + text(chosen.type) + ", " + text(a.type),
                  a.type);
  }
  return isFloat(element)
             ? binary(oneOf({"addf", "maxf", "minf", "subf"}), a, b)
             : binary(oneOf({"addi", "xori", "ori", "muli", "subi"}), a, b);
}

Value Generator::moved(const std::string &pointer, const std::string &element,
                       const Value &distance) {
  TileType type = pointerTo(element, {});
  return derive("offset " + pointer + ", " + distance.name + " : " +
                    text(type) + ", " + text(distance.type) + " -> " +
                    text(type),
                type);
}

/// A loop that carries two pointers, changes their places, and makes its views
/// of them; a `loop` hands the last of them on to what follows.
void Generator::windowLoop() {
  if (depth >= 2)
    return;
  std::optional<TileType> found = windowType();
  if (!found)
    return;
  TileType tile = *found;
  bool isFor = chance(50), swaps = chance(50);
  int64_t trips = between(0, 4), fewer = below(2), step = between(1, 9);
  int64_t rows = trips * fewer + between(1, 2 * tile.shape.front());
  int64_t room = rows * rowOf(tile) + trips * step;
  Place first = readPlace(tile.element, room),
        second = readPlace(tile.element, room);
  TileType pointer = pointerTo(tile.element, {}), scalar{"i32", {}};
  Value start = get(tile);
  Value most = chance(50) ? scalarArgument("i32", rows) : integer("i32", rows);
  Value zero = integer("i32", 0), one = integer("i32", 1);
  Value limit =
      chance(50) ? scalarArgument("i32", trips) : integer("i32", trips);
  Value distance = chance(50) ? scalarArgument("i32", step)
                              : integer(oneOf({"i32", "i64"}), step);
  Value less = integer("i32", fewer);
  std::string name = fresh(), counter = fresh(), p = fresh(), q = fresh(),
              left = fresh(), carried = fresh();
  std::string carriedTypes =
      text(pointer) + ", " + text(pointer) + ", tile<i32>, " + text(tile);
  std::string starts = p + " = " + first.base + ", " + q + " = " + second.base +
                       ", " + left + " = " + most.name + ", " + carried +
                       " = " + start.name;
  if (isFor)
    line(name + ":4 = for " + counter + " in (" + zero.name + " to " +
         limit.name + ", step " + one.name + ") : tile<i32> iter_values(" +
         starts + ") -> (" + carriedTypes + ") {");
  else
    line(name + ":4 = loop iter_values(" + counter + " = " + zero.name + ", " +
         starts + ") : tile<i32>, " + carriedTypes + " -> " + carriedTypes +
         " {");
  Value remaining{left, scalar, std::nullopt};
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    keep({counter, scalar, {{0, trips}}});
    auto leave = [&](const std::string &word, const std::string &head,
                     const std::string &headType) {
      line(word + " " + head + p + ", " + q + ", " + left + ", " + carried +
           " : " + headType + carriedTypes);
    };
    if (!isFor) {
      Value done = define("cmpi greater_than_or_equal " + counter + ", " +
                              limit.name + ", signed : tile<i32> -> tile<i1>",
                          {"i1", {}});
      line("if " + done.name + " {");
      inRegion([&] { leave("break", "", ""); });
      line("}");
      Value again =
          define("addi " + counter + ", " + one.name + " : tile<i32>", scalar);
      // An iteration that changes nothing but the counter.
      if (chance(30)) {
        Value skipped = condition();
        line("if " + skipped.name + " {");
        inRegion([&] { leave("continue", again.name + ", ", "tile<i32>, "); });
        line("}");
      }
      counter = again.name;
    }
    int64_t fewest = rows - fewer * std::max<int64_t>(trips - 1, 0);
    Value read = readWindow({p, remaining, fewest}, tile);
    Value sum = combined({carried, tile, std::nullopt}, read);
    if (chance(30))
      someOps(1);
    Value nextP = moved(p, tile.element, distance),
          nextQ = moved(q, tile.element, distance);
    Value nextLeft =
        derive("subi " + left + ", " + less.name + " : tile<i32>", scalar);
    if (swaps)
      std::swap(nextP, nextQ);
    line("continue " + (isFor ? "" : counter + ", ") + nextP.name + ", " +
         nextQ.name + ", " + nextLeft.name + ", " + sum.name + " : " +
         (isFor ? "" : "tile<i32>, ") + carriedTypes);
    --loopDepth;
  });
  line("}");
  keep({name + "#3", tile, std::nullopt});
  if (chance(60))
    readWindow({name + (chance(50) ? "#0" : "#1"),
                {name + "#2", scalar, std::nullopt},
                rows - fewer * trips},
               tile);
}

/// Loops in a loop with several ways out: `break` and `continue` in branches of
/// branches, results that one branch alone yields.
void Generator::exitNest() {
  if (depth >= 1)
    return;
  TileType scalar{"i32", {}};
  TileType a{chance(50) ? someFloat() : someInteger(), someShape()},
      b{someInteger(), someShape()};
  Value startA = get(a), startB = get(b), zero = integer("i32", 0),
        one = integer("i32", 1);
  int64_t trips = between(0, 4), innerTrips = between(0, 3);
  Value limit =
      chance(50) ? scalarArgument("i32", trips) : integer("i32", trips);
  Value innerLimit = chance(50) ? scalarArgument("i32", innerTrips)
                                : integer("i32", innerTrips);
  std::string name = fresh(), counter = fresh(), x = fresh(), y = fresh();
  std::string in = "tile<i32>, " + text(a) + ", " + text(b),
              out = text(b) + ", " + text(a) + ", tile<i32>";
  line(name + ":3 = loop iter_values(" + counter + " = " + zero.name + ", " +
       x + " = " + startA.name + ", " + y + " = " + startB.name + ") : " + in +
       " -> " + out + " {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    keep({counter, scalar, {{0, trips}}});
    keep({x, a, std::nullopt});
    keep({y, b, std::nullopt});
    auto leave = [&] {
      Value first = get(b), second = get(a);
      line("break " + first.name + ", " + second.name + ", " + counter + " : " +
           out);
    };
    auto when = [&](const Value &chosen, const std::function<void()> &body,
                    const std::function<void()> &other) {
      line("if " + chosen.name + " {");
      inRegion(body);
      if (other) {
        line("} else {");
        inRegion(other);
      }
      line("}");
    };
    Value done = define("cmpi greater_than_or_equal " + counter + ", " +
                            limit.name + ", signed : tile<i32> -> tile<i1>",
                        {"i1", {}});
    when(done, leave, {});
    std::string again =
        define("addi " + counter + ", " + one.name + " : tile<i32>", scalar)
            .name;
    auto goOn = [&] {
      Value first = get(a), second = get(b);
      line("continue " + again + ", " + first.name + ", " + second.name +
           " : " + in);
    };
    when(
        condition(),
        [&] {
          someOps(below(2));
          when(condition(), leave, {});
          goOn();
        },
        chance(50) ? std::function<void()>([&] { someOps(1); })
                   : std::function<void()>());
    Value inner = innerLoop(a, innerLimit);
    // A value that one branch yields; the other leaves.
    std::string picked = fresh();
    Value chosen = condition();
    line(picked + " = if " + chosen.name + " -> (" + text(b) + ") {");
    inRegion([&] { chance(50) ? leave() : goOn(); });
    line("} else {");
    inRegion([&] { line("yield " + get(b).name + " : " + text(b)); });
    line("}");
    keep({picked, b, std::nullopt});
    line("continue " + again + ", " + inner.name + ", " + picked + " : " + in);
    --loopDepth;
  });
  line("}");
  keep({name + "#0", b, std::nullopt});
  keep({name + "#1", a, std::nullopt});
  keep({name + "#2", scalar, {{0, trips}}});
}

/// A loop that some iterations leave or end early.
Value Generator::innerLoop(const TileType &type, const Value &limit) {
  Value start = get(type), zero = integer("i32", 0), one = integer("i32", 1);
  std::string name = fresh(), counter = fresh(), carried = fresh();
  bool isFor = chance(50);
  if (isFor)
    line(name + " = for " + counter + " in (" + zero.name + " to " +
         limit.name + ", step " + one.name + ") : tile<i32> iter_values(" +
         carried + " = " + start.name + ") -> (" + text(type) + ") {");
  else
    line(name + " = loop iter_values(" + counter + " = " + zero.name + ", " +
         carried + " = " + start.name + ") : tile<i32>, " + text(type) +
         " -> " + text(type) + " {");
  inRegion([&] {
    ++loopDepth;
    keep({counter, {"i32", {}}, {{0, 4}}});
    Value before = keep({carried, type, std::nullopt});
    std::string head, headType;
    if (!isFor) {
      Value done = define("cmpi greater_than_or_equal " + counter + ", " +
                              limit.name + ", signed : tile<i32> -> tile<i1>",
                          {"i1", {}});
      if (chance(40)) {
        Value other = condition();
        done = binary("ori", done, other);
      }
      line("if " + done.name + " {");
      inRegion([&] { line("break " + get(type).name + " : " + text(type)); });
      line("}");
      head = define("addi " + counter + ", " + one.name + " : tile<i32>",
                    {"i32", {}})
                 .name +
             ", ";
      headType = "tile<i32>, ";
    }
    auto goOn = [&](const Value &value) {
      line("continue " + head + value.name + " : " + headType + text(type));
    };
    if (chance(50)) {
      Value chosen = condition();
      line("if " + chosen.name + " {");
      inRegion([&] { goOn(get(type)); });
      line("}");
    }
    if (chance(50))
      someOps(1);
    goOn(combined(before, get(type)));
    --loopDepth;
  });
  line("}");
  return keep({name, type, std::nullopt});
}

} // namespace tileir::check
