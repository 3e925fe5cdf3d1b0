// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized memory: buffers, views, pointers.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void Generator::addArgument(Argument argument, ct::TileType type) {
  argument.ssa = entry.getBody().addArgument(type, builder.getUnknownLoc());
  arguments.push_back(argument);
}

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
  argument.name = buffer.name;
  argument.element = element;
  addArgument(argument, pointerTo(element));
  buffers.back().base = arguments.back().ssa;
  return buffers.back();
}

Value Generator::scalarArgument(const std::string &element, int64_t value) {
  if (kind == Kind::Steered && value >= 0 && isInteger(element) &&
      widthOf(element) >= 16 && chance(12))
    return hiddenScalar(element, value);
  std::string number = std::to_string(value);
  for (const Argument &known : arguments)
    if (!known.isBuffer && known.element == element && known.value == number &&
        chance(70))
      return {known.ssa, {element, {}}, {{value, value}}};
  Argument argument;
  argument.name = "n" + std::to_string(arguments.size());
  argument.element = element;
  argument.value = number;
  addArgument(argument, typeOf({element, {}}));
  return {arguments.back().ssa, {element, {}}, {{value, value}}};
}

Value Generator::numberArgument(const std::string &element) {
  if (isInteger(element))
    return scalarArgument(element,
                          element == "i1" ? below(2) : between(-20, 20));
  Argument argument;
  argument.name = "n" + std::to_string(arguments.size());
  argument.element = element;
  argument.value = element == "f8E8M0FNU"
                       ? oneOf({"1.0", "4.0", "0.125"})
                       : oneOf({"0.5", "-3.0", "1.25", "96.0", "0.0"});
  addArgument(argument, typeOf({element, {}}));
  return {arguments.back().ssa, {element, {}}, std::nullopt};
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
      // Mostly not the extremes of the range.
      bits = cases::doubleToBits(*dtype, random.normal() * 4);
    else if (isBaseFloat(buffer.element) && chance(30))
      bits = uint64_t(oneOf<int>({0, 1})) << (width - 1); // zeros
    cases::storeBits(*dtype, array.bytes.data(), size_t(i), bits);
  }
  std::string file = buffer.name + ".in.npy";
  buffer.init = "@" + file;
  files.emplace_back(file, array);
}

/// Returns a place shifted by some elements, so that nothing is aligned to more
/// than one element.
Place Generator::shifted(const Place &place, int64_t shift) {
  Value distance = chance(50) ? scalarArgument("i32", shift)
                              : integer(oneOf({"i32", "i64", "i16"}), shift);
  return {offset(place.base, distance), place.element, place.room - shift};
}

Place Generator::readPlace(const std::string &element, int64_t room) {
  int64_t shift = chance(15) ? between(1, 17) : 0;
  Place place = inputPlace(element, room + shift);
  if (shift)
    place = shifted(place, shift);
  if (!chance(5))
    return place;
  // One of two places, selected at run time.
  Place other = inputPlace(element, room);
  Value isFirst = condition();
  mlir::Value base = emit<ct::SelectOp>(isFirst, place.base, other.base);
  return {base, element, std::min(place.room, other.room)};
}

Place Generator::inputPlace(const std::string &element, int64_t room) {
  std::vector<size_t> known;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].isOutput && buffers[i].element == element &&
        buffers[i].count >= room)
      known.push_back(i);
  if (!known.empty() && chance(60)) {
    const Buffer &buffer = buffers[oneOf(known)];
    return {buffer.base, element, buffer.count};
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
  return {buffer.base, element, room};
}

Place Generator::ownPlace(const std::string &element, int64_t room,
                          const std::string &init) {
  int64_t shift = chance(12) ? between(1, 17) : 0;
  Buffer &buffer = newBuffer(element, room * blocks + shift, /*isOutput=*/true);
  buffer.init = init;
  mlir::Value base = buffer.base;
  if (shift)
    base = shifted({base, element, room * blocks + shift}, shift).base;
  if (blocks == 1)
    return {base, element, room};
  mlir::Value start = emit(op::muli, {block, integer("i32", room)});
  return {offset(base, start), element, room};
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

Generator::Ordering Generator::order(ct::MemoryOrderingSemantics strongest) {
  using Scope = ct::MemoryScope;
  if (chance(85))
    return {};
  auto semantics =
      chance(50) ? ct::MemoryOrderingSemantics::RELAXED : strongest;
  Scope scope = oneOf({Scope::TL_BLK, Scope::DEVICE, Scope::SYS});
  return {semantics, ct::MemoryScopeAttr::get(builder.getContext(), scope)};
}

ct::OptimizationHintsAttr Generator::hints(bool forView) {
  if (!chance(10))
    return {};
  std::string chip = oneOf({"sm_90", "sm_80", "sm_100"});
  mlir::NamedAttribute hint =
      forView && chance(50)
          ? builder.getNamedAttr("allow_tma",
                                 builder.getBoolAttr(oneOf({true, false})))
          : builder.getNamedAttr("latency",
                                 builder.getI64IntegerAttr(between(1, 10)));
  return ct::OptimizationHintsAttr::get(
      builder.getContext(), builder.getDictionaryAttr(builder.getNamedAttr(
                                chip, builder.getDictionaryAttr(hint))));
}

bool Generator::isInput(mlir::Value pointer) const {
  return std::any_of(buffers.begin(), buffers.end(), [&](const Buffer &buffer) {
    return !buffer.isOutput && buffer.base == pointer;
  });
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

mlir::Value Generator::tensorView(const std::string &element,
                                  const Shape &extents, const Shape &strides,
                                  mlir::Value base) {
  std::string dynamic = oneOf({"i32", "i32", "i32", "i64", "i64", "i16"});
  for (int64_t number : strides)
    if (number > INT16_MAX && dynamic == "i16")
      dynamic = "i32";
  int dynamicChance = oneOf<int>({0, 50, 100});
  auto hide = [&](Shape &numbers) {
    Values operands;
    for (int64_t &number : numbers)
      if (chance(dynamicChance)) {
        operands.push_back(scalarArgument(dynamic, number));
        number = mlir::ShapedType::kDynamic;
      }
    return operands;
  };
  Shape staticExtents = extents, staticStrides = strides;
  Values shape = hide(staticExtents), stride = hide(staticStrides);
  mlir::Value tensor = emit<ct::MakeTensorViewOp>(
      ct::TensorViewType::get(elementType(element), staticExtents,
                              staticStrides),
      base, shape, stride);
  if (chance(15))
    keepSizes(emit<ct::GetTensorShapeOp>(scalars(extents.size()), tensor),
              extents);
  return tensor;
}

mlir::Value Generator::partitionView(mlir::Value tensor, const Shape &tile,
                                     std::optional<ct::PaddingValue> padding,
                                     llvm::ArrayRef<int32_t> dimMap) {
  mlir::MLIRContext *context = builder.getContext();
  llvm::SmallVector<int32_t> map(dimMap);
  for (size_t i = map.size(); i < tile.size(); ++i)
    map.push_back(int32_t(i));
  auto type = ct::PartitionViewType::get(
      context, extentsOf(tile),
      mlir::cast<ct::TensorViewType>(tensor.getType()), map, padOf(padding));
  return emit<ct::MakePartitionViewOp>(type, tensor);
}

std::vector<mlir::Type> Generator::scalars(size_t count) {
  return std::vector<mlir::Type>(count, typeOf({"i32", {}}));
}

/// Results with known values.
void Generator::keepSizes(mlir::Operation *op, const Shape &sizes) {
  for (size_t i = 0; i < sizes.size(); ++i)
    keep({op->getResult(unsigned(i)), {"i32", {}}, {{sizes[i], sizes[i]}}});
}

/// Generates the layout of a view's tiles in its tensor.
Generator::ViewLayout Generator::layoutOf(const ViewRequest &request) {
  const Shape &tile = request.tile.shape;
  size_t rank = tile.size();
  ViewLayout layout;
  layout.isGather = !request.isPlain && !request.forReduction &&
                    !request.byBlock && chance(20);
  layout.isStrided =
      !request.isPlain && !layout.isGather && !request.byBlock && chance(20);
  layout.sparse = below(rank);
  layout.dimOf.resize(rank);
  for (size_t i = 0; i < rank; ++i)
    layout.dimOf[i] = int32_t(i);
  if (!layout.isGather && !request.isPlain && chance(30))
    for (size_t i = rank; i-- > 1;)
      std::swap(layout.dimOf[i], layout.dimOf[below(i + 1)]);

  layout.extents = layout.counts = layout.places = Shape(rank);
  layout.steps = tile;
  layout.inside.assign(rank, true);
  for (size_t t = 0; t < rank; ++t)
    layDimension(request, layout, t);
  return layout;
}

/// Generates the number of tiles along one dimension, and the number of
/// positions at which one may begin.
void Generator::layDimension(const ViewRequest &request, ViewLayout &layout,
                             size_t t) {
  int64_t tile = request.tile.shape[t], &step = layout.steps[t];
  int64_t count = request.isPlain             ? 1
                  : request.byBlock && t == 0 ? blocks
                                              : between(1, 3);
  if (layout.isStrided)
    step = between(1, tile + 2);
  int64_t extent = (count - 1) * step + tile;
  // The last tile exceeds the tensor.
  if (!request.isPlain && tile > 1 && chance(35)) {
    extent = (count - 1) * step + between(1, tile - 1);
    layout.isInside = layout.inside[t] = false;
  }
  bool isSparse = layout.isGather && t == layout.sparse;
  if (isSparse) {
    extent = between(tile, 2 * tile);
    layout.inside[t] = false;
  }
  layout.extents[layout.dimOf[t]] = extent;
  layout.counts[t] = isSparse ? extent : (extent + step - 1) / step;
  // The last of overlapping tiles may reach beyond the extent.
  if ((layout.counts[t] - 1) * step + tile > extent)
    layout.isInside = layout.inside[t] = false;
  layout.places[t] = !layout.isGather   ? layout.counts[t]
                     : layout.inside[t] ? extent - tile + 1
                                        : extent;
}

/// Returns a tensor for a view; its pointer may carry an assumption.
mlir::Value
Generator::tensorFor(const ViewRequest &request, const Shape &extents,
                     const std::function<mlir::Value(int64_t)> &base) {
  size_t rank = extents.size();
  // Dimensions by distance in memory; mostly adjacent elements last.
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
  mlir::Value pointer = base(span);
  if (chance(15)) {
    // Buffers begin at multiples of 16 bytes, sections of them at an element.
    int64_t bytes = std::max(widthOf(request.tile.element) / 8, 1);
    if (isInput(pointer))
      bytes = 16;
    pointer = emit<ct::AssumeOp>(pointer, divisibleBy(bytes));
  }
  return tensorView(request.tile.element, extents, strides, pointer);
}

/// Returns rows of a gather; rows beyond the tensor are padding.
Value Generator::gatheredRows(const ViewRequest &request,
                              const ViewLayout &layout) {
  int64_t rows = request.tile.shape[layout.sparse],
          extent = layout.extents[layout.sparse], power = powerAbove(extent);
  if (request.isWritten)
    return linearIndex({rows}, power, /*isUnique=*/true);
  Value any = get({oneOf({"i32", "i32", "i64", "i16"}), {rows}});
  return limited(any, chance(70) ? extent : power);
}

mlir::Value Generator::viewOf(mlir::Value tensor, const Shape &tile,
                              const ViewLayout &layout,
                              std::optional<ct::PaddingValue> padding) {
  auto type = mlir::cast<ct::TensorViewType>(tensor.getType());
  mlir::MLIRContext *context = builder.getContext();
  if (layout.isGather)
    return emit<ct::MakeGatherScatterViewOp>(
        ct::GatherScatterViewType::get(context, extentsOf(tile), type,
                                       int32_t(layout.sparse), padOf(padding)),
        tensor);
  if (layout.isStrided)
    return emit<ct::MakeStridedViewOp>(
        ct::StridedViewType::get(context, extentsOf(tile),
                                 extentsOf(layout.steps), type, layout.dimOf,
                                 padOf(padding)),
        tensor);
  return partitionView(tensor, tile, padding, layout.dimOf);
}

Generator::ViewAccess
Generator::makeView(const ViewRequest &request,
                    const std::function<mlir::Value(int64_t)> &base) {
  ViewLayout layout = layoutOf(request);
  mlir::Value tensor = tensorFor(request, layout.extents, base);
  Value rows;
  if (layout.isGather)
    rows = gatheredRows(request, layout);
  bool isInside = layout.isInside && !layout.isGather;
  std::optional<ct::PaddingValue> padding;
  if (!request.isWritten && !request.forReduction &&
      (!isInside || chance(30))) {
    using Pad = ct::PaddingValue;
    bool hasAll = isBaseFloat(request.tile.element);
    padding = hasAll ? oneOf({Pad::zero, Pad::neg_zero, Pad::nan, Pad::pos_inf,
                              Pad::neg_inf})
                     : Pad::zero;
  }
  ViewAccess access;
  llvm::SmallVector<bool> inbounds;
  for (bool flag : layout.inside)
    inbounds.push_back(flag && chance(70));
  access.inbounds = builder.getDenseBoolArrayAttr(inbounds);
  access.view = viewOf(tensor, request.tile.shape, layout, padding);
  size_t rank = layout.extents.size();
  if (chance(15))
    keepSizes(emit<ct::GetIndexSpaceShapeOp>(scalars(rank), access.view),
              layout.counts);
  std::string element = request.byBlock
                            ? "i32"
                            : oneOf({"i32", "i32", "i32", "i64", "i16", "i8"});
  const Shape &places = layout.places;
  if (element == "i8" && *std::max_element(places.begin(), places.end()) > 127)
    element = "i16";
  for (size_t t = 0; t < rank; ++t) {
    if (layout.isGather && t == layout.sparse)
      access.indices.push_back(rows);
    else if (request.byBlock && t == 0)
      access.indices.push_back(block);
    else
      access.indices.push_back(index(places[t], element));
  }
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
    // Row-major or column-major.
    bool isRowMajor = chance(65);
    int64_t stride = 1;
    bool isFirst = true;
    for (size_t i = 0; i < shape.size(); ++i) {
      size_t dim = isRowMajor ? shape.size() - 1 - i : i;
      Shape unit(shape.size(), 1);
      unit[dim] = shape[dim];
      Value part = reshaped(iota(element, shape[dim]), unit);
      if (stride != 1)
        part = binary(op::muli, part, integer(element, stride, unit));
      part = broadcastTo(part, shape);
      result = isFirst ? part : binary(op::addi, result, part);
      isFirst = false;
      stride *= shape[dim];
    }
  } else {
    result = reshaped(iota(element, count), shape);
    if (chance(30))
      result = binary(op::muli, result,
                      integer(element, 2 * below(room) + 1, shape));
    else if (chance(40))
      result = binary(op::xori, result, integer(element, below(room), shape));
  }
  if (room > count && chance(50))
    result = binary(op::addi, result,
                    broadcastTo(index(room - count + 1, element), shape));
  result = binary(op::andi, result, integer(element, room - 1, shape));
  pool.back().range = result.range = {{0, room - 1}};
  return result;
}

mlir::Value Generator::spreadScalar(mlir::Value scalar, const Shape &shape) {
  mlir::Type element =
      mlir::cast<ct::TileType>(scalar.getType()).getElementType();
  Shape ones(shape.size(), 1);
  mlir::Value one =
      emit<ct::ReshapeOp>(ct::TileType::get(ones, element), scalar);
  if (ones == shape)
    return one;
  return emit<ct::BroadcastOp>(ct::TileType::get(shape, element), one);
}

mlir::Value Generator::pointers(const Place &place, const Shape &shape,
                                bool isUnique) {
  int64_t room = 1;
  while (2 * room <= place.room)
    room *= 2;
  std::string element = place.element;
  if (shape.empty())
    return offset(place.base, index(room));
  Value offsets = linearIndex(shape, room, isUnique);
  if (chance(10)) {
    // By integers.
    TileType wide{"i64", shape};
    mlir::Value address = emit<ct::PtrToIntOp>(typeOf({"i64", {}}), place.base);
    mlir::Value first = spreadScalar(address, shape);
    mlir::Value distance = offsets;
    if (offsets.type.element != "i64")
      distance = define<ct::ExtIOp>(wide, distance, ct::Signedness::Unsigned);
    int64_t bytes = element == "i1" ? 1 : widthOf(element) / 8;
    distance = emit(op::muli, {distance, integer("i64", bytes, shape)});
    mlir::Value sum = emit(op::addi, {first, distance});
    return emit<ct::IntToPtrOp>(pointerTo(element, shape), sum);
  }
  mlir::Value wide = spreadScalar(place.base, shape);
  if (!chance(10) || element == "i1")
    return offset(wide, offsets);
  // As another type of the same size.
  std::string other = "i" + std::to_string(widthOf(element));
  wide = emit<ct::PtrToPtrOp>(pointerTo(other, shape), wide);
  return emit<ct::PtrToPtrOp>(pointerTo(element, shape), offset(wide, offsets));
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
  return compare(ct::ComparisonPredicate::LESS_THAN, places, limit);
}

} // namespace tileir::check
