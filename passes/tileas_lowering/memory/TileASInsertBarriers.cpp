// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/AccessRoots.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas_lowering/Prepare.h"
#include "passes/tileas_lowering/memory/Accesses.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/BitVector.h"

#include <deque>

#define DEBUG_TYPE "tileas-insert-barriers"

using namespace mlir;

namespace tileir::lowering {

namespace {

//===----------------------------------------------------------------------===//
// Accesses of a function
//===----------------------------------------------------------------------===//

/// A relevant operation, or a loop, branch or agent that contains some.
struct Event {
  enum Kind { Access, Barrier, Fence, Wait, Renewal, For, While, If, Agent };

  Operation *op = nullptr;
  Kind kind = Access;
  /// Number of the global memory access, or none.
  std::optional<unsigned> global;
  /// Classes of the shared memory accesses; with scratch memory, the last one
  /// is still read by other threads when the operation ends.
  SmallVector<unsigned, 2> bytes;
  bool hasScratch = false;
  std::vector<std::vector<Event>> regions;
  /// Barriers and fences required before the operation, by the last visit.
  bool needsBarrier = false, needsSharedFence = false, needsGlobalFence = false;

  // State of a loop: pending at the start, entering from outside, pending after
  // it.
  struct Loop;
  std::shared_ptr<Loop> loop;
};

/// Numbered accesses of a function. A global access has two bits: one for the
/// current iteration of the surrounding loop and one for earlier iterations.
/// After the first `maxTrackedAccesses`, the accesses of one root and kind
/// share a number.
class Accesses {
public:
  explicit Accesses(nv_tileaa::FuncOp func) : func(func) {}

  std::vector<Event> collect(Region &region);
  /// Fixes the numbering of the bits and the accesses covered by each token.
  void close();

  unsigned getGlobalBits() const { return 2 * globals.size(); }
  unsigned getBits() const { return getGlobalBits() + bytes.size(); }
  bool isGlobal(unsigned bit) const { return bit < getGlobalBits(); }
  unsigned getBit(unsigned bytesClass) const {
    return getGlobalBits() + bytesClass;
  }
  /// Returns whether `event` conflicts with a pending access.
  bool conflicts(const Event &event, const llvm::BitVector &pending);
  /// Returns whether `event` reads or overwrites some of `written`, bytes of
  /// shared memory or memory behind pointers, through the async proxy.
  bool takesBytes(const Event &event, const llvm::BitVector &written) const;
  bool takesMemory(const Event &event, const llvm::BitVector &written);
  /// Returns the bits that a fence of `kind` covers.
  llvm::BitVector getFencedBits(nv_tileas::FenceKind kind) const;
  /// Returns whether any access through the async proxy conflicts with one of
  /// `written`.
  bool hasAsyncUser(const llvm::BitVector &written) const {
    return written.anyCommon(asyncUsers);
  }
  /// Turns `set` at the end of an iteration of `loop` into the state at the
  /// start of the next one.
  void age(llvm::BitVector &set, Operation *loop) const;
  bool isWriteOfThreads(unsigned bytesClass) const {
    return bytes[bytesClass].isWrite &&
           bytes[bytesClass].proxy == nv_tileas::Proxy::Generic;
  }
  bool isRead(unsigned global) const { return globals[global].isRead; }
  bool isOpen(unsigned bytesClass) const {
    return bytes[bytesClass].opens.has_value();
  }
  /// Returns the bits of accesses in flight until a wait of `kind`.
  llvm::BitVector getOpenBits(nv_tileas::AsyncCompletion kind) const {
    llvm::BitVector bits(getBits());
    for (unsigned number = 0; number < bytes.size(); ++number)
      if (bytes[number].opens == kind)
        bits.set(getBit(number));
    return bits;
  }
  bool isUnknownRoot(unsigned bit) const { return !globals[bit / 2].root; }

private:
  struct Global {
    /// Null if several accesses share the number.
    Operation *op;
    /// One of the accesses.
    Operation *sample;
    Value root;
    bool isRead;
  };

  unsigned addGlobal(Operation *op);
  unsigned addBytes(const ByteAccess &access);
  bool mustWait(Operation *op, const llvm::BitVector &pending);
  void addSource(Value token, Value source, Operation *loop = nullptr);
  void addSources(Operation *op);

  nv_tileaa::FuncOp func;
  std::vector<Global> globals;
  llvm::DenseMap<std::pair<Value, unsigned>, unsigned> merged;
  std::vector<ByteAccess> bytes;
  std::vector<llvm::BitVector> conflictsOf;
  /// Accesses that conflict with some access through the async proxy.
  llvm::BitVector asyncUsers;
  llvm::DenseMap<std::tuple<int64_t, int64_t, unsigned, Operation *>, unsigned>
      bytesOf;

  // The accesses covered by tokens, and the tokens derived from each token.
  struct Source {
    Value token;
    Operation *loop;
  };
  llvm::DenseMap<Value, SmallVector<Source, 2>> users;
  llvm::DenseMap<Value, llvm::BitVector> cover;
  SmallVector<std::pair<Value, unsigned>> made;
  SmallVector<Value> tokens;
};

} // namespace

/// Returns whether `op` is a loop whose accesses may be pending in the next
/// iteration.
static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

unsigned Accesses::addGlobal(Operation *op) {
  auto access = cast<nv_tileas::TileASMemoryOpInterface>(op);
  Value root = getRoot(op);
  bool isRead = access.getMemoryKind() == nv_tileas::MemoryKind::Load;
  if (globals.size() < heuristics::maxTrackedAccesses) {
    globals.push_back({op, op, root, isRead});
    return globals.size() - 1;
  }
  auto [it, isNew] = merged.try_emplace({root, isRead}, globals.size());
  if (isNew)
    globals.push_back({nullptr, op, root, isRead});
  return it->second;
}

unsigned Accesses::addBytes(const ByteAccess &access) {
  unsigned flags = unsigned(access.isWrite) + 2 * unsigned(access.proxy) +
                   8 * (access.opens ? 1 + unsigned(*access.opens) : 0);
  auto [it, isNew] = bytesOf.try_emplace(
      {access.first, access.end, flags, access.circularBuffer}, bytes.size());
  if (isNew)
    bytes.push_back(access);
  return it->second;
}

std::vector<Event> Accesses::collect(Region &region) {
  std::vector<Event> events;
  for (Block &block : region)
    for (Operation &op : block) {
      addSources(&op);
      Event event;
      event.op = &op;
      if (isLoop(&op) || isa<scf::IfOp>(op)) {
        event.kind = isa<scf::ForOp>(op)     ? Event::For
                     : isa<scf::WhileOp>(op) ? Event::While
                     : isAgent(&op)          ? Event::Agent
                                             : Event::If;
        bool matters = false;
        for (Region &inner : op.getRegions()) {
          event.regions.push_back(collect(inner));
          matters |= !event.regions.back().empty();
        }
        if (matters)
          events.push_back(std::move(event));
        continue;
      }
      if (isBarrier(&op)) {
        event.kind = Event::Barrier;
        events.push_back(std::move(event));
        continue;
      }
      if (auto fence = dyn_cast<nv_tileas::FenceOp>(op)) {
        event.kind = Event::Fence;
        if (fence.getKind() == nv_tileas::FenceKind::ProxyAsyncShared ||
            fence.getKind() == nv_tileas::FenceKind::ProxyAsyncGlobal)
          events.push_back(std::move(event));
        continue;
      }
      if (auto async = dyn_cast<nv_tileas::AsyncOpInterface>(op);
          async && async.getAsyncRole() == nv_tileas::AsyncRole::Wait) {
        event.kind = Event::Wait;
        events.push_back(std::move(event));
        continue;
      }
      // Each iteration of a loop allocates the same bytes again.
      if (isSharedAllocation(&op)) {
        event.kind = Event::Renewal;
        if (op.getParentOfType<LoopLikeOpInterface>())
          events.push_back(std::move(event));
        continue;
      }
      for (const ByteAccess &access : getByteAccesses(&op))
        event.bytes.push_back(addBytes(access));
      if (std::optional<ByteAccess> scratch = getScratch(&op)) {
        event.hasScratch = true;
        event.bytes.push_back(addBytes(*scratch));
        scratch->isWrite = false;
        event.bytes.push_back(addBytes(*scratch));
      }
      if (isa<nv_tileas::TileASMemoryOpInterface>(op)) {
        event.global = addGlobal(&op);
        Value token =
            cast<nv_tileas::TileASMemoryOpInterface>(op).getResultMemToken();
        if (token)
          made.push_back({token, *event.global});
      }
      if (event.global || !event.bytes.empty())
        events.push_back(std::move(event));
    }
  return events;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool isToken(Value value) {
  return isa<nv_tileaa::MemTokenType>(value.getType());
}

void Accesses::addSource(Value token, Value source, Operation *loop) {
  if (isToken(token) && isToken(source))
    users[source].push_back({token, loop});
}

void Accesses::addSources(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, arg, yielded, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                   loop.getYieldedValues(), loop.getResults())) {
      addSource(arg, init);
      addSource(result, init);
      addSource(arg, yielded, loop);
      addSource(result, yielded);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, arg, yielded] :
         llvm::zip(loop.getInits(), loop.getBeforeArguments(),
                   loop.getYieldOp().getOperands())) {
      addSource(arg, init);
      addSource(arg, yielded, loop);
    }
    for (auto [passed, arg, result] :
         llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments(),
                   loop.getResults())) {
      addSource(arg, passed);
      addSource(result, passed);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (OpResult result : branch.getResults()) {
      unsigned number = result.getResultNumber();
      addSource(result, branch.thenYield().getOperand(number));
      addSource(result, branch.elseYield().getOperand(number));
    }
  } else {
    for (Value result : op->getResults())
      for (Value operand : op->getOperands())
        addSource(result, operand);
  }
}

void Accesses::age(llvm::BitVector &set, Operation *loop) const {
  for (unsigned bit = 0; bit < getGlobalBits(); bit += 2)
    if (set.test(bit)) {
      Operation *op = globals[bit / 2].op;
      if (op && !loop->isProperAncestor(op))
        continue;
      set.reset(bit);
      set.set(bit + 1);
    }
}

void Accesses::close() {
  for (const ByteAccess &access : bytes) {
    llvm::BitVector set(getBits());
    for (auto [number, other] : llvm::enumerate(bytes))
      if (access.conflictsWith(other))
        set.set(getBit(number));
    conflictsOf.push_back(std::move(set));
  }
  asyncUsers.resize(getBits());
  for (auto [number, access] : llvm::enumerate(bytes))
    if (access.proxy == nv_tileas::Proxy::Async)
      asyncUsers |= conflictsOf[number];
  // Propagates the accesses covered by each token to derived tokens until a
  // fixed point.
  std::deque<Value> work;
  for (auto [token, number] : made) {
    auto [it, isNew] = cover.try_emplace(token);
    if (isNew)
      it->second.resize(getGlobalBits());
    it->second.set(2 * number);
    work.push_back(token);
  }
  llvm::DenseSet<Value> waiting(work.begin(), work.end());
  while (!work.empty()) {
    Value token = work.front();
    work.pop_front();
    waiting.erase(token);
    auto known = users.find(token);
    if (known == users.end())
      continue;
    for (const Source &user : known->second) {
      llvm::BitVector set = cover[token];
      if (user.loop)
        age(set, user.loop);
      llvm::BitVector &old = cover[user.token];
      old.resize(getGlobalBits());
      if (!set.test(old))
        continue;
      old |= set;
      if (waiting.insert(user.token).second)
        work.push_back(user.token);
    }
  }
}

bool Accesses::mustWait(Operation *op, const llvm::BitVector &pending) {
  for (Value token : op->getOperands()) {
    auto known = isToken(token) ? cover.find(token) : cover.end();
    if (known == cover.end())
      continue;
    for (unsigned bit : known->second.set_bits()) {
      if (!pending.test(bit))
        continue;
      const Global &first = globals[bit / 2];
      if (mustOrder(func, first.sample, op,
                    /*samePhase=*/first.op && bit % 2 == 0))
        return true;
    }
  }
  return false;
}

bool Accesses::conflicts(const Event &event, const llvm::BitVector &pending) {
  if (event.kind == Event::Renewal)
    return llvm::any_of(pending.set_bits(), [&](unsigned bit) {
      return isGlobal(bit) && isUnknownRoot(bit);
    });
  // An exchange reads its scratch memory after a barrier of its own.
  ArrayRef<unsigned> numbers = event.bytes;
  for (unsigned number : event.hasScratch ? numbers.drop_back() : numbers)
    if (pending.anyCommon(conflictsOf[number]))
      return true;
  if (!event.global)
    return false;
  if (releases(event.op)) {
    int first = pending.find_first();
    if (first >= 0 && isGlobal(first))
      return true;
  }
  return mustWait(event.op, pending);
}

bool Accesses::takesBytes(const Event &event,
                          const llvm::BitVector &written) const {
  return llvm::any_of(event.bytes, [&](unsigned number) {
    return bytes[number].proxy == nv_tileas::Proxy::Async &&
           written.anyCommon(conflictsOf[number]);
  });
}

bool Accesses::takesMemory(const Event &event, const llvm::BitVector &written) {
  return event.global && isAsyncAccess(event.op) && mustWait(event.op, written);
}

llvm::BitVector Accesses::getFencedBits(nv_tileas::FenceKind kind) const {
  llvm::BitVector bits(getBits());
  if (kind == nv_tileas::FenceKind::ProxyAsyncGlobal)
    bits.set(0, getGlobalBits());
  else
    bits.set(getGlobalBits(), getBits());
  return bits;
}

//===----------------------------------------------------------------------===//
// Data flow
//===----------------------------------------------------------------------===//

namespace {

/// Accesses that are not yet visible to other threads, or not yet complete.
struct State {
  llvm::BitVector pending;
  /// Accesses in flight until a wait.
  llvm::BitVector open;
  /// Writes of threads without a later fence for the async proxy, and writes
  /// with such a fence but no barrier after it.
  llvm::BitVector unfenced, fenced;

  /// Merges the state of another path; returns whether it changed.
  bool merge(const State &other) {
    bool isNew = other.pending.test(pending) || other.open.test(open) ||
                 other.unfenced.test(unfenced) || other.fenced.test(fenced);
    pending |= other.pending;
    open |= other.open;
    unfenced |= other.unfenced;
    fenced |= other.fenced;
    return isNew;
  }

  /// All threads synchronize.
  void synchronize() {
    pending.reset();
    fenced.reset();
  }
};

/// Finds the operations that need a barrier before them. The state at the start
/// of a loop only grows; a visit that adds nothing reuses the known result, so
/// that the cost does not depend on the nesting depth.
class Membar {
public:
  explicit Membar(nv_tileaa::FuncOp func) : accesses(func) {
    events = accesses.collect(func.getBody());
    accesses.close();
  }

  /// Returns the number of barriers.
  unsigned run();
  unsigned getVisits() const { return visits; }

private:
  State getEmpty() const {
    llvm::BitVector none(accesses.getBits());
    return {none, none, none, none};
  }
  void visit(std::vector<Event> &events, State &state);
  void visit(Event &event, State &state);
  void visitLoop(Event &event, State &state);
  void visitAgents(MutableArrayRef<Event> agents, State &state);
  void separate(Event &event, State &state) {
    separate(event, {&event, 1}, state);
  }
  void separate(Event &place, MutableArrayRef<Event> events, State &state);
  void flatten(Event &event, std::vector<Event> &all);
  void insert(std::vector<Event> &events);

  Accesses accesses;
  std::vector<Event> events;
  unsigned visits = 0, inserted = 0;
};

} // namespace

struct Event::Loop {
  State entry, exit;
};

void Membar::visitLoop(Event &event, State &state) {
  if (!event.loop) {
    event.loop = std::make_shared<Event::Loop>();
    event.loop->entry = state;
  } else if (!event.loop->entry.merge(state)) {
    state = event.loop->exit;
    return;
  }
  State &entry = event.loop->entry;
  State round;
  do {
    round = entry;
    for (std::vector<Event> &region : event.regions) {
      visit(region, round);
      // A `while` loop ends after its condition region.
      if (&region == &event.regions.front())
        event.loop->exit = round;
    }
    accesses.age(round.pending, event.op);
    accesses.age(round.unfenced, event.op);
    accesses.age(round.fenced, event.op);
  } while (entry.merge(round));
  if (event.kind == Event::For)
    event.loop->exit.merge(entry);
  state = event.loop->exit;
}

/// Returns how many of the leading `events` are agents that run concurrently:
/// their warps are disjoint, and no relevant operation is between them.
static size_t countAgents(ArrayRef<Event> events) {
  llvm::BitVector warps(limits::threadsPerBlock / limits::threadsPerWarp);
  size_t count = 0;
  for (; count < events.size() && events[count].kind == Event::Agent; ++count) {
    ExecScope scope = getExecScope(&events[count].op->getRegion(0));
    unsigned end = scope.firstWarp + scope.warps;
    if (warps.find_first_in(scope.firstWarp, end) >= 0)
      break;
    warps.set(scope.firstWarp, end);
  }
  return count;
}

void Membar::visit(std::vector<Event> &events, State &state) {
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != Event::Agent) {
      visit(events[i], state);
      continue;
    }
    MutableArrayRef<Event> rest = MutableArrayRef<Event>(events).drop_front(i);
    size_t count = countAgents(rest);
    visitAgents(rest.take_front(count), state);
    i += count - 1;
  }
}

/// Decides whether a barrier, and fences before it, precede `place`, the start
/// of `events`.
void Membar::separate(Event &place, MutableArrayRef<Event> events,
                      State &state) {
  using nv_tileas::FenceKind;
  bool takesBytes = false, takesMemory = false, needs = false;
  for (Event &event : events) {
    takesBytes |= accesses.takesBytes(event, state.unfenced);
    takesMemory |= accesses.takesMemory(event, state.unfenced);
    needs = needs || takesBytes || takesMemory ||
            accesses.takesBytes(event, state.fenced) ||
            accesses.takesMemory(event, state.fenced) ||
            accesses.conflicts(event, state.pending);
  }
  // A barrier that is needed anyway saves the barrier after a later fence.
  place.needsSharedFence =
      takesBytes || (needs && accesses.hasAsyncUser(state.unfenced));
  place.needsGlobalFence = takesMemory;
  place.needsBarrier = needs;
  if (place.needsSharedFence)
    state.unfenced.reset(accesses.getFencedBits(FenceKind::ProxyAsyncShared));
  if (place.needsGlobalFence)
    state.unfenced.reset(accesses.getFencedBits(FenceKind::ProxyAsyncGlobal));
  if (needs)
    state.synchronize();
}

/// Appends the events in the regions of `event` to `all`.
void Membar::flatten(Event &event, std::vector<Event> &all) {
  for (std::vector<Event> &region : event.regions)
    for (Event &inner : region) {
      if (inner.regions.empty())
        all.push_back(inner);
      flatten(inner, all);
    }
}

/// Visits concurrent agents. A barrier in an agent synchronizes only its own
/// warps: all earlier accesses must be complete before the first agent, and the
/// pending accesses of all agents remain afterwards. The agents are ordered by
/// their own synchronization; a barrier between two of them would wait for the
/// end of the first one.
void Membar::visitAgents(MutableArrayRef<Event> agents, State &state) {
  std::vector<Event> all;
  for (Event &agent : agents)
    flatten(agent, all);
  llvm::erase_if(all, [](const Event &inner) {
    return inner.kind != Event::Access && inner.kind != Event::Renewal;
  });
  separate(agents.front(), all, state);
  llvm::BitVector open = state.open;
  for (Event &agent : agents) {
    for (std::vector<Event> &region : agent.regions) {
      State inside = getEmpty();
      inside.open = open;
      visit(region, inside);
      state.merge(inside);
    }
  }
}

void Membar::visit(Event &event, State &state) {
  ++visits;
  switch (event.kind) {
  case Event::For:
  case Event::While:
    return visitLoop(event, state);
  case Event::Agent:
    return visitAgents(event, state);
  case Event::If: {
    State other = state;
    visit(event.regions[0], state);
    visit(event.regions[1], other);
    state.merge(other);
    return;
  }
  case Event::Barrier:
    state.synchronize();
    return;
  case Event::Fence: {
    llvm::BitVector bits =
        accesses.getFencedBits(cast<nv_tileas::FenceOp>(event.op).getKind());
    bits &= state.unfenced;
    state.fenced |= bits;
    state.unfenced.reset(bits);
    return;
  }
  case Event::Wait: {
    // Copies of other threads have arrived, and the bytes that they read are
    // free, only after a barrier that follows the wait.
    auto wait = cast<nv_tileas::AsyncOpInterface>(event.op);
    llvm::BitVector done = accesses.getOpenBits(wait.getCompletion());
    done &= state.open;
    // If every thread waits on the mbarrier of the MMAs, no barrier is needed.
    auto mbarrierWait = dyn_cast<nv_tileas::MbarrierWaitOp>(event.op);
    if (mbarrierWait && mbarrierWait.getProducts() &&
        !mbarrierWait.getIssuer() && !mbarrierWait.getCondition())
      state.pending.reset(done);
    else
      state.pending |= done;
    if (wait.getPendingGroups() == 0)
      state.open.reset(done);
    return;
  }
  case Event::Access:
  case Event::Renewal:
    break;
  }
  separate(event, state);
  if (event.global) {
    state.pending.set(2 * *event.global);
    if (!accesses.isRead(*event.global))
      state.unfenced.set(2 * *event.global);
  }
  for (unsigned number : event.bytes) {
    state.pending.set(accesses.getBit(number));
    if (accesses.isOpen(number))
      state.open.set(accesses.getBit(number));
    if (accesses.isWriteOfThreads(number))
      state.unfenced.set(accesses.getBit(number));
  }
  if (event.hasScratch &&
      cast<nv_tileas::ScratchOpInterface>(event.op).hasInnerBarrier()) {
    state.synchronize();
    state.pending.set(accesses.getBit(event.bytes.back()));
  }
  if (event.global && acquires(event.op))
    state.synchronize();
}

void Membar::insert(std::vector<Event> &events) {
  using nv_tileas::BarrierScope;
  auto create = [&](OpBuilder builder, Operation *op) {
    nv_tileas::BarrierOp::create(builder, op->getLoc(),
                                 getExecScope(op).isCta() ? BarrierScope::CTA
                                                          : BarrierScope::Agent,
                                 IntegerAttr());
    ++inserted;
  };
  auto createFence = [](Operation *op, nv_tileas::FenceKind kind) {
    OpBuilder builder(op);
    nv_tileas::FenceOp::create(builder, op->getLoc(), kind,
                               nv_tileaa::MemScopeAttr());
  };
  for (Event &event : events) {
    for (std::vector<Event> &region : event.regions)
      insert(region);
    if (event.needsBarrier)
      TILEIR_LOG() << "barrier before " << event.op->getName() << " at "
                   << event.op->getLoc()
                   << (event.needsSharedFence ? ", shared fence" : "")
                   << (event.needsGlobalFence ? ", global fence" : "");
    if (event.needsSharedFence)
      createFence(event.op, nv_tileas::FenceKind::ProxyAsyncShared);
    if (event.needsGlobalFence)
      createFence(event.op, nv_tileas::FenceKind::ProxyAsyncGlobal);
    if (event.needsBarrier)
      create(OpBuilder(event.op), event.op);
    if (event.global && acquires(event.op)) {
      OpBuilder builder(event.op->getContext());
      builder.setInsertionPointAfter(event.op);
      create(builder, event.op);
    }
  }
}

unsigned Membar::run() {
  State state = getEmpty();
  visit(events, state);
  insert(events);
  return inserted;
}

BarrierCounts insertBarriers(nv_tileaa::FuncOp func) {
  BarrierCounts counts;
  if (func.isExternal() || func->hasAttr(nv_tileas::kOrderedAttr))
    return counts;
  Membar membar(func);
  counts.barriers = membar.run();
  counts.visits = membar.getVisits();
  func->setAttr(nv_tileas::kOrderedAttr, UnitAttr::get(func.getContext()));
  return counts;
}

} // namespace tileir::lowering

namespace tileir {

#define GEN_PASS_DEF_TILEASINSERTBARRIERS
#include "passes/tileas_lowering/memory/TileASInsertBarriers.h.inc"

namespace {

struct TileASInsertBarriers final
    : impl::TileASInsertBarriersBase<TileASInsertBarriers> {
  using TileASInsertBarriersBase::TileASInsertBarriersBase;

  void runOnOperation() override;
};

} // namespace

void TileASInsertBarriers::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  if (!func.isExternal() && !func->hasAttr(nv_tileas::kSmemBytesAttr)) {
    func.emitOpError("has no storage; run tileas-assign-buffers");
    return signalPassFailure();
  }
  lowering::BarrierCounts counts = lowering::insertBarriers(func);
  TILEIR_LOG() << func.getName() << ": " << counts.barriers
               << " barriers after " << counts.visits << " visits";
  numBarriers += counts.barriers;
  numVisits += counts.visits;
}

} // namespace tileir
