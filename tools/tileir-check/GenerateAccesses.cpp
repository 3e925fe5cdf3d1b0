// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random loads, stores, atomics.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value Generator::loadByPointers(const Place &place, const TileType &type) {
  Value from = pointers(place, type.shape, /*isUnique=*/false);
  std::string head = "load_ptr_tko " + order("acquire") + " " + from.name;
  std::string types = " : " + text(from.type);
  Value chosen, padding;
  bool isMasked = chance(40), isPadded = isMasked && chance(60);
  if (isMasked) {
    chosen = mask(type.shape);
    head += ", " + chosen.name;
    types += ", " + text(chosen.type);
  }
  if (isPadded) {
    padding = get(type);
    head += ", " + padding.name;
    types += ", " + text(type);
  }
  if (chance(20))
    head += tokenOperand(false);
  Value result{fresh(), type, std::nullopt};
  line(result.name + ", " + fresh() + " = " + head + hints(false) + types +
       " -> " + text(type) + ", token");
  if (isMasked && !isPadded) {
    // What the mask leaves out is open.
    Value other = get(type);
    return define("select " + chosen.name + ", " + result.name + ", " +
                      other.name + " : " + text(chosen.type) + ", " +
                      text(type),
                  type);
  }
  return keep(result);
}

Value Generator::load(const TileType &type) {
  if (type.shape.empty() || chance(45)) {
    int64_t room = powerAbove(type.count()) * oneOf<int>({1, 1, 2, 4});
    return loadByPointers(readPlace(type.element, room), type);
  }
  ViewRequest request;
  request.tile = type;
  ViewAccess access = makeView(request, [&](int64_t span) {
    return readPlace(type.element, span).base;
  });
  Value result{fresh(), type, std::nullopt};
  line(result.name + ", " + fresh() + " = load_view_tko " + order("acquire") +
       " " + access.view + "[" + access.indices + "]" +
       (chance(20) ? tokenOperand(true) : "") + hints(true) +
       (chance(20) ? access.inbounds : "") + " : " + access.type +
       access.indexTypes + " -> " + text(type) + ", token");
  return keep(result);
}

void Generator::store(const Value &given) {
  if (!isOrdered())
    return;
  Value value = given;
  std::string next = fresh();
  bool usesToken = loopDepth > 0 || chance(30);
  if (value.type.shape.empty() || chance(45)) {
    int64_t room = powerAbove(value.type.count()) * oneOf<int>({1, 1, 2});
    Place place = ownPlace(value.type.element, room);
    Value to = pointers(place, value.type.shape, /*isUnique=*/true);
    std::string head = to.name + ", " + value.name,
                types = text(to.type) + ", " + text(value.type);
    if (chance(30)) {
      Value chosen = mask(value.type.shape);
      head += ", " + chosen.name;
      types += ", " + text(chosen.type);
    }
    line(next + " = store_ptr_tko " + order("release") + " " + head +
         (usesToken ? tokenOperand(false) : "") + hints(false) + " : " + types +
         " -> token");
  } else {
    ViewRequest request;
    request.tile = value.type;
    request.isWritten = true;
    request.byBlock = chance(40);
    ViewAccess access = makeView(request, [&](int64_t span) {
      if (!request.byBlock)
        return ownPlace(value.type.element, span).base;
      Buffer &buffer = newBuffer(value.type.element, span, /*isOutput=*/true);
      buffer.init = "zeros";
      return "%" + buffer.name;
    });
    line(next + " = store_view_tko " + order("release") + " " + value.name +
         ", " + access.view + "[" + access.indices + "]" +
         (usesToken ? tokenOperand(true) : "") + hints(true) +
         (chance(20) ? access.inbounds : "") + " : " + text(value.type) + ", " +
         access.type + access.indexTypes + " -> token");
  }
  if (usesToken)
    chain(next);
}

/// Writes every element of a place.
void Generator::writeAll(const Place &place, const Value &value) {
  std::string next = fresh();
  if (chance(50) && !value.type.shape.empty()) {
    ViewRequest request;
    request.tile = value.type;
    request.isWritten = request.isPlain = true;
    ViewAccess access = makeView(request, [&](int64_t) { return place.base; });
    line(next + " = store_view_tko weak " + value.name + ", " + access.view +
         "[" + access.indices + "]" + tokenOperand(true) + " : " +
         text(value.type) + ", " + access.type + access.indexTypes +
         " -> token");
  } else {
    Value to = pointers(place, value.type.shape, /*isUnique=*/true);
    line(next + " = store_ptr_tko " + order("release") + " " + to.name + ", " +
         value.name + tokenOperand(false) + " : " + text(to.type) + ", " +
         text(value.type) + " -> token");
  }
  chain(next);
}

Value Generator::readAll(const Place &place, const TileType &type) {
  Value result{fresh(), type, std::nullopt};
  std::string next = fresh();
  if (chance(50) && !type.shape.empty()) {
    ViewRequest request;
    request.tile = type;
    request.isPlain = true;
    ViewAccess access = makeView(request, [&](int64_t) { return place.base; });
    line(result.name + ", " + next + " = load_view_tko weak " + access.view +
         "[" + access.indices + "]" + tokenOperand(true) + " : " + access.type +
         access.indexTypes + " -> " + text(type) + ", token");
  } else {
    Value from = pointers(place, type.shape, /*isUnique=*/false);
    line(result.name + ", " + next + " = load_ptr_tko " + order("acquire") +
         " " + from.name + tokenOperand(false) + " : " + text(from.type) +
         " -> " + text(type) + ", token");
  }
  chain(next);
  return keep(result);
}

/// A view of elements that share bytes, and the index of the part of it that is
/// this tile block's own.
static std::string nibbleView(int64_t rows, int64_t columns, int64_t parts,
                              bool isTransposed, std::string &make) {
  auto number = [](int64_t n) { return std::to_string(n); };
  std::string shape = number(parts * rows) + ", " + number(columns);
  std::string tensor = "tensor_view<" + number(parts * rows) + "x" +
                       number(columns) + "xf4E2M1FN, strides=[" +
                       number(columns) + ",1]>";
  make = ", shape = [" + shape + "], strides = [" + number(columns) +
         ", 1] : " + tensor;
  return isTransposed ? "partition_view<tile=(" + number(columns) + "x" +
                            number(rows) + "), " + tensor + ", dim_map=[1, 0]>"
                      : "partition_view<tile=(" + number(rows) + "x" +
                            number(columns) + "), " + tensor + ">";
}

Value Generator::loadNibbles(int64_t count) {
  int64_t rows = count >= 16 && chance(60) ? int64_t(1) << below(3) : 1;
  bool isTransposed = rows > 1 && chance(40);
  Buffer &buffer = newBuffer("f4E2M1FN", count, /*isOutput=*/false);
  fillWithBits(buffer);
  std::string make, base = "%" + buffer.name;
  std::string type =
      nibbleView(rows, count / rows, /*parts=*/1, isTransposed, make);
  std::string tensor = fresh(), view = fresh(), zero = integer("i32", 0).name;
  line(tensor + " = make_tensor_view " + base + make);
  line(view + " = make_partition_view " + tensor + " : " + type);
  TileType tile{"f4E2M1FN", {rows, count / rows}};
  if (isTransposed)
    std::swap(tile.shape[0], tile.shape[1]);
  Value result{fresh(), tile, std::nullopt};
  line(result.name + ", " + fresh() + " = load_view_tko weak " + view + "[" +
       zero + ", " + zero + "] : " + type + ", tile<i32> -> " + text(tile) +
       ", token");
  return result;
}

void Generator::storeNibbles(const Value &given) {
  Value value = given;
  int64_t count = value.type.count();
  TileType tile{value.type.element, {2, count / 2}};
  bool isTransposed = chance(40);
  if (isTransposed)
    std::swap(tile.shape[0], tile.shape[1]);
  if (tile != value.type)
    value = derive("reshape " + value.name + " : " + text(value.type) + " -> " +
                       text(tile),
                   tile);
  Buffer &buffer = newBuffer("f4E2M1FN", count * blocks, /*isOutput=*/true);
  buffer.init = "zeros";
  std::string make, base = "%" + buffer.name;
  std::string type = nibbleView(2, count / 2, blocks, isTransposed, make);
  std::string tensor = fresh(), view = fresh(), next = fresh(),
              zero = integer("i32", 0).name;
  line(tensor + " = make_tensor_view " + base + make);
  line(view + " = make_partition_view " + tensor + " : " + type);
  line(next + " = store_view_tko weak " + value.name + ", " + view + "[" +
       (isTransposed ? zero + ", " + block.name : block.name + ", " + zero) +
       "]" + tokenOperand(true) + " : " + text(tile) + ", " + type +
       ", tile<i32> -> token");
  chain(next);
}

/// `room` elements that this tile block allocates.
Place Generator::allocated(const std::string &element, int64_t room) {
  TileType type = pointerTo(element, {});
  int64_t bytes = std::max(widthOf(element) / 8, 1);
  Value base =
      derive("alloca num_elem = " + std::to_string(room) + ", alignment = " +
                 std::to_string(std::max(bytes, oneOf<int64_t>({1, 16, 64}))) +
                 (chance(20) ? " global" : "") + " : " + text(type),
             type);
  return {base.name, element, room};
}

void Generator::gridOp() {
  if (!isOrdered())
    return;
  std::string next = fresh();
  switch (below(3)) {
  case 0:
    line(next + " = gdc_wait_tko token = " + token + " -> token");
    break;
  case 1:
    line(next + " = gdc_launch_dependents_tko token = " + token + " -> token");
    break;
  default:
    line(next + " = memory_fence_alias_tko " + token);
  }
  chain(next);
}

void Generator::roundTrip() {
  if (!isOrdered())
    return;
  TileType type{chance(50) ? someFloat() : someInteger(), someShape()};
  Value value = get(type);
  Place place = chance(25) ? allocated(type.element, type.count())
                           : ownPlace(type.element, type.count());
  writeAll(place, value);
  TileType again = type;
  if (chance(40))
    again.shape = {type.count()};
  Value read = readAll(place, again);
  if (chance(40)) {
    // And once more over what was read.
    Value next = get(again);
    std::string first = token;
    writeAll(place, next);
    readAll(place, type);
    if (chance(50)) {
      std::string joined = fresh();
      line(joined + " = join_tokens " + first + ", " + token + " : token");
      chain(joined);
    }
  }
}

void Generator::loadTable() {
  if (tables.empty())
    return;
  const Table &table = oneOf(tables);
  TileType type = pointerTo(table.element, {});
  Value base = derive("get_global @" + table.name + " : " + text(type), type);
  TileType result{table.element, someShape()};
  if (result.shape.empty())
    result.shape = {table.count};
  Place place{base.name, table.element, table.count};
  loadByPointers(place, result);
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static const char *const kModes[] = {"and", "or",  "xor",  "add",
                                     "max", "min", "umax", "umin"};

/// All tile blocks change the same elements; what they find depends on who
/// comes first, what is left does not.
void Generator::sharedAtomic() {
  bool isFloatSum = chance(25);
  // bf16 needs sm_90.
  std::string element =
      isFloatSum ? oneOf({"f32", "f32", "f16", "f64"}) : oneOf({"i32", "i64"});
  std::string mode = isFloatSum ? "addf" : kModes[below(8)];
  Shape shape = someShape();
  if (countOf(shape) > 256)
    shape = {64};
  Value arg = isFloatSum ? convert(binary("andi", get({"i32", shape}),
                                          integer("i32", 7, shape)),
                                   element)
                         : get({element, shape});
  int64_t room = powerAbove(arg.type.count());
  Buffer &buffer = newBuffer(element, room, /*isOutput=*/true);
  buffer.init = isFloatSum ? "integers:0:8" : "integers:-99:99";
  Place place{"%" + buffer.name, element, room};
  std::string orders = oneOf({"relaxed", "acquire", "release", "acq_rel"}) +
                       oneOf({" device ", " sys "});
  if (!arg.type.shape.empty() && chance(35)) {
    ViewRequest request;
    request.tile = arg.type;
    request.isWritten = request.forReduction = true;
    request.isPlain = true;
    ViewAccess access = makeView(request, [&](int64_t) { return place.base; });
    line(fresh() + " = atomic_red_view_tko relaxed device " + access.view +
         "[" + access.indices + "], " + mode + ", " + arg.name + " : " +
         text(arg.type) + ", " + access.type + access.indexTypes + " -> token");
    return;
  }
  Value to = pointers(place, arg.type.shape, /*isUnique=*/chance(50));
  std::string head = to.name + ", " + mode + ", " + arg.name,
              types = text(to.type) + ", " + text(arg.type);
  if (chance(30)) {
    Value chosen = mask(arg.type.shape);
    head += ", " + chosen.name;
    types += ", " + text(chosen.type);
  }
  line(fresh() + ", " + fresh() + " = atomic_rmw_tko " + orders + head + " : " +
       types + " -> " + text(arg.type) + ", token");
}

/// On memory of this tile block alone, every element once: what was there
/// before is known.
void Generator::ownAtomic() {
  if (!isOrdered())
    return;
  bool isCompare = chance(35);
  std::string mode = chance(20) ? "xchg" : kModes[below(8)];
  std::string element = oneOf({"i32", "i32", "i64"});
  if (isCompare || mode == "xchg")
    element = oneOf({"i32", "i64", "f32", "f64"});
  Shape shape = someShape();
  TileType type{element, shape};
  int64_t room = powerAbove(type.count());
  Place place = ownPlace(element, room, "integers:0:3");
  Value to = pointers(place, shape, /*isUnique=*/true);
  std::string old = fresh(), next = fresh();
  std::string orders = oneOf({"relaxed", "acquire", "release", "acq_rel"}) +
                       oneOf({" device ", " sys ", " tl_blk "});
  std::string head, types, op;
  if (isCompare) {
    Value compare =
        isFloat(element)
            ? define("constant <" + element + ": 1.0> : " + text(type), type)
        : chance(50) ? integer(element, 1, shape)
                     : limited(get(type), 2);
    Value value = get(type);
    op = "atomic_cas_tko ";
    head = to.name + ", " + compare.name + ", " + value.name;
  } else {
    Value arg = get(type);
    op = "atomic_rmw_tko ";
    head = to.name + ", " + mode + ", " + arg.name;
  }
  types = text(to.type) + ", " + text(type);
  if (chance(30)) {
    Value chosen = mask(shape);
    head += ", " + chosen.name;
    types += ", " + text(chosen.type);
  }
  line(old + ", " + next + " = " + op + orders + head + tokenOperand(false) +
       " : " + types + " -> " + text(type) + ", token");
  chain(next);
  keep({old, type, std::nullopt});
}

} // namespace tileir::check
