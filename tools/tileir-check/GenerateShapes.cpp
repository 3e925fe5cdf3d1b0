// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random shapes, and elements that share bytes.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void Generator::shapeOp() {
  const Value *found =
      find([](const Value &value) { return !value.type.shape.empty(); });
  if (!found)
    return;
  Value value = *found;
  Shape shape = value.type.shape;
  switch (below(4)) {
  case 0: { // reshape
    int64_t count = countOf(shape);
    Shape next;
    for (int64_t left = count; left > 1;) {
      int64_t extent = int64_t(1) << between(1, 4);
      extent = std::min(extent, left);
      next.push_back(next.size() == 2 ? left : extent);
      left /= next.back();
    }
    if (chance(30))
      next.insert(next.begin() + below(next.size() + 1), 1);
    reshaped(value, next);
    return;
  }
  case 1: { // permute
    if (shape.size() < 2)
      return;
    std::vector<int64_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[below(i + 1)]);
    TileType type{value.type.element, {}};
    for (int64_t dim : order)
      type.shape.push_back(shape[dim]);
    define("permute " + value.name + " [" + text(order, ", ") +
               "] : " + text(value.type) + " -> " + text(type),
           type);
    pool.back().range = value.range;
    return;
  }
  case 2: { // broadcast along a new or a unit dimension
    Shape unit = shape, wide = shape;
    size_t at = below(shape.size() + 1);
    unit.insert(unit.begin() + at, 1);
    wide.insert(wide.begin() + at, int64_t(1) << between(0, 3));
    if (countOf(wide) <= 2048 && wide.size() <= 6)
      broadcastTo(reshaped(value, unit), wide);
    return;
  }
  default: // one element
    Shape ones(shape.size(), 1);
    TileType type{value.type.element, ones};
    std::string indices;
    for (int64_t extent : shape)
      indices += (indices.empty() ? "" : ", ") + index(extent).name;
    Value one = define("extract " + value.name + "[" + indices +
                           "] : " + text(value.type) + " -> " + text(type),
                       type);
    pool.back().range = one.range = value.range;
    reshaped(one, {});
  }
}

void Generator::catOp() {
  TileType type{someElement(), someShape()};
  if (type.shape.empty() || type.count() > 1024)
    return;
  Value a = get(type), b = get(type);
  size_t dim = below(type.shape.size());
  TileType result = type;
  result.shape[dim] *= 2;
  define("cat " + a.name + ", " + b.name + " dim = " + std::to_string(dim) +
             " : " + text(type) + ", " + text(type) + " -> " + text(result),
         result);
}

std::string Generator::partIndices(const Shape &whole, Shape &part) {
  std::string indices;
  for (int64_t extent : whole) {
    int64_t parts = std::min(int64_t(1) << below(3), extent);
    part.push_back(extent / parts);
    indices += (indices.empty() ? "" : ", ") + index(parts).name;
  }
  return indices;
}

void Generator::extractOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() && value.type.count() > 1;
  });
  if (!found)
    return;
  Value value = *found;
  TileType type{value.type.element, {}};
  std::string indices = partIndices(value.type.shape, type.shape);
  define("extract " + value.name + "[" + indices + "] : " + text(value.type) +
             " -> " + text(type),
         type);
  pool.back().range = value.range;
}

void Generator::insertOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() && value.type.count() > 1;
  });
  if (!found)
    return;
  Value whole = *found;
  TileType type{whole.type.element, {}};
  std::string indices = partIndices(whole.type.shape, type.shape);
  Value piece = get(type);
  define("insert " + piece.name + ", " + whole.name + "[" + indices +
             "] : " + text(type) + ", " + text(whole.type),
         whole.type);
}

void Generator::packOp() {
  const Value *found = find([](const Value &value) {
    return value.type.shape.size() == 1 && value.type.element != "tf32" &&
           (widthOf(value.type.element) > 1 || value.type.count() >= 8);
  });
  if (!found)
    return;
  Value value = *found;
  int64_t bytes = value.type.count() * widthOf(value.type.element) / 8;
  if (bytes > 4096)
    return;
  Value packed = value;
  if (widthOf(value.type.element) != 8) {
    TileType type{"i8", {bytes}};
    packed = define("pack " + value.name + " : " + text(value.type) + " -> " +
                        text(type),
                    type);
  }
  std::string to =
      oneOf({"i16", "i32", "f32", "f16", "i64", "bf16", "i1", "f64"});
  if (packed.type.element != "i8" || bytes * 8 % widthOf(to) != 0 || chance(30))
    return;
  TileType type{to, {bytes * 8 / widthOf(to)}};
  define("unpack " + packed.name + " : " + text(packed.type) + " -> " +
             text(type),
         type);
}

/// Elements of 4 bits are no operands of most operations: they come, move and
/// go here.
void Generator::nibbleOp() {
  bool isFloating = chance(60);
  std::string element = isFloating ? "f4E2M1FN" : "i4";
  Shape shape = someShape();
  int64_t count = countOf(shape);
  if (count < 4 || count > 2048)
    return;
  Value narrow;
  if (isFloating && chance(40)) {
    // Out of memory, where two share a byte.
    narrow = loadNibbles(count);
  } else {
    Value wide = get({isFloating ? someFloat() : someInteger(false), shape});
    TileType type{element, shape};
    narrow = derive(std::string(isFloating ? "ftof " : "trunci ") + wide.name +
                        " : " + text(wide.type) + " -> " + text(type),
                    type);
  }
  for (int64_t steps = below(3); steps > 0; --steps) {
    TileType type = narrow.type;
    switch (below(7)) {
    case 0:
      type.shape = {2, count / 2};
      if (narrow.type.shape.size() == 2)
        type.shape = {count};
      if (type == narrow.type)
        break;
      narrow = derive("reshape " + narrow.name + " : " + text(narrow.type) +
                          " -> " + text(type),
                      type);
      break;
    case 1:
      if (type.shape.size() != 2)
        break;
      std::swap(type.shape[0], type.shape[1]);
      narrow =
          derive("permute " + narrow.name + " [1, 0] : " + text(narrow.type) +
                     " -> " + text(type),
                 type);
      break;
    case 2:
      if (count > 1024)
        break;
      type.shape.back() *= 2;
      count *= 2;
      narrow = derive("cat " + narrow.name + ", " + narrow.name +
                          " dim = " + std::to_string(type.shape.size() - 1) +
                          " : " + text(narrow.type) + ", " + text(narrow.type) +
                          " -> " + text(type),
                      type);
      break;
    case 3: { // a part of it
      type.shape.clear();
      std::string indices = partIndices(narrow.type.shape, type.shape);
      if (type.count() < 4)
        break;
      count = type.count();
      narrow = derive("extract " + narrow.name + "[" + indices +
                          "] : " + text(narrow.type) + " -> " + text(type),
                      type);
      break;
    }
    case 4: { // a part of it elsewhere
      type.shape.clear();
      std::string indices = partIndices(narrow.type.shape, type.shape),
                  places = partIndices(narrow.type.shape, type.shape);
      size_t rank = narrow.type.shape.size();
      if (!std::equal(type.shape.begin(), type.shape.begin() + rank,
                      type.shape.begin() + rank))
        break;
      type.shape.resize(rank);
      if (type.count() < 2)
        break;
      Value piece = derive("extract " + narrow.name + "[" + indices +
                               "] : " + text(narrow.type) + " -> " + text(type),
                           type);
      narrow =
          derive("insert " + piece.name + ", " + narrow.name + "[" + places +
                     "] : " + text(type) + ", " + text(narrow.type),
                 narrow.type);
      break;
    }
    case 5: { // several times
      if (type.shape.size() != 1 || count > 512)
        break;
      TileType unit{type.element, {1, count}};
      Value row = derive("reshape " + narrow.name + " : " + text(narrow.type) +
                             " -> " + text(unit),
                         unit);
      type.shape = {int64_t(1) << between(1, 2), count};
      count = type.count();
      narrow = derive("broadcast " + row.name + " : " + text(unit) + " -> " +
                          text(type),
                      type);
      break;
    }
    default:
      if (type.shape.size() != 1)
        break;
      TileType bytes{"i8", {count / 2}};
      Value packed = define("pack " + narrow.name + " : " + text(type) +
                                " -> " + text(bytes),
                            bytes);
      narrow = derive("unpack " + packed.name + " : " + text(bytes) + " -> " +
                          text(type),
                      type);
    }
  }
  if (isFloating && chance(50) && isOrdered())
    storeNibbles(narrow);
  TileType back{isFloating ? someFloat() : someInteger(false),
                narrow.type.shape};
  define(isFloating ? "ftof " + narrow.name + " : " + text(narrow.type) +
                          " -> " + text(back)
                    : "exti " + narrow.name + oneOf({" signed", " unsigned"}) +
                          " : " + text(narrow.type) + " -> " + text(back),
         back);
}

} // namespace tileir::check
