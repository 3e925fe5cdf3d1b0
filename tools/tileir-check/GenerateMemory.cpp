// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random memory: buffers, views, pointers.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Buffer &Generator::newBuffer(const std::string &element, int64_t count,
                             bool isOutput) {
  Buffer buffer;
  buffer.name = (isOutput ? "out" : "in") + std::to_string(buffers.size());
  buffer.element = element;
  buffer.count = count;
  buffer.isOutput = isOutput;
  buffer.seed = random.next() >> 12;
  buffers.push_back(buffer);
  Argument argument;
  argument.isBuffer = true;
  argument.buffer = buffers.size() - 1;
  argument.name = "%" + buffer.name;
  argument.element = element;
  arguments.push_back(argument);
  return buffers.back();
}

Value Generator::scalarArgument(const std::string &element, int64_t value) {
  std::string number = std::to_string(value);
  for (const Argument &known : arguments)
    if (!known.isBuffer && known.element == element && known.value == number &&
        chance(70))
      return {known.name, {element, {}}, {{value, value}}};
  Argument argument;
  argument.name = "%n" + std::to_string(arguments.size());
  argument.element = element;
  argument.value = number;
  arguments.push_back(argument);
  return {argument.name, {element, {}}, {{value, value}}};
}

Value Generator::numberArgument(const std::string &element) {
  if (isInteger(element))
    return scalarArgument(element,
                          element == "i1" ? below(2) : between(-20, 20));
  Argument argument;
  argument.name = "%n" + std::to_string(arguments.size());
  argument.element = element;
  argument.value = element == "f8E8M0FNU"
                       ? oneOf({"1.0", "4.0", "0.125"})
                       : oneOf({"0.5", "-3.0", "1.25", "96.0", "0.0"});
  arguments.push_back(argument);
  return {argument.name, {element, {}}, std::nullopt};
}

void Generator::fillWithBits(Buffer &buffer) {
  std::optional<cases::Dtype> dtype = cases::parseDtype(buffer.element);
  cases::NpyArray array = cases::npyFor(*dtype, {buffer.count});
  int width = widthOf(buffer.element);
  for (int64_t i = 0; i < buffer.count; ++i) {
    uint64_t bits = random.next();
    if (buffer.element == "i1")
      bits &= 1;
    else if (buffer.element == "f8E8M0FNU")
      bits = 110 + bits % 35;
    else if (isBaseFloat(buffer.element) && chance(70))
      // Not the far ends of the range, mostly.
      bits = cases::doubleToBits(*dtype, random.normal() * 4);
    else if (isBaseFloat(buffer.element) && chance(30))
      bits = uint64_t(oneOf<int>({0, 1})) << (width - 1); // zeros
    cases::storeBits(*dtype, array.bytes.data(), size_t(i), bits);
  }
  std::string file = buffer.name + ".in.npy";
  buffer.init = "@" + file;
  files.emplace_back(file, array);
}

/// A place some elements further on, so that nothing is aligned to more than
/// one of them.
Place Generator::skewed(const Place &place, int64_t skew) {
  TileType type = pointerTo(place.element, {});
  Value distance = chance(50) ? scalarArgument("i32", skew)
                              : integer(oneOf({"i32", "i64", "i16"}), skew);
  Value base =
      derive("offset " + place.base + ", " + distance.name + " : " +
                 text(type) + ", " + text(distance.type) + " -> " + text(type),
             type);
  return {base.name, place.element, place.room - skew};
}

Place Generator::readPlace(const std::string &element, int64_t room) {
  int64_t skew = chance(15) ? between(1, 17) : 0;
  Place place = inputPlace(element, room + skew);
  if (skew)
    place = skewed(place, skew);
  if (!chance(5))
    return place;
  // One of two, which is known at run time only.
  Place other = inputPlace(element, room);
  TileType type = pointerTo(element, {});
  Value chosen = condition();
  Value base =
      derive("select " + chosen.name + ", " + place.base + ", " + other.base +
                 " : " + text(chosen.type) + ", " + text(type),
             type);
  return {base.name, element, std::min(place.room, other.room)};
}

Place Generator::inputPlace(const std::string &element, int64_t room) {
  std::vector<size_t> known;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isOutput && buffers[i].element == element &&
        buffers[i].count >= room)
      known.push_back(i);
  if (!known.empty() && chance(60)) {
    const Buffer &buffer = buffers[oneOf(known)];
    return {"%" + buffer.name, element, buffer.count};
  }
  Buffer &buffer = newBuffer(element, room, /*isOutput=*/false);
  bool isNumber = isFloat(element);
  if (element == "i1" || element == "f8E8M0FNU" || element == "f4E2M1FN" ||
      (element != "tf32" && chance(isNumber ? 20 : 40)))
    fillWithBits(buffer);
  else if (!isNumber)
    buffer.init = chance(30) ? "iota" : "integers:-50:50";
  else
    buffer.init = oneOf({"normal", "normal", "uniform", "integers:-4:5"});
  return {"%" + buffer.name, element, room};
}

Place Generator::ownPlace(const std::string &element, int64_t room,
                          const std::string &init) {
  int64_t skew = chance(12) ? between(1, 17) : 0;
  Buffer &buffer = newBuffer(element, room * blocks + skew, /*isOutput=*/true);
  buffer.init = init;
  std::string base = "%" + buffer.name;
  if (skew)
    base = skewed({base, element, room * blocks + skew}, skew).base;
  if (blocks == 1)
    return {base, element, room};
  Value start = binary("muli", block, integer("i32", room));
  pool.pop_back();
  TileType type = pointerTo(element, {});
  Value own = derive("offset " + base + ", " + start.name + " : " + text(type) +
                         ", tile<i32> -> " + text(type),
                     type);
  return {own.name, element, room};
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// `weak`, or another order and its scope. `strongest` is `acquire` for loads
/// and `release` for stores.
std::string Generator::order(const std::string &strongest) {
  if (chance(85))
    return "weak";
  return (chance(50) ? "relaxed" : strongest) +
         oneOf({" tl_blk", " device", " sys"});
}

std::string Generator::hints(bool forView) {
  if (!chance(10))
    return "";
  std::string text =
      " optimization_hints = <" + oneOf({"sm_90", "sm_80", "sm_100"}) + " = {";
  if (forView && chance(50))
    text += "allow_tma = " + oneOf({"true", "false"}) + "}>";
  else
    text += "latency = " + std::to_string(between(1, 10)) + "}>";
  return text;
}

std::string Generator::tokenOperand(bool forView) {
  return forView ? " token = " + token : " token=" + token;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// A tensor view whose extents and strides are partly known at compile time.
std::string Generator::tensorView(const ViewRequest &request,
                                  const Shape &extents, const Shape &strides,
                                  const std::string &base, std::string &type) {
  std::string dynamic = oneOf({"i32", "i32", "i32", "i64", "i64", "i16"});
  for (int64_t number : strides)
    if (number > INT16_MAX && dynamic == "i16")
      dynamic = "i32";
  int dynamicChance = oneOf<int>({0, 50, 100});
  bool anyDynamic = false;
  auto numbers = [&](const Shape &list, std::string &operands,
                     std::string &types, const char *separator) {
    for (int64_t number : list) {
      std::string operand = std::to_string(number), known = operand;
      if (chance(dynamicChance)) {
        operand = scalarArgument(dynamic, number).name;
        known = "?";
        anyDynamic = true;
      }
      operands += (operands.empty() ? "" : ", ") + operand;
      types += (types.empty() ? "" : separator) + known;
    }
  };
  std::string shape, shapeType, stride, strideType;
  numbers(extents, shape, shapeType, "x");
  numbers(strides, stride, strideType, ",");
  type = "tensor_view<" + shapeType + "x" + request.tile.element +
         ", strides=[" + strideType + "]>";
  std::string name = fresh();
  line(name + " = make_tensor_view " + base + ", shape = [" + shape +
       "], strides = [" + stride +
       "] : " + (anyDynamic ? "tile<" + dynamic + "> -> " : "") + type);
  if (chance(15)) {
    std::string sizes = fresh();
    line(sizes + ":" + std::to_string(extents.size()) + " = get_tensor_shape " +
         name + " : " + type + " -> tile<i32>");
    for (size_t i = 0; i < extents.size(); ++i)
      keep({extents.size() == 1 ? sizes : sizes + "#" + std::to_string(i),
            {"i32", {}},
            {{extents[i], extents[i]}}});
  }
  return name;
}

Generator::ViewAccess
Generator::makeView(const ViewRequest &request,
                    const std::function<std::string(int64_t)> &base) {
  const Shape &tile = request.tile.shape;
  size_t rank = tile.size();
  bool isGather = !request.isPlain && !request.forReduction &&
                  !request.byBlock && chance(20);
  bool isStrided =
      !request.isPlain && !isGather && !request.byBlock && chance(20);
  size_t sparse = below(rank);
  // Tile dimension to tensor dimension.
  std::vector<size_t> dimOf(rank);
  for (size_t i = 0; i < rank; ++i)
    dimOf[i] = i;
  if (!isGather && !request.isPlain && chance(30))
    for (size_t i = rank; i-- > 1;)
      std::swap(dimOf[i], dimOf[below(i + 1)]);

  // How many tiles there are, and how many places at which one may begin.
  Shape extents(rank), counts(rank), places(rank), steps = tile;
  std::vector<bool> inside(rank, true);
  bool isInside = true;
  for (size_t t = 0; t < rank; ++t) {
    int64_t count = request.isPlain             ? 1
                    : request.byBlock && t == 0 ? blocks
                                                : between(1, 3);
    if (isStrided)
      steps[t] = between(1, tile[t] + 2);
    int64_t extent = (count - 1) * steps[t] + tile[t];
    // The last tile sticks out.
    if (!request.isPlain && tile[t] > 1 && chance(35)) {
      extent = (count - 1) * steps[t] + between(1, tile[t] - 1);
      isInside = inside[t] = false;
    }
    if (isGather && t == sparse) {
      extent = between(tile[t], 2 * tile[t]);
      count = extent;
      inside[t] = false;
    }
    extents[dimOf[t]] = extent;
    counts[t] = (extent + steps[t] - 1) / steps[t];
    if (isGather && t == sparse)
      counts[t] = extent;
    // Tiles that overlap are more than those that fit.
    if ((counts[t] - 1) * steps[t] + tile[t] > extent)
      isInside = inside[t] = false;
    places[t] = !isGather   ? counts[t]
                : inside[t] ? extent - tile[t] + 1
                            : extent;
  }
  // Dimensions by distance in memory; neighbours last, mostly.
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i)
    order[i] = i;
  if (!request.isPlain && chance(25))
    std::reverse(order.begin(), order.end());
  Shape strides(rank);
  int64_t stride = !request.isPlain && chance(10) ? 2 : 1, span = 1;
  for (size_t i = rank; i-- > 0;) {
    strides[order[i]] = stride;
    span += (extents[order[i]] - 1) * stride;
    stride *= extents[order[i]];
    if (!request.isPlain && chance(20))
      stride += between(1, 9);
    else if (!request.isPlain && chance(20))
      stride = (stride + 15) / 16 * 16;
  }

  std::string pointer = base(span);
  if (chance(15)) {
    TileType type = pointerTo(request.tile.element, {});
    // Buffers begin at multiples of 16 bytes, parts of them at an element.
    int64_t bytes = std::max(widthOf(request.tile.element) / 8, 1);
    if (pointer.compare(0, 3, "%in") == 0)
      bytes = 16;
    pointer = derive("assume div_by<" + std::to_string(bytes) + ">, " +
                         pointer + " : " + text(type),
                     type)
                  .name;
  }
  std::string tensorType;
  std::string tensor =
      tensorView(request, extents, strides, pointer, tensorType);

  // Rows of a gather; those beyond the tensor are padding.
  std::string rows, rowsType;
  if (isGather) {
    int64_t power = powerAbove(extents[sparse]);
    Value index = request.isWritten
                      ? linearIndex({tile[sparse]}, power, /*isUnique=*/true)
                      : limited(get({oneOf({"i32", "i32", "i64", "i16"}),
                                     {tile[sparse]}}),
                                chance(70) ? extents[sparse] : power);
    rows = index.name;
    rowsType = text(index.type);
    isInside = false;
  }
  std::string padding;
  if (!request.isWritten && !request.forReduction &&
      (!isInside || chance(30))) {
    bool hasAll = isBaseFloat(request.tile.element);
    padding = "padding_value = " +
              (hasAll ? oneOf({"zero", "neg_zero", "nan", "pos_inf", "neg_inf"})
                      : std::string("zero")) +
              ", ";
  }
  ViewAccess access;
  for (bool flag : inside)
    access.inbounds += (access.inbounds.empty() ? " inbounds = [" : ", ") +
                       std::string(flag && chance(70) ? "true" : "false");
  access.inbounds += "]";
  std::string head = "tile=(" + text(tile) + "), ";
  std::string map;
  if (!std::is_sorted(dimOf.begin(), dimOf.end()))
    map = ", dim_map=[" + text(Shape(dimOf.begin(), dimOf.end()), ", ") + "]";
  std::string make;
  if (isGather) {
    make = "make_gather_scatter_view ";
    access.type = "gather_scatter_view<" + head + padding + tensorType +
                  ", sparse_dim=" + std::to_string(sparse) + ">";
  } else if (isStrided) {
    make = "make_strided_view ";
    access.type = "strided_view<" + head + "traversal_strides=[" +
                  text(steps, ",") + "], " + padding + tensorType + map + ">";
  } else {
    make = "make_partition_view ";
    access.type = "partition_view<" + head + padding + tensorType + map + ">";
  }
  access.view = fresh();
  line(access.view + " = " + make + tensor + " : " + access.type);
  if (chance(15)) {
    std::string sizes = fresh();
    line(sizes + ":" + std::to_string(rank) + " = get_index_space_shape " +
         access.view + " : " + access.type + " -> tile<i32>");
    for (size_t i = 0; i < rank; ++i)
      keep({rank == 1 ? sizes : sizes + "#" + std::to_string(i),
            {"i32", {}},
            {{counts[i], counts[i]}}});
  }
  std::string indexElement =
      request.byBlock ? "i32"
                      : oneOf({"i32", "i32", "i32", "i64", "i16", "i8"});
  if (indexElement == "i8" &&
      *std::max_element(places.begin(), places.end()) > 127)
    indexElement = "i16";
  std::vector<std::string> types;
  for (size_t t = 0; t < rank; ++t) {
    std::string name, type = "tile<" + indexElement + ">";
    if (isGather && t == sparse) {
      name = rows;
      type = rowsType;
    } else if (request.byBlock && t == 0) {
      name = block.name;
    } else {
      name = index(places[t], indexElement).name;
    }
    access.indices += (t ? ", " : "") + name;
    types.push_back(type);
  }
  // One type stands for all.
  bool isUniform =
      std::count(types.begin(), types.end(), types[0]) == int64_t(rank);
  for (size_t t = 0; t < (isUniform ? 1 : rank); ++t)
    access.indexTypes += ", " + types[t];
  return access;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

Value Generator::linearIndex(const Shape &shape, int64_t room, bool isUnique) {
  std::string element = oneOf({"i32", "i32", "i32", "i64"});
  int64_t count = countOf(shape);
  Value result;
  if (!isUnique && chance(30)) {
    result = limited(get({oneOf({"i32", "i64", "i16"}), shape}), room);
    return result;
  }
  if (chance(60) && shape.size() > 1) {
    // Row by row or column by column.
    bool isRowMajor = chance(65);
    int64_t stride = 1;
    bool isFirst = true;
    for (size_t i = 0; i < shape.size(); ++i) {
      size_t dim = isRowMajor ? shape.size() - 1 - i : i;
      Shape unit(shape.size(), 1);
      unit[dim] = shape[dim];
      Value part = reshaped(iota(element, shape[dim]), unit);
      if (stride != 1)
        part = binary("muli", part, integer(element, stride, unit));
      part = broadcastTo(part, shape);
      result = isFirst ? part : binary("addi", result, part);
      isFirst = false;
      stride *= shape[dim];
    }
  } else {
    result = reshaped(iota(element, count), shape);
    if (chance(30))
      result =
          binary("muli", result, integer(element, 2 * below(room) + 1, shape));
    else if (chance(40))
      result = binary("xori", result, integer(element, below(room), shape));
  }
  if (room > count && chance(50))
    result = binary("addi", result,
                    broadcastTo(index(room - count + 1, element), shape));
  result = binary("andi", result, integer(element, room - 1, shape));
  pool.back().range = result.range = {{0, room - 1}};
  return result;
}

Value Generator::pointers(const Place &place, const Shape &shape,
                          bool isUnique) {
  int64_t room = 1;
  while (2 * room <= place.room)
    room *= 2;
  std::string element = place.element;
  Value base{place.base, pointerTo(element, {}), std::nullopt};
  if (shape.empty()) {
    Value at = index(room);
    return derive("offset " + base.name + ", " + at.name + " : " +
                      text(base.type) + ", " + text(at.type) + " -> " +
                      text(base.type),
                  base.type);
  }
  Value offsets = linearIndex(shape, room, isUnique);
  Shape ones(shape.size(), 1);
  auto spread = [&](const Value &scalar) {
    TileType unit{scalar.type.element, ones}, wide{scalar.type.element, shape};
    Value reshape = derive("reshape " + scalar.name + " : " +
                               text(scalar.type) + " -> " + text(unit),
                           unit);
    return ones == shape ? reshape
                         : derive("broadcast " + reshape.name + " : " +
                                      text(unit) + " -> " + text(wide),
                                  wide);
  };
  TileType type = pointerTo(element, shape);
  if (chance(10)) {
    // By numbers.
    TileType number{"i64", {}};
    Value address = derive("ptr_to_int " + base.name + " : " + text(base.type) +
                               " -> " + text(number),
                           number);
    Value wide = spread(address);
    Value distance = offsets.type.element == "i64"
                         ? offsets
                         : define("exti " + offsets.name +
                                      " unsigned : " + text(offsets.type) +
                                      " -> " + text(wide.type),
                                  wide.type);
    int64_t bytes = element == "i1" ? 1 : widthOf(element) / 8;
    distance = binary("muli", distance, integer("i64", bytes, shape));
    pool.pop_back();
    Value sum = binary("addi", wide, distance);
    pool.pop_back();
    return derive("int_to_ptr " + sum.name + " : " + text(sum.type) + " -> " +
                      text(type),
                  type);
  }
  Value wide = spread(base);
  std::string other;
  if (chance(10) && element != "i1") {
    // Under another type of the same size.
    other = widthOf(element) == 8    ? "i8"
            : widthOf(element) == 16 ? "i16"
            : widthOf(element) == 32 ? "i32"
                                     : "i64";
    TileType cast = pointerTo(other, shape);
    wide = derive("ptr_to_ptr " + wide.name + " : " + text(wide.type) + " -> " +
                      text(cast),
                  cast);
  }
  Value result = derive("offset " + wide.name + ", " + offsets.name + " : " +
                            text(wide.type) + ", " + text(offsets.type) +
                            " -> " + text(wide.type),
                        wide.type);
  if (!other.empty())
    result = derive("ptr_to_ptr " + result.name + " : " + text(result.type) +
                        " -> " + text(type),
                    type);
  return result;
}

Value Generator::mask(const Shape &shape) {
  TileType type{"i1", shape};
  if (shape.empty() || chance(30))
    return get(type);
  int64_t count = countOf(shape);
  Value places = reshaped(iota("i32", count), shape);
  Value limit =
      chance(50) ? integer("i32", between(1, count), shape)
                 : broadcastTo(scalarArgument("i32", between(1, count)), shape);
  return define("cmpi less_than " + places.name + ", " + limit.name +
                    ", signed : " + text(places.type) + " -> " + text(type),
                type);
}

} // namespace tileir::check
