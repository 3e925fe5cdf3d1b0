// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

namespace tileir {
namespace {

using namespace mlir;
using namespace mlir::cuda_tile;

/// Returns whether `terminator` leaves `construct`: `continue` and `break` of a
/// loop, `return` of an entry.
bool isExit(Operation *terminator, Operation *construct) {
  if (isa<EntryOp>(construct))
    return isa<ReturnOp>(terminator);
  return isa<ContinueOp, BreakOp>(terminator);
}

/// Returns whether `block`, or an `if` nested in it, has an exit of
/// `construct`.
bool hasExits(Block *block, Operation *construct) {
  if (!block)
    return false;
  for (Operation &op : *block) {
    if (isExit(&op, construct))
      return true;
    if (auto branch = dyn_cast<IfOp>(op))
      if (hasExits(branch.getThenBlock(), construct) ||
          hasExits(branch.getElseBlock(), construct))
        return true;
  }
  return false;
}

enum class Paths { NoneExits, SomeExit, AllExit };

/// Returns whether no, some or all paths through a branch leave the construct.
Paths classify(Block *block, Operation *construct) {
  if (!block)
    return Paths::NoneExits;
  bool some = false;
  for (Operation &op : *block) {
    if (isExit(&op, construct))
      return Paths::AllExit;
    auto branch = dyn_cast<IfOp>(op);
    if (!branch)
      continue;
    Paths thenPaths = classify(branch.getThenBlock(), construct);
    Paths elsePaths = classify(branch.getElseBlock(), construct);
    if (thenPaths == Paths::AllExit && elsePaths == Paths::AllExit)
      return Paths::AllExit;
    some |= thenPaths != Paths::NoneExits || elsePaths != Paths::NoneExits;
  }
  return some ? Paths::SomeExit : Paths::NoneExits;
}

/// Values that replace the exits of a block: `types`, which `map` computes from
/// the terminator of a path.
struct ExitTuple {
  SmallVector<Type> types;
  llvm::function_ref<SmallVector<Value>(OpBuilder &, Operation *)> map;
};

class Normalizer {
public:
  Normalizer(Operation *construct, CudaTileConversion &conversion)
      : construct(construct), conversion(conversion) {}

  /// Replaces the terminator of `block`, and every exit in it, by the values of
  /// the tuple. Leaves the block without a terminator.
  SmallVector<Value> lowerBlock(Block *block, const ExitTuple &tuple);

private:
  SmallVector<Value> lowerIf(IfOp branch, Block *block, const ExitTuple &tuple);
  SmallVector<Value> lowerMixed(IfOp branch, Block *block,
                                const ExitTuple &tuple);
  void endWith(Block *block, Location loc, ValueRange values);

  Operation *construct;
  CudaTileConversion &conversion;
};

} // namespace

static Value createPoison(OpBuilder &builder, Location loc, Type type) {
  if (isa<TokenType>(type))
    return MakeTokenOp::create(builder, loc, type);
  return ub::PoisonOp::create(builder, loc, type);
}

static Value createFlag(OpBuilder &builder, Location loc, bool value) {
  auto type = TileType::get({}, builder.getI1Type());
  auto flag = DenseElementsAttr::get(cast<ShapedType>(type), value);
  return cuda_tile::ConstantOp::create(builder, loc, type,
                                       cast<DenseIntOrFPElementsAttr>(flag));
}

void Normalizer::endWith(Block *block, Location loc, ValueRange values) {
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  cuda_tile::YieldOp::create(builder, loc, values);
}

SmallVector<Value> Normalizer::lowerBlock(Block *block,
                                          const ExitTuple &tuple) {
  for (Operation &op : *block) {
    auto branch = dyn_cast<IfOp>(op);
    if (branch && (hasExits(branch.getThenBlock(), construct) ||
                   hasExits(branch.getElseBlock(), construct)))
      return lowerIf(branch, block, tuple);
  }
  Operation *terminator = block->getTerminator();
  OpBuilder builder(terminator);
  SmallVector<Value> values = tuple.map(builder, terminator);
  terminator->erase();
  return values;
}

/// Erases the unreachable operations after `op` in its block.
static void eraseAfter(Operation *op) {
  Block *block = op->getBlock();
  while (&block->back() != op) {
    block->back().dropAllUses();
    block->back().erase();
  }
}

static Block *getOrCreateElse(IfOp branch) {
  if (Block *block = branch.getElseBlock())
    return block;
  Block *block = new Block();
  branch.getElseRegion().push_back(block);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  cuda_tile::YieldOp::create(builder, branch.getLoc(), ValueRange());
  return block;
}

SmallVector<Value> Normalizer::lowerIf(IfOp branch, Block *block,
                                       const ExitTuple &tuple) {
  Location loc = branch.getLoc();
  Block *thenBlock = branch.getThenBlock();
  Block *elseBlock = getOrCreateElse(branch);
  Paths thenPaths = classify(thenBlock, construct);
  Paths elsePaths = classify(elseBlock, construct);
  if (thenPaths == Paths::SomeExit || elsePaths == Paths::SomeExit)
    return lowerMixed(branch, block, tuple);

  if (thenPaths == Paths::AllExit && elsePaths == Paths::AllExit) {
    eraseAfter(branch);
  } else {
    // The operations after the branch move into the region that falls through.
    Block *back = thenPaths == Paths::AllExit ? elseBlock : thenBlock;
    Operation *yield = back->getTerminator();
    for (auto [result, value] :
         llvm::zip(branch.getResults(), yield->getOperands()))
      result.replaceAllUsesWith(value);
    yield->erase();
    back->getOperations().splice(back->end(), block->getOperations(),
                                 std::next(branch->getIterator()),
                                 block->end());
  }
  for (Block *part : {thenBlock, elseBlock}) {
    SmallVector<Value> values = lowerBlock(part, tuple);
    endWith(part, loc, values);
  }
  OpBuilder builder(branch);
  auto result = IfOp::create(builder, loc, tuple.types, branch.getCondition());
  result.getThenRegion().takeBody(branch.getThenRegion());
  result.getElseRegion().takeBody(branch.getElseRegion());
  branch->dropAllUses();
  branch->erase();
  return SmallVector<Value>(result.getResults());
}

SmallVector<Value> Normalizer::lowerMixed(IfOp branch, Block *block,
                                          const ExitTuple &tuple) {
  ++conversion.numExitTests;
  Location loc = branch.getLoc();
  SmallVector<Type> yielded(branch.getResultTypes());
  // Types: exited, tuple of the construct, results of the `if`.
  SmallVector<Type> types{
      TileType::get({}, IntegerType::get(loc.getContext(), 1))};
  llvm::append_range(types, tuple.types);
  llvm::append_range(types, yielded);
  auto map = [&](OpBuilder &builder, Operation *terminator) {
    bool exited = isExit(terminator, construct);
    SmallVector<Value> values{
        createFlag(builder, terminator->getLoc(), exited)};
    if (exited) {
      llvm::append_range(values, tuple.map(builder, terminator));
      for (Type type : yielded)
        values.push_back(createPoison(builder, terminator->getLoc(), type));
    } else {
      for (Type type : tuple.types)
        values.push_back(createPoison(builder, terminator->getLoc(), type));
      llvm::append_range(values, terminator->getOperands());
    }
    return values;
  };
  ExitTuple inner{types, map};
  for (Block *part : {branch.getThenBlock(), branch.getElseBlock()}) {
    SmallVector<Value> values = lowerBlock(part, inner);
    endWith(part, loc, values);
  }
  OpBuilder builder(branch);
  auto first = IfOp::create(builder, loc, types, branch.getCondition());
  first.getThenRegion().takeBody(branch.getThenRegion());
  first.getElseRegion().takeBody(branch.getElseRegion());
  ValueRange results = first.getResults();
  ValueRange exitValues = results.slice(1, tuple.types.size());
  branch->replaceAllUsesWith(results.drop_front(1 + tuple.types.size()));

  auto second = IfOp::create(builder, loc, tuple.types, results.front());
  endWith(&second.getThenRegion().emplaceBlock(), loc, exitValues);
  Block *rest = &second.getElseRegion().emplaceBlock();
  rest->getOperations().splice(rest->end(), block->getOperations(),
                               std::next(branch->getIterator()), block->end());
  branch->erase();
  SmallVector<Value> values = lowerBlock(rest, tuple);
  endWith(rest, loc, values);
  return SmallVector<Value>(second.getResults());
}

static void normalizeFor(ForOp loop, CudaTileConversion &conversion) {
  Normalizer normalizer(loop, conversion);
  auto map = [](OpBuilder &, Operation *terminator) {
    return SmallVector<Value>(terminator->getOperands());
  };
  ExitTuple tuple{SmallVector<Type>(loop.getResultTypes()), map};
  SmallVector<Value> values = normalizer.lowerBlock(loop.getBody(), tuple);
  OpBuilder builder = OpBuilder::atBlockEnd(loop.getBody());
  ContinueOp::create(builder, loop.getLoc(), values);
}

static void normalizeLoop(LoopOp loop, CudaTileConversion &conversion) {
  Normalizer normalizer(loop, conversion);
  Block *body = loop.getBody();
  Location loc = loop.getLoc();
  SmallVector<Type> carried(loop.getInitValues().getTypes());
  SmallVector<Type> results(loop.getResultTypes());
  auto map = [&](OpBuilder &builder, Operation *terminator) {
    bool again = isa<ContinueOp>(terminator);
    SmallVector<Value> values{createFlag(builder, terminator->getLoc(), again)};
    if (again) {
      llvm::append_range(values, terminator->getOperands());
      for (Type type : results)
        values.push_back(createPoison(builder, terminator->getLoc(), type));
    } else {
      llvm::append_range(values, body->getArguments());
      llvm::append_range(values, terminator->getOperands());
    }
    return values;
  };
  ExitTuple tuple{{TileType::get({}, IntegerType::get(loc.getContext(), 1))},
                  map};
  llvm::append_range(tuple.types, carried);
  llvm::append_range(tuple.types, results);
  SmallVector<Value> values = normalizer.lowerBlock(body, tuple);

  OpBuilder builder = OpBuilder::atBlockEnd(body);
  auto exit = IfOp::create(builder, loc, TypeRange(), values.front());
  ArrayRef<Value> rest = ArrayRef<Value>(values).drop_front();
  OpBuilder inner = OpBuilder::atBlockEnd(&exit.getThenRegion().emplaceBlock());
  ContinueOp::create(inner, loc, rest.take_front(carried.size()));
  inner.setInsertionPointToEnd(&exit.getElseRegion().emplaceBlock());
  BreakOp::create(inner, loc, rest.drop_front(carried.size()));
  // Unreachable; a block needs a terminator.
  ContinueOp::create(builder, loc, body->getArguments());
}

/// Replaces a loop without `continue` by its body.
static void inlineSingleTrip(LoopOp loop, CudaTileConversion &conversion) {
  Block *body = loop.getBody();
  for (auto [argument, init] :
       llvm::zip_equal(body->getArguments(), loop.getInitValues()))
    argument.replaceAllUsesWith(init);
  auto map = [](OpBuilder &, Operation *terminator) {
    return SmallVector<Value>(terminator->getOperands());
  };
  ExitTuple tuple{SmallVector<Type>(loop.getResultTypes()), map};
  SmallVector<Value> values =
      Normalizer(loop, conversion).lowerBlock(body, tuple);
  loop->getBlock()->getOperations().splice(loop->getIterator(),
                                           body->getOperations());
  loop->replaceAllUsesWith(values);
  loop->erase();
}

static void normalizeEntry(EntryOp entry, CudaTileConversion &conversion) {
  Normalizer normalizer(entry, conversion);
  auto map = [](OpBuilder &, Operation *) { return SmallVector<Value>(); };
  ExitTuple tuple{{}, map};
  Block *body = &entry.getBody().front();
  normalizer.lowerBlock(body, tuple);
  OpBuilder builder = OpBuilder::atBlockEnd(body);
  cuda_tile::ReturnOp::create(builder, entry.getLoc(), ValueRange());
}

/// Returns whether an `if` in `block`, at any depth, leaves `construct`.
static bool hasNestedExits(Block *block, Operation *construct) {
  for (auto branch : block->getOps<IfOp>())
    if (hasExits(branch.getThenBlock(), construct) ||
        hasExits(branch.getElseBlock(), construct))
      return true;
  return false;
}

/// Returns whether `block`, or an `if` nested in it, has a `continue`.
static bool hasContinue(Block *block) {
  return block && llvm::any_of(*block, [](Operation &op) {
           auto branch = dyn_cast<IfOp>(op);
           return isa<ContinueOp>(op) ||
                  (branch && (hasContinue(branch.getThenBlock()) ||
                              hasContinue(branch.getElseBlock())));
         });
}

/// Returns whether the body ends with `if %go { continue } else { break }`.
static bool isNormal(LoopOp loop) {
  auto last =
      dyn_cast_or_null<IfOp>(loop.getBody()->getTerminator()->getPrevNode());
  return last && last.getElseBlock() &&
         llvm::hasSingleElement(*last.getThenBlock()) &&
         llvm::hasSingleElement(*last.getElseBlock()) &&
         isa<ContinueOp>(last.getThenTerminator()) &&
         isa<BreakOp>(last.getElseTerminator()) &&
         llvm::none_of(loop.getBody()->getOps<IfOp>(), [&](IfOp branch) {
           return branch != last && (hasExits(branch.getThenBlock(), loop) ||
                                     hasExits(branch.getElseBlock(), loop));
         });
}

/// Collects the operations in `block`, or in an `if` nested in it, that end
/// `loop`.
static void collectLeaves(Block *block, SmallVectorImpl<Operation *> &leaves) {
  if (!block)
    return;
  for (Operation &op : *block) {
    if (isa<BreakOp, ReturnOp>(op))
      leaves.push_back(&op);
    if (auto branch = dyn_cast<IfOp>(op)) {
      collectLeaves(branch.getThenBlock(), leaves);
      collectLeaves(branch.getElseBlock(), leaves);
    }
  }
}

/// Turns every `return` in `loop` into a `break` with one more result as a
/// flag, and returns after the loop if the flag is set.
static void moveReturnsAfter(LoopOp loop) {
  SmallVector<Operation *> leaves;
  collectLeaves(loop.getBody(), leaves);
  if (llvm::none_of(leaves, [](Operation *op) { return isa<ReturnOp>(op); }))
    return;
  for (Operation *leave : leaves) {
    OpBuilder builder(leave);
    Location loc = leave->getLoc();
    bool returns = isa<ReturnOp>(leave);
    SmallVector<Value> values(leave->getOperands());
    if (returns)
      for (Type type : loop.getResultTypes())
        values.push_back(createPoison(builder, loc, type));
    values.push_back(createFlag(builder, loc, returns));
    BreakOp::create(builder, loc, values);
    leave->erase();
  }

  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(TileType::get({}, builder.getI1Type()));
  auto copy = LoopOp::create(builder, loc, types, loop.getInitValues());
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  copy.getRegion().takeBody(loop.getRegion());
  auto branch =
      IfOp::create(builder, loc, TypeRange(), copy->getResults().back());
  OpBuilder inner =
      OpBuilder::atBlockEnd(&branch.getThenRegion().emplaceBlock());
  cuda_tile::ReturnOp::create(inner, loc, ValueRange());
  loop->replaceAllUsesWith(copy->getResults().drop_back());
  loop->erase();
}

void normalizeEarlyExits(Operation *root, CudaTileConversion &conversion) {
  // Innermost first: the `return` inserted after an inner loop is a `return`
  // inside of the outer one.
  SmallVector<LoopOp> loops;
  root->walk([&](LoopOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, moveReturnsAfter);

  // Innermost first: an outer construct then has inner loops in normal form.
  SmallVector<Operation *> constructs;
  root->walk([&](Operation *op) {
    if (isa<ForOp, LoopOp, EntryOp>(op))
      constructs.push_back(op);
  });
  for (Operation *op : constructs) {
    if (auto loop = dyn_cast<LoopOp>(op)) {
      if (!hasContinue(loop.getBody())) {
        ++conversion.numSingleTrips;
        inlineSingleTrip(loop, conversion);
        continue;
      }
      if (isNormal(loop))
        continue;
      ++conversion.numLoopsRestructured;
      normalizeLoop(loop, conversion);
      continue;
    }
    Block *body = &op->getRegion(0).front();
    if (!hasNestedExits(body, op))
      continue;
    if (auto loop = dyn_cast<ForOp>(op)) {
      ++conversion.numLoopsRestructured;
      normalizeFor(loop, conversion);
    } else {
      normalizeEntry(cast<EntryOp>(op), conversion);
    }
  }
}

} // namespace tileir
