// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized loads, stores and atomics.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

using Semantics = ct::MemoryOrderingSemantics;

Value Generator::loadElements(mlir::Value pointers, const TileType &type,
                              mlir::Value mask, mlir::Value padding,
                              ct::OptimizationHintsAttr hints) {
  auto load = emit<ct::LoadPtrTkoOp>(typeOf(type), tokenType(), Semantics::WEAK,
                                     ct::MemoryScopeAttr(), pointers, mask,
                                     padding, mlir::Value(), hints);
  return {load.getResult(), type, std::nullopt};
}

Value Generator::loadTile(mlir::Value view, const Values &indices,
                          const TileType &type,
                          ct::OptimizationHintsAttr hints) {
  auto load = emit<ct::LoadViewTkoOp>(
      typeOf(type), tokenType(), Semantics::WEAK, ct::MemoryScopeAttr(), view,
      indices, mlir::Value(), hints, mlir::DenseBoolArrayAttr());
  return {load.getTile(), type, std::nullopt};
}

mlir::Value Generator::storeTile(const Value &value, mlir::Value view,
                                 const Values &indices, mlir::Value token,
                                 ct::OptimizationHintsAttr hints) {
  return emit<ct::StoreViewTkoOp>(Semantics::WEAK, ct::MemoryScopeAttr(), value,
                                  view, indices, token, hints,
                                  mlir::DenseBoolArrayAttr());
}

Value Generator::loadByPointers(const Place &place, const TileType &type) {
  mlir::Value from = pointers(place, type.shape, /*isUnique=*/false);
  Ordering ordering = order(Semantics::ACQUIRE);
  Value isChosen, padding;
  bool isMasked = chance(40), isPadded = isMasked && chance(60);
  if (isMasked)
    isChosen = mask(type.shape);
  if (isPadded)
    padding = get(type);
  mlir::Value after;
  if (chance(20))
    after = token;
  auto load = emit<ct::LoadPtrTkoOp>(typeOf(type), tokenType(),
                                     ordering.semantics, ordering.scope, from,
                                     isChosen, padding, after, hints(false));
  Value result{load.getResult(), type, std::nullopt};
  // Masked-off elements are unspecified.
  if (isMasked && !isPadded)
    return chosen(isChosen, result, get(type));
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
  Ordering ordering = order(Semantics::ACQUIRE);
  mlir::Value after;
  if (chance(20))
    after = token;
  ct::OptimizationHintsAttr hint = hints(true);
  mlir::DenseBoolArrayAttr inbounds;
  if (chance(20))
    inbounds = access.inbounds;
  auto load = emit<ct::LoadViewTkoOp>(
      typeOf(type), tokenType(), ordering.semantics, ordering.scope,
      access.view, access.indices, after, hint, inbounds);
  return keep({load.getTile(), type, std::nullopt});
}

void Generator::store(const Value &given) {
  if (!isOrdered())
    return;
  Value value = given;
  bool usesToken = loopDepth > 0 || chance(30);
  mlir::Value next, after;
  if (usesToken)
    after = token;
  if (value.type.shape.empty() || chance(45)) {
    int64_t room = powerAbove(value.type.count()) * oneOf<int>({1, 1, 2});
    Place place = ownPlace(value.type.element, room);
    mlir::Value to = pointers(place, value.type.shape, /*isUnique=*/true);
    mlir::Value isChosen;
    if (chance(30))
      isChosen = mask(value.type.shape);
    Ordering ordering = order(Semantics::RELEASE);
    next = emit<ct::StorePtrTkoOp>(ordering.semantics, ordering.scope, to,
                                   value, isChosen, after, hints(false));
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
      return buffer.base;
    });
    Ordering ordering = order(Semantics::RELEASE);
    ct::OptimizationHintsAttr hint = hints(true);
    mlir::DenseBoolArrayAttr inbounds;
    if (chance(20))
      inbounds = access.inbounds;
    next = emit<ct::StoreViewTkoOp>(ordering.semantics, ordering.scope, value,
                                    access.view, access.indices, after, hint,
                                    inbounds);
  }
  if (usesToken)
    chain(next);
}

/// Writes every element of a place.
void Generator::writeAll(const Place &place, const Value &value) {
  if (chance(50) && !value.type.shape.empty()) {
    ViewRequest request;
    request.tile = value.type;
    request.isWritten = request.isPlain = true;
    ViewAccess access = makeView(request, [&](int64_t) { return place.base; });
    chain(storeTile(value, access.view, access.indices, token));
    return;
  }
  mlir::Value to = pointers(place, value.type.shape, /*isUnique=*/true);
  Ordering ordering = order(Semantics::RELEASE);
  chain(emit<ct::StorePtrTkoOp>(ordering.semantics, ordering.scope, to, value,
                                mlir::Value(), token,
                                ct::OptimizationHintsAttr()));
}

Value Generator::readAll(const Place &place, const TileType &type) {
  if (chance(50) && !type.shape.empty()) {
    ViewRequest request;
    request.tile = type;
    request.isPlain = true;
    ViewAccess access = makeView(request, [&](int64_t) { return place.base; });
    auto load = emit<ct::LoadViewTkoOp>(
        typeOf(type), tokenType(), Semantics::WEAK, ct::MemoryScopeAttr(),
        access.view, access.indices, token, ct::OptimizationHintsAttr(),
        mlir::DenseBoolArrayAttr());
    chain(load.getResultToken());
    return keep({load.getTile(), type, std::nullopt});
  }
  mlir::Value from = pointers(place, type.shape, /*isUnique=*/false);
  Ordering ordering = order(Semantics::ACQUIRE);
  auto load = emit<ct::LoadPtrTkoOp>(
      typeOf(type), tokenType(), ordering.semantics, ordering.scope, from,
      mlir::Value(), mlir::Value(), token, ct::OptimizationHintsAttr());
  chain(load.getResultToken());
  return keep({load.getResult(), type, std::nullopt});
}

/// Returns a view of elements that share bytes, split into whole rows.
mlir::Value Generator::nibbleView(mlir::Value base, int64_t rows,
                                  int64_t columns, int64_t parts,
                                  bool isTransposed) {
  auto type = ct::TensorViewType::get(elementType("f4E2M1FN"),
                                      {parts * rows, columns}, {columns, 1});
  mlir::Value tensor =
      emit<ct::MakeTensorViewOp>(type, base, Values{}, Values{});
  if (isTransposed)
    return partitionView(tensor, {columns, rows}, std::nullopt, {1, 0});
  return partitionView(tensor, {rows, columns});
}

Value Generator::loadNibbles(int64_t count) {
  int64_t rows = count >= 16 && chance(60) ? int64_t(1) << below(3) : 1;
  bool isTransposed = rows > 1 && chance(40);
  Buffer &buffer = newBuffer("f4E2M1FN", count, /*isOutput=*/false);
  fillWithBits(buffer);
  Value zero = integer("i32", 0);
  mlir::Value view =
      nibbleView(buffer.base, rows, count / rows, /*parts=*/1, isTransposed);
  TileType tile{"f4E2M1FN", {rows, count / rows}};
  if (isTransposed)
    std::swap(tile.shape[0], tile.shape[1]);
  return loadTile(view, {zero, zero}, tile);
}

void Generator::storeNibbles(const Value &given) {
  Value value = given;
  int64_t count = value.type.count();
  TileType tile{value.type.element, {2, count / 2}};
  bool isTransposed = chance(40);
  if (isTransposed)
    std::swap(tile.shape[0], tile.shape[1]);
  if (tile != value.type)
    value = derive<ct::ReshapeOp>(tile, value.ssa);
  Buffer &buffer = newBuffer("f4E2M1FN", count * blocks, /*isOutput=*/true);
  buffer.init = "zeros";
  Value zero = integer("i32", 0);
  mlir::Value view =
      nibbleView(buffer.base, 2, count / 2, blocks, isTransposed);
  Values indices = {block, zero};
  if (isTransposed)
    std::swap(indices[0], indices[1]);
  chain(storeTile(value, view, indices, token));
}

/// Returns `room` elements that this tile block allocates.
Place Generator::allocated(const std::string &element, int64_t room) {
  int64_t bytes = std::max(widthOf(element) / 8, 1);
  int64_t alignment = std::max(bytes, oneOf<int64_t>({1, 16, 64}));
  mlir::Value base = emit<ct::AllocaOp>(pointerTo(element), uint64_t(room),
                                        uint64_t(alignment), chance(20));
  return {base, element, room};
}

void Generator::gridOp() {
  if (!isOrdered())
    return;
  switch (below(3)) {
  case 0:
    chain(emit<ct::GdcWaitTkoOp>(token));
    break;
  case 1:
    chain(emit<ct::GdcLaunchDependentsTkoOp>(token));
    break;
  default:
    chain(emit<ct::MemoryFenceAliasTkoOp>(token));
  }
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
    // A second access over the loaded values.
    Value next = get(again);
    mlir::Value first = token;
    writeAll(place, next);
    readAll(place, type);
    if (chance(50))
      chain(emit<ct::JoinTokensOp>(tokenType(), Values{first, token}));
  }
}

void Generator::loadTable() {
  if (tables.empty())
    return;
  const Table &table = oneOf(tables);
  mlir::Value base =
      emit<ct::GetGlobalOp>(pointerTo(table.element), table.name);
  TileType result{table.element, someShape()};
  if (result.shape.empty())
    result.shape = {table.count};
  Place place{base, table.element, table.count};
  loadByPointers(place, result);
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

using Mode = ct::AtomicRMWMode;

static constexpr Mode kModes[] = {Mode::AND, Mode::OR,  Mode::XOR,  Mode::ADD,
                                  Mode::MAX, Mode::MIN, Mode::UMAX, Mode::UMIN};

/// All tile blocks update the same elements. The old values depend on their
/// order, the final values do not.
void Generator::sharedAtomic() {
  bool isFloatSum = chance(25);
  // bf16 needs sm_90.
  std::string element =
      isFloatSum ? oneOf({"f32", "f32", "f16", "f64"}) : oneOf({"i32", "i64"});
  Mode mode = isFloatSum ? Mode::ADDF : kModes[below(8)];
  Shape shape = someShape();
  if (countOf(shape) > 256)
    shape = {64};
  Value arg;
  if (isFloatSum) {
    Value any = get({"i32", shape});
    arg = convert(binary(op::andi, any, integer("i32", 7, shape)), element);
  } else {
    arg = get({element, shape});
  }
  int64_t room = powerAbove(arg.type.count());
  Buffer &buffer = newBuffer(element, room, /*isOutput=*/true);
  buffer.init = isFloatSum ? "integers:0:8" : "integers:-99:99";
  Place place{buffer.base, element, room};
  Semantics semantics = oneOf({Semantics::RELAXED, Semantics::ACQUIRE,
                               Semantics::RELEASE, Semantics::ACQ_REL});
  auto scope = oneOf({ct::MemoryScope::DEVICE, ct::MemoryScope::SYS});
  if (!arg.type.shape.empty() && chance(35)) {
    ViewRequest request;
    request.tile = arg.type;
    request.isWritten = request.forReduction = true;
    request.isPlain = true;
    ViewAccess access = makeView(request, [&](int64_t) { return place.base; });
    emit<ct::AtomicRedViewTkoOp>(Semantics::RELAXED, ct::MemoryScope::DEVICE,
                                 access.view, access.indices, mode, arg,
                                 mlir::Value(), mlir::DenseBoolArrayAttr());
    return;
  }
  mlir::Value to = pointers(place, arg.type.shape, /*isUnique=*/chance(50));
  mlir::Value isChosen;
  if (chance(30))
    isChosen = mask(arg.type.shape);
  emit<ct::AtomicRMWTkoOp>(semantics, scope, to, mode, arg, isChosen,
                           mlir::Value());
}

/// Updates memory of this tile block alone, every element once: the old values
/// are known.
void Generator::ownAtomic() {
  if (!isOrdered())
    return;
  bool isCompare = chance(35);
  Mode mode = chance(20) ? Mode::XCHG : kModes[below(8)];
  std::string element = oneOf({"i32", "i32", "i64"});
  if (isCompare || mode == Mode::XCHG)
    element = oneOf({"i32", "i64", "f32", "f64"});
  Shape shape = someShape();
  TileType type{element, shape};
  int64_t room = powerAbove(type.count());
  Place place = ownPlace(element, room, "integers:0:3");
  mlir::Value to = pointers(place, shape, /*isUnique=*/true);
  Semantics semantics = oneOf({Semantics::RELAXED, Semantics::ACQUIRE,
                               Semantics::RELEASE, Semantics::ACQ_REL});
  auto scope = oneOf(
      {ct::MemoryScope::DEVICE, ct::MemoryScope::SYS, ct::MemoryScope::TL_BLK});
  Value expected;
  if (isCompare)
    expected = isFloat(element) ? splat(1, type)
               : chance(50)     ? integer(element, 1, shape)
                                : limited(get(type), 2);
  Value arg = get(type);
  mlir::Value isChosen;
  if (chance(30))
    isChosen = mask(shape);
  mlir::Operation *made =
      isCompare ? emit<ct::AtomicCASTkoOp>(semantics, scope, to, expected, arg,
                                           isChosen, token)
                      .getOperation()
                : emit<ct::AtomicRMWTkoOp>(semantics, scope, to, mode, arg,
                                           isChosen, token)
                      .getOperation();
  chain(made->getResult(1));
  keep({made->getResult(0), type, std::nullopt});
}

} // namespace tileir::check
