// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow that memory decides: scalars from loads, atomics, reductions and
// extractions, before loops and at their ends, in loops with several exits.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

using Semantics = ct::MemoryOrderingSemantics;
using Predicate = ct::ComparisonPredicate;
using Mode = ct::AtomicRMWMode;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Returns one element of a place.
mlir::Value Generator::elementAt(const Place &place, int64_t at) {
  if (at == 0 && chance(70))
    return place.base;
  return offset(place.base, integer("i32", at));
}

Value Generator::loadScalar(mlir::Value pointer, const std::string &element) {
  return keep(loadElements(pointer, {element, {}}));
}

Generator::Ordering Generator::atomicOrder() {
  auto scope = oneOf({ct::MemoryScope::DEVICE, ct::MemoryScope::SYS});
  auto semantics =
      oneOf({Semantics::RELAXED, Semantics::RELAXED, Semantics::ACQUIRE,
             Semantics::RELEASE, Semantics::ACQ_REL});
  return {semantics, ct::MemoryScopeAttr::get(builder.getContext(), scope)};
}

/// Emits a read-modify-write of one element, with the token of the chain. Other
/// operations do not use the result, which may depend on other tile blocks.
Value Generator::atomicScalar(mlir::Value pointer, Mode mode, const Value &arg,
                              std::optional<Semantics> semantics) {
  Ordering ordering = atomicOrder();
  auto made = emit<ct::AtomicRMWTkoOp>(semantics.value_or(ordering.semantics),
                                       ordering.scope.getValue(), pointer, mode,
                                       arg.ssa, mlir::Value(), token);
  chain(made.getResultToken());
  return {made.getResult(), arg.type, std::nullopt};
}

/// Returns a scalar of this value, which the compiler cannot know: from memory,
/// by a load, an atomic that changes nothing, a reduction or an extraction.
Value Generator::hiddenScalar(const std::string &element, int64_t number) {
  std::string wide = element == "i64" ? "i64" : "i32";
  std::string init =
      "integers:" + std::to_string(number) + ":" + std::to_string(number + 1);
  auto input = [&](const std::string &type, int64_t count) {
    Buffer &buffer = newBuffer(type, count, /*isOutput=*/false);
    buffer.init = init;
    return Place{buffer.base, type, count};
  };
  auto known = [&](Value value) {
    if (value.type.element != element)
      value = define<ct::TruncIOp>({element, {}}, value.ssa);
    value.range = {{number, number}};
    pool.back().range = value.range;
    return value;
  };
  int64_t kind = below(5);
  if (kind == 0) {
    int64_t at = below(4);
    Place place = input(element, 4);
    return known(loadScalar(elementAt(place, at), element));
  }
  if (kind <= 2) {
    // Any number of tile blocks may execute it at once, in any order.
    Buffer &buffer = newBuffer(wide, 1, /*isOutput=*/true);
    buffer.init = init;
    mlir::Value cell = buffer.base;
    Ordering ordering = atomicOrder();
    Value same = integer(wide, number), zero = integer(wide, 0);
    if (chance(25)) {
      auto made = emit<ct::AtomicCASTkoOp>(
          ordering.semantics, ordering.scope.getValue(), cell, same.ssa,
          same.ssa, mlir::Value(), mlir::Value());
      return known(keep({made.getResult(), {wide, {}}, std::nullopt}));
    }
    using Pick = std::pair<Mode, bool>;
    auto [mode, takesZero] = oneOf<Pick>({{Mode::ADD, true},
                                          {Mode::ADD, true},
                                          {Mode::OR, true},
                                          {Mode::XOR, true},
                                          {Mode::XCHG, false},
                                          {Mode::MIN, false},
                                          {Mode::MAX, false},
                                          {Mode::AND, false}});
    auto made = emit<ct::AtomicRMWTkoOp>(
        ordering.semantics, ordering.scope.getValue(), cell, mode,
        takesZero ? zero.ssa : same.ssa, mlir::Value(), mlir::Value());
    return known(keep({made.getResult(), {wide, {}}, std::nullopt}));
  }
  int64_t count = int64_t(1) << between(0, 9);
  Place place = input(wide, count);
  Value places = iota("i32", count);
  mlir::Value from = offset(spreadScalar(place.base, {count}), places);
  Value tile = keep(loadElements(from, {wide, {count}}));
  if (kind == 3)
    return known(reduceBy(tile, 0, oneOf({op::maxi, op::mini, op::andi})));
  return known(extractedElement(tile, index(count)));
}

/// Returns one element of a one-dimensional tile.
Value Generator::extractedElement(const Value &tile, const Value &at) {
  Value one =
      define<ct::ExtractOp>({tile.type.element, {1}}, tile.ssa, Values{at.ssa});
  return reshaped(one, {});
}

/// Reshapes a tile to one dimension.
Value Generator::flattened(const Value &tile) {
  return reshaped(tile, {tile.type.count()});
}

/// Returns a data-dependent scalar in [0, limit).
Value Generator::steeringScalar(int64_t limit) {
  std::string element = oneOf({"i32", "i32", "i64", "i16"});
  int64_t kind = below(isOrdered() ? 5 : 4);
  Value found;
  switch (kind) {
  case 0:
    found = loadByPointers(readPlace(element, int64_t(1) << below(5)),
                           {element, {}});
    break;
  case 1: {
    Value tile = flattened(get({element, someShape()}));
    found = reduceBy(tile, 0,
                     oneOf({op::maxi, op::mini, op::xori, op::addi, op::ori}));
    break;
  }
  case 2: {
    Value tile = flattened(get({element, someShape()}));
    found = extractedElement(tile, index(tile.type.count()));
    break;
  }
  case 3: {
    // The number of positive elements.
    Value tile =
        flattened(get({chance(50) ? someFloat() : element, someShape()}));
    Value holds = compare(Predicate::GREATER_THAN, tile, splat(0, tile.type));
    Value ones = define<ct::ExtIOp>({"i32", tile.type.shape}, holds.ssa,
                                    ct::Signedness::Unsigned);
    found = reduceBy(ones, 0, op::addi);
    break;
  }
  default: {
    element = oneOf({"i32", "i32", "i64"});
    Place cell = ownPlace(element, 1, "integers:0:9");
    Mode mode = oneOf({Mode::ADD, Mode::XCHG, Mode::MIN, Mode::MAX, Mode::UMAX,
                       Mode::AND, Mode::OR, Mode::XOR});
    Value arg = integer(element, between(0, 5));
    if (chance(30)) {
      Ordering ordering = atomicOrder();
      Value expected = integer(element, between(0, 5));
      auto made = emit<ct::AtomicCASTkoOp>(
          ordering.semantics, ordering.scope.getValue(), cell.base,
          expected.ssa, arg.ssa, mlir::Value(), token);
      chain(made.getResultToken());
      found = keep({made.getResult(), {element, {}}, std::nullopt});
    } else {
      found = atomicScalar(cell.base, mode, arg);
    }
  }
  }
  found = limited(found, limit);
  if (found.type.element == "i32")
    return found;
  found = convert(found, "i32");
  pool.back().range = found.range = {{0, limit - 1}};
  return found;
}

Value Generator::steeringCondition() {
  if (chance(25)) {
    // Of any or all elements.
    Value tile =
        flattened(get({chance(50) ? someFloat() : someInteger(), someShape()}));
    if (tile.type.element == "i1")
      return reduceBy(tile, 0, oneOf({op::ori, op::andi, op::xori}));
    Value other = splat(double(between(-2, 4)), tile.type);
    Value holds = compare(oneOf({Predicate::LESS_THAN, Predicate::GREATER_THAN,
                                 Predicate::NOT_EQUAL}),
                          tile, other);
    return reduceBy(holds, 0, oneOf({op::ori, op::andi, op::xori}));
  }
  Value a = steeringScalar(4);
  Value b = chance(80) ? integer("i32", below(3)) : steeringScalar(4);
  return compare(oneOf({Predicate::EQUAL, Predicate::LESS_THAN,
                        Predicate::GREATER_THAN, Predicate::NOT_EQUAL}),
                 a, b);
}

//===----------------------------------------------------------------------===//
// Loops over work
//===----------------------------------------------------------------------===//

/// Returns rows of an input and of an output for a loop that visits them in an
/// order read from memory.
Generator::WorkRows Generator::workRows(int64_t count) {
  TileType tile{someElement(), someShape()};
  if (tile.shape.empty() || tile.count() > 4096)
    tile.shape = {int64_t(1) << between(5, 11)};
  WorkRows rows{tile, count, {}, {}};
  Shape extents = tile.shape;
  extents[0] *= count;
  Shape strides = stridesOf(extents);
  Place place = readPlace(tile.element, countOf(extents));
  Buffer &buffer = newBuffer(tile.element, countOf(extents), /*isOutput=*/true);
  buffer.init = "zeros";
  mlir::Value to = buffer.base;
  auto view = [&](mlir::Value base) {
    return partitionView(tensorView(tile.element, extents, strides, base),
                         tile.shape);
  };
  rows.from = view(place.base);
  rows.to = view(to);
  return rows;
}

/// Loads row `at`, computes, and stores row `at`.
Value Generator::workOn(const WorkRows &rows, const Value &at, bool isStored) {
  Values indices = {at.ssa};
  for (size_t i = 1; i < rows.tile.shape.size(); ++i)
    indices.push_back(integer("i32", 0));
  Value x = keep(loadTile(rows.from, indices, rows.tile, hints(true)));
  Value y = combined(x, get(rows.tile));
  if (chance(30))
    someOps(1);
  if (isStored)
    storeTile(y, rows.to, indices, mlir::Value(), hints(true));
  return y;
}

/// Emits a loop over a work queue: tile blocks take rows from a shared counter,
/// as in a persistent kernel, or one tile block works alone, with steps and
/// exits of all kinds.
void Generator::queueLoop() {
  if (depth > 0 || !isOrdered())
    return;
  bool isShared = blocks > 1 && chance(60);
  int64_t count = between(1, isShared ? 2 * blocks + 1 : 4);
  WorkRows rows = workRows(isShared ? count : count * blocks);
  mlir::Value cell;
  if (isShared) {
    Buffer &buffer = newBuffer("i32", 1, /*isOutput=*/true);
    buffer.init = "zeros";
    cell = buffer.base;
  } else {
    cell = ownPlace("i32", 1).base;
  }
  Value one = integer("i32", 1);
  Value limit =
      chance(50) ? scalarArgument("i32", count) : hiddenScalar("i32", count);
  auto next = [&]() -> Value {
    Value arg = one;
    if (!isShared && chance(40))
      arg = binary(op::addi, one, steeringScalar(2));
    return atomicScalar(cell, Mode::ADD, arg);
  };
  /// The row of a number below the limit.
  auto rowOf = [&](const Value &number) {
    Value row = number;
    if (!isShared && blocks > 1) {
      Value first = binary(op::muli, block, integer("i32", count));
      row = binary(op::addi, first, number);
    }
    return row;
  };
  bool carriesTile = !isShared || chance(50);
  TileType carried{rows.tile};
  Value start = get(carried), first = next();
  Values inits = {first.ssa, token};
  std::vector<mlir::Type> types = {typeOf({"i32", {}}), tokenType()};
  if (carriesTile) {
    inits.push_back(start);
    types.push_back(typeOf(carried));
  }
  bool outerOnlyReads = std::exchange(onlyReads, onlyReads || isShared);
  // Rows depend on no tile block: any tile block may take one.
  Value own = block;
  std::vector<Value> outer;
  if (isShared) {
    block = integer("i32", 0);
    outer = std::exchange(pool, {});
  }
  mlir::ValueRange results =
      openLoop(types, inits, [&](mlir::Block::BlockArgListType in) {
        Value number = keep({in[0], {"i32", {}}, std::nullopt});
        chain(in[1]);
        Value before = start;
        if (carriesTile)
          before = {in[2], carried, std::nullopt};
        auto state = [&](mlir::Value at, const Value &tile) {
          Values values = {at, token};
          if (carriesTile)
            values.push_back(tile);
          return values;
        };
        Value done = compare(Predicate::GREATER_THAN_OR_EQUAL, number, limit);
        auto body = [&] {
          Value tile = before;
          // Every number of a shared counter is processed.
          if (!isShared && chance(35)) {
            Value leaves = steeringCondition();
            branch(leaves, {},
                   [&] { emit<ct::BreakOp>(state(number, before)); });
          }
          if (!isShared && chance(35)) {
            Value skips = steeringCondition();
            branch(skips, {}, [&] {
              Value again = next();
              emit<ct::ContinueOp>(state(again, before));
            });
          }
          Value row = rowOf(number);
          Value y = workOn(rows, row, /*isStored=*/true);
          if (carriesTile && !isShared)
            tile = combined(before, y);
          if (!isShared && chance(25))
            guardedText();
          Value again = next();
          emit<ct::ContinueOp>(state(again, tile));
        };
        if (chance(50)) {
          branch(done, {}, [&] { emit<ct::BreakOp>(state(number, before)); });
          body();
        } else {
          // As cuTile emits `while`.
          Value goesOn = compare(Predicate::LESS_THAN, number, limit);
          branch(goesOn, {}, body,
                 [&] { emit<ct::BreakOp>(state(number, before)); });
          // Unreachable.
          emit<ct::ContinueOp>(state(number, before));
        }
      });
  onlyReads = outerOnlyReads;
  if (isShared) {
    block = own;
    pool = std::move(outer);
  }
  chain(results[1]);
  if (carriesTile && !isShared)
    keep({results[2], carried, std::nullopt});
  // The last number of a tile block depends on the others.
  if (!isShared)
    keep({results[0], {"i32", {}}, std::nullopt});
}

/// Walks from row to row by a table, with a load before the loop and one at its
/// end.
void Generator::chaseLoop() {
  if (depth >= 2)
    return;
  int64_t count = between(2, 6), tripCount = between(0, 5);
  TileType tile{chance(50) ? someFloat() : someInteger(), someShape()};
  if (tile.shape.empty() || tile.count() > 2048)
    tile.shape = {int64_t(1) << between(3, 10)};
  std::string element = oneOf({"i32", "i32", "i64", "i16"});
  Buffer &table = newBuffer(element, count, /*isOutput=*/false);
  table.init = "integers:0:" + std::to_string(count);
  mlir::Value links = table.base;
  Shape extents = tile.shape;
  extents[0] *= count;
  Place place = readPlace(tile.element, countOf(extents));
  mlir::Value view = partitionView(
      tensorView(tile.element, extents, stridesOf(extents), place.base),
      tile.shape);
  auto follow = [&](mlir::Value at) {
    Value link = keep(loadElements(offset(links, at), {element, {}}));
    link.range = pool.back().range = {{0, count - 1}};
    return link;
  };
  Value zero = integer("i32", 0), one = integer("i32", 1);
  Value limit = hiddenScalar("i32", tripCount), start = get(tile);
  Value stop = integer(element, below(count + 2));
  Value first = follow(index(count));
  bool carriesToken = tokenFlows && chance(60);
  Values inits = {zero, first, start};
  std::vector<mlir::Type> types = {typeOf({"i32", {}}), typeOf(tile)};
  if (carriesToken) {
    inits.push_back(token);
    types.push_back(tokenType());
  }
  mlir::ValueRange results =
      openLoop(types, inits, [&](mlir::Block::BlockArgListType in) {
        tokenFlows = carriesToken;
        if (carriesToken)
          chain(in[3]);
        Value counter = keep({in[0], {"i32", {}}, {{0, tripCount}}});
        Value at = keep({in[1], {element, {}}, {{0, count - 1}}});
        Value before = keep({in[2], tile, std::nullopt});
        auto with = [&](Values values) {
          if (carriesToken)
            values.push_back(token);
          return values;
        };
        Value done = compare(Predicate::GREATER_THAN_OR_EQUAL, counter, limit);
        if (chance(50))
          done = binary(op::ori, done, compare(Predicate::EQUAL, at, stop));
        branch(done, {},
               [&] { emit<ct::BreakOp>(with({counter.ssa, before.ssa})); });
        Value again = binary(op::addi, counter, one);
        Values indices = {at.ssa};
        for (size_t i = 1; i < tile.shape.size(); ++i)
          indices.push_back(integer(element, 0));
        Value x = keep(loadTile(view, indices, tile, hints(true)));
        if (chance(40)) {
          Value skips = steeringCondition();
          branch(skips, {}, [&] {
            Value next = follow(at);
            emit<ct::ContinueOp>(with({again.ssa, next.ssa, before.ssa}));
          });
        }
        Value sum = combined(before, x);
        if (chance(40)) {
          Value leaves = steeringCondition();
          branch(leaves, {}, [&] {
            someOps(below(2));
            emit<ct::BreakOp>(with({again.ssa, sum.ssa}));
          });
        }
        if (chance(40))
          someOps(1);
        Value next = follow(at);
        emit<ct::ContinueOp>(with({again.ssa, next.ssa, sum.ssa}));
      });
  keep({results[0], {"i32", {}}, {{0, tripCount}}});
  keep({results[1], tile, std::nullopt});
  if (carriesToken)
    chain(results[2]);
}

/// Decrements the elements of a tile until a reduction says that none is left.
void Generator::drainLoop() {
  if (depth >= 2)
    return;
  Shape shape = someShape();
  if (shape.empty())
    shape = {int64_t(1) << between(3, 11)};
  std::string element = oneOf({"i32", "i32", "i16", "i64"});
  TileType type{element, {countOf(shape)}};
  int64_t most = between(1, 4);
  Value start = limited(flattened(get({element, shape})), most);
  type = start.type;
  TileType sumType{chance(50) ? someFloat() : someInteger(), someShape()};
  Value sum = get(sumType);
  bool carriesToken = tokenFlows && chance(60);
  bool isSum = chance(40), testsFirst = chance(50);
  Value none = splat(0, type), one = splat(1, type);
  auto left = [&](const Value &tile) {
    if (!isSum)
      return reduceBy(tile, 0, op::maxi);
    Value some = compare(Predicate::GREATER_THAN, tile, none);
    Value any = reduceBy(some, 0, op::ori);
    return define<ct::ExtIOp>({type.element, {}}, any.ssa,
                              ct::Signedness::Unsigned);
  };
  Value zero = integer(type.element, 0);
  Value first = left(start);
  Values inits = {start, first, sum};
  std::vector<mlir::Type> types = {typeOf(type), typeOf(sumType)};
  if (carriesToken) {
    inits.push_back(token);
    types.push_back(tokenType());
  }
  mlir::ValueRange results =
      openLoop(types, inits, [&](mlir::Block::BlockArgListType in) {
        tokenFlows = carriesToken;
        if (carriesToken)
          chain(in[3]);
        Value tile = keep({in[0], type, std::nullopt});
        Value more{in[1], {type.element, {}}, std::nullopt};
        keep({in[2], sumType, std::nullopt});
        auto with = [&](Values values) {
          if (carriesToken)
            values.push_back(token);
          return values;
        };
        Value done = compare(Predicate::LESS_THAN_OR_EQUAL, more, zero);
        auto leave = [&] { emit<ct::BreakOp>(with({tile, get(sumType)})); };
        if (testsFirst)
          branch(done, {}, leave);
        if (chance(60))
          someOps(1);
        Value less = binary(op::maxi, binary(op::subi, tile, one), none);
        if (!testsFirst)
          branch(done, {}, leave);
        if (chance(40)) {
          Value leaves = steeringCondition();
          branch(leaves, {},
                 [&] { emit<ct::BreakOp>(with({less, get(sumType)})); });
        }
        Value next = get(sumType), still = left(less);
        emit<ct::ContinueOp>(with({less.ssa, still.ssa, next.ssa}));
      });
  keep({results[0], type, std::nullopt});
  keep({results[1], sumType, std::nullopt});
  if (carriesToken)
    chain(results[2]);
}

/// Updates an element by compare-and-swap until no other tile block has written
/// in between.
void Generator::casLoop() {
  if (depth >= 2 || !isOrdered() || loopDepth > 1)
    return;
  bool isShared = blocks > 1 && chance(50);
  std::string element = oneOf({"i32", "i64"});
  mlir::Value cell;
  if (isShared) {
    Buffer &buffer = newBuffer(element, 1, /*isOutput=*/true);
    buffer.init = "integers:0:9";
    cell = buffer.base;
  } else {
    cell = ownPlace(element, 1, "integers:0:9").base;
  }
  TileType scalar{element, {}};
  // Commutative: the same result in any order of tile blocks.
  Elementwise change = oneOf({op::addi, op::xori, op::maxi, op::ori});
  Value by = chance(50) ? integer(element, between(1, 9))
                        : convert(steeringScalar(8), element);
  Value guess = chance(50) ? integer(element, between(0, 9))
                           : atomicScalar(cell, Mode::ADD, integer(element, 0));
  mlir::ValueRange results = openLoop(
      {typeOf(scalar), tokenType()}, {guess, token},
      [&](mlir::Block::BlockArgListType in) {
        Value old{in[0], scalar, std::nullopt};
        chain(in[1]);
        mlir::Value changed = emit(change, {old, by});
        Ordering ordering = atomicOrder();
        auto made = emit<ct::AtomicCASTkoOp>(
            ordering.semantics, ordering.scope.getValue(), cell, old.ssa,
            changed, mlir::Value(), token);
        chain(made.getResultToken());
        Value found{made.getResult(), scalar, std::nullopt};
        Value isDone = compare(Predicate::EQUAL, found, old);
        // No value depends on the number of failed attempts.
        branch(isDone, {}, [&] { emit<ct::BreakOp>(Values{found, token}); });
        emit<ct::ContinueOp>(Values{found, token});
      });
  chain(results[1]);
  if (!isShared)
    keep({results[0], scalar, std::nullopt});
}

/// Emits a lock around plain accesses to memory that tile blocks share.
void Generator::lockSection() {
  if (depth > 0 || !isOrdered())
    return;
  TileType tile{oneOf({"i32", "i64", "i16"}), someShape()};
  if (tile.shape.empty() || tile.count() > 1024)
    tile.shape = {int64_t(1) << between(0, 9)};
  Buffer &lockBuffer = newBuffer("i32", 1, /*isOutput=*/true);
  lockBuffer.init = "zeros";
  mlir::Value lock = lockBuffer.base;
  Buffer &buffer = newBuffer(tile.element, tile.count(), /*isOutput=*/true);
  buffer.init = "integers:0:9";
  mlir::Value memory = buffer.base;
  Value one = integer("i32", 1), zero = integer("i32", 0);
  Value added = get(tile);
  Elementwise change = oneOf({op::addi, op::xori, op::maxi, op::ori});
  auto take = [&] {
    if (chance(70))
      return atomicScalar(lock, Mode::XCHG, one, Semantics::ACQUIRE);
    auto made =
        emit<ct::AtomicCASTkoOp>(Semantics::ACQ_REL, ct::MemoryScope::DEVICE,
                                 lock, zero.ssa, one.ssa, mlir::Value(), token);
    chain(made.getResultToken());
    return Value{made.getResult(), {"i32", {}}, std::nullopt};
  };
  Value first = take();
  mlir::ValueRange taken = openLoop(
      {tokenType()}, {first, token}, [&](mlir::Block::BlockArgListType in) {
        Value held{in[0], {"i32", {}}, std::nullopt};
        chain(in[1]);
        Value isFree = compare(Predicate::EQUAL, held, zero);
        branch(isFree, {}, [&] { emit<ct::BreakOp>(Values{token}); });
        Value again = take();
        emit<ct::ContinueOp>(Values{again, token});
      });
  chain(taken[0]);
  Shape strides = stridesOf(tile.shape);
  mlir::Value view = partitionView(
      tensorView(tile.element, tile.shape, strides, memory), tile.shape);
  Values indices;
  for (size_t i = 0; i < tile.shape.size(); ++i)
    indices.push_back(zero);
  auto load = emit<ct::LoadViewTkoOp>(
      typeOf(tile), tokenType(), Semantics::WEAK, ct::MemoryScopeAttr(), view,
      indices, token, ct::OptimizationHintsAttr(), mlir::DenseBoolArrayAttr());
  chain(load.getResultToken());
  mlir::Value sum = emit(change, {load.getTile(), added.ssa});
  chain(storeTile({sum, tile, std::nullopt}, view, indices, token));
  auto release = emit<ct::AtomicRMWTkoOp>(
      Semantics::RELEASE, ct::MemoryScope::DEVICE, lock, Mode::XCHG, zero.ssa,
      mlir::Value(), token);
  chain(release.getResultToken());
}

/// The first tile block writes and sets a flag; the others wait for it.
void Generator::flagWait() {
  if (depth > 0 || !isOrdered() || blocks == 1)
    return;
  TileType tile{someElement(), someShape()};
  if (tile.shape.empty() || tile.count() > 4096)
    tile.shape = {int64_t(1) << between(0, 12)};
  Buffer &flagBuffer = newBuffer("i32", 1, /*isOutput=*/true);
  flagBuffer.init = "zeros";
  mlir::Value flag = flagBuffer.base;
  Buffer &buffer = newBuffer(tile.element, tile.count(), /*isOutput=*/true);
  buffer.init = "zeros";
  mlir::Value memory = buffer.base;
  Value one = integer("i32", 1), zero = integer("i32", 0);
  Value written = get(tile);
  mlir::Value view = partitionView(
      tensorView(tile.element, tile.shape, stridesOf(tile.shape), memory),
      tile.shape);
  Values indices;
  for (size_t i = 0; i < tile.shape.size(); ++i)
    indices.push_back(zero);
  bool looksByAdd = chance(60);
  auto look = [&]() -> Value {
    if (looksByAdd)
      return atomicScalar(flag, Mode::ADD, zero, Semantics::ACQUIRE);
    auto load = emit<ct::LoadPtrTkoOp>(
        typeOf({"i32", {}}), tokenType(), Semantics::ACQUIRE,
        ct::MemoryScopeAttr::get(builder.getContext(), ct::MemoryScope::DEVICE),
        flag, mlir::Value(), mlir::Value(), token, ct::OptimizationHintsAttr());
    chain(load.getResultToken());
    return {load.getResult(), {"i32", {}}, std::nullopt};
  };
  Value isFirst = compare(Predicate::EQUAL, block, zero);
  Value start = get(tile);
  mlir::ValueRange results = branch(
      isFirst, {typeOf(tile), tokenType()},
      [&] {
        chain(storeTile(written, view, indices, token));
        auto raised = emit<ct::AtomicRMWTkoOp>(
            Semantics::RELEASE, ct::MemoryScope::DEVICE, flag, Mode::XCHG,
            one.ssa, mlir::Value(), token);
        chain(raised.getResultToken());
        emit<ct::YieldOp>(Values{start, token});
      },
      [&] {
        Value seen = look();
        mlir::ValueRange raised = openLoop(
            {tokenType()}, {seen, token},
            [&](mlir::Block::BlockArgListType in) {
              Value now{in[0], {"i32", {}}, std::nullopt};
              chain(in[1]);
              Value isRaised = compare(Predicate::NOT_EQUAL, now, zero);
              branch(isRaised, {}, [&] { emit<ct::BreakOp>(Values{token}); });
              Value again = look();
              emit<ct::ContinueOp>(Values{again, token});
            });
        chain(raised[0]);
        auto load = emit<ct::LoadViewTkoOp>(
            typeOf(tile), tokenType(), Semantics::WEAK, ct::MemoryScopeAttr(),
            view, indices, token, ct::OptimizationHintsAttr(),
            mlir::DenseBoolArrayAttr());
        chain(load.getResultToken());
        Value sum = combined({load.getTile(), tile, std::nullopt}, start);
        emit<ct::YieldOp>(Values{sum, token});
      });
  keep({results[0], tile, std::nullopt});
  chain(results[1]);
}

//===----------------------------------------------------------------------===//
// Loops and branches that memory steers
//===----------------------------------------------------------------------===//

/// Emits a `for` with bounds from memory and an exit in a nested `if`, and
/// another one around it.
void Generator::steeredFor() {
  if (depth >= 2)
    return;
  int64_t low = below(2), tripCount = between(0, 3);
  Value from = chance(50) ? hiddenScalar("i32", low) : integer("i32", low);
  Value to = hiddenScalar("i32", low + tripCount);
  Value by = chance(30) ? hiddenScalar("i32", 1) : integer("i32", 1);
  TileType type{chance(50) ? someFloat() : someInteger(), someShape()};
  Value start = get(type), scalar = steeringScalar(5);
  bool carriesToken = tokenFlows && chance(70);
  Values inits = {start, scalar};
  if (carriesToken)
    inits.push_back(token);
  mlir::ValueRange results =
      forLoop(from, to, by, inits, [&](mlir::Block::BlockArgListType in) {
        tokenFlows = carriesToken;
        keep({in[0], {"i32", {}}, {{low, low + tripCount}}});
        Value before = keep({in[1], type, std::nullopt});
        Value number = keep({in[2], {"i32", {}}, {{0, 4}}});
        if (carriesToken)
          chain(in[3]);
        auto goOn = [&](const Value &tile, const Value &at) {
          Values values = {tile, at};
          if (carriesToken)
            values.push_back(token);
          emit<ct::ContinueOp>(values);
        };
        Value isSmall = compare(Predicate::LESS_THAN, number,
                                integer("i32", between(0, 4)));
        if (chance(60))
          branch(isSmall, {}, [&] {
            someOps(below(2));
            Value inner = steeringCondition();
            branch(inner, {}, [&] {
              Value again = steeringScalar(5);
              goOn(before, again);
            });
            Value tile = get(type);
            goOn(tile, number);
          });
        someOps(1);
        Value sum = combined(before, get(type));
        Value again = steeringScalar(5);
        goOn(sum, again);
      });
  keep({results[0], type, std::nullopt});
  keep({results[1], {"i32", {}}, {{0, 4}}});
  if (carriesToken)
    chain(results[2]);
}

/// Emits nested loops whose conditions come from memory, ordered by tokens: one
/// loop reads the stores of the previous one.
void Generator::steeredNest() {
  if (depth >= 1)
    return;
  int64_t tripCount = between(1, 3);
  Value limit = hiddenScalar("i32", tripCount), zero = integer("i32", 0),
        one = integer("i32", 1);
  TileType type{chance(50) ? someFloat() : someInteger(), someShape()};
  Value start = get(type), scalar = steeringScalar(4);
  mlir::ValueRange results = openLoop(
      {typeOf(type), typeOf({"i32", {}}), tokenType()},
      {zero, start, scalar, token}, [&](mlir::Block::BlockArgListType in) {
        Value counter = keep({in[0], {"i32", {}}, {{0, tripCount}}});
        Value before = keep({in[1], type, std::nullopt});
        Value number = keep({in[2], {"i32", {}}, {{0, 3}}});
        chain(in[3]);
        auto leave = [&] { emit<ct::BreakOp>(Values{before, number, token}); };
        Value done = compare(Predicate::GREATER_THAN_OR_EQUAL, counter, limit);
        branch(done, {}, leave);
        Value again = binary(op::addi, counter, one);
        auto goOn = [&](const Value &tile, const Value &at) {
          emit<ct::ContinueOp>(Values{again, tile, at, token});
        };
        // An inner loop that ends by its own number.
        Value innerFirst = steeringScalar(3);
        mlir::ValueRange inner =
            openLoop({typeOf(type), tokenType()}, {innerFirst, before, token},
                     [&](mlir::Block::BlockArgListType at) {
                       Value left = keep({at[0], {"i32", {}}, {{-1, 2}}});
                       Value tile = keep({at[1], type, std::nullopt});
                       chain(at[2]);
                       Value isOver =
                           compare(Predicate::LESS_THAN_OR_EQUAL, left, zero);
                       branch(isOver, {},
                              [&] { emit<ct::BreakOp>(Values{tile, token}); });
                       if (chance(50)) {
                         Value leaves = steeringCondition();
                         branch(leaves, {}, [&] {
                           someOps(below(2));
                           emit<ct::BreakOp>(Values{get(type), token});
                         });
                       }
                       Value sum = combined(tile, get(type));
                       if (chance(50))
                         someOps(1);
                       Value fewer = binary(op::subi, left, one);
                       pool.back().range = {{-1, 2}};
                       emit<ct::ContinueOp>(Values{fewer, sum, token});
                     });
        Value sum = keep({inner[0], type, std::nullopt});
        chain(inner[1]);
        if (chance(60)) {
          Value early = steeringCondition();
          branch(early, {}, [&] {
            Value other = steeringCondition();
            branch(other, {}, leave);
            Value next = steeringScalar(4);
            goOn(sum, next);
          });
        }
        if (chance(50))
          someOps(1);
        Value next = steeringScalar(4);
        goOn(sum, next);
      });
  keep({results[0], type, std::nullopt});
  keep({results[1], {"i32", {}}, {{0, 3}}});
  chain(results[2]);
}

//===----------------------------------------------------------------------===//
// Text and assertions under conditions
//===----------------------------------------------------------------------===//

void Generator::guardedText() {
  if (!isOrdered() || depth >= 3)
    return;
  bool prints = chance(65);
  Value chosen = steeringCondition();
  if (blocks > 1) {
    // One tile block prints, so that lines have one order.
    Value isMine = compare(Predicate::EQUAL, block, integer("i32", blocks - 1));
    chosen = binary(op::andi, chosen, isMine);
  }
  mlir::ValueRange results = branch(
      chosen, {tokenType()},
      [&] {
        if (prints)
          printSome();
        else
          assertSome();
        emit<ct::YieldOp>(Values{token});
      },
      [&] { emit<ct::YieldOp>(Values{token}); });
  chain(results[0]);
}

void Generator::printSome() {
  std::string element = oneOf({"i32", "i32", "i64", "i16", "i8"});
  Value value = chance(40) ? steeringScalar(50)
                           : get({element, {int64_t(1) << below(5)}});
  int width = widthOf(value.type.element);
  std::string format = width == 64   ? oneOf({"%lld", "%llx"})
                       : width == 32 ? oneOf({"%d", "%u", "%x", "%5d"})
                                     : "%d";
  std::string text = oneOf({"value ", "", "100%% of "}) + format +
                     oneOf({"\n", "\n", " and no more\n"});
  chain(emit<ct::PrintTkoOp>(text, Values{value}, token));
}

/// Emits an assertion that holds, which the compiler cannot know.
void Generator::assertSome() {
  int64_t limit = between(2, 9);
  Value number = steeringScalar(limit);
  Value top = hiddenScalar("i32", limit);
  Value holds = compare(Predicate::LESS_THAN, number, top);
  if (chance(40))
    holds = broadcastTo(holds, {int64_t(1) << between(0, 8)});
  emit<ct::AssertOp>(holds.ssa, "is in range");
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// Emits two dots in a branch; the masked result of the first one is an operand
/// of the second.
void Generator::chainedDots() {
  if (depth >= 2)
    return;
  std::string element = oneOf({"f16", "bf16", "f16", "f32", "tf32"});
  int64_t m = int64_t(16) << below(3), n = int64_t(16) << below(3),
          k = int64_t(16) << below(3), d = int64_t(16) << below(2);
  TileType left{element, {m, k}}, right{element, {k, n}}, scores{"f32", {m, n}},
      values{element, {n, d}}, sums{"f32", {m, d}};
  bool carriesToken = tokenFlows && chance(50);
  Value a = load(left), b = load(right), v = load(values);
  Value start = chance(50) ? splat(0, sums) : get(sums);
  Value none = splat(0, scores);
  Value masked = splat(oneOf({0.0, -1.0e30, -64.0}), scores);
  bool isCausal = chance(50), isBounded = chance(60), isSoft = chance(50);
  Value limit = isBounded ? hiddenScalar("i32", between(1, n)) : Value();
  Value chosenCondition = steeringCondition();
  std::vector<mlir::Type> types = {typeOf(sums)};
  if (carriesToken)
    types.push_back(tokenType());
  auto finish = [&](const Value &sum) {
    Values yielded = {sum};
    if (carriesToken)
      yielded.push_back(token);
    emit<ct::YieldOp>(yielded);
  };
  mlir::ValueRange results = branch(
      chosenCondition, types,
      [&] {
        if (!carriesToken && loopDepth > 0)
          tokenFlows = false;
        Value s = matmul(a, b, none);
        Value atRow = along(scores.shape, 0), atColumn = along(scores.shape, 1);
        Value inside;
        if (isBounded)
          inside = below(atColumn, limit);
        if (isCausal || !isBounded) {
          Value causal =
              compare(Predicate::LESS_THAN_OR_EQUAL, atColumn, atRow);
          inside = isBounded ? binary(op::andi, inside, causal) : causal;
        }
        s = chosen(inside, s, masked);
        if (isSoft) {
          Value most = reduceBy(s, 1, op::maxf);
          s = exponential(binary(op::subf, s, spread(most, scores.shape, 1)));
          s = chosen(inside, s, none);
        }
        Value narrow = convert(s, element);
        finish(matmul(narrow, v, start));
      },
      [&] { finish(start); });
  keep({results[0], sums, std::nullopt});
  if (carriesToken)
    chain(results[1]);
}

//===----------------------------------------------------------------------===//
// Kernels of this kind
//===----------------------------------------------------------------------===//

void Generator::steeredOp() {
  static const Steps steps = {
      {10, &Generator::queueLoop},    {8, &Generator::chaseLoop},
      {7, &Generator::drainLoop},     {6, &Generator::casLoop},
      {4, &Generator::lockSection},   {4, &Generator::flagWait},
      {8, &Generator::steeredFor},    {8, &Generator::steeredNest},
      {8, &Generator::guardedText},   {4, &Generator::chainedDots},
      {6, &Generator::ifOp},          {4, &Generator::forOp},
      {4, &Generator::loopOp},        {5, &Generator::exitNest},
      {3, &Generator::windowLoop},    {3, &Generator::branchPointerOp},
      {4, &Generator::ownAtomic},     {3, &Generator::sharedAtomic},
      {4, &Generator::roundTrip},     {4, &Generator::reduceOp},
      {3, &Generator::extractOp},     {4, &Generator::floatOp},
      {5, &Generator::integerOp},     {3, &Generator::compareOp},
      {2, &Generator::matmulLoop},    {2, &Generator::mmaOp},
      {2, &Generator::scanOp},        {2, &Generator::softmaxRows},
      {2, &Generator::persistentRows}};
  if (chance(25))
    mixedOp();
  else
    pickStep(steps);
}

/// Generates shapes of one warp and of several.
void Generator::drawSteeredShapes() {
  int64_t bits = chance(40) ? between(0, 5) : between(7, chance(25) ? 12 : 10);
  shapes.push_back({int64_t(1) << bits});
  int64_t rows = below(bits + 1);
  if (chance(60))
    shapes.push_back({int64_t(1) << rows, int64_t(1) << (bits - rows)});
  if (chance(30))
    shapes.push_back({int64_t(1) << between(0, 6)});
  if (chance(30))
    shapes.push_back({});
}

} // namespace tileir::check
