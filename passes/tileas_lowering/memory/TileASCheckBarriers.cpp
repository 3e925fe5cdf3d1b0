// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/AccessRoots.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas_lowering/memory/Accesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEASCHECKBARRIERS
#define GEN_PASS_DEF_TILEASCHECKBARRIERS
#include "passes/tileas_lowering/memory/TileASCheckBarriers.h.inc"

using namespace mlir;
using namespace lowering;
using nv_tileas::AsyncRole;

namespace {

/// Control flow graph of the relevant operations.
class OpGraph {
public:
  struct Edge {
    unsigned to;
    /// The loop whose next iteration begins here, or null.
    Operation *loop;
  };
  struct Node {
    Operation *op;
    /// False if the node only joins paths.
    bool matters;
    SmallVector<Edge, 2> next;
    /// True if the branches of the operation join here.
    bool isJoin = false;
  };

  explicit OpGraph(nv_tileaa::FuncOp func) {
    build(func.getBody(), add(func, /*matters=*/false));
  }

  size_t size() const { return nodes.size(); }
  const Node &operator[](unsigned node) const { return nodes[node]; }

private:
  unsigned add(Operation *op, bool matters) {
    nodes.push_back({op, matters, {}});
    return nodes.size() - 1;
  }
  void connect(unsigned from, unsigned to, Operation *loop = nullptr) {
    nodes[from].next.push_back({to, loop});
  }
  /// Adds the operations of `region` after `last`; returns the end node.
  unsigned build(Region &region, unsigned last);
  unsigned build(Operation *op, unsigned last);

  std::vector<Node> nodes;
};

/// Follows all paths from one access at a time.
class BarrierChecker {
public:
  explicit BarrierChecker(nv_tileaa::FuncOp func) : func(func), graph(func) {}

  size_t size() const { return graph.size(); }
  LogicalResult run();

private:
  /// Result of a visitor at a node on a path.
  enum class Path { GoOn, Stop };
  using Visitor = llvm::function_ref<Path(unsigned node, bool aged)>;

  /// Calls `visit` for every node that is reachable from `start`; `aged` tells
  /// whether an iteration of a surrounding loop ended in between.
  void follow(unsigned start, Visitor visit);
  void checkBytes(unsigned start, ArrayRef<ByteAccess> accesses);
  void checkCopy(unsigned start, const ByteAccess &bytes);
  void checkTokens(unsigned start);
  void checkProxy(unsigned start);
  /// Reports, with `what`, the operations accepted by `isUser` that a path
  /// reaches without a fence of `kind` followed by a barrier.
  void checkFence(unsigned start, nv_tileas::FenceKind kind, StringRef what,
                  llvm::function_ref<bool(Operation *, bool aged)> isUser);
  void checkLiveRange(unsigned start, nv_tileas::AllocTensorOp alloc);
  void checkEnd(unsigned start, nv_tileas::AllocTensorOp alloc);
  /// Reports operations after the agent that `start` ends if the threads of the
  /// surrounding scope have not synchronized.
  void checkJoin(unsigned start);
  /// Collects operations that wait for the token of `op`: in this iteration, in
  /// another.
  void collectWaiting(Operation *op, llvm::DenseSet<Operation *> waiting[2]);
  void report(Operation *second, const Twine &what, Operation *first);

  nv_tileaa::FuncOp func;
  OpGraph graph;
  bool failed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

static bool matters(Operation *op) {
  return isa<nv_tileas::TileASMemoryOpInterface, nv_tileas::AsyncOpInterface,
             nv_tileas::DeallocOp, nv_tileas::FenceOp>(op) ||
         isBarrier(op) || isSharedAllocation(op) || getScratch(op) ||
         llvm::any_of(op->getOperandTypes(),
                      llvm::IsaPred<nv_tileas::BufferType>) ||
         (isa<nv_tileas::AllocTensorOp>(op) &&
          isa<nv_tileas::BufferType>(op->getResult(0).getType()));
}

unsigned OpGraph::build(Region &region, unsigned last) {
  for (Block &block : region)
    for (Operation &op : block)
      last = build(&op, last);
  return last;
}

unsigned OpGraph::build(Operation *op, unsigned last) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned head = add(op, false);
    connect(last, head);
    connect(build(loop.getRegion(), head), head, op);
    return head;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    unsigned head = add(op, false);
    connect(last, head);
    unsigned condition = build(loop.getBefore(), head);
    unsigned exit = add(op, false);
    connect(condition, exit);
    connect(build(loop.getAfter(), condition), head, op);
    return exit;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned head = add(op, false);
    connect(last, head);
    unsigned ends[] = {build(branch.getThenRegion(), head),
                       build(branch.getElseRegion(), head)};
    unsigned join = add(op, false);
    nodes[join].isJoin = true;
    connect(ends[0], join);
    connect(ends[1], join);
    return join;
  }
  if (!matters(op))
    return last;
  unsigned node = add(op, true);
  connect(last, node);
  return node;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

void BarrierChecker::follow(unsigned start, Visitor visit) {
  Operation *from = graph[start].op;
  std::vector<bool> seen(2 * graph.size());
  SmallVector<std::pair<unsigned, bool>> work = {{start, false}};
  while (!work.empty()) {
    auto [node, old] = work.pop_back_val();
    for (OpGraph::Edge edge : graph[node].next) {
      bool isOld = old || (edge.loop && edge.loop->isProperAncestor(from));
      if (seen[2 * edge.to + isOld])
        continue;
      seen[2 * edge.to + isOld] = true;
      if (!graph[edge.to].matters || visit(edge.to, isOld) == Path::GoOn)
        work.push_back({edge.to, isOld});
    }
  }
}

void BarrierChecker::report(Operation *second, const Twine &what,
                            Operation *first) {
  failed = true;
  second->emitOpError(what).attachNote(first->getLoc()) << "is this one";
}

/// Returns whether `op` orders all later accesses after all earlier ones.
static bool separates(Operation *op) {
  auto user = dyn_cast<nv_tileas::ScratchOpInterface>(op);
  return isBarrier(op) || (user && getScratch(op) && user.hasInnerBarrier());
}

/// Returns whether all threads that execute `first` synchronize at `op`.
static bool separates(Operation *op, Operation *first) {
  return separates(op) && getExecScope(op).contains(first);
}

/// Returns the bytes that `op` accesses as soon as it runs.
static SmallVector<ByteAccess> getFirstAccesses(Operation *op) {
  SmallVector<ByteAccess> accesses = getByteAccesses(op);
  if (std::optional<ByteAccess> scratch = getScratch(op))
    accesses.push_back(*scratch);
  return accesses;
}

/// Returns the accesses of other threads that may be unfinished when `op` ends.
static SmallVector<ByteAccess> getLastAccesses(Operation *op) {
  if (std::optional<ByteAccess> scratch = getScratch(op)) {
    scratch->isWrite = false;
    return {*scratch};
  }
  return getByteAccesses(op);
}

void BarrierChecker::checkBytes(unsigned start, ArrayRef<ByteAccess> accesses) {
  Operation *first = graph[start].op;
  follow(start, [&](unsigned node, bool) {
    Operation *op = graph[node].op;
    for (const ByteAccess &now : getFirstAccesses(op))
      for (const ByteAccess &before : accesses)
        if (before.conflictsWith(now)) {
          report(op,
                 Twine("touches bytes ") + Twine(now.first) + " to " +
                     Twine(now.end) + " of shared memory that another " +
                     "operation may still be " +
                     (before.isWrite ? "writing" : "reading") +
                     "; no barrier is between them",
                 first);
          return Path::Stop;
        }
    return separates(op, first) ? Path::Stop : Path::GoOn;
  });
}

/// Checks the bytes of a copy in flight: no operation may access them before a
/// wait that covers its group, and other threads see them only after a barrier
/// that follows the wait.
void BarrierChecker::checkCopy(unsigned start, const ByteAccess &bytes) {
  // Number of groups closed since, this one included, up to more than any wait
  // leaves open.
  constexpr unsigned kMax = 16;
  Operation *first = graph[start].op;
  std::vector<uint32_t> seen(graph.size());
  // An MMA and a TMA store are groups of their own; an operation closes the
  // group of other copies.
  bool isMma = bytes.opens == nv_tileas::AsyncCompletion::WgmmaGroup;
  bool isStore = bytes.opens == nv_tileas::AsyncCompletion::BulkGroup;
  bool isGroup = isMma || isStore;
  AsyncRole closing = isGroup ? AsyncRole::Issue : AsyncRole::Commit;
  SmallVector<std::pair<unsigned, unsigned>> work = {{start, isGroup}};
  bool isClean = true;
  while (!work.empty() && isClean) {
    auto [node, groups] = work.pop_back_val();
    for (OpGraph::Edge edge : graph[node].next) {
      if (seen[edge.to] >> groups & 1)
        continue;
      seen[edge.to] |= 1u << groups;
      Operation *op = graph[edge.to].op;
      unsigned now = groups;
      if (graph[edge.to].matters) {
        auto async = dyn_cast<nv_tileas::AsyncOpInterface>(op);
        if (async && async.getCompletion() != bytes.opens)
          async = {};
        if (async && async.getAsyncRole() == closing)
          now = std::min(groups + 1, kMax);
        // Every thread waits on the mbarrier that a TMA copy signals; then the
        // copy is complete. The mbarrier is not known here.
        if (async && async.getAsyncRole() == AsyncRole::Wait &&
            (bytes.opens == nv_tileas::AsyncCompletion::Mbarrier ||
             bytes.opens == nv_tileas::AsyncCompletion::Umma))
          continue;
        if (async && async.getAsyncRole() == AsyncRole::Wait &&
            async.getPendingGroups() < now) {
          checkBytes(edge.to, bytes);
          continue;
        }
        for (const ByteAccess &other : getFirstAccesses(op)) {
          // The consumer of a slot waits for each executed copy; whether the
          // condition of the other copies is false is not known here.
          if (bytes.circularBuffer || edge.to == start ||
              !bytes.conflictsWith(other))
            continue;
          report(op,
                 Twine("touches bytes ") + Twine(other.first) + " to " +
                     Twine(other.end) + " of shared memory that " +
                     (isMma     ? "an MMA may still be reading"
                      : isStore ? "a store may still be reading"
                                : "a copy may still be writing") +
                     "; no wait covers it",
                 first);
          isClean = false;
          break;
        }
      }
      if (isClean)
        work.push_back({edge.to, now});
    }
  }
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void BarrierChecker::collectWaiting(Operation *op,
                                    llvm::DenseSet<Operation *> waiting[2]) {
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  SmallVector<std::pair<Value, unsigned>> work;
  auto add = [&](Value token, unsigned aged) {
    if (isa<nv_tileaa::MemTokenType>(token.getType()) &&
        seen.insert({token, aged}).second)
      work.push_back({token, aged});
  };
  for (Value result : op->getResults())
    add(result, 0);
  while (!work.empty()) {
    auto [token, aged] = work.pop_back_val();
    for (OpOperand &use : token.getUses()) {
      Operation *user = use.getOwner();
      if (isa<nv_tileas::TileASMemoryOpInterface>(user))
        waiting[aged].insert(user);
      Operation *parent = user->getParentOp();
      unsigned number = use.getOperandNumber();
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        number -= loop.getNumControlOperands();
        add(loop.getRegionIterArgs()[number], aged);
        add(loop.getResult(number), aged);
      } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
        add(loop.getBeforeArguments()[number], aged);
      } else if (auto end = dyn_cast<scf::ConditionOp>(user)) {
        auto loop = cast<scf::WhileOp>(parent);
        add(loop.getAfterArguments()[number - 1], aged);
        add(loop.getResult(number - 1), aged);
      } else if (isa<scf::YieldOp>(user)) {
        unsigned next = aged || parent->isProperAncestor(op);
        if (auto loop = dyn_cast<scf::ForOp>(parent)) {
          add(loop.getRegionIterArgs()[number], next);
          add(loop.getResult(number), aged);
        } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
          add(loop.getBeforeArguments()[number], next);
        } else {
          add(parent->getResult(number), aged);
        }
      } else {
        for (Value result : user->getResults())
          add(result, aged);
      }
    }
  }
}

void BarrierChecker::checkTokens(unsigned start) {
  Operation *first = graph[start].op;
  llvm::DenseSet<Operation *> waiting[2];
  collectWaiting(first, waiting);
  // The barrier of an exchange follows the access.
  if (separates(first) && !acquires(first))
    return;
  follow(start, [&](unsigned node, bool aged) {
    Operation *op = graph[node].op;
    // Outside of loops an allocation runs once, before any thread has its
    // address.
    if (isSharedAllocation(op) && !getRoot(first) && aged &&
        op->getParentOfType<LoopLikeOpInterface>()) {
      report(op,
             "takes memory that another operation may still access; no "
             "barrier is between them",
             first);
      return Path::Stop;
    }
    if (isa<nv_tileas::TileASMemoryOpInterface>(op) &&
        (releases(op) || acquires(first) ||
         (waiting[aged].contains(op) &&
          mustOrder(func, first, op, /*samePhase=*/!aged)))) {
      report(op, "must come after another access; no barrier is between them",
             first);
      return Path::Stop;
    }
    return separates(op, first) ? Path::Stop : Path::GoOn;
  });
}

//===----------------------------------------------------------------------===//
// Proxies
//===----------------------------------------------------------------------===//

void BarrierChecker::checkFence(
    unsigned start, nv_tileas::FenceKind kind, StringRef what,
    llvm::function_ref<bool(Operation *, bool)> isUser) {
  Operation *first = graph[start].op;
  struct Step {
    unsigned node;
    bool aged, fenced;
    unsigned index() const { return 4 * node + 2 * aged + fenced; }
  };
  std::vector<bool> seen(4 * graph.size());
  SmallVector<Step> work = {{start, false, false}};
  while (!work.empty()) {
    Step from = work.pop_back_val();
    for (OpGraph::Edge edge : graph[from.node].next) {
      Step to = {edge.to,
                 from.aged || (edge.loop && edge.loop->isProperAncestor(first)),
                 from.fenced};
      if (seen[to.index()])
        continue;
      seen[to.index()] = true;
      Operation *op = graph[to.node].op;
      if (graph[to.node].matters) {
        if (isUser(op, to.aged))
          return report(op, what, first);
        auto fence = dyn_cast<nv_tileas::FenceOp>(op);
        to.fenced |= fence && fence.getKind() == kind;
        if (to.fenced && separates(op, first))
          continue;
      }
      work.push_back(to);
    }
  }
}

/// Checks that the async proxy sees writes of threads only after a fence in the
/// writing thread and a barrier after the fence.
void BarrierChecker::checkProxy(unsigned start) {
  using nv_tileas::FenceKind;
  Operation *first = graph[start].op;
  SmallVector<ByteAccess> writes = getFirstAccesses(first);
  llvm::erase_if(writes, [](const ByteAccess &access) {
    return !access.isWrite || access.proxy != nv_tileas::Proxy::Generic;
  });
  if (!writes.empty())
    checkFence(start, FenceKind::ProxyAsyncShared,
               "touches shared memory by the asynchronous proxy after threads "
               "wrote there; no fence and barrier are between them",
               [&](Operation *op, bool) {
                 for (const ByteAccess &now : getByteAccesses(op))
                   for (const ByteAccess &before : writes)
                     if (now.proxy == nv_tileas::Proxy::Async &&
                         before.conflictsWith(now))
                       return true;
                 return false;
               });
  auto store = dyn_cast<nv_tileas::TileASMemoryOpInterface>(first);
  if (!store || store.getMemoryKind() == nv_tileas::MemoryKind::Load)
    return;
  llvm::DenseSet<Operation *> waiting[2];
  collectWaiting(first, waiting);
  checkFence(start, FenceKind::ProxyAsyncGlobal,
             "touches memory by the asynchronous proxy after threads wrote "
             "there; no fence and barrier are between them",
             [&](Operation *op, bool aged) {
               return waiting[aged].contains(op) && isAsyncAccess(op) &&
                      mustOrder(func, first, op, /*samePhase=*/!aged);
             });
}

//===----------------------------------------------------------------------===//
// Live ranges
//===----------------------------------------------------------------------===//

/// Returns the bytes of `alloc`; none in tensor memory.
static std::optional<ByteAccess> getWhole(nv_tileas::AllocTensorOp alloc) {
  auto type = dyn_cast<nv_tileas::BufferType>(alloc.getType());
  if (!type || type.getSpace() != LayoutSpace::Smem)
    return std::nullopt;
  ByteAccess bytes;
  bytes.first = alloc.getSmemOffset().value_or(0);
  bytes.end = bytes.first + type.getTotalBytes();
  bytes.isWrite = true;
  return bytes;
}

void BarrierChecker::checkLiveRange(unsigned start,
                                    nv_tileas::AllocTensorOp alloc) {
  std::optional<ByteAccess> bytes = getWhole(alloc);
  if (!bytes)
    return;
  follow(start, [&](unsigned node, bool) {
    Operation *op = graph[node].op;
    auto end = dyn_cast<nv_tileas::DeallocOp>(op);
    if (op == alloc || (end && end.getBuffer() == alloc.getResult()))
      return Path::Stop;
    std::optional<ByteAccess> other = getScratch(op);
    if (auto next = dyn_cast<nv_tileas::AllocTensorOp>(op))
      other = getWhole(next);
    if (!other || !bytes->conflictsWith(*other))
      return Path::GoOn;
    report(op,
           Twine("gets bytes ") + Twine(other->first) + " to " +
               Twine(other->end) +
               " of shared memory while a buffer there is still alive",
           alloc);
    return Path::Stop;
  });
}

void BarrierChecker::checkEnd(unsigned start, nv_tileas::AllocTensorOp alloc) {
  follow(start, [&](unsigned node, bool) {
    Operation *op = graph[node].op;
    if (op == alloc)
      return Path::Stop;
    for (Value operand : op->getOperands())
      if (isa<nv_tileas::BufferType>(operand.getType()) &&
          getAllocation(operand) == alloc) {
        report(op, "uses a buffer after the end of its live range",
               graph[start].op);
        return Path::Stop;
      }
    return Path::GoOn;
  });
}

void BarrierChecker::checkJoin(unsigned start) {
  Operation *agent = graph[start].op;
  auto touches = [](Operation *op) {
    return isa<nv_tileas::TileASMemoryOpInterface>(op) || getScratch(op) ||
           !getByteAccesses(op).empty();
  };
  // An agent without accesses leaves nothing pending.
  if (!agent
           ->walk([&](Operation *op) {
             return touches(op) ? WalkResult::interrupt()
                                : WalkResult::advance();
           })
           .wasInterrupted())
    return;
  follow(start, [&](unsigned node, bool) {
    Operation *op = graph[node].op;
    if (isBarrier(op) && getExecScope(op).contains(agent))
      return Path::Stop;
    // Concurrent agents are ordered by their own synchronization.
    if (!touches(op) || getExecScope(op).region != getExecScope(agent).region)
      return Path::GoOn;
    report(op, "follows an agent; no barrier of all threads is between them",
           agent);
    return Path::Stop;
  });
}

LogicalResult BarrierChecker::run() {
  for (unsigned node = 0; node < graph.size() && !failed; ++node) {
    Operation *op = graph[node].op;
    if (graph[node].isJoin && isAgent(op))
      checkJoin(node);
    if (!graph[node].matters)
      continue;
    if (auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(op))
      checkLiveRange(node, alloc);
    if (auto end = dyn_cast<nv_tileas::DeallocOp>(op))
      if (nv_tileas::AllocTensorOp alloc = getAllocation(end.getBuffer()))
        checkEnd(node, alloc);
    SmallVector<ByteAccess> done;
    for (const ByteAccess &access : getLastAccesses(op)) {
      if (access.opens)
        checkCopy(node, access);
      else
        done.push_back(access);
    }
    if (!done.empty())
      checkBytes(node, done);
    if (isa<nv_tileas::TileASMemoryOpInterface>(op))
      checkTokens(node);
    checkProxy(node);
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct TileASCheckBarriers final
    : impl::TileASCheckBarriersBase<TileASCheckBarriers> {
  using TileASCheckBarriersBase::TileASCheckBarriersBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (getOperation().isExternal())
      return;
    BarrierChecker checker(getOperation());
    if (checker.size() > maxOperations)
      return;
    ++numChecked;
    if (failed(checker.run()))
      signalPassFailure();
  }
};

} // namespace

} // namespace tileir
