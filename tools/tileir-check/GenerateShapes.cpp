// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized shapes, and elements that share bytes.

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
    std::vector<int32_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = int32_t(i);
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[below(i + 1)]);
    TileType type{value.type.element, {}};
    for (int32_t dim : order)
      type.shape.push_back(shape[dim]);
    define<ct::PermuteOp>(type, value.ssa, order);
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
    Values indices;
    for (int64_t extent : shape)
      indices.push_back(index(extent));
    Value one = define<ct::ExtractOp>(type, value.ssa, indices);
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
  define<ct::CatOp>(result, a.ssa, b.ssa, dim);
}

Values Generator::partIndices(const Shape &whole, Shape &part) {
  Values indices;
  for (int64_t extent : whole) {
    int64_t parts = std::min(int64_t(1) << below(3), extent);
    part.push_back(extent / parts);
    indices.push_back(index(parts));
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
  Values indices = partIndices(value.type.shape, type.shape);
  define<ct::ExtractOp>(type, value.ssa, indices);
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
  Values indices = partIndices(whole.type.shape, type.shape);
  Value piece = get(type);
  define<ct::InsertOp>(whole.type, piece.ssa, whole.ssa, indices);
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
    packed = define<ct::PackOp>(type, value.ssa);
  }
  std::string to =
      oneOf({"i16", "i32", "f32", "f16", "i64", "bf16", "i1", "f64"});
  if (packed.type.element != "i8" || bytes * 8 % widthOf(to) != 0 || chance(30))
    return;
  TileType type{to, {bytes * 8 / widthOf(to)}};
  define<ct::UnpackOp>(type, packed.ssa);
}

/// Returns 4-bit elements in another shape or order, or a slice of them.
Value Generator::moveNibbles(const Value &narrow) {
  TileType type = narrow.type;
  const Shape &shape = narrow.type.shape;
  int64_t count = type.count();
  switch (below(7)) {
  case 0:
    type.shape = shape.size() == 2 ? Shape{count} : Shape{2, count / 2};
    return type == narrow.type ? narrow
                               : derive<ct::ReshapeOp>(type, narrow.ssa);
  case 1:
    if (shape.size() != 2)
      return narrow;
    std::swap(type.shape[0], type.shape[1]);
    return derive<ct::PermuteOp>(type, narrow.ssa,
                                 llvm::ArrayRef<int32_t>{1, 0});
  case 2:
    if (count > 1024)
      return narrow;
    type.shape.back() *= 2;
    return derive<ct::CatOp>(type, narrow.ssa, narrow.ssa, shape.size() - 1);
  case 3: { // a slice of it
    type.shape.clear();
    Values indices = partIndices(shape, type.shape);
    return type.count() < 4 ? narrow
                            : derive<ct::ExtractOp>(type, narrow.ssa, indices);
  }
  case 4: { // a slice of it elsewhere
    type.shape.clear();
    Shape place;
    Values from = partIndices(shape, type.shape),
           to = partIndices(shape, place);
    if (type.shape != place || type.count() < 2)
      return narrow;
    Value piece = derive<ct::ExtractOp>(type, narrow.ssa, from);
    return derive<ct::InsertOp>(narrow.type, piece.ssa, narrow.ssa, to);
  }
  case 5: { // several times
    if (shape.size() != 1 || count > 512)
      return narrow;
    Value row = derive<ct::ReshapeOp>({type.element, {1, count}}, narrow.ssa);
    type.shape = {int64_t(1) << between(1, 2), count};
    return derive<ct::BroadcastOp>(type, row.ssa);
  }
  default:
    if (shape.size() != 1)
      return narrow;
    Value packed = define<ct::PackOp>({"i8", {count / 2}}, narrow.ssa);
    return derive<ct::UnpackOp>(type, packed.ssa);
  }
}

/// Most operations do not accept 4-bit elements: they are created, moved and
/// converted here.
void Generator::nibbleOp() {
  bool isFloating = chance(60);
  std::string element = isFloating ? "f4E2M1FN" : "i4";
  Shape shape = someShape();
  int64_t count = countOf(shape);
  if (count < 4 || count > 2048)
    return;
  Value narrow;
  if (isFloating && chance(40)) {
    // From memory, where two share a byte.
    narrow = loadNibbles(count);
  } else {
    Value wide = get({isFloating ? someFloat() : someInteger(false), shape});
    TileType type{element, shape};
    narrow = isFloating ? derive<ct::FToFOp>(type, wide.ssa)
                        : derive<ct::TruncIOp>(type, wide.ssa);
  }
  for (int64_t steps = below(3); steps > 0; --steps)
    narrow = moveNibbles(narrow);
  if (isFloating && chance(50) && isOrdered())
    storeNibbles(narrow);
  TileType back{isFloating ? someFloat() : someInteger(false),
                narrow.type.shape};
  if (isFloating) {
    define<ct::FToFOp>(back, narrow.ssa);
    return;
  }
  auto sign = oneOf({ct::Signedness::Signed, ct::Signedness::Unsigned});
  define<ct::ExtIOp>(back, narrow.ssa, sign);
}

} // namespace tileir::check
