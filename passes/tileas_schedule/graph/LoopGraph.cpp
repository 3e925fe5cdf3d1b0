// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/graph/LoopGraph.h"
#include "passes/analysis/budgets/SharedMemoryBudget.h"

#include "dialects/support/Heuristics.h"
#include "passes/analysis/Pipelines.h"
#include "passes/tileas_schedule/graph/OpWork.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;
using schedule::Cycles;
using schedule::EdgeKind;
using schedule::OpClass;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

namespace {

/// Resource that operations access, and that orders their accesses.
struct Touch {
  enum Kind : uint8_t { Pipe, Buffer, Mmas, Global } kind;
  bool isWrite;
  Value root;
  /// The operation belongs to the producer of a pipeline.
  bool isAhead = false;

  bool isOrderedWith(const Touch &other) const {
    return kind == other.kind && root == other.root &&
           (isWrite || other.isWrite);
  }
};

using Touches = SmallVector<Touch, 2>;

} // namespace

/// Returns the pipeline whose slot is `buffer`, or the buffer under its views.
static Value getStorageRoot(Value buffer, bool &isSlot) {
  isSlot = false;
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<as::PipelineWaitOp, as::PipelineAcquireOp>(op)) {
      isSlot = true;
      return op->getOperand(0);
    }
    if (!isa<as::ViewOp, as::PermuteOp, as::SubviewOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return buffer;
}

static bool isFilledByDots(Value pipeline) {
  auto create = pipeline.getDefiningOp<as::PipelineCreateOp>();
  return create && create.getProducer() == as::PipelineProducer::Umma;
}

bool runsAhead(Operation *op) {
  if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op))
    return !isFilledByDots(acquire.getPipeline());
  if (auto commit = dyn_cast<as::PipelineCommitOp>(op))
    return !isFilledByDots(commit.getPipeline());
  return isa<as::AsyncCopyOp, as::AsyncTmaLoadOp>(op);
}

bool isEarlyLoad(Operation *op, scf::ForOp loop) {
  if (!isa<as::TiledLoadOp, as::LoadOp>(op) ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  // The accumulators of dots occupy the registers that a second tile would
  // need.
  if (!loop.getBody()->getOps<as::DotOp>().empty())
    return false;
  std::string reason;
  std::optional<ProducerSlice> slice = getProducerSlice(loop, {op}, reason);
  return slice && slice->carried.empty() &&
         llvm::none_of(slice->ops, [&](Operation *other) {
           return other != op && isAnchor(other);
         });
}

/// Collects the resources that `op` and its regions access. Returns false if an
/// effect is unknown.
static bool collectTouches(Operation *op, Touches &touches) {
  if (op->getNumRegions() && !isMemoryEffectFree(op)) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          if (!collectTouches(&nested, touches))
            return false;
    return true;
  }
  // Futures that begin an MMA are registers of their own, not memory.
  if (isMemoryEffectFree(op) || isa<as::AsyncToAsyncOp>(op))
    return true;
  bool isAhead = runsAhead(op);
  if (isa<as::PipelineAcquireOp, as::PipelineCommitOp, as::PipelineWaitOp,
          as::PipelineReleaseOp>(op)) {
    touches.push_back({Touch::Pipe, true, op->getOperand(0), isAhead});
    // MMAs read slots until a wait retires them, and a commit covers all
    // earlier MMAs.
    if (isa<as::PipelineReleaseOp>(op) || isFilledByDots(op->getOperand(0)))
      touches.push_back({Touch::Mmas, true, Value()});
    return true;
  }
  bool isKnown = false;
  if (auto storage = dyn_cast<as::StorageEffectOpInterface>(op)) {
    SmallVector<as::StorageEffect> effects;
    storage.getStorageEffects(effects);
    for (const as::StorageEffect &effect : effects) {
      bool isSlot = false;
      Value root = getStorageRoot(effect.buffer, isSlot);
      touches.push_back({isSlot ? Touch::Pipe : Touch::Buffer, effect.isWrite,
                         root, isAhead});
      // Threads write a buffer only after the MMAs that read it.
      if (effect.isWrite && !isAhead)
        touches.push_back({Touch::Mmas, true, Value()});
    }
    isKnown = true;
  }
  if (auto async = dyn_cast<as::AsyncOpInterface>(op)) {
    as::AsyncCompletion by = async.getCompletion();
    if (by == as::AsyncCompletion::WgmmaGroup ||
        by == as::AsyncCompletion::Umma)
      touches.push_back({Touch::Mmas, true, Value()});
    else if (!isAhead)
      return false;
    isKnown = true;
  }
  if (auto access = dyn_cast<as::TileASMemoryOpInterface>(op)) {
    if (access.getAccessSemantic() != aa::MemSemantic::Weak ||
        access.isVolatileAccess())
      return false;
    touches.push_back({Touch::Global,
                       access.getMemoryKind() != as::MemoryKind::Load, Value(),
                       isAhead});
    isKnown = true;
  }
  if (isKnown)
    return true;
  // The remaining operations may only read buffers.
  SmallVector<MemoryEffects::EffectInstance> effects;
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  if (!known)
    return false;
  known.getEffects(effects);
  if (!llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
        return isa<MemoryEffects::Read>(effect.getEffect()) &&
               isa<as::SharedResource>(effect.getResource());
      }))
    return false;
  for (Value operand : op->getOperands()) {
    if (!isa<as::BufferType>(operand.getType()))
      continue;
    bool isSlot = false;
    Value root = getStorageRoot(operand, isSlot);
    touches.push_back(
        {isSlot ? Touch::Pipe : Touch::Buffer, /*isWrite=*/false, root});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Schedulable loops
//===----------------------------------------------------------------------===//

SmallVector<Operation *> getAnchors(scf::ForOp loop) {
  SmallVector<Operation *> anchors;
  for (Operation &op : *loop.getBody())
    if (isAnchor(&op))
      anchors.push_back(&op);
  return anchors;
}

/// Returns an operation in the body of `loop` whose effects are unknown.
static Operation *findUnknownEffect(scf::ForOp loop) {
  Operation *found = nullptr;
  loop.getBody()->walk([&](Operation *op) {
    Touches touches;
    if (op->getNumRegions() || collectTouches(op, touches))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

std::string explainUnscheduled(LoopLikeOpInterface loop) {
  bool isInnermost = true, hasWork = false, hasBranch = false;
  loop->walk([&](Operation *op) {
    isInnermost &= op == loop || !isa<LoopLikeOpInterface>(op);
    if (!isa<as::DotOp, as::AsyncDotOp, as::TiledLoadOp, as::LoadOp>(op))
      return;
    hasWork = true;
    hasBranch |= op->getParentOp() != loop;
  });
  auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
  if (!isInnermost || !hasWork || (counted && isScheduledLoop(counted)))
    return "";
  if (!counted)
    return "it ends by a condition, not by a count";
  Operation *op = findUnknownEffect(counted);
  if (isa_and_nonnull<as::AllocTensorOp>(op))
    return "it allocates a buffer in every iteration";
  if (op)
    return "no copy may pass '" + op->getName().getStringRef().str() + "'";
  if (hasBranch)
    return "its loads and dots are conditional";
  return getAnchors(counted).size() < 2 ? "one operation does all of its work"
                                        : "it has too many operations";
}

bool isScheduledLoop(scf::ForOp loop) {
  unsigned anchors = 0, effects = 0;
  for (Operation &op : *loop.getBody()) {
    if (isa<LoopLikeOpInterface>(op))
      return false;
    if (!isAnchor(&op))
      continue;
    ++anchors;
    WalkResult inner = op.walk(
        [](LoopLikeOpInterface nested) { return WalkResult::interrupt(); });
    Touches touches;
    if (inner.wasInterrupted() || !collectTouches(&op, touches))
      return false;
    effects += !touches.empty();
  }
  return anchors >= 2 && effects <= heuristics::maxScheduledEffects;
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

namespace {

/// Origin of a value through non-anchor operations: an anchor or an iter-arg of
/// the loop.
struct Source {
  Operation *anchor = nullptr;
  BlockArgument carried;
};

class GraphBuilder {
public:
  GraphBuilder(scf::ForOp loop, const Target &target, unsigned numWarps)
      : machine(target), target(target), numWarps(numWarps) {
    graph.loop = loop;
  }

  FailureOr<LoopGraph> build();

private:
  void addNodes();
  void addFlow();
  void addFlow(Operation *user, Value value);
  void addFlowEdge(Operation *from, Operation *to, Value value, int distance);
  void addOrder();
  void addValues();
  LogicalResult addConstraints();
  LogicalResult addConstraints(int node, llvm::EquivalenceClasses<int> &groups,
                               DenseMap<int, int> &firstOf);
  void addRegisters();
  void addStage();
  const SmallVector<Source> &getSources(Value value);
  std::optional<int64_t> getInteger(Operation *op, StringRef name, bool &ok);
  schedule::Node &node(Operation *op) {
    return graph.problem.nodes[ids.lookup(op)];
  }

  schedule::Machine machine;
  const Target &target;
  unsigned numWarps;
  LoopGraph graph;
  DenseMap<Operation *, int> ids;
  DenseMap<Value, SmallVector<Source>> sources;
  std::vector<Touches> touches;
  /// Loads into registers that may run one iteration ahead.
  std::vector<bool> isEarly;
};

} // namespace

static std::string describe(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine();
  return text;
}

void GraphBuilder::addNodes() {
  graph.anchors = getAnchors(graph.loop);
  llvm::StringMap<unsigned> seen;
  for (Operation *op : graph.anchors) {
    schedule::Node node;
    StringRef name = op->getName().stripDialect();
    node.name = (name + Twine(seen[name]++)).str();
    node.op = op->getName().getStringRef().str();
    node.location = describe(op->getLoc());
    schedule::OpWork work = describeWork(op, numWarps);
    graph.numClamped += machine.price(node, work, numWarps);
    ids[op] = graph.problem.addNode(std::move(node));
    touches.emplace_back();
    collectTouches(op, touches.back());
  }
}

/// Memoised over all non-anchor operations; the body is visited in order.
const SmallVector<Source> &GraphBuilder::getSources(Value value) {
  auto found = sources.find(value);
  if (found != sources.end())
    return found->second;
  SmallVector<Source> result;
  auto arg = dyn_cast<BlockArgument>(value);
  Operation *op = value.getDefiningOp();
  if (arg && arg.getOwner() == graph.loop.getBody()) {
    if (arg != graph.loop.getInductionVar())
      result.push_back({nullptr, arg});
  } else if (op && op->getBlock() == graph.loop.getBody()) {
    if (ids.contains(op)) {
      result.push_back({op, BlockArgument()});
    } else {
      DenseSet<void *> seen;
      for (Value operand : op->getOperands())
        for (Source source : getSources(operand))
          if (seen.insert(source.anchor ? (void *)source.anchor
                                        : source.carried.getAsOpaquePointer())
                  .second)
            result.push_back(source);
    }
  }
  return sources[value] = std::move(result);
}

static Cycles getTensorCycles(const schedule::Node &node) {
  for (const schedule::SlotUse &use : node.uses)
    if (use.row == schedule::rowOf(schedule::Slot::TcAndMma))
      return use.duration;
  return node.latency;
}

/// Returns whether `value` is the accumulator operand of the MMA `op`.
static bool isAccumulator(Operation *op, Value value) {
  if (auto dot = dyn_cast<as::AsyncDotOp>(op))
    return dot.getC() == value;
  if (auto dot = dyn_cast<as::DotOp>(op))
    return dot.getC() == value;
  return false;
}

void GraphBuilder::addFlowEdge(Operation *from, Operation *to, Value value,
                               int distance) {
  const schedule::Node &u = node(from), &v = node(to);
  int a = ids.lookup(from), b = ids.lookup(to);
  if (isa<aa::MemTokenType>(value.getType())) {
    bool areReads =
        u.cls == OpClass::GlobalLoad && v.cls == OpClass::GlobalLoad;
    graph.problem.addEdge(a, b, areReads ? 0 : u.issueCost, distance,
                          EdgeKind::Token);
    return;
  }
  if (u.cls == v.cls && schedule::isMma(u.cls) && isAccumulator(to, value)) {
    graph.problem.addEdge(a, b, getTensorCycles(u), distance,
                          EdgeKind::Accumulate);
    return;
  }
  if (auto wait = dyn_cast<as::DotWaitOp>(to); wait && schedule::isMma(u.cls)) {
    // The `pending` youngest MMAs stay in flight; the wait retires older ones.
    int64_t pending = wait.getPending();
    graph.problem.addEdge(a, b, u.latency, distance + int(pending),
                          EdgeKind::Async);
    if (pending)
      graph.problem.addEdge(a, b, u.issueCost, distance, EdgeKind::Order);
    return;
  }
  graph.problem.addEdge(a, b,
                        schedule::isAsync(u.cls) ? u.issueCost : u.latency,
                        distance, EdgeKind::Flow);
}

/// Follows each iter-arg around the loop once.
void GraphBuilder::addFlow(Operation *user, Value value) {
  SmallVector<std::pair<Value, int>> worklist = {{value, 0}};
  llvm::SmallDenseSet<Value> seen;
  llvm::SmallDenseSet<std::pair<Operation *, int>> added;
  while (!worklist.empty()) {
    auto [next, distance] = worklist.pop_back_val();
    for (Source source : getSources(next)) {
      if (source.anchor) {
        if (added.insert({source.anchor, distance}).second)
          addFlowEdge(source.anchor, user, value, distance);
      } else if (seen.insert(source.carried).second) {
        worklist.push_back(
            {graph.loop.getTiedLoopYieldedValue(source.carried)->get(),
             distance + 1});
      }
    }
  }
}

void GraphBuilder::addFlow() {
  for (Operation *op : graph.anchors) {
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    for (Value operand : operands)
      addFlow(op, operand);
  }
}

/// Adds edges between accesses of the same resource, in program order and
/// across iterations. Producer and consumer of a pipeline are ordered through
/// its slots alone.
void GraphBuilder::addOrder() {
  schedule::Problem &problem = graph.problem;
  SmallVector<int> effects;
  for (auto [i, list] : llvm::enumerate(touches))
    if (!list.empty())
      effects.push_back(int(i));
  for (auto [n, v] : llvm::enumerate(effects))
    for (int u : ArrayRef(effects).take_front(n)) {
      bool isOrdered = false, comesBack = false;
      for (const Touch &first : touches[u])
        for (const Touch &second : touches[v]) {
          if (!first.isOrderedWith(second))
            continue;
          isOrdered = true;
          // A load of the next iteration is ordered after the stores of this
          // one by tokens alone.
          comesBack |= first.isAhead == second.isAhead &&
                       (first.kind != Touch::Global ||
                        (!first.isAhead && first.isWrite));
        }
      if (!isOrdered)
        continue;
      // A copy has arrived when the wait for it returns.
      bool isWaited = schedule::isAsyncLoad(problem.nodes[u].cls) &&
                      isa<as::PipelineWaitOp>(graph.anchors[v]);
      problem.addEdge(u, v,
                      isWaited
                          ? problem.nodes[u].latency + machine.arriveLatency()
                          : problem.nodes[u].issueCost,
                      0, isWaited ? EdgeKind::Async : EdgeKind::Token);
      if (comesBack)
        problem.addEdge(v, u, problem.nodes[v].issueCost, 1, EdgeKind::Token);
    }
}

static int64_t getSlotBytes(as::PipelineType type) {
  int64_t bytes = 0;
  for (Type payload : type.getPayloads()) {
    auto buffer = dyn_cast<as::BufferType>(payload);
    if (!buffer)
      continue;
    int64_t bits = as::getStorageBits(buffer.getElementType());
    for (int64_t extent : buffer.getShape())
      bits *= extent;
    bytes += bits / 8;
  }
  return bytes;
}

/// Adds the pipelines that copies fill: circular buffers of as many slots as
/// the IR has.
void GraphBuilder::addValues() {
  llvm::MapVector<Value, schedule::Value> values;
  DenseMap<Value, int64_t> depths;
  for (auto [i, op] : llvm::enumerate(graph.anchors)) {
    if (!isa<as::PipelineAcquireOp, as::PipelineReleaseOp>(op) ||
        isFilledByDots(op->getOperand(0)))
      continue;
    Value pipeline = op->getOperand(0);
    auto type = cast<as::PipelineType>(pipeline.getType());
    schedule::Value &value = values[pipeline];
    auto [depth, isNew] = depths.try_emplace(pipeline, type.getDepth());
    if (isNew) {
      value.name = "Pipe_" + std::to_string(values.size() - 1);
      value.bytes = getSlotBytes(type);
    }
    if (isa<as::PipelineAcquireOp>(op))
      value.producers.push_back(int(i));
    else
      value.readers.push_back({int(i), 0});
    if (auto release = dyn_cast<as::PipelineReleaseOp>(op))
      depth->second =
          std::min(depth->second, type.getDepth() - release.getPending());
    for (Operation *holder : {op, graph.loop.getOperation()})
      if (auto limit =
              holder->getAttrOfType<IntegerAttr>(schedule_attr::kMaxBuffers))
        depth->second = std::min(depth->second, limit.getInt());
  }
  for (auto &[pipeline, value] : values) {
    if (value.producers.empty() || value.readers.empty())
      continue;
    graph.problem.values.push_back(std::move(value));
    graph.problem.setMaxBuffers(int(graph.problem.values.size()) - 1,
                                int(std::max<int64_t>(1, depths[pipeline])));
  }
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

std::optional<int64_t> GraphBuilder::getInteger(Operation *op, StringRef name,
                                                bool &ok) {
  Attribute attr = op->getAttr(name);
  if (!attr)
    return std::nullopt;
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || !integer.getType().isInteger(32)) {
    op->emitError() << "'" << name << "' must be a 32-bit integer";
    ok = false;
    return std::nullopt;
  }
  return integer.getInt();
}

LogicalResult
GraphBuilder::addConstraints(int id, llvm::EquivalenceClasses<int> &groups,
                             DenseMap<int, int> &firstOf) {
  Operation *op = graph.anchors[id];
  schedule::Node &node = graph.problem.nodes[id];
  bool ok = true;
  if (auto latency = getInteger(op, schedule_attr::kLatency, ok))
    node.latency = *latency;
  if (auto depth = getInteger(op, schedule_attr::kMaxDepth, ok))
    node.maxDepth = int(*depth);
  auto group = getInteger(op, schedule_attr::kGroup, ok);
  auto leader = getInteger(op, schedule_attr::kLeaderGroup, ok);
  if (group) {
    groups.insert(int(*group));
    firstOf.try_emplace(int(*group), id);
    if (leader)
      groups.unionSets(int(*group), int(*leader));
  }
  if (Attribute serial = op->getAttr(schedule_attr::kSerial)) {
    if (!isa<UnitAttr>(serial))
      return op->emitError()
             << "'" << schedule_attr::kSerial << "' must be a unit attribute";
    node.uses.clear();
    for (schedule::Row row = 0; row < schedule::kNumSlots; ++row)
      if (schedule::isReservable(row))
        node.uses.push_back({row, 0, std::max<Cycles>(1, node.latency)});
  }
  if (auto uses =
          op->getAttrOfType<DictionaryAttr>(schedule_attr::kOccupancy)) {
    node.uses.clear();
    for (NamedAttribute use : uses) {
      std::optional<schedule::Row> row =
          schedule::rowOfName(std::string_view(use.getName().strref()));
      auto cycles = dyn_cast<IntegerAttr>(use.getValue());
      if (!row || !schedule::isReservable(*row) || !cycles ||
          cycles.getInt() < 1)
        return op->emitError()
               << "'" << schedule_attr::kOccupancy
               << "' must map names of slots to cycles, not '"
               << use.getName().strref() << "' to " << use.getValue();
      node.uses.push_back({*row, 0, cycles.getInt()});
    }
  }
  return success(ok);
}

LogicalResult GraphBuilder::addConstraints() {
  llvm::EquivalenceClasses<int> groups;
  DenseMap<int, int> firstOf;
  for (size_t i = 0; i < graph.anchors.size(); ++i)
    if (failed(addConstraints(int(i), groups, firstOf)))
      return failure();
  bool ok = true;
  // The first node of each class of groups represents the class.
  DenseMap<int, int> leaderNode;
  for (auto [i, op] : llvm::enumerate(graph.anchors)) {
    auto group = op->getAttrOfType<IntegerAttr>(schedule_attr::kGroup);
    if (!group)
      continue;
    int leader = groups.getLeaderValue(int(group.getInt()));
    auto [it, isNew] = leaderNode.try_emplace(leader, int(i));
    if (!isNew)
      graph.problem.sameDepth.push_back({it->second, int(i)});
  }
  if (auto ii = getInteger(graph.loop, schedule_attr::kMaxII, ok))
    graph.problem.maxII = *ii;
  for (Operation *holder :
       {graph.loop.getOperation(),
        graph.loop->getParentOfType<FunctionOpInterface>().getOperation()}) {
    Attribute serial =
        holder ? holder->getAttr(schedule_attr::kSerial) : Attribute();
    if (serial && !isa<UnitAttr>(serial))
      return holder->emitError()
             << "'" << schedule_attr::kSerial << "' must be a unit attribute";
    graph.problem.forceSerial |= bool(serial);
  }
  return success(ok);
}

/// Adds the tiles of loads that may run one iteration ahead: at most two copies
/// of each.
void GraphBuilder::addRegisters() {
  schedule::Problem &problem = graph.problem;
  for (Operation *op : graph.anchors)
    isEarly.push_back(isEarlyLoad(op, graph.loop));
  // Sorted in program order: within one iteration an edge leads to a later
  // node.
  std::vector<const schedule::Edge *> within;
  for (const schedule::Edge &edge : problem.edges)
    if (edge.distance == 0)
      within.push_back(&edge);
  llvm::sort(within, [](const auto *a, const auto *b) {
    return std::pair(a->from, a->to) < std::pair(b->from, b->to);
  });
  for (const schedule::Edge *edge : within)
    if (!isEarly[edge->from])
      isEarly[edge->to] = false;
  for (auto [i, op] : llvm::enumerate(graph.anchors)) {
    if (!isEarly[i])
      continue;
    schedule::Value value;
    value.name = problem.nodes[i].name;
    value.storage = schedule::Storage::Registers;
    value.producers = {int(i)};
    auto tile = cast<RankedTensorType>(op->getResult(0).getType());
    value.bytes = tile.getNumElements() *
                  int64_t(as::getStorageBits(tile.getElementType())) / 8;
    for (const schedule::Edge &edge : problem.edges)
      if (edge.from == int(i) && edge.kind == schedule::EdgeKind::Flow)
        value.readers.push_back({edge.to, 0, edge.distance});
    if (value.readers.empty()) {
      isEarly[i] = false;
      continue;
    }
    problem.values.push_back(std::move(value));
    problem.setMaxBuffers(int(problem.values.size()) - 1, 2);
  }
}

/// Puts all nodes into one stage, except for those that fill slots and loads
/// with registers of their own: only these run ahead of the rest.
void GraphBuilder::addStage() {
  int first = -1;
  for (auto [i, op] : llvm::enumerate(graph.anchors)) {
    if (runsAhead(op) || isEarly[i])
      continue;
    if (first < 0)
      first = int(i);
    else
      graph.problem.sameDepth.push_back({first, int(i)});
  }
}

/// Returns the shared memory budget without the slots of the pipelines of
/// `loop`.
static SharedMemoryBudget getSharedBudget(scf::ForOp loop,
                                          const Target &target) {
  DenseSet<Value> pipelines;
  for (auto wait : loop.getBody()->getOps<as::PipelineWaitOp>())
    if (auto create = wait.getPipeline().getDefiningOp<as::PipelineCreateOp>())
      pipelines.insert(create.getBuffers().begin(), create.getBuffers().end());
  return SharedMemoryBudget(loop->getParentOfType<FunctionOpInterface>(),
                            target, [&](Operation *op) {
                              return isa<as::AllocTensorOp>(op) &&
                                     !pipelines.contains(op->getResult(0));
                            });
}

FailureOr<LoopGraph> GraphBuilder::build() {
  schedule::Problem &problem = graph.problem;
  problem.name = "loop";
  problem.target = target.name();
  problem.pools = machine.pools();
  SharedMemoryBudget shared = getSharedBudget(graph.loop, target);
  problem.capacities.sharedBytes = shared.getCap();
  problem.fixed.sharedBytes = shared.getClaimed();
  addNodes();
  // The latency attributes come first: edges copy the latencies.
  if (failed(addConstraints()))
    return failure();
  addFlow();
  addOrder();
  addValues();
  addRegisters();
  addStage();
  return std::move(graph);
}

FailureOr<LoopGraph> buildLoopGraph(scf::ForOp loop, const Target &target,
                                    unsigned numWarps) {
  return GraphBuilder(loop, target, numWarps).build();
}

} // namespace tileir
