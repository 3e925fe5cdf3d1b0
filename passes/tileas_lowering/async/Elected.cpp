// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/async/Elected.h"

using namespace mlir;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Named values
//===----------------------------------------------------------------------===//

/// Attribute with the name of a value that is computed once per scope.
static constexpr llvm::StringLiteral kScopeValueAttr = "scope_value";
/// Name of an operation that only computes operands of a named value.
static constexpr llvm::StringLiteral kPart = "part";
static constexpr llvm::StringLiteral kThread = "thread";
static constexpr llvm::StringLiteral kWarp = "warp";
static constexpr llvm::StringLiteral kElectedLane = "elected_lane";
static constexpr llvm::StringLiteral kElected = "elected";
static constexpr llvm::StringLiteral kTensorMemory = "tensor_memory";
static constexpr llvm::StringLiteral kRank = "rank";
static constexpr llvm::StringLiteral kLeader = "leader";
static constexpr llvm::StringLiteral kElectedLeader = "elected_leader";
static constexpr llvm::StringLiteral kPairMask = "pair_mask";
static constexpr llvm::StringLiteral kLeaderDistance = "leader_distance";

static StringRef getName(Operation *op) {
  auto name =
      dyn_cast_or_null<StringAttr>(op->getDiscardableAttr(kScopeValueAttr));
  return name ? name.getValue() : StringRef();
}

static void setName(Operation *op, StringRef name) {
  op->setDiscardableAttr(kScopeValueAttr,
                         StringAttr::get(op->getContext(), name));
}

/// Finds the value among the named operations of `block`, which are adjacent;
/// only casts of arguments and thread-local allocations precede them.
static Value findValue(Block &block, StringRef name) {
  bool isAfter = false;
  for (Operation &op : block) {
    StringRef found = getName(&op);
    if (found == name)
      return op.getResult(0);
    if (isAfter && found.empty())
      break;
    isAfter |= !found.empty();
  }
  return {};
}

/// Names the operations before `end` that compute `made`. They were built after
/// `before`, or at the start of the block.
static void setNames(Value made, StringRef name, Operation *before,
                     Operation *end) {
  Operation *result = made.getDefiningOp();
  for (Operation *op = before ? before->getNextNode()
                              : &end->getBlock()->front();
       op != end; op = op->getNextNode())
    setName(op, op == result ? name : StringRef(kPart));
}

/// Returns the value `name` in `block`. If there is none, `make` builds it
/// after `before`, or at the start of the block.
static Value findOrMake(Emitter &emitter, Block &block, StringRef name,
                        Operation *before,
                        function_ref<Value(Emitter &)> make) {
  if (Value known = findValue(block, name))
    return known;
  Operation *end = before ? before->getNextNode() : &block.front();
  OpBuilder builder(end);
  Emitter entry(builder, block.getParentOp(), emitter.state);
  Value made = make(entry);
  setNames(made, name, before, end);
  return made;
}

LLVM::LLVMFuncOp getFunction(const OpBuilder &builder) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  if (auto func = dyn_cast<LLVM::LLVMFuncOp>(parent))
    return func;
  return parent->getParentOfType<LLVM::LLVMFuncOp>();
}

void forgetScopeValues(Operation *module) {
  module->walk(
      [](Operation *op) { op->removeDiscardableAttr(kScopeValueAttr); });
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void createThreadId(OpBuilder &builder, Location loc, unsigned warps) {
  MLIRContext *context = builder.getContext();
  auto range = LLVM::ConstantRangeAttr::get(
      context, APInt(32, 0), APInt(32, limits::threadsPerWarp * warps));
  setName(NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type(), range),
          kThread);
}

/// Returns the block in which the CTA's scope begins.
static Block &getEntry(const OpBuilder &builder) {
  return getFunction(builder).getBody().front();
}

static Value getThreadOfCta(const OpBuilder &builder) {
  Value thread = findValue(getEntry(builder), kThread);
  assert(thread && "functions are lowered before their bodies");
  return thread;
}

Value getThreadId(const OpBuilder &builder, const ExecScope &scope) {
  Value thread = getThreadOfCta(builder);
  if (scope.isCta() || scope.firstWarp == 0)
    return thread;
  Block &block = scope.region->front();
  if (Value known = findValue(block, kThread))
    return known;
  Operation *end = &block.front();
  OpBuilder entry(end);
  Location loc = thread.getLoc();
  Value mask = LLVM::ConstantOp::create(
      entry, loc, entry.getI32IntegerAttr(scope.getThreads() - 1));
  Value made = LLVM::AndOp::create(entry, loc, thread, mask);
  setNames(made, kThread, nullptr, end);
  return made;
}

/// Returns the index of the warp in the CTA.
static Value getWarpOfCta(Emitter &emitter) {
  Value thread = getThreadOfCta(emitter.builder);
  return findOrMake(emitter, getEntry(emitter.builder), kWarp,
                    thread.getDefiningOp(), [&](Emitter &entry) {
                      Value warp = entry.shrConst(thread, 5);
                      return entry.shuffle(NVVM::ShflKind::idx, warp,
                                           entry.i32(0));
                    });
}

Value getUniformWarp(Emitter &emitter) {
  ExecScope scope = emitter.execScope();
  if (!scope.isCta() && scope.warps == 1)
    return emitter.i32(0);
  Value warp = getWarpOfCta(emitter);
  if (scope.isCta() || scope.firstWarp == 0)
    return warp;
  return findOrMake(
      emitter, scope.region->front(), kWarp, nullptr,
      [&](Emitter &entry) { return entry.andConst(warp, scope.warps - 1); });
}

Value isFirstWarp(Emitter &emitter) {
  return emitter.icmp(LLVM::ICmpPredicate::eq, getUniformWarp(emitter),
                      emitter.i32(0));
}

/// Returns a predicate that is true in one lane of each warp.
static Value getElectedLane(Emitter &emitter) {
  Value thread = getThreadOfCta(emitter.builder);
  return findOrMake(emitter, getEntry(emitter.builder), kElectedLane,
                    thread.getDefiningOp(), [](Emitter &entry) {
                      return NVVM::ElectSyncOp::create(
                          entry.builder, entry.loc, entry.builder.getI1Type(),
                          Value());
                    });
}

/// Returns the value `name` of the scope. If there is none, `make` builds it
/// after `parts`, its operands, as far as these are in the same block.
static Value findInScope(Emitter &emitter, StringRef name,
                         ArrayRef<Value> parts,
                         function_ref<Value(Emitter &)> make) {
  ExecScope scope = emitter.execScope();
  Block &block =
      scope.isCta() ? getEntry(emitter.builder) : scope.region->front();
  Operation *last = nullptr;
  for (Value part : parts) {
    Operation *def = part.getDefiningOp();
    if (def->getBlock() == &block && (!last || last->isBeforeInBlock(def)))
      last = def;
  }
  return findOrMake(emitter, block, name, last, make);
}

static Value isZero(Emitter &emitter, Value number) {
  return emitter.icmp(LLVM::ICmpPredicate::eq, number, emitter.i32(0));
}

Value getElectedThread(Emitter &emitter) {
  if (!emitter.state.target.has(Feature::ElectSync)) {
    Value thread = emitter.tid();
    return findInScope(emitter, kElected, thread,
                       [&](Emitter &entry) { return isZero(entry, thread); });
  }
  Value lane = getElectedLane(emitter);
  if (emitter.execScope().warps == 1)
    return lane;
  Value warp = getUniformWarp(emitter);
  return findInScope(emitter, kElected, {lane, warp}, [&](Emitter &entry) {
    return entry.andBits(isZero(entry, warp), lane);
  });
}

//===----------------------------------------------------------------------===//
// Pairs of CTAs
//===----------------------------------------------------------------------===//

/// Returns the rank of the CTA in its cluster, which extends along x.
static Value getRank(Emitter &emitter) {
  Value thread = getThreadOfCta(emitter.builder);
  return findOrMake(emitter, getEntry(emitter.builder), kRank,
                    thread.getDefiningOp(), [](Emitter &entry) {
                      return NVVM::BlockInClusterIdXOp::create(
                          entry.builder, entry.loc, entry.intType(32));
                    });
}

/// Returns the value `name` of the entry, which `make` builds from the rank.
static Value findFromRank(Emitter &emitter, StringRef name,
                          function_ref<Value(Emitter &, Value)> make) {
  Value rank = getRank(emitter);
  return findOrMake(emitter, getEntry(emitter.builder), name,
                    rank.getDefiningOp(),
                    [&](Emitter &entry) { return make(entry, rank); });
}

/// Ranks of the CTAs of a pair differ in the last bit (PTX ISA, "CTA pair").
static constexpr uint32_t kPairBit = 1;

Value isLeader(Emitter &emitter) {
  return findFromRank(emitter, kLeader, [](Emitter &entry, Value rank) {
    return isZero(entry, entry.andConst(rank, kPairBit));
  });
}

Value getElectedLeader(Emitter &emitter) {
  Value leader = isLeader(emitter), elected = getElectedThread(emitter);
  return findInScope(
      emitter, kElectedLeader, {leader, elected},
      [&](Emitter &entry) { return entry.andBits(leader, elected); });
}

Value getPairMask(Emitter &emitter) {
  return findFromRank(emitter, kPairMask, [](Emitter &entry, Value rank) {
    constexpr int32_t kBoth = 3;
    Value first = entry.andConst(rank, ~kPairBit);
    Value mask =
        LLVM::ShlOp::create(entry.builder, entry.loc, entry.i32(kBoth), first);
    return LLVM::TruncOp::create(entry.builder, entry.loc, entry.intType(16),
                                 mask);
  });
}

Value getLeaderDistance(Emitter &emitter) {
  return findFromRank(
      emitter, kLeaderDistance, [](Emitter &entry, Value rank) -> Value {
        Value here = getSharedAddress(entry, entry.smemPtr(0));
        PtxBuilder ptx = entry.ptx(PtxEffects::None);
        std::string there = ptx.out(entry.intType(32)), address = ptx.in(here),
                    first = ptx.in(entry.andConst(rank, ~kPairBit));
        Value leader = ptx.emit("mapa.shared::cluster.u32 " + there + ", " +
                                address + ", " + first + ";")
                           .front();
        Value distance =
            LLVM::SubOp::create(entry.builder, entry.loc, here, leader);
        // ptxas keeps known uniform values in uniform registers.
        return entry.shuffle(NVVM::ShflKind::idx, distance, entry.i32(0));
      });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void setTensorMemory(Value first) {
  setName(first.getDefiningOp(), kTensorMemory);
}

Value getTensorMemory(Emitter &emitter) {
  Value first;
  getFunction(emitter.builder)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (getName(op) != kTensorMemory)
      return WalkResult::advance();
    first = op->getResult(0);
    return WalkResult::interrupt();
  });
  return first;
}

Value getSharedAddress(Emitter &emitter, Value ptr) {
  return LLVM::PtrToIntOp::create(emitter.builder, emitter.loc,
                                  emitter.intType(32), ptr);
}

} // namespace tileir::lowering
