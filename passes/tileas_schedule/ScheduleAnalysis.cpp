// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/ScheduleAnalysis.h"
#include "passes/analysis/Remarks.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "schedule-analysis"

MLIR_DEFINE_EXPLICIT_TYPE_ID(tileir::ScheduleAnalysis)

namespace tileir {

using namespace mlir;
namespace names = schedule_attr;

//===----------------------------------------------------------------------===//
// Marks on the IR
//===----------------------------------------------------------------------===//

SmallVector<FunctionOpInterface> getFunctions(Operation *root) {
  SmallVector<FunctionOpInterface> functions;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (!func.isExternal())
      functions.push_back(func);
    return WalkResult::skip();
  });
  return functions;
}

bool hasStamps(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return op->hasAttr(names::kNode) || op->hasAttr(names::kFingerprint)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void eraseStamps(Operation *root) {
  root->walk([](Operation *op) {
    op->removeAttr(names::kNode);
    op->removeAttr(names::kFingerprint);
    op->removeAttr(names::kOptions);
  });
}

DictionaryAttr ScheduleOptions::getDictionary(MLIRContext *context) const {
  Builder builder(context);
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  SmallVector<NamedAttribute> entries = {
      number("v2_opt_level", solver.v2OptLevel),
      number("rrt_size_threshold", solver.rrtSizeThreshold),
      number("max_constraint_iterations", solver.maxConstraintIterations),
      number("max_schedulable_ops", solver.maxSchedulableOps),
      builder.getNamedAttr("scheduler", builder.getStringAttr(schedule::nameOf(
                                            solver.generator)))};
  if (randomDelay)
    entries.push_back(number("random_delay_seed", int64_t(randomDelaySeed)));
  return builder.getDictionaryAttr(entries);
}

namespace {

/// FNV-1a, 64 bits.
class Hash {
public:
  void add(StringRef text) {
    for (char c : text)
      addByte(uint8_t(c));
    addByte(0);
  }
  void add(int64_t value) {
    for (int i = 0; i < 8; ++i)
      addByte(uint8_t(uint64_t(value) >> (8 * i)));
  }
  uint64_t get() const { return value; }

private:
  void addByte(uint8_t byte) { value = (value ^ byte) * 0x100000001b3ull; }

  uint64_t value = 0xcbf29ce484222325ull;
};

} // namespace

/// Hash of the inputs of the schedule. Locations and non-anchor operations do
/// not count.
static uint64_t getFingerprint(const ScheduleAnalysis::Function &function,
                               const ScheduleOptions &options,
                               MLIRContext *context) {
  Hash hash;
  hash.add(int64_t(Rates::version()));
  hash.add(function.target.name());
  hash.add(int64_t(function.numWarps));
  std::string text;
  llvm::raw_string_ostream(text) << options.getDictionary(context);
  hash.add(text);
  for (const ScheduleAnalysis::Region &region : function.regions) {
    hash.add(int64_t(region.first));
    for (auto [i, op] : llvm::enumerate(region.ops)) {
      hash.add(int64_t(i));
      hash.add(op->getName().getStringRef());
      for (Type type : op->getResultTypes()) {
        text.clear();
        llvm::raw_string_ostream(text) << type;
        hash.add(text);
      }
    }
    for (const schedule::Edge &edge : region.problem.edges)
      for (int64_t part : {int64_t(edge.from), int64_t(edge.to),
                           int64_t(edge.delay), int64_t(edge.distance)})
        hash.add(part);
  }
  return hash.get();
}

void ScheduleAnalysis::stamp(Function &function) {
  Builder builder(function.op->getContext());
  for (Region &region : function.regions)
    for (auto [i, op] : llvm::enumerate(region.ops))
      op->setAttr(names::kNode,
                  builder.getI32IntegerAttr(region.first + int(i)));
  function.fingerprint =
      getFingerprint(function, options, function.op->getContext());
  function.op->setAttr(names::kFingerprint, builder.getI64IntegerAttr(
                                                int64_t(function.fingerprint)));
  function.op->setAttr(names::kOptions,
                       options.getDictionary(function.op->getContext()));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

schedule::Constrained solveLoop(schedule::Problem problem,
                                const ScheduleOptions &options,
                                StringRef symbol) {
  schedule::Options solver = options.solver;
  if (options.randomDelay) {
    schedule::addRandomDelay(problem, options.randomDelaySeed,
                             std::string_view(symbol.data(), symbol.size()));
    solver.tieSeed = options.randomDelaySeed;
  }
  return schedule::solveConstrained(problem, solver);
}

static ScheduleAnalysis::Anchor recordAnchor(const LoopGraph &graph, int node) {
  Operation *op = graph.anchors[node];
  ScheduleAnalysis::Anchor anchor{op->getName(), !isMemoryEffectFree(op), {}};
  for (const schedule::Edge &edge : graph.problem.edges)
    if (edge.from == node && (edge.kind == schedule::EdgeKind::Flow ||
                              edge.kind == schedule::EdgeKind::Accumulate))
      anchor.users.push_back(edge.to);
  return anchor;
}

/// Returns the scheduled loops of `func`, outer loops first.
static SmallVector<scf::ForOp> getScheduledLoops(FunctionOpInterface func) {
  SmallVector<scf::ForOp> loops;
  func->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (isScheduledLoop(loop))
      loops.push_back(loop);
  });
  return loops;
}

LogicalResult ScheduleAnalysis::populate(FunctionOpInterface func) {
  SmallVector<scf::ForOp> loops = getScheduledLoops(func);
  if (loops.empty())
    return success();
  std::optional<Target> target = options.computeCapability.empty()
                                     ? getTarget(func)
                                     : Target::parse(options.computeCapability);
  if (!target)
    return func->emitError("failed to get compute capability");
  auto kernel = dyn_cast<nv_tileaa::FuncOp>(func.getOperation());
  unsigned numWarps = options.numWarps ? options.numWarps : 4;
  if (kernel)
    numWarps = getNumWarps(kernel, /*fallback=*/numWarps);
  Function function{func.getName().str(), *target, numWarps, 0, {}, func};
  int next = 0;
  for (scf::ForOp loop : loops) {
    FailureOr<LoopGraph> graph = buildLoopGraph(loop, *target, numWarps);
    if (failed(graph))
      return failure();
    Region region;
    region.first = next;
    next += int(graph->anchors.size());
    for (int i = 0; i < int(graph->anchors.size()); ++i)
      region.anchors.push_back(recordAnchor(*graph, i));
    region.problem = std::move(graph->problem);
    region.numClamped = graph->numClamped;
    region.loop = loop;
    region.ops = std::move(graph->anchors);
    region.solution = solveLoop(region.problem, options, function.name);
    function.regions.push_back(std::move(region));
  }
  functions.push_back(std::move(function));
  return success();
}

LogicalResult ScheduleAnalysis::populate(const ScheduleOptions &given) {
  options = given;
  functions.clear();
  for (FunctionOpInterface func : tileir::getFunctions(root)) {
    eraseStamps(func);
    if (failed(populate(func)))
      return failure();
  }
  for (Function &function : functions)
    stamp(function);
  if (!functions.empty())
    TILEIR_LOG() << *this;
  return success();
}

void ScheduleAnalysis::print(raw_ostream &os) const {
  for (const Function &function : functions) {
    os << function.name << ": " << function.numWarps << " warps on "
       << function.target.name() << '\n';
    for (const Region &region : function.regions) {
      const schedule::Result &result = region.solution.result;
      os << "  anchors " << region.first << " to "
         << region.first + int(region.anchors.size()) - 1 << ": ";
      if (!result.isFeasible)
        os << "no schedule, " << result.reason << '\n';
      else
        os << "interval " << result.schedule.ii << ", "
           << result.schedule.numStages << " stages, "
           << schedule::nameOf(result.generator) << '\n';
    }
  }
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

namespace {

/// Answers whether edges follow from the recorded edges.
class EdgeRecord {
public:
  explicit EdgeRecord(const schedule::Problem &problem)
      : successors(problem.nodes.size()) {
    for (const schedule::Edge &edge : problem.edges)
      if (edge.delay >= 0)
        successors[edge.from].push_back(&edge);
  }

  /// Returns whether `edge`, or a path with at least its delay, was recorded.
  bool implies(const schedule::Edge &edge) const {
    for (const schedule::Edge *known : successors[edge.from])
      if (known->to == edge.to && known->distance <= edge.distance &&
          known->delay >= edge.delay)
        return true;
    // Longest delay to each node by distance, relaxed distance by distance.
    int width = edge.distance + 1;
    std::vector<int64_t> longest(successors.size() * width, -1);
    SmallVector<std::pair<int, int>> worklist = {{edge.from, 0}};
    longest[edge.from * width] = 0;
    for (size_t steps = 0;
         !worklist.empty() &&
         steps < heuristics::maxConstraintSteps * successors.size() * width;
         ++steps) {
      auto [node, distance] = worklist.pop_back_val();
      int64_t now = longest[node * width + distance];
      for (const schedule::Edge *next : successors[node]) {
        int there = distance + next->distance;
        if (there >= width)
          continue;
        int64_t &best = longest[next->to * width + there];
        if (now + next->delay <= best)
          continue;
        best = now + next->delay;
        worklist.push_back({next->to, there});
      }
    }
    for (int d = 0; d < width; ++d)
      if (longest[edge.to * width + d] >= edge.delay)
        return true;
    return false;
  }

private:
  std::vector<SmallVector<const schedule::Edge *>> successors;
};

} // namespace

/// Finds the loop of `region` again. Its anchors must be the recorded ones in
/// the recorded order; erased anchors had no effect and have no user left.
static bool rebind(ScheduleAnalysis::Region &region) {
  region.loop = {};
  for (Operation *op : region.ops) {
    if (!op)
      continue;
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!loop || op->getBlock() != loop.getBody() ||
        (region.loop && region.loop != loop))
      return false;
    region.loop = loop;
  }
  for (auto [i, anchor] : llvm::enumerate(region.anchors)) {
    if (region.ops[i]) {
      if (region.ops[i]->getName() != anchor.name)
        return false;
      continue;
    }
    if (anchor.hasEffects ||
        llvm::any_of(anchor.users, [&](int user) { return region.ops[user]; }))
      return false;
  }
  // A loop without effects and without users was erased.
  if (!region.loop)
    return true;
  size_t next = 0;
  for (Operation *op : getAnchors(region.loop)) {
    while (next < region.ops.size() && !region.ops[next])
      ++next;
    if (next == region.ops.size() || region.ops[next] != op)
      return false;
    ++next;
  }
  return true;
}

/// Returns whether the current dependences of the loop follow from the recorded
/// ones.
static bool hasRecordedEdges(const ScheduleAnalysis::Function &function,
                             const ScheduleAnalysis::Region &region) {
  if (!region.loop)
    return true;
  if (!isScheduledLoop(region.loop))
    return getAnchors(region.loop).size() < 2;
  FailureOr<LoopGraph> graph =
      buildLoopGraph(region.loop, function.target, function.numWarps);
  if (failed(graph))
    return false;
  SmallVector<int> nodes;
  for (auto [i, op] : llvm::enumerate(region.ops))
    if (op)
      nodes.push_back(int(i));
  EdgeRecord record(region.problem);
  for (schedule::Edge edge : graph->problem.edges) {
    edge.from = nodes[edge.from];
    edge.to = nodes[edge.to];
    if (edge.delay >= 0 && !record.implies(edge))
      return false;
  }
  return true;
}

bool ScheduleAnalysis::revalidate(Function &function,
                                  FunctionOpInterface func) {
  auto fail = [&](StringRef reason) {
    TILEIR_LOG() << function.name << ": no longer valid: " << reason;
    return false;
  };
  auto fingerprint = func->getAttrOfType<IntegerAttr>(names::kFingerprint);
  if (!fingerprint || uint64_t(fingerprint.getInt()) != function.fingerprint)
    return fail("it was scheduled by another analysis");
  int count = 0;
  for (Region &region : function.regions) {
    region.ops.assign(region.anchors.size(), nullptr);
    count += int(region.anchors.size());
  }
  bool ok = true;
  func->walk([&](Operation *op) {
    auto id = op->getAttrOfType<IntegerAttr>(names::kNode);
    if (!id)
      return;
    for (Region &region : function.regions) {
      int64_t node = id.getInt() - region.first;
      if (node < 0 || node >= int64_t(region.ops.size()))
        continue;
      // Two anchors with one number: the operation was cloned.
      ok &= !region.ops[node];
      region.ops[node] = op;
    }
    ok &= id.getInt() >= 0 && id.getInt() < count;
  });
  if (!ok)
    return fail("an anchor was copied");
  if (!llvm::all_of(function.regions, rebind))
    return fail("anchors are gone, are others or have another order");
  // A loop that was added after the analysis has no schedule.
  DenseSet<Operation *> loops;
  for (Region &region : function.regions)
    if (region.loop)
      ok &= loops.insert(region.loop).second;
  for (scf::ForOp loop : getScheduledLoops(func))
    ok &= loops.contains(loop);
  if (!ok)
    return fail("a loop has no schedule, or two");
  if (!llvm::all_of(function.regions, [&](const Region &region) {
        return hasRecordedEdges(function, region);
      }))
    return fail("there is a dependence that was not there before");
  return true;
}

bool ScheduleAnalysis::revalidate() {
  size_t next = 0;
  for (FunctionOpInterface func : tileir::getFunctions(root)) {
    if (!hasStamps(func)) {
      if (!getScheduledLoops(func).empty())
        return false;
      continue;
    }
    if (next == functions.size())
      return false;
    Function &function = functions[next++];
    if (func.getName() != function.name || !revalidate(function, func))
      return false;
    function.op = func;
  }
  return next == functions.size();
}

bool ScheduleAnalysis::isInvalidated(
    const AnalysisManager::PreservedAnalyses &preserved) {
  return !preserved.isPreserved<ScheduleAnalysis>() && !revalidate();
}

} // namespace tileir
